"""What people say of a vehicle when they tell of it: a plate, part of one, a permit number, or how it looked."""

import re
import unicodedata
from collections.abc import Sequence
from enum import StrEnum

from portal.domain.errors import UnreadableQuery
from portal.domain.names import fold
from portal.domain.plates import PlateQuery, identify


class SaidVehicle(StrEnum):
    PLATE = "plate"
    PARTIAL = "partial"
    """Part of a Brazilian plate, with a pattern."""
    FOREIGN = "foreign"
    PERMIT = "permit"
    DESCRIPTION = "description"


_GAP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        algo alguma alguns coisa outra letra letras numero numeros entao depois nao sei lembro e eu o a de do da com
        em no comeca comecava termina terminava final inicio placa tipo acho que talvez mais ou menos
        then something starts start ends end with and plate the some letter letters number numbers dont know maybe
        luego empieza con en y alguna cosa despues matricula se
        """,
    )
)
"""Words between the parts of a plate that somebody half remembers, folded."""
_MARKS = "?*_"
_SHAPE = ("L", "L", "L", "N", "LN", "N", "N")


def read_vehicle(text: str) -> tuple[SaidVehicle, str]:
    """What a text says of a vehicle, and the pattern of part of a plate (``ABC?23?``, ``ABC*23``) or nothing."""
    if pattern := read_partial(text):
        return SaidVehicle.PARTIAL, pattern
    try:
        read = identify(text)
    except UnreadableQuery as unreadable:
        return (SaidVehicle.FOREIGN if unreadable.why == "foreign" else SaidVehicle.DESCRIPTION), ""
    return (SaidVehicle.PLATE if isinstance(read, PlateQuery) else SaidVehicle.PERMIT), ""


def read_partial(text: str) -> str:
    """The pattern of a plate of which only parts are known; empty when the text is something else.

    ``?`` stands for one sign, ``*`` for any number of them: "ABC então algo 23" is ``ABC*23``.
    """
    apart = unicodedata.normalize("NFKD", text[:120].upper())
    folded = "".join(sign for sign in apart if not unicodedata.combining(sign))
    marked = any(mark in folded for mark in _MARKS)
    compact = re.sub(r"[\s.-]", "", folded).replace("_", "?")
    if (
        marked
        and len(compact) == 7
        and re.fullmatch(r"[A-Z0-9?]+", compact)
        and _fits(list(compact), exact=True)
    ):
        return compact
    words = re.findall(r"[A-Z0-9]+|[?*_]+|\.{3}", folded)
    parts = [word for word in words if word.isalnum() and fold(word) not in _GAP_WORDS]
    gap = marked or len(parts) < len([word for word in words if word.isalnum()]) or "..." in folded
    known = "".join(parts)
    if not gap or not 2 <= len(known) <= 6 or len(parts) > 4:
        return ""
    if not any(sign.isdigit() for sign in known) and not marked:
        return ""
    return "*".join(parts) if _fits(parts, exact=False) else ""


def _fits(parts: Sequence[str], *, exact: bool) -> bool:
    """Whether the parts can stand in a plate in this order: with ``exact`` sign by sign, ``?`` being any."""
    if exact:
        return any(sign != "?" for sign in parts) and all(map(_may_stand, parts, range(7)))

    def place(number: int, start: int) -> bool:
        if number == len(parts):
            return True
        part = parts[number]
        return any(
            all(_may_stand(sign, at + i) for i, sign in enumerate(part)) and place(number + 1, at + len(part))
            for at in range(start, 8 - len(part))
        )

    return place(0, 0)


def _may_stand(sign: str, at: int) -> bool:
    return sign == "?" or ("N" if sign.isdigit() else "L") in _SHAPE[at]
