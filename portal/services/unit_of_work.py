"""One transaction a use case: services flush, the edge that opened the unit of work commits it."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from sqlalchemy import Engine, text
from sqlalchemy.orm import Session

from portal.storage import database
from portal.storage.database import engine
from portal.storage.prepared import Reader


@contextmanager
def unit_of_work(*, writes: bool = False) -> Iterator[Session]:
    """Open a session and commit it when the block ends well; any error rolls it back whole.

    ``writes`` takes SQLite's write lock at once; a unit that only reads never waits for a writer.
    """
    with Session(_bound(engine(), writes), expire_on_commit=False) as session, session.begin():
        yield session


def reading() -> Reader:
    """The hottest path's unit of work: ``with reading() as session`` for the services that say they take one."""
    return Reader(engine())


@lru_cache(maxsize=8)
def _bound(to: Engine, writes: bool) -> Engine:
    """Made once: an engine with options costs as much to make as a query to run."""
    return to.execution_options(writes=writes)


def limit_statements(seconds: int) -> None:
    """From now on no statement of this process takes longer than that; for an edge that many people wait for."""
    database.limit_statements(engine(), seconds)


def database_answers() -> None:
    """Ask the database for one row.

    Raises:
        SQLAlchemyError: it cannot be reached.
    """
    with unit_of_work() as session:
        session.execute(text("SELECT 1"))
