"""Where news of a complaint is sent: by complaint to announce it, by the hash of an address to stop it."""

from collections.abc import Sequence

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from portal.storage.complaints import NoticeAddressRow


def notice_addresses(session: Session, complaint_id: int) -> Sequence[NoticeAddressRow]:
    return session.scalars(
        select(NoticeAddressRow)
        .where(NoticeAddressRow.complaint_id == complaint_id)
        .order_by(NoticeAddressRow.id)
    ).all()


def delete_of_complaint(session: Session, complaint_id: int) -> None:
    session.execute(delete(NoticeAddressRow).where(NoticeAddressRow.complaint_id == complaint_id))


def find_notice_address(session: Session, complaint_id: int, lookup: bytes) -> NoticeAddressRow | None:
    return session.scalar(
        select(NoticeAddressRow).where(
            NoticeAddressRow.complaint_id == complaint_id, NoticeAddressRow.lookup == lookup
        )
    )


def delete_of_address(session: Session, lookup: bytes) -> int:
    """Delete what stands under the keyed hash of an address; how many there were."""
    gone = session.scalars(select(NoticeAddressRow).where(NoticeAddressRow.lookup == lookup)).all()
    for row in gone:
        session.delete(row)
    session.flush()
    return len(gone)
