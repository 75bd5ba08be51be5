"""Whether a workbook can be opened without harm: how large it is once unpacked, and how far its cells reach.

The reader keeps a sheet as one rectangle from its first cell to its last, so that two cells in opposite corners
would cost as much memory as all that lies between them, in a file of a kilobyte. What the headers of the zip say of
sizes is not believed: every part is unpacked here once, a piece at a time.
"""

import zipfile
import zlib
from pathlib import Path
from xml.parsers import expat

LARGEST_UNPACKED = 500_000_000
"""Bytes of all parts together."""
MOST_CELLS = 5_000_000
"""Cells of the rectangle of one sheet, empty ones too: some 200 MB in memory."""
MOST_SHEETS = 50
OLD_OFFICE = bytes.fromhex("d0cf11e0a1b11ae1")
"""How the files of older programs begin, and those of any program that are locked with a password."""
_PIECE = 1 << 16


class Harmful(Exception):
    """``code`` is ``too_large``, ``unreadable_file``, ``encrypted`` or ``other_format``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def check_old_office(path: Path) -> None:
    """Say whether a file of an older program is one, or a newer one behind a password.

    Raises:
        Harmful: always.
    """
    with path.open("rb") as file:
        head = file.read(1 << 20)
    raise Harmful("encrypted" if "EncryptedPackage".encode("utf-16-le") in head else "other_format")


def check_workbook(path: Path) -> None:
    """Unpack every part of a workbook once, and measure its sheets.

    Raises:
        Harmful: it cannot be opened, or would grow too large.
    """
    try:
        with zipfile.ZipFile(path) as book:
            _check_parts(book)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, OSError, EOFError) as error:
        raise Harmful("unreadable_file") from error


def _check_parts(book: zipfile.ZipFile) -> None:
    parts = book.infolist()
    names = {part.filename for part in parts}
    if any(part.flag_bits & 1 for part in parts):
        raise Harmful("encrypted")
    if "mimetype" in names:  # OpenDocument
        raise Harmful("other_format")
    if "xl/workbook.xml" not in names and "xl/workbook.bin" not in names:
        raise Harmful("unreadable_file")
    if "xl/workbook.bin" in names:
        raise Harmful("other_format")
    sheets = {name for name in names if name.startswith("xl/worksheets/") and name.endswith(".xml")}
    if len(sheets) > MOST_SHEETS or sum(part.file_size for part in parts) > LARGEST_UNPACKED:
        raise Harmful("too_large")
    left = LARGEST_UNPACKED
    for part in parts:
        rectangle = _Rectangle() if part.filename in sheets else None
        with book.open(part) as content:
            while piece := content.read(_PIECE):
                left -= len(piece)
                if left < 0:
                    raise Harmful("too_large")
                if rectangle is not None:
                    rectangle.read(piece)


class _Rectangle:
    """Measures a sheet while it is unpacked."""

    def __init__(self) -> None:
        self._row = self._column = self._cells = 0
        self._last_row = self._last_column = 1
        self._first_row = self._first_column = 1 << 30
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.StartDoctypeDeclHandler = self._refuse

    def read(self, piece: bytes) -> None:
        try:
            self._parser.Parse(piece)
        except expat.ExpatError as error:
            raise Harmful("unreadable_file") from error

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2]
        if local == "row":
            told = attributes.get("r", "")
            self._row = int(told) if told.isdecimal() and len(told) < 9 else self._row + 1
            self._column = 0
        elif local == "c":
            self._column += 1
            if place := attributes.get("r"):
                self._take(place)
            self._cells += 1
            self._first_row, self._last_row = min(self._first_row, self._row), max(self._last_row, self._row)
            self._first_column = min(self._first_column, self._column)
            self._last_column = max(self._last_column, self._column)
            height = self._last_row - self._first_row + 1
            width = self._last_column - self._first_column + 1
            if height * width > MOST_CELLS or self._cells > MOST_CELLS:
                raise Harmful("too_large")

    def _take(self, place: str) -> None:
        letters = place.rstrip("0123456789")
        digits = place[len(letters) :]
        if not (0 < len(letters) <= 3 and letters.isascii() and letters.isalpha() and 0 < len(digits) < 9):
            raise Harmful("unreadable_file")
        column = 0
        for letter in letters.upper():
            column = column * 26 + ord(letter) - ord("A") + 1
        self._row, self._column = int(digits), column

    def _refuse(self, *_declaration: object) -> None:
        raise Harmful("unreadable_file")
