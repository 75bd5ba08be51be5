"""Telling a citizen that there is news, in the transaction of the news, if they left an address for it."""

from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from portal.services.outbox import enqueue
from portal.storage.cases import delete_notice_addresses, notice_addresses
from portal.storage.complaints import ComplaintRow, notice_record

NEWS_EXPIRES = timedelta(days=7)


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
        )


def forget_addresses(session: Session, complaint: ComplaintRow) -> None:
    """A closed complaint has no more news: its addresses go."""
    delete_notice_addresses(session, complaint.id)
