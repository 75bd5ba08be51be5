"""An identity leaves the ombudsman on two grounds alone: the person's recorded consent, or an order of a court.

The person reads every step in the tracking page: that it was asked, what they said, that it was told, and to whom.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy.orm import Session

from portal.domain.complaints import ComplaintStatus, EventKind, Identity, IdentityMode, Sender
from portal.domain.errors import (
    ConsentMissing,
    IdentityNotHere,
    NothingHere,
    OrderNumberMissing,
    RecipientMissing,
    StepNotAllowed,
)
from portal.domain.lifecycle import ENDED
from portal.domain.staff import StaffMember
from portal.domain.texts import clean_line, within
from portal.services.casework.actions import Action
from portal.services.casework.identity import unsealed
from portal.services.casework.steps import add_event, open_case, stated
from portal.services.complaints.notices import announce_news
from portal.services.complaints.tracking import case_of_ticket
from portal.services.people import audit
from portal.services.people.staff import actor
from portal.storage.complaints import ComplaintEventRow, ComplaintRow
from portal.storage.disclosures import (
    ASKED,
    GRANTED,
    REFUSED,
    TOLD,
    IdentityRequestRow,
    identity_request,
    identity_requests_of,
)

NAME_LIMIT = 200
ORDER_LIMIT = 80
"""Characters, as for ``NAME_LIMIT``."""


class State(StrEnum):
    ASKED = ASKED
    GRANTED = GRANTED
    REFUSED = REFUSED
    TOLD = TOLD


@dataclass(frozen=True, slots=True)
class IdentityRequest:
    """A wish to tell an identity, as person and ombudsman both read it."""

    id: int
    recipient: str
    purpose: str
    state: State
    asked_at: datetime
    decided_at: datetime | None
    told_at: datetime | None
    order_number: str | None


def ask_consent(
    session: Session, staff: StaffMember, protocol: str, recipient: str, purpose: str, *, now: datetime
) -> IdentityRequest:
    """Ask the person whether their identity may be told to ``recipient``; they are told that there is news.

    Raises:
        NotAllowed, StoodBack: as for every step of a complaint.
        RecipientMissing, ReasonMissing: to whom, or why, is not said.
        IdentityNotHere: the complaint is anonymous.
        StepNotAllowed: the complaint has ended, and nobody would read the question.
    """
    row = _with_identity(session, staff, protocol)
    if ComplaintStatus(row.status) in ENDED:
        raise StepNotAllowed(current=row.status, wanted="consent")
    request = _new(session, row, staff, recipient, purpose, now)
    add_event(
        session, row, EventKind.CONSENT_ASKED, staff, now, reason=f"{request.recipient}: {request.purpose}"
    )
    _log(session, row, staff, "identity.consent_asked", request, now)
    announce_news(session, row, news=f"consent/{request.id}", now=now)
    return _read(request)


def decide(session: Session, ticket: str, number: int, granted: bool, *, now: datetime) -> IdentityRequest:
    """The person says yes or no, with a case opened by its key; they may think again until it has been told.

    Raises ``TicketExpired``; ``NothingHere`` for no such request; ``StepNotAllowed`` once the identity was told.
    """
    row = case_of_ticket(session, ticket, now=now)
    request = identity_request(session, row.id, number)
    if request is None:
        raise NothingHere("identity_request")
    if request.state == TOLD:
        raise StepNotAllowed(current=request.state, wanted="decide")
    wanted = GRANTED if granted else REFUSED
    if request.state != wanted:
        request.state, request.decided_at = wanted, now
        session.add(
            ComplaintEventRow(
                complaint_id=row.id,
                at=now,
                kind=EventKind.CONSENT_GIVEN if granted else EventKind.CONSENT_REFUSED,
                status=row.status,
                actor=Sender.CITIZEN,
                reason=request.recipient,
            )
        )
        session.flush()
    return _read(request)


def tell_with_consent(
    session: Session,
    staff: StaffMember,
    protocol: str,
    number: int,
    *,
    open_box: Callable[[bytes, str], bytes],
    now: datetime,
) -> Identity:
    """Unseal an identity to hand it to whom the person has agreed to, once; commit before you show it.

    Raises:
        ConsentMissing: the person has not agreed, has refused, or it was told already.
        NothingHere, NotAllowed, StoodBack, IdentityNotHere.
    """
    row = _with_identity(session, staff, protocol)
    request = identity_request(session, row.id, number)
    if request is None:
        raise NothingHere("identity_request")
    if request.state != GRANTED:
        raise ConsentMissing(request.state)
    identity = unsealed(session, row, open_box)
    _mark_told(session, request, staff, now)
    add_event(session, row, EventKind.IDENTITY_TOLD, staff, now, reason=request.recipient)
    _log(session, row, staff, "identity.disclosed", request, now)
    announce_news(session, row, news=f"told/{request.id}", now=now)
    return identity


def tell_by_order(
    session: Session,
    staff: StaffMember,
    protocol: str,
    recipient: str,
    order_number: str,
    purpose: str,
    *,
    open_box: Callable[[bytes, str], bytes],
    now: datetime,
) -> Identity:
    """Unseal an identity that a court orders to be told; the person reads to whom, why, and the order's number.

    Raises what `tell_with_consent` raises but ``ConsentMissing``, and ``RecipientMissing``, ``ReasonMissing`` and
    ``OrderNumberMissing``.
    """
    row = _with_identity(session, staff, protocol)
    order = within(clean_line(order_number), ORDER_LIMIT)
    if not any(sign.isdigit() for sign in order):
        raise OrderNumberMissing
    request = _new(session, row, staff, recipient, purpose, now, order=order)
    identity = unsealed(session, row, open_box)
    _mark_told(session, request, staff, now)
    add_event(
        session,
        row,
        EventKind.IDENTITY_ORDERED,
        staff,
        now,
        reason=f"{request.recipient} · {order} · {request.purpose}",
    )
    _log(session, row, staff, "identity.disclosed_by_order", request, now)
    announce_news(session, row, news=f"told/{request.id}", now=now)
    return identity


def requests_of_case(session: Session, staff: StaffMember, protocol: str) -> tuple[IdentityRequest, ...]:
    """For the ombudsman; nobody else is told of them."""
    row = open_case(session, staff, protocol)
    if not staff.may_open_identity:
        return ()
    return tuple(_read(one) for one in identity_requests_of(session, row.id))


def requests_of_ticket(session: Session, ticket: str, *, now: datetime) -> tuple[IdentityRequest, ...]:
    """For the person, who decides on those not told yet; raises ``TicketExpired``."""
    row = case_of_ticket(session, ticket, now=now)
    return tuple(_read(one) for one in identity_requests_of(session, row.id))


def _with_identity(session: Session, staff: StaffMember, protocol: str) -> ComplaintRow:
    row = open_case(session, staff, protocol, to=Action.OPEN_IDENTITY)
    if row.identity_mode == IdentityMode.ANONYMOUS:
        raise IdentityNotHere("anonymous")
    return row


def _new(
    session: Session,
    row: ComplaintRow,
    staff: StaffMember,
    recipient: str,
    purpose: str,
    now: datetime,
    *,
    order: str | None = None,
) -> IdentityRequestRow:
    name = within(clean_line(recipient), NAME_LIMIT)
    if not name:
        raise RecipientMissing
    request = IdentityRequestRow(
        complaint_id=row.id,
        recipient=name,
        purpose=stated(purpose),
        order_number=order,
        asked_at=now,
        asked_by=staff.id,
        state=ASKED,
    )
    session.add(request)
    session.flush()
    return request


def _mark_told(session: Session, request: IdentityRequestRow, staff: StaffMember, now: datetime) -> None:
    request.state, request.told_at, request.told_by = TOLD, now, staff.id
    session.flush()


def _log(
    session: Session,
    row: ComplaintRow,
    staff: StaffMember,
    action: str,
    request: IdentityRequestRow,
    now: datetime,
) -> None:
    written = "\n".join((request.recipient, request.purpose, request.order_number or ""))
    audit.record(
        session,
        row.municipality,
        actor=actor(staff),
        action=action,
        subject=f"complaint:{row.id}",
        reason=f"disclosure:{request.id} {audit.fingerprint(written)}",
        at=now,
    )


def _read(row: IdentityRequestRow) -> IdentityRequest:
    return IdentityRequest(
        row.id,
        row.recipient,
        row.purpose,
        State(row.state),
        row.asked_at,
        row.decided_at,
        row.told_at,
        row.order_number,
    )
