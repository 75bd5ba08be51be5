"""GTFS Schedule feeds, as agencies really hand them out (gtfs.org/schedule/reference).

What would tell a traveller something false is refused, with file, line, field and reason; what can be put
right without guessing wrong (a night trip whose clock starts again at 00:10) is taken with a warning.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from statistics import median
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from portal.domain.geo import Box, distance_m, is_position
from portal.domain.itineraries import (
    ParsedCall,
    ParsedItinerary,
    ParsedStop,
    ParsedTimetable,
    ParsedTrip,
    Way,
)
from portal.domain.names import fold, tidy
from portal.domain.timetable import DAY, Calendar, Frequency
from portal.importing.sources import Refused, Report, Row, Source

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
REQUIRED = ("agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt")
LATE, EARLY = 18 * 3600, 8 * 3600
MOST_OF_A_ROW = 10_000
"""Departures that one row of headways may stand for: a vehicle every nine seconds, a whole day; more is a slip."""
"""A time that falls from after six in the evening to before eight belongs to the next morning."""


def read_gtfs(path: Path, report: Report, *, within: Box | None = None) -> tuple[ParsedTimetable | None, str]:
    """A feed and the digest of its file; None when ``report`` holds a fatal problem.

    ``within`` is where its stops are expected.
    """
    source = Source(path, report)
    try:
        parsed = _Feed(source, report, within).read()
    except Refused:
        return None, source.digest
    return (None if report.refused else parsed), source.digest


@dataclass
class _Trip:
    code: str
    route: str
    calendar: str
    way: Way
    headsign: str | None
    shape: str | None
    accessible: bool | None
    line: int
    calls: dict[int, "_Call"] = field(default_factory=dict)
    frequencies: list[Frequency] = field(default_factory=list)


@dataclass(slots=True)
class _Call:
    stop: str
    arrives: int | None
    departs: int | None
    boarding: bool
    approximate: bool
    line: int


class _Feed:
    """The tables of one feed, read in the order in which they refer to each other."""

    def __init__(self, source: Source, report: Report, within: Box | None) -> None:
        self.source = source
        self.report = report
        self.within = within
        self.zones: dict[str, tuple[str, str]] = {}
        """Agency: its name and zone."""
        self.stops: dict[str, ParsedStop] = {}
        self.other_locations: set[str] = set()
        self.misplaced: set[str] = set()
        """Stops whose position is refused: one fault, told once."""
        self.routes: dict[str, Row] = {}
        self.calendars: dict[str, Calendar] = {}
        self.trips: dict[str, _Trip] = {}
        self.seen: dict[tuple[str, str], Row] = {}

    def read(self) -> ParsedTimetable:
        if self.report.refused:
            raise Refused
        for file in REQUIRED:
            if file not in self.source:
                self.report.refuse("missing_file", file)
        if "calendar.txt" not in self.source and "calendar_dates.txt" not in self.source:
            self.report.refuse("missing_calendar", "calendar.txt")
        if self.report.refused:
            raise Refused
        self._agencies()
        self._stops()
        self._routes()
        self._calendars()
        self._trips()
        self._stop_times()
        self._frequencies()
        running = self._running_trips()
        if self.report.refused:
            raise Refused
        trips = [(trip, tuple(self._interpolated(calls))) for trip, calls in running]
        if not trips:
            self.report.refuse("no_trips", "trips.txt")
        return self._timetable(trips)

    # The tables

    def _rows(self, file: str, *required: str) -> Iterator[Row]:
        if file in self.source:
            yield from self.source.rows(file, required=required)

    def _value(self, row: Row, name: str) -> str:
        if not row[name]:
            self.report.refuse("missing_value", row.file, row.line, name)
        return row[name]

    def _repeats(self, row: Row, name: str) -> bool:
        """Whether the key of this row was there before: word for word is forgiven, anything else is refused."""
        first = self.seen.setdefault((row.file, row[name]), row)
        if first is row:
            return False
        tell = self.report.warn if first.cells == row.cells else self.report.refuse
        tell("duplicate", row.file, row.line, name, row[name])
        return True

    def _agencies(self) -> None:
        for row in self._rows("agency.txt", "agency_name", "agency_timezone"):
            zone = self._value(row, "agency_timezone")
            if zone and not _is_zone(zone):
                self.report.refuse("no_zone", row.file, row.line, "agency_timezone", zone)
                zone = ""
            if self._repeats(row, "agency_id"):
                continue
            self.zones[row["agency_id"]] = (tidy(row["agency_name"]), zone)
        if len({zone for _, zone in self.zones.values()}) > 1:
            self.report.warn("two_zones", "agency.txt", None, "agency_timezone")

    def _stops(self) -> None:
        for row in self._rows("stops.txt", "stop_id"):
            code = self._value(row, "stop_id")
            if not code or self._repeats(row, "stop_id"):
                continue
            if row["location_type"] not in ("", "0"):
                self.other_locations.add(code)
                continue
            name = tidy(self._value(row, "stop_name"))
            position = read_position(row, "stop_lat", "stop_lon", self.report, self.within)
            if "," in row["stop_lat"] + row["stop_lon"]:
                written = f"{row['stop_lat']} {row['stop_lon']}"
                self.report.warn("decimal_comma", row.file, row.line, "stop_lat", written)
            if position:
                self.stops[code] = ParsedStop(
                    code=code, name=name, latitude=position[0], longitude=position[1],
                    accessible=_yes_no(row["wheelchair_boarding"]),
                    reference=_reference(row),
                )  # fmt: skip
            else:
                self.misplaced.add(code)

    def _routes(self) -> None:
        for row in self._rows("routes.txt", "route_id", "route_type"):
            code = self._value(row, "route_id")
            if self._repeats(row, "route_id"):
                continue
            if not (row["route_short_name"] or row["route_long_name"]):
                self.report.refuse("missing_value", row.file, row.line, "route_long_name")
            if not re.fullmatch("[0-9]{1,4}", row["route_type"]):
                self.report.refuse("no_number", row.file, row.line, "route_type", row["route_type"])
            if row["agency_id"] and row["agency_id"] not in self.zones:
                self.report.refuse("unknown_reference", row.file, row.line, "agency_id", row["agency_id"])
            elif not row["agency_id"] and len(self.zones) > 1:
                self.report.refuse("missing_value", row.file, row.line, "agency_id")
            self.routes[code] = row

    def _calendars(self) -> None:
        for row in self._rows("calendar.txt", "service_id", *WEEKDAYS, "start_date", "end_date"):
            code = self._value(row, "service_id")
            if self._repeats(row, "service_id"):
                continue
            for name in WEEKDAYS:
                if row[name] not in ("0", "1"):
                    self.report.refuse("no_flag", row.file, row.line, name, row[name])
            starts = self._date(row, "start_date")
            ends = self._date(row, "end_date")
            if starts and ends and starts > ends:
                self.report.refuse("ends_before_start", row.file, row.line, "end_date", row["end_date"])
            running = frozenset(number for number, name in enumerate(WEEKDAYS) if row[name] == "1")
            self.calendars[code] = Calendar(code, running, starts, ends)
        added: dict[str, set[date]] = defaultdict(set)
        removed: dict[str, set[date]] = defaultdict(set)
        for row in self._rows("calendar_dates.txt", "service_id", "date", "exception_type"):
            code, day = self._value(row, "service_id"), self._date(row, "date")
            if row["exception_type"] not in ("1", "2"):
                self.report.refuse("no_flag", row.file, row.line, "exception_type", row["exception_type"])
                continue
            same, other = (added, removed) if row["exception_type"] == "1" else (removed, added)
            if day and day in other[code]:
                self.report.refuse("duplicate", row.file, row.line, "date", row["date"])
            elif day and day in same[code]:
                self.report.warn("duplicate", row.file, row.line, "date", row["date"])
            elif day:
                same[code].add(day)
        for code in {*added, *removed}:
            self.calendars[code] = replace(
                self.calendars.get(code, Calendar(code)),
                added=frozenset(added[code]),
                removed=frozenset(removed[code]),
            )

    def _trips(self) -> None:
        for row in self._rows("trips.txt", "route_id", "service_id", "trip_id"):
            code = self._value(row, "trip_id")
            if self._repeats(row, "trip_id"):
                continue
            self._refers(row, "route_id", self.routes)
            self._refers(row, "service_id", self.calendars)
            if row["direction_id"] not in ("", "0", "1"):
                self.report.refuse("no_flag", row.file, row.line, "direction_id", row["direction_id"])
            self.trips[code] = _Trip(
                code=code, route=row["route_id"], calendar=row["service_id"],
                way=Way.INBOUND if row["direction_id"] == "1" else Way.OUTBOUND,
                headsign=tidy(row["trip_headsign"]) or None, shape=row["shape_id"] or None,
                accessible=_yes_no(row["wheelchair_accessible"]), line=row.line,
            )  # fmt: skip

    def _stop_times(self) -> None:
        for row in self._rows("stop_times.txt", "trip_id", "stop_id", "stop_sequence"):
            trip = self.trips.get(row["trip_id"])
            if trip is None:
                self._refers(row, "trip_id", self.trips)
                continue
            stop = row["stop_id"]
            if not stop and (row["location_group_id"] or row["location_id"]):
                self.report.warn("flexible", row.file, row.line, "stop_id")
                continue
            if stop in self.other_locations:
                self.report.refuse("not_a_stop", row.file, row.line, "stop_id", stop)
                continue
            if stop not in self.misplaced:
                self._refers(row, "stop_id", self.stops)
            if not re.fullmatch("[0-9]{1,9}", row["stop_sequence"]):
                self.report.refuse("no_number", row.file, row.line, "stop_sequence", row["stop_sequence"])
                continue
            sequence = int(row["stop_sequence"])
            if sequence in trip.calls:
                self.report.refuse("duplicate", row.file, row.line, "stop_sequence", row["stop_sequence"])
                continue
            arrives, departs = self._seconds(row, "arrival_time"), self._seconds(row, "departure_time")
            if (arrives is None) != (departs is None):
                name = "arrival_time" if arrives is None else "departure_time"
                self.report.warn("one_time_only", row.file, row.line, name)
            trip.calls[sequence] = _Call(
                stop=stop,
                arrives=departs if arrives is None else arrives,
                departs=arrives if departs is None else departs,
                boarding=row["pickup_type"] != "1",
                approximate=row["timepoint"] == "0",
                line=row.line,
            )

    def _frequencies(self) -> None:
        for row in self._rows("frequencies.txt", "trip_id", "start_time", "end_time", "headway_secs"):
            self._refers(row, "trip_id", self.trips)
            starts, ends = self._seconds(row, "start_time"), self._seconds(row, "end_time")
            for name in ("start_time", "end_time"):
                if not row[name]:
                    self.report.refuse("missing_value", row.file, row.line, name)
            if starts is None or ends is None:
                continue
            if ends <= starts:
                self.report.refuse("ends_before_start", row.file, row.line, "end_time", row["end_time"])
                continue
            headway = row["headway_secs"]
            if not re.fullmatch("[0-9]{1,6}", headway) or int(headway) * MOST_OF_A_ROW < ends - starts:
                self.report.refuse("no_number", row.file, row.line, "headway_secs", headway)
                continue
            if trip := self.trips.get(row["trip_id"]):
                exact = row["exact_times"] == "1"
                trip.frequencies.append(Frequency(starts, ends, int(headway), exact))

    def _refers(self, row: Row, name: str, known: Mapping[str, object]) -> None:
        if not row[name]:
            self.report.refuse("missing_value", row.file, row.line, name)
        elif row[name] not in known:
            self.report.refuse("unknown_reference", row.file, row.line, name, row[name])

    def _date(self, row: Row, name: str) -> date | None:
        text = self._value(row, name)
        if not text:
            return None
        try:
            if not re.fullmatch(r"\d{8}", text):
                raise ValueError
            return date(int(text[:4]), int(text[4:6]), int(text[6:]))
        except ValueError:
            self.report.refuse("no_date", row.file, row.line, name, text)
            return None

    def _seconds(self, row: Row, name: str) -> int | None:
        text = row[name]
        if not text:
            return None
        match = re.fullmatch(r"(\d{1,3}):([0-5]\d):([0-5]\d)", text)
        if match is None:
            self.report.refuse("no_time", row.file, row.line, name, text)
            return None
        hours, minutes, seconds = (int(part) for part in match.groups())
        return hours * 3600 + minutes * 60 + seconds

    # What the tables say together

    def _running_trips(self) -> list[tuple[_Trip, list[_Call]]]:
        """The trips that go somewhere, their calls in order; told as well where other tables are refused."""
        running = []
        for trip in self.trips.values():
            if len(trip.calls) < 2:
                if not self.report.refused:  # or its calls were refused, and that is told
                    self.report.warn("unused_trip", "trips.txt", trip.line, "trip_id", trip.code)
                continue
            calls = [trip.calls[number] for number in sorted(trip.calls)]
            if self._in_order(calls):
                running.append((trip, calls))
        return running

    def _in_order(self, calls: list[_Call]) -> bool:
        """Whether times run forwards, a clock that starts again at midnight put right."""
        file = "stop_times.txt"
        if all(call.departs is None for call in calls):
            self.report.warn("untimed_trip", file, calls[0].line, "departure_time")
            return True
        for end in (calls[0], calls[-1]):
            if end.departs is None:
                self.report.refuse("missing_value", file, end.line, "departure_time")
                return False
        before, added = 0, 0
        for call in calls:
            if call.arrives is None or call.departs is None:
                continue
            call.arrives += added
            call.departs += added
            if call.arrives < before and before % DAY >= LATE and call.arrives % DAY < EARLY:
                self.report.warn("past_midnight", file, call.line, "arrival_time")
                added += DAY
                call.arrives += DAY
                call.departs += DAY
            if call.departs < call.arrives and call.arrives % DAY >= LATE and call.departs % DAY < EARLY:
                added += DAY
                call.departs += DAY
            if call.arrives < before or call.departs < call.arrives:
                self.report.refuse("time_goes_back", file, call.line, "arrival_time")
                return False
            before = call.departs
        return True

    def _interpolated(self, calls: list[_Call]) -> Iterator[ParsedCall]:
        """Times that the feed leaves blank, by the distance between the timed stops around them."""
        along = [0.0]
        for one, other in pairwise(calls):
            here, there = self.stops[one.stop], self.stops[other.stop]
            metres = distance_m(here.latitude, here.longitude, there.latitude, there.longitude)
            along.append(along[-1] + max(1.0, metres))
        timed = [number for number, call in enumerate(calls) if call.departs is not None]
        for number, call in enumerate(calls):
            arrives, departs, approximate = call.arrives, call.departs, call.approximate
            if departs is None and timed:
                first = max(each for each in timed if each < number)
                last = min(each for each in timed if each > number)
                leaves, reaches = calls[first].departs, calls[last].arrives
                assert leaves is not None  # both are timed
                assert reaches is not None
                share = (along[number] - along[first]) / (along[last] - along[first])
                arrives = departs = round(leaves + share * (reaches - leaves))
                approximate = True
            # Nobody boards where the trip ends.
            yield ParsedCall(
                call.stop, arrives, departs, call.boarding and number < len(calls) - 1, approximate
            )

    def _timetable(self, trips: list[tuple[_Trip, tuple[ParsedCall, ...]]]) -> ParsedTimetable:
        shapes, fares, names = self._shapes(), self._fares(), self._translations()
        first_day, last_day = self._feed_dates()
        of_route: dict[str, list[tuple[_Trip, tuple[ParsedCall, ...]]]] = defaultdict(list)
        for trip, calls in trips:
            of_route[trip.route].append((trip, calls))
        itineraries = []
        for code, row in self.routes.items():
            if code not in of_route:
                self.report.warn("unused_route", row.file, row.line, "route_id", code)
                continue
            mine = of_route[code]
            agency, zone = self.zones.get(row["agency_id"]) or next(iter(self.zones.values()))
            calendars = [self.calendars[trip.calendar] for trip, _ in mine]
            days = [calendar.last_day for calendar in calendars]
            ends = None if None in days else max(day for day in days if day)
            starts = [calendar.starts for calendar in calendars if calendar.starts]
            itineraries.append(
                ParsedItinerary(
                    code=_code(code),
                    name=_name(row),
                    names=names.get(code, {}),
                    trips=tuple(_parsed_trip(trip, calls) for trip, calls in mine),
                    ways=_main_patterns(mine),
                    shapes={
                        way: shapes[shape] for way, shape in _main_shapes(mine).items() if shape in shapes
                    },
                    operator=agency or None,
                    fare_centavos=fares.get(code),
                    duration_minutes=_duration(mine),
                    zone=zone or None,
                    valid_from=max(
                        [*([min(starts)] if starts else []), *([first_day] if first_day else [])],
                        default=None,
                    ),
                    valid_until=min([day for day in (ends, last_day) if day], default=None),
                    accessible=_all_accessible(mine),
                    route_type=int(row["route_type"]),
                )
            )
        used = {call.stop for _, calls in trips for call in calls}
        unused = len(self.stops.keys() - used)
        if unused:
            self.report.warn("unused_stops", "stops.txt", value=str(unused))
        return ParsedTimetable(
            stops=tuple(stop for code, stop in self.stops.items() if code in used),
            itineraries=tuple(itineraries),
            calendars={trip.calendar: self.calendars[trip.calendar] for trip, _ in trips},
        )

    def _shapes(self) -> dict[str, tuple[tuple[float, float], ...]]:
        points: dict[str, list[tuple[int, float, float]]] = defaultdict(list)
        used = {trip.shape for trip in self.trips.values()}
        for row in self._rows("shapes.txt", "shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence"):
            try:
                latitude, longitude = float(row["shape_pt_lat"]), float(row["shape_pt_lon"])
                if not is_position(latitude, longitude):
                    raise ValueError
                if row["shape_id"] in used:
                    points[row["shape_id"]].append((int(row["shape_pt_sequence"]), latitude, longitude))
            except ValueError:
                # The line on a sketch: a point left out misleads nobody.
                self.report.warn("no_position", row.file, row.line, "shape_pt_lat", row["shape_pt_lat"])
        return {shape: tuple((lat, lon) for _, lat, lon in sorted(line)) for shape, line in points.items()}

    def _fares(self) -> dict[str, int]:
        """Routes of one single price in reais, in centavos."""
        prices: dict[str, int] = {}
        for row in self._rows("fare_attributes.txt", "fare_id", "price", "currency_type"):
            if row["currency_type"] == "BRL" and re.fullmatch(r"\d{1,6}([.,]\d{1,2})?", row["price"]):
                prices[row["fare_id"]] = round(float(row["price"].replace(",", ".")) * 100)
        of_route: dict[str, set[int]] = defaultdict(set)
        for row in self._rows("fare_rules.txt", "fare_id"):
            if row["route_id"] and row["fare_id"] in prices:
                of_route[row["route_id"]].add(prices[row["fare_id"]])
        return {route: next(iter(found)) for route, found in of_route.items() if len(found) == 1}

    def _translations(self) -> dict[str, dict[str, str]]:
        names: dict[str, dict[str, str]] = defaultdict(dict)
        for row in self._rows("translations.txt"):
            language = row["language"].split("-")[0].lower()
            if row["table_name"] == "routes" and row["field_name"] == "route_long_name" and row["record_id"]:
                names[row["record_id"]][language] = tidy(row["translation"])
        return names

    def _feed_dates(self) -> tuple[date | None, date | None]:
        for row in self._rows("feed_info.txt"):
            return tuple(  # type: ignore[return-value]  # exactly two
                self._date(row, name) if row[name] else None for name in ("feed_start_date", "feed_end_date")
            )
        return None, None


def read_position(
    row: Row, latitude: str, longitude: str, report: Report, within: Box | None = None
) -> tuple[float, float] | None:
    """Two degrees of a row, decimal commas allowed; anything that can be no place is refused with its field.

    A position outside ``within`` is flagged; where the two numbers changed places or lost their minus it is
    refused, as nobody would find the stop there.
    """
    degrees = []
    for name in (latitude, longitude):
        text = row[name]
        if not re.fullmatch(r"[+-]?\d{1,3}([.,]\d+)?", text):
            report.refuse("no_position" if text else "missing_value", row.file, row.line, name, text or None)
            return None
        degrees.append(float(text.replace(",", ".")))
    if not is_position(*degrees):
        report.refuse("no_position", row.file, row.line, latitude, f"{row[latitude]} {row[longitude]}")
        return None
    position = degrees[0], degrees[1]
    if within is not None and position not in within:
        written = f"{row[latitude]} {row[longitude]}"
        if within.holds_slip_of(*position):
            report.refuse("position_slip", row.file, row.line, latitude, written)
            return None
        report.warn("outside_state", row.file, row.line, latitude, written)
    return position


_Timed = tuple[_Trip, tuple[ParsedCall, ...]]


def _main_patterns(trips: Iterable[_Timed]) -> dict[Way, tuple[str, ...]]:
    """The stops of each way: of the pattern travelled most, the longest of equals."""
    patterns: dict[Way, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for trip, calls in trips:
        patterns[trip.way][tuple(call.stop for call in calls)] += 1
    return {
        way: max(counted, key=lambda pattern: (counted[pattern], len(pattern)))
        for way, counted in patterns.items()
    }


def _main_shapes(trips: Iterable[_Timed]) -> dict[Way, str]:
    shapes: dict[Way, Counter[str]] = defaultdict(Counter)
    for trip, _ in trips:
        if trip.shape:
            shapes[trip.way][trip.shape] += 1
    return {way: counted.most_common(1)[0][0] for way, counted in shapes.items()}


def _duration(trips: Iterable[_Timed]) -> int | None:
    """Minutes from end to end of an ordinary trip."""
    lengths = [
        calls[-1].arrives - calls[0].departs
        for _, calls in trips
        if calls[-1].arrives is not None and calls[0].departs is not None
    ]
    return round(median(lengths) / 60) if lengths else None


def _all_accessible(trips: Iterable[_Timed]) -> bool | None:
    said = {trip.accessible for trip, _ in trips}
    return True if said == {True} else False if said == {False} else None


def _parsed_trip(trip: _Trip, calls: tuple[ParsedCall, ...]) -> ParsedTrip:
    return ParsedTrip(
        code=trip.code, calendar=trip.calendar, way=trip.way, calls=calls, headsign=trip.headsign,
        frequencies=tuple(sorted(trip.frequencies, key=lambda each: each.starts)), accessible=trip.accessible,
    )  # fmt: skip


def _name(row: Row) -> str:
    short, long = tidy(row["route_short_name"]), tidy(row["route_long_name"])
    if short and long and short.casefold() not in long.casefold():
        return f"{short} – {long}"
    return long or short


def _reference(row: Row) -> str | None:
    """What to look for at a stop: its description, where that is more than its name again."""
    described = tidy(row["stop_desc"])
    return described if described and fold(described) != fold(row["stop_name"]) else None


def _code(route: str) -> str:
    return tidy(route).replace("/", "-")


def _yes_no(text: str) -> bool | None:
    return {"1": True, "2": False}.get(text)


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True
