"""Writing the register: staged entries, what they change, and the one short merge.

Nothing is overwritten: a row that no longer holds is closed at the instant when that was learnt, and the
new wording stands beside it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlalchemy.orm import Session

from portal.domain.permits import EventKind, Permit, PermitEvent, VehicleUnit
from portal.domain.registers import RegisterEntry, from_json, to_json
from portal.storage.permits import (
    ImportRunRow,
    PermitEventRow,
    PermitListRow,
    PermitRow,
    PermitVersionRow,
    StagedPermitRow,
    VehicleUnitRow,
    permits_by_identity,
)

BATCH = 500


@dataclass(slots=True)
class Changes:
    """What a list changes in the register, worked out before the write lock is taken."""

    added: list[RegisterEntry] = field(default_factory=list)
    changed: list[tuple[Permit, RegisterEntry]] = field(default_factory=list)
    back: set[int] = field(default_factory=set)
    """Permits that had been retired and are named again."""
    unchanged: int = 0
    retired: list[int] = field(default_factory=list)
    """Permits of the same source that the list no longer names."""


def stage(session: Session, run_id: int, entries: Sequence[RegisterEntry]) -> None:
    """Keep a batch of entries for the merge."""
    if entries:
        session.execute(
            insert(StagedPermitRow),
            [
                {
                    "run_id": run_id,
                    "line": entry.line,
                    "service": entry.service,
                    "permit_type": entry.permit_type,
                    "number_key": entry.number_key,
                    "year": entry.year or 0,
                    "content": to_json(entry),
                }
                for entry in entries
            ],
        )


def staged(session: Session, run_id: int) -> Iterator[RegisterEntry]:
    rows = session.execute(
        select(StagedPermitRow.content).where(StagedPermitRow.run_id == run_id).order_by(StagedPermitRow.id)
    )
    for (content,) in rows:
        yield from_json(content)


def clear_stage(session: Session, run_id: int) -> None:
    session.execute(delete(StagedPermitRow).where(StagedPermitRow.run_id == run_id))


def record_run(
    session: Session, told: dict[str, Any], *, state: str, finished_at: datetime | None = None
) -> int:
    """Write down that a file was read, and what for; answers the run's number."""
    row = session.execute(
        insert(ImportRunRow)
        .values(
            **told,
            state=state,
            finished_at=finished_at,
            permits_added=0,
            permits_changed=0,
            permits_unchanged=0,
            permits_retired=0,
        )
        .returning(ImportRunRow.id)
    )
    return row.scalar_one()


def finish_run(session: Session, run_id: int, changes: Changes, *, finished_at: datetime) -> None:
    session.execute(
        update(ImportRunRow)
        .where(ImportRunRow.id == run_id)
        .values(
            state="merged",
            finished_at=finished_at,
            permits_added=len(changes.added),
            permits_changed=len(changes.changed),
            permits_unchanged=changes.unchanged,
            permits_retired=len(changes.retired),
        )
    )


def last_merge(session: Session, municipality: str) -> int:
    """The latest run merged into a town's register: if it moved, a comparison made before is out of date."""
    return (
        session.scalar(
            select(func.max(ImportRunRow.id)).where(
                ImportRunRow.municipality == municipality, ImportRunRow.state == "merged"
            )
        )
        or 0
    )


def merged_run_of(session: Session, municipality: str, digest: str) -> int | None:
    """The run that already merged this very file, if no other file of its source was merged since."""
    run = session.execute(
        select(ImportRunRow.id, ImportRunRow.source)
        .where(
            ImportRunRow.municipality == municipality,
            ImportRunRow.file_digest == digest,
            ImportRunRow.state == "merged",
        )
        .order_by(ImportRunRow.id.desc())
        .limit(1)
    ).first()
    if run is None:
        return None
    newest = session.scalar(
        select(func.max(ImportRunRow.id)).where(
            ImportRunRow.municipality == municipality,
            ImportRunRow.source == run.source,
            ImportRunRow.state == "merged",
        )
    )
    return run.id if newest == run.id else None


def compare(
    session: Session,
    municipality: str,
    entries: Iterable[RegisterEntry],
    *,
    source: str,
    as_of: date,
    retire_missing: bool,
    own_register: bool,
) -> Changes:
    """What the entries change, against the register as it stands; only reads.

    ``own_register`` says that the list is the municipality's own: only that one changes permits told by others.
    """
    changes = Changes()
    seen: set[int] = set()
    batch: list[RegisterEntry] = []

    def settle() -> None:
        held = permits_by_identity(session, municipality, [entry.identity for entry in batch])
        for entry in batch:
            if entry.identity not in held:
                changes.added.append(entry)
                continue
            permit, retired, told_by = held[entry.identity]
            seen.add(permit.id)
            if told_by != source and not own_register and not retired:
                # What the municipality, or another platform, says of a permit is not for this list to change.
                changes.unchanged += 1
                continue
            if retired:
                changes.back.add(permit.id)
            if retired or _differs(permit, entry, as_of):
                changes.changed.append((permit, entry))
            else:
                changes.unchanged += 1
        batch.clear()

    for entry in entries:
        batch.append(entry)
        if len(batch) >= BATCH:
            settle()
    settle()
    if retire_missing:
        current = session.scalars(
            select(PermitRow.id)
            .join(PermitVersionRow, PermitVersionRow.permit_id == PermitRow.id)
            .where(
                PermitRow.municipality == municipality,
                PermitVersionRow.source == source,
                PermitVersionRow.known_until.is_(None),
                PermitVersionRow.valid_until.is_(None),
            )
        )
        changes.retired = [permit_id for permit_id in current if permit_id not in seen]
    return changes


def merge(
    session: Session, municipality: str, changes: Changes, *, source: str, as_of: date, now: datetime
) -> None:
    """Write the changes: one short transaction, in bulk."""
    _add(session, municipality, changes.added, source=source, now=now)
    for permit, entry in changes.changed:
        back = permit.id in changes.back
        _change(session, permit, entry, source=source, as_of=as_of, now=now, back=back)
    for start in range(0, len(changes.retired), BATCH):
        _retire(session, changes.retired[start : start + BATCH], as_of=as_of, now=now)


def record_list(
    session: Session,
    municipality: str,
    *,
    service: str,
    kind: str,
    source: str,
    as_of: date,
    now: datetime,
    run_id: int | None = None,
) -> None:
    """Say that a list of a day was received; the one it replaces is closed, not lost.

    A list older than the one held is recorded as closed at once: it never makes the register look older.
    """
    newer = session.scalar(
        select(func.max(PermitListRow.as_of)).where(
            PermitListRow.municipality == municipality,
            PermitListRow.service == service,
            PermitListRow.source == source,
            PermitListRow.known_until.is_(None),
        )
    )
    outdated = newer is not None and newer > as_of
    if not outdated:
        session.execute(
            update(PermitListRow)
            .where(
                PermitListRow.municipality == municipality,
                PermitListRow.service == service,
                PermitListRow.source == source,
                PermitListRow.known_until.is_(None),
            )
            .values(known_until=now)
        )
    session.execute(
        insert(PermitListRow).values(
            municipality=municipality,
            service=service,
            kind=kind,
            source=source,
            as_of=as_of,
            import_run_id=run_id,
            known_from=now,
            known_until=now if outdated else None,
        )
    )


def add_entries(
    session: Session, municipality: str, entries: Sequence[RegisterEntry], *, source: str, now: datetime
) -> None:
    """Add permits that the register does not hold yet."""
    _add(session, municipality, entries, source=source, now=now)


def _add(
    session: Session, municipality: str, entries: Sequence[RegisterEntry], *, source: str, now: datetime
) -> None:
    for start in range(0, len(entries), BATCH):
        some = entries[start : start + BATCH]
        ids = session.scalars(
            insert(PermitRow).returning(PermitRow.id, sort_by_parameter_order=True),
            [
                {
                    "municipality": municipality,
                    "service": entry.service,
                    "permit_type": entry.permit_type,
                    "number": entry.number,
                    "number_key": entry.number_key,
                    "year": entry.year or 0,
                    "holder_kind": entry.holder_kind,
                }
                for entry in some
            ],
        ).all()
        pairs = list(zip(ids, some, strict=True))
        _insert(session, PermitVersionRow, [_version(i, entry, source, now) for i, entry in pairs])
        _insert(session, VehicleUnitRow, [_unit(i, unit, now) for i, entry in pairs for unit in entry.units])
        _insert(session, PermitEventRow, [_event(i, act, now) for i, entry in pairs for act in entry.events])


def _insert(session: Session, row: type[Any], values: list[dict[str, Any]]) -> None:
    if values:
        session.execute(insert(row), values)


def _version(permit_id: int, entry: RegisterEntry, source: str, now: datetime) -> dict[str, Any]:
    return {
        "permit_id": permit_id,
        "trade_name": entry.trade_name,
        "itinerary": entry.itinerary,
        "max_speed_kmh": entry.max_speed_kmh,
        "paper_valid_from": entry.paper_valid_from,
        "paper_valid_until": entry.paper_valid_until,
        "renewal_of": None,
        "source": source,
        "valid_from": None,
        "valid_until": None,
        "known_from": now,
        "known_until": None,
    }


def _unit(permit_id: int, unit: VehicleUnit, now: datetime) -> dict[str, Any]:
    return {
        "permit_id": permit_id,
        "position": unit.position,
        "role": unit.role,
        "plate": unit.plate,
        "plate_key": unit.plate_key,
        "vehicle_type": unit.vehicle_type,
        "model_year": unit.model_year,
        "capacity": unit.capacity,
        "valid_from": unit.valid_from,
        "valid_until": unit.valid_until,
        "known_from": now,
        "known_until": None,
    }


def _event(permit_id: int, event: PermitEvent, now: datetime) -> dict[str, Any]:
    return {
        "permit_id": permit_id,
        "kind": event.kind,
        "unit": event.unit,
        "act_number": event.act_number,
        "act_date": event.act_date,
        "valid_from": event.on,
        "valid_until": event.until,
        "known_from": now,
        "known_until": None,
    }


_ATTRIBUTES = ("trade_name", "itinerary", "max_speed_kmh", "paper_valid_from", "paper_valid_until")


def _differs(permit: Permit, entry: RegisterEntry, as_of: date) -> bool:
    if any(getattr(permit, name) != getattr(entry, name) for name in _ATTRIBUTES):
        return True
    return set(_units_after(permit, entry, as_of)) != set(permit.units) or set(
        _events_after(permit, entry)
    ) != set(permit.events)


def _units_after(permit: Permit, entry: RegisterEntry, as_of: date) -> tuple[VehicleUnit, ...]:
    """The vehicles once the list is merged: one that left keeps its days, one that came has its first."""
    told = {unit.plate: unit for unit in entry.units}
    after: list[VehicleUnit] = []
    for held in permit.units:
        over = held.valid_until is not None and held.valid_until < as_of
        unit = None if over else told.pop(held.plate, None)
        if over:
            after.append(held)
        elif unit is None:
            after.append(replace(held, valid_until=as_of - timedelta(1)))
        else:
            after.append(
                replace(
                    unit,
                    valid_from=unit.valid_from or held.valid_from,
                    valid_until=unit.valid_until or held.valid_until,
                )
            )
    after += [replace(unit, valid_from=unit.valid_from or as_of) for unit in told.values()]
    return tuple(after)


def _events_after(permit: Permit, entry: RegisterEntry) -> tuple[PermitEvent, ...]:
    kept = [event for event in permit.events if event.kind not in entry.told_kinds]
    known = {event.kind for event in kept}
    # An issue that the list only lets us suppose never stands beside one that is known.
    told = [
        event
        for event in entry.events
        if event.kind in entry.told_kinds or not (event.kind is EventKind.ISSUE and event.kind in known)
    ]
    return tuple(dict.fromkeys([*kept, *told]))


def _change(
    session: Session,
    permit: Permit,
    entry: RegisterEntry,
    *,
    source: str,
    as_of: date,
    now: datetime,
    back: bool,
) -> None:
    if back:
        version = {**_version(permit.id, entry, source, now), "valid_from": as_of}
        _insert(session, PermitVersionRow, [version])
    elif any(getattr(permit, name) != getattr(entry, name) for name in _ATTRIBUTES):
        standing = (PermitVersionRow.permit_id == permit.id) & PermitVersionRow.valid_until.is_(None)
        _close(session, PermitVersionRow, standing, now)
        _insert(session, PermitVersionRow, [_version(permit.id, entry, source, now)])
    units = _units_after(permit, entry, as_of)
    if set(units) != set(permit.units):
        _close(session, VehicleUnitRow, VehicleUnitRow.permit_id == permit.id, now)
        _insert(session, VehicleUnitRow, [_unit(permit.id, unit, now) for unit in units])
    events = _events_after(permit, entry)
    if set(events) != set(permit.events):
        _close(session, PermitEventRow, PermitEventRow.permit_id == permit.id, now)
        _insert(session, PermitEventRow, [_event(permit.id, event, now) for event in events])


def _close(session: Session, row: type[Any], condition: Any, now: datetime) -> None:
    session.execute(
        update(row).where(condition, row.known_until.is_(None)).values(known_until=bindparam("closed")),
        {"closed": now},
    )


def _retire(session: Session, permit_ids: Sequence[int], *, as_of: date, now: datetime) -> None:
    """A permit that its list no longer names was there until the day before."""
    current = session.execute(
        select(PermitVersionRow.__table__).where(
            PermitVersionRow.permit_id.in_(permit_ids),
            PermitVersionRow.known_until.is_(None),
            PermitVersionRow.valid_until.is_(None),
        )
    ).mappings()
    closed = [
        {**row, "known_from": now, "known_until": None, "valid_until": as_of - timedelta(1)}
        for row in current
    ]
    for row in closed:
        del row["id"]
    standing = PermitVersionRow.permit_id.in_(permit_ids) & PermitVersionRow.valid_until.is_(None)
    _close(session, PermitVersionRow, standing, now)
    _insert(session, PermitVersionRow, closed)
