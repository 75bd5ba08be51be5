"""The whole service, as ``make run`` starts it."""

import os
import random
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from portal.config import PRIVATE_SETTINGS


@pytest.fixture
def port():
    """A port that is free, and so is the next one; below those that the system hands out to others meanwhile."""
    for number in random.sample(range(20000, 30000, 2), 100):
        with socket.socket() as one, socket.socket() as next_one:
            try:
                one.bind(("127.0.0.1", number))
                next_one.bind(("127.0.0.1", number + 1))
            except OSError:
                continue
            return number
    raise AssertionError("no two free ports in a row among a hundred")


@pytest.fixture
def running(port, environment):
    """``portal run`` in a state folder of its own, up to the last line of its welcome."""
    process = subprocess.Popen(
        [sys.executable, "-m", "portal.cli", "run", "--port", str(port)],
        env=_without_settings() | {"PORTAL_STATE": str(environment / "state"), "LANG": "en_US.UTF-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    said = []
    for line in process.stdout:
        said.append(line)
        if "Ctrl-C" in line:
            break
    yield process, "".join(said)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)


def test_one_command_serves_everything_and_one_signal_ends_it(running, port):
    process, said = running

    with urlopen(f"http://127.0.0.1:{port}/healthz") as answer:
        assert answer.status == 200
    with urlopen(f"http://127.0.0.1:{port + 1}/mesa/") as answer:
        assert answer.status == 200
    for told in (f"http://127.0.0.1:{port}/demonstracao", "/verificar ZZA1A11", "ouvidoria", "demonstracao"):
        assert told in said
    assert not _private_settings_of(_children(process.pid)["portal.web:create_app"])

    children = _children(process.pid)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0
    assert not [pid for pid in children.values() if Path(f"/proc/{pid}").exists()]


def test_a_port_in_use_is_said_in_one_line(port, environment):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        tried = subprocess.run(
            [sys.executable, "-m", "portal.cli", "run", "--port", str(port)],
            env=_without_settings() | {"PORTAL_STATE": str(environment / "state")},
            capture_output=True,
            text=True,
            timeout=60,
        )

    assert tried.returncode == 1
    assert tried.stderr.count("\n") == 1
    assert str(port) in tried.stderr


def _without_settings():
    """The environment less what the fixtures of in-process tests put there."""
    told = ("DATABASE_URL", "FILES_URL", "SECRET_KEY", "ACCESS_KEY_PEPPER", "PUBLIC_KEYS", "LC_ALL")
    return {name: value for name, value in os.environ.items() if name not in told}


def _children(parent):
    """What a child serves, or its last argument, and its process id."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text().rpartition(")")[2].split()
            arguments = (folder / "cmdline").read_text().split("\0")[:-1]
        except OSError:
            continue
        if stat[1] == str(parent):
            found[arguments[-1]] = int(folder.name)
    return found


def _private_settings_of(pid):
    environ = Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
    return [name for setting in environ if (name := setting.partition("=")[0]) in PRIVATE_SETTINGS]
