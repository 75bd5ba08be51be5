"""A register of permits as a clerk keeps it: one row a vehicle, with what happened to the permit in columns.

`COLUMNS` are the headings understood, in any order and spelling; a mapping file (TOML) names those of a file
that calls them otherwise, under ``[columns]``, and values that stand for every row, under ``[values]``.
A second file may tell the acts, one a row (`EVENT_COLUMNS`).

Nothing about a person leaves this module: columns of names and documents are not read, a person's permit
carries no name, and a row with a run of eleven digits, which may be a CPF, is refused without repeating it.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from pathlib import Path

from portal.domain.names import fold, tidy
from portal.domain.permits import EventKind, HolderKind, PermitEvent, Service, VehicleUnit
from portal.domain.plates import holds_personal_number, number_key, plate_key, printable, read_plate
from portal.domain.registers import RegisterEntry, RowProblem
from portal.importing.sheets import Line, UnreadableSheet, column_name, read_lines

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "servico": ("modalidade",),
    "tipo": ("tipo_de_autorizacao", "tipo_autorizacao"),
    "numero": (
        "n", "no", "nro", "num", "numero_da_autorizacao", "n_da_autorizacao", "autorizacao", "n_autorizacao",
        "prefixo", "permissao", "alvara", "licenca", "numero_do_alvara", "certificado",
    ),
    "ano": ("exercicio", "ano_de_exercicio", "ano_da_autorizacao"),
    "titular_tipo": ("tipo_do_titular", "tipo_de_pessoa", "pessoa"),
    "nome_fantasia": ("fantasia",),
    "placa": ("placas", "placa_do_veiculo", "placa_veiculo"),
    "posicao": ("ordem", "posicao_na_combinacao"),
    "papel": ("papel_do_veiculo", "funcao"),
    "tipo_veiculo": ("tipo_do_veiculo", "especie", "especie_tipo"),
    "ano_modelo": ("ano_fabricacao", "ano_de_fabricacao", "ano_do_veiculo", "ano_do_modelo"),
    "lotacao": ("capacidade", "lugares", "assentos", "passageiros", "lotacao_permitida"),
    "itinerario": ("roteiro", "codigo_do_itinerario"),
    "velocidade_max": ("velocidade", "velocidade_maxima", "velocidade_max_km_h"),
    "validade_de": ("inicio_da_validade", "valido_de", "vigencia_de", "inicio_vigencia"),
    "validade_ate": ("validade", "valido_ate", "vencimento", "data_de_validade", "vigencia_ate", "fim_vigencia"),
    "placa_desde": ("entrada_do_veiculo",),
    "placa_ate": ("saida_do_veiculo",),
    "pedido": ("data_do_pedido", "requerimento"),
    "pagamento": ("data_de_pagamento", "data_do_pagamento"),
    "emissao": ("data_de_emissao", "data_emissao", "emitida_em", "expedicao", "data_de_expedicao"),
    "pedido_renovacao": ("pedido_de_renovacao", "renovacao_pedida_em"),
    "vistoria_reprovada": ("reprovada_em", "vistoria_reprovada_em"),
    "vistoria_aprovada": ("aprovada_em", "vistoria_aprovada_em", "vistoria"),
    "suspensao_de": ("suspensa_de", "inicio_da_suspensao"),
    "suspensao_ate": ("suspensa_ate", "fim_da_suspensao"),
    "liberacao": ("liberada_em", "data_de_liberacao"),
    "cassacao": ("cassada_em", "data_da_cassacao"),
    "cancelamento": ("cancelada_em", "data_do_cancelamento"),
    "ato": ("numero_do_ato", "portaria"),
    "ato_data": ("data_do_ato",),
}  # fmt: skip
EVENT_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "numero": COLUMNS["numero"],
    "ano": COLUMNS["ano"],
    "servico": COLUMNS["servico"],
    "tipo": COLUMNS["tipo"],
    "evento": ("acontecimento", "ato_praticado"),
    "data": ("dia", "em"),
    "ate": ("data_final", "fim"),
    "placa": COLUMNS["placa"],
    "ato": COLUMNS["ato"],
    "ato_data": COLUMNS["ato_data"],
}

_WHOLE = {
    "pedido": EventKind.REQUEST,
    "pagamento": EventKind.PAYMENT,
    "emissao": EventKind.ISSUE,
    "pedido_renovacao": EventKind.RENEWAL_REQUEST,
    "suspensao_de": EventKind.SUSPENSION,
    "liberacao": EventKind.RELEASE,
    "cassacao": EventKind.REVOCATION,
    "cancelamento": EventKind.CANCELLATION,
}
"""Columns that tell of the permit as a whole."""
_OF_UNIT = {
    "vistoria_reprovada": EventKind.INSPECTION_FAILED,
    "vistoria_aprovada": EventKind.INSPECTION_PASSED,
}
"""Columns that tell of the vehicle of their row."""
EVENTS = {
    "pedido": EventKind.REQUEST,
    "pagamento": EventKind.PAYMENT,
    "emissao": EventKind.ISSUE,
    "pedido_renovacao": EventKind.RENEWAL_REQUEST,
    "pedido_de_renovacao": EventKind.RENEWAL_REQUEST,
    "vistoria_reprovada": EventKind.INSPECTION_FAILED,
    "vistoria_aprovada": EventKind.INSPECTION_PASSED,
    "suspensao": EventKind.SUSPENSION,
    "liberacao": EventKind.RELEASE,
    "cassacao": EventKind.REVOCATION,
    "cancelamento": EventKind.CANCELLATION,
    "troca_de_veiculo": EventKind.VEHICLE_CHANGE,
}
"""What the column ``evento`` of an events file may say."""
_SERVICES = {
    "recreativo": Service.RECREATIONAL,
    "transporte_recreativo": Service.RECREATIONAL,
    "trenzinho": Service.RECREATIONAL,
    "aplicativo": Service.RIDE_HAILING,
    "app": Service.RIDE_HAILING,
    "transporte_por_aplicativo": Service.RIDE_HAILING,
    "turismo": Service.TOURISM,
    "turistico": Service.TOURISM,
    "transporte_turistico": Service.TOURISM,
}
_ROLES = {
    "": "vehicle", "veiculo": "vehicle", "vehicle": "vehicle", "carro": "vehicle",
    "trator": "tractor", "veiculo_trator": "tractor", "cavalo": "tractor", "tractor": "tractor",
    "reboque": "trailer", "vagao": "trailer", "semirreboque": "trailer", "trailer": "trailer",
}  # fmt: skip
_HOLDERS = {
    "empresa": HolderKind.COMPANY, "pj": HolderKind.COMPANY, "juridica": HolderKind.COMPANY,
    "pessoa_juridica": HolderKind.COMPANY, "company": HolderKind.COMPANY, "mei": HolderKind.COMPANY,
    "empresario_individual": HolderKind.COMPANY,
    "pessoa": HolderKind.NATURAL_PERSON, "pf": HolderKind.NATURAL_PERSON, "fisica": HolderKind.NATURAL_PERSON,
    "pessoa_fisica": HolderKind.NATURAL_PERSON, "natural_person": HolderKind.NATURAL_PERSON,
    "motorista": HolderKind.NATURAL_PERSON,
}  # fmt: skip
_EMPTY = frozenset(
    {"", "-", "--", "null", "none", "n/a", "na", "nan", "s/n", "sem informação", "não informado"}
)


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


@dataclass(frozen=True, slots=True)
class RegisterFile:
    """What was read: permits in the order of the file, and every row that was refused, with the reason."""

    entries: tuple[RegisterEntry, ...]
    problems: tuple[RowProblem, ...]
    rows_read: int
    rows_refused: int
    columns_ignored: tuple[str, ...]
    digest: str

    @property
    def refused(self) -> bool:
        return any(problem.refuses for problem in self.problems)


class BrokenMapping(Exception):
    """The mapping file cannot be read; the text says where."""


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
        content = part.read_bytes() if isinstance(part, Path) else (part or "").encode()
        total.update(len(content).to_bytes(8, "big"))
        total.update(content)
    return total.hexdigest()


def read_register(
    path: Path,
    *,
    town: TownTypes,
    as_of: date,
    mapped: Mapped | None = None,
    events: Path | None = None,
    digest: str = "",
) -> RegisterFile:
    """Read a register, and the acts of ``events`` if there is such a file. Saves nothing.

    ``as_of`` is the day of the list: the day of issue that is supposed where the file tells none.
    """
    reader = _Reader(path.name, town, mapped or Mapped(), as_of, with_events=events is not None)
    try:
        reader.read(read_lines(path, reader.score))
    except UnreadableSheet as error:
        reader.problem(error.code)
    if events is not None and not any(p.line is None for p in reader.problems):
        acts = _EventReader(events.name, reader)
        try:
            acts.read(read_lines(events, acts.score))
        except UnreadableSheet as error:
            acts.problem(error.code)
    return RegisterFile(
        entries=tuple(reader.entries()),
        problems=tuple(sorted(reader.problems, key=lambda p: (p.file != path.name, p.line or 0))),
        rows_read=reader.rows_read,
        rows_refused=len({(p.file, p.line) for p in reader.problems if p.refuses and p.line}),
        columns_ignored=tuple(reader.ignored),
        digest=digest,
    )


_Identity = tuple[Service, str, str, int]


@dataclass(slots=True)
class _Group:
    """The rows of one permit."""

    line: int
    number: str
    holder_kind: HolderKind
    values: dict[str, object] = field(default_factory=dict)
    """Each attribute with the first value told."""
    units: dict[str, VehicleUnit] = field(default_factory=dict)
    positions: set[int] = field(default_factory=set)
    events: list[PermitEvent] = field(default_factory=list)
    broken: bool = False
    """One of its rows was refused: half a combination is never merged."""


class _Table:
    """What both files share: headings found, cells read, faults told."""

    columns: Mapping[str, tuple[str, ...]]

    def __init__(self, file: str, mapped: Mapped, problems: list[RowProblem]) -> None:
        self.file = file
        self.mapped = mapped
        self.problems = problems
        self.headings: dict[str, int] = {}
        self.shown: dict[str, str] = {}
        self.ignored: list[str] = []

    def _names(self, cells: tuple[str, ...]) -> dict[str, int]:
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

    def score(self, cells: tuple[str, ...]) -> int:
        return len(self._names(cells)) if len(cells) > 1 else 0

    def take_header(self, line: Line, required: Sequence[str]) -> bool:
        self.headings = self._names(line.cells)
        self.shown = {name: line.cells[at] for name, at in self.headings.items()}
        used = set(self.headings.values())
        self.ignored = [c for at, c in enumerate(line.cells) if at not in used and c]
        missing = [name for name in required if name not in self.headings and name not in self.mapped.values]
        for name in missing:
            self.problem("missing_column", column=self.mapped.columns.get(name, name))
        self.width = len(line.cells)
        return not missing

    def problem(
        self,
        code: str,
        line: int | None = None,
        column: str | None = None,
        value: str | None = None,
        *,
        refuses: bool = True,
    ) -> None:
        shown = self.shown.get(column, column) if column else None
        self.problems.append(
            RowProblem(code, line, shown, _masked(value) if value else None, self.file, refuses)
        )

    def cell(self, line: Line, name: str) -> str:
        at = self.headings.get(name)
        text = line.cells[at] if at is not None and at < len(line.cells) else ""
        text = tidy(printable(text))
        if fold(text) in _EMPTY or text.lower() in _EMPTY:
            text = ""
        return text or self.mapped.values.get(name, "")

    def usable(self, line: Line) -> bool:
        if any("\0" in cell for cell in line.cells):
            self.problem("null_character", line.number)
            return False
        if len(line.cells) > self.width and any(line.cells[self.width :]):
            self.problem("row_too_long", line.number)
            return False
        return True

    def read_day(self, line: Line, name: str) -> date | None:
        text = self.cell(line, name)
        if not text:
            return None
        day = read_day(text)
        if day is None:
            self.problem("no_date", line.number, name, text)
            raise _BadRow
        return day

    def read_whole(self, line: Line, name: str, least: int, most: int) -> int | None:
        text = self.cell(line, name)
        if not text:
            return None
        number = read_number(text)
        if number is None or number != int(number) or not least <= number <= most:
            self.problem("no_number", line.number, name, text)
            raise _BadRow
        return int(number)

    def read_text(self, line: Line, name: str, longest: int) -> str | None:
        text = self.cell(line, name)
        if holds_personal_number(text):
            self.problem("personal_number", line.number, name)
            raise _BadRow
        if len(text) > longest:
            self.problem("too_long", line.number, name, text[:40])
            raise _BadRow
        return text or None

    def read_identity(self, line: Line, town: TownTypes) -> tuple[_Identity, str]:
        """The permit that a row is about: (service, type, number key, year), and its number as written."""
        told = column_name(self.cell(line, "servico"))
        service = _SERVICES.get(told) if told else town.service
        if service is None:
            self.problem("unknown_service" if told else "missing_value", line.number, "servico", told or None)
            raise _BadRow
        named = self.cell(line, "tipo")
        permit_type = town.type_names.get(fold(named), named) or town.type_of_service.get(service, "")
        if (service, permit_type) not in town.holder_of_type:
            self.problem("unknown_type", line.number, "tipo", permit_type or service)
            raise _BadRow
        number = self.read_text(line, "numero", 40)
        if not number:
            self.problem("missing_value", line.number, "numero")
            raise _BadRow
        key = number_key(number)
        if key is None:
            self.problem("no_permit_number", line.number, "numero", number)
            raise _BadRow
        year = self.read_whole(line, "ano", 1950, 2100)
        if year is None and (match := re.match(r"((?:19|20)[0-9]{2})/", key)):
            year = int(match[1])
        return (service, permit_type, key, year or 0), number


class _BadRow(Exception):
    """The row is refused; why has been told."""


class _Reader(_Table):
    columns = COLUMNS

    def __init__(self, file: str, town: TownTypes, mapped: Mapped, as_of: date, *, with_events: bool) -> None:
        super().__init__(file, mapped, [])
        self.town = town
        self.as_of = as_of
        self.with_events = with_events
        self.rows_read = 0
        self.groups: dict[_Identity, _Group] = {}

    def read(self, lines: Iterable[Line]) -> None:
        for at, line in enumerate(lines):
            if at == 0:
                required = ["numero", "placa"] + (["servico"] if self.town.service is None else [])
                if not self.take_header(line, required):
                    return
                continue
            self.rows_read += 1
            identity = None
            try:
                if not self.usable(line):
                    continue
                identity, number = self.read_identity(line, self.town)
                self._read_row(line, identity, number)
            except _BadRow:
                if identity is not None:
                    self._group(identity, line, "").broken = True

    def _group(self, identity: _Identity, line: Line, number: str) -> _Group:
        if identity not in self.groups:
            holder = self.town.holder_of_type[identity[0], identity[1]]
            self.groups[identity] = _Group(line.number, number, holder)
        return self.groups[identity]

    def _read_row(self, line: Line, identity: _Identity, number: str) -> None:
        plate = self._plate(line)
        own = VehicleUnit(
            position=self.read_whole(line, "posicao", 1, 20) or 0,
            role=self._choice(line, "papel", _ROLES, "unknown_role") or "vehicle",
            plate=plate,
            plate_key=plate_key(plate),
            vehicle_type=self.read_text(line, "tipo_veiculo", 60),
            model_year=self.read_whole(line, "ano_modelo", 1900, 2100),
            capacity=self.read_whole(line, "lotacao", 0, 500),
            valid_from=self.read_day(line, "placa_desde"),
            valid_until=self.read_day(line, "placa_ate"),
        )
        holder = self._choice(line, "titular_tipo", _HOLDERS, "unknown_holder")
        told: dict[str, object] = {
            "itinerary": self.read_text(line, "itinerario", 80),
            "max_speed_kmh": self.read_whole(line, "velocidade_max", 1, 130),
            "paper_valid_from": self.read_day(line, "validade_de"),
            "paper_valid_until": self.read_day(line, "validade_ate"),
            "holder_kind": holder,
            "trade_name": self._trade_name(line, holder, identity),
        }
        whole, of_unit = self._events(line)
        group = self._group(identity, line, number)
        group.number = group.number or number
        if group.broken:
            return
        self._agree(line, group, told)
        if plate in group.units:
            held = group.units[plate]
            if replace(own, position=held.position) != held and own != held:
                self.problem("two_of_one_plate", line.number, "placa", plate)
                raise _BadRow
            self.problem("doubled_row", line.number, "placa", plate, refuses=False)
            return
        position = own.position or max(group.positions, default=0) + 1
        if position in group.positions:
            self.problem("position_taken", line.number, "posicao", str(position))
            raise _BadRow
        group.positions.add(position)
        group.units[plate] = replace(own, position=position)
        group.events += [event for event in whole if event not in group.events]
        group.events += [replace(event, unit=position) for event in of_unit]

    def _plate(self, line: Line) -> str:
        text = self.cell(line, "placa")
        if not text:
            self.problem("missing_value", line.number, "placa")
            raise _BadRow
        plate = read_plate(text)
        if plate is None:
            self.problem("no_plate", line.number, "placa", text)
            raise _BadRow
        return plate

    def _choice(self, line: Line, name: str, choices: Mapping[str, str], code: str) -> str | None:
        text = self.cell(line, name)
        if not text:
            return None
        if (folded := column_name(text)) not in choices:
            self.problem(code, line.number, name, text)
            raise _BadRow
        return choices[folded]

    def _trade_name(self, line: Line, holder: str | None, identity: _Identity) -> str | None:
        if (holder or self.town.holder_of_type[identity[0], identity[1]]) == HolderKind.NATURAL_PERSON:
            return None  # whatever a person is called stays in the file
        name = self.cell(line, "nome_fantasia")
        if holds_personal_number(name):
            # The registered name of an old sole trader is a person's name and CPF.
            self.problem("name_left_out", line.number, "nome_fantasia", refuses=False)
            return None
        return self.read_text(line, "nome_fantasia", 120)

    def _agree(self, line: Line, group: _Group, told: Mapping[str, object]) -> None:
        """Rows of one permit may leave a value out; they may not contradict each other."""
        names = {
            "itinerary": "itinerario", "max_speed_kmh": "velocidade_max", "paper_valid_from": "validade_de",
            "paper_valid_until": "validade_ate", "holder_kind": "titular_tipo", "trade_name": "nome_fantasia",
        }  # fmt: skip
        for name, value in told.items():
            if value is None:
                continue
            if group.values.setdefault(name, value) != value:
                self.problem("contradicts_permit", line.number, names[name])
                raise _BadRow

    def _events(self, line: Line) -> tuple[list[PermitEvent], list[PermitEvent]]:
        act, act_day = self.read_text(line, "ato", 60), self.read_day(line, "ato_data")
        whole = []
        for name, kind in _WHOLE.items():
            if day := self.read_day(line, name):
                until = self.read_day(line, "suspensao_ate") if kind is EventKind.SUSPENSION else None
                if until and until < day:
                    self.problem("ends_before_start", line.number, "suspensao_ate")
                    raise _BadRow
                issued = kind is EventKind.ISSUE
                whole.append(
                    PermitEvent(
                        kind,
                        day,
                        until,
                        act_number=act if issued else None,
                        act_date=act_day if issued else None,
                    )
                )
        of_unit = [
            PermitEvent(kind, day) for name, kind in _OF_UNIT.items() if (day := self.read_day(line, name))
        ]
        return whole, of_unit

    def entries(self) -> Iterable[RegisterEntry]:
        """Permits all of whose rows are sound."""
        columns = {**_WHOLE, **_OF_UNIT}
        told = (
            tuple(EventKind)
            if self.with_events
            else tuple(kind for name, kind in columns.items() if name in self.headings)
        )
        for (service, permit_type, key, year), group in self.groups.items():
            if group.broken or not group.units:
                continue
            values = dict(group.values)
            holder = HolderKind(str(values.pop("holder_kind", None) or group.holder_kind))
            if holder is HolderKind.NATURAL_PERSON:
                values["trade_name"] = None
            events = sorted(group.events, key=lambda event: event.on)
            if EventKind.ISSUE not in told:
                since = values.get("paper_valid_from")
                issued = since if isinstance(since, date) and since < self.as_of else self.as_of
                events.insert(0, PermitEvent(EventKind.ISSUE, issued))
            units = sorted(group.units.values(), key=lambda unit: unit.position)
            yield RegisterEntry(
                service=service,
                permit_type=permit_type,
                number=group.number,
                number_key=key,
                holder_kind=holder,
                units=tuple(units),
                events=tuple(events),
                year=year or None,
                line=group.line,
                told_kinds=told,
                **values,  # type: ignore[arg-type]  # read by column above
            )


class _EventReader(_Table):
    columns = EVENT_COLUMNS

    def __init__(self, file: str, register: _Reader) -> None:
        known = {name: value for name, value in register.mapped.values.items() if name in EVENT_COLUMNS}
        super().__init__(file, Mapped({}, known), register.problems)
        self.register = register

    def read(self, lines: Iterable[Line]) -> None:
        for at, line in enumerate(lines):
            if at == 0:
                if not self.take_header(line, ["numero", "evento", "data"]):
                    return
                continue
            identity = None
            try:
                if self.usable(line):
                    identity, _number = self.read_identity(line, self.register.town)
                    self._read_row(line, identity)
            except _BadRow:
                if identity in self.register.groups:
                    self.register.groups[identity].broken = True

    def _read_row(self, line: Line, identity: _Identity) -> None:
        group = self.register.groups.get(identity)
        if group is None:
            self.problem("event_without_permit", line.number, "numero", identity[2])
            raise _BadRow
        told = column_name(self.cell(line, "evento"))
        if told not in EVENTS:
            self.problem("unknown_event", line.number, "evento", told)
            raise _BadRow
        day = self.read_day(line, "data")
        if day is None:
            self.problem("missing_value", line.number, "data")
            raise _BadRow
        until = self.read_day(line, "ate")
        if until and until < day:
            self.problem("ends_before_start", line.number, "ate")
            raise _BadRow
        position = None
        if text := self.cell(line, "placa"):
            plate = read_plate(text)
            unit = group.units.get(plate or "")
            if unit is None:
                self.problem("plate_not_in_permit", line.number, "placa", text)
                raise _BadRow
            position = unit.position
        event = PermitEvent(
            EVENTS[told],
            day,
            until,
            position,
            self.read_text(line, "ato", 60),
            self.read_day(line, "ato_data"),
        )
        if event not in group.events:
            group.events.append(event)


_DAY = re.compile(r"([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]([0-9]{4}|[0-9]{2})")
_ISO = re.compile(r"([0-9]{4})[/-]([0-9]{1,2})[/-]([0-9]{1,2})")


def read_day(text: str) -> date | None:
    """A day as Brazilians (31/12/2026), machines (2026-12-31) and spreadsheets (46022) write it."""
    text = text.strip().split("T")[0].split(" ")[0]
    try:
        if match := _DAY.fullmatch(text):
            day, month, year = (int(part) for part in match.groups())
            return date(year + 2000 if year < 100 else year, month, day)
        if match := _ISO.fullmatch(text):
            return date(*(int(part) for part in match.groups()))
        if re.fullmatch(r"[2-7][0-9]{4}", text):
            return date(1899, 12, 30) + timedelta(int(text))
    except ValueError:
        return None
    return None


def read_number(text: str) -> Decimal | None:
    """A number as Brazilians write it: 1.234,5; with a unit after it, such as ``40 lugares`` or ``30 km/h``."""
    text = re.sub(
        r"\s*(?:lugares|passageiros|pessoas|assentos|km/?h)\.?$", "", text.strip(), flags=re.IGNORECASE
    )
    if re.fullmatch(r"[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?", text) or re.fullmatch(r"[0-9]+,[0-9]+", text):
        text = text.replace(".", "").replace(",", ".")
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _masked(value: str) -> str:
    """What may be repeated to the clerk: no run of digits that may be somebody's CPF."""
    if holds_personal_number(value):
        return "•••"
    return value[:60]
