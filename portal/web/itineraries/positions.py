"""Positions as people and devices send them."""

import re

from portal.domain.errors import UnreadablePosition
from portal.domain.geo import is_position


def read_position(latitude: str | None, longitude: str | None) -> tuple[float, float] | None:
    """Two degrees as typed or sent by a device; None when neither is given.

    Raises:
        UnreadablePosition: words, half a pair, or more than a number can be.
    """
    if not latitude and not longitude:
        return None
    said = [(text or "").strip().replace(",", ".") for text in (latitude, longitude)]
    if not all(re.fullmatch(r"[+-]?\d{1,3}(\.\d{1,20})?", text) for text in said):
        raise UnreadablePosition(" ".join(said)[:80])
    position = float(said[0]), float(said[1])
    if not is_position(*position):
        raise UnreadablePosition(" ".join(said)[:80])
    return position
