"""Notices that could not be delivered: what the desk sees of them, and what it does with them.

Nothing of a person is shown: the address is sealed to the worker's key, which the desk does not have.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from portal.domain.errors import NotAllowed, NothingHere, ReasonMissing
from portal.domain.staff import StaffMember
from portal.domain.texts import clean_text, within
from portal.services.people import audit
from portal.services.people.staff import actor
from portal.storage.outbox import PENDING, OutboxRow, dead_row, dead_rows

REASON_LIMIT = 300
MOST = 200
"""So many are shown, oldest first."""


@dataclass(frozen=True, slots=True)
class DeadLetter:
    id: int
    kind: str
    """``mail``, ``telegram`` or ``anchor``."""
    protocol: str | None
    created_at: datetime
    attempts: int
    failure: str
    """Name of the last error's type."""


def list_dead(session: Session, staff: StaffMember) -> tuple[DeadLetter, ...]:
    """What the worker gave up, of this municipality."""
    _check(staff)
    return tuple(
        DeadLetter(
            row.id, row.kind, row.payload.get("protocol"), row.created_at, row.attempts, row.failure or ""
        )
        for row in dead_rows(session, staff.municipality, limit=MOST)
    )


def retry(session: Session, staff: StaffMember, number: int, *, now: datetime) -> None:
    """Let the worker try again, with all its patience; raises ``NothingHere`` for none of this town's."""
    row = _dead(session, staff, number)
    row.state, row.attempts, row.due_at, row.failure = PENDING, 0, now, None
    session.flush()
    _log(session, staff, row, "delivery.retried", now)


def drop(session: Session, staff: StaffMember, number: int, reason: str, *, now: datetime) -> None:
    """Give a notice up for good; why is bound into the log. Raises ``ReasonMissing`` and ``NothingHere``."""
    row = _dead(session, staff, number)
    said = within(clean_text(reason), REASON_LIMIT)
    if not said:
        raise ReasonMissing
    session.delete(row)
    session.flush()
    _log(session, staff, row, "delivery.dropped", now, reason=audit.fingerprint(said))


def _dead(session: Session, staff: StaffMember, number: int) -> OutboxRow:
    _check(staff)
    row = dead_row(session, staff.municipality, number)
    if row is None:
        raise NothingHere("delivery")
    return row


def _check(staff: StaffMember) -> None:
    if not staff.may_see_deliveries:
        raise NotAllowed


def _log(
    session: Session,
    staff: StaffMember,
    row: OutboxRow,
    action: str,
    now: datetime,
    *,
    reason: str | None = None,
) -> None:
    audit.record(
        session,
        staff.municipality,
        actor=actor(staff),
        action=action,
        subject=f"delivery:{row.id}",
        reason=reason,
        at=now,
    )
