"""Distances on foot and the grid by which the nearest stop is found. Positions are WGS 84 degrees."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from itertools import pairwise
from math import asin, atan2, ceil, cos, degrees, floor, hypot, inf, radians, sin, sqrt

EARTH_M = 6_371_008.8
WALKING_M_PER_MINUTE = 75
DETOUR = 1.3
"""Streets against the straight line; measured cities lie between 1.2 and 1.4."""


class Grid(Enum):
    """Grids of cells: in a crowded place the finest holds few stops, between towns the coarse one few cells."""

    FINEST = 0.0005
    """Degrees: about 55 m from south to north."""
    FINE = 0.005
    """About 550 m."""
    COARSE = 0.08

    @property
    def around(self) -> int:
        """Cells of one row, all the way around."""
        return round(360 / self.value)


SEARCH = (
    (Grid.FINEST, 1),
    (Grid.FINEST, 4),
    (Grid.FINE, 1),
    (Grid.FINE, 4),
    (Grid.COARSE, 1),
    (Grid.COARSE, 3),
    (Grid.COARSE, 8),
)
"""Where the nearest stop is looked for, step by step; past about 70 km none is near."""


class Direction(StrEnum):
    NORTH = "north"
    NORTH_EAST = "north_east"
    EAST = "east"
    SOUTH_EAST = "south_east"
    SOUTH = "south"
    SOUTH_WEST = "south_west"
    WEST = "west"
    NORTH_WEST = "north_west"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of degrees, its edges included."""

    south: float
    west: float
    north: float
    east: float

    def __contains__(self, position: tuple[float, float]) -> bool:
        latitude, longitude = position
        return self.south <= latitude <= self.north and self.west <= longitude <= self.east

    def holds_slip_of(self, latitude: float, longitude: float) -> bool:
        """Whether a position outside would lie inside, had its numbers not changed places or lost a sign."""
        turned = ((longitude, latitude), (-latitude, longitude), (latitude, -longitude))
        return any(each in self for each in (*turned, (-latitude, -longitude), (-longitude, -latitude)))


def is_position(latitude: float, longitude: float) -> bool:
    """Whether the pair can be a place: in range, and not the 0/0 of a device or file that knows none."""
    inside = -90 <= latitude <= 90 and -180 <= longitude <= 180
    return inside and (abs(latitude) > 0.1 or abs(longitude) > 0.1)


_DEGREES = r"([+-]?\d{1,3}[.,]\d{3,20})"
_TYPED = re.compile(rf"{_DEGREES}\s*[,;/\s]\s*{_DEGREES}")


def typed_position(text: str) -> tuple[float, float] | None:
    """The place of a text that is a position and nothing else, as maps let one copy it; None of any other text."""
    match = _TYPED.fullmatch(text.strip().replace("\N{MINUS SIGN}", "-"))
    if match is None:
        return None
    latitude, longitude = (float(each.replace(",", ".")) for each in match.groups())
    return (latitude, longitude) if is_position(latitude, longitude) else None


def distance_m(latitude: float, longitude: float, other_latitude: float, other_longitude: float) -> float:
    """Metres along the great circle (haversine)."""
    north, other_north = radians(latitude), radians(other_latitude)
    half_north, half_east = (other_north - north) / 2, radians(other_longitude - longitude) / 2
    chord = sin(half_north) ** 2 + cos(north) * cos(other_north) * sin(half_east) ** 2
    return 2 * EARTH_M * asin(min(1.0, sqrt(chord)))


def distance_to_line_m(latitude: float, longitude: float, line: Sequence[tuple[float, float]]) -> float:
    """Metres from a position to the nearest place of a line of positions; infinite for a line of none.

    Each stretch is taken as straight on a plane around the position: within a town that errs by less than a metre.
    """
    per_degree = EARTH_M * radians(1)
    squeeze = cos(radians(latitude))
    flat = [
        ((east - longitude) * squeeze * per_degree, (north - latitude) * per_degree) for north, east in line
    ]
    if len(flat) == 1:
        return hypot(*flat[0])
    return min((_from_origin(start, end) for start, end in pairwise(flat)), default=inf)


def _from_origin(start: tuple[float, float], end: tuple[float, float]) -> float:
    along = (end[0] - start[0], end[1] - start[1])
    length = along[0] ** 2 + along[1] ** 2
    part = -(start[0] * along[0] + start[1] * along[1]) / length if length else 0.0
    part = min(1.0, max(0.0, part))
    return hypot(start[0] + part * along[0], start[1] + part * along[1])


def walking_minutes(metres: float) -> int:
    """Minutes on foot for a straight-line distance, streets allowed for; at least one."""
    return max(1, ceil(metres * DETOUR / WALKING_M_PER_MINUTE))


def direction(latitude: float, longitude: float, other_latitude: float, other_longitude: float) -> Direction:
    """Which way the other place lies, as one of the eight winds."""
    north, other_north = radians(latitude), radians(other_latitude)
    east = radians(other_longitude - longitude)
    bearing = atan2(
        sin(east) * cos(other_north),
        cos(north) * sin(other_north) - sin(north) * cos(other_north) * cos(east),
    )
    return list(Direction)[round(degrees(bearing) / 45) % 8]


def cell_of(latitude: float, longitude: float, grid: Grid = Grid.FINE) -> int:
    """The number of the grid cell; cells of one row follow each other from west to east."""
    row, column = _row_and_column(latitude, longitude, grid)
    return row * grid.around + column


def cells_near(latitude: float, longitude: float, grid: Grid, reach: int) -> list[tuple[int, int]]:
    """The cells at most ``reach`` rows and columns away: first and last cell of each row."""
    row, column = _row_and_column(latitude, longitude, grid)
    west, east = max(0, column - reach), min(grid.around - 1, column + reach)
    rows = range(max(0, row - reach), row + reach + 1)
    return [(each * grid.around + west, each * grid.around + east) for each in rows]


def certain_within_m(latitude: float, grid: Grid, reach: int) -> float:
    """Metres within which ``cells_near`` of this reach misses nothing."""
    per_degree = EARTH_M * radians(1)
    farthest_row = min(89.9, abs(latitude) + reach * grid.value)
    return reach * grid.value * per_degree * cos(radians(farthest_row))


def _row_and_column(latitude: float, longitude: float, grid: Grid) -> tuple[int, int]:
    return floor((latitude + 90) / grid.value), floor((longitude + 180) / grid.value)
