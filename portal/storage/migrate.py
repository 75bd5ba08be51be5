"""Alembic, driven from our own commands: portal, desk, worker and bot migrate without Flask and without an ini file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from portal.storage.database import make_engine

MIGRATIONS = Path(__file__).parent / "migrations"
ONE_AT_A_TIME = 0x656D6261
"""The number of the lock under which a PostgreSQL changes its tables."""


def upgrade(engine: Engine, to: str = "head") -> None:
    """Bring the tables of ``engine`` up to a revision, in one transaction."""
    with _schema_change(engine) as connection:
        command.upgrade(_config(connection), to)


def downgrade(engine: Engine, to: str) -> None:
    """Take the tables of ``engine`` back to a revision, or to ``base``: none of ours is left."""
    with _schema_change(engine) as connection:
        command.downgrade(_config(connection), to)


def revisions() -> list[str]:
    """Every step of the migrations, the first one first."""
    script = ScriptDirectory.from_config(_config())
    return [one.revision for one in reversed(list(script.walk_revisions()))]


def stamp(engine: Engine) -> None:
    """Say of tables that were made otherwise that they are at the newest revision."""
    with _schema_change(engine) as connection:
        command.stamp(_config(connection), "head")


def newest_revision() -> str:
    """The last step of the migrations that the code carries."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    assert head
    return head


def write_revision(message: str) -> Path:
    """Write the migration from the newest revision to the tables as the code has them; returns its file.

    The comparison needs no database of yours: it is made on an empty one that the migrations fill.
    """
    script = ScriptDirectory.from_config(_config())
    number = f"{len(list(script.walk_revisions())) + 1:04d}"
    with TemporaryDirectory() as folder:
        engine = make_engine(f"sqlite:///{folder}/empty.db")
        upgrade(engine)
        with engine.connect() as connection:
            written = command.revision(_config(connection), message, autogenerate=True, rev_id=number)
        engine.dispose()
    assert written is not None
    assert not isinstance(written, list)
    return Path(written.path)


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.set_main_option("file_template", "%%(rev)s_%%(slug)s")
    config.attributes["connection"] = connection
    return config


@contextmanager
def _schema_change(engine: Engine) -> Iterator[Connection]:
    with engine.connect() as connection:
        if connection.dialect.name != "sqlite":
            with connection.begin():
                # Several processes start at once; the second finds everything done.
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": ONE_AT_A_TIME})
                yield connection
            return
        # SQLite changes a table by copying it to a new one and dropping the old: enforced foreign keys
        # would empty the tables that refer to it. The pragma does nothing once a transaction has begun.
        driver = connection.connection.dbapi_connection
        assert driver is not None
        driver.execute("PRAGMA foreign_keys=OFF")
        try:
            with connection.begin():
                yield connection
                if broken := connection.execute(text("PRAGMA foreign_key_check")).all():
                    raise RuntimeError(f"the migration leaves {len(broken)} rows that refer to nothing")
        finally:
            driver.execute("PRAGMA foreign_keys=ON")
