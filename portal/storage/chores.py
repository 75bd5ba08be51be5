"""Whose turn it is: each chore is claimed by one worker at a time, and the last time it was done is kept."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import String, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, Session, mapped_column

from portal.storage.base import Base


class ChoreRow(Base):
    __tablename__ = "chores"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    due_at: Mapped[datetime]
    """While claimed: the instant at which another worker may take it over."""
    done_at: Mapped[datetime | None]
    failure: Mapped[str | None] = mapped_column(String(80))
    """Name of the last error's type; None once it went well."""


def know_chores(session: Session, names: Collection[str], *, now: datetime) -> None:
    """Write a row for each chore that has none yet."""
    known = set(session.scalars(select(ChoreRow.name).where(ChoreRow.name.in_(names))))
    for name in sorted(set(names) - known):
        try:
            with session.begin_nested():
                session.add(ChoreRow(name=name, due_at=now))
        except IntegrityError:  # another worker, just now
            continue


def claim_chores(
    session: Session, names: Collection[str], *, now: datetime, until: datetime
) -> frozenset[str]:
    """Take what is due of ``names`` until the instant ``until``; two workers never get the same one."""
    due = (
        select(ChoreRow.name)
        .where(ChoreRow.name.in_(names), ChoreRow.due_at <= now)
        .order_by(ChoreRow.name)
        .with_for_update(skip_locked=True)
    )
    taken = update(ChoreRow).where(ChoreRow.name.in_(due)).values(due_at=until).returning(ChoreRow.name)
    return frozenset(session.scalars(taken, execution_options={"synchronize_session": False}))


def chore_done(session: Session, name: str, *, now: datetime, due: datetime, failure: str | None) -> None:
    told = {"due_at": due, "failure": failure} | ({} if failure else {"done_at": now})
    session.execute(update(ChoreRow).where(ChoreRow.name == name).values(**told))
