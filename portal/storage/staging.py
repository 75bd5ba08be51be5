"""The stage of a reading: written in short transactions, compared with the register, published in one short one.

What a reading adds is written to the register's own tables beforehand, unseen while its run stands among those
being published; a row that replaces another is known from an instant until that same instant. Publication itself
then only deletes that one row and turns the swaps over, in a handful of statements, however large the file is.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from sqlalchemy import Select, and_, delete, exists, func, select, update
from sqlalchemy.orm import Session

from portal.domain.batches import batches
from portal.domain.permits import EventKind, HolderKind, PermitEvent, Service, VehicleUnit
from portal.domain.registers import RegisterEntry
from portal.storage.bulk import Bulk
from portal.storage.imports import StagedEventRow, StagedPermitRow, StagedSwapRow, StagedUnitRow
from portal.storage.permits import (
    PermitEventRow,
    PermitRow,
    PermitVersionRow,
    VehicleUnitRow,
    known,
)
from portal.storage.registers import (
    KnownEntry,
    differs,
    known_entries,
)

BATCH = 500
"""Permits that are compared at once, or changed in one transaction."""
STRETCH = 10_000
"""Permits of which one statement writes the rows."""

Wanted = Select[int, int, str]
S, U, E = StagedPermitRow, StagedUnitRow, StagedEventRow
PARTS: dict[str, type[Any]] = {"version": PermitVersionRow, "unit": VehicleUnitRow, "event": PermitEventRow}


STAGED_PERMITS = Bulk(
    S,
    ("run_id", "entry", "line", "service", "permit_type", "number", "number_key", "year", "holder_kind",
     "trade_name", "itinerary", "max_speed_kmh", "paper_valid_from", "paper_valid_until", "told", "central",
     "action"),
)  # fmt: skip
STAGED_UNITS = Bulk(
    U,
    ("run_id", "entry", "ordinal", "line", "position", "told_position", "role", "plate", "plate_key",
     "vehicle_type", "model_year", "capacity", "valid_from", "valid_until"),
)  # fmt: skip
STAGED_EVENTS = Bulk(
    E,
    ("run_id", "entry", "ordinal", "kind", "unit", "act_number", "act_date", "valid_from", "valid_until"),
)


def stage(
    session: Session, permits: list[list[Any]], units: list[list[Any]], events: list[list[Any]]
) -> None:
    """Keep what was read of a stretch of the file; values stand in the order of ``STAGED_PERMITS`` and the others."""
    connection = session.connection()
    STAGED_PERMITS.write(connection, permits)
    STAGED_UNITS.write(connection, units)
    STAGED_EVENTS.write(connection, events)


def last_entry(session: Session, run_id: int) -> int:
    return session.scalar(select(func.max(S.entry)).where(S.run_id == run_id)) or 0


def doubled_identities(session: Session, run_id: int) -> list[tuple[str, str, str, int]]:
    """Permits whose rows stand apart in the file, so that they were staged in several pieces."""
    same = (S.service, S.permit_type, S.number_key, S.year)
    rows = session.execute(select(*same).where(S.run_id == run_id).group_by(*same).having(func.count() > 1))
    return [(row[0], row[1], row[2], row[3]) for row in rows]


def entries_of(
    session: Session, run_id: int, identities: Sequence[tuple[str, str, str, int]]
) -> dict[tuple[str, str, str, int], list[Any]]:
    """The staged rows of some permits, in the order of the file."""
    keys: dict[tuple[str, str], set[str]] = {}
    for service, permit_type, number_key, _year in identities:
        keys.setdefault((service, permit_type), set()).add(number_key)
    wanted = set(identities)
    found: dict[tuple[str, str, str, int], list[Any]] = {}
    for (service, permit_type), numbers in keys.items():
        rows = session.connection().execute(
            select(S.__table__)
            .where(S.run_id == run_id, S.service == service, S.permit_type == permit_type)
            .where(S.number_key.in_(sorted(numbers)))
            .order_by(S.entry)
        )
        for row in rows:
            identity = (row.service, row.permit_type, row.number_key, row.year)
            if identity in wanted:
                found.setdefault(identity, []).append(row)
    return found


def parts_of(
    session: Session, run_id: int, entries: Sequence[int]
) -> tuple[dict[int, list[Any]], dict[int, list[Any]]]:
    """Vehicles and acts of staged permits, by entry."""
    units: dict[int, list[Any]] = {}
    events: dict[int, list[Any]] = {}
    connection = session.connection()
    for row, found in ((U, units), (E, events)):
        rows = connection.execute(
            select(row.__table__)
            .where(row.run_id == run_id, row.entry.in_(entries))
            .order_by(row.entry, row.ordinal)
        )
        for one in rows:
            found.setdefault(one.entry, []).append(one)
    return units, events


def drop_entries(session: Session, run_id: int, entries: Sequence[int]) -> None:
    for row in (U, E, S):
        session.connection().execute(delete(row).where(row.run_id == run_id, row.entry.in_(entries)))


def break_entries(session: Session, run_id: int, entries: Iterable[int]) -> None:
    """Leave permits out, as one of their rows was refused."""
    for some in batches(entries, BATCH):
        session.connection().execute(
            update(S).where(S.run_id == run_id, S.entry.in_(some)).values(action="broken")
        )


def sound_services(session: Session, run_id: int) -> list[str]:
    """The services of which a reading tells anything sound."""
    rows = session.scalars(
        select(S.service).where(S.run_id == run_id, S.action != "broken").distinct().order_by(S.service)
    )
    return list(rows)


def is_staged(municipality: str) -> Any:
    """The permit of the register that a staged one is."""
    return and_(
        PermitRow.municipality == municipality,
        PermitRow.service == S.service,
        PermitRow.permit_type == S.permit_type,
        PermitRow.number_key == S.number_key,
        PermitRow.year == S.year,
    )


def find_held(session: Session, run_id: int, municipality: str, first: int, last: int) -> None:
    """Find out which of a stretch of staged permits the register has a row of, and which of these it holds.

    Nothing is written of the others. A row without a wording is left from a publication that was undone.
    """
    connection = session.connection()
    stretch = (S.run_id == run_id, S.entry.between(first, last))
    connection.execute(update(S).where(*stretch, S.action == "held").values(action="added"))
    row = select(PermitRow.id).where(is_staged(municipality)).limit(1).scalar_subquery()
    connection.execute(
        update(S).where(*stretch, S.permit_id.is_(None), row.is_not(None)).values(permit_id=row)
    )
    held = exists().where(PermitVersionRow.permit_id == S.permit_id, known(PermitVersionRow, False))
    connection.execute(
        update(S).where(*stretch, S.action == "added", S.permit_id.is_not(None), held).values(action="held")
    )


@dataclass(slots=True)
class Compared:
    """What a stretch of the stage would change."""

    changed: list[tuple[int, KnownEntry, RegisterEntry]] = field(default_factory=list)
    """Entry of the stage, the permit as it is held, and as the file tells it."""
    same: int = 0


def compare(
    session: Session,
    run_id: int,
    first: int,
    last: int,
    *,
    told_kinds: tuple[EventKind, ...],
    source: str,
    as_of: date,
    own_register: bool,
) -> Compared:
    """A stretch of staged permits that the register holds already, against what it holds; only reads.

    ``own_register`` says that the list is the municipality's own: only that one changes permits told by others.
    """
    compared = Compared()
    rows = session.execute(
        select(S.__table__)
        .where(S.run_id == run_id, S.entry.between(first, last), S.action == "held")
        .order_by(S.entry)
    ).all()
    for some in batches(rows, BATCH):
        held = known_entries(session, [row.permit_id for row in some])
        units, events = parts_of(session, run_id, [row.entry for row in some])
        for row in some:
            standing = held[row.permit_id]
            entry = _entry(row, units.get(row.entry, ()), events.get(row.entry, ()), told_kinds)
            if standing.source != source and not own_register and not standing.retired:
                # What the municipality, or another platform, says of a permit is not for this list to change.
                compared.same += 1
            elif standing.retired or differs(standing.permit, entry, as_of):
                compared.changed.append((row.entry, standing, entry))
            else:
                compared.same += 1
    return compared


def count_actions(session: Session, run_id: int) -> dict[str, int]:
    rows = session.execute(select(S.action, func.count()).where(S.run_id == run_id).group_by(S.action))
    return {row[0]: row[1] for row in rows}


def missing_permits(run_id: int, municipality: str, source: str, services: Sequence[str]) -> Wanted:
    """Select the ids of permits that this source told of, and the file no longer does."""
    version = PermitVersionRow
    staged = select(S.permit_id).where(S.run_id == run_id, S.permit_id.is_not(None))
    return (
        select(version.id, version.permit_id, PermitRow.number)
        .join(PermitRow, PermitRow.id == version.permit_id)
        .where(
            PermitRow.municipality == municipality,
            PermitRow.service.in_(services),
            version.source == source,
            known(version, False),
            version.valid_until.is_(None),
            version.permit_id.not_in(staged),
        )
    )


def count_of(wanted: Wanted) -> Select[int]:
    return select(func.count()).select_from(wanted.subquery())


def clear_stretch(session: Session, run_id: int, limit: int = STRETCH) -> bool:
    """Delete a stretch of what was staged; False once nothing is left."""
    left = False
    for row in (U, E, S):
        last = session.scalar(
            select(row.entry).where(row.run_id == run_id).order_by(row.entry).offset(limit).limit(1)
        )
        left = left or last is not None
        stretch = row.run_id == run_id if last is None else and_(row.run_id == run_id, row.entry < last)
        session.connection().execute(delete(row).where(stretch))
    if not left:
        session.connection().execute(delete(StagedSwapRow).where(StagedSwapRow.run_id == run_id))
    return left


def _entry(
    row: Any, units: Sequence[Any], events: Sequence[Any], told_kinds: tuple[EventKind, ...]
) -> RegisterEntry:
    return RegisterEntry(
        service=Service(row.service),
        permit_type=row.permit_type,
        number=row.number,
        number_key=row.number_key,
        holder_kind=HolderKind(row.holder_kind),
        units=tuple(
            VehicleUnit(
                one.position, one.role, one.plate, one.plate_key, one.vehicle_type, one.model_year,
                one.capacity, one.valid_from, one.valid_until,
            )
            for one in units
        ),
        events=tuple(
            PermitEvent(EventKind(one.kind), one.valid_from, one.valid_until, one.unit, one.act_number,
                        one.act_date)
            for one in events
        ),
        year=row.year or None,
        trade_name=row.trade_name,
        itinerary=row.itinerary,
        max_speed_kmh=row.max_speed_kmh,
        paper_valid_from=row.paper_valid_from,
        paper_valid_until=row.paper_valid_until,
        line=row.line,
        told_kinds=told_kinds,
    )  # fmt: skip


def central_permits(
    session: Session, run_id: int, service: str, permit_type: str, at_most: int
) -> list[tuple[int, int]]:
    """Lines of the permits of the central region beyond a number, each year on its own, and how many it is."""
    rows = session.execute(
        select(S.line, S.year)
        .where(S.run_id == run_id, S.service == service, S.permit_type == permit_type)
        .where(S.central, S.action != "broken")
        .order_by(S.entry)
    )
    seen: dict[int, int] = {}
    beyond = []
    for line, year in rows:
        seen[year] = seen.get(year, 0) + 1
        if seen[year] > at_most:
            beyond.append((line, seen[year]))
    return beyond


def permits_of_one_plate(
    session: Session, run_id: int, service: str, permit_type: str, at_most: int
) -> list[tuple[int, int]]:
    """The last line of each vehicle that stands in more permits than a number, and in how many it stands."""
    rows = session.execute(
        select(func.max(U.line), func.count(U.entry.distinct()))
        .join(S, and_(S.run_id == U.run_id, S.entry == U.entry))
        .where(U.run_id == run_id, S.service == service, S.permit_type == permit_type, S.action != "broken")
        .group_by(U.plate_key)
        .having(func.count(U.entry.distinct()) > at_most)
    )
    return [(row[0], row[1]) for row in rows]
