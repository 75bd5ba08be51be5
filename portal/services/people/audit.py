"""The audit log of a municipality: entries chained by a keyed digest, numbers only, ever only added to.

Each entry's digest covers the one before it under a key that desk and command line hold and the database does not.
Whoever changes, removes, inserts or re-orders an entry breaks every digest after it; a cut tail disagrees with the
head, and a head wound back disagrees with the anchors that were sent outside (see `portal.services.people.anchors`).
"""

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy.orm import Session

from portal.config import AuditKeys, audit_keys
from portal.domain.paging import paging
from portal.storage.audit import (
    AuditRow,
    chain_of,
    count_entries,
    entries_about,
    head_of,
    lock_head,
    newest_entries,
)

PAGE = 50


@dataclass(frozen=True, slots=True)
class AuditEntry:
    sequence: int
    at: datetime
    actor: str
    action: str
    subject: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class AuditPage:
    entries: tuple[AuditEntry, ...]
    """Newest first."""
    page: int
    pages: int
    total: int


@dataclass(frozen=True, slots=True)
class Anchor:
    """The head of a log as it stood at an instant, told outside of the database."""

    municipality: str
    sequence: int
    hash: str


@dataclass(frozen=True, slots=True)
class Verified:
    """What checking a log found."""

    entries: int
    broken_at: int | None = None
    """The first entry that was changed, removed, inserted or re-ordered."""
    unkeyed: int = 0
    """So many first entries were written before the log had a key: whoever has the database could have made them up."""
    missed_anchor: int | None = None
    """The number of the first anchored head that the log no longer has as it was."""

    @property
    def whole(self) -> bool:
        return self.broken_at is None and self.missed_anchor is None


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
        reason: numbers and codes alone. What somebody wrote stands with the record; here goes its `fingerprint`.
    """
    head = lock_head(session, municipality)
    keys = audit_keys()
    row = AuditRow(
        municipality=municipality,
        sequence=head.sequence + 1,
        at=at,
        actor=actor,
        action=action,
        subject=subject,
        reason=reason,
        key_id=keys.current,
        previous_hash=head.hash,
    )
    row.hash = _digest(row, keys)
    session.add(row)
    head.sequence, head.hash = row.sequence, row.hash
    session.flush()
    return _entry(row)


def fingerprint(text: str) -> str:
    """Binds the log to what was written down elsewhere, without keeping a word of it."""
    keys = audit_keys()
    return f"hmac:{hmac.new(keys.by_id[keys.current], text.encode(), hashlib.sha256).hexdigest()[:32]}"


def verify_chain(session: Session, municipality: str) -> int | None:
    """The sequence number at which the chain is broken first; None when it is whole."""
    return verify_log(session, municipality).broken_at


def verify_log(session: Session, municipality: str, anchors: Iterable[Anchor] = ()) -> Verified:
    """Check every entry against the one before it, the last against the head, and each against the anchors given."""
    keys = audit_keys()
    outside: Mapping[int, str] = {
        anchor.sequence: anchor.hash for anchor in anchors if anchor.municipality == municipality
    }
    missed: int | None = None
    expected, previous, unkeyed = 1, "", 0
    for row in chain_of(session, municipality):
        in_place = row.sequence == expected and row.previous_hash == previous
        # Once the log has a key, an entry without one is somebody else's.
        signed = (bool(row.key_id) or unkeyed == expected - 1) and _is_of(row, keys)
        if not in_place or not signed:
            return Verified(expected - 1, expected, unkeyed, missed)
        if missed is None and not hmac.compare_digest(outside.get(expected, row.hash), row.hash):
            missed = expected
        unkeyed += not row.key_id
        expected, previous = expected + 1, row.hash
    last = expected - 1
    head = head_of(session, municipality)
    tail = (head.sequence, head.hash) if head else (0, "")
    if missed is None:
        missed = min((number for number in outside if number > last), default=None)
    return Verified(last, None if tail == (last, previous) else expected, unkeyed, missed)


def head_of_log(session: Session, municipality: str) -> Anchor:
    """The head, to be told outside; sequence 0 while nothing has been logged."""
    head = head_of(session, municipality)
    return Anchor(municipality, head.sequence, head.hash) if head else Anchor(municipality, 0, "")


def history_of(session: Session, municipality: str, subject: str) -> tuple[AuditEntry, ...]:
    """What was done to one record, oldest first."""
    return tuple(_entry(row) for row in entries_about(session, municipality, subject))


def read_log(session: Session, municipality: str, *, page: int = 1) -> AuditPage:
    """A page of a municipality's log, newest entry first; a page past the end is the last one."""
    total = count_entries(session, municipality)
    shown = paging(total, page, PAGE)
    rows = newest_entries(session, municipality, limit=shown.size, offset=shown.offset)
    return AuditPage(tuple(_entry(row) for row in rows), shown.page, shown.pages, total)


def _is_of(row: AuditRow, keys: AuditKeys) -> bool:
    known = not row.key_id or row.key_id in keys.by_id
    return known and hmac.compare_digest(row.hash, _digest(row, keys))


def _digest(row: AuditRow, keys: AuditKeys) -> str:
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
    if not row.key_id:  # written before the log was keyed
        return hashlib.sha256(json.dumps(told, ensure_ascii=True).encode()).hexdigest()
    content = json.dumps([*told, row.key_id], ensure_ascii=True).encode()
    return hmac.new(keys.by_id[row.key_id], content, hashlib.sha256).hexdigest()


def _entry(row: AuditRow) -> AuditEntry:
    return AuditEntry(row.sequence, row.at, row.actor, row.action, row.subject, row.reason)
