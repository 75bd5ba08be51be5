"""A clerk's way without GTFS: a folder or zip with ``pontos.csv``, ``itinerarios.csv`` and ``partidas.csv``.

Columns, in any order, with commas or semicolons:

- ``pontos``: codigo, nome, latitude, longitude; acessivel, referencia, embarque, valido_ate where known.
- ``itinerarios``: codigo, nome, pontos (``P1 > P2 > P3``); volta (a list again, or ``sim`` for the same way
  back), nome_en, nome_es, tarifa, duracao_min, valido_de, valido_ate, acessivel.
- ``partidas``: itinerario, dias, horarios; sentido (ida, volta), de, ate, exceto, inclui.

``itinerarios`` may hold the departures too, one row for each set of days; then ``partidas`` is not needed.
The desk's forms fill the same tables and are read by the same code.

Days are written ``seg-sex``, ``sab dom``, ``todos``, ``feriados``, ``seg-sex menos feriados``; times
``10:00 10:30 24:30`` or ``10:00-18:00/30``, every thirty minutes.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path

from portal.domain.geo import Box, distance_m
from portal.domain.itineraries import (
    ClerkRow,
    ParsedCall,
    ParsedItinerary,
    ParsedPlace,
    ParsedStop,
    ParsedTimetable,
    ParsedTrip,
    Sheet,
    StopKind,
    Way,
)
from portal.domain.names import fold, tidy
from portal.domain.timetable import Calendar, HolidayRule
from portal.importing.gtfs import read_position
from portal.importing.sources import Refused, Report, Row, Source

STOPS, ITINERARIES, DEPARTURES = "pontos.csv", "itinerarios.csv", "partidas.csv"
FILES = {Sheet.STOPS: STOPS, Sheet.ITINERARIES: ITINERARIES, Sheet.DEPARTURES: DEPARTURES}
COLUMNS = {
    Sheet.STOPS: (
        "codigo", "nome", "latitude", "longitude", "acessivel", "referencia", "embarque", "valido_ate",
    ),
    Sheet.ITINERARIES: (
        "codigo", "nome", "nome_en", "nome_es", "pontos", "volta", "tarifa", "duracao_min", "valido_de",
        "valido_ate", "acessivel",
    ),
    Sheet.DEPARTURES: ("itinerario", "sentido", "dias", "horarios", "de", "ate", "exceto", "inclui"),
}  # fmt: skip
NEEDED = {
    Sheet.STOPS: ("codigo", "nome", "latitude", "longitude"),
    Sheet.ITINERARIES: ("codigo", "nome", "pontos"),
    Sheet.DEPARTURES: ("itinerario", "dias", "horarios"),
}
WEEKDAYS = ("seg", "ter", "qua", "qui", "sex", "sab", "dom")


def read_tables(
    path: Path, report: Report, *, within: Box | None = None
) -> tuple[ParsedTimetable | None, str]:
    """Stops, itineraries and departures, and the digest; None when ``report`` holds a fatal problem."""
    source = Source(path, report, extension=".csv")
    try:
        for file in (STOPS, ITINERARIES):
            if file not in source and not report.refused:
                report.refuse("missing_file", file)
        if report.refused:
            raise Refused
        parsed = _Tables(source, report, within).read()
    except Refused:
        return None, source.digest
    return (None if report.refused else parsed), source.digest


def read_rows(
    rows: Mapping[Sheet, Sequence[ClerkRow]], report: Report, *, within: Box | None = None
) -> tuple[ParsedTimetable | None, str]:
    """What the desk's forms hold, read as the files are; a problem's line is the row's ``entry``."""
    source = _Typed(rows)
    try:
        parsed = _Tables(source, report, within).read()
    except Refused:
        return None, source.digest
    return (None if report.refused else parsed), source.digest


class _Typed:
    """Rows of forms in the place of files."""

    def __init__(self, rows: Mapping[Sheet, Sequence[ClerkRow]]) -> None:
        self._rows = {FILES[sheet]: of_sheet for sheet, of_sheet in rows.items()}
        said = [[sheet, sorted(row.cells.items())] for sheet, of in sorted(rows.items()) for row in of]
        self.digest = hashlib.sha256(json.dumps(said).encode()).hexdigest()

    def __contains__(self, file: str) -> bool:
        return file in self._rows

    def table(self, file: str, *, required: tuple[str, ...] = ()) -> Iterator[Row]:
        for row in self._rows.get(file, ()):
            yield Row(file, row.entry or 0, dict(row.cells))


def read_places(
    path: Path, report: Report, *, within: Box | None = None
) -> tuple[tuple[ParsedPlace, ...] | None, str]:
    """Neighbourhoods and sights of one CSV (nome, tipo, latitude, longitude), and the digest."""
    source = Source(path, report, extension=".csv")
    places = []
    try:
        for file in source.files:
            for row in source.table(file, required=("nome", "latitude", "longitude")):
                position = read_position(row, "latitude", "longitude", report, within)
                name = tidy(row["nome"])
                if not name:
                    report.refuse("missing_value", file, row.line, "nome")
                elif position:
                    places.append(ParsedPlace(name, tidy(row["tipo"]) or "bairro", *position))
    except Refused:
        return None, source.digest
    return (None if report.refused else tuple(places)), source.digest


class _Tables:
    def __init__(self, source: "Source | _Typed", report: Report, within: Box | None) -> None:
        self.source = source
        self.report = report
        self.within = within
        self.stops: dict[str, ParsedStop] = {}
        self.stop_lines: dict[str, Row] = {}
        self.itineraries: dict[str, ParsedItinerary] = {}
        self.calendars: dict[Calendar, str] = {}
        self.departures: list[Row] = []
        self.kept: dict[Sheet, list[ClerkRow]] = {sheet: [] for sheet in Sheet}

    def read(self) -> ParsedTimetable:
        self._stops()
        self._itineraries()
        trips: dict[str, list[ParsedTrip]] = {code: [] for code in self.itineraries}
        if DEPARTURES in self.source:
            self.departures += self.source.table(DEPARTURES, required=NEEDED[Sheet.DEPARTURES])
        for row in self.departures:
            self._keep(Sheet.DEPARTURES, row)
            for trip in self._trips(row):
                trips[_code(row["itinerario"])].append(trip)
        return ParsedTimetable(
            stops=tuple(self.stops.values()),
            itineraries=tuple(
                replace(itinerary, trips=tuple(_numbered(code, trips[code])))
                for code, itinerary in self.itineraries.items()
            ),
            calendars={code: replace(calendar, code=code) for calendar, code in self.calendars.items()},
            clerk_rows={sheet: tuple(rows) for sheet, rows in self.kept.items()},
        )

    def _keep(self, sheet: Sheet, row: Row) -> None:
        cells = {name: row[name] for name in COLUMNS[sheet] if row[name]}
        self.kept[sheet].append(ClerkRow(cells, row.line if isinstance(self.source, _Typed) else None))

    def _stops(self) -> None:
        for row in self.source.table(STOPS, required=NEEDED[Sheet.STOPS]):
            self._keep(Sheet.STOPS, row)
            code, name = _code(row["codigo"]), tidy(row["nome"])
            for column, value in (("codigo", code), ("nome", name)):
                if not value:
                    self.report.refuse("missing_value", row.file, row.line, column)
            if code in self.stops:
                self.report.refuse("duplicate", row.file, row.line, "codigo", code)
            position = read_position(row, "latitude", "longitude", self.report, self.within)
            if position:
                boards = self._yes_no(row, "embarque")
                self.stops[code] = ParsedStop(
                    code=code,
                    name=name,
                    latitude=position[0],
                    longitude=position[1],
                    accessible=self._yes_no(row, "acessivel"),
                    kind=None if boards is None else StopKind.BOARDING_POINT if boards else StopKind.STOP,
                    reference=tidy(row["referencia"]) or None,
                    valid_until=self._date(row, "valido_ate"),
                )
                self.stop_lines[code] = row

    def _itineraries(self) -> None:
        first_rows: dict[str, Row] = {}
        for row in self.source.table(ITINERARIES, required=NEEDED[Sheet.ITINERARIES]):
            code, name = _code(row["codigo"]), tidy(row["nome"])
            if row["horarios"]:
                of_departure = {column: row[column] for column in COLUMNS[Sheet.DEPARTURES][1:]}
                self.departures.append(Row(row.file, row.line, {"itinerario": code, **of_departure}))
                if code in self.itineraries and row["pontos"] in ("", first_rows[code]["pontos"]):
                    continue
            first_rows.setdefault(code, row)
            self._keep(Sheet.ITINERARIES, row)
            for column, value in (("codigo", code), ("nome", name)):
                if not value:
                    self.report.refuse("missing_value", row.file, row.line, column)
            if code in self.itineraries:
                self.report.refuse("duplicate", row.file, row.line, "codigo", code)
            outbound = self._route(row, "pontos")
            ways = {Way.OUTBOUND: outbound}
            if fold(row["volta"]) in ("sim", "s", "x"):
                ways[Way.INBOUND] = tuple(reversed(outbound))
            elif row["volta"] and fold(row["volta"]) not in ("nao", "n"):
                ways[Way.INBOUND] = self._route(row, "volta")
            self.itineraries[code] = ParsedItinerary(
                code=code,
                name=name,
                names={
                    language: tidy(row[f"nome_{language}"])
                    for language in ("en", "es")
                    if row[f"nome_{language}"]
                },
                ways={way: stops for way, stops in ways.items() if stops},
                fare_centavos=self._money(row, "tarifa"),
                duration_minutes=self._minutes(row, "duracao_min"),
                valid_from=self._date(row, "valido_de"),
                valid_until=self._date(row, "valido_ate"),
                accessible=self._yes_no(row, "acessivel"),
            )
            self._outlasts(self.itineraries[code])

    def _outlasts(self, itinerary: ParsedItinerary) -> None:
        """No stop ends while an itinerary still runs along it."""
        for code in dict.fromkeys(stop for way in itinerary.ways.values() for stop in way):
            stop = self.stops.get(code)
            if stop is None or stop.valid_until is None:
                continue
            if itinerary.valid_until is None or itinerary.valid_until > stop.valid_until:
                row = self.stop_lines[code]
                self.report.refuse("stop_in_use", row.file, row.line, "valido_ate", itinerary.code)

    def _route(self, row: Row, column: str) -> tuple[str, ...]:
        stops = tuple(_code(part) for part in re.split(r"[>|]", row[column]) if part.strip())
        for stop in stops:
            if stop not in self.stops:
                self.report.refuse("unknown_reference", row.file, row.line, column, stop)
        if len(stops) < 2:
            self.report.refuse("too_few_stops", row.file, row.line, column, row[column])
            return ()
        return stops

    def _trips(self, row: Row) -> Iterator[ParsedTrip]:
        itinerary = self.itineraries.get(_code(row["itinerario"]))
        if itinerary is None:
            self.report.refuse("unknown_reference", row.file, row.line, "itinerario", row["itinerario"])
            return
        way = {"": Way.OUTBOUND, "ida": Way.OUTBOUND, "volta": Way.INBOUND}.get(fold(row["sentido"]))
        if way is None or way not in itinerary.ways:
            self.report.refuse("no_way", row.file, row.line, "sentido", row["sentido"])
            return
        calendar = self._calendar(row)
        if calendar is None:
            return
        code = self.calendars.setdefault(calendar, f"c{len(self.calendars) + 1}")
        for leaves in self._times(row):
            calls = tuple(self._calls(itinerary, way, leaves))
            yield ParsedTrip("", code, way, calls, accessible=itinerary.accessible)

    def _calls(self, itinerary: ParsedItinerary, way: Way, leaves: int) -> Iterator[ParsedCall]:
        """The end-to-end time shared out by distance: stops on the way get a time that is about right."""
        stops = [self.stops[code] for code in itinerary.ways[way] if code in self.stops]
        lengths = [
            max(1.0, distance_m(here.latitude, here.longitude, there.latitude, there.longitude))
            for here, there in pairwise(stops)
        ]
        seconds = itinerary.duration_minutes * 60 if itinerary.duration_minutes else None
        gone, last = 0.0, len(stops) - 1
        for number, stop in enumerate(stops):
            gone += lengths[number - 1] if number else 0.0
            share = gone / sum(lengths) if lengths else 0.0
            at = leaves if number == 0 else None if seconds is None else leaves + round(share * seconds)
            yield ParsedCall(stop.code, at, at, boarding=number < last, approximate=number > 0)

    def _calendar(self, row: Row) -> Calendar | None:
        text = fold(row["dias"].replace("-", " a ").replace("–", " a "))
        text, never = re.subn(r"\b(menos|exceto|sem) feriados?\b", "", text)
        text, also = re.subn(r"\b(e )?feriados?\b", "", text)
        days: set[int] = set()
        for part in re.findall(r"todos|(?:[a-z]+ a [a-z]+)|[a-z]+", re.sub(r"\be\b", " ", text)):
            found = _weekdays(part)
            if found is None:
                self.report.refuse("no_days", row.file, row.line, "dias", row["dias"])
                return None
            days |= found
        if not days and not also:
            self.report.refuse("no_days", row.file, row.line, "dias", row["dias"])
            return None
        holidays = HolidayRule.AS_ANY_DAY
        if never:
            holidays = HolidayRule.NEVER
        elif also:
            holidays = HolidayRule.ALSO if days else HolidayRule.ONLY
        return Calendar(
            code="",
            weekdays=frozenset(days),
            starts=self._date(row, "de"),
            ends=self._date(row, "ate"),
            added=self._dates(row, "inclui"),
            removed=self._dates(row, "exceto"),
            holidays=holidays,
        )

    def _times(self, row: Row) -> Iterator[int]:
        parts = re.split(r"[\s,;]+", re.sub(r"\s*([-–/])\s*", r"\1", row["horarios"].strip()))
        for part in parts:
            clocks = re.fullmatch(
                r"(\d{1,2})[:h](\d{2})(?:[-–](\d{1,2})[:h](\d{2})/(\d{1,3})(?:min)?)?", part
            )
            if clocks is None or int(clocks[2]) > 59 or int(clocks[1]) > 47:
                self.report.refuse("no_time", row.file, row.line, "horarios", part or None)
                return
            starts = int(clocks[1]) * 60 + int(clocks[2])
            if clocks[3] is None:
                yield starts * 60
                continue
            ends, every = int(clocks[3]) * 60 + int(clocks[4]), int(clocks[5])
            if not starts <= ends < 48 * 60 or int(clocks[4]) > 59 or every < 1:
                self.report.refuse("no_time", row.file, row.line, "horarios", part)
                return
            yield from (minute * 60 for minute in range(starts, ends + 1, every))

    def _dates(self, row: Row, column: str) -> frozenset[date]:
        days = (self._day(row, column, part) for part in re.split(r"[\s,;]+", row[column]) if part)
        return frozenset(day for day in days if day)

    def _date(self, row: Row, column: str) -> date | None:
        return self._day(row, column, row[column]) if row[column] else None

    def _day(self, row: Row, column: str, text: str) -> date | None:
        match = re.fullmatch(r"(\d{4})-(\d{2})-(\d{2})", text)
        parts = match.groups() if match else ()
        if match := re.fullmatch(r"(\d{1,2})/(\d{1,2})/(\d{4})", text):
            parts = match.groups()[::-1]
        try:
            return date(*(int(part) for part in parts))
        except (TypeError, ValueError):
            self.report.refuse("no_date", row.file, row.line, column, text)
            return None

    def _money(self, row: Row, column: str) -> int | None:
        """Centavos."""
        text = row[column].replace("R$", "").strip()
        if not text:
            return None
        match = re.fullmatch(r"(\d{1,5})(?:[.,](\d{1,2}))?", text)
        if match is None:
            self.report.refuse("no_number", row.file, row.line, column, row[column])
            return None
        return int(match[1]) * 100 + int((match[2] or "0").ljust(2, "0"))

    def _minutes(self, row: Row, column: str) -> int | None:
        if not row[column]:
            return None
        if not re.fullmatch("[0-9]{1,4}", row[column]) or not 0 < int(row[column]) <= 1440:
            self.report.refuse("no_number", row.file, row.line, column, row[column])
            return None
        return int(row[column])

    def _yes_no(self, row: Row, column: str) -> bool | None:
        said = fold(row[column])
        if said in ("", "sim", "s", "nao", "n"):
            return None if not said else said.startswith("s")
        self.report.refuse("no_flag", row.file, row.line, column, row[column])
        return None


def _weekdays(text: str) -> set[int] | None:
    """``seg a sex``, ``sabado``, ``todos``; None for a word that is no day."""
    if text == "todos":
        return set(range(7))
    numbers = []
    for word in text.split(" a "):
        number = next((n for n, name in enumerate(WEEKDAYS) if word[:3] == name), None)
        if number is None:
            return None
        numbers.append(number)
    if len(numbers) == 1:
        return set(numbers)
    first, last = numbers
    return {day % 7 for day in range(first, last + 1 if last >= first else last + 8)}


def _numbered(code: str, trips: list[ParsedTrip]) -> Iterator[ParsedTrip]:
    for number, trip in enumerate(trips, 1):
        yield replace(trip, code=f"{code}:{number}")


def _code(text: str) -> str:
    return tidy(text).replace("/", "-")
