"""Cards of permits: which were made, and which of them still count. The code itself is kept nowhere."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ForeignKey, String, UniqueConstraint, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from portal.storage.base import Base

REPLACED, REVOKED = "replaced", "revoked"


class PermitCardRow(Base):
    __tablename__ = "permit_cards"
    __table_args__ = (UniqueConstraint("permit_id", "plate_key", "issue"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    card: Mapped[str] = mapped_column(String(13), unique=True)
    """Its random name, the only thing of it that stands in its code and here: see ``portal.domain.cards``."""
    municipality: Mapped[str] = mapped_column(String(80))
    permit_id: Mapped[int] = mapped_column(ForeignKey("permits.id"))
    plate: Mapped[str] = mapped_column(String(7), default="")
    """Of its one vehicle, as it is printed; empty where it stands for every vehicle of the permit."""
    plate_key: Mapped[str] = mapped_column(String(7), default="")
    issue: Mapped[int]
    layout: Mapped[str] = mapped_column(String(60))
    made_at: Mapped[datetime]
    made_by: Mapped[str] = mapped_column(String(40))
    """``staff:7`` or ``cli``, as the audit log says it."""
    ended: Mapped[str | None] = mapped_column(String(10))
    """``replaced`` or ``revoked``; None while it counts."""
    ended_at: Mapped[datetime | None]


def card_by_name(session: Session, card: str) -> PermitCardRow | None:
    return session.scalar(select(PermitCardRow).where(PermitCardRow.card == card))


def card_of_town(session: Session, municipality: str, card_id: int) -> PermitCardRow | None:
    return session.scalar(
        select(PermitCardRow).where(PermitCardRow.id == card_id, PermitCardRow.municipality == municipality)
    )


def cards_of_permit(session: Session, municipality: str, permit_id: int) -> Sequence[PermitCardRow]:
    """Every card of a permit, the newest first."""
    return session.scalars(
        select(PermitCardRow)
        .where(PermitCardRow.permit_id == permit_id, PermitCardRow.municipality == municipality)
        .order_by(PermitCardRow.id.desc())
    ).all()


def last_issue(session: Session, permit_id: int, key: str) -> int:
    wanted = select(func.max(PermitCardRow.issue)).where(
        PermitCardRow.permit_id == permit_id, PermitCardRow.plate_key == key
    )
    return session.scalar(wanted) or 0
