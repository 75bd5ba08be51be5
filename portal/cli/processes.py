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

PATIENCE = 10.0
"""Seconds that a child has to finish the request in hand before it is killed."""


@dataclass(frozen=True, slots=True)
class Program:
    """One process: ``name`` as it is told to people, and the address that answers once it serves, if any."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    answers_at: str | None = None


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
    children: list[tuple[Program, subprocess.Popen[bytes]]] = []
    stops = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {stop: signal.signal(stop, _raise_stopped) for stop in stops}
    try:
        for program in programs:
            # A session of its own: Ctrl-C in the terminal reaches us alone, and the children end in order.
            child = subprocess.Popen(  # noqa: S603  # our own programs
                program.command,
                env=dict(program.environment),
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
            children.append((program, child))
        for program, _child in children:
            while program.answers_at and not _answers(program.answers_at):
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
        _end(child for _program, child in children)
        for stop in stops:
            signal.signal(stop, before[stop])


def python(*arguments: str) -> list[str]:
    """The command of a module of this environment."""
    return [sys.executable, *arguments]


def _raise_stopped(_signal: int, _frame: FrameType | None) -> None:
    raise _Stopped


def _look_after(children: list[tuple[Program, subprocess.Popen[bytes]]]) -> None:
    for program, child in children:
        if (code := child.poll()) is not None:
            raise ProcessEnded(program.name, code)


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
