"""Prolonging the time for an answer: the complaint's own once, and once that of a unit that was asked."""

from datetime import date, datetime

from sqlalchemy.orm import Session

from portal.domain.complaints import EventKind
from portal.domain.errors import ExtensionRefused
from portal.domain.staff import StaffMember
from portal.services.casework.actions import Action, why_not_extended
from portal.services.casework.steps import (
    Seen,
    add_event,
    civil_day,
    log,
    number_of_events,
    open_case,
    stated,
)
from portal.services.complaints import lifecycle
from portal.services.complaints.notices import announce_news


def extend_deadline(
    session: Session,
    staff: StaffMember,
    protocol: str,
    reason: str,
    *,
    now: datetime,
    seen: Seen | None = None,
) -> date:
    """Prolong the time for the answer, once, on its last day at the latest (Lei 13.460/2017 art. 16).

    ``reason`` is read by the citizen. Returns the new due date.

    Raises:
        ReasonMissing: the reason says nothing.
        ExtensionRefused: it was extended before, the due date has passed, or no answer is owed any more.
    """
    row = open_case(session, staff, protocol, to=Action.EXTEND, seen=seen)
    because = stated(reason)
    if why := why_not_extended(row, civil_day(row, now)):
        raise ExtensionRefused(why)
    row.due_on, row.extended = lifecycle.due_on(row, extended=True), True
    add_event(session, row, EventKind.EXTENSION, staff, now, reason=because)
    log(session, row, staff, "case.deadline_extended", now, reason=because)
    announce_news(session, row, news=f"extended/{number_of_events(session, row)}", now=now)
    return row.due_on
