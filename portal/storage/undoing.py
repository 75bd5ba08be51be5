"""Taking a publication back: what it learnt is closed, what it closed is learnt again. Nothing is deleted."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import insert, literal, or_, select, update
from sqlalchemy.orm import Session

from portal.domain.batches import batches
from portal.storage.base import Instant
from portal.storage.permits import (
    PermitEventRow,
    PermitListRow,
    PermitRow,
    PermitVersionRow,
    VehicleUnitRow,
)

PARTS: tuple[type[Any], ...] = (PermitVersionRow, VehicleUnitRow, PermitEventRow)


def changed_since(session: Session, municipality: str, at: datetime) -> dict[int, str]:
    """Permits that something was learnt of after an instant, with their numbers."""
    own = select(PermitRow.id).where(PermitRow.municipality == municipality)
    found: dict[int, str] = {}
    for row in PARTS:
        wanted = (
            select(row.permit_id, PermitRow.number)
            .join(PermitRow, PermitRow.id == row.permit_id)
            .where(row.permit_id.in_(own), or_(row.known_from > at, row.known_until > at))
        )
        found |= {one[0]: one[1] for one in session.execute(wanted)}
    return found


def touched_at(session: Session, permit_ids: Sequence[int], at: datetime) -> set[int]:
    """Those of some permits of which something was learnt at an instant."""
    found: set[int] = set()
    for row in PARTS:
        for some in batches(permit_ids, 500):
            wanted = select(row.permit_id).where(
                row.permit_id.in_(some), or_(row.known_from == at, row.known_until == at)
            )
            found |= set(session.scalars(wanted))
    return found


def take_back(
    session: Session, municipality: str, published_at: datetime, *, but: Sequence[int], at: datetime
) -> None:
    """Bring every permit of a publication, ``but`` some, back to what was known before it."""
    own = select(PermitRow.id).where(PermitRow.municipality == municipality)
    for row in PARTS:
        columns = [column for column in row.__table__.columns if column.name not in ("id",)]
        kept = row.permit_id.not_in(but)
        opened = (row.known_from == published_at) & row.known_until.is_(None)
        closed = (row.known_until == published_at) & (row.known_from < published_at)
        again = [
            literal(at, Instant()).label("known_from") if column.name == "known_from"
            else literal(None, Instant()).label("known_until") if column.name == "known_until"
            else column
            for column in columns
        ]  # fmt: skip
        connection = session.connection()
        connection.execute(
            insert(row).from_select(
                [column.name for column in columns],
                select(*again).where(closed, kept, row.permit_id.in_(own)),
            )
        )
        connection.execute(update(row).where(opened, kept, row.permit_id.in_(own)).values(known_until=at))


def take_lists_back(session: Session, run_id: int, published_at: datetime, *, at: datetime) -> None:
    """Close the lists that a publication brought, and hold those again that they had replaced."""
    lists = session.scalars(select(PermitListRow).where(PermitListRow.import_run_id == run_id)).all()
    for one in lists:
        before = session.scalars(
            select(PermitListRow).where(
                PermitListRow.municipality == one.municipality,
                PermitListRow.service == one.service,
                PermitListRow.source == one.source,
                PermitListRow.known_until == published_at,
                PermitListRow.known_from < published_at,
            )
        ).all()
        if one.known_until is None:
            one.known_until = at
        for old in before:
            session.add(
                PermitListRow(
                    municipality=old.municipality,
                    service=old.service,
                    kind=old.kind,
                    source=old.source,
                    as_of=old.as_of,
                    import_run_id=old.import_run_id,
                    known_from=at,
                )
            )
    session.flush()
