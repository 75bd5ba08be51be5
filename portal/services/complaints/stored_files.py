"""Bytes come before rows: a file is in the store for good before any row says so, and outside of every transaction.

The database's lock is never held while a store is slow. What a process leaves in the store without a row, killed or
refused half-way, the sweep takes away.
"""

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from sqlalchemy.orm import Session

from portal.config import settings
from portal.domain.errors import FileRefused, FilesAway, PortalError
from portal.files.reading import ReadFile
from portal.files.store import FileStore, file_store
from portal.sealing.boxes import seal
from portal.sealing.keys import read_public_keys
from portal.services.unit_of_work import unit_of_work
from portal.storage.drafts import EvidenceRow, all_evidence, evidence_record, find_evidence_row, names_in_use

log = structlog.get_logger("portal.evidence")

ON_ITS_WAY = timedelta(hours=1)
"""A file without a row is perhaps being filed for so long; it takes seconds."""
FEW = 10
"""Files that may be missing before it is asked whether the store is the right one."""
LOOKED_AT = timedelta(days=2)
"""Older orphans were looked at before, and are again when everything is."""


@dataclass(eq=False, slots=True)
class StoredFile:
    """A file whose bytes the store holds, for a row to name."""

    file: ReadFile
    stored_as: str
    sealed_to: str | None
    """Id of the key its bytes are sealed to; None for a clean file."""
    digest: str
    """SHA-256 of what the store holds, in hexadecimal."""
    named: bool = False
    """A committed row names it."""


@dataclass(frozen=True, slots=True)
class Stored:
    taken: tuple[StoredFile, ...]
    refused: tuple[FileRefused, ...]


def store_file(file: ReadFile, municipality: str) -> StoredFile:
    """Put a file into the store, sealed to the municipality's ombudsman where its metadata could not be taken out.

    Call it outside of a transaction, and ``forget_unnamed`` when no row came to name it.

    Raises ``FileRefused``: ``no_key`` for a recording to be sealed where there is no key to do it, and ``not_kept``
    when the store does not take it now.
    """
    stored_as, content, sealed_to = secrets.token_hex(16), file.data, None
    if not file.clean:
        key = read_public_keys(settings().public_keys).identity.get(municipality)
        if key is None:
            raise FileRefused(file.name, "no_key")
        content, sealed_to = seal(file.data, key, record=evidence_record(stored_as)), key.id
    try:
        _store().put(stored_as, content)
    except FilesAway as away:
        log.error("files_away", why=away.why)
        raise FileRefused(file.name, "not_kept") from away
    return StoredFile(file, stored_as, sealed_to, hashlib.sha256(content).hexdigest())


@contextmanager
def storing(files: Iterable[ReadFile], municipality: str) -> Iterator[Stored]:
    """Put each file into the store for the block, whose transaction names them; those it does not name go again.

    After an error of the machine nobody knows whether the transaction was kept, and they are left to the sweep.
    """
    taken: list[StoredFile] = []
    refused: list[FileRefused] = []
    for file in files:
        try:
            taken.append(store_file(file, municipality))
        except FileRefused as problem:
            refused.append(problem)
    try:
        yield Stored(tuple(taken), tuple(refused))
    except PortalError:
        forget_unnamed(taken)
        raise
    forget_unnamed(taken)


def forget_unnamed(files: Sequence[StoredFile]) -> None:
    """Delete the bytes of files that no committed row names."""
    delete_bytes([file.stored_as for file in files if not file.named])


def delete_bytes(names: Iterable[str]) -> None:
    """Delete files that no row names any more; what the store does not do now, the sweep does later."""
    store = _store()
    for name in names:
        try:
            store.delete(name)
        except FilesAway as away:
            log.warning("file_not_deleted", why=away.why)


def read_bytes(stored_as: str) -> bytes:
    """What the store holds; raises ``FileNotFoundError`` and ``FilesAway``."""
    return _store().get(stored_as)


@dataclass(frozen=True, slots=True)
class Swept:
    orphans: int
    """Files that no row named: deleted."""
    lost: int
    """Rows whose file is gone: deleted with a draft, kept and logged with a complaint."""


def sweep_files(*, now: datetime, everything: bool = False) -> Swept:
    """Delete files that no row names: what a process killed between file and commit left.

    In transactions of its own, none of which is open while the store is asked. Files of the last hour are perhaps
    being filed; those older than two days were looked at, unless ``everything`` is asked for.
    """
    store = _store()
    young = now - ON_ITS_WAY
    old = datetime.min.replace(tzinfo=now.tzinfo) if everything else now - LOOKED_AT
    there = dict(store.names())
    names = {name for name, put_at in there.items() if old <= put_at < young}
    with unit_of_work() as session:
        orphans = names - names_in_use(session, names)
    for name in orphans:
        store.delete(name)
    return Swept(len(orphans), _sweep_rows(store, young) if everything else 0)


def _sweep_rows(store: FileStore, young: datetime) -> int:
    """A row without its file: the person is shown that it is missing while they can still send it again."""
    there = {name for name, _put_at in store.names()}
    after = looked_at = 0
    gone: list[EvidenceRow] = []
    while True:
        with unit_of_work() as session:
            rows = all_evidence(session, after=after, limit=500)
        if not rows:
            break
        after, looked_at = rows[-1].id, looked_at + len(rows)
        gone += [row for row in rows if row.stored_as not in there and row.added_at < young]
    if (
        len(gone) > FEW and len(gone) > looked_at / 2
    ):  # a folder not mounted, another bucket: no reason to forget
        log.error("store_is_empty", missing=len(gone), named=looked_at)
        return 0
    for row in gone:
        if row.draft_id is None:
            log.error("evidence_lost", complaint=row.complaint_id, evidence=row.id)
            continue
        with unit_of_work(writes=True) as session:
            _forget_row(session, row.id)
    return len(gone)


def _forget_row(session: Session, row_id: int) -> None:
    row = find_evidence_row(session, row_id)
    if row is not None and row.draft_id is not None:
        session.delete(row)


def _store() -> FileStore:
    return file_store(settings().files_url)
