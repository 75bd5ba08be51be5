"""What a list tells of a permit, against what the register holds; and the lists themselves.

Nothing is overwritten: a row that no longer holds is closed at the instant when that was learnt, and the
new wording stands beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session

from portal.domain.batches import batches
from portal.domain.permits import EventKind, Permit, PermitEvent, VehicleUnit
from portal.domain.registers import RegisterEntry
from portal.storage.permits import (
    PERMIT_COLUMNS,
    PermitEventRow,
    PermitListRow,
    PermitRow,
    PermitVersionRow,
    VehicleUnitRow,
    known,
    with_parts,
)

BATCH = 500


@dataclass(frozen=True, slots=True)
class KnownEntry:
    """A permit as the register holds it now."""

    permit: Permit
    source: str
    """The list that told of it."""
    retired: bool


def known_entries(session: Session, permit_ids: Sequence[int]) -> dict[int, KnownEntry]:
    """Permits by id; one that was retired and came back has two wordings, and the last one stands."""
    version = PermitVersionRow
    rows = list(
        session.connection().execute(
            select(*PERMIT_COLUMNS, version.source)
            .join(version, version.permit_id == PermitRow.id)
            .where(PermitRow.id.in_(permit_ids), known(version, False))
        )
    )
    rows.sort(key=lambda row: row.valid_from or date.min)
    last = {row.id: row for row in rows}
    permits = with_parts(session, list(last.values()))
    return {
        permit.id: KnownEntry(permit, last[permit.id].source, last[permit.id].valid_until is not None)
        for permit in permits
    }


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
    for some in batches(entries, BATCH):
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
        _insert(session, PermitVersionRow, [version_values(i, entry, source, now) for i, entry in pairs])
        _insert(
            session, VehicleUnitRow, [unit_values(i, unit, now) for i, entry in pairs for unit in entry.units]
        )
        _insert(
            session, PermitEventRow, [event_values(i, act, now) for i, entry in pairs for act in entry.events]
        )


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the register that bears a permit's number, type and year."""

    permit_id: int
    known: bool
    """The register holds it; otherwise it is left from a publication that was undone."""


def permit_of(session: Session, municipality: str, entry: RegisterEntry) -> Standing | None:
    permit_id = session.scalar(
        select(PermitRow.id).where(
            PermitRow.municipality == municipality,
            PermitRow.service == entry.service,
            PermitRow.permit_type == entry.permit_type,
            PermitRow.number_key == entry.number_key,
            PermitRow.year == (entry.year or 0),
        )
    )
    if permit_id is None:
        return None
    version = PermitVersionRow
    held = select(version.id).where(version.permit_id == permit_id, known(version, False)).limit(1)
    return Standing(permit_id, session.scalar(held) is not None)


def add_typed(
    session: Session,
    municipality: str,
    entry: RegisterEntry,
    standing: Standing | None,
    *,
    source: str,
    now: datetime,
) -> int:
    """Add one permit, or take a row up again that nothing is known of any more; answers its id."""
    if standing is None:
        add_entries(session, municipality, [entry], source=source, now=now)
        added = permit_of(session, municipality, entry)
        assert added is not None
        return added.permit_id
    permit_id = standing.permit_id
    for row in (VehicleUnitRow, PermitEventRow):
        session.execute(
            update(row).where(row.permit_id == permit_id, row.known_until.is_(None)).values(known_until=now)
        )
    _insert(session, PermitVersionRow, [version_values(permit_id, entry, source, now)])
    _insert(session, VehicleUnitRow, [unit_values(permit_id, unit, now) for unit in entry.units])
    _insert(session, PermitEventRow, [event_values(permit_id, act, now) for act in entry.events])
    return permit_id


def _insert(session: Session, row: type[Any], values: list[dict[str, Any]]) -> None:
    if values:
        session.execute(insert(row), values)


def version_values(permit_id: int, entry: RegisterEntry, source: str, now: datetime) -> dict[str, Any]:
    return {
        "permit_id": permit_id,
        "trade_name": entry.trade_name,
        "itinerary": entry.itinerary,
        "max_speed_kmh": entry.max_speed_kmh,
        "paper_valid_from": entry.paper_valid_from,
        "paper_valid_until": entry.paper_valid_until,
        "renewal_of": None,
        "source": source,
        "run_id": None,
        "valid_from": None,
        "valid_until": None,
        "known_from": now,
        "known_until": None,
    }


def unit_values(permit_id: int, unit: VehicleUnit, now: datetime) -> dict[str, Any]:
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


def event_values(permit_id: int, event: PermitEvent, now: datetime) -> dict[str, Any]:
    return {
        "permit_id": permit_id,
        "kind": event.kind,
        "unit": event.unit,
        "act_number": event.act_number,
        "act_date": event.act_date,
        "by_desk": event.by_desk,
        "valid_from": event.on,
        "valid_until": event.until,
        "known_from": now,
        "known_until": None,
    }


ATTRIBUTES = ("trade_name", "itinerary", "max_speed_kmh", "paper_valid_from", "paper_valid_until")


def differs(permit: Permit, entry: RegisterEntry, as_of: date) -> bool:
    if any(getattr(permit, name) != getattr(entry, name) for name in ATTRIBUTES):
        return True
    return set(units_after(permit, entry, as_of)) != set(permit.units) or set(
        events_after(permit, entry)
    ) != set(permit.events)


def units_after(permit: Permit, entry: RegisterEntry, as_of: date) -> tuple[VehicleUnit, ...]:
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


def events_after(permit: Permit, entry: RegisterEntry) -> tuple[PermitEvent, ...]:
    """What a list tells replaces what lists told before; what the desk recorded, no list takes back."""
    kept = [event for event in permit.events if event.by_desk or event.kind not in entry.told_kinds]
    known = {event.kind for event in kept}
    # An issue that the list only lets us suppose never stands beside one that is known.
    # Nor does what the list and the desk tell alike stand twice.
    same = {(event.kind, event.on, event.unit) for event in kept}
    told = [
        event
        for event in entry.events
        if (event.kind, event.on, event.unit) not in same
        and (event.kind in entry.told_kinds or not (event.kind is EventKind.ISSUE and event.kind in known))
    ]
    return tuple(dict.fromkeys([*kept, *told]))
