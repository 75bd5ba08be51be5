"""One transaction a use case: services flush, the edge that opened the unit of work commits it."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.orm import Session

from portal.storage.database import engine


@contextmanager
def unit_of_work(*, writes: bool = False) -> Iterator[Session]:
    """Open a session and commit it when the block ends well; any error rolls it back whole.

    ``writes`` takes SQLite's write lock at once; a unit that only reads never waits for a writer.
    """
    bound = engine().execution_options(writes=writes)
    with Session(bound, expire_on_commit=False) as session, session.begin():
        yield session
