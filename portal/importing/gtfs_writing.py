"""A timetable as a GTFS Schedule feed, such that ``read_gtfs`` finds the same departures in it.

What GTFS has no word for is written out: the holidays of an open rule day by day, a validity without an end
until ``Published.ends``. A time that is only about right is marked so (``timepoint`` 0).
"""

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import IO

from portal.domain.geo import DETOUR, distance_m
from portal.domain.itineraries import ParsedCall, ParsedItinerary, ParsedStop, ParsedTimetable, ParsedTrip
from portal.domain.names import as_code
from portal.domain.timetable import Calendar, HolidayRule, Holidays

BUS = 3
METRES_PER_SECOND = 15 / 3.6
"""Of a vehicle in town, where a source gives no arrival: the feed needs one, and says that it is a guess."""
SAME_FILE_TWICE = (1980, 1, 1, 0, 0, 0)
"""The time written on each table, so that the same timetable is the same file, byte by byte."""


@dataclass(frozen=True, slots=True)
class Published:
    """What a feed says of itself."""

    publisher: str
    address: str
    """Of the town's itineraries on the portal."""
    zone: str
    starts: date
    ends: date
    """Between these two a calendar without an end of its own is written out."""
    holidays: Holidays
    version: str


@dataclass(frozen=True, slots=True)
class Written:
    """How much of a timetable a feed holds."""

    stops: int = 0
    itineraries: int = 0
    trips: int = 0
    without_departures: tuple[str, ...] = ()
    """Codes of itineraries that have none: GTFS describes a route by its trips."""
    of_other_zones: tuple[str, ...] = ()
    """A feed has one time zone."""


def write_gtfs(timetables: Sequence[ParsedTimetable], published: Published, to: IO[bytes]) -> Written:
    """Write the zip of a feed with these timetables to an open binary file.

    Codes of stops and itineraries are unique among them, and every itinerary states its zone.
    """
    feed = _Feed(timetables, published)
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, columns, rows in feed.tables():
            _write_table(archive, name, columns, rows)
    return feed.written()


def _write_table(
    archive: zipfile.ZipFile, name: str, columns: tuple[str, ...], rows: Iterable[tuple[object, ...]]
) -> None:
    lines = iter(rows)
    first = next(lines, None)
    if first is None:
        return
    entry = zipfile.ZipInfo(name, SAME_FILE_TWICE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    with archive.open(entry, "w", force_zip64=True) as opened:
        text = io.TextIOWrapper(opened, encoding="utf-8", newline="")
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow(columns)
        writer.writerow(first)
        writer.writerows(lines)
        text.flush()
        text.detach()


_Table = tuple[str, tuple[str, ...], Iterable[tuple[object, ...]]]


class _Feed:
    def __init__(self, timetables: Sequence[ParsedTimetable], published: Published) -> None:
        self.published = published
        self.stops: dict[str, ParsedStop] = {}
        self.itineraries: list[ParsedItinerary] = []
        self.services: dict[Calendar, str] = {}
        self.trips: list[tuple[str, str, ParsedItinerary, ParsedTrip]] = []
        """Its code and its service in this feed, then where it belongs and the trip."""
        self.trip_codes: set[str] = set()
        self.without_departures: list[str] = []
        self.of_other_zones: list[str] = []
        stops = {stop.code: stop for timetable in timetables for stop in timetable.stops}
        for timetable in timetables:
            for itinerary in timetable.itineraries:
                self._take(itinerary, timetable.calendars)
        self.ways = {(itinerary.code, trip.way) for _, _, itinerary, trip in self.trips}
        used = {call.stop for _, _, _, trip in self.trips for call in trip.calls}
        self.stops = {code: stop for code, stop in stops.items() if code in used}
        self.agencies = {
            self._agency(each): each.operator or published.publisher for each in self.itineraries
        }

    def _take(self, itinerary: ParsedItinerary, calendars: Mapping[str, Calendar]) -> None:
        if itinerary.zone != self.published.zone:
            self.of_other_zones.append(itinerary.code)
            return
        taken: list[tuple[str, str, ParsedItinerary, ParsedTrip]] = []
        validity = itinerary.valid_from, itinerary.valid_until
        for trip in itinerary.trips:
            if trip.calls[0].departs is None:
                continue
            window = self._bounded(calendars[trip.calendar].within(*validity))
            if window is None:
                continue
            service = self.services.setdefault(window, f"s{len(self.services) + 1}")
            code = trip.code if trip.code not in self.trip_codes else f"{itinerary.code}:{trip.code}"
            self.trip_codes.add(code)
            taken.append((code, service, itinerary, trip))
        if not taken:
            self.without_departures.append(itinerary.code)
            return
        self.itineraries.append(itinerary)
        self.trips += taken

    def _bounded(self, calendar: Calendar) -> Calendar | None:
        """The calendar with a first and a last day and no rule for holidays; None if it runs on no day."""
        starts, ends = calendar.starts or self.published.starts, calendar.ends or self.published.ends
        days = set(calendar.added | calendar.removed)
        if calendar.holidays is not HolidayRule.AS_ANY_DAY:
            days |= {
                day
                for year in range(starts.year, ends.year + 1)
                for day in self.published.holidays(year)
                if starts <= day <= ends
            }
        added: set[date] = set()
        removed: set[date] = set()
        for day in days:
            plainly = starts <= day <= ends and day.weekday() in calendar.weekdays
            runs = calendar.runs_on(day, self.published.holidays)
            if runs != plainly:
                (added if runs else removed).add(day)
        if starts > ends or not calendar.weekdays:
            if not added:
                return None
            return Calendar("", added=frozenset(added))
        return Calendar("", calendar.weekdays, starts, ends, frozenset(added), frozenset(removed))

    def written(self) -> Written:
        return Written(
            stops=len(self.stops),
            itineraries=len(self.itineraries),
            trips=len(self.trips),
            without_departures=tuple(self.without_departures),
            of_other_zones=tuple(self.of_other_zones),
        )

    def _agency(self, itinerary: ParsedItinerary) -> str:
        return as_code(itinerary.operator or self.published.publisher)

    def tables(self) -> Iterator[_Table]:
        yield (
            "agency.txt",
            ("agency_id", "agency_name", "agency_url", "agency_timezone", "agency_lang"),
            (
                (code, name, self.published.address, self.published.zone, "pt")
                for code, name in self.agencies.items()
            ),
        )
        yield (
            "stops.txt",
            ("stop_id", "stop_name", "stop_desc", "stop_lat", "stop_lon", "wheelchair_boarding"),
            (
                (stop.code, stop.name, stop.reference or "", f"{stop.latitude:.6f}", f"{stop.longitude:.6f}",
                 _yes_no(stop.accessible))
                for stop in self.stops.values()
            ),
        )  # fmt: skip
        yield (
            "routes.txt",
            ("route_id", "agency_id", "route_long_name", "route_type"),
            (
                (
                    each.code,
                    self._agency(each),
                    each.name,
                    BUS if each.route_type is None else each.route_type,
                )
                for each in self.itineraries
            ),
        )
        yield from self._calendar_tables()
        yield (
            "trips.txt",
            ("route_id", "service_id", "trip_id", "trip_headsign", "direction_id", "shape_id",
             "wheelchair_accessible"),
            (
                (itinerary.code, service, code, trip.headsign or "", 1 if trip.way.value == "inbound" else 0,
                 _shape(itinerary, trip), _yes_no(trip.accessible))
                for code, service, itinerary, trip in self.trips
            ),
        )  # fmt: skip
        yield (
            "stop_times.txt",
            ("trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence", "pickup_type", "timepoint"),
            (
                (code, _clock(call.arrives), _clock(call.departs), call.stop, number, 0 if call.boarding else 1,
                 0 if call.approximate else 1)
                for code, _, _, trip in self.trips
                for number, call in enumerate(self._timed(trip.calls), 1)
            ),
        )  # fmt: skip
        yield (
            "frequencies.txt",
            ("trip_id", "start_time", "end_time", "headway_secs", "exact_times"),
            (
                (code, _clock(each.starts), _clock(each.ends), each.headway, int(each.exact))
                for code, _, _, trip in self.trips
                for each in trip.frequencies
            ),
        )
        yield (
            "shapes.txt",
            ("shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence"),
            (
                (f"{each.code}:{way.value}", f"{latitude:.5f}", f"{longitude:.5f}", number)
                for each in self.itineraries
                for way, line in each.shapes.items()
                if len(line) > 1 and (each.code, way) in self.ways
                for number, (latitude, longitude) in enumerate(line, 1)
            ),
        )
        yield from self._fare_tables()
        yield (
            "translations.txt",
            ("table_name", "field_name", "language", "translation", "record_id"),
            (
                ("routes", "route_long_name", language, name, each.code)
                for each in self.itineraries
                for language, name in sorted(each.names.items())
            ),
        )
        yield (
            "feed_info.txt",
            ("feed_publisher_name", "feed_publisher_url", "feed_lang", "feed_start_date", "feed_end_date",
             "feed_version", "feed_contact_url"),
            [
                (self.published.publisher, self.published.address, "pt", *self._first_and_last_day(),
                 self.published.version, self.published.address)
            ],
        )  # fmt: skip

    def _calendar_tables(self) -> Iterator[_Table]:
        yield (
            "calendar.txt",
            ("service_id", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
             "start_date", "end_date"),
            (
                (code, *(int(day in each.weekdays) for day in range(7)), _day(each.starts), _day(each.ends))
                for each, code in self.services.items()
                if each.starts and each.ends
            ),
        )  # fmt: skip
        yield (
            "calendar_dates.txt",
            ("service_id", "date", "exception_type"),
            (
                (code, _day(day), kind)
                for each, code in self.services.items()
                for day, kind in sorted([*((d, 1) for d in each.added), *((d, 2) for d in each.removed)])
            ),
        )

    def _first_and_last_day(self) -> tuple[str, str]:
        days = [
            day
            for each in self.services
            for day in (each.starts, each.ends, *each.added)
            if day is not None
        ] or [self.published.starts, self.published.ends]  # fmt: skip
        return _day(min(days)), _day(max(days))

    def _fare_tables(self) -> Iterator[_Table]:
        priced = [each for each in self.itineraries if each.fare_centavos is not None]
        fares = {
            (self._agency(each), each.fare_centavos): f"{self._agency(each)}:{each.fare_centavos}"
            for each in priced
        }
        yield (
            "fare_attributes.txt",
            ("fare_id", "price", "currency_type", "payment_method", "transfers", "agency_id"),
            (
                (code, f"{(centavos or 0) / 100:.2f}", "BRL", 0, 0, agency)
                for (agency, centavos), code in fares.items()
            ),
        )
        yield (
            "fare_rules.txt",
            ("fare_id", "route_id"),
            ((fares[self._agency(each), each.fare_centavos], each.code) for each in priced),
        )

    def _timed(self, calls: Sequence[ParsedCall]) -> Iterator[ParsedCall]:
        """Every call with a time: what the source leaves open after the departure is told from the distance."""
        at = calls[0].departs or 0
        for before, call in pairwise((calls[0], *calls)):
            if call.departs is not None:
                at = call.departs
                yield call
                continue
            here, there = self.stops[before.stop], self.stops[call.stop]
            metres = distance_m(here.latitude, here.longitude, there.latitude, there.longitude)
            at += max(60, round(metres * DETOUR / METRES_PER_SECOND))
            yield ParsedCall(call.stop, at, at, call.boarding, approximate=True)


def horizon(on: date) -> tuple[date, date]:
    """The days that a feed of ``on`` covers where a timetable has no end: this civil year and the next."""
    return date(on.year, 1, 1), date(on.year + 2, 1, 1) - timedelta(days=1)


def _shape(itinerary: ParsedItinerary, trip: ParsedTrip) -> str:
    return f"{itinerary.code}:{trip.way.value}" if len(itinerary.shapes.get(trip.way, ())) > 1 else ""


def _clock(seconds: int | None) -> str:
    minutes, second = divmod(seconds or 0, 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{second:02d}"


def _day(day: date | None) -> str:
    return f"{day:%Y%m%d}" if day else ""


def _yes_no(said: bool | None) -> int:
    return 0 if said is None else 1 if said else 2
