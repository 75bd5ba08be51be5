"""What must not be kept is erased, a little every minute."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from portal.services import evidence, intake, outbox, staff, telegram, tracking


def _forget_deliveries(session: Session, now: datetime) -> int:
    return outbox.forget_old_deliveries(session, now=now)


def _forget_sign_ins(session: Session, now: datetime) -> None:
    staff.forget_old_sign_ins(session, now=now)


def _forget_drafts(session: Session, now: datetime) -> int:
    return intake.sweep_drafts(session, now=now)  # keys not yet kept go with them


def _forget_files(session: Session, now: datetime) -> int:
    return evidence.sweep_files(session, now=now)


def _forget_attempts(session: Session, now: datetime) -> int:
    return tracking.sweep_attempts(session, now=now)


def _forget_updates(session: Session, now: datetime) -> None:
    telegram.forget_handled(session, now=now)


CHORES: tuple[Callable[[Session, datetime], Any], ...] = (
    _forget_deliveries,
    _forget_drafts,
    _forget_files,
    _forget_attempts,
    _forget_sign_ins,
    _forget_updates,
)
"""Each runs in a short transaction of its own: it holds up no citizen, and its failure stops no other."""
