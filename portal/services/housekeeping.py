"""What time does by itself: it ends what was answered, and what must not be kept is erased, a little every minute."""

from collections.abc import Callable
from datetime import datetime

from portal.services import casework
from portal.services.complaints import intake, lifecycle, stored_files, tracking
from portal.services.messages import outbox, telegram
from portal.services.people import anchors, staff
from portal.services.register import publications, undoing
from portal.services.unit_of_work import unit_of_work
from portal.storage.database import empty_log, engine

Chore = Callable[[datetime], None]


def _in_one_transaction(erase: Callable[..., object]) -> Chore:
    def chore(now: datetime) -> None:
        with unit_of_work(writes=True) as session:
            erase(session, now=now)

    return chore


def _forget_stages(now: datetime) -> None:
    undoing.finish_what_broke_off()  # in transactions of their own, as a stage may be large
    publications.forget_left_behind(now=now)


def _forget_the_log(now: datetime) -> None:
    forget_erased()  # last, so that what the others erased goes with it


def forget_erased() -> None:
    """Let nothing that was erased stand in the database's own log."""
    empty_log(engine())


def _sweep_files(now: datetime) -> None:
    stored_files.sweep_files(now=now)


def _sweep_all_files(now: datetime) -> None:
    stored_files.sweep_files(now=now, everything=True)


AT_START: tuple[Chore, ...] = (_sweep_all_files,)
"""Once as the worker starts: what a kill left between a file and its row."""
CHORES: tuple[Chore, ...] = (
    _in_one_transaction(lifecycle.let_time_pass),
    _in_one_transaction(outbox.forget_old_deliveries),
    _in_one_transaction(anchors.leave_anchors),
    _in_one_transaction(intake.sweep_drafts),  # keys not yet kept go with them
    _sweep_files,
    _in_one_transaction(tracking.sweep_attempts),
    _in_one_transaction(staff.forget_old_sign_ins),
    _in_one_transaction(telegram.forget_handled),
    _in_one_transaction(casework.raise_alarms),
    _forget_stages,
    _forget_the_log,
)
"""Each works in short transactions: it holds up no citizen, and its failure stops no other."""
