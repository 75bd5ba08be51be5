"""Distances on foot and the grid by which the nearest stop is found. Positions are WGS 84 degrees."""

from enum import StrEnum
from math import asin, atan2, ceil, cos, degrees, floor, radians, sin, sqrt

EARTH_M = 6_371_008.8
WALKING_M_PER_MINUTE = 75
DETOUR = 1.3
"""Streets against the straight line; measured cities lie between 1.2 and 1.4."""

CELL_DEGREES = 0.005
"""About 550 m from south to north."""
CELLS_AROUND = 72_000


class Direction(StrEnum):
    NORTH = "north"
    NORTH_EAST = "north_east"
    EAST = "east"
    SOUTH_EAST = "south_east"
    SOUTH = "south"
    SOUTH_WEST = "south_west"
    WEST = "west"
    NORTH_WEST = "north_west"


def is_position(latitude: float, longitude: float) -> bool:
    """Whether the pair can be a place: in range, and not the 0/0 of a device or file that knows none."""
    inside = -90 <= latitude <= 90 and -180 <= longitude <= 180
    return inside and (abs(latitude) > 0.1 or abs(longitude) > 0.1)


def distance_m(latitude: float, longitude: float, other_latitude: float, other_longitude: float) -> float:
    """Metres along the great circle (haversine)."""
    north, other_north = radians(latitude), radians(other_latitude)
    half_north, half_east = (other_north - north) / 2, radians(other_longitude - longitude) / 2
    chord = sin(half_north) ** 2 + cos(north) * cos(other_north) * sin(half_east) ** 2
    return 2 * EARTH_M * asin(min(1.0, sqrt(chord)))


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


def cell_of(latitude: float, longitude: float) -> int:
    """The number of the grid cell; cells of one row follow each other from west to east."""
    row, column = _row_and_column(latitude, longitude)
    return row * CELLS_AROUND + column


def cells_near(latitude: float, longitude: float, reach: int) -> list[tuple[int, int]]:
    """The cells at most ``reach`` rows and columns away: first and last cell of each row."""
    row, column = _row_and_column(latitude, longitude)
    west, east = max(0, column - reach), min(CELLS_AROUND - 1, column + reach)
    rows = range(max(0, row - reach), row + reach + 1)
    return [(each * CELLS_AROUND + west, each * CELLS_AROUND + east) for each in rows]


def certain_within_m(latitude: float, reach: int) -> float:
    """Metres within which ``cells_near`` of this reach misses nothing."""
    per_degree = EARTH_M * radians(1)
    farthest_row = min(89.9, abs(latitude) + reach * CELL_DEGREES)
    return reach * CELL_DEGREES * per_degree * min(1.0, cos(radians(farthest_row)))


def _row_and_column(latitude: float, longitude: float) -> tuple[int, int]:
    return floor((latitude + 90) / CELL_DEGREES), floor((longitude + 180) / CELL_DEGREES)
