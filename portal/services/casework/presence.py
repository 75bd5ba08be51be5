"""Whether a colleague is at a complaint too, said when it is opened and not only when a step is refused."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from portal.domain.staff import StaffMember
from portal.services.casework.actions import Action, role_allows
from portal.services.casework.steps import open_case
from portal.storage.cases import find_case, names_of_staff
from portal.storage.casework import CaseVisitRow, forget_visits, last_change_of_others, last_visit_of_others

RECENTLY = timedelta(minutes=15)
"""How long ago a colleague may have been there and still be told of."""


@dataclass(frozen=True, slots=True)
class Colleague:
    name: str
    at: datetime
    changed: bool
    """They took a step or wrote; otherwise they only opened it."""


def note_visit(session: Session, staff: StaffMember, protocol: str, *, now: datetime) -> None:
    """Remember for a while that somebody who may take steps has opened a complaint; nothing else is kept of it.

    Raises ``NothingHere`` and ``NotAllowed`` as every step does.
    """
    row = open_case(session, staff, protocol)
    if not role_allows(Action.REVIEW, staff):
        return
    find_case(session, staff.municipality, row.protocol, lock=True)  # two tabs of one person take turns
    forget_visits(session, before=now - RECENTLY)
    session.merge(CaseVisitRow(complaint_id=row.id, staff_id=staff.id, at=now))
    session.flush()


def colleague_at(session: Session, staff: StaffMember, protocol: str, *, now: datetime) -> Colleague | None:
    """The colleague who changed a complaint last, or opened it last; None when nobody did lately."""
    row = open_case(session, staff, protocol)
    since = now - RECENTLY
    names = names_of_staff(session, staff.municipality)
    for changed, found in (
        (True, last_change_of_others(session, row.id, but=staff.id, since=since)),
        (False, last_visit_of_others(session, row.id, but=staff.id, since=since)),
    ):
        if found and (name := names.get(found[0])):
            return Colleague(name, found[1], changed)
    return None
