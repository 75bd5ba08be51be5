"""A throw-away Redis: the distribution's server on a socket in a folder of its own, to be frozen and killed."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Server:
    """A running server. Begun again it is at the same address, and empty."""

    def __init__(self, program: str, folder: Path) -> None:
        self._program, self._socket = program, folder / "redis.sock"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        """As ``REDIS_URL``."""
        return f"redis+unix://{self._socket}"

    def start(self) -> None:
        command = [
            self._program,
            "--port",
            "0",
            "--unixsocket",
            str(self._socket),
            "--save",
            "",
            "--appendonly",
            "no",
        ]
        self._process = subprocess.Popen(
            command, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _attempt in range(200):
            if self._answers():
                return
            time.sleep(0.05)
        raise RuntimeError("the Redis server did not start")

    def kill(self) -> None:
        assert self._process
        self._process.kill()
        self._process.wait()
        self._socket.unlink(missing_ok=True)

    def freeze(self) -> None:
        """From now on it takes connections and says nothing."""
        assert self._process
        os.kill(self._process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process
        os.kill(self._process.pid, signal.SIGCONT)

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as asked:
            try:
                asked.connect(str(self._socket))
                asked.sendall(b"PING\r\n")
                return asked.recv(7) == b"+PONG\r\n"
            except OSError:
                return False


@contextmanager
def running() -> Iterator[Server | None]:
    """None where no server is installed (``.ci/servers`` installs it); REDIS_SERVER names one elsewhere."""
    names = (os.environ.get("REDIS_SERVER"), "redis-server", "valkey-server")
    program = next((found for name in names if name and (found := shutil.which(name))), None)
    if program is None:
        yield None
        return
    folder = Path(tempfile.mkdtemp(prefix="redis-"))  # short: the path of a socket has 107 characters at most
    server = Server(program, folder)
    try:
        yield server
    finally:
        server.thaw()
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)
