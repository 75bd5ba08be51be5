"""Reading a TOML file of the catalogue and saying, when something is wrong, in which line and key."""

import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

T = TypeVar("T", bound=BaseModel)
Location = tuple[str | int, ...]

_HEADER = re.compile(r"^\s*\[(\[)?\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"^\s*([A-Za-z0-9_-]+|\"[^\"]+\")\s*=")


class BrokenFile(Exception):
    """A file of the catalogue that may not be used; ``faults`` are whole lines, each with file, line and key."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def read_table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BrokenFile([f"{path.parent.name}/{path.name}: {error}"]) from error
    except UnicodeDecodeError as error:
        raise BrokenFile([f"{path.parent.name}/{path.name}: not UTF-8 at byte {error.start}"]) from error


def read_as(model: type[T], path: Path, **extra: Any) -> T:
    """The file as ``model``; ``extra`` are values known from its name and folder.

    Raises:
        BrokenFile: names every key at fault with its line.
    """
    raw = read_table(path)
    for key, value in extra.items():
        if key in raw and raw[key] != value:
            raise fault(path, (key,), f"must be {value!r}, as the file's own place says")
    try:
        return model.model_validate({**raw, **extra}, context={"since": raw.get("in_force_from")})
    except ValidationError as error:
        raise BrokenFile(
            [describe(path, tuple(found["loc"]), found["msg"]) for found in error.errors()]
        ) from error


def fault(path: Path, location: Location, message: str) -> BrokenFile:
    return BrokenFile([describe(path, location, message)])


def describe(path: Path, location: Location, message: str) -> str:
    key = ".".join(f"[{part + 1}]" if isinstance(part, int) else part for part in location)
    return f"{path.parent.name}/{path.name}:{line_of(path, location)}: {key.replace('.[', '[')}: {message}"


def line_of(path: Path, location: Location) -> int:
    """The line of the nearest key or header that encloses ``location``; `tomllib` keeps no positions."""
    lines = _lines_of_keys(path.read_text(encoding="utf-8"))
    for length in range(len(location), 0, -1):
        if line := lines.get(location[:length]):
            return line
    return 1


def _lines_of_keys(text: str) -> dict[Location, int]:
    found: dict[Location, int] = {}
    counts: dict[Location, int] = {}
    table: Location = ()
    inside_text = False
    for number, line in enumerate(text.splitlines(), start=1):
        if not inside_text and (header := _HEADER.match(line)):
            parts = [part.strip().strip('"') for part in header[2].split(".")]
            table = ()
            for part in parts[:-1]:
                table = (*table, part)
                if table in counts:
                    table = (*table, counts[table] - 1)
            table = (*table, parts[-1])
            if header[1]:
                counts[table] = counts.get(table, 0) + 1
                table = (*table, counts[table] - 1)
            found[table] = number
        elif not inside_text and (key := _KEY.match(line)):
            found.setdefault((*table, key[1].strip('"')), number)
        if line.count('"""') % 2:
            inside_text = not inside_text
    return found
