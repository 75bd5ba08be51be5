"""Taking a step of ``portal.domain.lifecycle`` on a stored complaint, and the days that follow from it."""

from collections.abc import Collection
from datetime import date, datetime, timedelta

from sqlalchemy.orm import Session

from portal.domain.complaints import ComplaintStatus, EventKind, Sender
from portal.domain.deadlines import due_date
from portal.domain.lifecycle import (
    ENDED,
    Move,
    Need,
    Standing,
    Transition,
    settles_on,
    transition,
    way,
)
from portal.regulations import catalogue
from portal.services.complaints.notices import announce_news, forget_addresses
from portal.storage.complaints import (
    ComplaintEventRow,
    ComplaintRow,
    answered_until,
    complaints_in,
    events_of,
)

S = ComplaintStatus


def standing(session: Session, row: ComplaintRow) -> Standing:
    """What the table of transitions asks of a stored complaint."""
    return Standing(S(row.status), row.settles_on, row.reviews, _silent_until(session, row))


def take(
    session: Session,
    row: ComplaintRow,
    move: Move,
    who: Sender,
    *,
    now: datetime,
    given: Collection[Need] = (),
    staff_id: int | None = None,
    reason: str | None = None,
) -> Transition:
    """Move a complaint on, and leave the event that its author reads; takes it up first where that is the way.

    What a step brings with it is done here: the days of a new answer time, of rating and review, a pause that
    an act of the municipality orders, the forgetting of addresses at the end. Texts, audit and notices are not.

    Raises:
        StepNotAllowed, StepIncomplete: as ``portal.domain.lifecycle.transition``.
    """
    today = _civil_day(row, now)
    for before in way(standing(session, row), move, who, today)[:-1]:
        _step(session, row, transition(standing(session, row), before, who, today, ()), now, staff_id, None)
    found = transition(standing(session, row), move, who, today, given)
    _step(session, row, found, now, staff_id, reason)
    return found


def due_on(row: ComplaintRow, *, extended: bool) -> date:
    """The last day for the answer: counted from the day of filing, or of the request for review."""
    town = catalogue.municipality(row.municipality)
    start = row.counted_from or _civil_day(row, row.filed_at)
    counted = due_date(start, catalogue.answer_time("ombudsman", start), town.is_holiday, extended=extended)
    return counted + timedelta(row.paused_days)


def let_time_pass(session: Session, *, now: datetime) -> int:
    """Close what was answered and let be, and archive what met silence where an act of the town says so.

    Returns how many complaints went on.
    """
    moved = 0
    # The latest civil day anywhere is never behind by more than a day: what is not due yet stays.
    for row in answered_until(session, now.date() + timedelta(1)):
        if row.settles_on and _civil_day(row, now) > row.settles_on:
            take(session, row, Move.CLOSE, Sender.TIME, now=now)
            moved += 1
    for row in complaints_in(session, S.AWAITING_CITIZEN):
        rule = catalogue.silence(row.municipality, _civil_day(row, now))
        case = standing(session, row)
        if rule and case.silent_until and _civil_day(row, now) > case.silent_until:
            take(
                session, row, Move.DISMISS, Sender.TIME, now=now, given={Need.GROUND},
                reason=f"{rule.words.said(row.language)} ({rule.act}, {rule.article})",
            )  # fmt: skip
            announce_news(session, row, news=f"silence/{len(events_of(session, row.id))}", now=now)
            moved += 1
    return moved


def _step(
    session: Session,
    row: ComplaintRow,
    found: Transition,
    now: datetime,
    staff_id: int | None,
    reason: str | None,
) -> None:
    today = _civil_day(row, now)
    _count_pause(session, row, today)
    row.status = str(found.to)
    match found.to:
        case S.ANSWERED | S.DISMISSED:
            row.settles_on = settles_on(today)
        case S.REVIEW_REQUESTED:  # an answer is owed anew, and may be prolonged anew
            row.reviews += 1
            row.settles_on, row.extended, row.paused_days, row.counted_from = None, False, 0, today
            row.due_on = due_on(row, extended=False)
        case ended if ended in ENDED:
            row.closed_at = now
            forget_addresses(session, row)
    session.add(
        ComplaintEventRow(
            complaint_id=row.id,
            at=now,
            kind=EventKind.STEP,
            status=row.status,
            actor=found.who,
            staff_id=staff_id,
            reason=reason,
        )
    )
    session.flush()


def _count_pause(session: Session, row: ComplaintRow, today: date) -> None:
    """Days spent waiting for the citizen do not count, but only where an act of the municipality says so."""
    asked = _asked_on(session, row)
    rule = catalogue.silence(row.municipality, asked) if asked else None
    if asked and rule and rule.pauses:
        row.paused_days += (today - asked).days
        row.due_on = due_on(row, extended=row.extended)


def _silent_until(session: Session, row: ComplaintRow) -> date | None:
    asked = _asked_on(session, row)
    rule = catalogue.silence(row.municipality, asked) if asked else None
    return asked + timedelta(rule.days) if asked and rule and rule.archives else None


def _asked_on(session: Session, row: ComplaintRow) -> date | None:
    """The day on which the ombudsman began to wait for the citizen; None when it does not."""
    if row.status != S.AWAITING_CITIZEN:
        return None
    steps = [event for event in events_of(session, row.id) if event.kind == EventKind.STEP]
    return _civil_day(row, steps[-1].at) if steps and steps[-1].status == S.AWAITING_CITIZEN else None


def _civil_day(row: ComplaintRow, moment: datetime) -> date:
    return catalogue.municipality(row.municipality).civil_day(moment)
