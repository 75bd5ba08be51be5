"""Upgrading without stopping: old code goes on while the new tables are there, and no data is lost on the way.

Every migration only adds: a column that may be empty or has a default in the database itself, a table, an index. What
the last release still writes stays until the one after the next.
"""

from datetime import UTC, datetime

import pytest
import sqlalchemy as sa
from sqlalchemy import MetaData, inspect, text

from portal.config import settings
from portal.demo import load_demonstration
from portal.services.schema import migrate_database
from portal.storage.database import engine, make_engine
from portal.storage.migrate import downgrade, revisions, upgrade

NOW = datetime(2030, 3, 1, 15, tzinfo=UTC)
RELEASED = "0010"
"""The revision of the last release: from here on the tables only grow."""
SHED = {"0007": {"staff_members", "staff_sessions"}}
"""Rows that a step down takes along, by the step: auditors, a role that the older tables refuse."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def empty(request, tmp_path):
    url = f"sqlite:///{tmp_path / 'upgrading.db'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres_url")
    made = make_engine(url)
    yield made
    made.dispose()


def tables_of(used) -> MetaData:
    found = MetaData()
    found.reflect(used)
    return found


def a_value(column: sa.Column, number: int):
    """Something that fits a column, as old code would write it."""
    kind = column.type
    if column.foreign_keys:
        return 1
    if isinstance(kind, sa.DateTime):
        return NOW
    if isinstance(kind, sa.Date):
        return NOW.date()
    if isinstance(kind, sa.Boolean):
        return False
    if isinstance(kind, (sa.Integer, sa.Float, sa.Numeric)):
        return number
    if isinstance(kind, sa.LargeBinary):
        return b"x"
    return "x"


class TestOldCode:
    def test_goes_on_writing_and_reading_on_the_new_tables(self, empty):
        """The former model set, read from the former tables: what it inserts, the new tables take."""
        upgrade(empty, RELEASED)
        old = tables_of(empty)
        upgrade(empty)
        new = tables_of(empty)
        for table in old.sorted_tables:
            assert table.name in new.tables, f"{table.name} is gone"
            now_there = new.tables[table.name].columns
            assert {column.name for column in table.columns} <= {column.name for column in now_there}
            for column in now_there:
                if column.name in table.columns:
                    was = table.columns[column.name]
                    assert type(column.type) is type(was.type), f"{table.name}.{column.name} is another kind"
                    assert column.nullable or not was.nullable, (
                        f"{table.name}.{column.name} must be given now"
                    )
                else:
                    assert column.nullable or column.server_default is not None, f"{table.name}.{column.name}"

    def test_inserts_rows_of_the_former_model_set(self, empty):
        upgrade(empty, RELEASED)
        old = tables_of(empty)
        upgrade(empty)
        with empty.begin() as connection:
            if empty.dialect.name == "sqlite":
                connection.exec_driver_sql("PRAGMA ignore_check_constraints=ON")
            for name in ("drafts", "evidence", "outbox", "telegram_chats"):
                table = old.tables[name]
                values = {
                    column.name: a_value(column, 1)
                    for column in table.columns
                    if not column.nullable and not (column.primary_key and column.autoincrement is True)
                }
                if name == "outbox":
                    values["state"] = "pending"
                connection.execute(table.insert().values(**values))
                assert connection.scalar(sa.select(sa.func.count()).select_from(table)) == 1


@pytest.mark.slow
class TestWithDataInTheTables:
    @pytest.fixture
    def filled(self, keys, empty, monkeypatch):
        monkeypatch.setenv("DATABASE_URL", empty.url.render_as_string(hide_password=False))
        settings.cache_clear()
        engine.cache_clear()
        migrate_database()
        load_demonstration(now=NOW)
        yield engine()
        engine().dispose()

    def test_down_step_by_step_and_up_again_keeps_what_the_older_columns_hold(self, filled):
        steps = revisions()
        before: dict[str, dict[str, list]] = {}
        for at, revision in reversed(list(enumerate(steps))):
            before[revision] = contents(filled)
            if at:
                downgrade(filled, steps[at - 1])
                assert_kept(contents(filled), before[revision], revision, but=SHED.get(revision, set()))
        for revision in steps[1:]:
            older = contents(filled)
            upgrade(filled, revision)
            assert_kept(older, contents(filled), revision)
        assert set(inspect(filled).get_table_names()) >= set(before[steps[-1]])


def contents(used) -> dict[str, dict[str, list]]:
    """Table: column: its values in the order of the primary key."""
    found = tables_of(used)
    told: dict[str, dict[str, list]] = {}
    with used.connect() as connection:
        for table in found.sorted_tables:
            if table.name == "alembic_version":
                continue
            order = ", ".join(f'"{column.name}"' for column in table.primary_key)
            rows = connection.execute(text(f'SELECT * FROM "{table.name}" ORDER BY {order}')).mappings().all()
            told[table.name] = {column.name: [row[column.name] for row in rows] for column in table.columns}
        connection.rollback()
    return told


def assert_kept(fewer, more, step, *, but=frozenset()) -> None:
    """Every column that both have holds the same."""
    for table, columns in fewer.items():
        if table in but:
            continue
        for column, values in columns.items():
            if column in more.get(table, {}):
                assert more[table][column] == values, f"{step}: {table}.{column}"
