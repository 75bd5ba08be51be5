"""Taking the last publication of a register back, in short steps: complaints are filed meanwhile.

Everybody sees the register as it was before in one short transaction; the rows that the publication added are
closed afterwards, unseen. If that breaks off, housekeeping goes on with it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from portal.domain.errors import NotAllowed, PublicationRefused
from portal.services.register.permits import TICK, Keeper
from portal.services.register.publications import CLAIM, find_reading, log
from portal.services.short_writes import Unit, writing
from portal.services.unit_of_work import unit_of_work
from portal.storage import merging, runs, staging, undoing
from portal.storage.desk_register import learnt_at_of, lock_register, revision_of
from portal.storage.imports import ImportRunRow


@dataclass(frozen=True, slots=True)
class Undone:
    """What undoing did, or would do."""

    permits: int
    kept: tuple[str, ...]
    """Numbers of permits that acts were recorded on since: they stay as they are."""


def what_undoing_would_do(session: Session, keeper: Keeper, run_id: int) -> Undone:
    """How many permits go back, and which stay since acts were recorded on them."""
    row = find_reading(session, keeper, run_id)
    return _told(row, _changed_since(session, row))


def undo(keeper: Keeper, run_id: int, *, now: datetime, unit: Unit = unit_of_work) -> Undone:
    """Take the last publication back: the register is as it was before, but for permits changed since.

    Raises:
        NotAllowed: this keeper only reads.
        NothingHere: no such reading in this town.
        PublicationRefused: ``nothing`` when it is not the last one, or was undone already; ``busy``.
    """
    if not keeper.writes:
        raise NotAllowed
    with writing(unit) as session:
        lock_register(session, keeper.municipality)
        _last(session, keeper, run_id)
        if runs.under_way(session, keeper.municipality, since=now - CLAIM):
            raise PublicationRefused("busy")
        runs.update_run(session, run_id, state="undoing", finished_at=now)
    try:
        # None: somebody changed the register meanwhile, and what was found out no longer holds.
        while (told := _try_to_undo(keeper, run_id, now, unit)) is None:
            pass
    except BaseException:
        with writing(unit) as session:
            runs.give_up(session, run_id)
        raise
    finish_undoing(run_id, unit=unit)
    return told


def _try_to_undo(keeper: Keeper, run_id: int, now: datetime, unit: Unit) -> Undone | None:
    town = keeper.municipality
    with unit() as session:
        row = _last(session, keeper, run_id)
        revision = revision_of(session, town)
        kept = _changed_since(session, row)
        stretches = list(undoing.stretches_of(session, town))
    assert row.published_at is not None  # only what was published is the last publication
    with writing(unit) as session:
        head = lock_register(session, town)
        if head.revision != revision:
            return None
        at = now if head.learnt_at is None else max(now, head.learnt_at + TICK)
        merging.forget_swaps(session, run_id)
    for first, last in stretches:
        with writing(unit) as session:
            undoing.write_back(session, run_id, town, first, last, row.published_at, but=list(kept), at=at)
    with writing(unit) as session:
        head = lock_register(session, town)
        _last(session, keeper, run_id, lock=True)
        if head.revision != revision:
            return None
        head.revision, head.learnt_at = head.revision + 1, at
        session.flush()
        undoing.take_back(session, run_id, but=list(kept), added=row.permits_added > 0, at=at)
        undoing.take_lists_back(session, run_id, row.published_at, at=at)
        runs.update_run(session, run_id, state="undone", finished_at=at)
        log(session, keeper, run_id, "register.undone", at)
    return _told(row, kept)


def finish_undoing(run_id: int, *, unit: Unit = unit_of_work) -> None:
    """Close what an undone publication had added, a stretch of permits at a time."""
    with unit() as session:
        row = runs.read_run(session, run_id)
        stretches = list(undoing.stretches_of(session, row.municipality)) if row.permits_added else []
    assert row.published_at is not None  # it was published, and undone
    assert row.finished_at is not None
    for first, last in stretches:
        with writing(unit) as session:
            undoing.close_added(session, run_id, first, last, row.published_at, at=row.finished_at)
    with writing(unit) as session:
        undoing.end_undoing(session, run_id)
        staging.clear_stretch(session, run_id)


def finish_what_broke_off(*, unit: Unit = unit_of_work) -> None:
    """Go on with every undoing that a crash or a stop of the process interrupted."""
    with unit() as session:
        half = undoing.half_undone(session)
    for run_id in half:
        finish_undoing(run_id, unit=unit)


def _last(session: Session, keeper: Keeper, run_id: int, *, lock: bool = False) -> ImportRunRow:
    row = find_reading(session, keeper, run_id)
    last = runs.last_published(session, keeper.municipality, lock=lock)
    if last is None or last.id != row.id or row.published_at is None:
        raise PublicationRefused("nothing")
    return row


def _changed_since(session: Session, row: ImportRunRow) -> dict[int, str]:
    """Permits that the publication touched and of which something was learnt later, with their numbers."""
    if row.published_at is None or learnt_at_of(session, row.municipality) == row.published_at:
        return {}  # the usual case, and the register need not be read for it
    found: dict[int, str] = {}
    for first, last in undoing.stretches_of(session, row.municipality):
        found |= undoing.changed_since(session, row.municipality, first, last, row.published_at)
    return found


def _told(row: ImportRunRow, kept: Mapping[int, str]) -> Undone:
    if row.published_at is None:
        return Undone(0, ())
    touched = row.permits_added + row.permits_changed + row.permits_retired
    return Undone(touched - len(kept), tuple(sorted(kept.values())))
