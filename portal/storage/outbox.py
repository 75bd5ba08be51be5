"""Side effects that wait: written in the transaction of what caused them, delivered by the worker."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Index, String, delete, func, or_, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from portal.storage.base import Base

PENDING, DONE, DEAD = "pending", "done", "dead"


class OutboxRow(Base):
    __tablename__ = "outbox"
    __table_args__ = (
        CheckConstraint("state IN ('pending', 'done', 'dead')", name="state"),
        Index("ix_outbox_due", "state", "due_at"),
        Index("ix_outbox_expires_at", "expires_at"),
        Index(None, "municipality", "state"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    municipality: Mapped[str | None] = mapped_column(String(80))
    """Whose desk is told when it cannot be delivered; None for what is nobody's there, such as a receipt."""
    payload: Mapped[dict[str, Any]] = mapped_column(JSON)
    """What the sender needs that is no secret; emptied once delivered."""
    sealed: Mapped[bytes | None]
    """Address, and text where it must not lie about, sealed to the notice key; only the worker opens it."""
    record: Mapped[str | None]
    """What the box is bound to: see ``portal.sealing.boxes``."""
    state: Mapped[str] = mapped_column(default=PENDING)
    created_at: Mapped[datetime]
    due_at: Mapped[datetime]
    """While claimed: the instant at which another worker may take the row over."""
    attempts: Mapped[int] = mapped_column(default=0)
    expires_at: Mapped[datetime | None]
    dedupe_key: Mapped[str | None] = mapped_column(unique=True)
    failure: Mapped[str | None]
    """Name of the last error's type; its text may hold an address, so it is not kept."""


def outbox_row_of(session: Session, dedupe_key: str) -> OutboxRow | None:
    return session.scalar(select(OutboxRow).where(OutboxRow.dedupe_key == dedupe_key))


def delete_row_of(session: Session, dedupe_key: str) -> None:
    session.execute(delete(OutboxRow).where(OutboxRow.dedupe_key == dedupe_key))


def claim_rows(
    session: Session, kinds: Collection[str], *, now: datetime, until: datetime, limit: int
) -> Sequence[OutboxRow]:
    """Take due rows until the instant ``until``; two workers never get the same one.

    PostgreSQL skips what another worker locks; SQLite has one writer at a time and leaves that clause out.
    """
    due = (
        select(OutboxRow.id)
        .where(OutboxRow.state == PENDING, OutboxRow.due_at <= now, OutboxRow.kind.in_(kinds))
        .where(or_(OutboxRow.expires_at.is_(None), OutboxRow.expires_at > now))
        .order_by(OutboxRow.due_at, OutboxRow.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    taken = session.scalars(
        update(OutboxRow)
        .where(OutboxRow.id.in_(due))
        .values(due_at=until, attempts=OutboxRow.attempts + 1)
        .returning(OutboxRow),
        execution_options={"synchronize_session": False, "populate_existing": True},
    ).all()
    return sorted(taken, key=lambda row: row.id)


def next_due(session: Session, kinds: Collection[str]) -> datetime | None:
    """When the next row falls due; None when nothing waits."""
    return session.scalar(
        select(OutboxRow.due_at)
        .where(OutboxRow.state == PENDING, OutboxRow.kind.in_(kinds))
        .order_by(OutboxRow.due_at)
        .limit(1)
    )


def delete_expired_rows(session: Session, *, now: datetime, done_before: datetime) -> int:
    """Delete what may not be kept any longer, delivered or not; answers how many rows went."""
    gone = delete(OutboxRow).where(
        or_(
            OutboxRow.expires_at <= now,
            (OutboxRow.state == DONE) & (OutboxRow.due_at < done_before),
        )
    )
    return int(session.execute(gone).rowcount)  # type: ignore[attr-defined]


def waiting_of(session: Session, municipality: str, *, now: datetime) -> tuple[int, datetime | None, int]:
    """Of one municipality: how many wait, since when the oldest of those has been due, how many were given up."""
    of_town = OutboxRow.municipality == municipality
    waiting, oldest = session.execute(
        select(func.count(), func.min(OutboxRow.created_at)).where(
            of_town, OutboxRow.state == PENDING, OutboxRow.due_at <= now
        )
    ).one()
    given_up = select(func.count()).where(of_town, OutboxRow.state == DEAD)
    return waiting, oldest, session.scalar(given_up) or 0


def dead_rows(session: Session, municipality: str, *, limit: int) -> Sequence[OutboxRow]:
    """What was given up, oldest first."""
    wanted = select(OutboxRow).where(OutboxRow.municipality == municipality, OutboxRow.state == DEAD)
    return session.scalars(wanted.order_by(OutboxRow.created_at, OutboxRow.id).limit(limit)).all()


def dead_row(session: Session, municipality: str, number: int) -> OutboxRow | None:
    wanted = select(OutboxRow).where(
        OutboxRow.id == number, OutboxRow.municipality == municipality, OutboxRow.state == DEAD
    )
    return session.scalar(wanted.with_for_update())
