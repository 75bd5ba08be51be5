"""What was read of a register, from the stage to the public and back: report, publish, throw away, undo.

Publishing works in three steps: what is new is written unseen in short transactions; what changes is written
beside the old, unseen; one short transaction then shows it all. Complaints are filed meanwhile.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from portal.domain.batches import batches
from portal.domain.errors import NotAllowed, NothingHere, PublicationRefused
from portal.domain.permits import EventKind, Service
from portal.domain.registers import RowProblem
from portal.services import audit
from portal.services.register import TICK, Keeper, begin_change
from portal.services.staff import name_of_actor
from portal.services.unit_of_work import unit_of_work
from portal.storage import runs, staging, undoing
from portal.storage.cases import names_of_staff
from portal.storage.desk_register import learnt_at_of, lock_register, revision_of
from portal.storage.imports import ImportRunRow
from portal.storage.registers import record_list

Unit = Callable[..., AbstractContextManager[Session]]
LEFT_BEHIND = timedelta(days=7)
"""A reading that nobody published goes after this time."""
SHOWN_MISSING = 30
PATIENCE = 12
"""Times that a long work waits for the lock of SQLite, ten seconds each."""
AIR = 0.25
"""Pause after a write, as a share of its time: whoever waits for the lock of SQLite gets in between."""
_AIR_UNTIL = threading.local()


@dataclass(frozen=True, slots=True)
class Publication:
    """A reading of a register's file, and what became of it."""

    id: int
    state: str
    """``staged``, ``merged``, ``refused`` or ``undone``."""
    file_name: str
    source: str
    kind: str
    service: Service | None
    as_of: date
    started_at: datetime
    published_at: datetime | None
    by: str | None
    """Name of the staff member; None for the command line."""
    rows_read: int
    rows_refused: int
    warnings: int
    added: int
    changed: int
    unchanged: int
    missing: int
    retired: int
    columns_ignored: tuple[str, ...]
    problems: tuple[RowProblem, ...] = ()
    """Refusals and warnings, the first few hundred of each."""
    missing_numbers: tuple[str, ...] = ()
    """Numbers of permits that the file no longer names, the first few of them."""
    last: bool = False
    """The one that can be undone."""

    @property
    def refused_rows(self) -> tuple[RowProblem, ...]:
        return tuple(one for one in self.problems if one.refuses)

    @property
    def warned_rows(self) -> tuple[RowProblem, ...]:
        return tuple(one for one in self.problems if not one.refuses)


@dataclass(frozen=True, slots=True)
class Undone:
    """What undoing did, or would do."""

    permits: int
    kept: tuple[str, ...]
    """Numbers of permits that acts were recorded on since: they stay as they are."""


def list_publications(session: Session, keeper: Keeper, *, limit: int = 20) -> tuple[Publication, ...]:
    """The latest readings of a town, newest first."""
    names = names_of_staff(session, keeper.municipality)
    last = runs.last_published(session, keeper.municipality)
    rows = runs.runs_of(session, keeper.municipality, limit=limit)
    return tuple(_publication(row, names, last=last is not None and last.id == row.id) for row in rows)


def read_publication(session: Session, keeper: Keeper, run_id: int) -> Publication:
    """A reading with all that was wrong with it; raises ``NothingHere`` for another town's."""
    row = _run(session, keeper, run_id)
    last = runs.last_published(session, keeper.municipality)
    missing: tuple[str, ...] = ()
    if row.state == "staged" and row.permits_missing:
        wanted = _missing(session, row).order_by(None).limit(SHOWN_MISSING)
        missing = tuple(one.number for one in session.execute(wanted))
    return _publication(
        row,
        names_of_staff(session, keeper.municipality),
        last=last is not None and last.id == row.id,
        problems=runs.problems_of(session, run_id, row.file_name),
        missing=missing,
    )


def compare_stage(municipality: str, run_id: int, *, unit: Unit = unit_of_work) -> None:
    """Find out what publishing would change, and write the counts down; the register itself stays as it is."""
    with unit() as session:
        row = _row(session, municipality, run_id)
        revision = revision_of(session, municipality)
    changed = same = 0
    for first, last in _stretches(run_id, unit):
        with writing(unit) as session:
            staging.find_held(session, run_id, municipality, first, last)
        with unit() as session:
            compared = _compare(session, row, first, last)
        changed, same = changed + len(compared.changed), same + compared.same
    with unit() as session:
        counts = staging.count_actions(session, run_id)
        missing = session.execute(staging.count_of(_missing(session, row))).scalar_one()
    with writing(unit) as session:
        runs.update_run(
            session,
            run_id,
            compared_at=revision,
            permits_added=counts.get("added", 0),
            permits_changed=changed,
            permits_unchanged=same,
            permits_missing=missing,
        )


def publish(
    keeper: Keeper,
    run_id: int,
    *,
    now: datetime,
    skip_bad_rows: bool = False,
    retire_missing: bool = False,
    unit: Unit = unit_of_work,
) -> Publication:
    """Show everybody what was read; the stage goes.

    Args:
        skip_bad_rows: leave permits with a refused row as they stand.
        retire_missing: end the permits that the list no longer names, unless rows were refused: a permit that
            seems to be missing may then only be unreadable.

    Raises:
        NotAllowed: this keeper only reads.
        NothingHere: no such reading in this town.
        PublicationRefused: ``rows``, ``gone``.
    """
    if not keeper.writes:
        raise NotAllowed
    with unit() as session:
        row = _run(session, keeper, run_id)
        report = _publication(row, {})
    if row.state != "staged":
        raise PublicationRefused("gone")
    if row.rows_refused and not skip_bad_rows:
        raise PublicationRefused("rows")
    retire = retire_missing and not row.rows_refused
    while not _try_to_publish(keeper, row, retire, now, unit):
        # Somebody changed the register since we compared: what we found out no longer holds.
        compare_stage(keeper.municipality, run_id, unit=unit)
        with unit() as session:
            row = _run(session, keeper, run_id)
    clear_stage(run_id, unit=unit)
    with unit() as session:
        report = read_publication(session, keeper, run_id)
    return report


def _try_to_publish(keeper: Keeper, row: ImportRunRow, retire: bool, now: datetime, unit: Unit) -> bool:
    """Write everything unseen, then show it if the register is still the one that was compared."""
    town, run_id = keeper.municipality, row.id
    with writing(unit) as session:
        head = lock_register(session, town)
        if head.revision != row.compared_at:
            return False
        at = now if head.learnt_at is None else max(now, head.learnt_at + TICK)
        staging.forget_swaps(session, run_id)
        staging.begin_publishing(session, run_id)
    for first, last in _stretches(run_id, unit):
        with writing(unit) as session:
            staging.write_added(session, run_id, town, first, last, source=row.source, at=at)
        with unit() as session:
            changes = _compare(session, row, first, last).changed
        for some in batches(changes, staging.BATCH):
            with writing(unit) as session:
                staging.write_changes(session, run_id, some, source=row.source, as_of=row.as_of, at=at)
    retired = _write_retired(row, at, unit) if retire else 0
    with writing(unit) as session:
        head = lock_register(session, town)
        standing = runs.find_run(session, town, run_id, lock=True)
        if standing is None or standing.state != "staged":
            raise PublicationRefused("gone")
        if head.revision != row.compared_at:
            return False
        head.revision, head.learnt_at = head.revision + 1, at
        session.flush()
        staging.show(session, run_id, at=at)
        for service in staging.sound_services(session, run_id) or ([row.service] if row.service else []):
            record_list(
                session,
                town,
                service=service,
                kind=row.kind,
                source=row.source,
                as_of=row.as_of,
                now=at,
                run_id=run_id,
            )
        runs.update_run(
            session, run_id, state="merged", finished_at=now, published_at=at, permits_retired=retired
        )
        told = f"{row.permits_added} added, {row.permits_changed} changed, {retired} retired"
        _log(session, keeper, run_id, "register.published", at, told)
    return True


def refuse(keeper: Keeper, run_id: int, *, now: datetime, unit: Unit = unit_of_work) -> None:
    """Close a reading whose rows were refused; the report stays."""
    clear_stage(run_id, unit=unit)
    with writing(unit) as session:
        _run(session, keeper, run_id)
        runs.update_run(session, run_id, state="refused", finished_at=now)


def discard(keeper: Keeper, run_id: int, *, now: datetime, unit: Unit = unit_of_work) -> None:
    """Throw a reading away, unpublished; raises as `publish`."""
    if not keeper.writes:
        raise NotAllowed
    with writing(unit) as session:
        row = runs.find_run(session, keeper.municipality, run_id, lock=True)
        if row is None:
            raise NothingHere("publication")
        if row.state not in ("staged", "refused"):
            raise PublicationRefused("gone")
        runs.update_run(session, run_id, state="discarded", finished_at=now)
        _log(session, keeper, run_id, "register.discarded", now)
        staging.forget_swaps(session, run_id)
        staging.take_added_back(session, run_id, keeper.municipality, at=now)
    clear_stage(run_id, unit=unit)


def forget_run(municipality: str, run_id: int, *, unit: Unit = unit_of_work) -> None:
    """Leave no trace of a reading that was only tried out."""
    clear_stage(run_id, unit=unit)
    with writing(unit) as session:
        if runs.find_run(session, municipality, run_id) is not None:
            runs.drop_run(session, run_id)


def what_undoing_would_do(session: Session, keeper: Keeper, run_id: int) -> Undone:
    """How many permits go back, and which stay since acts were recorded on them."""
    row = _run(session, keeper, run_id)
    if row.published_at is None:
        return Undone(0, ())
    if learnt_at_of(session, keeper.municipality) == row.published_at:
        return Undone(_touched(row), ())  # the usual case, and the register need not be read for it
    since = undoing.changed_since(session, keeper.municipality, row.published_at)
    return _undone(session, row, since)


def _undone(session: Session, row: ImportRunRow, since: Mapping[int, str]) -> Undone:
    assert row.published_at is not None  # only what was published is undone
    touched = undoing.touched_at(session, sorted(since), row.published_at)
    kept = tuple(sorted(since[permit_id] for permit_id in touched))
    return Undone(_touched(row) - len(kept), kept)


def _touched(row: ImportRunRow) -> int:
    return row.permits_added + row.permits_changed + row.permits_retired


def undo(session: Session, keeper: Keeper, run_id: int, *, now: datetime) -> Undone:
    """Take the last publication back: the register is as it was before, but for permits changed since.

    Raises:
        NotAllowed, NothingHere: as `publish`.
        PublicationRefused: ``nothing`` when it is not the last one, or was undone already.
    """
    at = begin_change(session, keeper, now=now)
    row = _run(session, keeper, run_id)
    last = runs.last_published(session, keeper.municipality, lock=True)
    if last is None or last.id != row.id or row.published_at is None:
        raise PublicationRefused("nothing")
    since = undoing.changed_since(session, keeper.municipality, row.published_at)
    told = _undone(session, row, since)
    undoing.take_back(session, keeper.municipality, row.published_at, but=sorted(since), at=at)
    undoing.take_lists_back(session, run_id, row.published_at, at=at)
    runs.update_run(session, run_id, state="undone", finished_at=now)
    _log(session, keeper, run_id, "register.undone", at)
    return told


def forget_left_behind(*, now: datetime, unit: Unit = unit_of_work) -> None:
    """Throw away the stages that nobody published within a week, and those of readings that broke off."""
    with unit() as session:
        left = runs.left_behind(session, before=now - LEFT_BEHIND, limit=20)
    for municipality, run_id in left:
        with writing(unit) as session:
            staging.forget_swaps(session, run_id)
            staging.take_added_back(session, run_id, municipality, at=now)
            runs.update_run(session, run_id, state="discarded", finished_at=now)
            keeper = Keeper(municipality, "worker")
            _log(session, keeper, run_id, "register.discarded", now)
        clear_stage(run_id, unit=unit)


def clear_stage(run_id: int, *, unit: Unit = unit_of_work) -> None:
    """Delete what was staged, a stretch at a time."""
    left = True
    while left:
        with writing(unit) as session:
            left = staging.clear_stretch(session, run_id)


def _write_retired(row: ImportRunRow, at: datetime, unit: Unit) -> int:
    with unit() as session:
        missing = [(one.id, one.permit_id) for one in session.execute(_missing(session, row))]
    for some in batches(missing, staging.BATCH):
        with writing(unit) as session:
            staging.write_retired(session, row.id, some, as_of=row.as_of, at=at)
    return len(missing)


def _compare(session: Session, row: ImportRunRow, first: int, last: int) -> staging.Compared:
    return staging.compare(
        session,
        row.id,
        first,
        last,
        told_kinds=tuple(EventKind(kind) for kind in row.told_kinds),
        source=row.source,
        as_of=row.as_of,
        own_register=row.kind == "register",
    )


def _missing(session: Session, row: ImportRunRow) -> staging.Wanted:
    services = staging.sound_services(session, row.id)
    return staging.missing_permits(row.id, row.municipality, row.source, services)


def _stretches(run_id: int, unit: Unit) -> Iterator[tuple[int, int]]:
    with unit() as session:
        last = staging.last_entry(session, run_id)
    for first in range(1, last + 1, staging.STRETCH):
        yield first, min(first + staging.STRETCH - 1, last)


@contextmanager
def writing(unit: Unit) -> Iterator[Session]:
    """A short write of a long work: patient in waiting for the lock, and with air before it for whoever waits."""
    wait = getattr(_AIR_UNTIL, "moment", 0.0) - time.monotonic()
    if wait > 0:  # whatever was read or reckoned since the last write was air enough, mostly
        time.sleep(wait)
    with ExitStack() as opened:
        session = _locked(unit, opened)
        started = time.monotonic()
        yield session
    now = time.monotonic()
    _AIR_UNTIL.moment = now + min((now - started) * AIR, 0.5)


def _locked(unit: Unit, opened: ExitStack) -> Session:
    """A session that holds the write lock; citizens go first, however many they are."""
    for attempt in range(1, PATIENCE + 1):
        try:
            with ExitStack() as trying:
                session = trying.enter_context(unit(writes=True))
                session.connection()  # SQLite takes the lock here, or gives up after its busy timeout
                opened.push(trying.pop_all())
                return session
        except OperationalError:
            if attempt == PATIENCE:
                raise
    raise AssertionError("unreachable")


def _run(session: Session, keeper: Keeper, run_id: int) -> ImportRunRow:
    return _row(session, keeper.municipality, run_id)


def _row(session: Session, municipality: str, run_id: int) -> ImportRunRow:
    row = runs.find_run(session, municipality, run_id)
    if row is None or row.state == "discarded":
        raise NothingHere("publication")
    return row


def _publication(
    row: ImportRunRow,
    names: dict[int, str],
    *,
    last: bool = False,
    problems: tuple[RowProblem, ...] = (),
    missing: tuple[str, ...] = (),
) -> Publication:
    return Publication(
        id=row.id,
        state=row.state,
        file_name=row.file_name,
        source=row.source,
        kind=row.kind,
        service=Service(row.service) if row.service else None,
        as_of=row.as_of,
        started_at=row.started_at,
        published_at=row.published_at,
        by=name_of_actor(row.run_by, names),
        rows_read=row.rows_read,
        rows_refused=row.rows_refused,
        warnings=row.warnings,
        added=row.permits_added,
        changed=row.permits_changed,
        unchanged=row.permits_unchanged,
        missing=row.permits_missing,
        retired=row.permits_retired,
        columns_ignored=tuple(row.columns_ignored),
        problems=problems,
        missing_numbers=missing,
        last=last,
    )


def _log(
    session: Session, keeper: Keeper, run_id: int, action: str, at: datetime, reason: str | None = None
) -> None:
    audit.record(
        session,
        keeper.municipality,
        actor=keeper.actor,
        action=action,
        subject=f"import:{run_id}",
        at=at,
        reason=reason,
    )
