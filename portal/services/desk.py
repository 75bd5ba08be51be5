"""What a desk does with complaints: list by due date, read, answer and the steps between.

Every function takes the staff member and sees that person's municipality alone: another one's complaint does
not exist here. Each step checks the role, leaves an event that the citizen reads and an entry in the audit chain.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy.orm import Session

from portal.domain.complaints import (
    CLOCK_RUNS,
    STEPS,
    ComplaintKind,
    ComplaintStatus,
    EventKind,
    Identity,
    IdentityMode,
    Sender,
    step,
)
from portal.domain.deadlines import due_date
from portal.domain.errors import (
    EmptyMessage,
    ExtensionRefused,
    IdentityNotHere,
    NotAllowed,
    NothingHere,
    ReasonMissing,
    UnitMissing,
)
from portal.domain.paging import paging
from portal.domain.protocols import read_protocol
from portal.domain.staff import StaffMember
from portal.domain.texts import clean_line, clean_text, within
from portal.regulations import catalogue
from portal.services import audit
from portal.services.evidence import Download, EvidenceFile, download, evidence_file
from portal.services.notices import announce_news, forget_addresses
from portal.services.staff import actor
from portal.storage.cases import (
    cases_by_due_date,
    count_cases,
    find_case,
    find_evidence,
    names_of_staff,
    sealed_identity,
)
from portal.storage.complaints import (
    ComplaintEventRow,
    ComplaintMessageRow,
    ComplaintRow,
    events_of,
    identity_record,
    messages_of,
)
from portal.storage.drafts import evidence_of_complaint

PAGE = 25
ANSWER_LIMIT = 10_000
REASON_LIMIT = 1_000
"""Characters, as for ``ANSWER_LIMIT``."""

S = ComplaintStatus


class Show(StrEnum):
    """Which complaints the list shows."""

    OPEN = "open"
    OVERDUE = "overdue"
    ALL = "all"


class Action(StrEnum):
    """What a staff member can do with a complaint now."""

    REVIEW = "review"
    ANSWER = "answer"
    ASK = "ask"
    FORWARD = "forward"
    EXTEND = "extend"
    CLOSE = "close"
    OPEN_IDENTITY = "open_identity"


@dataclass(frozen=True, slots=True)
class CaseLine:
    """One line of the list."""

    protocol: str
    kind: ComplaintKind
    category: str
    vehicle: str | None
    """As the citizen typed it."""
    filed_at: datetime
    due_on: date
    days_left: int | None
    """Calendar days to the due date, 0 on the day itself, negative after; None when no answer is owed."""
    extended: bool
    fast_lane: bool
    status: ComplaintStatus
    language: str


@dataclass(frozen=True, slots=True)
class CasePage:
    lines: tuple[CaseLine, ...]
    show: Show
    page: int
    pages: int
    counts: Mapping[Show, int]


@dataclass(frozen=True, slots=True)
class CaseEvent:
    at: datetime
    kind: EventKind
    status: ComplaintStatus
    actor: Sender
    by: str | None
    """Name of the staff member."""
    reason: str | None


@dataclass(frozen=True, slots=True)
class CaseMessage:
    at: datetime
    sender: Sender
    by: str | None
    text: str
    is_answer: bool


@dataclass(frozen=True, slots=True)
class CaseFile:
    """Everything a desk reads of a complaint; who sent it stays sealed."""

    line: CaseLine
    municipality: str
    channel: str
    facts: Mapping[str, Any]
    story: str | None
    snapshot: Mapping[str, Any] | None
    due_article: str
    identity_mode: IdentityMode
    evidence: tuple[EvidenceFile, ...]
    events: tuple[CaseEvent, ...]
    messages: tuple[CaseMessage, ...]
    actions: frozenset[Action]
    extended_due_on: date | None
    """The due date an extension would set; None when there can be none."""


def list_cases(
    session: Session, staff: StaffMember, *, today: date, show: Show = Show.OPEN, page: int = 1
) -> CasePage:
    """A page of the municipality's complaints, what is due first in front; a page past the end is the last one."""
    if not staff.may_read_cases:
        raise NotAllowed
    counts = {one: count_cases(session, staff.municipality, **_filter(one, today)) for one in Show}
    shown = paging(counts[show], page, PAGE)
    rows = cases_by_due_date(
        session, staff.municipality, **_filter(show, today), limit=shown.size, offset=shown.offset
    )
    return CasePage(tuple(_line(row, today) for row in rows), show, shown.page, shown.pages, counts)


def read_case(session: Session, staff: StaffMember, protocol: str, *, today: date) -> CaseFile:
    """A complaint of the staff member's municipality; raises ``NothingHere`` for any other."""
    row = _case(session, staff, protocol)
    names = names_of_staff(session, staff.municipality)
    return CaseFile(
        line=_line(row, today),
        municipality=row.municipality,
        channel=row.channel,
        facts=row.facts,
        story=row.story,
        snapshot=row.snapshot,
        due_article=row.due_article,
        identity_mode=IdentityMode(row.identity_mode),
        evidence=tuple(evidence_file(file) for file in evidence_of_complaint(session, row.id)),
        events=tuple(
            CaseEvent(
                event.at,
                EventKind(event.kind),
                S(event.status),
                Sender(event.actor),
                names.get(event.staff_id) if event.staff_id else None,
                event.reason,
            )
            for event in events_of(session, row.id)
        ),
        messages=tuple(
            CaseMessage(
                message.at,
                Sender(message.sender),
                names.get(message.staff_id) if message.staff_id else None,
                message.text,
                message.is_answer,
            )
            for message in messages_of(session, row.id)
        ),
        actions=_actions(row, staff, today),
        extended_due_on=_extended_due_date(row) if _may_extend(row, today) is None else None,
    )


def evidence_of_case(session: Session, staff: StaffMember, protocol: str, token: str) -> Download:
    """A file of a complaint, to hand out as a download; raises ``NothingHere``."""
    row = _case(session, staff, protocol)
    file = find_evidence(session, row.id, token)
    if file is None:
        raise NothingHere("evidence")
    return download(file)


def start_review(session: Session, staff: StaffMember, protocol: str, *, now: datetime) -> None:
    """Take a complaint into review."""
    row = _case(session, staff, protocol, to=Action.REVIEW)
    _step(session, row, S.IN_REVIEW, staff, now)
    _log(session, row, staff, "case.review_started", now)


def answer_case(session: Session, staff: StaffMember, protocol: str, text: str, *, now: datetime) -> None:
    """Give the citizen the final answer, in their language; they are told that there is news.

    Raises:
        EmptyMessage, TextTooLong: the text says nothing, or has more than ``ANSWER_LIMIT`` characters.
        StepNotAllowed: it is answered already, withdrawn or closed.
    """
    row = _case(session, staff, protocol, to=Action.ANSWER)
    answer = _said(text)
    _step(session, row, S.ANSWERED, staff, now)
    _message(session, row, staff, answer, now, is_answer=True)
    _log(session, row, staff, "case.answered", now)
    announce_news(session, row, news=f"answered/{_number_of_events(session, row)}", now=now)


def ask_citizen(session: Session, staff: StaffMember, protocol: str, text: str, *, now: datetime) -> None:
    """Ask the citizen something; the clock goes on, since no act of a municipality says it stops."""
    row = _case(session, staff, protocol, to=Action.ASK)
    question = _said(text)
    _step(session, row, S.AWAITING_CITIZEN, staff, now)
    _message(session, row, staff, question, now)
    _log(session, row, staff, "case.citizen_asked", now)
    announce_news(session, row, news=f"asked/{_number_of_events(session, row)}", now=now)


def forward_case(session: Session, staff: StaffMember, protocol: str, unit: str, *, now: datetime) -> None:
    """Ask a unit of the administration, which the citizen reads by name; the identity does not go along."""
    row = _case(session, staff, protocol, to=Action.FORWARD)
    name = clean_line(unit)
    if not name:
        raise UnitMissing
    _step(session, row, S.FORWARDED, staff, now, reason=within(name, REASON_LIMIT))
    _log(session, row, staff, "case.forwarded", now)


def extend_deadline(
    session: Session, staff: StaffMember, protocol: str, reason: str, *, now: datetime
) -> date:
    """Prolong the time for the answer, once, on its last day at the latest (Lei 13.460/2017 art. 16).

    ``reason`` is read by the citizen. Returns the new due date.

    Raises:
        ReasonMissing: the reason says nothing.
        ExtensionRefused: it was extended before, the due date has passed, or no answer is owed any more.
    """
    row = _case(session, staff, protocol, to=Action.EXTEND)
    said = within(clean_text(reason), REASON_LIMIT)
    if not said:
        raise ReasonMissing
    if why := _may_extend(row, _civil_day(row, now)):
        raise ExtensionRefused(why)
    row.due_on, row.extended = _extended_due_date(row), True
    session.add(
        ComplaintEventRow(
            complaint_id=row.id,
            at=now,
            kind=EventKind.EXTENSION,
            status=row.status,
            actor=Sender.OMBUDSMAN,
            staff_id=staff.id,
            reason=said,
        )
    )
    _log(session, row, staff, "case.deadline_extended", now, reason=said)
    announce_news(session, row, news="extended", now=now)
    return row.due_on


def close_case(session: Session, staff: StaffMember, protocol: str, *, now: datetime) -> None:
    """Close an answered complaint; addresses for news are forgotten."""
    row = _case(session, staff, protocol, to=Action.CLOSE)
    _step(session, row, S.CLOSED, staff, now)
    row.closed_at = now
    forget_addresses(session, row)
    _log(session, row, staff, "case.closed", now)


def open_identity(
    session: Session,
    staff: StaffMember,
    protocol: str,
    reason: str,
    *,
    open_box: Callable[[bytes, str], bytes],
    now: datetime,
) -> Identity:
    """Unseal who sent a complaint; reason and reader stand in the audit chain before anything is shown.

    ``open_box`` opens a box given the record it is bound to, with the keys of this municipality; it raises
    ``ValueError`` when it cannot. Commit before you show the result.

    Raises:
        NotAllowed: only the ombudsman does this.
        ReasonMissing: the reason says nothing.
        IdentityNotHere: there is none, or no key of this desk opens it.
    """
    row = _case(session, staff, protocol)
    if not staff.may_open_identity:
        raise NotAllowed
    said = within(clean_text(reason), REASON_LIMIT)
    if not said:
        raise ReasonMissing
    identity = _unsealed(session, row, open_box)
    _log(session, row, staff, "identity.opened", now, reason=said)
    return identity


def told_identity(
    session: Session, staff: StaffMember, protocol: str, *, open_box: Callable[[bytes, str], bytes]
) -> Identity | None:
    """Who sent a complaint, when that person chose to be known to the ombudsman from the start; else None.

    They were told that the ombudsman sees it, so that no reason is asked for.
    """
    row = _case(session, staff, protocol)
    if row.identity_mode != IdentityMode.OPEN or not staff.may_open_identity:
        return None
    try:
        return _unsealed(session, row, open_box)
    except IdentityNotHere:
        return None


def _unsealed(session: Session, row: ComplaintRow, open_box: Callable[[bytes, str], bytes]) -> Identity:
    sealed = sealed_identity(session, row.id)
    if sealed is None:
        raise IdentityNotHere("anonymous")
    try:
        told = json.loads(open_box(sealed.box, identity_record(row.protocol)))
    except ValueError:
        raise IdentityNotHere("key") from None
    return Identity(IdentityMode(row.identity_mode), told.get("name"), told.get("email"), told.get("phone"))


def _filter(show: Show, today: date) -> dict[str, Any]:
    return {
        "statuses": None if show is Show.ALL else [str(status) for status in sorted(CLOCK_RUNS)],
        "due_before": today if show is Show.OVERDUE else None,
    }


def _case(session: Session, staff: StaffMember, protocol: str, *, to: Action | None = None) -> ComplaintRow:
    """The complaint, locked when it is read to change it, after the role was checked."""
    if not staff.may_read_cases:
        raise NotAllowed
    row = find_case(session, staff.municipality, read_protocol(protocol), lock=to is not None)
    if row is None:
        raise NothingHere("case")
    if to is not None and not _role_allows(to, staff):
        raise NotAllowed
    return row


def _role_allows(action: Action, staff: StaffMember) -> bool:
    match action:
        case Action.REVIEW | Action.FORWARD | Action.ASK:
            return staff.may_route
        case Action.OPEN_IDENTITY:
            return staff.may_open_identity
        case _:
            return staff.may_answer


def _actions(row: ComplaintRow, staff: StaffMember, today: date) -> frozenset[Action]:
    status = S(row.status)
    through_review = STEPS[S.IN_REVIEW] if S.IN_REVIEW in STEPS[status] else frozenset()
    reachable = STEPS[status] | through_review
    possible = {
        Action.REVIEW: S.IN_REVIEW in STEPS[status],
        Action.ANSWER: S.ANSWERED in reachable,
        Action.ASK: S.AWAITING_CITIZEN in reachable,
        Action.FORWARD: S.FORWARDED in reachable,
        Action.CLOSE: S.CLOSED in STEPS[status],
        Action.EXTEND: _may_extend(row, today) is None,
        Action.OPEN_IDENTITY: row.identity_mode == IdentityMode.SEALED,
    }
    return frozenset(one for one, can in possible.items() if can and _role_allows(one, staff))


def _step(
    session: Session,
    row: ComplaintRow,
    wanted: ComplaintStatus,
    staff: StaffMember,
    now: datetime,
    *,
    reason: str | None = None,
) -> None:
    if wanted not in STEPS[S(row.status)] and wanted in STEPS[S.IN_REVIEW]:
        # Whoever answers a complaint that nobody has opened yet has reviewed it by that.
        _step(session, row, S.IN_REVIEW, staff, now)
    row.status = str(step(S(row.status), wanted))
    session.add(
        ComplaintEventRow(
            complaint_id=row.id,
            at=now,
            kind=EventKind.STEP,
            status=row.status,
            actor=Sender.OMBUDSMAN,
            staff_id=staff.id,
            reason=reason,
        )
    )
    session.flush()


def _message(
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


def _log(
    session: Session,
    row: ComplaintRow,
    staff: StaffMember,
    action: str,
    now: datetime,
    *,
    reason: str | None = None,
) -> None:
    audit.record(
        session,
        row.municipality,
        actor=actor(staff),
        action=action,
        subject=f"complaint:{row.id}",
        reason=reason,
        at=now,
    )


def _number_of_events(session: Session, row: ComplaintRow) -> int:
    return len(events_of(session, row.id))


def _said(text: str) -> str:
    said = within(clean_text(text), ANSWER_LIMIT)
    if not said:
        raise EmptyMessage
    return said


def _civil_day(row: ComplaintRow, moment: datetime) -> date:
    return catalogue.municipality(row.municipality).civil_day(moment)


def _may_extend(row: ComplaintRow, today: date) -> str | None:
    """Why the due date cannot be extended; None when it can."""
    if S(row.status) not in CLOCK_RUNS:
        return "stopped"
    if row.extended:
        return "extended"
    return "over" if today > row.due_on else None


def _extended_due_date(row: ComplaintRow) -> date:
    filed_on = _civil_day(row, row.filed_at)
    town = catalogue.municipality(row.municipality)
    return due_date(filed_on, catalogue.answer_time("ombudsman", filed_on), town.is_holiday, extended=True)


def _line(row: ComplaintRow, today: date) -> CaseLine:
    vehicle = row.facts.get("vehicle") or {}
    status = S(row.status)
    return CaseLine(
        protocol=row.protocol,
        kind=ComplaintKind(row.kind),
        category=row.category,
        vehicle=vehicle.get("text"),
        filed_at=row.filed_at,
        due_on=row.due_on,
        days_left=(row.due_on - today).days if status in CLOCK_RUNS else None,
        extended=row.extended,
        fast_lane=row.fast_lane,
        status=status,
        language=row.language,
    )
