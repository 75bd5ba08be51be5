"""Files as they arrive: judged by content, measured, and made anew in a process of their own."""

import json
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import portal
from portal.domain.errors import FileRefused
from portal.domain.evidence import MEGABYTE, MEGABYTES, EvidenceKind
from portal.domain.texts import clean_line
from portal.files.kinds import Family, family_of, kind_at_most
from portal.files.workshop import CODES, make_anew

SECONDS = 40
"""By the clock on the wall, for one file; a busy machine is slower than its processor's time says."""

_few_at_a_time = threading.BoundedSemaphore(2)  # several big files at once would add up


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file made anew, ready to be kept."""

    name: str
    """As the person called it, made safe to show."""
    kind: EvidenceKind
    media_type: str
    data: bytes
    width: int
    height: int
    """Pixels, upright; 0 for what has none."""
    seconds: int | None
    """Length of a recording."""
    clean: bool
    """False: its metadata could not be taken out, and it must be sealed for the ombudsman."""
    taken_at: datetime | None
    """When it said it was made: for asking the person, never for keeping. Naive: the clock of the camera."""
    position: tuple[float, float] | None
    """Where it said so, in degrees north and east; as ``taken_at``."""


def clean_name(name: str) -> str:
    """A file's name to show: composed, without path, controls and direction overrides, at most 100 characters."""
    return clean_line(name.replace("\\", "/").rsplit("/", 1)[-1])[:100] or "arquivo"


def read_file(name: str, data: bytes) -> ReadFile:
    """The file in ``data``, made anew. Slow (a tenth of a second or more): call it outside of a transaction.

    Raises:
        FileRefused: with ``why`` and the file's name, so that the sentence stands beside the right file.
    """
    name = clean_name(name)
    if not data:
        raise FileRefused(name, "empty")
    family = family_of(data)
    if family is None:
        raise FileRefused(name, "not_taken")
    _measure(name, kind_at_most(family), data)
    told, content = _in_the_workshop(name, data)
    if "why" in told:
        raise FileRefused(name, told["why"], limit=told["limit"])
    _measure(name, EvidenceKind(told["kind"]), data)
    return _read(name, told, content)


def read_codes(name: str, data: bytes) -> tuple[str, ...]:
    """What the QR codes in a photo say; none where none is seen. Nothing of the photo is kept. As slow as `read_file`.

    Raises:
        FileRefused: as `read_file`.
    """
    name = clean_name(name)
    if not data:
        raise FileRefused(name, "empty")
    family = family_of(data)
    if family not in (Family.IMAGE, Family.HEIF):
        raise FileRefused(name, "not_taken")
    _measure(name, EvidenceKind.PHOTO, data)
    told, _nothing = _in_the_workshop(name, data, CODES)
    if "why" in told:
        raise FileRefused(name, told["why"], limit=told["limit"])
    return tuple(told["codes"])


def read_own(name: str, data: bytes) -> ReadFile:
    """``read_file`` for what the portal made itself: opened here, as it needs no distrust."""
    made = make_anew(data)
    return _read(name, asdict(made), made.data)


def _read(name: str, told: Mapping[str, Any], content: bytes) -> ReadFile:
    return ReadFile(
        name=name,
        kind=EvidenceKind(told["kind"]),
        media_type=told["media_type"],
        data=content,
        width=told["width"],
        height=told["height"],
        seconds=told["seconds"],
        clean=told["clean"],
        taken_at=datetime.fromisoformat(told["taken_at"]) if told["taken_at"] else None,
        position=tuple(told["position"]) if told["position"] else None,
    )


def _measure(name: str, kind: EvidenceKind, data: bytes) -> None:
    limit = MEGABYTES[kind]
    if len(data) > limit * MEGABYTE:
        raise FileRefused(name, "too_large", limit=limit, kind=kind)


def _in_the_workshop(name: str, data: bytes, *more: str) -> tuple[dict[str, Any], bytes]:
    command = [sys.executable, "-P", "-m", "portal.files.workshop", *more]
    with (
        _few_at_a_time,
        subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # a decoder's complaint may quote what it read
            env=_SURROUNDINGS,
            cwd="/",
        ) as process,
    ):
        try:
            out, _none = process.communicate(data, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise FileRefused(name, "too_heavy") from None
        finally:
            process.kill()
    head, newline, content = out.partition(b"\n")
    if not newline:  # it died: out of memory, out of time, or of the file itself
        raise FileRefused(name, "too_heavy" if process.returncode in _KILLED else "unreadable")
    return json.loads(head), content


_KILLED = (-9, -24, 137)
"""By the system, for memory or time (SIGKILL, SIGXCPU)."""
_SURROUNDINGS = {
    # Of the portal's own environment nothing: it holds secrets.
    "PYTHONPATH": str(Path(portal.__file__).parent.parent),
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_NUM_THREADS": "1",
    "LC_ALL": "C.UTF-8",
}
