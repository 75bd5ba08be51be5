"""A whole portal put aside while it runs, and brought back.

The database is copied first and the files after it: a file is in the store before its row is committed, so that each
file named in the copy is there, but for what was erased in between. Going back it is the other way round.
"""

import hashlib
import hmac
import json
import os
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from portal.config import settings
from portal.files.store import file_store
from portal.sealing.keys import read_public_keys
from portal.services.schema import migrate_database
from portal.services.unit_of_work import unit_of_work
from portal.storage.backups import Copy, CopyFailed, copy_database, holds_rows, put_back, read_copy
from portal.storage.chores import chore_done, know_chores
from portal.storage.database import engine
from portal.storage.drafts import names_in_use
from portal.storage.signs_of_life import BACKUP

MANIFEST, FILES, KEYS = "manifest.json", "files", "keys"
FORMAT = 1


class NoBackup(Exception):
    """What was named is no backup of ours, or not whole; ``args`` say what is wrong with it."""


class WouldReplace(Exception):
    """The database holds something already."""


CopyRefused = CopyFailed
"""The database's own program is missing, or did not do it; says why."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds, as it says itself."""

    made_at: str
    kind: str
    """Of the database: ``sqlite`` or ``postgresql``."""
    database: str
    database_sha256: str
    revision: str
    rows: dict[str, int]
    files: dict[str, str]
    """Name in the store: SHA-256 of the bytes."""
    lost: tuple[str, ...] = ()
    """Files that a row names and the store did not have, or not whole: to be looked into."""
    keys: bool = False
    opens_with: dict[str, Any] = field(default_factory=dict)
    """Ids of the keys that its boxes are sealed to; none of them opens anything by itself."""
    format: int = FORMAT


def make_backup(target: Path, *, now: datetime, keys_from: Path | None = None) -> Manifest:
    """Put everything aside in a new folder, or in one file when ``target`` ends in ``.tar``; then read it through.

    Args:
        keys_from: the folder of secrets to put in as well; without it none is in the backup.

    Raises ``FileExistsError``, ``NoBackup``, ``CopyFailed`` and ``FilesAway``; nothing is left of one that failed.
    """
    if target.exists() and (target.is_file() or any(target.iterdir())):
        raise FileExistsError(str(target))
    target.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".backup-", dir=target.parent) as made:
        folder = Path(made) / "backup"
        folder.mkdir(mode=0o700)
        manifest = _fill(folder, now, keys_from)
        read_backup(folder)
        if target.suffix == ".tar":
            _pack(folder, target)
        else:
            if target.exists():
                target.rmdir()
            folder.rename(target)
    with unit_of_work(writes=True) as session:
        know_chores(session, [BACKUP], now=now)
        chore_done(session, BACKUP, now=now, due=now + timedelta(days=1), failure=None)
    return manifest


def read_backup(folder: Path) -> Manifest:
    """Read every byte of a backup and count every row; raises ``NoBackup`` with what is wrong."""
    manifest = _manifest(folder)
    copy = folder / manifest.database
    if not copy.is_file() or _digest_of(copy) != manifest.database_sha256:
        raise NoBackup(f"{manifest.database} is not what was written")
    try:
        rows = read_copy(manifest.kind, copy)
    except CopyFailed as failed:
        raise NoBackup(str(failed)) from failed
    if rows is not None and rows != manifest.rows:
        raise NoBackup("the database has other rows than were counted")
    for name, digest in manifest.files.items():
        path = _path(folder, name)
        if not path.is_file() or _digest_of(path) != digest:
            raise NoBackup(f"{FILES}/{name[:2]}/{name} is not what was written")
    return manifest


def restore_backup(folder: Path, *, replace: bool) -> Manifest:
    """Bring back a backup: each file, then the database at one stroke, then its tables up to date.

    Raises ``NoBackup`` before anything is touched; ``WouldReplace`` when something is there and ``replace`` is not
    said; ``CopyFailed`` and ``FilesAway``, after which the database is as it was.
    """
    manifest = read_backup(folder)
    if manifest.kind != engine().dialect.name:
        raise NoBackup(f"a copy of {manifest.kind} does not go into {engine().dialect.name}")
    if not replace and holds_rows(engine()):
        raise WouldReplace
    store = file_store(settings().files_url)
    for name in manifest.files:
        store.put(name, _path(folder, name).read_bytes())
    put_back(engine(), manifest.kind, folder / manifest.database)
    engine().dispose()
    migrate_database()
    return manifest


def sealed_elsewhere(manifest: Manifest) -> tuple[str, ...]:
    """What of a backup the keys here would not open: ``pepper`` (access keys), ``notice``, and slugs (identities)."""
    here, there = _opens_with(), manifest.opens_with
    foreign = [name for name in ("pepper", "notice") if there.get(name) != here[name]]
    identity = there.get("identity", {})
    return (*foreign, *sorted(slug for slug, key in identity.items() if here["identity"].get(slug) != key))


@contextmanager
def opened(source: Path) -> Iterator[Path]:
    """The folder of a backup, unpacked for the block when it is one file; raises ``NoBackup``."""
    if source.is_dir():
        yield source
        return
    if not source.is_file():
        raise NoBackup(f"{source} is not there")
    with TemporaryDirectory(prefix=".restore-", dir=source.parent) as unpacked:
        try:
            with tarfile.open(source) as archive:
                archive.extractall(unpacked, filter="data")
        except tarfile.TarError as error:
            raise NoBackup(str(error)) from error
        yield Path(unpacked) / "backup"


def _fill(folder: Path, now: datetime, keys_from: Path | None) -> Manifest:
    copy = copy_database(engine(), folder)
    os.chmod(folder / copy.file, 0o600)
    files, lost = _copy_files(folder, copy)
    if keys_from is not None:
        (folder / KEYS).mkdir(mode=0o700)
        for path in sorted(keys_from.glob("*.env")) + sorted(keys_from.glob("*.json")):
            shutil.copy2(path, folder / KEYS / path.name)
    manifest = Manifest(
        made_at=now.isoformat(),
        kind=copy.kind,
        database=copy.file,
        database_sha256=_digest_of(folder / copy.file),
        revision=copy.revision,
        rows=copy.rows,
        files=files,
        lost=lost,
        keys=keys_from is not None,
        opens_with=_opens_with(),
    )
    _write(folder / MANIFEST, json.dumps(asdict(manifest), indent=1).encode())
    return manifest


def _copy_files(folder: Path, copy: Copy) -> tuple[dict[str, str], tuple[str, ...]]:
    store = file_store(settings().files_url)
    files: dict[str, str] = {}
    missing = []
    for name, digest in copy.files:
        try:
            data = store.get(name)
        except FileNotFoundError:
            missing.append(name)
            continue
        found = hashlib.sha256(data).hexdigest()
        if digest is not None and digest != found:
            missing.append(name)
            continue
        path = _path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _write(path, data)
        files[name] = found
    if not missing:
        return files, ()
    with unit_of_work() as session:  # erased since the copy was made: nobody misses it
        return files, tuple(sorted(names_in_use(session, missing)))


def _opens_with() -> dict[str, Any]:
    keys, pepper = read_public_keys(settings().public_keys), settings().access_key_pepper.get_secret_value()
    told = hmac.new(pepper.encode(), b"the pepper of a backup", hashlib.sha256).hexdigest()[:16]
    return {
        "pepper": f"{settings().access_key_pepper_id}:{told}",
        "notice": keys.notice.id if keys.notice else None,
        "identity": {slug: key.id for slug, key in sorted(keys.identity.items())},
    }


def _manifest(folder: Path) -> Manifest:
    try:
        told = json.loads((folder / MANIFEST).read_bytes())
        if told.get("format") != FORMAT:
            raise NoBackup(f"{MANIFEST}: another format, {told.get('format')}")
        told["lost"] = tuple(told["lost"])
        manifest = Manifest(**told)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NoBackup(f"{MANIFEST} cannot be read") from error
    if manifest.kind not in ("sqlite", "postgresql") or Path(manifest.database).name != manifest.database:
        raise NoBackup(f"{MANIFEST} names no database of ours")
    if any(len(name) != 32 or not name.isalnum() for name in manifest.files):
        raise NoBackup(f"{MANIFEST} names no files of ours")
    return manifest


def _path(folder: Path, name: str) -> Path:
    return folder / FILES / name[:2] / name


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _pack(folder: Path, target: Path) -> None:
    beside = folder.parent / "backup.tar"
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        with tarfile.open(fileobj=file, mode="w") as archive:
            archive.add(folder, arcname="backup")
        file.flush()
        os.fsync(file.fileno())
    beside.rename(target)
