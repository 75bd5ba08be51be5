"""Units of the administration that the ombudsman asks: whose matter it is by law, the copy they get, their clock.

Lei 13.460/2017 art. 16, parágrafo único: 20 days, once 20 more with a stated reason. The complaint's own due date is
never moved by it, so that a unit has what is left of that at most.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy.orm import Session

from portal.domain.complaints import ComplaintStatus, Sender
from portal.domain.deadlines import due_date
from portal.domain.errors import ExtensionRefused, NothingHere, UnitMissing
from portal.domain.lifecycle import CLOCK_RUNS, Move, Need, moves
from portal.domain.redaction import redact
from portal.domain.staff import StaffMember
from portal.domain.texts import clean_line, clean_text, within
from portal.regulations import catalogue, provisions
from portal.regulations.schema import Instrument
from portal.services.casework.actions import Action
from portal.services.casework.steps import (
    REASON_LIMIT,
    Seen,
    add_act,
    civil_day,
    log,
    open_case,
    said,
    stated,
    take_step,
)
from portal.services.complaints import lifecycle
from portal.storage.casework import UnitRequestRow, find_unit_request, unit_requests_of
from portal.storage.complaints import ComplaintRow, messages_of
from portal.storage.drafts import evidence_of_complaint

UNIT_LIMIT = 300
"""Characters of a unit's name."""
COPY_LIMIT = 100_000
"""Characters of the copy: an account and everything its author wrote since, of which each has a limit of its own."""


@dataclass(frozen=True, slots=True)
class UnitChoice:
    """A body that the law names, and what makes the matter its own."""

    name: str
    matter: str
    instrument: str
    title: str
    article: str
    competent: bool
    """For this complaint's category on the day of the fact; the others are named for other matters."""


@dataclass(frozen=True, slots=True)
class UnitRequest:
    """A unit that was asked, as the desk reads it."""

    number: int
    unit: str
    matter: str | None
    title: str | None
    """Of the instrument that makes it this unit's matter."""
    article: str | None
    question: str | None
    copy: str
    files: tuple[str, ...]
    asked_at: datetime
    by: str | None
    due_on: date
    """What the law gives the unit, inside what is left of the complaint's own time."""
    days_left: int | None
    """None once it has answered, or when no answer is owed to the citizen any more."""
    extended: bool
    extension_reason: str | None
    answered_at: datetime | None
    answer: str | None

    @property
    def is_open(self) -> bool:
        return self.answered_at is None


def event_day(row: ComplaintRow) -> date:
    """The civil day of the fact, or of filing when the citizen knows none."""
    when = row.facts.get("when") or {}
    return date.fromisoformat(when["date"]) if when.get("kind") == "at" else civil_day(row, row.filed_at)


def instruments_for(row: ComplaintRow, on: date) -> tuple[Instrument, ...]:
    """The instruments in force on a day that may rule a complaint: of its service when that is known."""
    wanted = {row.service} if row.service else {str(one) for one in catalogue.category(row.category).services}
    ruled = (one for one in catalogue.services_of(row.municipality, on) if str(one.service) in wanted)
    return tuple(one.instrument for one in ruled if one.instrument is not None and one.in_force)


def unit_choices(row: ComplaintRow) -> tuple[UnitChoice, ...]:
    """Whom a complaint can be forwarded to by the law in force on the day of the fact, the competent first.

    Without any competent one it stays with the ombudsman, who may still ask whoever they see fit.
    """
    on = event_day(row)
    choices: dict[str, UnitChoice] = {}
    for law in instruments_for(row, on):
        stated_ = next((one for one in law.provisions if one.category == row.category), None)
        matter = (stated_.matter or "inspection") if stated_ else None
        bodies = provisions.wordings_on(law, law.authorities, on)
        for body in sorted(bodies, key=lambda one: str(one.matter) != str(matter)):
            competent = matter is not None and str(body.matter) == str(matter)
            known = choices.get(body.name)
            if known is None or (competent and not known.competent):
                choices[body.name] = UnitChoice(
                    body.name, str(body.matter), law.id, law.title, body.article, competent
                )
    return tuple(sorted(choices.values(), key=lambda one: not one.competent))


def copy_for_unit(session: Session, row: ComplaintRow) -> str:
    """The account and what its author wrote since, without what tells who they are; to be read over before it goes."""
    told = [row.story or ""]
    told += [one.text for one in messages_of(session, row.id) if one.sender == Sender.CITIZEN]
    return redact("\n\n".join(one for one in told if one), keep=vehicle_of(row))


def vehicle_of(row: ComplaintRow) -> tuple[str, ...]:
    """The plates and permit numbers complained of, which stay readable in a copy."""
    return named_vehicles(row.facts, row.snapshot)


def named_vehicles(facts: Mapping[str, Any], snapshot: Mapping[str, Any] | None) -> tuple[str, ...]:
    vehicle, snapshot = facts.get("vehicle") or {}, snapshot or {}
    named = [vehicle.get("text"), *(unit.get("plate") for unit in snapshot.get("units", ()))]
    named += [permit.get("number") for permit in snapshot.get("permits", ())]
    return tuple(one for one in named if one)


def forward_case(
    session: Session,
    staff: StaffMember,
    protocol: str,
    unit: str,
    *,
    now: datetime,
    copy: str | None = None,
    files: Collection[str] = (),
    question: str = "",
    seen: Seen | None = None,
) -> int:
    """Ask a unit of the administration, which the citizen reads by name; the identity does not go along.

    Args:
        copy: the account as it goes, read over; what must not leave is masked in it again. None takes the account.
        files: tokens of the evidence that goes along; a voice tells who somebody is, so that none goes by itself.
        question: what the ombudsman wants to know.

    Returns:
        The number of the request, under which its letter is found.

    Raises:
        UnitMissing: no unit is named.
        TextTooLong: the unit's name, the question, or the copy (``COPY_LIMIT``).
        NothingHere: one of ``files`` is not of this complaint.
    """
    row = open_case(session, staff, protocol, to=Action.FORWARD, seen=seen)
    name = within(clean_line(unit), UNIT_LIMIT)
    if not name:
        raise UnitMissing
    known = {file.token for file in evidence_of_complaint(session, row.id)}
    if not known.issuperset(files):
        raise NothingHere("evidence")
    chosen = next((one for one in unit_choices(row) if one.name == name), None)
    text = copy_for_unit(session, row) if copy is None else copy
    take_step(session, row, Move.FORWARD, staff, now, Need.UNIT, reason=name)
    request = UnitRequestRow(
        complaint_id=row.id,
        unit=name,
        matter=chosen.matter if chosen else None,
        instrument=chosen.instrument if chosen else None,
        article=chosen.article if chosen else None,
        question=redact(within(clean_text(question), REASON_LIMIT), keep=vehicle_of(row)) or None,
        copy=redact(within(clean_text(text), COPY_LIMIT), keep=vehicle_of(row)),
        files=list(files),
        asked_at=now,
        asked_by=staff.id,
        due_on=_due(row, now, extended=False),
    )
    session.add(request)
    session.flush()
    log(session, row, staff, "case.forwarded", now)
    return request.id


def record_reply(
    session: Session,
    staff: StaffMember,
    protocol: str,
    number: int,
    text: str,
    *,
    now: datetime,
    seen: Seen | None = None,
) -> None:
    """Keep what a unit answered; once no unit owes anything any more, the complaint is in review again."""
    row = open_case(session, staff, protocol, to=Action.RECORD_REPLY, seen=seen)
    request = _open_request(session, row, number)
    request.answer, request.answered_at = said(text), now
    add_act(session, row, "unit_answered", staff, now, text=request.unit)
    waiting = [one for one in unit_requests_of(session, [row.id]) if one.answered_at is None]
    can = moves(lifecycle.standing(session, row), Sender.OMBUDSMAN, civil_day(row, now))
    if not waiting and row.status == ComplaintStatus.FORWARDED and Move.RESUME in can:
        take_step(session, row, Move.RESUME, staff, now)
    log(session, row, staff, "case.unit_answered", now)


def extend_unit(
    session: Session,
    staff: StaffMember,
    protocol: str,
    number: int,
    reason: str,
    *,
    now: datetime,
    seen: Seen | None = None,
) -> date:
    """Give a unit 20 days more, once, on its last day at the latest, and inside the complaint's own time.

    Raises:
        ReasonMissing: the reason says nothing.
        ExtensionRefused: extended before, over, nothing owed any more, or no time left in the complaint's own.
    """
    row = open_case(session, staff, protocol, to=Action.EXTEND_UNIT, seen=seen)
    request = _open_request(session, row, number)
    because = stated(reason)
    if ComplaintStatus(row.status) not in CLOCK_RUNS:
        raise ExtensionRefused("stopped")
    if request.extended:
        raise ExtensionRefused("extended")
    before = unit_due_on(request, row)
    if civil_day(row, now) > before:
        raise ExtensionRefused("over")
    longer = _due(row, request.asked_at, extended=True)
    if min(longer, row.due_on) <= before:
        raise ExtensionRefused("capped")
    request.due_on, request.extended, request.extension_reason = longer, True, because
    add_act(session, row, "unit_extended", staff, now, text=because)
    log(session, row, staff, "case.unit_extended", now, reason=because)
    return unit_due_on(request, row)


def unit_due_on(request: UnitRequestRow, row: ComplaintRow) -> date:
    """The last day for a unit's answer: by its own time, and no later than the complaint's."""
    return min(request.due_on, row.due_on)


def read_request(request: UnitRequestRow, row: ComplaintRow, today: date, *, by: str | None) -> UnitRequest:
    due = unit_due_on(request, row)
    owed = request.answered_at is None and ComplaintStatus(row.status) in CLOCK_RUNS
    return UnitRequest(
        number=request.id,
        unit=request.unit,
        matter=request.matter,
        title=catalogue.instrument(request.instrument).title if request.instrument else None,
        article=request.article,
        question=request.question,
        copy=request.copy,
        files=tuple(request.files),
        asked_at=request.asked_at,
        by=by,
        due_on=due,
        days_left=(due - today).days if owed else None,
        extended=request.extended,
        extension_reason=request.extension_reason,
        answered_at=request.answered_at,
        answer=request.answer,
    )


def _open_request(session: Session, row: ComplaintRow, number: int) -> UnitRequestRow:
    request = find_unit_request(session, row.id, number)
    if request is None or request.answered_at is not None:
        raise NothingHere("request")
    return request


def _due(row: ComplaintRow, asked_at: datetime, *, extended: bool) -> date:
    asked_on = civil_day(row, asked_at)
    town = catalogue.municipality(row.municipality)
    return due_date(asked_on, catalogue.answer_time("unit", asked_on), town.is_holiday, extended=extended)
