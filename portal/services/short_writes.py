"""A long work in short writes: each takes the lock for a moment, and citizens go first."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

Unit = Callable[..., AbstractContextManager[Session]]
"""Opens a unit of work: ``unit(writes=True)``."""
PATIENCE = 12
"""Times that a long work waits for the lock of SQLite, ten seconds each."""
AIR = 0.25
"""Pause after a write, as a share of its time: whoever waits for the lock of SQLite gets in between."""
_AIR_UNTIL = threading.local()


@contextmanager
def writing(unit: Unit) -> Iterator[Session]:
    """A short write of a long work: patient in waiting for the lock, and with air before it for whoever waits."""
    wait = getattr(_AIR_UNTIL, "moment", 0.0) - time.monotonic()
    if wait > 0:  # whatever was read or reckoned since the last write was air enough, mostly
        time.sleep(wait)
    with ExitStack() as opened:
        session = _locked(unit, opened)
        started = time.monotonic()
        yield session
    now = time.monotonic()
    _AIR_UNTIL.moment = now + min((now - started) * AIR, 0.5)


def _locked(unit: Unit, opened: ExitStack) -> Session:
    """A session that holds the write lock; citizens go first, however many they are."""
    for attempt in range(1, PATIENCE + 1):
        try:
            with ExitStack() as trying:
                session = trying.enter_context(unit(writes=True))
                session.connection()  # SQLite takes the lock here, or gives up after its busy timeout
                opened.push(trying.pop_all())
                return session
        except OperationalError:
            if attempt == PATIENCE:
                raise
    raise AssertionError("unreachable")
