"""Files in an S3-compatible store, for many machines that share one."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

from portal.config import Settings
from portal.domain.errors import FilesAway
from portal.files.store import check_name

try:
    from obstore.exceptions import BaseError, NotFoundError
    from obstore.store import S3Store
except ImportError as missing:  # pragma: no cover
    raise ValueError(
        "FILES_URL: an s3: store needs the extra “scale” (pip install embarque-legal[scale])"
    ) from missing


class S3Files:
    """Objects of one bucket under one folder; nothing in it is public.

    Keys come from ``FILES_KEY_ID`` and ``FILES_SECRET``, else from the environment as S3's own programs read it.
    """

    def __init__(self, url: str, settings: Settings) -> None:
        """``url``: ``s3://bucket/folder?endpoint=https://store.example&region=…``; see ``Settings`` for the rest."""
        parts = urlsplit(url)
        asked = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        given: dict[str, Any] = {"region": asked.pop("region", "us-east-1")}
        if endpoint := asked.pop("endpoint", None):
            given["endpoint"] = endpoint  # and the bucket in the path, as stores of one's own want it
        if settings.files_key_id and settings.files_secret:
            given["access_key_id"] = settings.files_key_id
            given["secret_access_key"] = settings.files_secret.get_secret_value()
        if asked or not parts.netloc:
            raise ValueError("FILES_URL: s3://bucket/folder?endpoint=…&region=…")
        seconds = timedelta(seconds=settings.files_timeout)
        self._store = S3Store(
            parts.netloc,
            prefix=parts.path.strip("/") or None,
            client_options={
                "allow_http": (endpoint or "").startswith("http:"),
                "connect_timeout": min(seconds, timedelta(seconds=3)),
                "timeout": seconds,
            },
            retry_config={"max_retries": 2, "retry_timeout": seconds},
            **given,
        )

    def put(self, name: str, data: bytes) -> None:
        check_name(name)
        with _away():
            self._store.put(name, data)

    def get(self, name: str) -> bytes:
        check_name(name)
        with _away(unless_missing=True):
            return bytes(self._store.get(name).bytes())

    def delete(self, name: str) -> None:
        check_name(name)
        with suppress(FileNotFoundError), _away(unless_missing=True):
            self._store.delete(name)

    def names(self) -> Iterator[tuple[str, datetime]]:
        with _away():
            for some in self._store.list():
                for one in some:
                    yield one["path"].rsplit("/", 1)[-1], one["last_modified"]


@contextmanager
def _away(*, unless_missing: bool = False) -> Iterator[None]:
    """A file that is not there is one thing, a store or bucket that is not there another.

    What the library says holds the store's address, so that only the kind of failure goes on.
    """
    try:
        yield
    except (BaseError, OSError) as error:
        missing = isinstance(error, (NotFoundError, FileNotFoundError)) and "NoSuchBucket" not in str(error)
        if unless_missing and missing:
            raise FileNotFoundError from None
        raise FilesAway(type(error).__name__) from None
