"""Fixtures of every test: real databases, an environment of the tests' own, and a count of what was left out."""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine
from sqlalchemy.orm import Session

import portal.config
import portal.storage.database
from portal.storage.database import make_engine
from portal.storage.tables import metadata

LEFT_OUT = pytest.StashKey[Counter[str]]()


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """The tables of every subject, in an SQLite file of this test run."""
    made = make_engine(f"sqlite:///{tmp_path_factory.mktemp('database') / 'test.db'}")
    metadata().create_all(made)
    yield made
    made.dispose()


@pytest.fixture
def session(engine: Engine) -> Iterator[Session]:
    """A session inside a transaction that is rolled back when the test ends."""
    with engine.connect() as connection:
        transaction = connection.begin()
        with Session(connection, join_transaction_mode="create_savepoint", expire_on_commit=False) as opened:
            yield opened
        transaction.rollback()


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with every table and no row, to be copied."""
    path = tmp_path_factory.mktemp("template") / "empty.db"
    made = make_engine(f"sqlite:///{path}")
    metadata().create_all(made)
    made.dispose()
    return path


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The settings of a public portal, all in a folder of the test's own, which it returns."""
    _set_environment(tmp_path, monkeypatch)
    yield tmp_path
    _forget_settings()


@pytest.fixture
def database(environment: Path, empty_database: Path) -> Iterator[Engine]:
    """A database on disk that ``unit_of_work`` uses: for what opens its own transactions, such as views."""
    copyfile(empty_database, environment / "portal.db")
    made = portal.storage.database.engine()
    yield made
    made.dispose()


@pytest.fixture
def app(database: Engine) -> Flask:
    """The public portal over ``database``."""
    from portal.web import create_app

    made = create_app()
    made.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
    return made


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser without JavaScript; send ``HX-Request: true`` to ask for the fragment."""
    return app.test_client()


@pytest.fixture(scope="session")
def shared_folder() -> Path | None:
    """The folder of real texts, feeds and registers, when ``EMBARQUE_SHARED`` names one."""
    given = os.environ.get("EMBARQUE_SHARED")
    return Path(given) if given and Path(given).is_dir() else None


@pytest.fixture
def shared(shared_folder: Path | None, request: pytest.FixtureRequest) -> Path:
    """Real texts and data, which the project does not carry: without them the test is left out, and counted."""
    if shared_folder is None:
        leave_out(request, "EMBARQUE_SHARED")
    assert shared_folder is not None
    return shared_folder


def leave_out(request: pytest.FixtureRequest, want: str) -> None:
    """Skip this test for want of something, and count it in the last line of the run."""
    request.config.stash[LEFT_OUT][want] += 1
    pytest.skip(f"for want of {want}")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[LEFT_OUT] = Counter()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    left_out = config.stash[LEFT_OUT]
    if left_out:
        wants = ", ".join(f"{count} for want of {want}" for want, count in sorted(left_out.items()))
        terminalreporter.write_line(f"left out: {left_out.total()} tests ({wants})")
    else:
        terminalreporter.write_line("left out: nothing")


def _set_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    public_keys = folder / "public.json"
    public_keys.write_text("{}")
    for name, value in {
        "DATABASE_URL": f"sqlite:///{folder / 'portal.db'}",
        "FILES_URL": f"file://{folder / 'files'}",
        "SECRET_KEY": "only-for-tests-" + "0" * 32,
        "ACCESS_KEY_PEPPER": "only-for-tests-" + "1" * 32,
        "PUBLIC_KEYS": str(public_keys),
    }.items():
        monkeypatch.setenv(name, value)
    for name in (
        "TELEGRAM_BOT_TOKEN",
        "REDIS_URL",
        "SMTP_URL",
        "DEMONSTRATION",
        *portal.config.PRIVATE_SETTINGS,
    ):
        monkeypatch.delenv(name, raising=False)
    _forget_settings()


def _forget_settings() -> None:
    """Settings and the engine are made once a process; a test has its own."""
    portal.config.settings.cache_clear()
    portal.config.desk_settings.cache_clear()
    portal.config.worker_settings.cache_clear()
    portal.storage.database.engine.cache_clear()
