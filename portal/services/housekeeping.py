"""What time does by itself: it ends what was answered, and what must not be kept is erased, a little every minute.

Any number of workers share it: a chore is claimed before it is done, and another takes over the claim of one that died.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from portal.services import casework
from portal.services.complaints import intake, lifecycle, stored_files, tracking
from portal.services.messages import outbox, telegram
from portal.services.people import anchors, staff
from portal.services.register import publications, undoing
from portal.services.unit_of_work import unit_of_work
from portal.storage.chores import chore_done, claim_chores, know_chores
from portal.storage.database import empty_log, engine

MINUTE = timedelta(seconds=50)
"""A little less than the pause between two looks of a worker, so that none is missed."""
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
LEASE = timedelta(minutes=10)
"""After which a chore whose worker died is another's; longer than any takes."""


@dataclass(frozen=True, slots=True)
class Chore:
    """Works in short transactions, so that it holds up no citizen; done twice, it does no harm."""

    name: str
    do: Callable[[datetime], object]
    every: timedelta = MINUTE

    def __call__(self, now: datetime) -> None:
        self.do(now)


def _chore(name: str, erase: Callable[..., object]) -> Chore:
    """A chore of one transaction."""

    def do(now: datetime) -> None:
        with unit_of_work(writes=True) as session:
            erase(session, now=now)

    return Chore(name, do)


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


ALL_FILES = Chore("all_files", _sweep_all_files, every=DAY)
AT_START: tuple[Chore, ...] = (ALL_FILES,)
"""Once as the worker starts: what a kill left between a file and its row."""
CHORES: tuple[Chore, ...] = (
    _chore("let_time_pass", lifecycle.let_time_pass),
    _chore("deliveries", outbox.forget_old_deliveries),
    _chore("anchors", anchors.leave_anchors),
    _chore("drafts", intake.sweep_drafts),  # keys not yet kept go with them
    Chore("files", _sweep_files, every=HOUR),
    ALL_FILES,
    _chore("attempts", tracking.sweep_attempts),
    _chore("sign_ins", staff.forget_old_sign_ins),
    _chore("updates", telegram.forget_handled),
    _chore("alarms", casework.raise_alarms),
    Chore("stages", _forget_stages),
    Chore("log", _forget_the_log),
)


def claim(*, now: datetime, chores: Iterable[Chore] = CHORES) -> tuple[Chore, ...]:
    """What is due and no other worker has, in order; tell `done` of each."""
    by_name = {chore.name: chore for chore in chores}
    with unit_of_work(writes=True) as session:
        know_chores(session, by_name, now=now)
        taken = claim_chores(session, by_name, now=now, until=now + LEASE)
    return tuple(chore for name, chore in by_name.items() if name in taken)


def done(chore: Chore, *, now: datetime, failure: str | None = None) -> None:
    """Note that a claimed chore was done, or the type of the error that it failed with; it is due again in its time."""
    with unit_of_work(writes=True) as session:
        due = now + (min(chore.every, MINUTE) if failure else chore.every)
        chore_done(session, chore.name, now=now, due=due, failure=failure)
