"""Where the bytes of evidence lie: under random names, outside of every folder that is served."""

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit


class FileStore(Protocol):
    def put(self, name: str, data: bytes) -> None:
        """Keep ``data`` under a new name; it is on the disk when this returns."""

    def get(self, name: str) -> bytes:
        """What was put; raises ``FileNotFoundError``."""

    def delete(self, name: str) -> None:
        """Forget a file; one that is not there is forgotten already."""

    def names(self) -> Iterator[tuple[str, datetime]]:
        """Every file with the instant it was put."""


class LocalFiles:
    """Files in a folder of this machine, readable by its owner alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, name: str, data: bytes) -> None:
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        partial = path.with_suffix(".partial")
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # a protocol promises that the photos are kept too
        partial.rename(path)

    def get(self, name: str) -> bytes:
        return self._path(name).read_bytes()

    def delete(self, name: str) -> None:
        self._path(name).unlink(missing_ok=True)

    def names(self) -> Iterator[tuple[str, datetime]]:
        for path in self.folder.glob("??/*"):
            try:
                yield path.name, datetime.fromtimestamp(path.stat().st_mtime, UTC)
            except FileNotFoundError:  # deleted while we look
                continue

    def _path(self, name: str) -> Path:
        if not re.fullmatch(r"[0-9a-f]{32}(\.partial)?", name):
            raise ValueError("no name of ours")
        return self.folder / name[:2] / name


@lru_cache
def file_store(url: str) -> FileStore:
    """The store that ``Settings.files_url`` names: ``file:///folder`` or ``file:folder``."""
    parts = urlsplit(url)
    if parts.scheme != "file":
        raise ValueError(
            f"FILES_URL: this version keeps files in a folder only (file:…), not in {parts.scheme}:"
        )
    return LocalFiles(Path(unquote(parts.netloc + parts.path)))
