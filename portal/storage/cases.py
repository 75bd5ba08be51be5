"""Complaints as a desk asks for them: one municipality's, by due date."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import Session

from portal.storage.complaints import ComplaintRow, SealedIdentityRow
from portal.storage.drafts import EvidenceRow
from portal.storage.staff import StaffMemberRow


def cases_by_due_date(
    session: Session,
    municipality: str,
    *,
    statuses: Collection[str] | None,
    due_before: date | None,
    limit: int,
    offset: int,
) -> Sequence[ComplaintRow]:
    """One page; somebody in danger first, then what is due first. ``statuses`` None is every case, newest first."""
    wanted = _cases(select(ComplaintRow), municipality, statuses, due_before)
    order: tuple[ColumnElement[Any], ...] = (
        (ComplaintRow.filed_at.desc(), ComplaintRow.id.desc())
        if statuses is None
        else (ComplaintRow.fast_lane.desc(), ComplaintRow.due_on.asc(), ComplaintRow.id.asc())
    )
    return session.scalars(wanted.order_by(*order).limit(limit).offset(offset)).all()


def count_cases(
    session: Session, municipality: str, *, statuses: Collection[str] | None, due_before: date | None
) -> int:
    wanted = _cases(select(func.count()).select_from(ComplaintRow), municipality, statuses, due_before)
    return session.scalar(wanted) or 0


def find_case(
    session: Session, municipality: str, protocol: str, *, lock: bool = False
) -> ComplaintRow | None:
    """A complaint of this municipality and no other; ``lock`` makes a colleague's step wait for this one."""
    wanted = select(ComplaintRow).where(
        ComplaintRow.municipality == municipality, ComplaintRow.protocol == protocol
    )
    return session.scalar(wanted.with_for_update() if lock else wanted)


def find_evidence(session: Session, complaint_id: int, token: str) -> EvidenceRow | None:
    return session.scalar(
        select(EvidenceRow).where(EvidenceRow.complaint_id == complaint_id, EvidenceRow.token == token)
    )


def sealed_identity(session: Session, complaint_id: int) -> SealedIdentityRow | None:
    return session.get(SealedIdentityRow, complaint_id)


def names_of_staff(session: Session, municipality: str) -> dict[int, str]:
    rows = session.scalars(select(StaffMemberRow).where(StaffMemberRow.municipality == municipality))
    return {row.id: row.name for row in rows}


def _cases(
    query: Select[Any], municipality: str, statuses: Collection[str] | None, due_before: date | None
) -> Select[Any]:
    query = query.where(ComplaintRow.municipality == municipality)
    if statuses is not None:
        query = query.where(ComplaintRow.status.in_(statuses))
    if due_before is not None:
        query = query.where(ComplaintRow.due_on < due_before)
    return query
