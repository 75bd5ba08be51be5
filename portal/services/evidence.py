"""Photos of a draft and of a complaint: the row and the bytes come and go together."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import event
from sqlalchemy.orm import Session

from portal.config import settings
from portal.domain.errors import NothingHere
from portal.files.photos import Photo
from portal.files.store import FileStore, file_store
from portal.storage.drafts import EvidenceRow, names_in_use


@dataclass(frozen=True, slots=True)
class EvidenceFile:
    token: str
    """Names the file in addresses; it opens nothing by itself."""
    name: str
    media_type: str
    size: int
    """Bytes."""
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Download:
    """A file to hand out: always as an attachment, never to be sniffed."""

    name: str
    media_type: str
    data: bytes


def keep_photo(session: Session, photo: Photo, *, now: datetime, draft_id: int | None = None) -> EvidenceRow:
    """Keep a photo, of a draft or for the caller to give to a complaint.

    The bytes are written first, and go again if the transaction fails.
    """
    store = _store()
    stored_as = secrets.token_hex(16)
    store.put(stored_as, photo.jpeg)
    event.listen(session, "after_rollback", lambda _session: store.delete(stored_as), once=True)
    row = EvidenceRow(
        token=secrets.token_urlsafe(12),
        stored_as=stored_as,
        name=photo.name,
        media_type=photo.media_type,
        size=len(photo.jpeg),
        width=photo.width,
        height=photo.height,
        added_at=now,
        draft_id=draft_id,
    )
    session.add(row)
    session.flush()
    return row


def forget_files(session: Session, rows: list[EvidenceRow]) -> None:
    """Delete the bytes of rows that this transaction deletes, once it is committed."""
    store, names = _store(), [row.stored_as for row in rows]

    def delete(_session: Session) -> None:
        for name in names:
            store.delete(name)

    event.listen(session, "after_commit", delete, once=True)


def download(row: EvidenceRow) -> Download:
    """The bytes of a row; raises ``NothingHere`` when the store has lost them."""
    try:
        data = _store().get(row.stored_as)
    except FileNotFoundError:
        raise NothingHere("evidence") from None
    return Download(name=row.name, media_type=row.media_type, data=data)


def evidence_file(row: EvidenceRow) -> EvidenceFile:
    return EvidenceFile(
        token=row.token,
        name=row.name,
        media_type=row.media_type,
        size=row.size,
        width=row.width,
        height=row.height,
    )


def sweep_files(session: Session, *, now: datetime) -> int:
    """Delete files that no row names: what a process killed between file and commit left. Returns how many.

    Looks at files of one hour to two days: younger ones are perhaps being filed, older ones were looked at.
    """
    store = _store()
    young, old = now - timedelta(hours=1), now - timedelta(days=2)
    names = {name for name, put_at in store.names() if old <= put_at < young}
    orphans = names - names_in_use(session, names)
    for name in orphans:
        store.delete(name)
    return len(orphans)


def _store() -> FileStore:
    return file_store(settings().files_url)
