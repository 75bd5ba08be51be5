"""A drawn sketch of a route: the stops and the line between them, without a map and without a script."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, radians

from portal.services.itinerary_answers import ItineraryView, StopSummary

WIDTH, PADDING = 360, 22
"""As wide as the narrowest phone, so that names keep their size there."""
LOWEST, HIGHEST = 120, 340
LABEL_STEP = 22
MOST_LABELS = 8
LONGEST_LABEL = 22
MOST_POINTS = 160
"""Enough for every bend that a phone can show."""


@dataclass(frozen=True, slots=True)
class Mark:
    x: float
    y: float
    end: bool
    label: str | None
    label_x: float
    label_y: float
    left: bool
    """The label stands on the left of its mark."""


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

    lines = tuple(" ".join(f"{x},{y}" for x, y in (place(*point) for point in path)) for path in paths)
    placed = {code: place(stop.latitude, stop.longitude) for code, stop in stops.items()}
    heights = _label_heights({code: placed[code] for code in named}, height)
    return Sketch(
        WIDTH,
        height,
        lines,
        tuple(
            _mark(stop, placed[code], code in ends, heights.get(code))
            for code, stop in sorted(stops.items(), key=lambda item: item[0] in ends)
        ),
    )


def _mark(stop: StopSummary, at: tuple[float, float], end: bool, label_y: float | None) -> Mark:
    x, y = at
    left = x > WIDTH / 2
    return Mark(
        x, y, end, _short(stop.name) if label_y else None, x - 12 if left else x + 12, label_y or y, left
    )


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_LABEL else name[: LONGEST_LABEL - 1].rstrip() + "…"


def _label_heights(placed: Mapping[str, tuple[float, float]], height: int) -> dict[str, float]:
    """A height for each label at which it covers no other; from the top down, then pushed up from the foot."""
    order = sorted(placed, key=lambda code: placed[code][1])
    heights: list[float] = []
    for code in order:
        heights.append(max(placed[code][1], heights[-1] + LABEL_STEP if heights else 0))
    foot = height - LABEL_STEP / 2
    for number in reversed(range(len(heights))):
        heights[number] = min(heights[number], foot)
        foot = heights[number] - LABEL_STEP
    return dict(zip(order, (round(each, 1) for each in heights), strict=True))


def _paths(view: ItineraryView) -> list[Sequence[tuple[float, float]]]:
    paths: list[Sequence[tuple[float, float]]] = []
    for way in view.ways:
        path = view.shapes.get(way.way) or tuple((stop.latitude, stop.longitude) for stop in way.stops)
        step = max(1, len(path) // MOST_POINTS)
        paths.append([*path[::step], path[-1]])
    return paths
