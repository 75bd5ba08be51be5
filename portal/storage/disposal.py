"""What the end of the time of keeping erases of a complaint, and what it leaves for counting."""

import secrets
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from portal.storage.casework import CaseActRow, UnitRequestRow
from portal.storage.complaints import (
    ComplaintEventRow,
    ComplaintMessageRow,
    ComplaintRow,
    NoticeAddressRow,
    SealedIdentityRow,
)
from portal.storage.disclosures import IdentityRequestRow
from portal.storage.drafts import EvidenceRow


def ended_complaints(session: Session, municipality: str, statuses: Sequence[str]) -> Sequence[ComplaintRow]:
    """Those that have come to an end and still hold their content, oldest first, but for what another purge has."""
    wanted = select(ComplaintRow).where(
        ComplaintRow.municipality == municipality,
        ComplaintRow.status.in_(statuses),
        ComplaintRow.erased_at.is_(None),
    )
    return session.scalars(
        wanted.order_by(ComplaintRow.filed_at, ComplaintRow.id).with_for_update(skip_locked=True)
    ).all()


def last_fact(session: Session, complaint_id: int) -> datetime | None:
    """When something was last told of a complaint: a message of its author, a file, another one read with it."""
    told = (
        select(func.max(ComplaintMessageRow.at)).where(
            ComplaintMessageRow.complaint_id == complaint_id, ComplaintMessageRow.sender == "citizen"
        ),
        select(func.max(EvidenceRow.added_at)).where(EvidenceRow.complaint_id == complaint_id),
        select(func.max(ComplaintRow.filed_at)).where(ComplaintRow.merged_into == complaint_id),
    )
    return max((moment for one in told if (moment := session.scalar(one))), default=None)


def erase_content(session: Session, row: ComplaintRow, *, at: datetime) -> None:
    """Erase what was told and who told it. Kind, category, states and days stay, and that identities were told."""
    mine = row.id
    for table in (ComplaintMessageRow, SealedIdentityRow, NoticeAddressRow, UnitRequestRow):
        session.execute(delete(table).where(table.complaint_id == mine))
    session.execute(delete(EvidenceRow).where(EvidenceRow.complaint_id == mine))
    session.execute(
        update(ComplaintEventRow).where(ComplaintEventRow.complaint_id == mine).values(reason=None)
    )
    session.execute(update(CaseActRow).where(CaseActRow.complaint_id == mine).values(text=None))
    session.execute(
        update(IdentityRequestRow).where(IdentityRequestRow.complaint_id == mine).values(purpose="")
    )
    row.facts, row.story, row.snapshot, row.plate_key = {}, None, None, None
    row.draft = f"erased-{secrets.token_hex(16)}"
    row.access_key_hash = secrets.token_bytes(32)  # nobody's key opens it any more
    row.erased_at = at
    session.flush()
