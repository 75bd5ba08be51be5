"""The audit chain of a municipality: each entry carries the digest of the one before it.

A changed, removed or inserted entry breaks every digest after it; a cut tail disagrees with the head.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from sqlalchemy.orm import Session

from portal.storage.audit import AuditRow, chain_of, entries_about, head_of, lock_head


@dataclass(frozen=True, slots=True)
class AuditEntry:
    sequence: int
    at: datetime
    actor: str
    action: str
    subject: str
    reason: str | None


def record(
    session: Session,
    municipality: str,
    *,
    actor: str,
    action: str,
    subject: str,
    at: datetime,
    reason: str | None = None,
) -> AuditEntry:
    """Add an entry to the chain, in the transaction of what it tells of.

    Args:
        actor: ``staff:7``, ``cli`` or ``worker``; a number, never a name.
        action: a stable word, such as ``identity.opened``.
        subject: the record, such as ``complaint:41``; never its content.
        reason: what the staff member wrote down.
    """
    head = lock_head(session, municipality)
    row = AuditRow(
        municipality=municipality,
        sequence=head.sequence + 1,
        at=at,
        actor=actor,
        action=action,
        subject=subject,
        reason=reason,
        previous_hash=head.hash,
    )
    row.hash = _digest(row)
    session.add(row)
    head.sequence, head.hash = row.sequence, row.hash
    session.flush()
    return _entry(row)


def verify_chain(session: Session, municipality: str) -> int | None:
    """The sequence number at which the chain is broken first; None when it is whole."""
    expected, previous = 1, ""
    for row in chain_of(session, municipality):
        if row.sequence != expected or row.previous_hash != previous or row.hash != _digest(row):
            return expected
        expected, previous = expected + 1, row.hash
    head = head_of(session, municipality)
    tail = (head.sequence, head.hash) if head else (0, "")
    return None if tail == (expected - 1, previous) else expected


def history_of(session: Session, municipality: str, subject: str) -> tuple[AuditEntry, ...]:
    """What was done to one record, oldest first."""
    return tuple(_entry(row) for row in entries_about(session, municipality, subject))


def _digest(row: AuditRow) -> str:
    told = [
        row.previous_hash,
        row.municipality,
        row.sequence,
        row.at.astimezone(UTC).isoformat(timespec="microseconds"),
        row.actor,
        row.action,
        row.subject,
        row.reason,
    ]
    return sha256(json.dumps(told, ensure_ascii=True).encode()).hexdigest()


def _entry(row: AuditRow) -> AuditEntry:
    return AuditEntry(row.sequence, row.at, row.actor, row.action, row.subject, row.reason)
