"""What whoever runs a portal asks of its database: is it up to date, is it worked on, does anything lie about."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import func, inspect, select, text
from sqlalchemy.orm import Session

from portal.storage.outbox import DEAD, PENDING, OutboxRow
from portal.storage.permits import PermitListRow


@dataclass(frozen=True, slots=True)
class ListAge:
    """The day that a list now in use describes."""

    municipality: str
    service: str
    kind: str
    source: str
    as_of: date


def revision_of(session: Session) -> str | None:
    """The step of its migrations that a database stands at; None for one without tables."""
    if not inspect(session.connection()).has_table("alembic_version"):
        return None
    found: str | None = session.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def waiting_since(session: Session, *, now: datetime) -> tuple[int, datetime | None]:
    """How many deliveries are due, and since when the oldest is."""
    due = select(func.count(), func.min(OutboxRow.due_at)).where(
        OutboxRow.state == PENDING, OutboxRow.due_at <= now
    )
    count, oldest = session.execute(due).one()
    return count, oldest


def given_up(session: Session) -> int:
    """Deliveries that were given up and wait for somebody at a desk."""
    return session.scalar(select(func.count()).select_from(OutboxRow).where(OutboxRow.state == DEAD)) or 0


def list_ages(session: Session) -> Sequence[ListAge]:
    lists = select(
        PermitListRow.municipality,
        PermitListRow.service,
        PermitListRow.kind,
        PermitListRow.source,
        func.max(PermitListRow.as_of),
    ).where(PermitListRow.known_until.is_(None))
    grouped = lists.group_by(
        PermitListRow.municipality, PermitListRow.service, PermitListRow.kind, PermitListRow.source
    )
    return [ListAge(*row) for row in session.execute(grouped.order_by(*list(lists.selected_columns)[:4]))]
