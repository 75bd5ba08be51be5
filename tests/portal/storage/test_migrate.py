from pathlib import Path

import pytest
from sqlalchemy import Engine, inspect

from portal.storage.database import make_engine
from portal.storage.migrate import downgrade, upgrade
from portal.storage.tables import metadata


@pytest.fixture
def migrated(tmp_path: Path):
    engine = make_engine(f"sqlite:///{tmp_path / 'migrated.db'}")
    upgrade(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def created(tmp_path: Path):
    engine = make_engine(f"sqlite:///{tmp_path / 'created.db'}")
    metadata().create_all(engine)
    yield engine
    engine.dispose()


class TestMigrations:
    def test_they_lead_to_the_tables_that_the_code_has(self, migrated, created):
        assert schema(migrated) == schema(created), "run `make revision m='what changed'`"

    def test_they_lead_back_to_nothing_and_up_again(self, migrated, created):
        downgrade(migrated, "base")
        assert set(inspect(migrated).get_table_names()) <= {"alembic_version"}

        upgrade(migrated)
        assert schema(migrated) == schema(created)

    def test_they_run_on_postgresql_too(self, postgres_url):
        engine = make_engine(postgres_url)
        upgrade(engine)
        assert set(inspect(engine).get_table_names()) - {"alembic_version"} == set(metadata().tables)

        downgrade(engine, "base")
        assert set(inspect(engine).get_table_names()) <= {"alembic_version"}
        engine.dispose()

    def test_a_foreign_key_is_enforced_again_afterwards(self, migrated):
        with migrated.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


class TestNames:
    def test_every_constraint_has_one_so_that_a_migration_can_drop_it(self):
        unnamed = [
            f"{table.name}: {constraint!r}"
            for table in metadata().sorted_tables
            for constraint in table.constraints
            if constraint.name is None
        ]
        assert not unnamed


def schema(engine: Engine) -> dict[str, object]:
    """Tables as the database itself tells them: Alembic's own comparison overlooks CHECK constraints."""
    found = inspect(engine)

    def by_name(constraints):
        return sorted(constraints, key=lambda constraint: constraint["name"] or "")

    return {
        table: {
            "columns": {
                column["name"]: (str(column["type"]), column["nullable"], column["primary_key"])
                for column in found.get_columns(table)
            },
            "primary key": found.get_pk_constraint(table),
            "foreign keys": by_name(found.get_foreign_keys(table)),
            "indexes": by_name(found.get_indexes(table)),
            "uniques": by_name(found.get_unique_constraints(table)),
            "checks": [
                (check["name"], " ".join(str(check["sqltext"]).split()))
                for check in by_name(found.get_check_constraints(table))
            ],
        }
        for table in found.get_table_names()
        if table != "alembic_version"
    }
