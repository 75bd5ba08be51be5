"""A drawn sketch of a route: the stops and the line between them, without a map and without a script."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, cos, hypot, radians

from portal.services.itineraries.answers import ItineraryView, StopSummary

WIDTH, PADDING = 360, 22
"""As wide as the narrowest phone, so that names keep their size there."""
LOWEST, HIGHEST = 120, 340
LABEL_STEP = 22
LETTER = 8.6
"""How wide a bold letter is at most, on average; a name takes no less room than it is given."""
MOST_LABELS = 8
LONGEST_LABEL = 22
MOST_POINTS = 160
"""Enough for every bend that a phone can show."""


Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float

    def holds(self, point: Point) -> bool:
        return self.left <= point[0] <= self.right and self.top <= point[1] <= self.bottom

    def meets(self, other: "Box") -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


@dataclass(frozen=True, slots=True)
class Mark:
    x: float
    y: float
    end: bool
    label: str | None
    label_x: float
    label_y: float
    """The middle of the name."""
    anchor: str
    """Which end of the name stands at ``label_x``, as SVG says it: ``start`` or ``end``."""


@dataclass(frozen=True, slots=True)
class Sketch:
    width: int
    height: int
    lines: tuple[str, ...]
    """Points of each polyline, as SVG writes them."""
    marks: tuple[Mark, ...]


def draw(view: ItineraryView) -> Sketch | None:
    """North is up and distances are true to one scale; None where fewer than two places are known."""
    stops = {stop.code: stop for way in view.ways for stop in way.stops}
    if len(stops) < 2:
        return None
    ends = {stop.code for stop in view.summary.ends}
    paths = _paths(view)
    everywhere = [
        *(point for path in paths for point in path),
        *((s.latitude, s.longitude) for s in stops.values()),
    ]
    south, north = min(p[0] for p in everywhere), max(p[0] for p in everywhere)
    west, east = min(p[1] for p in everywhere), max(p[1] for p in everywhere)
    squeeze = cos(radians((south + north) / 2))
    wide, high = max((east - west) * squeeze, 1e-6), max(north - south, 1e-6)
    scale = min((WIDTH - 2 * PADDING) / wide, (HIGHEST - 2 * PADDING) / high)
    named = stops if len(stops) <= MOST_LABELS else {code: stops[code] for code in stops if code in ends}
    height = round(max(LOWEST, high * scale + 2 * PADDING, (len(named) + 1) * LABEL_STEP))
    left, top = (WIDTH - wide * scale) / 2, (height - high * scale) / 2

    def place(latitude: float, longitude: float) -> tuple[float, float]:
        return (
            round(left + (longitude - west) * squeeze * scale, 1),
            round(top + (north - latitude) * scale, 1),
        )

    drawn = [[place(*point) for point in path] for path in paths]
    lines = tuple(" ".join(f"{x},{y}" for x, y in path) for path in drawn)
    placed = {code: place(stop.latitude, stop.longitude) for code, stop in stops.items()}
    names = _place_names(
        {code: (_short(stop.name), placed[code]) for code, stop in named.items()},
        taken=[*(dot for path in drawn for dot in _dots(path)), *placed.values()],
        height=height,
    )
    return Sketch(
        WIDTH,
        height,
        lines,
        tuple(
            _mark(stop, placed[code], code in ends, names.get(code))
            for code, stop in sorted(stops.items(), key=lambda item: item[0] in ends)
        ),
    )


def _mark(stop: StopSummary, at: Point, end: bool, name: Box | None) -> Mark:
    if name is None:
        return Mark(*at, end, None, *at, "start")
    # Held by the end that is nearer to its mark: should the letters be narrower than supposed, it stays there.
    left, right = abs(name.left - at[0]), abs(name.right - at[0])
    x, anchor = (name.right, "end") if right < left else (name.left, "start")
    return Mark(*at, end, _short(stop.name), round(x, 1), round((name.top + name.bottom) / 2, 1), anchor)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_LABEL else name[: LONGEST_LABEL - 1].rstrip() + "…"


def _place_names(
    names: Mapping[str, tuple[str, Point]], *, taken: Sequence[Point], height: int
) -> dict[str, Box]:
    """Room for each name beside its mark, where it covers the least of the route and of the names before it."""
    placed: dict[str, Box] = {}
    for code, (name, at) in sorted(names.items(), key=lambda item: item[1][1][1]):
        rooms = _rooms(at, len(name) * LETTER)

        def covered(room: Box) -> float:
            outside = max(0, 2 - room.left, room.right - WIDTH + 2, -room.top, room.bottom - height)
            names_under = sum(room.meets(other) for other in placed.values())
            return sum(room.holds(dot) for dot in taken) + 1000 * names_under + 100 * outside

        placed[code] = min(rooms, key=covered)
    return placed


def _rooms(at: Point, width: float) -> list[Box]:
    """Where the name of a mark may stand: on its right or left, or above or below it, nearest first."""
    x, y = at
    half = LABEL_STEP / 2 - 1
    rooms = [Box(x + 12, y - half, x + 12 + width, y + half), Box(x - 12 - width, y - half, x - 12, y + half)]
    shifted = min(max(x - width / 2, 4), WIDTH - 4 - width)
    for away in (20, 32, 44):
        for middle in (y - away, y + away):
            rooms.append(Box(shifted, middle - half, shifted + width, middle + half))
    return rooms


def _dots(path: Sequence[Point]) -> Iterator[Point]:
    """A line as dots, close enough for no name to fit between two of them."""
    for (x, y), (to_x, to_y) in pairwise(path):
        steps = max(1, ceil(hypot(to_x - x, to_y - y) / 6))
        for step in range(steps + 1):
            yield x + (to_x - x) * step / steps, y + (to_y - y) * step / steps


def _paths(view: ItineraryView) -> list[Sequence[tuple[float, float]]]:
    paths: list[Sequence[tuple[float, float]]] = []
    for way in view.ways:
        path = view.shapes.get(way.way) or tuple((stop.latitude, stop.longitude) for stop in way.stops)
        step = max(1, len(path) // MOST_POINTS)
        paths.append([*path[::step], path[-1]])
    return paths
