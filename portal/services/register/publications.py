"""What was read of a register, from the stage to the public: report, publish, throw away.

Publishing works in three steps: what is new is written unseen in short transactions; what changes is written
beside the old, unseen; one short transaction then shows it all. Complaints are filed meanwhile.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy.orm import Session

from portal.domain.batches import batches
from portal.domain.errors import NotAllowed, NothingHere, PublicationRefused
from portal.domain.permits import EventKind, Service
from portal.domain.registers import RowProblem
from portal.services.people import audit
from portal.services.people.staff import name_of_actor
from portal.services.register.permits import TICK, Keeper
from portal.services.short_writes import Unit, writing
from portal.services.unit_of_work import unit_of_work
from portal.storage import merging, runs, staging
from portal.storage.cases import names_of_staff
from portal.storage.desk_register import lock_register, revision_of
from portal.storage.imports import ImportRunRow
from portal.storage.registers import record_list

LEFT_BEHIND = timedelta(days=7)
"""A reading that nobody published goes after this time."""
CLAIM = timedelta(minutes=30)
"""A publication that took longer broke off: it may be begun again."""
SHOWN_MISSING = 30


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


def list_publications(session: Session, keeper: Keeper, *, limit: int = 20) -> tuple[Publication, ...]:
    """The latest readings of a town, newest first."""
    names = names_of_staff(session, keeper.municipality)
    last = runs.last_published(session, keeper.municipality)
    rows = runs.runs_of(session, keeper.municipality, limit=limit)
    return tuple(_publication(row, names, last=last is not None and last.id == row.id) for row in rows)


def read_publication(session: Session, keeper: Keeper, run_id: int) -> Publication:
    """A reading with all that was wrong with it; raises ``NothingHere`` for another town's."""
    row = find_reading(session, keeper, run_id)
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
        row = find_reading(session, keeper, run_id)
    if row.rows_refused and not skip_bad_rows:
        raise PublicationRefused("rows")
    retire = retire_missing and not row.rows_refused
    _claim(keeper, run_id, now, unit)
    try:
        while not _try_to_publish(keeper, row, retire, now, unit):
            # Somebody changed the register since we compared: what we found out no longer holds.
            compare_stage(keeper.municipality, run_id, unit=unit)
            with unit() as session:
                row = find_reading(session, keeper, run_id)
    except BaseException:
        with writing(unit) as session:
            runs.give_up(session, run_id)
        raise
    clear_stage(run_id, unit=unit)
    with unit() as session:
        report = read_publication(session, keeper, run_id)
    return report


def _claim(keeper: Keeper, run_id: int, now: datetime, unit: Unit) -> None:
    """One publication at a time in a town: two would write the same permits, each for itself."""
    with writing(unit) as session:
        lock_register(session, keeper.municipality)
        row = find_reading(session, keeper, run_id)
        if row.state not in ("staged", "publishing"):
            raise PublicationRefused("gone")
        if runs.under_way(session, keeper.municipality, since=now - CLAIM):
            raise PublicationRefused("busy")
        runs.update_run(session, run_id, state="publishing", finished_at=now)


def _try_to_publish(keeper: Keeper, row: ImportRunRow, retire: bool, now: datetime, unit: Unit) -> bool:
    """Write everything unseen, then show it if the register is still the one that was compared."""
    town, run_id = keeper.municipality, row.id
    with writing(unit) as session:
        head = lock_register(session, town)
        if head.revision != row.compared_at:
            return False
        at = now if head.learnt_at is None else max(now, head.learnt_at + TICK)
        merging.forget_swaps(session, run_id)
        merging.begin_publishing(session, run_id)
    for first, last in _stretches(run_id, unit):
        with writing(unit) as session:
            merging.write_added(session, run_id, town, first, last, source=row.source, at=at)
        with unit() as session:
            changes = _compare(session, row, first, last).changed
        for some in batches(changes, staging.BATCH):
            with writing(unit) as session:
                merging.write_changes(session, run_id, some, source=row.source, as_of=row.as_of, at=at)
    retired = _write_retired(row, at, unit) if retire else 0
    with writing(unit) as session:
        head = lock_register(session, town)
        standing = runs.find_run(session, town, run_id, lock=True)
        if standing is None or standing.state != "publishing":
            raise PublicationRefused("gone")
        if head.revision != row.compared_at:
            return False
        head.revision, head.learnt_at = head.revision + 1, at
        session.flush()
        merging.show(session, run_id, at=at)
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
        log(session, keeper, run_id, "register.published", at, told)
    return True


def refuse(keeper: Keeper, run_id: int, *, now: datetime, unit: Unit = unit_of_work) -> None:
    """Close a reading whose rows were refused; the report stays."""
    clear_stage(run_id, unit=unit)
    with writing(unit) as session:
        find_reading(session, keeper, run_id)
        runs.update_run(session, run_id, state="refused", finished_at=now)


def discard(keeper: Keeper, run_id: int, *, now: datetime, unit: Unit = unit_of_work) -> None:
    """Throw a reading away, unpublished; raises as `publish`."""
    if not keeper.writes:
        raise NotAllowed
    with writing(unit) as session:
        row = runs.find_run(session, keeper.municipality, run_id, lock=True)
        if row is None:
            raise NothingHere("publication")
        if row.state == "publishing" and runs.under_way(session, row.municipality, since=now - CLAIM):
            raise PublicationRefused("busy")
        if row.state not in ("staged", "publishing", "refused"):
            raise PublicationRefused("gone")
        runs.update_run(session, run_id, state="discarded", finished_at=now)
        log(session, keeper, run_id, "register.discarded", now)
        merging.forget_swaps(session, run_id)
        merging.take_added_back(session, run_id, keeper.municipality, at=now)
    clear_stage(run_id, unit=unit)


def forget_run(municipality: str, run_id: int, *, unit: Unit = unit_of_work) -> None:
    """Leave no trace of a reading that was only tried out."""
    clear_stage(run_id, unit=unit)
    with writing(unit) as session:
        if runs.find_run(session, municipality, run_id) is not None:
            runs.drop_run(session, run_id)


def forget_left_behind(*, now: datetime, unit: Unit = unit_of_work) -> None:
    """Throw away the stages that nobody published within a week, and those of readings that broke off."""
    with unit() as session:
        left = runs.left_behind(session, before=now - LEFT_BEHIND, limit=20)
    for municipality, run_id in left:
        with writing(unit) as session:
            merging.forget_swaps(session, run_id)
            merging.take_added_back(session, run_id, municipality, at=now)
            runs.update_run(session, run_id, state="discarded", finished_at=now)
            keeper = Keeper(municipality, "worker")
            log(session, keeper, run_id, "register.discarded", now)
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
            merging.write_retired(session, row.id, some, as_of=row.as_of, at=at)
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


def find_reading(session: Session, keeper: Keeper, run_id: int) -> ImportRunRow:
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


def log(
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
