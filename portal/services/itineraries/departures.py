"""What leaves next: from a stop, of an itinerary, between two stops; at any instant."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy.orm import Session

from portal.domain.errors import NothingHere
from portal.domain.itineraries import StopKind, service_of
from portal.domain.names import fold
from portal.domain.timetable import Leg, Outlook, Ride, next_rides, outlook
from portal.regulations import catalogue
from portal.regulations.schema import BoardingKind
from portal.services.itineraries.answers import StopSummary
from portal.services.itineraries.showing import boarding_of, summary_of_stop
from portal.services.itineraries.timetables import calls_of_itineraries, calls_of_stops, legs_between
from portal.storage import itineraries as store
from portal.storage.itineraries import StopRow

MOST = 50


@dataclass(frozen=True, slots=True)
class NextDepartures:
    municipality: str
    at: datetime
    """In the municipality's zone."""
    rides: tuple[Ride, ...]
    outlook: Outlook
    """The last of today, and the first of the next day with service when today has none left."""
    has_timetable: bool
    expired_on: date | None = None
    """The last day of the timetable of the itinerary asked about, where that is over."""


def next_leaving(
    session: Session,
    municipality: str,
    *,
    at: datetime,
    stop: str | None = None,
    to: str | None = None,
    itinerary: str | None = None,
    limit: int = 5,
) -> NextDepartures:
    """The next departures at an instant, the soonest first.

    Args:
        stop: code of the stop where one boards; without it, the first stop of the itinerary.
        to: code of the stop where one gets off; its time of arrival is told.
        itinerary: code of the only itinerary of interest.

    Raises:
        NothingHere: the municipality knows no such stop or itinerary, or neither was given.
    """
    place = catalogue.municipality(municipality)
    imports = store.current_imports(session, municipality)
    around = place.civil_day(at) - timedelta(days=2)
    row = store.itinerary_by_code(session, imports, itinerary) if itinerary else None
    if itinerary and row is None:
        raise NothingHere(itinerary)
    if stop is None:
        if row is None or to is not None:
            raise NothingHere(to or "")
        legs = [Leg(call, None) for call in calls_of_itineraries(session, [row.id], around=around)]
    else:
        board = _stop(session, imports, stop)
        if to is None:
            calls = calls_of_stops(session, [board], around=around).get(board, [])
            legs = [Leg(call, None) for call in calls]
        else:
            legs = legs_between(session, [board], [_stop(session, imports, to)], around=around)
    legs = [leg for leg in legs if itinerary is None or leg.call.itinerary == itinerary]
    calls = [leg.call for leg in legs]
    until = row.valid_until if row else None
    return NextDepartures(
        municipality=municipality,
        at=at.astimezone(place.zone),
        rides=next_rides(legs, at, zone=place.zone, holidays=place.holidays, limit=min(limit, MOST)),
        outlook=outlook(calls, at, zone=place.zone, holidays=place.holidays),
        has_timetable=bool(calls),
        expired_on=until if until is not None and until < place.civil_day(at) else None,
    )


def destinations(session: Session, municipality: str, stop: str, *, at: datetime) -> tuple[StopSummary, ...]:
    """Where one may ride to from a stop without changing, by name; empty where nobody may board.

    Where the rules of a service let people on and off only at the two ends, from one end to the other.

    Raises:
        NothingHere: the municipality knows no such stop.
    """
    place = catalogue.municipality(municipality)
    board = _stop(session, store.current_imports(session, municipality), stop)
    if store.stop_rows(session, [board])[board].kind != StopKind.BOARDING_POINT:
        return ()
    serving = store.itineraries_at(session, [board]).get(board, [])
    runs = store.import_rows(session, {row.import_id for row in serving})
    stops = store.stops_of_itineraries(session, [row.id for row in serving])
    found: dict[str, StopSummary] = {}
    for row in serving:
        service = service_of(runs[row.import_id][0].service)
        kind = boarding_of(place, service, place.civil_day(at)).kind if service else None
        ways: dict[str, list[StopRow]] = {}
        for way, _, each in stops.get(row.id, []):
            ways.setdefault(way, []).append(each)
        for of_way in ways.values():
            for each in _ahead(of_way, board, only_ends=kind is BoardingKind.ONLY_AT_ENDS):
                found[each.code] = summary_of_stop(each, municipality)
    return tuple(sorted(found.values(), key=lambda each: (fold(each.name), each.code)))


def _ahead(of_way: Sequence[StopRow], board: int, *, only_ends: bool) -> list[StopRow]:
    """The stops of a way after the one where one boards."""
    positions = [number for number, each in enumerate(of_way) if each.id == board]
    if not positions:
        return []
    ahead = of_way[positions[0] + 1 :]
    if only_ends:
        ahead = ahead[-1:] if positions[0] == 0 else []
    return [each for each in ahead if each.id != board]


def _stop(session: Session, imports: list[int], code: str) -> int:
    row = store.stop_by_code(session, imports, code)
    if row is None:
        raise NothingHere(code)
    return row.id
