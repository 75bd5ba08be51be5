"""Where the bytes of evidence lie: under random names, outside of every folder that is served."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from portal.config import settings
from portal.domain.errors import FilesAway


class FileStore(Protocol):
    """Every method raises ``FilesAway`` when the store does not answer in time, is full, or refuses us.

    A name is random and stands for the same bytes for ever, so that whatever broke off is simply done again.
    """

    def put(self, name: str, data: bytes) -> None:
        """Keep ``data`` under a name of 32 hexadecimal digits; it is kept for good when this returns."""

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
        partial = path.with_suffix(".partial")
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())  # a protocol promises that the photos are kept too
            partial.rename(path)
            _keep_names(path.parent)
        except OSError as error:
            with suppress(OSError):
                partial.unlink()  # half of a file only fills a full disk further
            raise FilesAway(errno.errorcode.get(error.errno or 0, "OSError")) from error

    def get(self, name: str) -> bytes:
        try:
            return self._path(name).read_bytes()
        except FileNotFoundError:
            raise
        except OSError as error:
            raise FilesAway(errno.errorcode.get(error.errno or 0, "OSError")) from error

    def delete(self, name: str) -> None:
        try:
            self._path(name).unlink(missing_ok=True)
        except OSError as error:
            raise FilesAway(errno.errorcode.get(error.errno or 0, "OSError")) from error

    def names(self) -> Iterator[tuple[str, datetime]]:
        for path in self.folder.glob("??/*"):
            try:
                yield path.name, datetime.fromtimestamp(path.stat().st_mtime, UTC)
            except FileNotFoundError:  # deleted while we look
                continue

    def _path(self, name: str) -> Path:
        check_name(name)
        return self.folder / name[:2] / name


def check_name(name: str) -> None:
    """Raises ``ValueError`` for what is no name of ours, such as a path."""
    if not re.fullmatch(r"[0-9a-f]{32}(\.partial)?", name):
        raise ValueError("no name of ours")


@lru_cache(maxsize=4)
def file_store(url: str) -> FileStore:
    """The store that ``Settings.files_url`` names.

    ``file:///folder`` or ``file:folder``, or ``s3://bucket/folder?endpoint=https://…&region=…`` for an S3-compatible
    one. Raises ``ValueError`` for any other address.
    """
    parts = urlsplit(url)
    if parts.scheme == "file":
        return LocalFiles(Path(unquote(parts.netloc + parts.path)))
    if parts.scheme == "s3":
        from portal.files.s3 import S3Files  # an extra: a town that keeps a folder does not install it

        return S3Files(url, settings())
    raise ValueError(f"FILES_URL: file:… or s3://…, not {parts.scheme or url}:")


def _keep_names(folder: Path) -> None:
    """A renamed file outlives a power cut only once its folder is on the disk too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
