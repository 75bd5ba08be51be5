"""The audit chain: who did what to which record, one chain a municipality, only ever added to."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint, event, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Mapped, Session, mapped_column

from portal.storage.base import Base


class AuditHeadRow(Base):
    """The last link of each chain; locking it puts writers of one municipality in a row."""

    __tablename__ = "audit_heads"

    municipality: Mapped[str] = mapped_column(primary_key=True)
    sequence: Mapped[int] = mapped_column(default=0)
    hash: Mapped[str] = mapped_column(default="")


class AuditRow(Base):
    __tablename__ = "audit_entries"
    __table_args__ = (UniqueConstraint("municipality", "sequence"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    municipality: Mapped[str] = mapped_column(ForeignKey(AuditHeadRow.municipality))
    sequence: Mapped[int]
    """1, 2, 3 … without a gap in each municipality."""
    at: Mapped[datetime]
    actor: Mapped[str]
    """``staff:7``, ``cli`` or ``worker``: numbers, no names."""
    action: Mapped[str]
    subject: Mapped[str] = mapped_column(index=True)
    """The record, such as ``complaint:41``."""
    reason: Mapped[str | None]
    previous_hash: Mapped[str]
    hash: Mapped[str]


@event.listens_for(AuditRow, "before_update")
@event.listens_for(AuditRow, "before_delete")
def _refuse(_mapper: Any, _connection: Any, row: AuditRow) -> None:
    raise RuntimeError(f"the audit chain is only added to: entry {row.sequence} of {row.municipality}")


def lock_head(session: Session, municipality: str) -> AuditHeadRow:
    """The head of a municipality's chain, held until the transaction ends."""
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    session.execute(
        dialect.insert(AuditHeadRow)
        .values(municipality=municipality, sequence=0, hash="")
        .on_conflict_do_nothing()
    )
    wanted = select(AuditHeadRow).where(AuditHeadRow.municipality == municipality).with_for_update()
    return session.scalars(wanted, execution_options={"populate_existing": True}).one()


def head_of(session: Session, municipality: str) -> AuditHeadRow | None:
    return session.get(AuditHeadRow, municipality)


def chain_of(session: Session, municipality: str) -> Iterator[AuditRow]:
    """Every entry from the first to the last, some hundreds at a time."""
    wanted = (
        select(AuditRow).where(AuditRow.municipality == municipality).order_by(AuditRow.sequence).limit(500)
    )
    last = -1
    while rows := session.scalars(wanted.where(AuditRow.sequence > last)).all():
        yield from rows
        last = rows[-1].sequence


def entries_about(session: Session, municipality: str, subject: str) -> list[AuditRow]:
    wanted = (
        select(AuditRow)
        .where(AuditRow.municipality == municipality, AuditRow.subject == subject)
        .order_by(AuditRow.sequence)
    )
    return list(session.scalars(wanted))
