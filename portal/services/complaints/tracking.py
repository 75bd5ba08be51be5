"""Following a complaint by protocol and access key: what became of it, and writing to and fro.

A right pair opens a ticket of an hour, so that the key is asked once and stored nowhere.
"""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from portal.config import settings
from portal.domain.access_keys import keyed_hash
from portal.domain.complaints import (
    ComplaintKind,
    ComplaintStatus,
    EventKind,
    IdentityMode,
    Rating,
    Sender,
)
from portal.domain.errors import (
    EmptyMessage,
    FileRefused,
    NothingHere,
    StepNotAllowed,
    TicketExpired,
    WrongPair,
)
from portal.domain.lifecycle import CLOCK_RUNS, ENDED, Move, Need, moves, next_day
from portal.domain.protocols import read_protocol
from portal.domain.questionnaire import STORY_LIMIT
from portal.domain.texts import clean_text, within
from portal.regulations import catalogue
from portal.sealing.secrets import decrypt, encrypt
from portal.services.complaints import lifecycle
from portal.services.complaints.evidence import (
    Download,
    EvidenceFile,
    download,
    evidence_file,
    holds,
    keep_file,
    name_when_filed,
)
from portal.services.complaints.stored_files import StoredFile
from portal.storage.complaints import (
    ComplaintMessageRow,
    ComplaintRow,
    count_failure,
    events_of,
    failures_since,
    find_by_protocol,
    forget_attempts,
    messages_of,
)
from portal.storage.drafts import evidence_of_complaint

TICKET_MINUTES = 60
FREE_FAILURES = 5
"""Wrong pairs for one protocol within ``ATTEMPT_WINDOW`` before whoever tries is asked to wait."""
ATTEMPT_WINDOW = timedelta(minutes=15)
REASON_LIMIT = 1_000
SENT_TWICE = timedelta(minutes=10)
"""A line that broke makes people press again: the same thing within this time is the same sending."""
LONGEST_WAIT = 60
"""Seconds."""


@dataclass(frozen=True, slots=True)
class CaseEvent:
    at: datetime
    kind: EventKind
    status: ComplaintStatus
    actor: Sender
    reason: str | None


@dataclass(frozen=True, slots=True)
class CaseMessage:
    at: datetime
    sender: Sender
    text: str
    is_answer: bool


@dataclass(frozen=True, slots=True)
class CaseView:
    """A complaint as its author sees it."""

    ticket: str
    """Opens the case again for ``TICKET_MINUTES``; each view gives a fresh one."""
    protocol: str
    municipality: str
    kind: ComplaintKind
    category: str
    status: ComplaintStatus
    filed_at: datetime
    due_on: date
    due_article: str
    extended: bool
    next_date: date | None
    """The day by which something must come, or until which a review can be asked for; None at the end."""
    overdue: bool
    """Whether that day has passed and the answer is still owed."""
    reply_by: date | None
    """The last day for the citizen's reply, where an act of the municipality archives for silence."""
    paused_days: int
    """Days that did not count, by an act of the municipality."""
    moves: frozenset[Move]
    """What its author can do now, beside writing."""
    can_rate: bool
    rating: Rating | None
    """What its author said of the answer."""
    facts: Mapping[str, Any]
    story: str | None
    files: tuple[EvidenceFile, ...]
    events: tuple[CaseEvent, ...]
    messages: tuple[CaseMessage, ...]
    identity_mode: IdentityMode
    language: str

    @property
    def answer(self) -> CaseMessage | None:
        """The ombudsman's latest answer."""
        return next((message for message in reversed(self.messages) if message.is_answer), None)

    @property
    def can_write(self) -> bool:
        return self.status not in ENDED

    @property
    def wants_reply(self) -> bool:
        """Whether the ombudsman waits for the citizen."""
        return self.status is ComplaintStatus.AWAITING_CITIZEN


def track(session: Session, protocol: str, access_key: str, *, now: datetime) -> CaseView | WrongPair:
    """The complaint of a protocol and key, both typed loosely.

    A wrong pair is *returned*, not raised: the unit of work must write, and be committed, for the attempt to
    count; the edge then shows or raises it. Unknown protocols cost the same queries, one comparison and one
    count, so that nobody learns which exist. A right pair is always let in: counting wrong ones only asks
    whoever tries on to wait, so that a prankster cannot lock out the author (66 bits are not guessed).
    """
    stored = read_protocol(protocol)
    present, peppers = settings().access_key_pepper_id, settings().peppers
    pepper = peppers[present]
    attempt = hmac.new(pepper, f"attempt\0{stored}".encode(), hashlib.sha256).digest()
    failures = failures_since(session, attempt, now - ATTEMPT_WINDOW)
    row = find_by_protocol(session, stored)
    expected = row.access_key_hash if row else bytes(32)
    its_own = peppers.get(row.access_key_pepper_id, pepper) if row else pepper
    if hmac.compare_digest(keyed_hash(access_key, stored, its_own), expected) and row:
        if row.access_key_pepper_id != present:  # the only moment at which the key itself is here
            row.access_key_hash = keyed_hash(access_key, stored, pepper)
            row.access_key_pepper_id = present
            session.flush()
        return _view(session, row, now)
    count_failure(session, attempt, now, since=now - ATTEMPT_WINDOW)
    excess = failures + 1 - FREE_FAILURES
    return WrongPair(wait=min(LONGEST_WAIT, 2**excess) if excess > 0 else 0)


def reopen(session: Session, ticket: str, *, now: datetime) -> CaseView:
    """The case of a ticket; raises ``TicketExpired``."""
    return _view(session, _by_ticket(session, ticket, now), now)


def issue_ticket(protocol: str, *, now: datetime) -> str:
    """A ticket of ``TICKET_MINUTES``, for an edge that has seen the right pair already."""
    return encrypt(protocol, settings().secrets, purpose=_TICKET_PURPOSE, now=now).decode()


def add_message(session: Session, ticket: str, text: str, *, now: datetime) -> CaseView:
    """The citizen writes to the ombudsman; a reply that was asked for puts the case back in review.

    The same words again within ``SENT_TWICE`` are a second press, and are kept once.

    Raises ``TicketExpired``, ``EmptyMessage``, ``TextTooLong``, and ``StepNotAllowed`` once the case has ended.
    """
    row = _by_ticket(session, ticket, now, lock=True)
    said = _said(text)
    status = ComplaintStatus(row.status)
    if status in ENDED:
        raise StepNotAllowed(current=str(status), wanted="message")
    if not _just_said(session, row, said, now):
        session.add(ComplaintMessageRow(complaint_id=row.id, at=now, sender=str(Sender.CITIZEN), text=said))
    _replied(session, row, now)
    session.flush()
    return _view(session, row, now)


def withdraw(session: Session, ticket: str, reason: str = "", *, now: datetime) -> CaseView:
    """The author takes the complaint back, with or without a reason; it cannot be undone.

    Raises ``TicketExpired``, ``TextTooLong``, and ``StepNotAllowed`` where no answer is owed any more.
    """
    row = _by_ticket(session, ticket, now, lock=True)
    said = within(clean_text(reason), REASON_LIMIT) or None
    lifecycle.take(session, row, Move.WITHDRAW, Sender.CITIZEN, now=now, reason=said)
    return _view(session, row, now)


def request_review(session: Session, ticket: str, reason: str, *, now: datetime) -> CaseView:
    """The author contests an answer or a dismissal, once and in time; an answer is owed anew from this day.

    Raises ``TicketExpired``, ``EmptyMessage``, ``TextTooLong``, and ``StepNotAllowed`` after the last day or the
    second time.
    """
    row = _by_ticket(session, ticket, now, lock=True)
    said = _said(reason)
    lifecycle.take(session, row, Move.REQUEST_REVIEW, Sender.CITIZEN, now=now, given={Need.TEXT}, reason=said)
    return _view(session, row, now)


def rate(session: Session, ticket: str, rating: Rating, *, now: datetime) -> CaseView:
    """What the author says of the answer; it can be changed, and changes nothing of the case.

    Raises ``TicketExpired``, and ``StepNotAllowed`` where there is no answer to rate.
    """
    row = _by_ticket(session, ticket, now, lock=True)
    if not _can_rate(session, row):
        raise StepNotAllowed(current=row.status, wanted="rate")
    row.rating = str(rating)
    session.flush()
    return _view(session, row, now)


def municipality_of(session: Session, ticket: str, *, now: datetime) -> str:
    """Whose case a ticket opens, for storing what comes with it before the transaction; raises ``TicketExpired``."""
    return _by_ticket(session, ticket, now).municipality


def add_evidence(session: Session, ticket: str, sent: StoredFile, *, now: datetime) -> CaseView:
    """A file that the store holds and that came to hand later, under a name that tells nothing.

    Of any kind, as at the intake. Where the ombudsman waits for a reply it is one: what was asked for may be a photo.
    The same file again within ``SENT_TWICE`` is kept once.

    Raises ``TicketExpired``, ``FileRefused`` past the limit, and ``StepNotAllowed`` once the case has ended.
    """
    row = _by_ticket(session, ticket, now, lock=True)
    if ComplaintStatus(row.status) in ENDED:
        raise StepNotAllowed(current=row.status, wanted="message")
    kept = evidence_of_complaint(session, row.id)
    if not any(now - file.added_at <= SENT_TWICE and holds(file, sent) for file in kept):
        town = catalogue.municipality(row.municipality)
        file = keep_file(session, sent, town=town, answers=row.facts, beside=len(kept), now=now)
        file.complaint_id, file.name = row.id, name_when_filed(file, len(kept) + 1)
    _replied(session, row, now)
    session.flush()
    return _view(session, row, now)


def reply_with(
    session: Session, ticket: str, move: Move, text: str, sent: StoredFile | None, *, now: datetime
) -> tuple[CaseView, FileRefused | None]:
    """Words and a file that came as one message, in one unit of work; a file that is refused keeps back no words.

    ``move`` is ``REQUEST_REVIEW``, which needs words, or ``REPLY`` for whatever else is written.
    Raises as ``request_review``, ``add_message`` and ``add_evidence``, but for ``FileRefused``, which is returned.
    """
    refusal = None
    if move is Move.REQUEST_REVIEW:
        request_review(session, ticket, text, now=now)
    elif text.strip() or sent is None:
        add_message(session, ticket, text, now=now)
    if sent is not None:
        try:
            add_evidence(session, ticket, sent, now=now)
        except FileRefused as refused:
            refusal = refused
    return reopen(session, ticket, now=now), refusal


def evidence(session: Session, ticket: str, file_token: str, *, now: datetime) -> Download:
    """A file of one's own case; raises ``TicketExpired`` and ``NothingHere``."""
    row = _by_ticket(session, ticket, now)
    for file in evidence_of_complaint(session, row.id):
        if hmac.compare_digest(file.token, file_token):
            return download(file)
    raise NothingHere("evidence")


def sweep_attempts(session: Session, *, now: datetime) -> int:
    """Forget counts of wrong pairs that no longer matter. Returns how many."""
    return forget_attempts(session, now - ATTEMPT_WINDOW)


def case_of_ticket(session: Session, ticket: str, *, now: datetime) -> ComplaintRow:
    """The stored complaint of a ticket, for services alone; raises ``TicketExpired``."""
    return _by_ticket(session, ticket, now)


_TICKET_PURPOSE = "case ticket"


def _just_said(session: Session, row: ComplaintRow, said: str, now: datetime) -> bool:
    """Whether these are the last words of the conversation, and new."""
    last = messages_of(session, row.id)[-1:]
    return any(
        one.sender == Sender.CITIZEN and one.text == said and now - one.at <= SENT_TWICE for one in last
    )


def _replied(session: Session, row: ComplaintRow, now: datetime) -> None:
    """What was asked has been answered, in words or with a file; elsewhere nothing changes."""
    if ComplaintStatus(row.status) is ComplaintStatus.AWAITING_CITIZEN:
        lifecycle.take(session, row, Move.REPLY, Sender.CITIZEN, now=now, given={Need.TEXT})


def _said(text: str) -> str:
    said = within(clean_text(text), STORY_LIMIT)
    if not said:
        raise EmptyMessage
    return said


def _by_ticket(session: Session, ticket: str, now: datetime, *, lock: bool = False) -> ComplaintRow:
    protocol = decrypt(
        ticket.encode(), settings().secrets, purpose=_TICKET_PURPOSE, now=now, minutes=TICKET_MINUTES
    )
    row = find_by_protocol(session, protocol, lock=lock) if protocol else None
    if row is None:
        raise TicketExpired
    return row


def _civil_day(row: ComplaintRow, moment: datetime) -> date:
    return catalogue.municipality(row.municipality).civil_day(moment)


def _can_rate(session: Session, row: ComplaintRow) -> bool:
    """From the answer on, as long as the case stands answered or closed."""
    answered = row.status in (ComplaintStatus.ANSWERED, ComplaintStatus.CLOSED)
    return answered and any(message.is_answer for message in messages_of(session, row.id))


def _view(session: Session, row: ComplaintRow, now: datetime) -> CaseView:
    status, today = ComplaintStatus(row.status), _civil_day(row, now)
    standing = lifecycle.standing(session, row)
    next_date = next_day(standing, row.due_on, today)
    return CaseView(
        ticket=issue_ticket(row.protocol, now=now),
        protocol=row.protocol,
        municipality=row.municipality,
        kind=ComplaintKind(row.kind),
        category=row.category,
        status=status,
        filed_at=row.filed_at,
        due_on=row.due_on,
        due_article=row.due_article,
        extended=row.extended,
        next_date=next_date,
        overdue=status in CLOCK_RUNS and next_date is not None and next_date < today,
        reply_by=standing.silent_until,
        paused_days=row.paused_days,
        moves=moves(standing, Sender.CITIZEN, today),
        can_rate=_can_rate(session, row),
        rating=Rating(row.rating) if row.rating else None,
        facts=dict(row.facts),
        story=row.story,
        files=tuple(evidence_file(file) for file in evidence_of_complaint(session, row.id)),
        events=tuple(
            CaseEvent(
                at=e.at,
                kind=EventKind(e.kind),
                status=ComplaintStatus(e.status),
                actor=Sender(e.actor),
                reason=e.reason,
            )
            for e in events_of(session, row.id)
        ),
        messages=tuple(
            CaseMessage(at=m.at, sender=Sender(m.sender), text=m.text, is_answer=m.is_answer)
            for m in messages_of(session, row.id)
        ),
        identity_mode=IdentityMode(row.identity_mode),
        language=row.language,
    )
