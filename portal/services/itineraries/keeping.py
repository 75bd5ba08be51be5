"""Stops, itineraries and departures on forms: the clerk's tables row by row, with the checks of a file.

A change goes the way of an import: the whole list is read again with the row as typed, refused with its field or
staged and shown in one step, so that no traveller ever reads half of it. Every version of a row is kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import pairwise

from sqlalchemy.orm import Session

from portal.domain.days import read_day
from portal.domain.errors import EntryRefused, ListKeptElsewhere, NotAllowed, NothingHere, UnreadableDate
from portal.domain.itineraries import ClerkRow, Sheet, SourceProblem
from portal.domain.names import tidy
from portal.domain.permits import Service
from portal.importing.sources import Report
from portal.importing.tables import COLUMNS, FILES, read_rows
from portal.regulations import catalogue
from portal.regulations.schema import BoardingKind
from portal.regulations.states import state_of
from portal.services.itineraries.itinerary_import import FileRead, Unit, import_file
from portal.services.people import audit
from portal.services.register.permits import Keeper
from portal.services.unit_of_work import unit_of_work
from portal.storage import itinerary_entries as store
from portal.storage.itinerary_entries import ItineraryEntryRow
from portal.storage.timetable_imports import import_shown

LONGEST_CELL = 2000
"""Characters: a day of departures every ten minutes is some hundreds."""
ENDS = {Sheet.STOPS: "valido_ate", Sheet.ITINERARIES: "valido_ate", Sheet.DEPARTURES: "ate"}
"""The column of the last day."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One row as it is now."""

    id: int
    sheet: Sheet
    cells: Mapping[str, str]
    version: int
    ends: date | None = None

    @property
    def code(self) -> str:
        return self.cells.get("codigo") or self.cells.get("itinerario", "")

    @property
    def name(self) -> str:
        return self.cells.get("nome", "")


@dataclass(frozen=True, slots=True)
class Version:
    """What one change made of a row."""

    number: int
    action: str
    made_by: str
    at: datetime
    changes: tuple[tuple[str, str, str], ...]
    """Column, cell before and cell after."""


@dataclass(frozen=True, slots=True)
class EntryFile:
    entry: Entry
    versions: tuple[Version, ...]
    """Newest first."""


@dataclass(frozen=True, slots=True)
class ClerkLists:
    """The three tables of the service whose itineraries a clerk keeps."""

    service: Service | None
    """None: every service here is boarded through the application alone."""
    kept_in: str | None = None
    """The kind of file that the list comes from, where it is not kept here."""
    source: str | None = None
    rows: Mapping[Sheet, tuple[Entry, ...]] | None = None

    def of(self, sheet: Sheet) -> tuple[Entry, ...]:
        return (self.rows or {}).get(sheet, ())


def show_lists(session: Session, keeper: Keeper, *, on: date) -> ClerkLists:
    """The present rows of every table; ended ones stay in it."""
    service = _service(keeper.municipality, on)
    if service is None:
        return ClerkLists(None)
    shown = import_shown(session, keeper.municipality, service.value)
    feed = store.feed_by_name(session, keeper.municipality, service.value)
    rows = store.present_entries(session, feed.id) if feed else ()
    if shown and not rows and shown.kind != "desk":
        return ClerkLists(service, shown.kind, shown.file_name)
    return ClerkLists(
        service,
        rows={sheet: tuple(_entry(row) for row in rows if row.sheet == sheet) for sheet in Sheet},
    )


def show_entry(session: Session, keeper: Keeper, sheet: Sheet, entry: int, *, on: date) -> EntryFile:
    """A row and its history.

    Raises:
        NothingHere: there is no such row in this municipality.
    """
    service = _service(keeper.municipality, on)
    feed = store.feed_by_name(session, keeper.municipality, service.value) if service else None
    versions = store.versions_of(session, feed.id, sheet, entry) if feed else []
    if not versions or versions[0].known_until is not None:
        raise NothingHere(str(entry))
    return EntryFile(_entry(versions[0]), _history(versions))


def save_entry(
    keeper: Keeper,
    sheet: Sheet,
    cells: Mapping[str, str],
    *,
    entry: int | None = None,
    made_by: str,
    now: datetime,
    action: str | None = None,
    unit: Unit = unit_of_work,
) -> tuple[int, tuple[SourceProblem, ...]]:
    """Create a row, or change one, and show the list anew.

    Args:
        cells: by column, as typed; words and forms are those of the files (``seg-sex``, ``10:00-18:00/30``).
        entry: the row to change; None creates one.
        made_by: the name that its history tells.

    Returns:
        The row, and what was taken but should be looked at, such as a position outside the state.

    Raises:
        EntryRefused: with the problems of a file; those of this row have its number as their line.
        ListKeptElsewhere: the list comes from a feed, which a form cannot change.
        ImportOvertaken: somebody else changed the list meanwhile.
        NotAllowed: this person reads only.
    """
    if not keeper.writes:
        raise NotAllowed
    day = catalogue.municipality(keeper.municipality).civil_day(now)
    typed = {name: tidy(cells.get(name, ""))[:LONGEST_CELL] for name in COLUMNS[sheet]}
    filled = {name: cell for name, cell in typed.items() if cell}
    with unit() as session:
        lists = show_lists(session, keeper, on=day)
        service = lists.service
        if service is None or lists.kept_in:
            raise ListKeptElsewhere(lists.kept_in or "", lists.source or "")
        shown = import_shown(session, keeper.municipality, service.value)
        feed = store.feed_by_name(session, keeper.municipality, service.value)
        new = store.next_entry(session, feed.id) if feed else 1
    rows = {each: [ClerkRow(row.cells, row.id) for row in lists.of(each)] for each in Sheet}
    if entry is None:
        rows[sheet].append(ClerkRow(filled, new))
    elif entry in {row.entry for row in rows[sheet]}:
        rows[sheet] = [replace(row, cells=filled) if row.entry == entry else row for row in rows[sheet]]
    else:
        raise NothingHere(str(entry))
    row = entry or new
    report = Report()
    parsed, digest = read_rows(rows, report, within=state_of(keeper.municipality))
    if parsed is None:
        raise EntryRefused(sheet, row, tuple(each for each in report.problems if each.fatal))

    def recorded(session: Session) -> None:
        audit.record(
            session, keeper.municipality, actor=keeper.actor, action=f"itinerary.{sheet.value}",
            subject=f"itinerary_entry:{row}", at=now,
        )  # fmt: skip

    import_file(
        FileRead(
            "desk", "mesa", digest, parsed, tuple(report.problems), report.left_out,
            based_on=shown.id if shown else None,
            action=action or ("changed" if entry else "created"), made_by=made_by,
        ),
        municipality=keeper.municipality, service=service, as_of=day, now=now, unit=unit, also=recorded,
    )  # fmt: skip
    mine = (each for each in report.problems if each.file == FILES[sheet] and each.line == row)
    return row, tuple(mine)


def end_entry(
    keeper: Keeper,
    sheet: Sheet,
    entry: int,
    last_day: str,
    *,
    made_by: str,
    now: datetime,
    unit: Unit = unit_of_work,
) -> None:
    """Let a row run until a day, which still counts. Raises as `save_entry`, and ``UnreadableDate``."""
    day = catalogue.municipality(keeper.municipality).civil_day(now)
    ends = read_day(last_day)
    if ends is None:
        raise UnreadableDate(last_day)
    with unit() as session:
        cells = dict(show_entry(session, keeper, sheet, entry, on=day).entry.cells)
    cells[ENDS[sheet]] = ends.isoformat()
    save_entry(keeper, sheet, cells, entry=entry, made_by=made_by, now=now, action="ended", unit=unit)


def _service(municipality: str, on: date) -> Service | None:
    """The service whose itineraries are kept: the first that is not boarded through an application alone."""
    for service in catalogue.municipality(municipality).services:
        kinds = {rule.kind for rule in catalogue.boarding_rules(municipality, service, on)}
        if BoardingKind.BY_APP_ONLY not in kinds:
            return service
    return None


def _entry(row: ItineraryEntryRow) -> Entry:
    sheet = Sheet(row.sheet)
    text = row.cells.get(ENDS[sheet], "")
    return Entry(row.entry, sheet, row.cells, row.version, read_day(text))


def _history(versions: Sequence[ItineraryEntryRow]) -> tuple[Version, ...]:
    told = []
    for after, before in pairwise([*versions, None]):
        assert after is not None  # only the last of the pairs ends in None
        was = before.cells if before else {}
        columns = [name for name in COLUMNS[Sheet(after.sheet)] if was.get(name) != after.cells.get(name)]
        changes = tuple((name, was.get(name, ""), after.cells.get(name, "")) for name in columns)
        told.append(Version(after.version, after.action, after.made_by, after.known_from, changes))
    return tuple(told)
