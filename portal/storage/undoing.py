"""Taking a publication back: what it learnt is closed, what it closed is learnt again. Nothing is deleted.

As in publishing, all that takes long is written unseen beforehand or closed unseen afterwards, a stretch of permits
at a time; the step that everybody sees hides what the reading added with one row and turns the swaps over.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, insert, or_, select, update
from sqlalchemy.orm import Session

from portal.domain.batches import batches
from portal.storage.imports import ImportRunRow
from portal.storage.merging import PARTS, turn_swaps, write_hidden
from portal.storage.permits import (
    PermitEventRow,
    PermitListRow,
    PermitRow,
    PermitVersionRow,
    PublishingRow,
    VehicleUnitRow,
)

STRETCH = 10_000
"""Permits that are gone through at once."""


def stretches_of(session: Session, municipality: str) -> Iterator[tuple[int, int]]:
    """The permits of a town by their ids, a stretch at a time."""
    least, most = session.execute(
        select(func.min(PermitRow.id), func.max(PermitRow.id)).where(PermitRow.municipality == municipality)
    ).one()
    for first in range(least or 1, (most or 0) + 1, STRETCH):
        yield first, min(first + STRETCH - 1, most)


def changed_since(
    session: Session, municipality: str, first: int, last: int, published_at: datetime
) -> dict[int, str]:
    """Permits of a stretch that a publication touched and of which something was learnt later, with their numbers."""
    own = _of_town(municipality, first, last)
    touched: set[int] = set()
    later: set[int] = set()
    for row in PARTS.values():
        here = (row.permit_id.between(first, last), row.permit_id.in_(own))
        at = or_(row.known_from == published_at, row.known_until == published_at)
        after = or_(row.known_from > published_at, row.known_until > published_at)
        touched |= set(session.scalars(select(row.permit_id).where(*here, at)))
        later |= set(session.scalars(select(row.permit_id).where(*here, after)))
    found: dict[int, str] = {}
    for some in batches(sorted(touched & later), 500):
        rows = session.execute(select(PermitRow.id, PermitRow.number).where(PermitRow.id.in_(some)))
        found |= {one[0]: one[1] for one in rows}
    return found


def _of_town(municipality: str, first: int, last: int) -> Any:
    return select(PermitRow.id).where(
        PermitRow.municipality == municipality, PermitRow.id.between(first, last)
    )


def write_back(
    session: Session,
    run_id: int,
    municipality: str,
    first: int,
    last: int,
    published_at: datetime,
    *,
    but: Sequence[int],
    at: datetime,
) -> None:
    """Write what a publication closed in a stretch of permits once more, unseen, and note what it opened in them.

    What it added needs no note: it is hidden whole, and closed afterwards.
    """
    own = _of_town(municipality, first, last)
    added = select(PermitVersionRow.permit_id).where(
        PermitVersionRow.permit_id.between(first, last), PermitVersionRow.run_id == run_id
    )
    kept = set(but)
    fresh: dict[str, list[dict[str, Any]]] = {}
    closing: list[dict[str, Any]] = []
    for part, row in PARTS.items():
        here = (row.permit_id.between(first, last), row.permit_id.in_(own))
        closed = (row.known_until == published_at, row.known_from < published_at)
        for told in session.execute(select(row.__table__).where(*here, *closed)).mappings():
            if told["permit_id"] not in kept:
                again = {**told, "known_from": at}
                del again["id"]
                fresh.setdefault(part, []).append(again)
        opened = (row.known_from == published_at, row.known_until.is_(None), row.permit_id.not_in(added))
        closing += [
            {"run_id": run_id, "part": part, "row_id": row_id, "opens": False}
            for row_id, permit_id in session.execute(select(row.id, row.permit_id).where(*here, *opened))
            if permit_id not in kept
        ]
    write_hidden(session, run_id, fresh, closing, at=at)


def take_back(session: Session, run_id: int, *, but: Sequence[int], added: bool, at: datetime) -> None:
    """The one short step: from here on nobody sees what the publication told, ``but`` of some permits."""
    for some in batches(but, 500):
        session.connection().execute(
            update(PermitVersionRow)
            .where(PermitVersionRow.permit_id.in_(some), PermitVersionRow.run_id == run_id)
            .values(run_id=None)
        )
    if added:
        session.connection().execute(insert(PublishingRow).values(run_id=run_id))
    turn_swaps(session, run_id, at=at)


def close_added(
    session: Session, run_id: int, first: int, last: int, published_at: datetime, *, at: datetime
) -> None:
    """Close what a publication added in a stretch of permits; doing it twice closes nothing twice."""
    version = PermitVersionRow
    added = select(version.permit_id).where(
        version.permit_id.between(first, last), version.run_id == run_id, version.known_until.is_(None)
    )
    for row in (VehicleUnitRow, PermitEventRow, version):
        session.connection().execute(
            update(row)
            .where(
                row.permit_id.between(first, last),
                row.known_from == published_at,
                row.known_until.is_(None),
                row.permit_id.in_(added),
            )
            .values(known_until=at)
        )


def end_undoing(session: Session, run_id: int) -> None:
    session.connection().execute(delete(PublishingRow).where(PublishingRow.run_id == run_id))


def half_undone(session: Session) -> list[int]:
    """Publications that are undone for everybody, and not yet closed row by row."""
    wanted = (
        select(ImportRunRow.id)
        .join(PublishingRow, PublishingRow.run_id == ImportRunRow.id)
        .where(ImportRunRow.state == "undone")
    )
    return list(session.scalars(wanted))


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
