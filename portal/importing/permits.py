"""A register of permits as a clerk keeps it: one row a vehicle, with what happened to the permit in columns.

`COLUMNS` are the headings understood, in any order and spelling; a mapping file (TOML) names those of a file
that calls them otherwise, under ``[columns]``, and values that stand for every row, under ``[values]``.
A second file may tell the acts, one a row (`portal.importing.permit_acts`).

Nothing about a person leaves this module: columns of names and documents are not read, a person's permit
carries no name, words are told back to nobody, and a row with a run of eleven digits, which may be a CPF, is
refused. Rows are read one by one, and memory holds no more of them than those of one permit that stand together.
"""

import hashlib
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from portal.domain.acts import read_act_number
from portal.domain.days import read_day
from portal.domain.names import fold
from portal.domain.permits import EventKind, HolderKind, Service
from portal.domain.plates import holds_personal_number
from portal.domain.registers import RowProblem
from portal.importing.register_cells import (
    Refused,
    clean,
    is_a_persons,
    is_cpf_cut_short,
    key_at_once,
    key_of_number,
    plate_at_once,
    plate_of,
    read_number,
    shown_heading,
    shown_value,
)
from portal.importing.register_columns import (
    COLUMNS,
    HOLDERS,
    OF_UNIT,
    REGIONS,
    ROLES,
    SERVICES,
    VEHICLE_TYPES,
    WHOLE,
)
from portal.importing.sheets import Line, UnreadableSheet, column_name, read_lines

NOTHING: Mapping[str, Callable[[str], Any]] = {}
KEPT_PROBLEMS = 500
"""Problems of each kind, refusals and warnings, that are told one by one; the rest is counted."""
_REMEMBERED = 20_000
"""Different texts of one column whose reading is remembered: days, numbers and words repeat."""


@dataclass(frozen=True, slots=True)
class Mapped:
    """How one file names its columns, and the values that it leaves unsaid."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """Our name to the file's heading."""
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TownTypes:
    """What the town knows, so that a file need not say it: the type of each service, the holder of each type."""

    type_of_service: Mapping[Service, str]
    holder_of_type: Mapping[tuple[Service, str], HolderKind]
    type_names: Mapping[str, str] = field(default_factory=dict)
    """What the instruments call each type, folded, to the type."""
    service: Service | None = None
    """The service of every row that names none."""


class BrokenMapping(Exception):
    """The mapping file cannot be read; the text says where."""


class Identity(NamedTuple):
    """What makes a permit that permit, in one town."""

    service: Service
    permit_type: str
    number_key: str
    year: int
    """0 where none is told."""


class ToldUnit(NamedTuple):
    """A vehicle as its row tells it."""

    line: int
    position: int
    told_position: bool
    role: str
    plate: str
    plate_key: str
    vehicle_type: str | None
    model_year: int | None
    capacity: int | None
    valid_from: date | None
    valid_until: date | None


class ToldEvent(NamedTuple):
    kind: EventKind
    on: date
    until: date | None = None
    unit: int | None = None
    act_number: str | None = None
    act_date: date | None = None


ATTRIBUTES: Mapping[str, str] = {
    "itinerary": "itinerario",
    "max_speed_kmh": "velocidade_max",
    "paper_valid_from": "validade_de",
    "paper_valid_until": "validade_ate",
    "holder_kind": "titular_tipo",
    "trade_name": "nome_fantasia",
    "central": "regiao",
}
"""What rows of one permit may leave out, but may not contradict each other in; and the column that tells it."""


class Problems:
    """What is wrong with a file: the first of each kind one by one, all of them counted."""

    def __init__(self) -> None:
        self.kept: list[RowProblem] = []
        self.refusals = 0
        self.warnings = 0
        self.whole_file = False
        self._left = {True: KEPT_PROBLEMS, False: KEPT_PROBLEMS}

    def add(self, problem: RowProblem) -> None:
        if problem.refuses and problem.line is None:
            self.whole_file = True
        elif problem.refuses:
            self.refusals += 1
        else:
            if problem.article and problem in self.kept:
                return  # a permit whose rows stand apart is compared with the law more than once
            self.warnings += 1
        if self._left[problem.refuses]:
            self._left[problem.refuses] -= 1
            self.kept.append(problem)


@dataclass(slots=True)
class RowGroup:
    """Rows of one permit that stand together in the file."""

    identity: Identity
    line: int
    number: str
    values: dict[str, Any]
    """Each of `ATTRIBUTES` that was told, with its first value."""
    units: list[ToldUnit] = field(default_factory=list)
    events: list[ToldEvent] = field(default_factory=list)
    broken: bool = False
    """One of its rows was refused: half a combination is never published."""

    def take(
        self,
        unit: ToldUnit,
        values: Mapping[str, Any],
        whole: Sequence[ToldEvent],
        of_unit: Sequence[ToldEvent],
        refuse: Callable[..., None],
    ) -> None:
        """Add a row; ``refuse`` is told what does not fit, and the whole permit is broken by it."""
        if self.broken:
            return
        if not self.units and not self.values:
            self._begin(unit, values, whole, of_unit)
            return
        for name, value in values.items():
            if self.values.setdefault(name, value) != value:
                self.broken = True
                refuse("contradicts_permit", unit.line, ATTRIBUTES[name])
                return
        same = next((held for held in self.units if held.plate == unit.plate), None)
        if same is not None:
            self._take_again(same, unit, refuse)
            return
        position = unit.position or max((held.position for held in self.units), default=0) + 1
        if any(held.position == position for held in self.units):
            self.broken = True
            refuse("position_taken", unit.line, "posicao", str(position))
            return
        self.units.append(unit._replace(position=position) if position != unit.position else unit)
        if whole:
            self.events += [event for event in whole if event not in self.events]
        self.events += [event._replace(unit=position) for event in of_unit]

    def _begin(
        self,
        unit: ToldUnit,
        values: Mapping[str, Any],
        whole: Sequence[ToldEvent],
        of_unit: Sequence[ToldEvent],
    ) -> None:
        """The first row, which nothing can contradict."""
        self.values = dict(values)
        position = unit.position or 1
        self.units.append(unit if unit.position else unit._replace(position=1))
        self.events += [*whole, *(event._replace(unit=position) for event in of_unit)]

    def _take_again(self, held: ToldUnit, unit: ToldUnit, refuse: Callable[..., None]) -> None:
        """A vehicle that was told before: twice the same is only said."""
        if held[3:] != unit[3:] or (unit.told_position and unit.position != held.position):
            self.broken = True
            refuse("two_of_one_plate", unit.line, "placa", unit.plate)
        else:
            refuse("doubled_row", unit.line, "placa", unit.plate, refuses=False)

    def absorb(self, other: "RowGroup", refuse: Callable[..., None]) -> None:
        """Take the rows of the same permit that stand elsewhere in the file."""
        self.broken = self.broken or other.broken
        for at, unit in enumerate(other.units):
            own = [event._replace(unit=None) for event in other.events if event.unit == unit.position]
            whole = [event for event in other.events if event.unit is None] if at == 0 else []
            if any(event.kind is EventKind.ISSUE for event in self.events):
                whole = [event for event in whole if event.kind is not EventKind.ISSUE]
            told = unit if unit.told_position else unit._replace(position=0)
            self.take(told, other.values if at == 0 else {}, whole, own, refuse)

    @property
    def holder_told(self) -> HolderKind | None:
        return self.values.get("holder_kind")


def read_mapping(path: Path) -> Mapped:
    """A mapping file.

    Raises:
        BrokenMapping: no TOML, or a name that is not one of `COLUMNS`.
    """
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BrokenMapping(str(error)) from error
    for table in content:
        if table not in ("columns", "values"):
            raise BrokenMapping(f"[{table}]")
    for table in ("columns", "values"):
        for name, value in content.get(table, {}).items():
            if name not in COLUMNS or not isinstance(value, str):
                raise BrokenMapping(f"[{table}] {name}")
    return Mapped(content.get("columns", {}), content.get("values", {}))


def digest_of(*parts: Path | str | None) -> str:
    """One SHA-256 of files and of what was said about them."""
    total = hashlib.sha256()
    for part in parts:
        if isinstance(part, Path):
            total.update(part.stat().st_size.to_bytes(8, "big"))
            with part.open("rb") as file:
                while chunk := file.read(1 << 20):
                    total.update(chunk)
        else:
            content = (part or "").encode()
            total.update(len(content).to_bytes(8, "big"))
            total.update(content)
    return total.hexdigest()


class Table:
    """What the register and its file of acts share: headings found, cells read, faults told."""

    columns: Mapping[str, tuple[str, ...]]
    required: Sequence[str]

    def __init__(self, path: Path, mapped: Mapped, town: TownTypes, problems: Problems) -> None:
        self.path = path
        self.mapped = mapped
        self.town = town
        self.problems = problems
        self.headings: dict[str, int] = {}
        self.shown: dict[str, str] = {}
        self.ignored: list[str] = []
        self.width = 0
        self.rows_read = 0
        self._identities: dict[tuple[str, ...], tuple[Service, str]] = {}

    def rows(self) -> Iterator[Line]:
        """The rows below the header; what is wrong with the file as a whole is told."""
        try:
            lines = read_lines(self.path, self.score)
            header = next(lines)
            if not self._take_header(header):
                return
            for line in lines:
                self.rows_read += 1
                if self._usable(line):
                    yield line
        except UnreadableSheet as error:
            self.refuse(error.code)

    def score(self, cells: Sequence[str]) -> int:
        return len(self._names(cells)) if len(cells) > 1 else 0

    def _names(self, cells: Sequence[str]) -> dict[str, int]:
        """Where each of our columns stands in a row taken for the header."""
        found: dict[str, int] = {}
        folded = [column_name(cell) for cell in cells]
        for name, synonyms in self.columns.items():
            wanted = (
                (column_name(self.mapped.columns[name]),)
                if name in self.mapped.columns
                else (name, *synonyms)
            )
            for spelling in wanted:
                if spelling in folded and folded.index(spelling) not in found.values():
                    found[name] = folded.index(spelling)
                    break
        return found

    def _take_header(self, line: Line) -> bool:
        cells = [clean(cell) for cell in line.cells]
        self.headings = self._names(cells)
        self.shown = {name: cells[at] for name, at in self.headings.items()}
        used = set(self.headings.values())
        self.ignored = [shown_heading(cell, at) for at, cell in enumerate(cells) if at not in used and cell]
        self.width = len(cells)
        missing = [n for n in self.required if n not in self.headings and n not in self.mapped.values]
        for name in missing:
            self.refuse("missing_column", column=self.mapped.columns.get(name, name))
        return not missing

    def _usable(self, line: Line) -> bool:
        cells = line.cells
        if len(cells) > self.width and any(cells[self.width :]):
            self.refuse("row_too_long", line.number)
            return False
        if "\0" in "".join(cells):
            self.refuse("null_character", line.number)
            return False
        return True

    def refuse(
        self,
        code: str,
        line: int | None = None,
        column: str | None = None,
        value: str | None = None,
        *,
        refuses: bool = True,
    ) -> None:
        shown = self.shown.get(column, column) if column else None
        told = shown_value(value) if value else None
        self.problems.add(RowProblem(code, line, shown, told, self.path.name, refuses))

    def plan(
        self,
        names: Mapping[str, Callable[[str], Any]],
        *,
        unlike: Mapping[str, Callable[[str], Any]] = NOTHING,
    ) -> "Plan":
        """How to read these columns of a row, in their order.

        ``unlike`` are those whose texts seldom repeat, each with a reading of the spelling that nearly all have:
        None from it sends the text the long way round.
        """
        return [
            (name, self.headings.get(name, -1), self._default(name, parse), parse, unlike.get(name))
            for name, parse in names.items()
            if name in self.headings or name in self.mapped.values
        ]

    def _default(self, name: str, parse: Callable[[str], Any]) -> dict[str, Any]:
        text = self.mapped.values.get(name, "")
        try:
            return {"": parse(text) if text else None}
        except Refused as error:
            self.refuse(error.code, None, name, text)
            return {"": None}

    def read(self, line: Line, plan: "Plan") -> dict[str, Any] | None:
        """The cells of a row that say something; None when one of them is refused, which is then told."""
        found: dict[str, Any] = {}
        cells = line.cells
        count = len(cells)
        for name, at, known, parse, at_once in plan:
            text = cells[at] if 0 <= at < count else ""
            value = at_once(text) if at_once is not None else known.get(text, _UNREAD)
            if value is _UNREAD or value is None:
                if text in known:
                    value = known[text]
                else:
                    cleaned = clean(text)
                    try:
                        value = parse(cleaned) if cleaned else known[""]
                    except Refused as error:
                        self.refuse(error.code, line.number, name, error.value)
                        return None
                    if at_once is None and len(known) < _REMEMBERED:
                        known[text] = value
            if value is not None:
                found[name] = value
        return found

    def identity(self, line: Line, told: Mapping[str, Any]) -> Identity | None:
        """The permit that a row is about; None when it cannot be told, and why has been said."""
        service = told.get("servico", self.town.service)
        if service is None:
            self.refuse("missing_value", line.number, "servico")
            return None
        permit_type = told.get("tipo") or self.town.type_of_service.get(service, "")
        if (service, permit_type) not in self.town.holder_of_type:
            self.refuse("unknown_type", line.number, "tipo", permit_type or service)
            return None
        if "numero" not in told:
            self.refuse("missing_value", line.number, "numero")
            return None
        key = told["numero"][1]
        year = told.get("ano")
        if year is None and (match := _YEAR_FIRST.match(key)):
            year = int(match[1])
        return Identity(service, permit_type, key, year or 0)

    def permit_type(self, text: str) -> str:
        return self.town.type_names.get(fold(text), text)


Plan = list[tuple[str, int, dict[str, Any], Callable[[str], Any], Callable[[str], Any] | None]]
_UNREAD = object()
_YEAR_FIRST = re.compile(r"((?:19|20)[0-9]{2})/")


class RegisterReader(Table):
    """Reads a register; `groups` yields what it tells, `told_kinds` says of which acts it tells at all."""

    columns = COLUMNS

    def __init__(
        self, path: Path, mapped: Mapped, town: TownTypes, problems: Problems, *, as_of: date, with_acts: bool
    ) -> None:
        super().__init__(path, mapped, town, problems)
        self.required = ["numero", "placa"] + (["servico"] if town.service is None else [])
        self.as_of = as_of
        self.with_acts = with_acts

    @cached_property
    def told_kinds(self) -> tuple[EventKind, ...]:
        """Asked for once the header was read."""
        if self.with_acts:
            return tuple(EventKind)
        return tuple(kind for name, kind in {**WHOLE, **OF_UNIT}.items() if name in self.headings)

    def groups(self) -> Iterator[RowGroup]:
        """Permits in the order of the file; rows of one permit that stand apart come as several groups."""
        group: RowGroup | None = None
        planned = False
        for line in self.rows():
            if not planned:
                self._make_plans()
                planned = True
            told = self.read(line, self._who)
            identity = self.identity(line, told) if told is not None else None
            if identity is None or told is None:
                continue
            if group is None or group.identity != identity:
                if group is not None:
                    yield self._finished(group)
                group = RowGroup(identity, line.number, told["numero"][0], {})
            self._read_row(line, group)
        if group is not None:
            yield self._finished(group)

    def _make_plans(self) -> None:
        self._who = self.plan(
            {
                "servico": choice(SERVICES, "unknown_service"),
                "tipo": self.permit_type,
                "numero": permit_number,
                "ano": whole_number(1950, 2100),
            },
            unlike={"numero": number_at_once},
        )
        self._what = self.plan(
            {
                "placa": plate,
                "posicao": whole_number(1, 20),
                "papel": choice(ROLES, "unknown_role"),
                "tipo_veiculo": lambda text: VEHICLE_TYPES.get(column_name(text)),
                "ano_modelo": whole_number(1900, 2100),
                "lotacao": whole_number(0, 500),
                "placa_desde": day,
                "placa_ate": day,
                "titular_tipo": choice(HOLDERS, "unknown_holder"),
                "itinerario": _itinerary,
                "velocidade_max": whole_number(1, 130),
                "validade_de": day,
                "validade_ate": day,
                "regiao": choice(REGIONS, "unknown_region"),
                "nome_fantasia": _trade_name,
                "ato": act_number,
                "ato_data": day,
                "suspensao_ate": day,
                **dict.fromkeys((*WHOLE, *OF_UNIT), day),
            },
            unlike={"placa": plate_at_once, "nome_fantasia": _nothing, "ato": _nothing},
        )
        present = {name for name, *_rest in self._what}
        self._attributes = [pair for pair in ATTRIBUTES.items() if pair[1] in present]
        self._whole = [pair for pair in WHOLE.items() if pair[0] in present]
        self._of_unit = [pair for pair in OF_UNIT.items() if pair[0] in present]

    def _read_row(self, line: Line, group: RowGroup) -> None:
        told = self.read(line, self._what)
        if told is None or "placa" not in told:
            if told is not None:
                self.refuse("missing_value", line.number, "placa")
            group.broken = True
            return
        values = {name: told[column] for name, column in self._attributes if column in told}
        if "trade_name" in values or "itinerary" in values:
            self._leave_names_out(line, group, values)
        whole = [ToldEvent(kind, told[name]) for name, kind in self._whole if name in told]
        if whole and not self._complete(line, told, whole):
            group.broken = True
            return
        of_unit = [ToldEvent(kind, told[name]) for name, kind in self._of_unit if name in told]
        if told.get("ato") is _LEFT_OUT:
            self.refuse("act_left_out", line.number, "ato", refuses=False)
        bare, key = told["placa"]
        unit = ToldUnit(
            line.number,
            told.get("posicao", 0),
            "posicao" in told,
            told.get("papel", "vehicle"),
            bare,
            key,
            told.get("tipo_veiculo"),
            told.get("ano_modelo"),
            told.get("lotacao"),
            told.get("placa_desde"),
            told.get("placa_ate"),
        )
        group.take(unit, values, whole, of_unit, self.refuse)

    def _leave_names_out(self, line: Line, group: RowGroup, values: dict[str, Any]) -> None:
        holder = values.get("holder_kind") or self.town.holder_of_type[group.identity[:2]]
        if holder == HolderKind.NATURAL_PERSON:
            values.pop("trade_name", None)  # whatever a person is called stays in the file
        for name in ("trade_name", "itinerary"):
            if values.get(name) is _LEFT_OUT:
                del values[name]
                code = "name_left_out" if name == "trade_name" else "itinerary_left_out"
                self.refuse(code, line.number, ATTRIBUTES[name], refuses=False)

    def _complete(self, line: Line, told: Mapping[str, Any], whole: list[ToldEvent]) -> bool:
        """Give the suspension its end and the issue its act; False when the end comes first."""
        for at, event in enumerate(whole):
            if event.kind is EventKind.ISSUE and ("ato" in told or "ato_data" in told):
                number = told.get("ato")
                whole[at] = event._replace(
                    act_number=None if number is _LEFT_OUT else number, act_date=told.get("ato_data")
                )
            elif event.kind is EventKind.SUSPENSION and "suspensao_ate" in told:
                if told["suspensao_ate"] < event.on:
                    self.refuse("ends_before_start", line.number, "suspensao_ate")
                    return False
                whole[at] = event._replace(until=told["suspensao_ate"])
        return True

    def _finished(self, group: RowGroup) -> RowGroup:
        if group.holder_told is HolderKind.NATURAL_PERSON:
            group.values.pop("trade_name", None)
        if EventKind.ISSUE not in self.told_kinds and not group.broken:
            # A list of permits that tells no day of issue still says that they were issued by its own day.
            since = group.values.get("paper_valid_from")
            issued = since if since is not None and since < self.as_of else self.as_of
            group.events.append(ToldEvent(EventKind.ISSUE, issued))
        return group


class _LeftOut:
    """Stands for a text that is not kept, as it may be a person's name."""


_LEFT_OUT = _LeftOut()


def is_left_out(value: Any) -> bool:
    return value is _LEFT_OUT


def day(text: str) -> date:
    read = read_day(text)
    if read is None:
        raise Refused("no_date", text)
    return read


def whole_number(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        number = read_number(text)
        if number is None or number != int(number) or not least <= number <= most:
            raise Refused("no_number", text)
        return int(number)

    return read


def choice(choices: Mapping[str, Any], code: str) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        folded = column_name(text)
        if folded not in choices:
            raise Refused(code, text)
        return choices[folded]

    return read


def plate(text: str) -> tuple[str, str]:
    read = plate_of(text)
    if read is None:
        raise Refused("no_plate", text)
    return read


def permit_number(text: str) -> tuple[str, str]:
    if holds_personal_number(text) or is_cpf_cut_short(text):
        raise Refused("personal_number")
    if len(text) > 40:
        raise Refused("too_long", text)
    key = key_of_number(text)
    if key is None:
        raise Refused("no_permit_number", text)
    return text, key


def number_at_once(text: str) -> tuple[str, str] | None:
    """A permit number in the spelling that most registers keep, ``2026/0001``; None for any other."""
    key = key_at_once(text)
    return (text, key) if key else None


def _nothing(_text: str) -> None:
    """No spelling of a name can be taken unread."""


def _itinerary(text: str) -> Any:
    """A code: one word. Several words may be a name, and are left out."""
    if holds_personal_number(text):
        raise Refused("personal_number")
    return text if len(text) <= 40 and " " not in text else _LEFT_OUT


def act_number(text: str) -> Any:
    if holds_personal_number(text):
        raise Refused("personal_number")
    return read_act_number(text) or _LEFT_OUT


def _trade_name(text: str) -> Any:
    if is_a_persons(text):
        return _LEFT_OUT
    if len(text) > 120:
        raise Refused("too_long", text)
    return text
