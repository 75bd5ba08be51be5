"""On which side of a border a place lies, as far as a coarse outline can tell: it only makes us ask."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, hypot, radians

from portal.domain.geo import EARTH_M

COARSE_M = 1_000
"""Metres within which an outline drawn at 1:2,500,000 cannot tell the two sides apart."""
AT_SEA_M = 5_000
"""How far off a drawn coast a place may lie and still be taken for one on it."""


_HIGHWAY = re.compile(
    r"\b(?:BR|SP|MT|PB|AC|PE|MG|RJ)\s*[-–/]?\s*\d{3}\b|\b(?:rodovia|rod\.|highway|motorway|autopista|carretera)\b",
    re.I,
)
_INTERCITY = re.compile(
    r"\b(?:inter-?\s?(?:municipal|municipais|estadual|estaduais|state|city|urbano)|ARTESP|EMTU|ANTT|AGER)\b",
    re.I,
)


def names_highway(text: str) -> bool:
    """Whether a typed place is on a road of the state or the union, such as "SP-055, km 100"."""
    return bool(_HIGHWAY.search(text))


def names_intercity(text: str) -> bool:
    """Whether a text speaks of transport between cities, or of who regulates it."""
    return bool(_INTERCITY.search(text))


@dataclass(frozen=True, slots=True)
class Corner:
    ring: int
    latitude: float
    longitude: float
    shared: bool
    """Whether a neighbouring municipality's outline has it too: the sea has no ombudsman."""


def beside(outline: Sequence[Corner], latitude: float, longitude: float) -> bool:
    """Whether a place may belong to another municipality: near a shared border, or beyond it."""
    edges = [
        (a, b) for a, b in pairwise(outline) if a.ring == b.ring
    ]  # the last corner of a ring is its first
    if not edges:
        return False
    away = [(_metres(latitude, longitude, a, b), a.shared and b.shared) for a, b in edges]
    if min((metres for metres, shared in away if shared), default=COARSE_M + 1) <= COARSE_M:
        return True
    if _holds(edges, latitude, longitude):
        return False
    nearest, shared = min(away)
    return shared or nearest > AT_SEA_M


def _holds(edges: Sequence[tuple[Corner, Corner]], latitude: float, longitude: float) -> bool:
    """Whether a line from the place to the east crosses the outline an odd number of times."""
    crossings = 0
    for a, b in edges:
        if (a.latitude > latitude) != (b.latitude > latitude):
            part = (latitude - a.latitude) / (b.latitude - a.latitude)
            crossings += longitude < a.longitude + part * (b.longitude - a.longitude)
    return crossings % 2 == 1


def _metres(latitude: float, longitude: float, a: Corner, b: Corner) -> float:
    """From a place to an edge, on the plane: a municipality is small against the globe."""
    per_degree = EARTH_M * radians(1)
    narrow = cos(radians(latitude))
    ax, ay = (a.longitude - longitude) * per_degree * narrow, (a.latitude - latitude) * per_degree
    bx, by = (b.longitude - longitude) * per_degree * narrow, (b.latitude - latitude) * per_degree
    length = (bx - ax) ** 2 + (by - ay) ** 2
    part = 0.0 if length == 0 else max(0.0, min(1.0, -(ax * (bx - ax) + ay * (by - ay)) / length))
    return hypot(ax + part * (bx - ax), ay + part * (by - ay))
