"""One state of the database copied out while everybody goes on, and put back: SQLite's own backup, or PostgreSQL's."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, func, inspect, select, text

from portal.storage.drafts import EvidenceRow
from portal.storage.tables import metadata

SQLITE, POSTGRESQL = "portal.db", "portal.dump"
"""The file of a copy, by kind of database."""
WAIT = 60
"""Seconds that a restore waits for those who are at work on the tables."""


class CopyFailed(Exception):
    """The database's own program is missing, or did not do it; the text is what it said, and holds no password."""


@dataclass(frozen=True, slots=True)
class Copy:
    """What stands in a copy, counted at the very state that was copied."""

    kind: str
    """``sqlite`` or ``postgresql``: a copy goes back into its own kind only."""
    file: str
    revision: str
    rows: dict[str, int]
    files: tuple[tuple[str, str | None], ...]
    """Each file that a row names, by its name in the store, with its digest where one is known."""


def copy_database(engine: Engine, folder: Path) -> Copy:
    """Copy one state of the whole database into ``folder``; nobody waits for it. Raises ``CopyFailed``."""
    if engine.dialect.name == "sqlite":
        path = folder / SQLITE
        with closing(engine.raw_connection()) as source, closing(sqlite3.connect(path)) as target:
            driver: Any = source.driver_connection
            driver.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it
        with _opened(path) as connection:
            return _counted(connection, "sqlite", SQLITE)
    alone = engine.connect().execution_options(isolation_level="REPEATABLE READ")
    with alone as connection, connection.begin():
        snapshot = connection.scalar(text("SELECT pg_export_snapshot()"))
        _run(
            engine,
            "pg_dump",
            "--format=custom",
            "--no-owner",
            "--no-privileges",
            f"--snapshot={snapshot}",
            f"--file={folder / POSTGRESQL}",
        )
        return _counted(connection, "postgresql", POSTGRESQL)


def read_copy(kind: str, path: Path) -> dict[str, int] | None:
    """Read a copy from end to end: how many rows each table has, or None where only the reading itself can be told.

    Raises ``CopyFailed`` for one that is not whole.
    """
    if kind == "postgresql":
        _program("pg_restore", "--file=/dev/null", str(path))
        return None
    try:
        with _opened(path) as connection:
            said = connection.scalar(text("PRAGMA integrity_check"))
            if said != "ok":
                raise CopyFailed(str(said))
            return _rows(connection)
    except sqlite3.DatabaseError as error:
        raise CopyFailed(str(error)) from error


def put_back(engine: Engine, kind: str, path: Path) -> None:
    """Replace all that the database holds, at one stroke: who reads meanwhile sees the one state or the other.

    The tables are as the copy has them: bring them up to date afterwards. Raises ``CopyFailed``.
    """
    if kind != engine.dialect.name:
        raise CopyFailed(f"a copy of {kind} does not go into {engine.dialect.name}")
    if kind == "sqlite":
        database = engine.url.database
        assert database
        with (
            closing(sqlite3.connect(path)) as source,
            closing(sqlite3.connect(database, timeout=WAIT)) as target,
        ):
            target.execute(f"PRAGMA busy_timeout={WAIT * 1000}")
            target.execute("PRAGMA journal_mode=WAL")
            source.backup(target)
        return
    script = path.with_name(path.name + ".sql")
    try:
        _program("pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(path))
        os.chmod(script, 0o600)
        _run(
            engine,
            "psql",
            "--no-psqlrc",
            "--quiet",
            "--single-transaction",
            "--set=ON_ERROR_STOP=1",
            "--output=/dev/null",
            f"--command={_drop_all(engine)}",
            f"--file={script}",
        )
    finally:
        script.unlink(missing_ok=True)


def holds_rows(engine: Engine) -> bool:
    """Whether anything would be lost by replacing it: a table of ours with a row in it."""
    with engine.connect() as connection:
        there = set(inspect(connection).get_table_names())
        tables = [table for table in metadata().sorted_tables if table.name in there]
        return any(connection.execute(select(table).limit(1)).first() is not None for table in tables)


_DROP_FUNCTIONS = """
DO $$ DECLARE one record; BEGIN
  FOR one IN
    SELECT p.oid::regprocedure AS name FROM pg_proc p
    WHERE p.pronamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  LOOP EXECUTE 'DROP FUNCTION ' || one.name || ' CASCADE'; END LOOP;
END $$
"""
"""Functions of the schema that belong to no extension: those of the audit log's triggers."""


def _drop_all(engine: Engine) -> str:
    """What takes our tables away inside of the transaction that brings the others."""
    with engine.connect() as connection:
        names = inspect(connection).get_table_names()
    quoted = ", ".join(f'"{name}"' for name in names)
    drop = f"DROP TABLE {quoted} CASCADE; " if names else ""
    return f"SET lock_timeout = '{WAIT}s'; {drop}{_DROP_FUNCTIONS}"


def _opened(path: Path) -> "_Opened":
    return _Opened(path)


class _Opened:
    """A copy of SQLite opened for reading; its engine goes with it."""

    def __init__(self, path: Path) -> None:
        from sqlalchemy import create_engine

        self._engine = create_engine(f"sqlite:///{path}")

    def __enter__(self) -> Connection:
        self._connection = self._engine.connect()
        return self._connection

    def __exit__(self, *_error: object) -> None:
        self._connection.close()
        self._engine.dispose()


def _counted(connection: Connection, kind: str, file: str) -> Copy:
    revision = connection.scalar(text("SELECT version_num FROM alembic_version"))
    named = select(EvidenceRow.stored_as, EvidenceRow.digest).order_by(EvidenceRow.id)
    return Copy(
        kind,
        file,
        str(revision),
        _rows(connection),
        tuple((str(name), digest) for name, digest in connection.execute(named)),
    )


def _rows(connection: Connection) -> dict[str, int]:
    there = set(inspect(connection).get_table_names())
    return {
        table.name: connection.scalar(select(func.count()).select_from(table)) or 0
        for table in metadata().sorted_tables
        if table.name in there
    }


def _run(engine: Engine, name: str, *arguments: str) -> None:
    """Run one of PostgreSQL's programs on the engine's database; the password goes by the environment."""
    url = engine.url.set(drivername="postgresql", password=None)
    password = engine.url.password
    _program(
        name,
        f"--dbname={url.render_as_string()}",
        *arguments,
        environment={"PGPASSWORD": str(password)} if password else {},
    )


def _program(name: str, *arguments: str, environment: dict[str, str] | None = None) -> None:
    program = next(_programs(name), None)
    if program is None:
        raise CopyFailed(f"{name} is not installed here (Debian: postgresql-client)")
    done = subprocess.run(  # noqa: S603  # PostgreSQL's own programs
        [program, *arguments],
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CopyFailed(f"{name}: {done.stderr.strip()[:500]}")


def _programs(name: str) -> Iterator[str]:
    """Where a program may stand: PG_BIN, the newest of the distribution's, PATH."""
    if folder := os.environ.get("PG_BIN"):
        yield str(Path(folder) / name)
    installed: Sequence[Path] = sorted(
        Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: path.parent.parent.name.zfill(4)
    )
    yield from (str(path) for path in reversed(installed))
    if found := shutil.which(name):
        yield found
