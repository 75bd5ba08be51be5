"""A person's request for what is held about them (Lei 13.709/2018, art. 18), answered at the desk.

The person asks with protocol and key; the ombudsman answers; from then on whoever has the key downloads it, made
from what is stored at that moment. Name and contact are sealed: that they are held is told, not what they are.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from portal.domain.complaints import EventKind, Sender
from portal.domain.errors import NotAllowed, NothingHere
from portal.domain.staff import StaffMember
from portal.services.casework.actions import Action
from portal.services.casework.steps import add_event, log, open_case
from portal.services.complaints.notices import announce_news
from portal.services.complaints.tracking import case_of_ticket
from portal.storage.cases import sealed_identity
from portal.storage.casework import unit_requests_of
from portal.storage.complaints import ComplaintEventRow, ComplaintRow, events_of, messages_of
from portal.storage.disclosures import (
    DataRequestRow,
    data_request_of,
    data_requests_waiting,
    identity_requests_of,
)
from portal.storage.drafts import evidence_of_complaint
from portal.storage.notices import notice_addresses


@dataclass(frozen=True, slots=True)
class DataRequest:
    protocol: str
    asked_at: datetime
    answered_at: datetime | None


def ask(session: Session, ticket: str, *, now: datetime) -> DataRequest:
    """Ask for one's own data; while a request waits, asking again changes nothing. Raises ``TicketExpired``."""
    row = case_of_ticket(session, ticket, now=now)
    waiting = data_request_of(session, row.id)
    if waiting is None or waiting.answered_at is not None:
        waiting = DataRequestRow(municipality=row.municipality, complaint_id=row.id, asked_at=now)
        session.add(waiting)
        session.add(
            ComplaintEventRow(
                complaint_id=row.id,
                at=now,
                kind=EventKind.DATA_ASKED,
                status=row.status,
                actor=Sender.CITIZEN,
            )
        )
        session.flush()
    return _read(row.protocol, waiting)


def request_of_ticket(session: Session, ticket: str, *, now: datetime) -> DataRequest | None:
    """The newest request of the case; raises ``TicketExpired``."""
    row = case_of_ticket(session, ticket, now=now)
    found = data_request_of(session, row.id)
    return _read(row.protocol, found) if found else None


def waiting_requests(session: Session, staff: StaffMember) -> tuple[DataRequest, ...]:
    """What the desk still has to answer, oldest first; the ombudsman's alone."""
    if not staff.may_answer:
        raise NotAllowed
    return tuple(_read(protocol, row) for row, protocol in data_requests_waiting(session, staff.municipality))


def answer(session: Session, staff: StaffMember, protocol: str, *, now: datetime) -> None:
    """Let the person have the data; who answered, and when, is recorded, and the person is told of news.

    Raises ``NothingHere`` when none waits; ``NotAllowed``, ``StoodBack`` as for every step.
    """
    row = open_case(session, staff, protocol, to=Action.ANSWER)
    found = data_request_of(session, row.id)
    if found is None or found.answered_at is not None:
        raise NothingHere("data_request")
    found.answered_at, found.answered_by = now, staff.id
    add_event(session, row, EventKind.DATA_READY, staff, now)
    log(session, row, staff, "data.delivered", now)
    announce_news(session, row, news=f"data/{found.id}", now=now)


def export(session: Session, ticket: str, *, now: datetime) -> Mapping[str, Any]:
    """Everything held under a protocol, as JSON values, once the desk has answered.

    Raises ``TicketExpired``; ``NothingHere`` while the desk has not.
    """
    row = case_of_ticket(session, ticket, now=now)
    found = data_request_of(session, row.id)
    if found is None or found.answered_at is None:
        raise NothingHere("data_request")
    return _held(session, row)


def _held(session: Session, row: ComplaintRow) -> dict[str, Any]:
    sealed = sealed_identity(session, row.id)
    return {
        "protocol": row.protocol,
        "municipality": row.municipality,
        "kind": row.kind,
        "category": row.category,
        "channel": row.channel,
        "language": row.language,
        "status": row.status,
        "filed_at": row.filed_at.isoformat(),
        "due_on": row.due_on.isoformat(),
        "facts": row.facts,
        "story": row.story,
        "register_said": row.snapshot,
        "identity": {
            "mode": row.identity_mode,
            "sealed_at": sealed.sealed_at.isoformat() if sealed else None,
            "told": [
                {
                    "to": one.recipient,
                    "why": one.purpose,
                    "order_number": one.order_number,
                    "state": one.state,
                    "decided_at": _iso(one.decided_at),
                    "told_at": _iso(one.told_at),
                }
                for one in identity_requests_of(session, row.id)
            ],
        },
        "news_to": [address.channel for address in notice_addresses(session, row.id)],
        "files": [
            {"name": file.name, "type": file.media_type, "bytes": file.size}
            for file in evidence_of_complaint(session, row.id)
        ],
        "events": [
            {"at": event.at.isoformat(), "what": event.kind, "status": event.status, "by": event.actor,
             "reason": event.reason}
            for event in events_of(session, row.id)
        ],
        "messages": [
            {"at": message.at.isoformat(), "by": message.sender, "text": message.text}
            for message in messages_of(session, row.id)
        ],
        "forwarded_to": [
            {"unit": one.unit, "at": one.asked_at.isoformat(), "copy": one.copy}
            for one in unit_requests_of(session, [row.id])
        ],
    }  # fmt: skip


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _read(protocol: str, row: DataRequestRow) -> DataRequest:
    return DataRequest(protocol, row.asked_at, row.answered_at)
