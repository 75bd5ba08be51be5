"""A feed's tables, out of a folder or a zip, whatever folder, mark or line ending they were saved with."""

import csv
import hashlib
import io
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from portal.domain.itineraries import SourceProblem
from portal.domain.names import fold

MAX_FILES = 500
MAX_FILE_BYTES = 1_500_000_000
"""The stop times of the largest city feeds; nothing is ever unpacked to disk."""
MAX_RATIO = 200
"""Text of a timetable is seldom packed more than forty times smaller; a bomb is, a thousand times."""
RATIO_FREE_BYTES = 10_000_000

MAX_TABLE_BYTES = 50_000_000
MAX_FIELD = 100_000
MAX_PROBLEMS = 200
"""Past these a file is not worth reading on: the report would help nobody."""


class Refused(Exception):
    """Enough is wrong; ``Report.problems`` says what."""


@dataclass
class Report:
    """What is found wrong while reading, in the order of finding."""

    problems: list[SourceProblem] = field(default_factory=list)
    left_out: int = 0
    """Warnings beyond those that are told one by one."""
    _seen: dict[tuple[str, str, str | None], int] = field(default_factory=dict)

    def refuse(
        self, code: str, file: str, line: int | None = None, name: str | None = None, value: str | None = None
    ) -> None:
        self.problems.append(SourceProblem(code, file, line, name, _shown(value)))
        if sum(1 for problem in self.problems if problem.fatal) >= MAX_PROBLEMS:
            raise Refused

    def warn(
        self, code: str, file: str, line: int | None = None, name: str | None = None, value: str | None = None
    ) -> None:
        """Say what was guessed or left out; a fault of every row is told three times and then counted."""
        key = (code, file, name)
        self._seen[key] = self._seen.get(key, 0) + 1
        if self._seen[key] > 3:
            self.left_out += 1
            return
        self.problems.append(SourceProblem(code, file, line, name, _shown(value), fatal=False))

    @property
    def refused(self) -> bool:
        return any(problem.fatal for problem in self.problems)


def _shown(value: str | None) -> str | None:
    return None if value is None else value[:80]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: its number in the file, and its cells, trimmed, by column name."""

    file: str
    line: int
    cells: dict[str, str]

    def __getitem__(self, name: str) -> str:
        return self.cells.get(name, "")


class Source:
    """A folder or zip of tables.

    A zip made from a folder holds the tables one level down, beside what the system that made it left
    there; the shallowest folder that holds a table is read.
    """

    def __init__(self, path: Path, report: Report, *, extension: str = ".txt") -> None:
        self.name = path.name
        self.report = report
        self._zip: zipfile.ZipFile | None = None
        self._paths: dict[str, Path | zipfile.ZipInfo] = {}
        if path.is_dir():
            files = [each for each in path.rglob(f"*{extension}") if each.is_file()]
            self._take({each: each.relative_to(path).as_posix() for each in files})
            self.digest = _digest(sorted(files, key=lambda each: each.as_posix()), path)
            return
        self.digest = _digest([path], path.parent)
        if path.suffix.lower() == extension:
            self._paths[path.name.lower()] = path
            return
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
            report.refuse("no_zip", path.name)
        else:
            self._take_members(path, self._zip.infolist(), extension)

    def _take_members(self, path: Path, members: list[zipfile.ZipInfo], extension: str) -> None:
        if len(members) > MAX_FILES:
            self.report.refuse("too_many_files", path.name, value=str(len(members)))
            return
        tables = {m: m.filename for m in members if m.filename.lower().endswith(extension) and not m.is_dir()}
        for member in tables:
            packed = max(1, member.compress_size)
            bomb = member.file_size > RATIO_FREE_BYTES and member.file_size / packed > MAX_RATIO
            if bomb or member.file_size > MAX_FILE_BYTES:
                self.report.refuse("too_large", member.filename)
            elif member.flag_bits & 1:
                self.report.refuse("encrypted", member.filename)
        if not self.report.refused:
            self._take(tables)

    def _take(self, found: dict[Path, str] | dict[zipfile.ZipInfo, str]) -> None:
        usable = {
            handle: name
            for handle, name in found.items()
            if not any(part.startswith((".", "__MACOSX")) for part in name.split("/"))
        }
        depth = min((name.count("/") for name in usable.values()), default=0)
        for handle, name in usable.items():
            if name.count("/") == depth:
                self._paths.setdefault(name.split("/")[-1].lower(), handle)

    def __contains__(self, file: str) -> bool:
        return file in self._paths

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(self._paths)

    def rows(
        self, file: str, *, required: tuple[str, ...] = (), encoding: str = "utf-8-sig", delimiter: str = ","
    ) -> Iterator[Row]:
        """The rows of a table. A table whose header lacks a required column is refused and has none.

        Reads one line at a time. A row with cells to spare or too few is refused with its line.
        """
        try:
            with self._open(file) as raw:
                # Universal newlines: old files mix CR, LF and CRLF within one table.
                text = io.TextIOWrapper(raw, encoding=encoding, errors="strict", newline=None)
                yield from self._read(file, text, required, delimiter)
        except UnicodeDecodeError:
            self.report.refuse("not_utf8", file)
        except csv.Error as error:
            self.report.refuse("no_csv", file, value=str(error))
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError) as error:
            self.report.refuse("unreadable_file", file, value=type(error).__name__)

    def table(self, file: str, *, required: tuple[str, ...] = ()) -> Iterator[Row]:
        """The rows of a spreadsheet's CSV: commas or semicolons, UTF-8 or the Latin-1 of older programs.

        Column names are folded, so that ``Código`` and ``codigo`` are one.
        """
        with self._open(file) as raw:
            content = raw.read(MAX_TABLE_BYTES + 1)
        if len(content) > MAX_TABLE_BYTES:
            self.report.refuse("too_large", file)
            return
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("cp1252", errors="replace")
        heading = text.split("\n", 1)[0]
        delimiter = max(";,\t", key=heading.count)
        try:
            lines = io.StringIO(text.replace("\r\n", "\n").replace("\r", "\n"))
            yield from self._read(file, lines, required, delimiter, read_name=_folded_name)
        except csv.Error as error:
            self.report.refuse("no_csv", file, value=str(error))

    def _open(self, file: str) -> IO[bytes]:
        handle = self._paths[file]
        if isinstance(handle, Path):
            return handle.open("rb")
        assert self._zip is not None  # members come out of it
        return self._zip.open(handle)

    def _read(
        self,
        file: str,
        text: Iterable[str],
        required: tuple[str, ...],
        delimiter: str,
        *,
        read_name: Callable[[str], str] = str.strip,
    ) -> Iterator[Row]:
        csv.field_size_limit(MAX_FIELD)
        reader = csv.reader(text, delimiter=delimiter)
        header: list[str] = []
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if any("\0" in cell for cell in cells):
                self.report.refuse("null_character", file, reader.line_num)
                continue
            if not header:
                header = [read_name(cell.strip("\ufeff")) for cell in cells]
                missing = [name for name in required if name not in header]
                for name in missing:
                    self.report.refuse("missing_column", file, reader.line_num, name)
                if missing:
                    return
                continue
            if len(cells) > len(header) and any(cell.strip() for cell in cells[len(header) :]):
                self.report.refuse("row_too_long", file, reader.line_num)
                continue
            if len(cells) < len(header):
                self.report.warn("row_too_short", file, reader.line_num)
                cells += [""] * (len(header) - len(cells))
            yield Row(
                file, reader.line_num, {name: cell.strip() for name, cell in zip(header, cells, strict=False)}
            )
        if not header:
            self.report.refuse("empty_file", file)


def _folded_name(cell: str) -> str:
    return fold(cell).replace(" ", "_")


def _digest(paths: list[Path], root: Path) -> str:
    total = hashlib.sha256()
    for path in paths:
        total.update(path.relative_to(root).as_posix().encode() + b"\0" if len(paths) > 1 else b"")
        with path.open("rb") as opened:
            while chunk := opened.read(1 << 20):
                total.update(chunk)
    return total.hexdigest()
