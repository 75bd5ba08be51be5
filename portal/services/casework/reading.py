"""One complaint as a desk reads it: what was told, what the law says of it, what looks like it, what was done."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from portal.domain.complaints import ComplaintStatus, EventKind, IdentityMode, Sender
from portal.domain.deadlines import AnswerTime
from portal.domain.errors import NotAllowed
from portal.domain.lifecycle import CLOCK_RUNS
from portal.domain.staff import StaffMember
from portal.regulations import catalogue
from portal.services.casework.actions import Action, possible_actions, why_not_extended
from portal.services.casework.evidence import DeskFile, desk_file
from portal.services.casework.inbox import CaseLine, case_line
from portal.services.casework.masking import as_read_by
from portal.services.casework.steps import Seen, civil_day, open_case, seen_now
from portal.services.casework.units import (
    UnitChoice,
    UnitRequest,
    copy_for_unit,
    event_day,
    instruments_for,
    named_vehicles,
    read_request,
    unit_choices,
    unit_due_on,
)
from portal.services.complaints import lifecycle
from portal.services.verdicts import rules
from portal.services.verdicts.rule_answers import CategoryTold
from portal.storage.cases import (
    cases_filed_between,
    cases_of_vehicle,
    merged_with,
    names_of_staff,
    protocol_of,
)
from portal.storage.casework import acts_of, recused_from, unit_requests_of
from portal.storage.complaints import ComplaintRow, events_of, messages_of
from portal.storage.drafts import evidence_of_complaint

S = ComplaintStatus

SIMILAR_WITHIN = timedelta(days=60)
"""How far apart two complaints of one stop may be filed and still be told side by side."""
SIMILAR_LOOKED_AT, SIMILAR_SHOWN = 400, 12
SAME_HOUR = timedelta(hours=1)


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
class CaseAct:
    """What happened inside the desk: ``recused``, ``unit_answered``, ``unit_extended``, ``received_merged`` …"""

    at: datetime
    kind: str
    by: str | None
    to: str | None
    text: str | None


@dataclass(frozen=True, slots=True)
class Similar:
    """Another complaint like this one, and in what: ``vehicle``, ``stop``, ``hour``."""

    line: CaseLine
    same: frozenset[str]


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
    answer_time: AnswerTime
    """The rule by which the due date was counted."""
    paused_days: int
    """Days that did not count, while the citizen was waited for, by an act of the municipality."""
    identity_mode: IdentityMode
    evidence: tuple[DeskFile, ...]
    events: tuple[CaseEvent, ...]
    messages: tuple[CaseMessage, ...]
    acts: tuple[CaseAct, ...]
    actions: frozenset[Action]
    extended_due_on: date | None
    """The due date an extension would set; None when there can be none."""
    seen: Seen
    """What stands here now: a step is taken only while it still does."""
    event_day: date
    provisions: tuple[CategoryTold, ...]
    """What the law in force on the day of the fact says of the category, with its fines."""
    similar: tuple[Similar, ...]
    requests: tuple[UnitRequest, ...]
    merged_into: str | None
    """Protocol of the complaint it is read together with."""
    merged: tuple[CaseLine, ...]
    """Complaints read together with this one."""
    stood_back: bool
    """Whether whoever reads this recused themselves from it."""

    @property
    def open_request(self) -> UnitRequest | None:
        """The unit whose answer falls due first."""
        waiting = [one for one in self.requests if one.days_left is not None]
        return min(waiting, key=lambda one: one.due_on, default=None)


def read_case(session: Session, staff: StaffMember, protocol: str, *, today: date) -> CaseFile:
    """A complaint of the staff member's municipality; raises ``NothingHere`` for any other.

    Whoever may not know its author reads it masked.
    """
    row = open_case(session, staff, protocol)
    names = names_of_staff(session, staff.municipality)
    requests = unit_requests_of(session, [row.id])
    recused = recused_from(session, row.id)
    waiting = [one for one in requests if one.answered_at is None]
    on = event_day(row)
    case = CaseFile(
        line=case_line(
            row,
            today,
            names=names,
            unit_due=min((unit_due_on(one, row) for one in waiting), default=None),
        ),
        municipality=row.municipality,
        channel=row.channel,
        facts=row.facts,
        story=row.story,
        snapshot=row.snapshot,
        due_article=row.due_article,
        answer_time=catalogue.answer_time("ombudsman", row.counted_from or civil_day(row, row.filed_at)),
        paused_days=row.paused_days,
        identity_mode=IdentityMode(row.identity_mode),
        evidence=tuple(desk_file(file) for file in evidence_of_complaint(session, row.id)),
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
        acts=tuple(
            CaseAct(
                act.at,
                act.kind,
                names.get(act.staff_id),
                names.get(act.to_staff_id) if act.to_staff_id else None,
                act.text,
            )
            for act in acts_of(session, row.id)
        ),
        actions=possible_actions(
            row,
            lifecycle.standing(session, row),
            staff,
            today,
            recused=recused,
            asked_units=bool(waiting),
        ),
        extended_due_on=lifecycle.due_on(row, extended=True) if not why_not_extended(row, today) else None,
        seen=seen_now(session, row.id),
        event_day=on,
        provisions=tuple(rules.category(law.id, row.category, on=on) for law in instruments_for(row, on)),
        similar=_similar(session, row, today, names),
        requests=tuple(read_request(one, row, today, by=names.get(one.asked_by)) for one in requests),
        merged_into=protocol_of(session, row.merged_into) if row.merged_into else None,
        merged=tuple(case_line(one, today, names=names) for one in merged_with(session, row.id)),
        stood_back=staff.id in recused,
    )
    return as_read_by(staff, case)


@dataclass(frozen=True, slots=True)
class CaseTold:
    """What was told in a complaint, for a list of many."""

    line: CaseLine
    channel: str
    facts: Mapping[str, Any]
    story: str | None


def cases_of_year(session: Session, staff: StaffMember, year: int) -> tuple[CaseTold, ...]:
    """The complaints that were filed in a civil year of the municipality, newest first; for the ombudsman alone."""
    if not staff.may_answer:
        raise NotAllowed
    zone = catalogue.municipality(staff.municipality).zone
    first, last = datetime(year, 1, 1, tzinfo=zone), datetime(year + 1, 1, 1, tzinfo=zone)
    rows = cases_filed_between(session, staff.municipality, first, last)
    day = date(year, 12, 31)
    return tuple(CaseTold(case_line(row, day, names={}), row.channel, row.facts, row.story) for row in rows)


@dataclass(frozen=True, slots=True)
class Forwarding:
    """What stands ready to be forwarded: whom the law names, and the copy without what tells who wrote it."""

    choices: tuple[UnitChoice, ...]
    copy: str

    @property
    def competent(self) -> tuple[UnitChoice, ...]:
        return tuple(one for one in self.choices if one.competent)


def prepare_forwarding(session: Session, staff: StaffMember, protocol: str) -> Forwarding:
    """Whom to ask and what to send; nothing is written by it."""
    row = open_case(session, staff, protocol)
    return Forwarding(unit_choices(row), copy_for_unit(session, row))


def vehicle_told(case: CaseFile) -> tuple[str, ...]:
    """The plates and permit numbers complained of, which stay readable in a copy."""
    return named_vehicles(case.facts, case.snapshot)


def merge_candidates(case: CaseFile) -> tuple[CaseLine, ...]:
    """Similar complaints whose answer is still owed, which this one could be read together with."""
    return tuple(one.line for one in case.similar if one.line.status in CLOCK_RUNS - {S.MERGED})


def _similar(
    session: Session, row: ComplaintRow, today: date, names: Mapping[int, str]
) -> tuple[Similar, ...]:
    """Others of the same vehicle at any time, and of the same stop about the same time; most alike first."""
    found: dict[int, tuple[ComplaintRow, set[str]]] = {}
    if row.plate_key:
        for one in cases_of_vehicle(session, row.municipality, row.plate_key, but=row.id, limit=50):
            found[one.id] = (one, {"vehicle"})
    stop, moment = _stop(row), _moment(row)
    if stop or moment:
        first, last = row.filed_at - SIMILAR_WITHIN, row.filed_at + SIMILAR_WITHIN
        for one in cases_filed_between(session, row.municipality, first, last, limit=SIMILAR_LOOKED_AT):
            if one.id == row.id:
                continue
            other = _moment(one)
            if stop and _stop(one) == stop:
                found.setdefault(one.id, (one, set()))[1].add("stop")
            near = moment and other and abs(moment - other) <= SAME_HOUR
            if near and (one.id in found or one.category == row.category):
                found.setdefault(one.id, (one, set()))[1].add("hour")
    ranked = sorted(found.values(), key=lambda pair: (-len(pair[1]), -pair[0].filed_at.timestamp()))
    return tuple(
        Similar(case_line(one, today, names=names), frozenset(same)) for one, same in ranked[:SIMILAR_SHOWN]
    )


def _stop(row: ComplaintRow) -> str | None:
    where = row.facts.get("where") or {}
    return where.get("code") if where.get("kind") == "stop" else None


def _moment(row: ComplaintRow) -> datetime | None:
    when = row.facts.get("when") or {}
    if when.get("kind") != "at" or not when.get("time"):
        return None
    return datetime.fromisoformat(f"{when['date']}T{when['time']}")
