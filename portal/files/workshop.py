"""The process that opens what strangers send: little memory, little time, no secrets, no way to write.

Started by ``portal.files.reading`` once a file, as ``python -m portal.files.workshop``. A line of JSON and then the
file arrive on its input; a line of JSON and then the file made anew leave on its output. What it cannot do within
its limits, or dies of, is refused outside, and nobody else notices.
"""

import contextlib
import json
import os
import sys
from dataclasses import asdict
from typing import BinaryIO

from portal.files.kinds import Family, family_of
from portal.files.made import CannotClean, Made, Refusal

MEMORY = 1536 * 1024 * 1024
"""Bytes of address space: the decoders' libraries, and the largest picture that is taken, twice."""
SECONDS = 20
"""Of the processor."""
CODES = "--codes"
"""Asks for the codes in a photo, in the place of the photo made anew."""


def make_anew(data: bytes) -> Made:
    """A file made anew; raises ``Refusal``."""
    family = family_of(data)
    if family in (Family.IMAGE, Family.HEIF):
        from portal.files.images import TAKES_HEIC, remake_image

        if family is Family.HEIF and not TAKES_HEIC:
            raise Refusal("heic")
        return remake_image(data)
    if family is Family.PDF:
        from portal.files.documents import rewrite_document

        return rewrite_document(data)
    if family is None:
        raise Refusal("not_taken")
    from portal.files.recordings import copy_recording, look_at

    try:
        return copy_recording(data, family)
    except CannotClean:
        return look_at(data, family)


def limit_oneself() -> None:
    """Give up memory, time, files and cores (which would hold the evidence), where the system can."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        for what, most in (
            (resource.RLIMIT_AS, MEMORY),
            (resource.RLIMIT_CPU, SECONDS),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_FSIZE, 0),
        ):
            _soft, hard = resource.getrlimit(what)
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(what, (most, most))
    with contextlib.suppress(AttributeError, OSError):
        os.nice(5)  # whoever looks up a plate comes first


def answer_codes(source: BinaryIO, out: BinaryIO) -> None:
    """The codes in a photo, as a line of JSON; nothing of the photo leaves."""
    from portal.files.codes import codes_in

    told: dict[str, object]
    try:
        told = {"codes": codes_in(source.read())}
    except Refusal as refusal:
        told = {"why": refusal.why, "limit": refusal.limit}
    except (MemoryError, RecursionError):
        told = {"why": "too_heavy", "limit": None}
    out.write(json.dumps(told).encode() + b"\n")
    out.flush()


def answer(source: BinaryIO, out: BinaryIO) -> None:
    data = source.read()
    content = b""
    try:
        made = make_anew(data)
    except Refusal as refusal:
        told: dict[str, object] = {"why": refusal.why, "limit": refusal.limit}
    except (MemoryError, RecursionError):
        told = {"why": "too_heavy", "limit": None}
    else:
        content = made.data
        told = asdict(made) | {"data": None}
    out.write(json.dumps(told).encode() + b"\n" + content)
    out.flush()


if __name__ == "__main__":
    limit_oneself()
    (answer_codes if CODES in sys.argv[1:] else answer)(sys.stdin.buffer, sys.stdout.buffer)
