"""Rows out of what clerks have: CSV of any delimiter and of the usual encodings, and XLSX."""

import csv
import io
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path

from python_calamine import CalamineError, CalamineWorkbook

from portal.domain.names import fold

LARGEST_FILE = 200_000_000
LARGEST_SHEET = 1_000_000_000
"""Bytes of a workbook once unpacked: a bomb grows past it."""
HEADER_WITHIN = 30
"""Rows above the header, for titles, the date of issue, a coat of arms."""
DELIMITERS = ";,\t|"


class UnreadableSheet(Exception):
    """``code`` is ``too_large``, ``unreadable_file`` or ``empty_file``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    """As the clerk's program counts it, from 1."""
    cells: tuple[str, ...]


Score = Callable[[tuple[str, ...]], int]
"""How much a row looks like the header: 0 when it does not at all."""


def read_lines(path: Path, score: Score) -> Iterator[Line]:
    """Lines from the header on; the header is the best-scoring of the first thirty rows.

    Raises:
        UnreadableSheet: no table can be read, or none of its first rows scores.
    """
    if path.stat().st_size > LARGEST_FILE:
        raise UnreadableSheet("too_large")
    content = path.read_bytes()
    if not content.strip():
        raise UnreadableSheet("empty_file")
    tables = _workbook(content) if content.startswith(b"PK") else _delimited(content)
    best: tuple[int, list[Line], int] | None = None
    for table in tables:
        for at, line in enumerate(table[:HEADER_WITHIN]):
            points = score(line.cells)
            if points and (best is None or points > best[0]):
                best = (points, table, at)
    if best is None:
        raise UnreadableSheet("no_header")
    yield from best[1][best[2] :]


def _delimited(content: bytes) -> Iterator[list[Line]]:
    """The file read with each delimiter that it holds; the header decides which is right."""
    text = _decode(content)
    csv.field_size_limit(1_000_000)
    head = "\n".join(text.splitlines()[:HEADER_WITHIN])
    for delimiter in DELIMITERS:
        if delimiter not in head and delimiter != DELIMITERS[0]:
            continue
        # Universal newlines, since exports mix CR, LF and CRLF.
        reader = csv.reader(io.StringIO(text.replace("\r\n", "\n").replace("\r", "\n")), delimiter=delimiter)
        try:
            yield [
                Line(reader.line_num, tuple(cell.strip() for cell in cells)) for cells in reader if any(cells)
            ]
        except csv.Error:
            continue


def _decode(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:
        return content.decode("cp1252")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _workbook(content: bytes) -> Iterator[list[Line]]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as unpacked:
            if sum(member.file_size for member in unpacked.infolist()) > LARGEST_SHEET:
                raise UnreadableSheet("too_large")
        book = CalamineWorkbook.from_filelike(io.BytesIO(content))
        for name in book.sheet_names:
            rows = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
            yield [
                Line(number, tuple(_text(cell) for cell in cells))
                for number, cells in enumerate(rows, start=1)
                if any(cell not in ("", None) for cell in cells)
            ]
    except (CalamineError, zipfile.BadZipFile, OSError, ValueError) as error:
        raise UnreadableSheet("unreadable_file") from error


def _text(cell: object) -> str:
    """A cell as the clerk sees it: a workbook keeps 3655 as 3655.0 and a date as a moment."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "sim" if cell else "não"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() else repr(cell)
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ")
    if isinstance(cell, date):
        return cell.isoformat()
    return str(cell).strip()


def column_name(cell: str) -> str:
    """A heading in one spelling: ``Nº da Autorização`` becomes ``n_da_autorizacao``."""
    return fold(cell.replace("º", " ").replace("ª", " ").replace("°", " ")).replace(" ", "_")
