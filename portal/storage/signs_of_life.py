"""What the chores tell of whoever does them: when the worker was last at work, when the last backup was made."""

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.storage.chores import ChoreRow

BACKUP = "backup"
"""The chore that somebody does by hand, or the system's clock: no worker's."""


def worked_at(session: Session) -> datetime | None:
    """When a worker last did a chore."""
    return session.scalar(select(func.max(ChoreRow.done_at)).where(ChoreRow.name != BACKUP))


def backed_up_at(session: Session) -> datetime | None:
    return session.scalar(select(ChoreRow.done_at).where(ChoreRow.name == BACKUP))


def failing(session: Session) -> list[tuple[str, str]]:
    """Chores whose last try failed, each with the type of the error."""
    rows = session.execute(
        select(ChoreRow.name, ChoreRow.failure).where(ChoreRow.failure.is_not(None)).order_by(ChoreRow.name)
    )
    return [(name, failure or "") for name, failure in rows]
