"""Is it going where it should? How far a position is from the published route, and what that is worth."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from portal.domain.errors import UnreadablePosition
from portal.domain.geo import distance_to_line_m, is_position
from portal.services.itineraries import show_itinerary
from portal.services.itinerary_answers import ItinerarySummary

USUAL_ERROR_M = 100
"""Taken for the error of a device that tells none."""
STREET_M = 50
"""A route is drawn along the middle of its streets: so far from it is still on it."""


@dataclass(frozen=True, slots=True)
class RouteDistance:
    """A distance is told with its error, and is no finding: roads close, devices err."""

    itinerary: ItinerarySummary
    metres: int
    error_m: int
    rough: bool
    """No shape of the route is published: the line between its stops is straight, and tells nothing of the streets."""

    @property
    def on_route(self) -> bool:
        """Whether the position may be on the route, for all that is known."""
        return self.metres <= self.error_m + STREET_M


def distance_from_route(
    session: Session,
    municipality: str,
    code: str,
    latitude: float,
    longitude: float,
    *,
    error_m: float | None,
    at: datetime,
) -> RouteDistance:
    """How far a position is from the nearest of the ways of an itinerary; nothing of it is kept.

    Args:
        latitude: degrees, WGS 84.
        error_m: metres within which the device says that the position is; None where it says nothing.

    Raises:
        NothingHere: no such itinerary.
        UnreadablePosition: the pair cannot be a place.
    """
    if not is_position(latitude, longitude):
        raise UnreadablePosition(f"{latitude} {longitude}")
    view = show_itinerary(session, municipality, code, at=at)
    shapes = list(view.shapes.values())
    between = [tuple((stop.latitude, stop.longitude) for stop in way.stops) for way in view.ways]
    lines = shapes or between
    metres = min(distance_to_line_m(latitude, longitude, line) for line in lines)
    error = USUAL_ERROR_M if error_m is None else max(1, round(error_m))
    return RouteDistance(view.summary, round(metres), error, rough=not shapes)
