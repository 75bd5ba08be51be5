"""Engines: SQLite as a town runs it, PostgreSQL as a state does."""

from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.orm import Session

from portal.config import settings


@lru_cache
def engine() -> Engine:
    """The engine of this process, made at its first use."""
    return make_engine(settings().database_url)


def make_engine(url: str, **options: Any) -> Engine:
    """An engine for ``url``; SQLite gets WAL, full synchronisation, foreign keys and one writer at a time."""
    # An error is logged; what a person wrote, which was its parameter, is not.
    made = create_engine(url, hide_parameters=True, **options)
    if made.dialect.name == "sqlite":
        database = make_url(url).database
        if database and database != ":memory:":
            Path(database).parent.mkdir(parents=True, exist_ok=True)
        event.listen(made, "connect", _prepare_sqlite)
        event.listen(made, "begin", _begin_sqlite)
    return made


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves: see _begin_sqlite
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        "busy_timeout=10000",
        "secure_delete=ON",  # what is erased is overwritten, not left in free pages
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Any) -> None:
    # A reader that turns into a writer half-way fails with "database is locked" whatever the timeout; so a
    # unit of work that writes takes the lock at once, and one that only reads never takes it.
    writes = connection.get_execution_options().get("writes", True)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def excludes_writers(session: Session) -> bool:
    """Whether a unit of work that writes is the only one there can be, as with SQLite."""
    return session.get_bind().dialect.name == "sqlite"


def empty_log(used: Engine) -> None:
    """Write SQLite's log back and cut it to nothing: what was erased would stand in it until it is overwritten.

    While somebody reads the older state it stays as it is; the next time does it. PostgreSQL needs none of it.
    """
    if used.dialect.name != "sqlite":
        return
    with closing(used.raw_connection()) as connection:
        connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")


def limit_statements(used: Engine, seconds: int) -> None:
    """Let no statement of this process take longer, nor wait longer for a lock; SQLite has its own limit of a wait."""
    if used.dialect.name != "postgresql":
        return

    @event.listens_for(used, "connect")
    def _limit(connection: Any, _record: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"SET statement_timeout = '{seconds}s'; SET lock_timeout = '{seconds}s'")
        connection.commit()
