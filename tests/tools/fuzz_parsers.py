"""Feeds a parser with bytes that atheris makes by what they cover: ``python -m tests.tools.fuzz_parsers NAME -runs=N``.

Whatever a parser may refuse is refused by an error of ours; anything else is a crash, and libFuzzer keeps the bytes.
"""

import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import atheris

with atheris.instrument_imports(
    include=["portal.domain", "portal.importing", "portal.files.kinds", "portal.sealing"]
):
    from portal.domain import circumstances, days, deep_links, plates, protocols, spreadsheets, texts
    from portal.domain.errors import PortalError
    from portal.files.kinds import family_of
    from portal.importing.gtfs import read_gtfs
    from portal.importing.register_cells import clean, is_a_persons, is_benign, read_number, safe_file_name
    from portal.importing.sheets import UnreadableSheet, read_lines
    from portal.importing.sources import Report
    from portal.sealing.boxes import UnreadableBox, read_header


def typed(data: bytes) -> None:
    """Every reader of what a person types."""
    text = data.decode("utf-8", "surrogateescape")  # halves of characters too
    for read in (
        plates.identify,
        protocols.read_protocol,
        circumstances.read_time,
        days.read_day,
        days.iso_day,
        deep_links.read_payload,
        texts.clean_text,
        spreadsheets.begins_a_formula,
        clean,
        read_number,
        is_a_persons,
        is_benign,
        safe_file_name,
    ):
        try:
            read(text)
        except (PortalError, ValueError) as refused:
            if isinstance(refused, UnicodeError):
                raise


def sheets(data: bytes) -> None:
    _FILE.write_bytes(data)
    with suppress(UnreadableSheet):
        for _line in read_lines(_FILE, lambda cells: sum(1 for cell in cells if cell)):
            pass


def feeds(data: bytes) -> None:
    _FILE.write_bytes(data)
    read_gtfs(_FILE, Report())


def boxes(data: bytes) -> None:
    family_of(data)
    with suppress(UnreadableBox):
        read_header(data)


TARGETS: dict[str, Callable[[bytes], None]] = {
    target.__name__: target for target in (typed, sheets, feeds, boxes)
}
_FOLDER = tempfile.TemporaryDirectory()
_FILE = Path(_FOLDER.name) / "sent.zip"

if __name__ == "__main__":
    target = TARGETS[sys.argv.pop(1)]
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()
