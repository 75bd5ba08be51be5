"""The outbox: what must happen after a commit is written in the same transaction, then delivered by a worker.

Delivery is at least once: a worker killed between sending and `done` sends again when its claim runs out.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from portal.storage.outbox import (
    DEAD,
    DONE,
    OutboxRow,
    claim_rows,
    delete_expired_rows,
    delete_row_of,
    next_due,
    outbox_row_of,
)

LEASE = timedelta(minutes=2)
"""How long a claim holds before another worker may take the row over."""
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=30), timedelta(hours=6)
MAX_ATTEMPTS = 12
"""With the waits above about fourteen hours: a night without network."""
KEEP_DONE = timedelta(days=30)
"""Emptied rows stay this long, so that a dedupe key goes on refusing a second delivery."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One claimed row, for a sender; ``sealed`` is opened by the worker alone."""

    id: int
    kind: str
    payload: Mapping[str, Any]
    attempts: int
    """This attempt included."""
    sealed: bytes | None = field(default=None, repr=False)
    record: str | None = None
    """What the box is bound to."""


def enqueue(
    session: Session,
    kind: str,
    payload: Mapping[str, Any],
    *,
    now: datetime,
    sealed: bytes | None = None,
    record: str | None = None,
    due: datetime | None = None,
    expires: datetime | None = None,
    dedupe_key: str | None = None,
    municipality: str | None = None,
) -> int | None:
    """Leave a side effect for the worker, in the caller's transaction.

    Args:
        kind: name of the sender, such as ``mail`` or ``telegram``.
        payload: JSON values; nothing that tells who somebody is: that belongs in ``sealed``.
        sealed: box sealed to the notice key (``portal.sealing.boxes.seal``).
        record: the record that was named when it was sealed.
        due: not before this instant; at once by default.
        expires: from this instant on the row is not delivered, and is deleted.
        dedupe_key: a second row of this key is not written.
        municipality: whose desk sees it should it never be delivered.

    Returns:
        The row's number, or None when a row of ``dedupe_key`` already stands.
    """
    if dedupe_key is not None and outbox_row_of(session, dedupe_key):
        return None
    row = OutboxRow(
        kind=kind,
        payload=dict(payload),
        sealed=sealed,
        record=record,
        created_at=now,
        due_at=due or now,
        expires_at=expires,
        dedupe_key=dedupe_key,
        municipality=municipality,
    )
    session.add(row)
    session.flush()
    return row.id


def claim(
    session: Session, kinds: Collection[str], *, now: datetime, limit: int = 10, lease: timedelta = LEASE
) -> tuple[Delivery, ...]:
    """Take up to ``limit`` due deliveries of ``kinds`` for the length of ``lease``; commit before you send."""
    rows = claim_rows(session, kinds, now=now, until=now + lease, limit=limit)
    return tuple(
        Delivery(row.id, row.kind, row.payload, row.attempts, row.sealed, row.record) for row in rows
    )


def done(session: Session, delivery_id: int) -> None:
    """Forget a delivered row; one with a dedupe key stays, emptied, to refuse a second delivery."""
    row = session.get(OutboxRow, delivery_id)
    if row is None:
        return
    if row.dedupe_key is None:
        session.delete(row)
    else:
        row.state, row.payload, row.sealed, row.failure = DONE, {}, None, None
    session.flush()


def cancel(session: Session, dedupe_key: str) -> None:
    """Take a delivery back, delivered or not; its key is free again."""
    delete_row_of(session, dedupe_key)


def retry_later(
    session: Session, delivery_id: int, *, now: datetime, failure: str, wait: timedelta | None = None
) -> None:
    """Put a failed delivery back with twice the wait of the last time, or bury it after `MAX_ATTEMPTS`.

    ``failure`` is the name of the error's type; ``wait`` is what the other side asked for, when it did.
    """
    row = session.get(OutboxRow, delivery_id)
    if row is None:
        return
    row.failure = failure
    if row.attempts >= MAX_ATTEMPTS:
        row.state = DEAD
    else:
        row.due_at = now + (wait or min(FIRST_WAIT * 2 ** (row.attempts - 1), LONGEST_WAIT))
    session.flush()


def bury(session: Session, delivery_id: int, *, failure: str) -> None:
    """Give a delivery up: what it says will not get better by trying again."""
    row = session.get(OutboxRow, delivery_id)
    if row is not None:
        row.state, row.failure = DEAD, failure
        session.flush()


def next_delivery(session: Session, kinds: Collection[str]) -> datetime | None:
    """When a worker of ``kinds`` has something to do next; None when nothing waits."""
    return next_due(session, kinds)


def forget_old_deliveries(session: Session, *, now: datetime) -> int:
    """Delete rows past their ``expires`` and old emptied ones; answers how many."""
    return delete_expired_rows(session, now=now, done_before=now - KEEP_DONE)
