"""What a person takes along from a stop: a departure for the calendar, a sign with the timetable for the pole."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy.orm import Session

from portal.domain.errors import NothingHere
from portal.domain.itineraries import ItineraryStatus, StopKind
from portal.domain.timetable import Call, DayGroup, Departure, departures_on, week_from
from portal.regulations.municipalities import Municipality
from portal.services.itineraries.answers import ItinerarySummary, StopSummary, StopView
from portal.services.itineraries.showing import show_stop
from portal.services.itineraries.timetables import calls_of_stops
from portal.storage import itineraries as store

FARTHEST = timedelta(days=400)
"""How far from today a departure is looked for."""


HUNG = (ItineraryStatus.AUTHORIZED, ItineraryStatus.NOT_OURS)
"""What a sign tells: tours with a permit in force, and bus lines."""


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
