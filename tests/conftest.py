"""Fixtures of every test: a real database in which each test is rolled back."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from portal.storage.base import Base
from portal.storage.database import make_engine


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """A migrated database of this test run."""
    made = make_engine(f"sqlite:///{tmp_path_factory.mktemp('database') / 'test.db'}")
    Base.metadata.create_all(made)
    return made


@pytest.fixture
def session(engine: Engine) -> Iterator[Session]:
    """A session inside a transaction that is rolled back when the test ends."""
    with engine.connect() as connection:
        transaction = connection.begin()
        with Session(connection, join_transaction_mode="create_savepoint", expire_on_commit=False) as opened:
            yield opened
        transaction.rollback()
