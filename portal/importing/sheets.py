"""Rows out of what clerks have: CSV of any delimiter and of the usual encodings, and XLSX.

A delimited file is read line by line, so that a register of a million rows costs no more memory than one of ten.
"""

import codecs
import csv
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TextIO

from python_calamine import CalamineError, CalamineWorkbook

from portal.domain.names import fold
from portal.importing.workbooks import OLD_OFFICE, Harmful, check_old_office, check_workbook

LARGEST_FILE = 200_000_000
HEADER_WITHIN = 30
"""Rows above the header, for titles, the date of issue, a coat of arms."""
DELIMITERS = ";,\t|"
LONGEST_CELL = 1_000_000


class UnreadableSheet(Exception):
    """``code`` is one of ``Harmful``, ``empty_file`` or ``no_header``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Line(NamedTuple):
    number: int
    """As the clerk's program counts it, from 1."""
    cells: Sequence[str]


Score = Callable[[Sequence[str]], int]
"""How much a row looks like the header: 0 when it does not at all."""


def read_lines(path: Path, score: Score) -> Iterator[Line]:
    """Lines from the header on; the header is the best-scoring of the first thirty rows.

    Raises:
        UnreadableSheet: no table can be read, or none of its first rows scores.
    """
    size = path.stat().st_size
    if size > LARGEST_FILE:
        raise UnreadableSheet("too_large")
    with path.open("rb") as file:
        head = file.read(64)
    if not head.strip() and size == len(head):
        raise UnreadableSheet("empty_file")
    try:
        if head.startswith(OLD_OFFICE):
            check_old_office(path)
        if head.startswith(b"%PDF"):
            raise UnreadableSheet("other_format")
        if head.startswith(b"PK"):
            check_workbook(path)
    except Harmful as harmful:
        raise UnreadableSheet(harmful.code) from None
    tables = list(_sheets(path)) if head.startswith(b"PK") else list(_readings(path, head))
    best: tuple[int, Callable[[], Iterator[Line]], int] | None = None
    for table in tables:
        rows = table()
        try:
            for at, line in enumerate(islice(rows, HEADER_WITHIN)):
                points = score(line.cells)
                if points and (best is None or points > best[0]):
                    best = (points, table, at)
        except csv.Error:
            continue
        finally:
            rows.close()  # type: ignore[attr-defined]  # a generator, which holds the file open
    if best is None:
        raise UnreadableSheet("no_header")
    try:
        yield from islice(best[1](), best[2], None)
    except csv.Error as error:
        raise UnreadableSheet("unreadable_file") from error


def _readings(path: Path, head: bytes) -> Iterator[Callable[[], Iterator[Line]]]:
    """The file read with each delimiter that stands in its first rows; the header decides which is right."""
    csv.field_size_limit(LONGEST_CELL)
    with _open_text(path, head) as file:
        first = "".join(islice(file, HEADER_WITHIN))
    for delimiter in DELIMITERS:
        if delimiter in first or delimiter == DELIMITERS[0]:
            yield partial(_delimited, path, head, delimiter)


def _delimited(path: Path, head: bytes, delimiter: str) -> Iterator[Line]:
    with _open_text(path, head) as file:
        reader = csv.reader(file, delimiter=delimiter)
        for cells in reader:
            if any(cells):
                yield Line(reader.line_num, cells)


def _open_text(path: Path, head: bytes) -> TextIO:
    # Universal newlines, since exports mix CR, LF and CRLF.
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return path.open(encoding="utf-16", errors="replace")
    if head[1::2].count(0) > len(head) // 4:  # ASCII in UTF-16 whose mark was lost
        return path.open(encoding="utf-16-le", errors="replace")
    if head[::2].count(0) > len(head) // 4:
        return path.open(encoding="utf-16-be", errors="replace")
    return path.open(encoding="utf-8-sig", errors=_AS_WINDOWS)


def _windows(error: UnicodeError) -> tuple[str, int]:
    """What is no UTF-8 is Windows-1252, byte by byte: files glued together hold both."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    wrong = error.object[error.start : error.end]
    try:
        return wrong.decode("cp1252"), error.end
    except UnicodeDecodeError:
        return wrong.decode("latin-1"), error.end


_AS_WINDOWS = "portal-windows-1252"
codecs.register_error(_AS_WINDOWS, _windows)


def _sheets(path: Path) -> Iterator[Callable[[], Iterator[Line]]]:
    try:
        book = CalamineWorkbook.from_path(str(path))
        for name in book.sheet_names:
            yield partial(_sheet, book, name)
    except (CalamineError, OSError, ValueError) as error:
        raise UnreadableSheet("unreadable_file") from error


def _sheet(book: CalamineWorkbook, name: str) -> Iterator[Line]:
    try:
        sheet = book.get_sheet_by_name(name)
        left = [""] * (sheet.start[1] if sheet.start else 0)  # its rows begin at the first filled column
        for number, cells in enumerate(sheet.iter_rows(), start=1):
            if any(cell not in ("", None) for cell in cells):
                yield Line(number, left + [_text(cell) for cell in cells])
    except (CalamineError, ValueError) as error:
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
