"""Complaints as a desk asks for them: one municipality's, by due date, filtered and searched."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import Select, and_, case, func, or_, select
from sqlalchemy.orm import Session

from portal.storage.complaints import ComplaintRow, SealedIdentityRow
from portal.storage.drafts import EvidenceRow
from portal.storage.staff import StaffMemberRow


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which complaints of a municipality; None asks for any."""

    statuses: Collection[str] | None = None
    due_before: date | None = None
    category: str | None = None
    kind: str | None = None
    service: str | None = None
    fast_lane: bool | None = None
    assigned_to: int | None = None
    words: Collection[str] = ()
    """Each must stand in what is searched, folded."""
    plate_key: str | None = None
    """Found beside the words: a plate is one word, whatever stands in it."""


def cases_by_due_date(
    session: Session, municipality: str, wanted: Wanted, *, today: date, newest: bool, limit: int, offset: int
) -> Sequence[ComplaintRow]:
    """One page: overdue first, then somebody in danger, then what is due first; or simply the newest."""
    query = _cases(select(ComplaintRow), municipality, wanted)
    if newest:
        query = query.order_by(ComplaintRow.filed_at.desc(), ComplaintRow.id.desc())
    else:
        overdue = case((ComplaintRow.due_on < today, 0), else_=1)
        query = query.order_by(
            overdue, ComplaintRow.fast_lane.desc(), ComplaintRow.due_on.asc(), ComplaintRow.id.asc()
        )
    return session.scalars(query.limit(limit).offset(offset)).all()


def count_cases(session: Session, municipality: str, wanted: Wanted) -> int:
    return session.scalar(_cases(select(func.count()).select_from(ComplaintRow), municipality, wanted)) or 0


def owed_by_day(session: Session, municipality: str, statuses: Collection[str]) -> list[tuple[date, int]]:
    """How many answers fall due on each day, the first day first."""
    wanted = (
        select(ComplaintRow.due_on, func.count())
        .where(ComplaintRow.municipality == municipality, ComplaintRow.status.in_(statuses))
        .group_by(ComplaintRow.due_on)
        .order_by(ComplaintRow.due_on)
    )
    return [(day, count) for day, count in session.execute(wanted)]


def find_case(
    session: Session, municipality: str, protocol: str, *, lock: bool = False
) -> ComplaintRow | None:
    """A complaint of this municipality and no other; ``lock`` makes a colleague's step wait for this one."""
    wanted = select(ComplaintRow).where(
        ComplaintRow.municipality == municipality, ComplaintRow.protocol == protocol
    )
    return session.scalar(wanted.with_for_update() if lock else wanted)


def merged_with(session: Session, complaint_id: int) -> Sequence[ComplaintRow]:
    """Complaints that are read together with this one."""
    wanted = select(ComplaintRow).where(ComplaintRow.merged_into == complaint_id)
    return session.scalars(wanted.order_by(ComplaintRow.id)).all()


def protocol_of(session: Session, complaint_id: int) -> str | None:
    return session.scalar(select(ComplaintRow.protocol).where(ComplaintRow.id == complaint_id))


def cases_of_vehicle(
    session: Session, municipality: str, plate_key: str, *, but: int, limit: int
) -> Sequence[ComplaintRow]:
    """Other complaints of one vehicle, newest first."""
    wanted = select(ComplaintRow).where(
        ComplaintRow.municipality == municipality,
        ComplaintRow.plate_key == plate_key,
        ComplaintRow.id != but,
    )
    return session.scalars(wanted.order_by(ComplaintRow.filed_at.desc()).limit(limit)).all()


def cases_filed_between(
    session: Session, municipality: str, first: datetime, last: datetime, *, limit: int | None = None
) -> Sequence[ComplaintRow]:
    """Complaints filed from ``first`` until before ``last``, newest first."""
    wanted = select(ComplaintRow).where(
        ComplaintRow.municipality == municipality,
        ComplaintRow.filed_at >= first,
        ComplaintRow.filed_at < last,
    )
    return session.scalars(wanted.order_by(ComplaintRow.filed_at.desc()).limit(limit)).all()


def find_evidence(session: Session, complaint_id: int, token: str) -> EvidenceRow | None:
    return session.scalar(
        select(EvidenceRow).where(EvidenceRow.complaint_id == complaint_id, EvidenceRow.token == token)
    )


def sealed_identity(session: Session, complaint_id: int) -> SealedIdentityRow | None:
    return session.get(SealedIdentityRow, complaint_id)


def names_of_staff(session: Session, municipality: str) -> dict[int, str]:
    rows = session.scalars(select(StaffMemberRow).where(StaffMemberRow.municipality == municipality))
    return {row.id: row.name for row in rows}


def staff_of(session: Session, municipality: str) -> Sequence[StaffMemberRow]:
    """Who works at a municipality's desk today."""
    wanted = select(StaffMemberRow).where(
        StaffMemberRow.municipality == municipality, StaffMemberRow.active.is_(True)
    )
    return session.scalars(wanted.order_by(StaffMemberRow.name, StaffMemberRow.id)).all()


def _cases(query: Select[Any], municipality: str, wanted: Wanted) -> Select[Any]:
    query = query.where(ComplaintRow.municipality == municipality)
    if wanted.statuses is not None:
        query = query.where(ComplaintRow.status.in_(wanted.statuses))
    if wanted.due_before is not None:
        query = query.where(ComplaintRow.due_on < wanted.due_before)
    for column, value in (
        (ComplaintRow.category, wanted.category),
        (ComplaintRow.kind, wanted.kind),
        (ComplaintRow.service, wanted.service),
        (ComplaintRow.fast_lane, wanted.fast_lane),
        (ComplaintRow.assigned_to, wanted.assigned_to),
    ):
        if value is not None:
            query = query.where(column == value)
    if wanted.words:
        said = and_(*(ComplaintRow.search_text.contains(word, autoescape=True) for word in wanted.words))
        query = query.where(
            or_(said, ComplaintRow.plate_key == wanted.plate_key) if wanted.plate_key else said
        )
    return query
