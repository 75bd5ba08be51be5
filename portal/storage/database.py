"""Engines: SQLite as a town runs it, PostgreSQL as a state does."""

from contextlib import closing
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.orm import Session

from portal.config import settings


@lru_cache
def engine() -> Engine:
    """The engine of this process, made at its first use, with the limits that the settings tell."""
    given = settings()
    options: dict[str, Any] = {}
    if make_url(given.database_url).get_backend_name() == "postgresql":
        options = {
            "pool_size": min(5, given.database_pool),
            "max_overflow": max(0, given.database_pool - 5),
            "pool_timeout": given.database_timeout,
            "connect_args": {
                "connect_timeout": max(
                    2, round(given.database_timeout)
                ),  # libpq knows no less than two seconds
                # A server that vanished without a word is noticed, and not waited for for two hours.
                "keepalives_idle": 30,
                "keepalives_interval": 5,
                "keepalives_count": 3,
                "tcp_user_timeout": 30_000,
            },
        }
    return make_engine(given.database_url, busy_timeout=given.database_timeout, **options)


def make_engine(url: str, *, busy_timeout: float = 10.0, **options: Any) -> Engine:
    """An engine for ``url``; SQLite gets WAL, full synchronisation, foreign keys and one writer at a time.

    A connection is looked at before it is used: a database that was started anew is simply connected to again.
    ``busy_timeout``: seconds that a writer of SQLite waits for another.
    """
    # An error is logged; what a person wrote, which was its parameter, is not.
    checked = make_url(url).get_backend_name() == "postgresql"
    made = create_engine(url, hide_parameters=True, pool_pre_ping=checked, **options)
    if made.dialect.name == "sqlite":
        database = make_url(url).database
        if database and database != ":memory:":
            Path(database).parent.mkdir(parents=True, exist_ok=True)
        event.listen(made, "connect", partial(_prepare_sqlite, busy_timeout=busy_timeout))
        event.listen(made, "begin", _begin_sqlite)
    return made


def _prepare_sqlite(connection: Any, _record: Any, *, busy_timeout: float) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves: see _begin_sqlite
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        f"busy_timeout={round(busy_timeout * 1000)}",
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
