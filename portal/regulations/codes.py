"""Codes of infractions as people write them: with the slips of the print, other dashes, or words around them."""

import re

from portal.regulations.penalties import Infraction
from portal.regulations.schema import Instrument

_PARTS = re.compile(r"\d+|[^\W\d_]+")
_NOT_OF_THE_CODE = frozenset({
    "anexo", "unico", "único", "art", "artigo", "grupo", "inciso", "item", "alinea", "alínea", "cod", "cód", "código",
})  # fmt: skip


def rows_of_code(law: Instrument, given: str) -> tuple[Infraction, ...]:
    """Every wording, on any day, of the infraction that a code names: "II – 05", "lll-01", "art. 35, I, b".

    What is printed beside several rows, such as the "a)" of every item, names none of them.
    """
    wanted = _key(given)
    named = {row.code for row in law.infractions if _key(row.code) == wanted}
    named = named or {row.code for row in law.infractions if _key(row.printed_code or "") == wanted}
    return tuple(row for row in law.infractions if wanted and len(named) == 1 and row.code in named)


def _key(text: str) -> tuple[str, ...]:
    """What is left of a code once dashes, zeros, words and the l typed for a Roman I are set aside."""
    parts = _PARTS.findall(text.replace("º", " ").replace("ª", " ").casefold())
    return tuple(
        part.lstrip("0") if part.isdecimal() else part.replace("l", "i") if set(part) <= {"l", "i"} else part
        for part in parts
        if part not in _NOT_OF_THE_CODE
    )
