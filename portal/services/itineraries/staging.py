"""The rows of an import, written beside those that readers see, step by step; each step is a transaction."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from sqlalchemy.orm import Session

from portal.domain.batches import batches
from portal.domain.geo import Grid, cell_of
from portal.domain.itineraries import ParsedItinerary, ParsedPlace, ParsedStop, ParsedTimetable
from portal.domain.names import slips_of, tidy, words
from portal.domain.timetable import Calendar
from portal.regulations import catalogue
from portal.storage import timetable_imports as store
from portal.storage.itineraries import (
    CalendarExceptionRow,
    CalendarRow,
    FrequencyRow,
    ItineraryRow,
    ItineraryStopRow,
    NameWordRow,
    PlaceRow,
    ShapeRow,
    StopRow,
    StopTimeRow,
    TripRow,
    WordSlipRow,
    current_imports,
)

BATCH = 5_000
"""Rows that one short transaction writes."""

Step = Callable[[Session], None]


def stage(parsed: ParsedTimetable | Sequence[ParsedPlace], number: int, municipality: str) -> Iterator[Step]:
    """What has to be written of ``parsed`` as import ``number``."""
    if isinstance(parsed, ParsedTimetable):
        yield from _stage_timetable(parsed, number, municipality)
        said = [*(stop.name for stop in parsed.stops), *(_said(each) for each in parsed.itineraries)]
    else:
        for some in batches(parsed, BATCH):
            yield partial(_stage_places, places=some, number=number)
        said = [place.name for place in parsed]
    slips = (
        {"import_id": number, "slip": slip, "word": word}
        for word in sorted({word[:80] for name in said for word in words(name)})
        for slip in slips_of(word)
    )
    for rows in batches(slips, BATCH):
        yield partial(store.insert_rows, row=WordSlipRow, values=rows)


def _said(itinerary: ParsedItinerary) -> str:
    """By which an itinerary is found."""
    return " ".join([itinerary.code, itinerary.name, *itinerary.names.values()])


def _stage_places(session: Session, places: Sequence[ParsedPlace], number: int) -> None:
    for place in places:
        row = PlaceRow(
            import_id=number,
            name=place.name,
            kind=place.kind,
            latitude=place.latitude,
            longitude=place.longitude,
        )
        session.add(row)
        session.flush()
        store.insert_rows(session, NameWordRow, _words("place", row.id, number, place.name))


def _stage_timetable(parsed: ParsedTimetable, number: int, municipality: str) -> Iterator[Step]:
    calendars, stops, itineraries, trips = _Ids(), _Ids(), _Ids(), _Ids()

    def calendar_rows(session: Session) -> None:
        store.insert_rows(session, CalendarRow, [_calendar(c, number) for c in parsed.calendars.values()])
        calendars.known = store.ids_by_code(session, CalendarRow, number)
        exceptions = [
            {"calendar_id": calendars[code], "day": day, "runs": runs}
            for code, calendar in parsed.calendars.items()
            for runs, days in ((True, calendar.added), (False, calendar.removed))
            for day in days
        ]
        store.insert_rows(session, CalendarExceptionRow, exceptions)

    def stop_rows(session: Session, some: Sequence[ParsedStop]) -> None:
        store.insert_rows(session, StopRow, [_stop(stop, stops.code(stop.code), number) for stop in some])

    def itinerary_rows(session: Session) -> None:
        zone = catalogue.municipality(municipality).zone.key
        rows = [_itinerary(each, itineraries.code(each.code), zone, number) for each in parsed.itineraries]
        store.insert_rows(session, ItineraryRow, rows)
        itineraries.known = store.ids_by_code(session, ItineraryRow, number)
        stops.known = store.ids_by_code(session, StopRow, number)

    def name_rows(session: Session) -> None:
        for some in batches(parsed.stops, BATCH):
            rows = [row for stop in some for row in _words("stop", stops[stop.code], number, stop.name)]
            store.insert_rows(session, NameWordRow, rows)
        for each in parsed.itineraries:
            found = _words("itinerary", itineraries[each.code], number, _said(each))
            store.insert_rows(session, NameWordRow, found)

    def route_rows(session: Session) -> None:
        store.insert_rows(
            session,
            ItineraryStopRow,
            [
                {
                    "itinerary_id": itineraries[each.code],
                    "way": way.value,
                    "position": position,
                    "stop_id": stops[stop],
                }
                for each in parsed.itineraries
                for way, of_way in each.ways.items()
                for position, stop in enumerate(of_way)
            ],
        )
        store.insert_rows(
            session,
            ShapeRow,
            [
                {
                    "itinerary_id": itineraries[each.code],
                    "way": way.value,
                    "points": " ".join(f"{latitude:.5f},{longitude:.5f}" for latitude, longitude in line),
                }
                for each in parsed.itineraries
                for way, line in each.shapes.items()
            ],
        )

    def trip_rows(session: Session) -> None:
        rows = [
            {
                "import_id": number,
                "itinerary_id": itineraries[each.code],
                "calendar_id": calendars[trip.calendar],
                "code": trip.code,
                "way": trip.way.value,
                "headsign": trip.headsign,
                "first_departs": trip.calls[0].departs,
                "accessible": trip.accessible,
            }
            for each in parsed.itineraries
            for trip in each.trips
        ]
        for some in batches(rows, BATCH):
            store.insert_rows(session, TripRow, some)
        trips.known = store.ids_by_code(session, TripRow, number)
        frequencies = [
            {"trip_id": trips[trip.code], **asdict(frequency)}
            for each in parsed.itineraries
            for trip in each.trips
            for frequency in trip.frequencies
        ]
        store.insert_rows(session, FrequencyRow, frequencies)

    def taken_codes(session: Session) -> None:
        others = [each for each in current_imports(session, municipality) if each != number]
        feed = store.feed_name_of(session, number)
        others = [each for each in others if store.feed_name_of(session, each) != feed]
        stops.taken, itineraries.taken = (
            store.codes_in(session, row, others) for row in (StopRow, ItineraryRow)
        )
        stops.prefix = itineraries.prefix = feed

    yield taken_codes
    yield calendar_rows
    for some in batches(parsed.stops, BATCH):
        yield partial(stop_rows, some=some)
    yield itinerary_rows
    yield name_rows
    yield route_rows
    yield trip_rows
    times = (
        {
            "trip_id": trips[trip.code],
            "position": position,
            "stop_id": stops[call.stop],
            "arrives": call.arrives,
            "departs": call.departs,
            "boarding": call.boarding,
            "approximate": call.approximate,
        }
        for each in parsed.itineraries
        for trip in each.trips
        for position, call in enumerate(trip.calls)
    )
    for rows in batches(times, BATCH):
        yield partial(store.insert_rows, row=StopTimeRow, values=rows)


class _Ids:
    """Codes of one table: as the source writes them, as they are stored, and the keys they got.

    Two feeds of a municipality may both have a stop 1; addresses need one, so the later feed's name goes
    in front of a code that another feed already uses.
    """

    def __init__(self) -> None:
        self.known: dict[str, int] = {}
        self.taken: set[str] = set()
        self.prefix = ""

    def code(self, code: str) -> str:
        return f"{self.prefix}-{code}" if code in self.taken else code

    def __getitem__(self, code: str) -> int:
        return self.known[self.code(code)]


def _calendar(calendar: Calendar, number: int) -> dict[str, Any]:
    return {
        "import_id": number,
        "code": calendar.code,
        "weekdays": sum(1 << day for day in calendar.weekdays),
        "starts": calendar.starts,
        "ends": calendar.ends,
        "holidays": calendar.holidays.value,
    }


def _stop(stop: ParsedStop, code: str, number: int) -> dict[str, Any]:
    assert stop.kind is not None  # _with_boarding_points gave it one
    return {
        "import_id": number,
        "code": code,
        "name": tidy(stop.name)[:250],
        "name_norm": " ".join(words(stop.name))[:250],
        "latitude": stop.latitude,
        "longitude": stop.longitude,
        "finest_cell": cell_of(stop.latitude, stop.longitude, Grid.FINEST),
        "cell": cell_of(stop.latitude, stop.longitude),
        "coarse_cell": cell_of(stop.latitude, stop.longitude, Grid.COARSE),
        "kind": stop.kind.value,
        "accessible": stop.accessible,
        "reference": stop.reference[:250] if stop.reference else None,
        "valid_until": stop.valid_until,
    }


def _itinerary(itinerary: ParsedItinerary, code: str, zone: str, number: int) -> dict[str, Any]:
    return {
        "import_id": number,
        "code": code,
        "name": tidy(itinerary.name)[:250],
        "names": dict(itinerary.names),
        "operator": itinerary.operator,
        "fare_centavos": itinerary.fare_centavos,
        "duration_minutes": itinerary.duration_minutes,
        "zone": itinerary.zone if itinerary.zone != zone else None,
        "valid_from": itinerary.valid_from,
        "valid_until": itinerary.valid_until,
        "accessible": itinerary.accessible,
        "route_type": itinerary.route_type,
    }


def _words(target: str, number: int, import_id: int, name: str) -> list[dict[str, Any]]:
    found = dict.fromkeys(each[:80] for each in words(name))
    return [
        {
            "target": target,
            "target_id": number,
            "import_id": import_id,
            "word": word,
            "rank": min(99, len(found)),
        }
        for word in found
    ]
