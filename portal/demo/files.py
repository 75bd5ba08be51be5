"""The demonstration's files, whose days are written relative to the day of loading.

``{hoje}``, ``{hoje-3}`` and ``{hoje+20}`` are days, ``{ano}``, ``{ano-1}`` years, ``{dia+3}`` the weekday in
three days' time, as the tables of itineraries write it.
"""

import re
from datetime import date, timedelta
from pathlib import Path

from portal.importing.tables import WEEKDAYS

DATA = Path(__file__).parent / "data"
_GAP = re.compile(r"\{(hoje|ano|dia)([+-]\d+)?\}")


def write_files(municipality: str, names: tuple[str, ...], folder: Path, *, today: date) -> None:
    """Write the named files of a town into ``folder`` with the days of ``today`` in their gaps."""
    for name in names:
        text = (DATA / municipality / name).read_text("utf-8")
        (folder / name).write_text(fill(text, today=today), "utf-8")


def fill(text: str, *, today: date) -> str:
    """``text`` with every gap filled."""

    def value(gap: re.Match[str]) -> str:
        kind, moved = gap[1], int(gap[2] or 0)
        day = today + timedelta(days=moved)
        match kind:
            case "ano":
                return str(today.year + moved)
            case "dia":
                return WEEKDAYS[day.weekday()]
            case _:
                return day.isoformat()

    return _GAP.sub(value, text)
