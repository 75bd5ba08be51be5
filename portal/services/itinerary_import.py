"""Bring a feed of itineraries in: staged beside the old in short transactions, shown by one short merge.

Readers go on all the while. Every run is recorded, refused ones too; the same file twice changes nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime
from functools import partial
from typing import Any

from sqlalchemy.orm import Session

from portal.domain.batches import batches
from portal.domain.errors import ImportOvertaken
from portal.domain.geo import Grid, cell_of
from portal.domain.itineraries import (
    ParsedItinerary,
    ParsedPlace,
    ParsedStop,
    ParsedTimetable,
    SourceProblem,
    StopKind,
)
from portal.domain.names import tidy, words
from portal.domain.permits import Service
from portal.domain.timetable import Calendar
from portal.regulations import catalogue
from portal.regulations.schema import BoardingKind
from portal.services.unit_of_work import unit_of_work
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
    TimetableImportRow,
    TripRow,
    current_imports,
)

BATCH = 5_000
"""Rows that one short transaction writes."""

Unit = Callable[..., AbstractContextManager[Session]]
"""Opens a unit of work: ``unit(writes=True)``."""


@dataclass(frozen=True, slots=True)
class FileRead:
    """What an importer made of a file."""

    kind: str
    """``gtfs``, ``tables``, ``lines`` or ``places``."""
    name: str
    """The file's own name, without the folders of the machine it lay on."""
    digest: str
    parsed: ParsedTimetable | tuple[ParsedPlace, ...] | None
    problems: tuple[SourceProblem, ...] = ()
    problems_left_out: int = 0


@dataclass(frozen=True, slots=True)
class ImportReport:
    outcome: str
    """``merged``, ``unchanged``, ``refused`` or ``dry_run``."""
    municipality: str
    feed: str
    file_name: str
    counts: dict[str, int] = field(default_factory=dict)
    """Rows read; and ``stops_added``, ``itineraries_removed`` … against what was shown before."""
    problems: tuple[SourceProblem, ...] = ()
    problems_left_out: int = 0


def import_file(
    read: FileRead,
    *,
    municipality: str,
    service: Service | None = None,
    feed: str | None = None,
    as_of: date,
    now: datetime,
    dry_run: bool = False,
    unit: Unit = unit_of_work,
) -> ImportReport:
    """Stage and merge what was read of a file; a dry run reports the same and changes nothing.

    Args:
        service: whose itineraries these are; None for bus lines, which no instrument here authorises.
        feed: which source of the municipality this is; a new import of it replaces the last one.
        as_of: the day of the list.

    Raises:
        UnknownMunicipality: no folder of data describes it.
        ImportOvertaken: another import of the same feed began meanwhile; nothing of this one is shown.
    """
    catalogue.municipality(municipality)
    name = feed or (service.value if service else read.kind)
    report = ImportReport("refused", municipality, name, read.name, {}, read.problems, read.problems_left_out)
    if read.parsed is None or (isinstance(read.parsed, ParsedTimetable) and not read.parsed.itineraries):
        if not dry_run:
            with unit(writes=True) as session:
                _begin(session, read, municipality, name, service, as_of, now, outcome="refused")
        return report
    parsed = read.parsed
    if isinstance(parsed, ParsedTimetable):
        parsed = _with_boarding_points(parsed, municipality, service, as_of)
    with unit() as session:
        counts = _compare(session, parsed, municipality, name)
        shown = store.import_shown(session, municipality, name)
        same = shown is not None and (shown.digest, shown.service) == (read.digest, _text(service))
    if same or dry_run:
        outcome = "unchanged" if same else "dry_run"
        if same and not dry_run:
            with unit(writes=True) as session:
                _begin(session, read, municipality, name, service, as_of, now, outcome=outcome)
        return replace(report, outcome=outcome, counts=counts)
    with unit(writes=True) as session:
        run = _begin(session, read, municipality, name, service, as_of, now, outcome="staging")
        store.overtake_others(session, run.feed_id, run.id)
        number, feed_id = run.id, run.feed_id
    try:
        for step in _stage(parsed, number, municipality):
            with unit(writes=True) as session:
                _still_ours(session, number)
                step(session)
        with unit(writes=True) as session:
            _still_ours(session, number)
            store.make_current(session, feed_id, number)
            _end(session, number, "merged", now, counts)
    except BaseException:
        with unit(writes=True) as session:
            _end(session, number, "failed", now, counts)
        raise
    finally:
        clear_old_rows(feed_id, unit=unit)
    return replace(report, outcome="merged", counts=counts)


def clear_old_rows(feed_id: int, *, unit: Unit = unit_of_work) -> None:
    """Remove the rows of imports that no reader looks at any more, a table at a time."""
    with unit() as session:
        numbers = store.superseded_imports(session, feed_id)
    for number in numbers:
        for statement in store.clear_steps():
            with unit(writes=True) as session:
                session.execute(statement(number))
        with unit(writes=True) as session:
            store.mark_cleared(session, number)


def _begin(
    session: Session,
    read: FileRead,
    municipality: str,
    feed: str,
    service: Service | None,
    as_of: date,
    now: datetime,
    *,
    outcome: str,
) -> TimetableImportRow:
    run = TimetableImportRow(
        feed_id=store.feed_row(session, municipality, feed).id,
        kind=read.kind,
        file_name=read.name[:200],
        digest=read.digest,
        outcome=outcome,
        started_at=now,
        finished_at=None if outcome == "staging" else now,
        as_of=as_of,
        service=_text(service),
        counts={},
        problems=[asdict(problem) for problem in read.problems],
    )
    session.add(run)
    session.flush()
    return run


def _still_ours(session: Session, number: int) -> None:
    if store.outcome_of(session, number) != "staging":
        raise ImportOvertaken(number)


def _end(session: Session, number: int, outcome: str, now: datetime, counts: dict[str, int]) -> None:
    run = session.get_one(TimetableImportRow, number)
    if run.outcome == "staging":
        run.outcome = outcome
    run.finished_at = now
    run.counts = counts
    session.flush()


def _text(service: Service | None) -> str | None:
    return service.value if service else None


def _with_boarding_points(
    parsed: ParsedTimetable, municipality: str, service: Service | None, on: date
) -> ParsedTimetable:
    """Say of each stop whether one may board there, where the source does not.

    Where the law of the service allows boarding at the two ends alone (as art. 4 of the recreational
    decree does), the stops between them are places the vehicle passes.
    """
    only_ends = service is not None and any(
        rule.kind is BoardingKind.ONLY_AT_ENDS for rule in catalogue.boarding_rules(municipality, service, on)
    )
    ends = {
        code
        for itinerary in parsed.itineraries
        for way in itinerary.ways.values()
        for code in (way[0], way[-1])
    }

    def kind(stop: ParsedStop) -> StopKind:
        # The law outweighs a table that calls a stop between the ends a boarding point.
        if only_ends and stop.code not in ends:
            return StopKind.STOP
        return stop.kind or StopKind.BOARDING_POINT

    stops = tuple(replace(stop, kind=kind(stop)) for stop in parsed.stops)
    if not only_ends:
        return replace(parsed, stops=stops)
    return replace(
        parsed, stops=stops, itineraries=tuple(_boarding_at_ends(each) for each in parsed.itineraries)
    )


def _boarding_at_ends(itinerary: ParsedItinerary) -> ParsedItinerary:
    """The end of one itinerary may lie in the middle of another: there nobody boards the other."""
    trips = (
        replace(
            trip,
            calls=tuple(
                replace(call, boarding=call.boarding and number == 0)
                for number, call in enumerate(trip.calls)
            ),
        )
        for trip in itinerary.trips
    )
    return replace(itinerary, trips=tuple(trips))


def _compare(
    session: Session, parsed: ParsedTimetable | Sequence[ParsedPlace], municipality: str, feed: str
) -> dict[str, int]:
    shown = store.import_shown(session, municipality, feed)
    before = [shown.id] if shown else []
    if not isinstance(parsed, ParsedTimetable):
        return {"places": len(parsed)}
    counts = {
        "stops": len(parsed.stops),
        "itineraries": len(parsed.itineraries),
        "trips": sum(len(itinerary.trips) for itinerary in parsed.itineraries),
    }
    for what, row, codes in (
        ("stops", StopRow, {stop.code for stop in parsed.stops}),
        ("itineraries", ItineraryRow, {itinerary.code for itinerary in parsed.itineraries}),
    ):
        old = store.codes_in(session, row, before)
        counts[f"{what}_added"] = len(codes - old)
        counts[f"{what}_removed"] = len(old - codes)
    return counts


Step = Callable[[Session], None]


def _stage(parsed: ParsedTimetable | Sequence[ParsedPlace], number: int, municipality: str) -> Iterator[Step]:
    if isinstance(parsed, ParsedTimetable):
        yield from _stage_timetable(parsed, number, municipality)
    else:
        for some in batches(parsed, BATCH):
            yield partial(_stage_places, places=some, number=number)


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
            said = " ".join([each.code, each.name, *each.names.values()])
            store.insert_rows(session, NameWordRow, _words("itinerary", itineraries[each.code], number, said))

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
        "cell": cell_of(stop.latitude, stop.longitude),
        "coarse_cell": cell_of(stop.latitude, stop.longitude, Grid.COARSE),
        "kind": stop.kind.value,
        "accessible": stop.accessible,
        "reference": stop.reference[:250] if stop.reference else None,
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
    }


def _words(target: str, number: int, import_id: int, name: str) -> list[dict[str, Any]]:
    return [
        {"target": target, "target_id": number, "import_id": import_id, "word": word[:80]}
        for word in dict.fromkeys(each[:80] for each in words(name))
    ]
