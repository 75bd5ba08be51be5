"""What a desk does beside the steps that a citizen reads: units asked, hand-overs, alarms, the yearly report."""

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, Text, UniqueConstraint, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from portal.domain.batches import batches
from portal.storage.base import Base
from portal.storage.complaints import ComplaintEventRow, ComplaintMessageRow, ComplaintRow


class UnitRequestRow(Base):
    """A unit of the administration that the ombudsman asked, and the copy that went to it."""

    __tablename__ = "unit_requests"
    __table_args__ = (Index(None, "complaint_id", "asked_at"), Index(None, "answered_at", "complaint_id"))

    id: Mapped[int] = mapped_column(primary_key=True)
    complaint_id: Mapped[int] = mapped_column(ForeignKey("complaints.id"))
    unit: Mapped[str] = mapped_column(String(300))
    """As the catalogue names it, or as it was typed where no rule names one."""
    matter: Mapped[str | None] = mapped_column(String(40))
    instrument: Mapped[str | None] = mapped_column(String(120))
    article: Mapped[str | None] = mapped_column(String(200))
    """Of the instrument, which makes it this unit's matter on the day of the fact; None where no rule says so."""
    question: Mapped[str | None] = mapped_column(Text)
    copy: Mapped[str] = mapped_column(Text)
    """The account without what tells who wrote it."""
    files: Mapped[list[str]] = mapped_column(JSON)
    """Tokens of the evidence that goes along."""
    asked_at: Mapped[datetime]
    asked_by: Mapped[int]
    due_on: Mapped[date]
    """By the law's own count; what the complaint's due date leaves of it is counted when it is read."""
    extended: Mapped[bool] = mapped_column(default=False)
    extension_reason: Mapped[str | None] = mapped_column(Text)
    answered_at: Mapped[datetime | None]
    answer: Mapped[str | None] = mapped_column(Text)


class CaseActRow(Base):
    """What happened inside the desk and is no news for the citizen: who took it over, why somebody stood back."""

    __tablename__ = "case_acts"
    __table_args__ = (Index(None, "complaint_id", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    complaint_id: Mapped[int] = mapped_column(ForeignKey("complaints.id"))
    at: Mapped[datetime]
    kind: Mapped[str] = mapped_column(String(30))
    staff_id: Mapped[int]
    to_staff_id: Mapped[int | None]
    text: Mapped[str | None] = mapped_column(Text)


class CaseVisitRow(Base):
    """Who has a complaint open, for a few minutes, so that colleagues know of each other."""

    __tablename__ = "case_visits"

    complaint_id: Mapped[int] = mapped_column(ForeignKey("complaints.id"), primary_key=True)
    staff_id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(index=True)


class CaseAlarmRow(Base):
    """A due date that staff were told of so many days before it; never twice."""

    __tablename__ = "case_alarms"
    __table_args__ = (UniqueConstraint("complaint_id", "subject", "due_on", "days_before"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    complaint_id: Mapped[int] = mapped_column(ForeignKey("complaints.id"))
    subject: Mapped[str] = mapped_column(String(20))
    """``answer``, or ``unit:7`` for the seventh request to a unit."""
    due_on: Mapped[date]
    days_before: Mapped[int]
    raised_at: Mapped[datetime]


class YearlyReportRow(Base):
    """The words of the report of Lei 13.460/2017 art. 14 and 15; its numbers are counted, and frozen once published."""

    __tablename__ = "yearly_reports"
    __table_args__ = (UniqueConstraint("municipality", "year"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    municipality: Mapped[str] = mapped_column(String(80))
    year: Mapped[int]
    """The civil year it tells of."""
    recurring: Mapped[str] = mapped_column(Text, default="")
    """Art. 15, III: the ombudsman's analysis of what comes again and again."""
    measures: Mapped[str] = mapped_column(Text, default="")
    """Art. 15, IV: what the administration did."""
    improvements: Mapped[str] = mapped_column(Text, default="")
    """Art. 14, II: failures pointed out and improvements suggested."""
    published_at: Mapped[datetime | None]
    published: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    """The numbers as they were published, with groups under the minimum merged."""


def unit_requests_of(session: Session, complaint_ids: Collection[int]) -> Sequence[UnitRequestRow]:
    """Oldest first."""
    found: list[UnitRequestRow] = []
    for few in batches(complaint_ids, 500):
        wanted = select(UnitRequestRow).where(UnitRequestRow.complaint_id.in_(few))
        found += session.scalars(wanted.order_by(UnitRequestRow.asked_at, UnitRequestRow.id))
    return found


def find_unit_request(session: Session, complaint_id: int, number: int) -> UnitRequestRow | None:
    return session.scalar(
        select(UnitRequestRow).where(UnitRequestRow.complaint_id == complaint_id, UnitRequestRow.id == number)
    )


def acts_of(session: Session, complaint_id: int) -> Sequence[CaseActRow]:
    wanted = select(CaseActRow).where(CaseActRow.complaint_id == complaint_id)
    return session.scalars(wanted.order_by(CaseActRow.at, CaseActRow.id)).all()


def last_change_of_others(
    session: Session, complaint_id: int, *, but: int, since: datetime
) -> tuple[int, datetime] | None:
    """Which other staff member took a step, wrote or acted last in a complaint, and when."""
    found: list[tuple[int, datetime]] = []
    for of in (ComplaintEventRow, ComplaintMessageRow, CaseActRow):
        wanted = (
            select(of.staff_id, of.at)
            .where(of.complaint_id == complaint_id, of.at >= since)
            .where(of.staff_id.is_not(None), of.staff_id != but)
            .order_by(of.at.desc())
            .limit(1)
        )
        found += [(who, at) for who, at in session.execute(wanted) if who is not None]
    return max(found, key=lambda one: one[1], default=None)


def last_visit_of_others(
    session: Session, complaint_id: int, *, but: int, since: datetime
) -> tuple[int, datetime] | None:
    """Which other staff member opened a complaint last, and when."""
    wanted = (
        select(CaseVisitRow.staff_id, CaseVisitRow.at)
        .where(CaseVisitRow.complaint_id == complaint_id, CaseVisitRow.at >= since)
        .where(CaseVisitRow.staff_id != but)
        .order_by(CaseVisitRow.at.desc())
        .limit(1)
    )
    row = session.execute(wanted).first()
    return (row.staff_id, row.at) if row else None


def forget_visits(session: Session, *, before: datetime) -> None:
    session.execute(delete(CaseVisitRow).where(CaseVisitRow.at < before))


def recused_from(session: Session, complaint_id: int) -> set[int]:
    """Who stood back from a complaint: they take no further step in it."""
    return set(
        session.scalars(
            select(CaseActRow.staff_id).where(
                CaseActRow.complaint_id == complaint_id, CaseActRow.kind == "recused"
            )
        )
    )


def owed_by(
    session: Session, municipality: str, statuses: Collection[str], until: date
) -> list[ComplaintRow]:
    """Complaints whose answer is owed by ``until`` at the latest."""
    return list(
        session.scalars(
            select(ComplaintRow)
            .where(
                ComplaintRow.municipality == municipality,
                ComplaintRow.status.in_(statuses),
                ComplaintRow.due_on <= until,
            )
            .order_by(ComplaintRow.due_on, ComplaintRow.id)
        )
    )


def open_unit_requests(
    session: Session, municipality: str, statuses: Collection[str]
) -> list[tuple[UnitRequestRow, ComplaintRow]]:
    """Units that have not answered, of complaints whose answer is still owed."""
    wanted = (
        select(UnitRequestRow, ComplaintRow)
        .join(ComplaintRow, ComplaintRow.id == UnitRequestRow.complaint_id)
        .where(
            UnitRequestRow.answered_at.is_(None),
            ComplaintRow.municipality == municipality,
            ComplaintRow.status.in_(statuses),
        )
        .order_by(UnitRequestRow.id)
    )
    return [(request, complaint) for request, complaint in session.execute(wanted)]


def alarms_of(session: Session, complaint_ids: Collection[int]) -> set[tuple[int, str, date, int]]:
    """Alarms already raised: complaint, subject, due date, days before."""
    raised: set[tuple[int, str, date, int]] = set()
    for few in batches(complaint_ids, 500):
        rows = session.scalars(select(CaseAlarmRow).where(CaseAlarmRow.complaint_id.in_(few)))
        raised.update((row.complaint_id, row.subject, row.due_on, row.days_before) for row in rows)
    return raised


def events_of_cases(session: Session, complaint_ids: Collection[int]) -> dict[int, list[ComplaintEventRow]]:
    """The events of many complaints, each one's oldest first."""
    found: dict[int, list[ComplaintEventRow]] = {}
    for few in batches(complaint_ids, 500):
        wanted = select(ComplaintEventRow).where(ComplaintEventRow.complaint_id.in_(few))
        for row in session.scalars(wanted.order_by(ComplaintEventRow.at, ComplaintEventRow.id)):
            found.setdefault(row.complaint_id, []).append(row)
    return found


def find_report(session: Session, municipality: str, year: int) -> YearlyReportRow | None:
    return session.scalar(
        select(YearlyReportRow).where(
            YearlyReportRow.municipality == municipality, YearlyReportRow.year == year
        )
    )


def published_reports(session: Session, municipality: str) -> Sequence[YearlyReportRow]:
    wanted = select(YearlyReportRow).where(
        YearlyReportRow.municipality == municipality, YearlyReportRow.published_at.is_not(None)
    )
    return session.scalars(wanted.order_by(YearlyReportRow.year.desc())).all()
