"""CSV that opens in a Brazilian spreadsheet, and in which nothing that people wrote is run as a formula."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

_STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def cell(text: str) -> str:
    """``text`` as words: what a spreadsheet would take for a formula gets an apostrophe in front.

    A telephone number stays readable behind it: ``'+55 12 99999-9999``.
    """
    plain = text.replace("\0", "")
    return f"'{plain}" if begins_a_formula(plain) else plain


def begins_a_formula(text: str) -> bool:
    """Whether a program of spreadsheets would reckon a text; signs of double width count too."""
    return text.lstrip(" \n").startswith(_STARTS_A_FORMULA)


def decimal(value: float | None, places: int = 1) -> str:
    """A figure with its comma, as Brazilian spreadsheets read numbers; empty when there is none."""
    return "" if value is None else f"{value:.{places}f}".replace(".", ",")


def spreadsheet(head: Sequence[str], rows: Iterable[Sequence[str | int]]) -> bytes:
    """The table with a mark of UTF-8 in front and semicolons between, so that accents and columns come out right.

    Figures are given as integers or by ``decimal``; every other cell is made safe.
    """
    text = StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
    writer.writerow([cell(name) for name in head])
    for row in rows:
        writer.writerow([one if isinstance(one, int) else cell(one) for one in row])
    return text.getvalue().encode("utf-8-sig")
