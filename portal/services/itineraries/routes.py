"""How far a position is from the routes that a municipality publishes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy.orm import Session

from portal.domain.errors import NothingHere, UnreadablePosition
from portal.domain.geo import distance_m, distance_to_line_m, is_position
from portal.regulations import catalogue
from portal.services.itineraries.showing import nearest_boarding_points
from portal.storage import itineraries as store
from portal.storage.itineraries import ItineraryRow

REACH_M = 20_000
"""Further than this from every boarding point nobody rides an itinerary of that town."""


@dataclass(frozen=True, slots=True)
class RouteDistance:
    """A published itinerary and how far a position is from it."""

    municipality: str
    code: str
    name: str
    metres: float
    """From the drawn route; from its nearest stop where ``drawn`` is False."""
    drawn: bool
    """Whether the municipality publishes the line itself, not only its stops."""
    names: dict[str, str] = field(default_factory=dict)

    def name_in(self, language: str) -> str:
        return self.names.get(language.split("_")[0], self.name)


USUAL_ERROR_M = 50
"""Of a device that does not say how well it knows where it is."""
LEAST_ERROR_M = 20
"""Of any device, since the published line is drawn no better."""


def error_of(accuracy_m: float | None) -> int:
    """Metres within which a position may be wrong: as its device says, within reason."""
    return max(LEAST_ERROR_M, round(accuracy_m or USUAL_ERROR_M))


def distance_from_route(
    session: Session, municipality: str, code: str, latitude: float, longitude: float
) -> RouteDistance:
    """How far a position is from one itinerary; nothing of it is kept.

    Raises:
        NothingHere: no such itinerary.
        UnreadablePosition: the pair cannot be a place.
    """
    if not is_position(latitude, longitude):
        raise UnreadablePosition(f"{latitude} {longitude}")
    row = store.itinerary_by_code(session, store.current_imports(session, municipality), code)
    found = _measured(session, municipality, [row] if row else [], latitude, longitude)
    if not found:
        raise NothingHere(code)
    return found[0]


def nearest_routes(
    session: Session, latitude: float, longitude: float, *, at: datetime, limit: int = 4
) -> tuple[RouteDistance, ...]:
    """The itineraries of the town around a position, the nearest route first; empty far from every town.

    An itinerary whose timetable is over is left out. Raises ``UnreadablePosition`` for a pair that can be no place.
    """
    [around, *_more] = [*nearest_boarding_points(session, latitude, longitude, at=at, limit=1), None]
    if around is None or around.metres > REACH_M:
        return ()
    town = around.stop.municipality
    day = catalogue.municipality(town).civil_day(at)
    rows = [
        row
        for row in store.itineraries_of(session, store.current_imports(session, town))
        if row.valid_until is None or row.valid_until >= day
    ]
    found = _measured(session, town, rows, latitude, longitude)
    found.sort(key=lambda each: each.metres)
    return tuple(found[:limit])


def _measured(
    session: Session, municipality: str, rows: Sequence[ItineraryRow], latitude: float, longitude: float
) -> list[RouteDistance]:
    """The distance from each itinerary whose line or stops are known."""
    numbers = [row.id for row in rows]
    lines = store.shapes_of_all(session, numbers)
    stops = store.stops_of_itineraries(session, numbers)
    found = []
    for row in rows:
        drawn = [_points(text) for text in lines.get(row.id, ())]
        positions = [(stop.latitude, stop.longitude) for _way, _order, stop in stops.get(row.id, ())]
        if drawn:
            metres = min(distance_to_line_m(latitude, longitude, line) for line in drawn)
        elif positions:
            metres = min(distance_m(latitude, longitude, *position) for position in positions)
        else:
            continue
        found.append(
            RouteDistance(municipality, row.code, row.name, metres, bool(drawn), dict(row.names or {}))
        )
    return found


def _points(text: str) -> tuple[tuple[float, float], ...]:
    pairs: Iterable[list[str]] = (pair.split(",") for pair in text.split())
    return tuple((float(latitude), float(longitude)) for latitude, longitude in pairs)
