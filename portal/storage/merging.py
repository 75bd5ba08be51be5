"""From the stage into the register: written unseen in short transactions, shown in one short step.

What a reading adds is written to the register's own tables beforehand, unseen while its run stands among those
being published; a row that replaces another is known from an instant until that same instant. Publication itself
then only deletes that one row and turns the swaps over, in a handful of statements, however large the file is.
"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import and_, delete, insert, literal, select, update
from sqlalchemy.orm import Session

from portal.domain.registers import RegisterEntry
from portal.storage.base import Instant
from portal.storage.imports import StagedEventRow, StagedPermitRow, StagedSwapRow, StagedUnitRow
from portal.storage.permits import (
    PermitEventRow,
    PermitRow,
    PermitVersionRow,
    PublishingRow,
    VehicleUnitRow,
)
from portal.storage.registers import (
    ATTRIBUTES,
    KnownEntry,
    event_values,
    events_after,
    unit_values,
    units_after,
    version_values,
)
from portal.storage.staging import is_staged

S, U, E = StagedPermitRow, StagedUnitRow, StagedEventRow
PARTS: dict[str, type[Any]] = {"version": PermitVersionRow, "unit": VehicleUnitRow, "event": PermitEventRow}


def write_added(
    session: Session,
    run_id: int,
    municipality: str,
    first: int,
    last: int,
    *,
    source: str,
    at: datetime,
) -> None:
    """Write the permits, vehicles and acts of a stretch that the register does not hold: unseen as yet.

    Doing it twice writes nothing twice.
    """
    connection = session.connection()
    added = (S.run_id == run_id, S.entry.between(first, last), S.action == "added")
    row_of = select(PermitRow.id).where(is_staged(municipality)).scalar_subquery()
    # Since the comparison a row may have come: another clerk's, or one of an attempt of ours that broke off.
    connection.execute(
        update(S).where(*added, S.permit_id.is_(None), row_of.is_not(None)).values(permit_id=row_of)
    )
    # A publication that was undone, or broke off, left permits without a version: they are taken up again.
    again = select(S.permit_id).where(*added, S.permit_id.is_not(None))
    for row in (VehicleUnitRow, PermitEventRow):
        connection.execute(
            update(row).where(row.permit_id.in_(again), row.known_until.is_(None)).values(known_until=at)
        )
    fresh = (
        select(literal(municipality), S.service, S.permit_type, S.number, S.number_key, S.year, S.holder_kind)
        .where(*added, S.permit_id.is_(None))
        .order_by(S.entry)
    )
    connection.execute(
        insert(PermitRow).from_select(
            ["municipality", "service", "permit_type", "number", "number_key", "year", "holder_kind"], fresh
        )
    )
    connection.execute(update(S).where(*added, S.permit_id.is_(None)).values(permit_id=row_of))
    connection.execute(
        insert(VehicleUnitRow).from_select(
            ["permit_id", "position", "role", "plate", "plate_key", "vehicle_type", "model_year", "capacity",
             "valid_from", "valid_until", "known_from"],
            select(S.permit_id, U.position, U.role, U.plate, U.plate_key, U.vehicle_type, U.model_year,
                   U.capacity, U.valid_from, U.valid_until, literal(at, Instant()))
            .select_from(U)
            .join(S, and_(S.run_id == U.run_id, S.entry == U.entry))
            .where(U.run_id == run_id, U.entry.between(first, last), S.action == "added")
            .order_by(U.entry, U.ordinal),
        )
    )  # fmt: skip
    connection.execute(
        insert(PermitEventRow).from_select(
            ["permit_id", "kind", "unit", "act_number", "act_date", "by_desk", "valid_from", "valid_until",
             "known_from"],
            select(S.permit_id, E.kind, E.unit, E.act_number, E.act_date, literal(False), E.valid_from,
                   E.valid_until, literal(at, Instant()))
            .select_from(E)
            .join(S, and_(S.run_id == E.run_id, S.entry == E.entry))
            .where(E.run_id == run_id, E.entry.between(first, last), S.action == "added")
            .order_by(E.entry, E.ordinal),
        )
    )  # fmt: skip
    connection.execute(
        insert(PermitVersionRow).from_select(
            ["permit_id", "trade_name", "itinerary", "max_speed_kmh", "paper_valid_from", "paper_valid_until",
             "source", "run_id", "known_from"],
            select(S.permit_id, S.trade_name, S.itinerary, S.max_speed_kmh, S.paper_valid_from,
                   S.paper_valid_until, literal(source), literal(run_id), literal(at, Instant()))
            .where(*added)
            .order_by(S.entry),
        )
    )  # fmt: skip


def write_changes(
    session: Session,
    run_id: int,
    changes: Sequence[tuple[int, KnownEntry, RegisterEntry]],
    *,
    source: str,
    as_of: date,
    at: datetime,
) -> None:
    """Write the new wording of permits hidden, and note which rows publication closes and which it opens."""
    closing: list[dict[str, Any]] = []
    fresh: dict[str, list[dict[str, Any]]] = {part: [] for part in PARTS}
    rows = _open_rows(session, [standing.permit.id for _, standing, _ in changes])
    for _, standing, entry in changes:
        permit = standing.permit
        touched: list[str] = []
        if standing.retired:
            fresh["version"].append(version_values(permit.id, entry, source, at) | {"valid_from": as_of})
        elif any(getattr(permit, name) != getattr(entry, name) for name in ATTRIBUTES):
            fresh["version"].append(version_values(permit.id, entry, source, at))
            touched.append("version")
        units = units_after(permit, entry, as_of)
        if set(units) != set(permit.units):
            fresh["unit"] += [unit_values(permit.id, unit, at) for unit in units]
            touched.append("unit")
        events = events_after(permit, entry)
        if set(events) != set(permit.events):
            fresh["event"] += [event_values(permit.id, event, at) for event in events]
            touched.append("event")
        closing += [
            {"run_id": run_id, "part": part, "row_id": row_id, "opens": False}
            for part in touched
            for row_id in rows[part].get(permit.id, ())
        ]
    write_hidden(session, run_id, fresh, closing, at=at)


def write_retired(
    session: Session, run_id: int, missing: Sequence[tuple[int, int]], *, as_of: date, at: datetime
) -> None:
    """A permit that its list no longer names was there until the day before; (version, permit) ids."""
    version = PermitVersionRow
    standing = session.execute(
        select(version.__table__).where(version.id.in_([one[0] for one in missing]))
    ).mappings()
    fresh = [{**row, "known_from": at, "valid_until": as_of - timedelta(1)} for row in standing]
    for row in fresh:
        del row["id"]
    closing = [{"run_id": run_id, "part": "version", "row_id": one[0], "opens": False} for one in missing]
    write_hidden(session, run_id, {"version": fresh}, closing, at=at)


def write_hidden(
    session: Session,
    run_id: int,
    fresh: dict[str, list[dict[str, Any]]],
    closing: list[dict[str, Any]],
    *,
    at: datetime,
) -> None:
    swaps = closing
    for part, values in fresh.items():
        if values:
            row = PARTS[part]
            hidden = [{**one, "known_until": at} for one in values]
            ids = session.scalars(insert(row).returning(row.id, sort_by_parameter_order=True), hidden).all()
            swaps = swaps + [
                {"run_id": run_id, "part": part, "row_id": row_id, "opens": True} for row_id in ids
            ]
    if swaps:
        session.connection().execute(insert(StagedSwapRow), swaps)


def _open_rows(session: Session, permit_ids: Sequence[int]) -> dict[str, dict[int, list[int]]]:
    """The rows that stand now, by part and permit; of a permit that was retired its old version stays."""
    found: dict[str, dict[int, list[int]]] = {part: {} for part in PARTS}
    for part, row in PARTS.items():
        wanted = select(row.permit_id, row.id).where(row.permit_id.in_(permit_ids), row.known_until.is_(None))
        if part == "version":
            wanted = wanted.where(row.valid_until.is_(None))
        for permit_id, row_id in session.execute(wanted):
            found[part].setdefault(permit_id, []).append(row_id)
    return found


def forget_swaps(session: Session, run_id: int) -> None:
    """Take back what was written hidden, before the register is compared anew; what was shown since stays."""
    for part, row in PARTS.items():
        written = select(StagedSwapRow.row_id).where(
            StagedSwapRow.run_id == run_id, StagedSwapRow.part == part, StagedSwapRow.opens
        )
        session.connection().execute(
            delete(row).where(row.id.in_(written), row.known_until == row.known_from)
        )
    session.connection().execute(delete(StagedSwapRow).where(StagedSwapRow.run_id == run_id))


def begin_publishing(session: Session, run_id: int) -> None:
    """From here on what is written for a reading stays unseen; what an attempt that broke off wrote goes."""
    connection = session.connection()
    if session.get(PublishingRow, run_id) is None:
        connection.execute(insert(PublishingRow).values(run_id=run_id))
    else:
        connection.execute(delete(PermitVersionRow).where(PermitVersionRow.run_id == run_id))


def show(session: Session, run_id: int, *, at: datetime) -> None:
    """The one short step: from here on everybody sees what the reading told."""
    connection = session.connection()
    connection.execute(delete(PublishingRow).where(PublishingRow.run_id == run_id))
    turn_swaps(session, run_id, at=at)


def turn_swaps(session: Session, run_id: int, *, at: datetime) -> None:
    """Close the rows that are replaced, and open those that were written unseen."""
    connection = session.connection()
    for part, row in PARTS.items():
        for opens, until in ((False, at), (True, None)):
            chosen = select(StagedSwapRow.row_id).where(
                StagedSwapRow.run_id == run_id, StagedSwapRow.part == part, StagedSwapRow.opens == opens
            )
            connection.execute(update(row).where(row.id.in_(chosen)).values(known_until=until))


def take_added_back(session: Session, run_id: int, municipality: str, *, at: datetime) -> None:
    """Take back what was written for permits that will not be shown after all."""
    connection = session.connection()
    if session.get(PublishingRow, run_id) is None:
        return
    added = (
        select(PermitRow.id).join(S, is_staged(municipality)).where(S.run_id == run_id, S.action == "added")
    )
    for row in (VehicleUnitRow, PermitEventRow):
        connection.execute(
            update(row).where(row.permit_id.in_(added), row.known_until.is_(None)).values(known_until=at)
        )
    connection.execute(delete(PermitVersionRow).where(PermitVersionRow.run_id == run_id))
    connection.execute(delete(PublishingRow).where(PublishingRow.run_id == run_id))
