"""What leaves when: next from a stop, of an itinerary or between two stops; one departure; the week of a stop."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy.orm import Session

from portal.domain.errors import NothingHere
from portal.domain.itineraries import ItineraryStatus, StopKind, service_of
from portal.domain.names import fold
from portal.domain.timetable import (
    Call,
    DayGroup,
    Departure,
    Leg,
    Outlook,
    Ride,
    departures_on,
    next_rides,
    outlook,
    week_from,
)
from portal.regulations import catalogue
from portal.regulations.municipalities import Municipality
from portal.regulations.schema import BoardingKind, BoardingRule
from portal.services.itineraries.answers import ItinerarySummary, StopSummary, StopView
from portal.services.itineraries.showing import boarding_of, show_stop, summary_of_stop
from portal.services.itineraries.timetables import calls_of_itineraries, calls_of_stops, legs_between
from portal.storage import itineraries as store
from portal.storage.itineraries import StopRow

MOST = 50
FARTHEST = timedelta(days=400)
"""How far from today a departure is looked for."""
HUNG = (ItineraryStatus.AUTHORIZED, ItineraryStatus.NOT_OURS)
"""What a sign tells: tours with a permit in force, and bus lines."""


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
    barred: tuple[BoardingRule, ...] = ()
    """Of two stops that a vehicle passes, though nothing is told: the rules that keep people from this ride."""


@dataclass(frozen=True, slots=True)
class DepartureView:
    """One departure from one stop."""

    municipality: Municipality
    stop: StopSummary
    itinerary: ItinerarySummary
    departure: Departure

    @property
    def ends(self) -> datetime | None:
        """When the tour is over, where its duration is known."""
        minutes = self.itinerary.duration_minutes
        return self.departure.at + timedelta(minutes=minutes) if minutes else None


@dataclass(frozen=True, slots=True)
class SignView:
    """A stop with the week of each itinerary that leaves from it."""

    of: StopView
    weeks: tuple[tuple[ItinerarySummary, tuple[DayGroup, ...]], ...]
    """Seven days from ``made_on``, equal days together; what has no permit, or does not run, stays off paper."""
    made_on: date


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
        to: code of the stop where one gets off; its time of arrival is told. Where the rules of a service let
            people on and off only at the two ends (as art. 4 of the recreational decree), a stop between them
            is nowhere to get off.
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
    barred: tuple[BoardingRule, ...] = ()
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
            leave = _stop(session, imports, to)
            kept = _only_at_ends(session, place, [board], on=place.civil_day(at))
            legs = legs_between(session, [board], [leave], around=around, only_at_ends=kept)
            if not legs and kept:
                barred = _barred(session, kept, board, leave)
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
        barred=barred,
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
    only_at_ends = _only_at_ends(session, place, [board], on=place.civil_day(at))
    serving = store.itineraries_at(session, [board]).get(board, [])
    found: dict[str, StopSummary] = {}
    for number, ways in _ways(session, [row.id for row in serving]).items():
        for of_way in ways:
            for each in _ahead(of_way, board, only_ends=number in only_at_ends):
                found[each.code] = summary_of_stop(each, municipality)
    return tuple(sorted(found.values(), key=lambda each: (fold(each.name), each.code)))


def find_departure(
    session: Session, municipality: str, stop: str, *, itinerary: str, leaves: datetime, now: datetime
) -> DepartureView:
    """A departure that the timetable promises.

    Args:
        stop: code of the stop it leaves from.
        leaves: wall clock in the municipality's zone, to the minute; without a zone.

    Raises:
        NothingHere: no such stop, or nothing of that itinerary leaves from it then.
    """
    view = show_stop(session, municipality, stop, at=now)
    day = leaves.date()
    if abs(day - view.municipality.civil_day(now)) > FARTHEST:
        raise NothingHere(f"{stop} {leaves:%Y-%m-%d}")
    calls = [call for call in _calls(session, view, around=day) if call.itinerary == itinerary]
    # A service that runs past midnight belongs to the day before.
    for service_day in (day - timedelta(days=1), day):
        for departure in departures_on(
            calls, service_day, zone=view.municipality.zone, holidays=view.municipality.holidays
        ):
            if departure.at.replace(tzinfo=None, second=0) == leaves:
                summary = next(each for each in view.itineraries if each.code == itinerary)
                return DepartureView(view.municipality, view.stop, summary, departure)
    raise NothingHere(f"{stop} {leaves:%Y-%m-%dT%H:%M}")


def show_sign(session: Session, municipality: str, stop: str, *, at: datetime) -> SignView:
    """The stop with the seven days from ``at`` on of every itinerary that leaves from it.

    Raises:
        NothingHere: no such stop.
    """
    view = show_stop(session, municipality, stop, at=at)
    today = view.municipality.civil_day(at)
    calls = _calls(session, view, around=today)
    zone, holidays = view.municipality.zone, view.municipality.holidays
    weeks = []
    for each in view.itineraries:
        leaving = [call for call in calls if call.itinerary == each.code]
        week = week_from(leaving, today, zone=zone, holidays=holidays)
        if each.status in HUNG and any(group.runs for group in week):
            weeks.append((each, week))
    return SignView(view, tuple(weeks), today)


def _calls(session: Session, view: StopView, *, around: date) -> list[Call]:
    if view.stop.kind is not StopKind.BOARDING_POINT:
        return []
    row = store.stop_by_code(session, store.current_imports(session, view.municipality.slug), view.stop.code)
    return calls_of_stops(session, [row.id], around=around - timedelta(days=2)).get(row.id, []) if row else []


def _only_at_ends(
    session: Session, place: Municipality, stops: Sequence[int], *, on: date
) -> dict[int, tuple[BoardingRule, ...]]:
    """Of the itineraries at these stops, those whose service is boarded and left only at the two ends; the rules."""
    serving = [row for rows in store.itineraries_at(session, stops).values() for row in rows]
    runs = store.import_rows(session, {row.import_id for row in serving})
    found: dict[int, tuple[BoardingRule, ...]] = {}
    for row in serving:
        service = service_of(runs[row.import_id][0].service)
        boarding = boarding_of(place, service, on) if service else None
        if boarding and boarding.kind is BoardingKind.ONLY_AT_ENDS:
            found[row.id] = boarding.rules
    return found


def _barred(
    session: Session, kept: Mapping[int, tuple[BoardingRule, ...]], board: int, leave: int
) -> tuple[BoardingRule, ...]:
    """The rules of an itinerary that passes one stop and later the other."""
    for number, ways in _ways(session, kept).items():
        if any(leave in {each.id for each in _ahead(of_way, board, only_ends=False)} for of_way in ways):
            return kept[number]
    return ()


def _ways(session: Session, itineraries: Collection[int]) -> dict[int, list[list[StopRow]]]:
    """For each itinerary the stops of each of its ways, in order of travel."""
    found: dict[int, list[list[StopRow]]] = {}
    for number, stops in store.stops_of_itineraries(session, itineraries).items():
        ways: dict[str, list[StopRow]] = {}
        for way, _, each in stops:
            ways.setdefault(way, []).append(each)
        found[number] = list(ways.values())
    return found


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
