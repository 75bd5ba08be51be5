"""Files of a complaint at the desk: what the desk alone is told of one, and opening those sealed to the ombudsman."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from portal.domain.errors import IdentityNotHere, NothingHere
from portal.domain.evidence import EvidenceKind, Mismatch
from portal.domain.staff import StaffMember
from portal.services.casework.actions import Action
from portal.services.casework.steps import log, open_case
from portal.services.complaints.evidence import Download, EvidenceFile, download, evidence_file
from portal.storage.cases import find_evidence
from portal.storage.casework import unit_requests_of
from portal.storage.complaints import ComplaintRow
from portal.storage.drafts import EvidenceRow, evidence_record


@dataclass(frozen=True, slots=True)
class DeskFile(EvidenceFile):
    """A file with what only the desk is told of it."""

    mismatches: tuple[Mismatch, ...]


def desk_file(row: EvidenceRow) -> DeskFile:
    file = evidence_file(row)
    told = {name: getattr(file, name) for name in EvidenceFile.__dataclass_fields__}
    return DeskFile(**told, mismatches=tuple(Mismatch(one) for one in row.mismatches))


def evidence_of_case(session: Session, staff: StaffMember, protocol: str, token: str) -> Download:
    """A file of a complaint, to hand out as a download; raises ``NothingHere``, also for a sealed one.

    Whoever may not know its author gets what the ombudsman passed on to a unit, and nothing else.
    """
    row = open_case(session, staff, protocol)
    return download(_file_for(session, staff, row, token))


def photo_of_case(session: Session, staff: StaffMember, protocol: str, token: str) -> Download:
    """A photo of a complaint, to be made small; raises ``NothingHere`` for what is no photo."""
    row = open_case(session, staff, protocol)
    file = _file_for(session, staff, row, token)
    if file.kind != EvidenceKind.PHOTO:
        raise NothingHere("evidence")
    return download(file)


def sealed_file(session: Session, staff: StaffMember, protocol: str, token: str) -> Download:
    """A recording sealed to the ombudsman, still in its box: see ``open_sealed_file``. Raises as that."""
    row = open_case(session, staff, protocol, to=Action.OPEN_IDENTITY)
    file = _file(session, row, token)
    if not file.sealed_to:
        raise NothingHere("evidence")
    return Download(file.name, file.media_type, file.stored_as)


def open_sealed_file(
    session: Session,
    staff: StaffMember,
    protocol: str,
    token: str,
    *,
    box: bytes,
    open_box: Callable[[bytes, str], bytes],
    now: datetime,
) -> bytes:
    """The recording in the box of ``sealed_file``; who opened it stands in the audit chain. Commit before handing out.

    ``open_box`` as in ``open_identity``.

    Raises:
        NotAllowed, StoodBack: only the ombudsman does this, and not who stood back from the complaint.
        NothingHere: there is no such sealed file.
        IdentityNotHere: no key of this desk opens it.
    """
    row = open_case(session, staff, protocol, to=Action.OPEN_IDENTITY)
    file = _file(session, row, token)
    if not file.sealed_to:
        raise NothingHere("evidence")
    try:
        data = open_box(box, evidence_record(file.stored_as))
    except ValueError:
        raise IdentityNotHere("key") from None
    log(session, row, staff, "evidence.opened", now, reason=file.name)
    return data


def passed_on(session: Session, complaint_id: int) -> frozenset[str]:
    """Tokens of the files that the ombudsman chose to send along with a request to a unit."""
    return frozenset(token for one in unit_requests_of(session, [complaint_id]) for token in one.files)


def _file_for(session: Session, staff: StaffMember, row: ComplaintRow, token: str) -> EvidenceRow:
    if not staff.may_open_identity and token not in passed_on(session, row.id):
        raise NothingHere("evidence")
    return _file(session, row, token)


def _file(session: Session, row: ComplaintRow, token: str) -> EvidenceRow:
    file = find_evidence(session, row.id, token)
    if file is None:
        raise NothingHere("evidence")
    return file
