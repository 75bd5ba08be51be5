"""What leaves the ombudsman: an identity, with consent or by order, and a person's own data, on request."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from portal.storage.base import Base
from portal.storage.complaints import ComplaintRow

ASKED, GRANTED, REFUSED, TOLD = "asked", "granted", "refused", "told"


class IdentityRequestRow(Base):
    """One wish to tell an identity to somebody outside the ombudsman. The identity itself never stands here."""

    __tablename__ = "identity_requests"
    __table_args__ = (
        CheckConstraint("state IN ('asked', 'granted', 'refused', 'told')", name="state"),
        # Told by an order of a court, which has a number, or with a consent, which has an instant.
        CheckConstraint(
            "state != 'told' OR order_number IS NOT NULL OR decided_at IS NOT NULL", name="told_with_ground"
        ),
        Index(None, "complaint_id", "asked_at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    complaint_id: Mapped[int] = mapped_column(ForeignKey(ComplaintRow.id))
    recipient: Mapped[str] = mapped_column(String(200))
    """An office or body, in words that the person reads."""
    purpose: Mapped[str] = mapped_column(Text)
    """Why, in words that the person reads."""
    order_number: Mapped[str | None] = mapped_column(String(80))
    """Of the court's order; None where consent is asked for."""
    state: Mapped[str] = mapped_column(String(10), default=ASKED)
    asked_at: Mapped[datetime]
    asked_by: Mapped[int]
    """Number of the staff member, as for ``told_by``."""
    decided_at: Mapped[datetime | None]
    """When the person said yes or no."""
    told_at: Mapped[datetime | None]
    told_by: Mapped[int | None]


class DataRequestRow(Base):
    """A person's request for what is held about them, made with protocol and key (Lei 13.709/2018, art. 18)."""

    __tablename__ = "data_requests"
    __table_args__ = (Index(None, "municipality", "answered_at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    municipality: Mapped[str] = mapped_column(String(80))
    complaint_id: Mapped[int] = mapped_column(ForeignKey(ComplaintRow.id), index=True)
    asked_at: Mapped[datetime]
    answered_at: Mapped[datetime | None]
    answered_by: Mapped[int | None]


def identity_requests_of(session: Session, complaint_id: int) -> Sequence[IdentityRequestRow]:
    wanted = select(IdentityRequestRow).where(IdentityRequestRow.complaint_id == complaint_id)
    return session.scalars(wanted.order_by(IdentityRequestRow.asked_at, IdentityRequestRow.id)).all()


def identity_request(session: Session, complaint_id: int, number: int) -> IdentityRequestRow | None:
    """One of this complaint's, locked; another complaint's is none."""
    wanted = select(IdentityRequestRow).where(
        IdentityRequestRow.id == number, IdentityRequestRow.complaint_id == complaint_id
    )
    return session.scalar(wanted.with_for_update())


def data_request_of(session: Session, complaint_id: int) -> DataRequestRow | None:
    """The newest of a complaint."""
    wanted = select(DataRequestRow).where(DataRequestRow.complaint_id == complaint_id)
    return session.scalar(wanted.order_by(DataRequestRow.id.desc()).limit(1))


def data_requests_waiting(session: Session, municipality: str) -> Sequence[tuple[DataRequestRow, str]]:
    """Those that nobody has answered, oldest first, each with the protocol."""
    wanted = (
        select(DataRequestRow, ComplaintRow.protocol)
        .join(ComplaintRow, ComplaintRow.id == DataRequestRow.complaint_id)
        .where(DataRequestRow.municipality == municipality, DataRequestRow.answered_at.is_(None))
        .order_by(DataRequestRow.asked_at, DataRequestRow.id)
    )
    return [(row, protocol) for row, protocol in session.execute(wanted)]
