"""What a town's page for hours without internet tells: its stops, and what leaves from them in the days ahead."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy.orm import Session

from portal.domain.itineraries import StopKind
from portal.domain.timetable import DayGroup, week_from
from portal.regulations import catalogue
from portal.services.itineraries.answers import ItinerarySummary, StopSummary
from portal.services.itineraries.departures import HUNG
from portal.services.itineraries.showing import list_itineraries, summary_of_stop
from portal.services.itineraries.timetables import calls_of_stops
from portal.storage import itineraries as store

DAYS = 7
"""For so many days departures are told; each weekday stands once, so that its name says which day is meant."""
MOST_STOPS = 300
"""What a cheap phone still opens at once."""
MOST_READ = 2000
"""Among so many stops boarding points are looked for."""


@dataclass(frozen=True, slots=True)
class StopOffline:
    stop: StopSummary
    weeks: tuple[tuple[ItinerarySummary, tuple[DayGroup, ...]], ...]
    """``DAYS`` days of each itinerary, equal days together; what has no permit in force, or does not run, is
    left out: nobody could see later that it got one, or lost it."""


@dataclass(frozen=True, slots=True)
class TownOffline:
    municipality: str
    first_day: date
    last_day: date
    """The last one for which departures are told."""
    stops: tuple[StopOffline, ...]
    """Where one may board, by name."""
    complete: bool
    """Whether these are all of them, or the first ``MOST_STOPS``."""
    as_of: date | None
    """The day of the oldest list."""


def town_offline(session: Session, municipality: str, *, at: datetime) -> TownOffline:
    """The boarding points of a town with the departures of ``DAYS`` days from the civil day of ``at`` on."""
    place = catalogue.municipality(municipality)
    today = place.civil_day(at)
    imports = store.current_imports(session, municipality)
    listed = list_itineraries(session, municipality, on=today)
    shown = {each.code: each for each in listed.itineraries if each.status in HUNG}
    read = store.stops_of(session, imports, limit=MOST_READ + 1)
    rows = [row for row in read if row.kind == StopKind.BOARDING_POINT]
    told = rows[:MOST_STOPS]
    calls = calls_of_stops(session, [row.id for row in told], around=today - timedelta(days=2))
    stops = []
    for row in told:
        weeks = []
        of_stop = calls.get(row.id, [])
        for code in dict.fromkeys(call.itinerary for call in of_stop if call.itinerary in shown):
            leaving = [call for call in of_stop if call.itinerary == code]
            week = week_from(leaving, today, zone=place.zone, holidays=place.holidays, days=DAYS)
            if any(group.runs for group in week):
                weeks.append((shown[code], week))
        stops.append(StopOffline(summary_of_stop(row, municipality), tuple(weeks)))
    return TownOffline(
        municipality=municipality,
        first_day=today,
        last_day=today + timedelta(days=DAYS - 1),
        stops=tuple(stops),
        complete=len(rows) == len(told) and len(read) <= MOST_READ,
        as_of=listed.as_of,
    )
