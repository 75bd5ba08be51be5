"""A throw-away S3-compatible store in a process of its own, to be made slow and to be killed."""

import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

BUCKET = "evidence"


class Store:
    """The running server; its port stays the same when it comes back, and what it held does not."""

    def __init__(self, folder: Path) -> None:
        self.port = 0
        self._failing = folder / "failing"
        self._process: subprocess.Popen[str] | None = None
        self.start()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """As ``FILES_URL``."""
        return f"s3://{BUCKET}/portal?endpoint={self.endpoint}&region=us-east-1"

    def start(self) -> None:
        command = [
            sys.executable,
            "-W",
            "ignore",
            "-m",
            "tests.tools.s3_server",
            str(self.port),
            str(self._failing),
        ]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout
        told = self._process.stdout.readline()
        if not told:
            self.kill()
            raise RuntimeError("the S3 server did not start")
        self.port = int(told)
        made = urllib.request.Request(f"{self.endpoint}/{BUCKET}", method="PUT")
        urllib.request.urlopen(made, timeout=10).close()

    def kill(self) -> None:
        assert self._process
        self._process.kill()
        self._process.communicate()

    def fail(self) -> None:
        """From now on every request is answered 503."""
        self._failing.touch()

    def mend(self) -> None:
        self._failing.unlink(missing_ok=True)

    def freeze(self) -> None:
        """From now on it takes connections and says nothing, as a store does whose disks hang."""
        assert self._process
        os.kill(self._process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process
        os.kill(self._process.pid, signal.SIGCONT)


@contextmanager
def running() -> Iterator[Store | None]:
    """None where the package that plays the store is not installed."""
    if find_spec("moto") is None:
        yield None
        return
    with TemporaryDirectory(prefix="s3-") as folder:
        store = Store(Path(folder))
        try:
            yield store
        finally:
            store.thaw()
            store.kill()
