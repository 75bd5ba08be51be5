"""Complaints as filed, what happened to them, messages both ways, sealed identities and attempt counters."""

from datetime import date, datetime
from typing import Any, cast

from sqlalchemy import (
    JSON,
    CursorResult,
    ForeignKey,
    Index,
    String,
    Text,
    case,
    delete,
    event,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, Session, mapped_column

from portal.domain.searching import searchable
from portal.storage.base import Base


class ComplaintRow(Base):
    __tablename__ = "complaints"
    __table_args__ = (
        Index(None, "municipality", "status", "due_on"),
        Index(None, "municipality", "plate_key"),
        Index(None, "municipality", "filed_at"),
        Index(None, "status", "settles_on"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    municipality: Mapped[str] = mapped_column(String(80))
    protocol: Mapped[str] = mapped_column(String(20), unique=True)
    draft: Mapped[str] = mapped_column(String(64), unique=True)
    """Hash of the draft's token: one draft files once, whoever presses twice."""
    kind: Mapped[str] = mapped_column(String(20))
    category: Mapped[str] = mapped_column(String(60))
    fast_lane: Mapped[bool] = mapped_column(default=False)
    status: Mapped[str] = mapped_column(String(20))
    channel: Mapped[str] = mapped_column(String(20))
    language: Mapped[str] = mapped_column(String(5))
    facts: Mapped[dict[str, Any]] = mapped_column(JSON)
    """``vehicle``, ``where`` and ``when`` as answered: see the checks of ``portal.domain.questionnaire``."""
    story: Mapped[str | None] = mapped_column(Text)
    plate_key: Mapped[str | None] = mapped_column(String(7))
    """Of a Brazilian plate, to find similar reports."""
    snapshot: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    """What the register said of the vehicle, as of the day of the event, when the complaint was filed."""
    filed_at: Mapped[datetime]
    due_on: Mapped[date]
    """The last day for an answer, in the municipality's calendar; extended at most once."""
    extended: Mapped[bool] = mapped_column(default=False)
    counted_from: Mapped[date | None]
    """The civil day from which the time for the answer runs, once it is not that of filing any more."""
    paused_days: Mapped[int] = mapped_column(default=0, server_default="0")
    """Days spent waiting for the citizen, where an act of the municipality stops the clock for them."""
    settles_on: Mapped[date | None]
    """The last day to rate the answer or ask for its review; None while none was given."""
    reviews: Mapped[int] = mapped_column(default=0, server_default="0")
    """How often a review was asked for."""
    rating: Mapped[str | None] = mapped_column(String(20))
    """A ``Rating`` of the latest answer, by its author."""
    due_article: Mapped[str] = mapped_column(String(80))
    """The provision that sets the time, as it is cited."""
    identity_mode: Mapped[str] = mapped_column(String(10))
    access_key_hash: Mapped[bytes]
    access_key_pepper_id: Mapped[str] = mapped_column(String(20))
    closed_at: Mapped[datetime | None]
    erased_at: Mapped[datetime | None]
    """When the time of keeping was over: what was told is gone since, and only what is counted stays."""
    merged_into: Mapped[int | None] = mapped_column(ForeignKey("complaints.id"), index=True)
    assigned_to: Mapped[int | None]
    """The staff member who looks after it; set by whoever takes it into review, changed by a recusal."""
    service: Mapped[str | None] = mapped_column(String(20))
    """What kind of transport it is about, where the register's snapshot or the category says so."""
    outcome: Mapped[str | None] = mapped_column(String(20))
    """What came of it, as the latest answer was marked: see ``portal.wording.answers``."""
    search_text: Mapped[str] = mapped_column(Text, default="")
    """Protocol, vehicle, place and account as a desk searches them, folded; kept by ``_keep_searchable``."""


@event.listens_for(ComplaintRow, "before_insert")
@event.listens_for(ComplaintRow, "before_update")
def _keep_searchable(_mapper: object, _connection: object, row: ComplaintRow) -> None:
    """What is searched follows what is told: an account that is erased can no longer be found by its words."""
    facts = row.facts or {}
    vehicle, where = facts.get("vehicle") or {}, facts.get("where") or {}
    told = (
        row.protocol,
        row.protocol.replace("-", ""),
        vehicle.get("text"),
        row.plate_key,
        where.get("text"),
        where.get("name"),
        row.story,
    )
    row.search_text = " ".join(searchable(one) for one in told if one)


class ComplaintEventRow(Base):
    """One step: who, when and the reason. Never changed."""

    __tablename__ = "complaint_events"
    __table_args__ = (Index(None, "complaint_id", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    complaint_id: Mapped[int] = mapped_column(ForeignKey("complaints.id"))
    at: Mapped[datetime]
    kind: Mapped[str] = mapped_column(String(20), default="step")
    """An ``EventKind``: a step to another state, or an extension, which leaves the state as it is."""
    status: Mapped[str] = mapped_column(String(20))
    """The state it led to."""
    actor: Mapped[str] = mapped_column(String(20))
    """A ``Sender``."""
    staff_id: Mapped[int | None]
    reason: Mapped[str | None] = mapped_column(Text)
    """In words the citizen reads: why an extension, on which ground a dismissal."""


class ComplaintMessageRow(Base):
    """What citizen and ombudsman write to each other; ``is_answer`` marks the ombudsman's final one."""

    __tablename__ = "complaint_messages"
    __table_args__ = (Index(None, "complaint_id", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    complaint_id: Mapped[int] = mapped_column(ForeignKey("complaints.id"))
    at: Mapped[datetime]
    sender: Mapped[str] = mapped_column(String(20))
    staff_id: Mapped[int | None]
    text: Mapped[str] = mapped_column(Text)
    is_answer: Mapped[bool] = mapped_column(default=False)


class SealedIdentityRow(Base):
    """Name and contact, sealed to the key of the municipality's ombudsman; the portal cannot read it."""

    __tablename__ = "sealed_identities"

    complaint_id: Mapped[int] = mapped_column(ForeignKey("complaints.id"), primary_key=True)
    key_id: Mapped[str] = mapped_column(String(40))
    box: Mapped[bytes]
    """See ``portal.sealing.boxes``; opened with the record of ``identity_record``."""
    sealed_at: Mapped[datetime]


class NoticeAddressRow(Base):
    """Where news of a complaint is sent, sealed to the notice key, which only the worker holds."""

    __tablename__ = "notice_addresses"

    id: Mapped[int] = mapped_column(primary_key=True)
    complaint_id: Mapped[int] = mapped_column(ForeignKey("complaints.id"), index=True)
    channel: Mapped[str] = mapped_column(String(20))
    """``mail`` or ``telegram``."""
    key_id: Mapped[str] = mapped_column(String(40))
    box: Mapped[bytes]
    lookup: Mapped[bytes] = mapped_column(index=True)
    """A keyed hash of the address, by which it is found to unsubscribe."""


class AttemptRow(Base):
    """Wrong pairs told for one protocol, whether it exists or not."""

    __tablename__ = "tracking_attempts"

    protocol_hash: Mapped[bytes] = mapped_column(primary_key=True)
    failures: Mapped[int]
    last_at: Mapped[datetime] = mapped_column(index=True)


def identity_record(protocol: str) -> str:
    """The record an identity's box is bound to."""
    return f"sealed_identities.box/{protocol}"


def notice_record(protocol: str, channel: str) -> str:
    """The record a delivery address's box is bound to."""
    return f"notice_addresses.box/{protocol}/{channel}"


def find_by_protocol(session: Session, protocol: str, *, lock: bool = False) -> ComplaintRow | None:
    """The complaint of a protocol; ``lock`` makes a second writer wait for the first."""
    query = select(ComplaintRow).where(ComplaintRow.protocol == protocol)
    return session.scalar(query.with_for_update() if lock else query)


def find_by_draft(session: Session, token_hash: str) -> ComplaintRow | None:
    return session.scalar(select(ComplaintRow).where(ComplaintRow.draft == token_hash))


def complaints_in(session: Session, status: str) -> list[ComplaintRow]:
    """Every complaint in a state, whichever the municipality."""
    return list(session.scalars(select(ComplaintRow).where(ComplaintRow.status == str(status))))


def answered_until(session: Session, day: date, *, limit: int = 200) -> list[ComplaintRow]:
    """Answered complaints whose last day to ask for a review lies before ``day``, the longest past first."""
    query = select(ComplaintRow).where(ComplaintRow.status == "answered", ComplaintRow.settles_on < day)
    return list(session.scalars(query.order_by(ComplaintRow.settles_on).limit(limit)))


def events_of(session: Session, complaint_id: int) -> list[ComplaintEventRow]:
    query = select(ComplaintEventRow).where(ComplaintEventRow.complaint_id == complaint_id)
    return list(session.scalars(query.order_by(ComplaintEventRow.at, ComplaintEventRow.id)))


def messages_of(session: Session, complaint_id: int) -> list[ComplaintMessageRow]:
    query = select(ComplaintMessageRow).where(ComplaintMessageRow.complaint_id == complaint_id)
    return list(session.scalars(query.order_by(ComplaintMessageRow.at, ComplaintMessageRow.id)))


def failures_since(session: Session, protocol_hash: bytes, since: datetime) -> int:
    """Wrong pairs counted for a protocol, if the last one is not older than ``since``."""
    query = select(AttemptRow.failures).where(
        AttemptRow.protocol_hash == protocol_hash, AttemptRow.last_at >= since
    )
    return session.scalar(query) or 0


def count_failure(session: Session, protocol_hash: bytes, now: datetime, *, since: datetime) -> None:
    """Count one more wrong pair; the count starts anew when the last one is older than ``since``."""
    one_more = (
        update(AttemptRow)
        .where(AttemptRow.protocol_hash == protocol_hash)
        .values(failures=case((AttemptRow.last_at >= since, AttemptRow.failures + 1), else_=1), last_at=now)
        .execution_options(synchronize_session=False)
    )
    if cast("CursorResult[None]", session.execute(one_more)).rowcount:
        return
    try:
        with session.begin_nested():
            session.execute(insert(AttemptRow).values(protocol_hash=protocol_hash, failures=1, last_at=now))
    except IntegrityError:  # another try for the same protocol came between
        session.execute(one_more)


def forget_attempts(session: Session, before: datetime) -> int:
    gone = session.execute(delete(AttemptRow).where(AttemptRow.last_at < before))
    return cast("CursorResult[None]", gone).rowcount
