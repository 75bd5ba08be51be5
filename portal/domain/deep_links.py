"""What a link to the bot carries (``https://t.me/<bot>?start=<payload>``), written by pages and codes, read by the bot.

Telegram lets 64 signs of A-Z, a-z, 0-9, ``_`` and ``-`` through. A code that is longer, or has other signs, is
carried as its digest; whoever reads it looks for the code among those it knows.
"""

import hashlib
import re
from dataclasses import dataclass

MOST = 64
VERDICT, STOP, ITINERARY, TOWN, TRACK, REPORT, COMPLAIN = "v", "s", "i", "t", "a", "r", "c"
CARD = "k"
"""A permit's card, by its random name: its signed code is too long for a link of the chat."""
_CARRIED = re.compile(r"[A-Za-z0-9-]{1,40}")
_PAYLOAD = re.compile(r"(?P<kind>[a-zA-Z])(?:_(?P<town>[0-9]{7}))?(?:_(?P<what>[A-Za-z0-9-]+))?")


@dataclass(frozen=True, slots=True)
class DeepLink:
    kind: str
    """One of the constants above."""
    town: str | None = None
    """Number of a municipality at the national institute of statistics."""
    what: str | None = None
    """A plate or permit number, or the code of a stop or itinerary; ``~`` and a digest for one that is not carried.

    With ``COMPLAIN`` it is the vehicle complained of, where one is known.
    """


def payload(kind: str, *, town: int | None = None, what: str | None = None) -> str:
    """What the address of a link to the bot ends with.

    ``what`` is a plate or permit number with ``VERDICT`` and ``COMPLAIN``, where one that is too odd is left out, and
    a code with ``STOP`` and ``ITINERARY``. A permit number is written with ``-`` for its slash, as which it is read
    alike.
    """
    parts = [kind]
    if town is not None:
        parts.append(f"{town:07d}")
    if what is not None:
        plain = re.sub(r"[\s./]", "-", what) if kind in (VERDICT, COMPLAIN) else what
        if _CARRIED.fullmatch(plain):
            parts.append(plain)
        elif kind != COMPLAIN:
            parts[0] = kind.upper()
            parts.append(digest(what))
    return "_".join(parts)


def read_payload(carried: str) -> DeepLink | None:
    """What a link carried; None for anything that no page of ours writes."""
    match = _PAYLOAD.fullmatch(carried)
    if match is None or len(carried) > MOST:
        return None
    kind, what = match["kind"], match["what"]
    if kind.isupper():
        kind, what = kind.lower(), f"~{what}"
    wants = {
        VERDICT: (False, True),
        STOP: (True, True),
        ITINERARY: (True, True),
        TOWN: (True, False),
        CARD: (False, True),
    }
    needs_town, needs_what = wants.get(kind, (False, False))
    if kind not in (VERDICT, STOP, ITINERARY, TOWN, TRACK, REPORT, COMPLAIN, CARD):
        return None
    if (needs_town and not match["town"]) or (needs_what != bool(what) and kind != COMPLAIN):
        return None
    return DeepLink(kind, match["town"], what)


def digest(code: str) -> str:
    """What stands for a code that is too long or too odd to be carried: sixteen signs."""
    return hashlib.sha256(code.encode()).hexdigest()[:16]
