"""Fixtures of every test: real databases, an environment of the tests' own, and a count of what was left out.

With EMBARQUE_TEST_DATABASE=postgresql (``make test-postgres``) the same tests run on PostgreSQL and Redis.
"""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfile, which
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import FileSystemBytecodeCache
from sqlalchemy import URL, Engine
from sqlalchemy.orm import Session

import portal.config
import portal.storage.database
from portal.files.store import file_store
from portal.regulations import catalogue
from portal.sealing.folder import make_folder, read_env
from portal.storage.database import make_engine
from portal.storage.tables import metadata
from tests import postgresql
from tests import redis_server as redis
from tests import s3 as s3_store

ON_POSTGRESQL = os.environ.get("EMBARQUE_TEST_DATABASE") == "postgresql"


AUDIT_KEY = f"AUDIT_KEY=test:only-for-tests-{'3' * 32}\n"


@pytest.fixture(scope="session", autouse=True)
def audit_key(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A state folder with the key of the audit log, for tests of services that have no environment of their own."""
    folder = tmp_path_factory.mktemp("state")
    (folder / "desk.env").write_text(AUDIT_KEY)
    os.environ["PORTAL_STATE"] = str(folder)


@pytest.fixture(scope="session")
def postgres_server(request: pytest.FixtureRequest) -> Iterator[URL]:
    """A running PostgreSQL; a test makes a database of its own in it (``tests.postgresql.database``)."""
    with postgresql.running() as server:
        if server is None:
            leave_out(request, "PostgreSQL")
        yield server


@pytest.fixture
def postgres_url(postgres_server: URL) -> Iterator[str]:
    """An empty database on PostgreSQL, whatever the other tests run on."""
    with postgresql.database(postgres_server, f"test_{uuid4().hex}") as url:
        yield url.render_as_string(hide_password=False)


@pytest.fixture(scope="session")
def s3(request: pytest.FixtureRequest) -> Iterator[s3_store.Store]:
    """A running S3-compatible store, shared: a test leaves it thawed, running and empty."""
    with s3_store.running() as store:
        if store is None:
            leave_out(request, "moto")
        assert store
        yield store


@pytest.fixture(scope="session")
def redis_server(request: pytest.FixtureRequest) -> Iterator[redis.Server]:
    """A running Redis, shared: a test leaves it running and thawed."""
    with redis.running() as server:
        if server is None:
            leave_out(request, "Redis")
        assert server
        yield server


@pytest.fixture(scope="session")
def empty_database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[URL]:
    """A database with every table and no row: never written to, only copied."""
    if ON_POSTGRESQL:
        with postgresql.database(request.getfixturevalue("postgres_server"), "empty") as url:
            _make_tables(url)
            yield url
    else:
        url = URL.create("sqlite", database=str(tmp_path_factory.mktemp("template") / "empty.db"))
        _make_tables(url)
        yield url


@pytest.fixture(scope="session")
def engine(empty_database: URL, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A database in which every test rolls back what it wrote."""
    with _copy_of(empty_database, tmp_path_factory.mktemp("database")) as url:
        made = make_engine(url)
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


@pytest.fixture
def environment(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """The settings of a public portal, all in a folder of the test's own, which it returns."""
    public_keys = tmp_path / "public.json"
    public_keys.write_text("{}")
    for name in list(os.environ):
        if name.lower() in {
            *portal.config.WorkerSettings.model_fields,
            *portal.config.DeskSettings.model_fields,
            *portal.config.CardSettings.model_fields,
        }:
            monkeypatch.delenv(name)
    for name, value in {
        "DATABASE_URL": f"sqlite:///{tmp_path / 'portal.db'}",
        "FILES_URL": f"file://{tmp_path / 'files'}",
        "SECRET_KEY": "only-for-tests-" + "0" * 32,
        "ACCESS_KEY_PEPPER": "only-for-tests-" + "1" * 32,
        "PUBLIC_KEYS": str(public_keys),
        "PORTAL_STATE": str(tmp_path),
    }.items():
        monkeypatch.setenv(name, value)
    if ON_POSTGRESQL:  # as a state runs it
        monkeypatch.setenv("REDIS_URL", request.getfixturevalue("redis_server").url)
    (tmp_path / "desk.env").write_text(AUDIT_KEY)
    _forget_settings()
    yield tmp_path
    _forget_settings()


@pytest.fixture
def keys(environment: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder as ``portal run`` makes it: keys of every town, one file of settings a process."""
    folder = environment / "state"
    make_folder(folder, [town.slug for town in catalogue.municipalities()])
    for name, value in read_env(folder / "portal.env").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PORTAL_STATE", str(folder))
    _forget_settings()
    return folder


@pytest.fixture
def database(environment: Path, empty_database: URL, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """The database that ``unit_of_work`` uses: for what opens transactions of its own, such as views."""
    with _copy_of(empty_database, environment) as url:
        monkeypatch.setenv("DATABASE_URL", url)
        _forget_settings()
        made = portal.storage.database.engine()
        yield made
        made.dispose()


@pytest.fixture(scope="session")
def compiled_templates(tmp_path_factory: pytest.TempPathFactory) -> FileSystemBytecodeCache:
    """Each test has an app of its own; compiling every template for each would take half of the run."""
    return FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))


@pytest.fixture
def app(database: Engine, compiled_templates: FileSystemBytecodeCache) -> Flask:
    """The public portal over ``database``."""
    from portal.web import create_app

    made = create_app()
    made.jinja_env.bytecode_cache = compiled_templates
    made.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
    return made


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser without JavaScript; send ``HX-Request: true`` to ask for the fragment."""
    return app.test_client()


@pytest.fixture
def shared(request: pytest.FixtureRequest) -> Path:
    """Real texts, feeds and registers, which the project does not carry: without them a test is left out."""
    folder = os.environ.get("EMBARQUE_SHARED")
    if not folder or not Path(folder).is_dir():
        leave_out(request, "EMBARQUE_SHARED")
    return Path(str(folder))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The browser of the distribution (``make test`` sees to it), which talks to our servers and nobody else."""
    installed = (os.environ.get("CHROMIUM"), *map(which, ("chromium", "chromium-browser", "google-chrome")))
    return {
        **browser_type_launch_args,
        "executable_path": next((path for path in installed if path), None),
        "args": [
            "--no-sandbox",  # containers and root cannot have one, and only our own pages are opened
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-quic",
        ],
    }


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """A cheap phone that speaks Portuguese."""
    return {
        **browser_context_args,
        "locale": "pt-BR",
        "timezone_id": "America/Sao_Paulo",
        "viewport": {"width": 360, "height": 640},
    }


def leave_out(request: pytest.FixtureRequest, want: str) -> None:
    """Skip this test for want of something, and count it in the closing line of the run."""
    pytest.skip(f"for want of {want}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    # From the reports, as several processes may share the work.
    reasons = (str(report.longrepr[-1]) for report in terminalreporter.stats.get("skipped", ()))
    left_out = Counter(reason.removeprefix("Skipped: ") for reason in reasons)
    told = ", ".join(f"{count} {reason}" for reason, count in sorted(left_out.items()))
    terminalreporter.write_line(f"left out: {told or 'nothing'}")


def _make_tables(url: URL) -> None:
    made = make_engine(url.render_as_string(hide_password=False))
    metadata().create_all(made)
    made.dispose()


@contextmanager
def _copy_of(template: URL, folder: Path) -> Iterator[str]:
    """The address of a copy of ``template``: a file in ``folder``, or a database beside the template."""
    if template.get_backend_name() == "sqlite":
        copyfile(str(template.database), folder / "portal.db")
        yield f"sqlite:///{folder / 'portal.db'}"
    else:
        name = f"test_{uuid4().hex}"
        with postgresql.database(template, name, template=str(template.database)) as url:
            yield url.render_as_string(hide_password=False)


def _forget_settings() -> None:
    """Settings and the engine are made once a process; a test has its own."""
    portal.config.settings.cache_clear()
    portal.config.desk_settings.cache_clear()
    portal.config.worker_settings.cache_clear()
    portal.config.audit_keys.cache_clear()
    portal.config.card_settings.cache_clear()
    portal.storage.database.engine.cache_clear()
    file_store.cache_clear()
