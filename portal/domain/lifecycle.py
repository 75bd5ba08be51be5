"""What may become of a complaint: one table of who may do what, from where, to where, and what it needs.

Services ask here and nowhere else; ``portal.services.complaints.lifecycle`` takes a step on a stored complaint.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from types import MappingProxyType

from portal.domain.complaints import ComplaintStatus, Sender
from portal.domain.errors import StepIncomplete, StepNotAllowed

S = ComplaintStatus

REVIEW_DAYS = 30
"""Calendar days after an answer in which its author may rate it and ask, once, for a review. No law sets a time:
it is as long as the time for an answer, and the person is told the day."""


class Move(StrEnum):
    """What somebody does, by which the state changes."""

    START_REVIEW = "start_review"
    ASK = "ask"
    """Ask the citizen something that the answer needs."""
    REPLY = "reply"
    """The citizen answers what was asked."""
    RESUME = "resume"
    """Go on: the unit has answered, the question is no longer needed, the case is told apart from another again."""
    FORWARD = "forward"
    ANSWER = "answer"
    DISMISS = "dismiss"
    MERGE = "merge"
    WITHDRAW = "withdraw"
    REQUEST_REVIEW = "request_review"
    CLOSE = "close"


class Need(StrEnum):
    """What a move cannot do without: given by whoever makes it, or true of the case on the day."""

    TEXT = "text"
    """Something that the other side reads: written, or a file in reply."""
    UNIT = "unit"
    GROUND = "ground"
    """The legal ground of a dismissal, which the citizen reads."""
    OTHER_CASE = "other_case"
    IN_REVIEW_TIME = "in_review_time"
    """The last day to ask for a review has not passed."""
    FIRST_REVIEW = "first_review"
    """No review was asked for before."""
    REVIEW_TIME_OVER = "review_time_over"
    SILENCE_ACT = "silence_act"
    """The municipality's file cites an act of its own that archives for silence, and the time that it gives is over."""


@dataclass(frozen=True, slots=True)
class Transition:
    move: Move
    who: Sender
    start: frozenset[ComplaintStatus]
    to: ComplaintStatus
    needs: frozenset[Need] = frozenset()


def _row(
    move: Move, who: Sender, start: Collection[ComplaintStatus], to: ComplaintStatus, *needs: Need
) -> Transition:
    return Transition(move, who, frozenset(start), to, frozenset(needs))


_CITIZEN, _OMBUDSMAN, _TIME = Sender.CITIZEN, Sender.OMBUDSMAN, Sender.TIME
_AT_WORK = (S.IN_REVIEW, S.AWAITING_CITIZEN, S.FORWARDED)
_OWED = (S.REGISTERED, *_AT_WORK, S.REVIEW_REQUESTED, S.MERGED)

LIFECYCLE: tuple[Transition, ...] = (
    _row(Move.START_REVIEW, _OMBUDSMAN, (S.REGISTERED, S.REVIEW_REQUESTED), S.IN_REVIEW),
    _row(Move.RESUME, _OMBUDSMAN, (S.AWAITING_CITIZEN, S.FORWARDED, S.MERGED), S.IN_REVIEW),
    _row(Move.ASK, _OMBUDSMAN, (S.IN_REVIEW, S.FORWARDED), S.AWAITING_CITIZEN, Need.TEXT),
    _row(Move.REPLY, _CITIZEN, (S.AWAITING_CITIZEN,), S.IN_REVIEW, Need.TEXT),
    _row(Move.FORWARD, _OMBUDSMAN, (S.IN_REVIEW,), S.FORWARDED, Need.UNIT),
    _row(Move.ANSWER, _OMBUDSMAN, (*_AT_WORK, S.MERGED), S.ANSWERED, Need.TEXT),
    _row(Move.DISMISS, _OMBUDSMAN, (*_AT_WORK, S.MERGED), S.DISMISSED, Need.GROUND),
    _row(Move.DISMISS, _TIME, (S.AWAITING_CITIZEN,), S.DISMISSED, Need.SILENCE_ACT, Need.GROUND),
    _row(Move.MERGE, _OMBUDSMAN, (S.IN_REVIEW,), S.MERGED, Need.OTHER_CASE),
    _row(Move.WITHDRAW, _CITIZEN, _OWED, S.WITHDRAWN),
    _row(
        Move.REQUEST_REVIEW, _CITIZEN, (S.ANSWERED, S.DISMISSED), S.REVIEW_REQUESTED,
        Need.TEXT, Need.IN_REVIEW_TIME, Need.FIRST_REVIEW,
    ),
    _row(Move.CLOSE, _OMBUDSMAN, (S.ANSWERED,), S.CLOSED, Need.REVIEW_TIME_OVER),
    _row(Move.CLOSE, _TIME, (S.ANSWERED,), S.CLOSED, Need.REVIEW_TIME_OVER),
)  # fmt: skip
"""Every step there is, beside being filed. Nothing else changes a state."""

FIRST = S.REGISTERED

CLOCK_RUNS = frozenset(_OWED)
"""States in which an answer is still owed by the due date."""

ENDED = frozenset({S.CLOSED, S.WITHDRAWN})
"""States after which nothing more is written."""

CONDITIONS = frozenset({Need.IN_REVIEW_TIME, Need.FIRST_REVIEW, Need.REVIEW_TIME_OVER, Need.SILENCE_ACT})
"""Needs that are true of a case on a day or are not; the others are given with the move."""

STEPS: Mapping[ComplaintStatus, frozenset[ComplaintStatus]] = MappingProxyType(
    {state: frozenset(row.to for row in LIFECYCLE if state in row.start) for state in S}
)
"""Which state may follow which, whoever leads there."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What the table asks of a case on a day: see ``conditions``."""

    status: ComplaintStatus
    settles_on: date | None
    """The last day on which a review can be asked for; None while there is no answer."""
    reviews: int
    """How often a review was asked for."""
    silent_until: date | None = None
    """The last day for the citizen's reply, where an act of the municipality archives for silence."""


def settles_on(answered_on: date) -> date:
    """The last day to rate an answer, or to ask for its review."""
    return answered_on + timedelta(REVIEW_DAYS)


def conditions(case: Standing, today: date) -> frozenset[Need]:
    """Those of ``CONDITIONS`` that hold for a case on a civil day."""
    held = {
        Need.IN_REVIEW_TIME: case.settles_on is not None and today <= case.settles_on,
        Need.REVIEW_TIME_OVER: case.settles_on is not None and today > case.settles_on,
        Need.FIRST_REVIEW: case.reviews == 0,
        Need.SILENCE_ACT: case.silent_until is not None and today > case.silent_until,
    }
    return frozenset(need for need, holds in held.items() if holds)


def moves(case: Standing, who: Sender, today: date) -> frozenset[Move]:
    """What somebody can do with a case now; what a move needs to be given is asked for as it is made."""
    held = conditions(case, today)
    return frozenset(
        row.move
        for row in LIFECYCLE
        if row.who is who and case.status in row.start and row.needs & CONDITIONS <= held
    )


def transition(case: Standing, move: Move, who: Sender, today: date, given: Collection[Need]) -> Transition:
    """The row of the table by which a case goes on.

    Raises:
        StepNotAllowed: nobody goes that way from here, not this person, or not on this day.
        StepIncomplete: what the move needs was not given; ``missing`` names it.
    """
    row = next(
        (one for one in LIFECYCLE if one.move is move and one.who is who and case.status in one.start), None
    )
    if row is None or not row.needs & CONDITIONS <= conditions(case, today):
        raise StepNotAllowed(current=str(case.status), wanted=str(move))
    missing = row.needs - CONDITIONS - frozenset(given)
    if missing:
        raise StepIncomplete(str(move), tuple(sorted(missing)))
    return row


def way(case: Standing, move: Move, who: Sender, today: date) -> tuple[Move, ...]:
    """The moves that lead through ``move``: alone, or after taking up the case first.

    Whoever answers a complaint that nobody has opened yet has reviewed it by that. Empty when there is none.
    """
    if move in moves(case, who, today):
        return (move,)
    for first in (Move.START_REVIEW, Move.RESUME):
        if first in moves(case, who, today):
            at_work = Standing(S.IN_REVIEW, case.settles_on, case.reviews, case.silent_until)
            if move in moves(at_work, who, today):
                return (first, move)
    return ()


def next_day(case: Standing, due_on: date, today: date) -> date | None:
    """The day on which something must have come, or ends, by the state; None once nothing is left to come."""
    if case.status in CLOCK_RUNS:
        return min(due_on, case.silent_until) if case.silent_until else due_on
    open_ = case.settles_on is not None and today <= case.settles_on
    if case.status is S.ANSWERED or (case.status is S.DISMISSED and case.reviews == 0):
        return case.settles_on if open_ else None  # a dismissal that was reviewed is the end
    return None
