"""Days as people and machines write them."""

import re
from datetime import date, timedelta

from portal.domain.errors import UnreadableDate

OLDEST_YEAR, NEWEST_YEAR = 1900, 2199

_DAY = re.compile(r"([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]([0-9]{4}|[0-9]{2})")
_ISO = re.compile(r"([0-9]{4})[/-]([0-9]{1,2})[/-]([0-9]{1,2})")
_SERIAL = re.compile(r"[2-7][0-9]{4}")


def read_day(text: str) -> date | None:
    """A day as Brazilians (31/12/2026), machines (2026-12-31) and spreadsheets (46022) write it."""
    text = text.strip().split("T")[0].split(" ")[0]
    try:
        if match := _DAY.fullmatch(text):
            day, month, year = (int(part) for part in match.groups())
            return date(year + 2000 if year < 100 else year, month, day)
        if match := _ISO.fullmatch(text):
            return date(*(int(part) for part in match.groups()))
        if _SERIAL.fullmatch(text):
            return date(1899, 12, 30) + timedelta(int(text))
    except ValueError:
        return None
    return None


def asked_day(text: str) -> date:
    """The day that somebody asks about, in any of these spellings.

    Raises:
        UnreadableDate: no date, or one of no year that a register can tell of.
    """
    day = read_day(text)
    if day is None or not 1950 <= day.year <= 2200:
        raise UnreadableDate(text[:40])
    return day


def iso_day(text: str) -> date:
    """A day as machines write it and no other way: 2026-11-30.

    Raises:
        UnreadableDate: anything else.
    """
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise UnreadableDate(text[:40]) from None
