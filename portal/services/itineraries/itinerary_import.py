"""Bring a feed of itineraries in: staged beside the old in short transactions, shown by one short merge.

Readers go on all the while. Every run is recorded, refused ones too; the same file twice changes nothing.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime

from sqlalchemy.orm import Session

from portal.domain.errors import ImportOvertaken
from portal.domain.itineraries import (
    ParsedItinerary,
    ParsedPlace,
    ParsedStop,
    ParsedTimetable,
    SourceProblem,
    StopKind,
)
from portal.domain.permits import Service
from portal.regulations import catalogue
from portal.regulations.schema import BoardingKind
from portal.services.itineraries.entries import keep_entries
from portal.services.itineraries.staging import stage
from portal.services.unit_of_work import unit_of_work
from portal.storage import timetable_imports as store
from portal.storage.itineraries import ItineraryRow, StopRow, TimetableImportRow

Unit = Callable[..., AbstractContextManager[Session]]
"""Opens a unit of work: ``unit(writes=True)``."""


@dataclass(frozen=True, slots=True)
class FileRead:
    """What an importer made of a file."""

    kind: str
    """``gtfs``, ``tables``, ``desk``, ``lines`` or ``places``."""
    name: str
    """The file's own name, without the folders of the machine it lay on."""
    digest: str
    parsed: ParsedTimetable | tuple[ParsedPlace, ...] | None
    problems: tuple[SourceProblem, ...] = ()
    problems_left_out: int = 0
    based_on: int | None = None
    """The import that a change at the desk began from: nothing is shown if another took its place meanwhile."""
    action: str = "imported"
    """What made the rows that differ: kept in their history."""
    made_by: str | None = None
    """Who did; the file's name if None."""


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
    also: Callable[[Session], None] | None = None,
) -> ImportReport:
    """Stage and merge what was read of a file; a dry run reports the same and changes nothing.

    Args:
        service: whose itineraries these are; None for bus lines, which no instrument here authorises.
        feed: which source of the municipality this is; a new import of it replaces the last one.
        as_of: the day of the list.
        also: what has to happen in the transaction that shows the new list.

    Raises:
        UnknownMunicipality: no folder of data describes it.
        ImportOvertaken: another import of the same feed began meanwhile; nothing of this one is shown.
    """
    catalogue.municipality(municipality)
    name = feed or (service.value if service else read.kind)
    report = ImportReport("refused", municipality, name, read.name, {}, read.problems, read.problems_left_out)
    # A desk begins with its stops; a file without an itinerary is a mistake.
    empty = isinstance(read.parsed, ParsedTimetable) and not read.parsed.itineraries and read.kind != "desk"
    if read.parsed is None or empty:
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
        for step in stage(parsed, number, municipality):
            with unit(writes=True) as session:
                _still_ours(session, number)
                step(session)
        with unit(writes=True) as session:
            _still_ours(session, number)
            if read.kind == "desk" and store.current_of(session, feed_id) != read.based_on:
                raise ImportOvertaken(number)
            store.make_current(session, feed_id, number)
            _end(session, number, "merged", now, counts)
            if isinstance(parsed, ParsedTimetable):
                keep_entries(
                    session,
                    feed_id,
                    parsed.clerk_rows,
                    action=read.action,
                    made_by=read.made_by or read.name,
                    now=now,
                )
            if also is not None:
                also(session)
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
