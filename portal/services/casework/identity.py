"""Who sent a complaint: sealed, opened by the ombudsman alone, with a reason that stands in the audit chain first."""

import json
from collections.abc import Callable
from datetime import datetime

from sqlalchemy.orm import Session

from portal.domain.complaints import EventKind, Identity, IdentityMode
from portal.domain.errors import IdentityNotHere
from portal.domain.staff import StaffMember
from portal.services.casework.actions import Action
from portal.services.casework.steps import add_event, log, open_case, stated
from portal.storage.cases import sealed_identity
from portal.storage.casework import recused_from
from portal.storage.complaints import ComplaintRow, identity_record


def open_identity(
    session: Session,
    staff: StaffMember,
    protocol: str,
    reason: str,
    *,
    open_box: Callable[[bytes, str], bytes],
    now: datetime,
) -> Identity:
    """Unseal who sent a complaint: its author reads the reason, and the log has it, before anything is shown.

    ``open_box`` opens a box given the record it is bound to, with the keys of this municipality; it raises
    ``ValueError`` when it cannot. Commit before you show the result.

    Raises:
        NotAllowed: only the ombudsman does this, and not who stood back from the complaint.
        ReasonMissing: the reason says nothing.
        IdentityNotHere: there is none, or no key of this desk opens it.
    """
    row = open_case(session, staff, protocol, to=Action.OPEN_IDENTITY)
    because = stated(reason)
    identity = unsealed(session, row, open_box)
    add_event(session, row, EventKind.IDENTITY_OPENED, staff, now, reason=because)
    log(session, row, staff, "identity.opened", now, reason=because)
    return identity


def told_identity(
    session: Session, staff: StaffMember, protocol: str, *, open_box: Callable[[bytes, str], bytes]
) -> Identity | None:
    """Who sent a complaint, when that person chose to be known to the ombudsman from the start; else None.

    They were told that the ombudsman sees it, so that no reason is asked for. Who stood back sees it no more.
    """
    row = open_case(session, staff, protocol)
    if row.identity_mode != IdentityMode.OPEN or not staff.may_open_identity:
        return None
    if staff.id in recused_from(session, row.id):
        return None
    try:
        return unsealed(session, row, open_box)
    except IdentityNotHere:
        return None


def unsealed(session: Session, row: ComplaintRow, open_box: Callable[[bytes, str], bytes]) -> Identity:
    """Who sent a complaint, for a step that leaves its own trace; raises ``IdentityNotHere``."""
    sealed = sealed_identity(session, row.id)
    if sealed is None:
        raise IdentityNotHere("anonymous")
    try:
        told = json.loads(open_box(sealed.box, identity_record(row.protocol)))
    except ValueError:
        raise IdentityNotHere("key") from None
    return Identity(IdentityMode(row.identity_mode), told.get("name"), told.get("email"), told.get("phone"))
