"""The timetable of a municipality as a GTFS feed: what it imported, for the journey planners of others."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import IO

from sqlalchemy.orm import Session

from portal.domain.errors import NothingHere
from portal.domain.itineraries import (
    ParsedCall,
    ParsedItinerary,
    ParsedStop,
    ParsedTimetable,
    ParsedTrip,
    StopKind,
    Way,
)
from portal.domain.timetable import Frequency
from portal.importing.gtfs_writing import Published, Written, horizon, write_gtfs
from portal.regulations import catalogue
from portal.services.itineraries.showing import list_itineraries
from portal.services.itineraries.timetables import calendars_by_id
from portal.storage import itineraries as store
from portal.storage.itineraries import TimetableImportRow
from portal.storage.timetable_imports import import_shown


@dataclass(frozen=True, slots=True)
class FeedState:
    """What a feed would hold now, without making it: for caches."""

    version: str
    """Changes when the feed would; equal states make the same file."""
    changed_at: datetime
    """When the newest of its lists was shown."""


def state_of_feed(session: Session, municipality: str, *, on: date, feed: str | None = None) -> FeedState:
    """Raises:
    NothingHere: the municipality has no timetable, or no feed of this name.
    """
    runs = _runs(session, municipality, feed)
    operators = _operators(session, municipality, on)
    said = repr(([(run.id, run.digest) for run in runs], horizon(on), sorted(operators.items())))
    shown = [run.finished_at or run.started_at for run in runs]
    return FeedState(hashlib.sha256(said.encode()).hexdigest()[:16], max(shown).astimezone(UTC))


def export_gtfs(
    session: Session, municipality: str, to: IO[bytes], *, address: str, on: date, feed: str | None = None
) -> Written:
    """Write the feed of a municipality's itineraries, bus lines too, to an open binary file.

    Args:
        address: of its itineraries on the portal, where the feed says it comes from.
        on: civil day; who runs an itinerary is read from the permits in force, and a timetable without an
            end is written out until the end of the next year.
        feed: one source of the municipality instead of all.

    Raises:
        NothingHere: the municipality has no timetable, or no feed of this name.
    """
    place = catalogue.municipality(municipality)
    runs = _runs(session, municipality, feed)
    operators = _operators(session, municipality, on)
    timetables = [_as_told(stored_timetable(session, run.id), operators, zone=place.zone.key) for run in runs]
    zones = {each.zone for timetable in timetables for each in timetable.itineraries if each.trips}
    zone = zones.pop() if len(zones) == 1 else None
    starts, ends = horizon(on)
    return write_gtfs(
        timetables,
        Published(
            publisher=f"{place.name} – {place.state}",
            address=address,
            zone=zone or place.zone.key,
            starts=starts,
            ends=ends,
            holidays=lambda year: place.holidays(year).keys(),
            version=state_of_feed(session, municipality, on=on, feed=feed).version,
        ),
        to,
    )


def stored_timetable(session: Session, import_id: int) -> ParsedTimetable:
    """An import as its importer read it, but for what the law changed of boarding."""
    calendars = calendars_by_id(session, store.calendar_ids_of_import(session, import_id))
    stops = {row.id: row for row in store.stops_of_import(session, import_id)}
    calls: dict[int, list[ParsedCall]] = {}
    for trip, stop, arrives, departs, boarding, approximate in store.stop_times_of_import(session, import_id):
        calls.setdefault(trip, []).append(
            ParsedCall(stops[stop].code, arrives, departs, boarding, approximate)
        )
    frequencies: dict[int, list[Frequency]] = {}
    for each in store.frequencies_of_import(session, import_id):
        frequencies.setdefault(each.trip_id, []).append(
            Frequency(each.starts, each.ends, each.headway, each.exact)
        )
    trips: dict[int, list[ParsedTrip]] = {}
    for row in store.trips_of_import(session, import_id):
        trips.setdefault(row.itinerary_id, []).append(
            ParsedTrip(
                code=row.code,
                calendar=calendars[row.calendar_id].code,
                way=Way(row.way),
                calls=tuple(calls[row.id]),
                headsign=row.headsign,
                frequencies=tuple(frequencies.get(row.id, ())),
                accessible=row.accessible,
            )
        )
    rows = store.itineraries_of(session, [import_id])
    ways = store.stops_of_itineraries(session, [row.id for row in rows])
    shapes: dict[int, dict[Way, tuple[tuple[float, float], ...]]] = {}
    for shape in store.shapes_of_import(session, import_id):
        shapes.setdefault(shape.itinerary_id, {})[Way(shape.way)] = store.points_of(shape.points)
    return ParsedTimetable(
        stops=tuple(
            ParsedStop(
                code=row.code,
                name=row.name,
                latitude=row.latitude,
                longitude=row.longitude,
                accessible=row.accessible,
                kind=StopKind(row.kind),
                reference=row.reference,
                valid_until=row.valid_until,
            )
            for row in stops.values()
        ),
        itineraries=tuple(
            ParsedItinerary(
                code=row.code,
                name=row.name,
                trips=tuple(trips.get(row.id, ())),
                ways=_ways(ways.get(row.id, [])),
                shapes=shapes.get(row.id, {}),
                names=row.names,
                operator=row.operator,
                fare_centavos=row.fare_centavos,
                duration_minutes=row.duration_minutes,
                zone=row.zone,
                valid_from=row.valid_from,
                valid_until=row.valid_until,
                accessible=row.accessible,
                route_type=row.route_type,
            )
            for row in rows
        ),
        calendars={calendar.code: calendar for calendar in calendars.values()},
    )


def _ways(stops: Sequence[tuple[str, int, store.StopRow]]) -> dict[Way, tuple[str, ...]]:
    found: dict[Way, tuple[str, ...]] = {}
    for way, _, stop in stops:
        found[Way(way)] = (*found.get(Way(way), ()), stop.code)
    return found


def _runs(session: Session, municipality: str, feed: str | None) -> list[TimetableImportRow]:
    """The imports shown that hold itineraries, oldest feed first."""
    catalogue.municipality(municipality)
    if feed is not None:
        shown = import_shown(session, municipality, feed)
        runs = [shown] if shown else []
    else:
        rows = store.import_rows(session, store.current_imports(session, municipality))
        runs = [run for _, (run, _) in sorted(rows.items())]
    runs = [run for run in runs if run.kind != "places"]
    if not runs:
        raise NothingHere(feed or municipality)
    return runs


def _operators(session: Session, municipality: str, on: date) -> dict[str, str]:
    """Who runs each itinerary that a permit in force names, by its code; a company, never a person."""
    listed = list_itineraries(session, municipality, on=on).itineraries
    return {each.code: each.operator for each in listed if each.operator and each.service}


def _as_told(timetable: ParsedTimetable, operators: dict[str, str], *, zone: str) -> ParsedTimetable:
    return replace(
        timetable,
        itineraries=tuple(
            replace(each, operator=operators.get(each.code, each.operator), zone=each.zone or zone)
            for each in timetable.itineraries
        ),
    )
