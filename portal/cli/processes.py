"""Child processes that live and die together, each with an environment of its own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import FrameType
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

WRONG_SETTINGS = 2
"""The exit code of a program that will not get better by starting it again."""
LONGEST_PAUSE = 60.0
"""Seconds before a program is started again."""
PATIENCE = 10.0
"""Seconds that a child has to finish the request in hand before it is killed."""


@dataclass(frozen=True, slots=True)
class Program:
    """One process: ``name`` as it is told to people, and the address that answers once it serves, if any."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    answers_at: str | None = None
    again: bool = False
    """Started again when it ends by itself, after a while that grows; unless it says that its settings are wrong."""


@dataclass(slots=True)
class _Child:
    program: Program
    process: subprocess.Popen[bytes]
    pause: float = 1.0
    rests_until: float | None = None


class ProcessEnded(Exception):
    """A child ended by itself, with this exit code; the others were ended too."""

    def __init__(self, name: str, code: int) -> None:
        super().__init__(name, code)
        self.name = name
        self.code = code


class _Stopped(Exception):
    pass


def run_together(programs: Iterable[Program], *, when_serving: Callable[[], None]) -> None:
    """Start every program and wait; SIGINT, SIGTERM or SIGHUP ends them all.

    Raises:
        ProcessEnded: one of them ended by itself. A half-served town is worse than a clear stop: whoever
            supervises this process starts it again.
    """
    children: list[_Child] = []
    stops = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {stop: signal.signal(stop, _raise_stopped) for stop in stops}
    try:
        for program in programs:
            children.append(_Child(program, _start(program)))
        for child in children:
            while child.program.answers_at and not _answers(child.program.answers_at):
                _look_after(children)
                time.sleep(0.1)
        when_serving()
        while True:
            _look_after(children)
            time.sleep(0.5)
    except _Stopped:
        return
    finally:
        for stop in stops:
            signal.signal(stop, signal.SIG_IGN)  # a second Ctrl-C must not leave children behind
        _end(child.process for child in children)
        for stop in stops:
            signal.signal(stop, before[stop])


def python(*arguments: str) -> list[str]:
    """The command of a module of this environment."""
    return [sys.executable, *arguments]


def _raise_stopped(_signal: int, _frame: FrameType | None) -> None:
    raise _Stopped


def _start(program: Program) -> subprocess.Popen[bytes]:
    # A session of its own: Ctrl-C in the terminal reaches us alone, and the children end in order.
    return subprocess.Popen(  # noqa: S603  # our own programs
        program.command, env=dict(program.environment), stdin=subprocess.DEVNULL, start_new_session=True
    )


def _look_after(children: list[_Child]) -> None:
    for child in children:
        code = child.process.poll()
        if code is None:
            continue
        if not child.program.again or code == WRONG_SETTINGS:
            raise ProcessEnded(child.program.name, code)
        if child.rests_until is None:
            child.rests_until = time.monotonic() + child.pause
        elif time.monotonic() >= child.rests_until:
            child.process = _start(child.program)
            child.rests_until, child.pause = None, min(2 * child.pause, LONGEST_PAUSE)


def _answers(address: str) -> bool:
    try:
        with urlopen(address, timeout=2):  # noqa: S310  # an address of ours
            return True
    except HTTPError as error:
        return error.code < 500
    except (URLError, OSError):
        return False


def _end(children: Iterable[subprocess.Popen[bytes]]) -> None:
    ending = list(children)
    for child in ending:
        _signal_group(child, signal.SIGTERM)
    deadline = time.monotonic() + PATIENCE
    for child in ending:
        try:
            child.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            _signal_group(child, signal.SIGKILL)
            child.wait()


def _signal_group(child: subprocess.Popen[bytes], number: int) -> None:
    # SIGTERM goes to the child alone, which ends its own workers after the request in hand.
    try:
        if number == signal.SIGKILL:
            os.killpg(child.pid, number)
        elif child.poll() is None:
            child.send_signal(number)
    except ProcessLookupError:
        pass
