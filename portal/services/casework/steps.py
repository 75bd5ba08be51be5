"""What every step at the desk shares: the complaint of one's own town, locked, unchanged since it was read.

Each step checks the role, leaves an event that the citizen reads or an act of the desk, and an entry in the audit
chain.
"""

from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy.orm import Session

from portal.domain.complaints import EventKind, Sender
from portal.domain.errors import CaseChanged, EmptyMessage, NotAllowed, NothingHere, ReasonMissing, StoodBack
from portal.domain.lifecycle import Move, Need
from portal.domain.protocols import read_protocol
from portal.domain.staff import StaffMember
from portal.domain.texts import clean_text, within
from portal.regulations import catalogue
from portal.services.casework.actions import Action, role_allows
from portal.services.complaints import lifecycle
from portal.services.people import audit
from portal.services.people.staff import actor
from portal.storage.cases import find_case
from portal.storage.casework import CaseActRow, acts_of, recused_from
from portal.storage.complaints import (
    ComplaintEventRow,
    ComplaintMessageRow,
    ComplaintRow,
    events_of,
    messages_of,
)

ANSWER_LIMIT = 10_000
REASON_LIMIT = 1_000
"""Characters, as for ``ANSWER_LIMIT``."""


@dataclass(frozen=True, slots=True)
class Seen:
    """How much of a complaint stood on the page that somebody acts from: it only ever grows."""

    events: int
    messages: int
    acts: int

    def __str__(self) -> str:
        return f"{self.events}.{self.messages}.{self.acts}"

    @classmethod
    def read(cls, text: str) -> "Seen | None":
        """What ``str`` wrote; None for anything else."""
        parts = text.split(".")
        if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) < 9 for part in parts):
            return None
        return cls(*map(int, parts))


def seen_now(session: Session, complaint_id: int) -> Seen:
    return Seen(
        len(events_of(session, complaint_id)),
        len(messages_of(session, complaint_id)),
        len(acts_of(session, complaint_id)),
    )


def open_case(
    session: Session,
    staff: StaffMember,
    protocol: str,
    *,
    to: Action | None = None,
    seen: Seen | None = None,
) -> ComplaintRow:
    """The complaint; locked and checked when it is opened ``to`` do something.

    Raises:
        NothingHere: no complaint of this municipality has the protocol.
        NotAllowed: the role does not do this.
        StoodBack: this person recused themselves from it.
        CaseChanged: something happened since the page was read that ``seen`` tells of.
    """
    if not staff.may_read_cases:
        raise NotAllowed
    row = find_case(session, staff.municipality, read_protocol(protocol), lock=to is not None)
    if row is None:
        raise NothingHere("case")
    if to is None:
        return row
    if not role_allows(to, staff):
        raise NotAllowed
    if staff.id in recused_from(session, row.id):
        raise StoodBack
    if seen is not None and seen_now(session, row.id) != seen:
        raise CaseChanged
    return row


def take_step(
    session: Session,
    row: ComplaintRow,
    move: Move,
    staff: StaffMember,
    now: datetime,
    *given: Need,
    reason: str | None = None,
) -> None:
    """Move the complaint on; whoever takes the first step looks after it from then on."""
    lifecycle.take(
        session, row, move, Sender.OMBUDSMAN, now=now, given=given, staff_id=staff.id, reason=reason
    )
    if row.assigned_to is None:
        row.assigned_to = staff.id
        session.flush()


def add_event(
    session: Session,
    row: ComplaintRow,
    kind: EventKind,
    staff: StaffMember,
    now: datetime,
    *,
    reason: str | None = None,
) -> None:
    session.add(
        ComplaintEventRow(
            complaint_id=row.id,
            at=now,
            kind=kind,
            status=row.status,
            actor=Sender.OMBUDSMAN,
            staff_id=staff.id,
            reason=reason,
        )
    )
    session.flush()


def add_message(
    session: Session,
    row: ComplaintRow,
    staff: StaffMember,
    text: str,
    now: datetime,
    *,
    is_answer: bool = False,
) -> None:
    session.add(
        ComplaintMessageRow(
            complaint_id=row.id,
            at=now,
            sender=Sender.OMBUDSMAN,
            staff_id=staff.id,
            text=text,
            is_answer=is_answer,
        )
    )
    session.flush()


def add_act(
    session: Session,
    row: ComplaintRow,
    kind: str,
    staff: StaffMember,
    now: datetime,
    *,
    text: str | None = None,
    to: int | None = None,
) -> None:
    """What the desk alone reads."""
    session.add(
        CaseActRow(complaint_id=row.id, at=now, kind=kind, staff_id=staff.id, to_staff_id=to, text=text)
    )
    session.flush()


def log(
    session: Session,
    row: ComplaintRow,
    staff: StaffMember,
    action: str,
    now: datetime,
    *,
    reason: str | None = None,
) -> None:
    """Add to the audit log, which keeps numbers alone: of a ``reason`` it holds the fingerprint."""
    audit.record(
        session,
        row.municipality,
        actor=actor(staff),
        action=action,
        subject=f"complaint:{row.id}",
        reason=audit.fingerprint(reason) if reason else None,
        at=now,
    )


def number_of_events(session: Session, row: ComplaintRow) -> int:
    return len(events_of(session, row.id))


def said(text: str, limit: int = ANSWER_LIMIT) -> str:
    """What was written; raises ``EmptyMessage`` and ``TextTooLong``."""
    written = within(clean_text(text), limit)
    if not written:
        raise EmptyMessage
    return written


def stated(reason: str) -> str:
    """A reason; raises ``ReasonMissing`` and ``TextTooLong``."""
    written = within(clean_text(reason), REASON_LIMIT)
    if not written:
        raise ReasonMissing
    return written


def civil_day(row: ComplaintRow, moment: datetime) -> date:
    return catalogue.municipality(row.municipality).civil_day(moment)
