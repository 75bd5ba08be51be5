"""News of a complaint: the addresses left for it, and telling them in the transaction of the news."""

import hashlib
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from portal.config import settings
from portal.sealing.boxes import seal
from portal.sealing.keys import PublicKeys
from portal.services.messages.outbox import enqueue
from portal.storage.complaints import ComplaintRow, NoticeAddressRow, notice_record
from portal.storage.notices import (
    delete_of_address,
    delete_of_complaint,
    find_notice_address,
    notice_addresses,
)

NEWS_EXPIRES = timedelta(days=7)


def add_notice_address(
    session: Session, complaint: ComplaintRow, channel: str, address: str, keys: PublicKeys
) -> None:
    """Where news of a complaint goes, sealed so that only the worker reads it."""
    assert keys.notice
    session.add(
        NoticeAddressRow(
            complaint_id=complaint.id,
            channel=channel,
            key_id=keys.notice.id,
            box=seal(address.encode(), keys.notice, record=notice_record(complaint.protocol, channel)),
            lookup=_lookups(channel, address)[0],
        )
    )


def has_news(session: Session, complaint: ComplaintRow, channel: str, address: str) -> bool:
    """Whether an address already gets news of a complaint."""
    return any(
        find_notice_address(session, complaint.id, lookup) is not None
        for lookup in _lookups(channel, address)
    )


def announce_news(session: Session, complaint: ComplaintRow, *, news: str, now: datetime) -> None:
    """Leave one delivery for each address of a complaint; it says that there is news, and nothing of the case.

    Its kind is the address's channel (``mail``, ``telegram``), its payload ``protocol`` and ``language``, its
    box the address. ``news`` names the event, so that it is announced once.
    """
    for address in notice_addresses(session, complaint.id):
        enqueue(
            session,
            address.channel,
            {"notice": "news", "protocol": complaint.protocol, "language": complaint.language},
            now=now,
            sealed=address.box,
            record=notice_record(complaint.protocol, address.channel),
            expires=now + NEWS_EXPIRES,
            dedupe_key=f"news/{address.id}/{news}",
            municipality=complaint.municipality,
        )


def stop_news(session: Session, channel: str, address: str) -> int:
    """End the news of every complaint to an address; how many there were."""
    return sum(delete_of_address(session, lookup) for lookup in _lookups(channel, address))


def forget_addresses(session: Session, complaint: ComplaintRow) -> None:
    """A closed complaint has no more news: its addresses go."""
    delete_of_complaint(session, complaint.id)


def _lookups(channel: str, address: str) -> list[bytes]:
    """The keyed hashes by which an address is found, since its box opens to nobody here: the present one first."""
    told = f"{channel}\0{address}".encode()
    return [
        hashlib.blake2b(told, key=secret.encode()[:64], digest_size=32).digest()
        for secret in settings().secrets
    ]
