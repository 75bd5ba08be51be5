"""What must not be kept is erased, a little every minute."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from portal.services import outbox, staff


def _forget_deliveries(session: Session, now: datetime) -> int:
    return outbox.forget_old_deliveries(session, now=now)


def _forget_sign_ins(session: Session, now: datetime) -> None:
    staff.forget_old_sign_ins(session, now=now)


CHORES: tuple[Callable[[Session, datetime], Any], ...] = (_forget_deliveries, _forget_sign_ins)
"""Each runs in a short transaction of its own: it holds up no citizen, and its failure stops no other."""
