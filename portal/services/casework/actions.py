"""What a staff member may do with a complaint, by role, by state, and unless they stood back from it."""

from collections.abc import Collection
from datetime import date
from enum import StrEnum

from portal.domain.complaints import ComplaintStatus, IdentityMode, Sender
from portal.domain.lifecycle import CLOCK_RUNS, Move, Standing, way
from portal.domain.staff import StaffMember
from portal.storage.complaints import ComplaintRow

S = ComplaintStatus


class Action(StrEnum):
    """What a staff member can do with a complaint now."""

    REVIEW = "review"
    ANSWER = "answer"
    ASK = "ask"
    FORWARD = "forward"
    RECORD_REPLY = "record_reply"
    """What a unit that was asked answered to the ombudsman."""
    EXTEND_UNIT = "extend_unit"
    EXTEND = "extend"
    DISMISS = "dismiss"
    MERGE = "merge"
    RECUSE = "recuse"
    CLOSE = "close"
    OPEN_IDENTITY = "open_identity"


def role_allows(action: Action, staff: StaffMember) -> bool:
    match action:
        case Action.REVIEW | Action.FORWARD | Action.RECORD_REPLY | Action.ASK | Action.MERGE | Action.RECUSE:
            return staff.may_route
        case Action.OPEN_IDENTITY:
            return staff.may_open_identity
        case _:
            return staff.may_answer


def possible_actions(
    row: ComplaintRow,
    case: Standing,
    staff: StaffMember,
    today: date,
    *,
    recused: Collection[int],
    asked_units: bool,
) -> frozenset[Action]:
    """What ``staff`` may do now; ``asked_units`` says whether a unit still owes the ombudsman its reply."""
    if staff.id in recused:
        return frozenset()

    def leads(move: Move) -> bool:
        return bool(way(case, move, Sender.OMBUDSMAN, today))

    owed = S(row.status) in CLOCK_RUNS
    possible = {
        Action.REVIEW: leads(Move.START_REVIEW) or leads(Move.RESUME),
        Action.ANSWER: leads(Move.ANSWER),
        Action.ASK: leads(Move.ASK),
        Action.FORWARD: leads(Move.FORWARD),
        Action.RECORD_REPLY: owed and asked_units,
        Action.EXTEND_UNIT: owed and asked_units,
        Action.EXTEND: why_not_extended(row, today) is None,
        Action.DISMISS: leads(Move.DISMISS),
        Action.MERGE: leads(Move.MERGE),
        Action.RECUSE: owed,
        Action.CLOSE: leads(Move.CLOSE),
        Action.OPEN_IDENTITY: row.identity_mode == IdentityMode.SEALED,
    }
    return frozenset(one for one, can in possible.items() if can and role_allows(one, staff))


def why_not_extended(row: ComplaintRow, today: date) -> str | None:
    """Why the due date cannot be extended; None when it can."""
    if S(row.status) not in CLOCK_RUNS:
        return "stopped"
    if row.extended:
        return "extended"
    return "over" if today > row.due_on else None
