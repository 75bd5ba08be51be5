"""What a register and its file of acts share: headings found, cells read a batch at a time, faults told."""

import hashlib
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from portal.domain.names import fold
from portal.domain.permits import HolderKind, Service
from portal.domain.registers import RowProblem
from portal.importing.register_cells import Refused, clean, is_benign, shown_heading, shown_value
from portal.importing.register_columns import COLUMNS
from portal.importing.register_rows import Identity
from portal.importing.sheets import Line, UnreadableSheet, column_name, read_lines

NOTHING: Mapping[str, Callable[[str], Any]] = {}
STRETCH = 500
"""Rows that are read at once, column by column: few enough to stay in the processor's cache."""
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


class Problems:
    """What is wrong with a file: the first of each kind one by one; refused rows and warnings are all counted."""

    def __init__(self) -> None:
        self.kept: list[RowProblem] = []
        self.refusals = 0
        self.warnings = 0
        self.whole_file = False
        self._refused: tuple[str, int | None] | None = None
        self._left = {True: KEPT_PROBLEMS, False: KEPT_PROBLEMS}

    def add(self, problem: RowProblem) -> None:
        if problem.refuses and problem.line is None:
            self.whole_file = True
        elif problem.refuses:
            if (problem.file, problem.line) != self._refused:
                self.refusals += 1
            self._refused = (problem.file, problem.line)
        else:
            if problem.article and problem in self.kept:
                return  # a permit whose rows stand apart is compared with the law more than once
            self.warnings += 1
        if self._left[problem.refuses]:
            self._left[problem.refuses] -= 1
            self.kept.append(problem)


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


class Refusal(NamedTuple):
    """A cell that cannot be read."""

    code: str
    column: str
    value: str | None


class Unreadable(list[Refusal]):
    """A row with cells that cannot be read: each of them, so that a clerk corrects them all at once."""


class Column(NamedTuple):
    """How one column is read."""

    name: str
    at: int
    """Its place in the file; -1 where the file has none."""
    known: dict[str, Any]
    """Texts that were read before; the empty one stands for what every row leaves unsaid."""
    parse: Callable[[str], Any]
    at_once: Callable[[str], Any] | None


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

    def stretches(self) -> Iterator[list[Line]]:
        """The rows below the header, some at a time; what is wrong with the file as a whole is told."""
        try:
            lines = self.lines()
            if not self._take_header(next(lines)):
                return
            while some := list(islice(lines, STRETCH)):
                self.rows_read += len(some)
                if usable := [line for line in some if self._usable(line)]:
                    yield usable
        except UnreadableSheet as error:
            self.refuse(error.code)

    def lines(self) -> Iterator[Line]:
        """The header, and what stands below it."""
        return read_lines(self.path, self.score)

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
            told = self.mapped.columns.get(name, name)
            self.refuse("missing_column", column=told if is_benign(told) else name)
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

    def refuse_cells(self, line: Line, *rows: tuple[Any, ...] | Unreadable) -> None:
        """Say what is wrong with each cell of a row that cannot be read."""
        for row in rows:
            if isinstance(row, Unreadable):
                for cell in row:
                    self.refuse(cell.code, line.number, cell.column, cell.value)

    def plan(
        self,
        names: Mapping[str, Callable[[str], Any]],
        *,
        unlike: Mapping[str, Callable[[str], Any]] = NOTHING,
    ) -> list[Column]:
        """How to read these columns, in their order.

        ``unlike`` are those whose texts seldom repeat, each with a reading of the spelling that nearly all have:
        None from it sends the text the long way round.
        """
        return [
            Column(name, self.headings.get(name, -1), self._default(name, parse), parse, unlike.get(name))
            for name, parse in names.items()
        ]

    def _default(self, name: str, parse: Callable[[str], Any]) -> dict[str, Any]:
        text = self.mapped.values.get(name, "")
        try:
            return {"": parse(text) if text else None}
        except Refused as error:
            self.refuse(error.code, None, name, text)
            return {"": None}

    def read(self, lines: Sequence[Line], plan: Sequence[Column]) -> list[tuple[Any, ...] | Unreadable]:
        """The values of each row in the order of ``plan``, None for a cell that says nothing.

        Column by column, which costs a tenth of going cell by cell along each row. A row with cells that cannot
        be read comes back as what is wrong with each.
        """
        width, count = self.width, len(lines)
        texts = list(
            zip(
                *(
                    line.cells
                    if len(line.cells) == width
                    else [*line.cells[:width], *[""] * (width - len(line.cells))]
                    for line in lines
                ),
                strict=True,
            )
        )
        refused: dict[int, Unreadable] = {}
        columns = [
            [column.known[""]] * count
            if column.at < 0
            else self._read_column(column, texts[column.at], refused)
            for column in plan
        ]
        rows: list[tuple[Any, ...] | Unreadable] = list(zip(*columns, strict=True))
        for at, unreadable in refused.items():
            rows[at] = unreadable
        return rows

    def _read_column(self, column: Column, texts: Sequence[str], refused: dict[int, Unreadable]) -> list[Any]:
        known = column.known
        if column.at_once is not None:
            values = list(map(column.at_once, texts))
            unread = None
        else:
            values = [known.get(text, _UNREAD) for text in texts]
            unread = _UNREAD
        if unread not in values:
            return values
        for at, value in enumerate(values):
            if value is not unread:
                continue
            text = texts[at]
            if text in known:
                values[at] = known[text]
                continue
            cleaned = clean(text)
            try:
                values[at] = column.parse(cleaned) if cleaned else known[""]
            except Refused as error:
                values[at] = None
                refused.setdefault(at, Unreadable()).append(Refusal(error.code, column.name, error.value))
                continue
            if column.at_once is None and len(known) < _REMEMBERED:
                known[text] = values[at]
        return values

    def identified(
        self, plans: Callable[[], tuple[Sequence[Column], Sequence[Column]]]
    ) -> Iterator[tuple[Line, tuple[Any, ...], Identity, tuple[Any, ...] | Unreadable]]:
        """Each row whose permit is told: its line, the cells that name it, its permit, and the other cells.

        Args:
            plans: how to read those that name it and the others; asked for once the header was read.
        """
        found: tuple[Sequence[Column], Sequence[Column]] | None = None
        for lines in self.stretches():
            who, what = found = found or plans()
            for line, named, row in zip(lines, self.read(lines, who), self.read(lines, what), strict=True):
                self.refuse_cells(line, named, row)
                if isinstance(named, Unreadable):
                    continue
                identity = self.identity(line, *named)
                if identity is not None:
                    yield line, named, identity, row

    def identity(
        self,
        line: Line,
        service: Service | None,
        permit_type: str | None,
        number: tuple[str, str] | None,
        year: int | None,
    ) -> Identity | None:
        """The permit that a row is about; None when it cannot be told, and why has been said."""
        service = service or self.town.service
        if service is None:
            self.refuse("missing_value", line.number, "servico")
            return None
        permit_type = permit_type or self.town.type_of_service.get(service, "")
        if (service, permit_type) not in self.town.holder_of_type:
            self.refuse("unknown_type", line.number, "tipo", permit_type or service)
            return None
        if number is None:
            self.refuse("missing_value", line.number, "numero")
            return None
        key = number[1]
        if year is None:
            first, slash, _rest = key.partition("/")
            year = int(first) if slash and len(first) == 4 and first[:2] in ("19", "20") else 0
        return Identity(service, permit_type, key, year)

    def permit_type(self, text: str) -> str:
        return self.town.type_names.get(fold(text), text)


_UNREAD = object()
