"""Files of a draft and of a complaint: the row and the bytes come and go together."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy import event
from sqlalchemy.orm import Session

from portal.config import settings
from portal.domain.errors import FileRefused, NothingHere
from portal.domain.evidence import FILE_LIMIT, EvidenceKind, Mismatch
from portal.domain.geo import distance_m
from portal.files.reading import ReadFile
from portal.files.store import FileStore, file_store
from portal.regulations.municipalities import Municipality
from portal.sealing.boxes import seal
from portal.sealing.keys import read_public_keys
from portal.storage.database import excludes_writers
from portal.storage.drafts import (
    EvidenceRow,
    all_evidence,
    evidence_of_draft,
    evidence_record,
    names_in_use,
)

log = structlog.get_logger("portal.evidence")

CAMERA_ASTRAY = timedelta(hours=2)
"""A camera's clock may be set to the zone of the next state."""
LONG_AGO = timedelta(days=60)
"""Older than this and without an answer to compare with, a file's date is worth a word to the desk."""
NEAR_M, IN_TOWN_M = 2_000, 60_000
"""Metres: from a position that was told, and from the middle of a municipality, some of which are large."""


@dataclass(frozen=True, slots=True)
class EvidenceFile:
    token: str
    """Names the file in addresses; it opens nothing by itself."""
    name: str
    kind: EvidenceKind
    media_type: str
    size: int
    """Bytes."""
    width: int
    height: int
    """Pixels; 0 for what has none."""
    seconds: int | None
    """Length of a recording."""
    sealed: bool
    """Only the ombudsman can open it: its metadata could not be taken out."""
    added_at: datetime


@dataclass(frozen=True, slots=True)
class Download:
    """A file to hand out: always as an attachment, never to be sniffed."""

    name: str
    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a file said of itself and the person may confirm as an answer. It is kept nowhere."""

    moment: datetime | None = None
    """In the municipality's zone, to the minute."""
    position: tuple[float, float] | None = None
    """Degrees north and east."""

    def __bool__(self) -> bool:
        return self.moment is not None or self.position is not None


def keep_file(
    session: Session,
    file: ReadFile,
    *,
    town: Municipality,
    answers: Mapping[str, Any],
    beside: int,
    now: datetime,
    draft_id: int | None = None,
) -> EvidenceRow:
    """Keep a file, of a draft or for the caller to give to a complaint.

    The bytes are written first, and go again if the transaction fails.

    Args:
        answers: what was told so far, of which ``when`` and ``where`` are compared with the file's own.
        beside: how many files there are already.

    Raises ``FileRefused``: ``too_many``, or ``no_key`` for a recording to be sealed where there is no key to do it.
    """
    if beside >= FILE_LIMIT:
        raise FileRefused(file.name, "too_many", limit=FILE_LIMIT)
    store, stored_as = _store(), secrets.token_hex(16)
    content, sealed_to = file.data, None
    if not file.clean:
        key = read_public_keys(settings().public_keys).identity.get(town.slug)
        if key is None:
            raise FileRefused(file.name, "no_key")
        content, sealed_to = seal(file.data, key, record=evidence_record(stored_as)), key.id
    store.put(stored_as, content)
    event.listen(session, "after_rollback", lambda _session: store.delete(stored_as), once=True)
    row = EvidenceRow(
        token=secrets.token_urlsafe(12),
        stored_as=stored_as,
        name=file.name,
        kind=str(file.kind),
        media_type=file.media_type,
        size=len(file.data),
        width=file.width,
        height=file.height,
        seconds=file.seconds,
        sealed_to=sealed_to,
        mismatches=[str(one) for one in mismatches(file, answers, town, now=now)],
        added_at=now,
        draft_id=draft_id,
    )
    session.add(row)
    session.flush()
    return row


def suggestion(file: ReadFile, town: Municipality, *, now: datetime) -> Suggestion:
    """What a file says of when and where, as far as it can be true of a complaint in this municipality."""
    moment = _local_moment(file, town)
    if moment and moment > now.astimezone(town.zone):
        moment = None
    position = file.position
    if position and distance_m(*position, town.latitude, town.longitude) > IN_TOWN_M:
        position = None
    return Suggestion(moment, position)


def mismatches(
    file: ReadFile, answers: Mapping[str, Any], town: Municipality, *, now: datetime
) -> tuple[Mismatch, ...]:
    """How a file's own date and place disagree with the answers so far."""
    found = []
    moment, local = _local_moment(file, town), now.astimezone(town.zone)
    told = answers.get("when") or {}
    if moment and moment > local + CAMERA_ASTRAY:
        found.append(Mismatch.FUTURE)
    elif moment and told.get("kind") == "at":
        day = datetime.fromisoformat(told["date"]).date()
        if abs((moment.date() - day).days) > 1:
            found.append(Mismatch.DATE)
    elif moment and local - moment > LONG_AGO:
        found.append(Mismatch.DATE)
    if file.position:
        where = answers.get("where") or {}
        middle, reach = (town.latitude, town.longitude), IN_TOWN_M
        if where.get("kind") == "position":
            middle, reach = (where["latitude"], where["longitude"]), NEAR_M
        if distance_m(*file.position, *middle) > reach:
            found.append(Mismatch.PLACE)
    return tuple(found)


def forget_mismatches(session: Session, draft_id: int, question_id: str) -> None:
    """Another answer was given: what an earlier one disagreed with no longer counts."""
    gone = {"when": Mismatch.DATE, "where": Mismatch.PLACE}.get(question_id)
    for row in evidence_of_draft(session, draft_id) if gone else []:
        if gone in row.mismatches:
            row.mismatches = [one for one in row.mismatches if one != gone]


def name_when_filed(row: EvidenceRow, number: int) -> str:
    """``foto-1.jpg``: a name that tells nothing of who sent it."""
    word = {"photo": "foto", "document": "documento", "audio": "audio", "video": "video"}[row.kind]
    return f"{word}-{number}.{EXTENSIONS.get(row.media_type, 'bin')}"


EXTENSIONS = {
    "image/jpeg": "jpg", "application/pdf": "pdf", "audio/mp4": "m4a", "video/mp4": "mp4", "audio/3gpp": "3gp",
    "video/3gpp": "3gp", "video/quicktime": "mov", "audio/webm": "webm", "video/webm": "webm",
    "audio/x-matroska": "mka", "video/x-matroska": "mkv", "audio/ogg": "ogg", "video/ogg": "ogv",
    "audio/mpeg": "mp3", "audio/wav": "wav", "audio/amr": "amr", "audio/aac": "aac",
}  # fmt: skip


def forget_files(session: Session, rows: list[EvidenceRow]) -> None:
    """Delete the bytes of rows that this transaction deletes, once it is committed."""
    store, names = _store(), [row.stored_as for row in rows]

    def delete(_session: Session) -> None:
        for name in names:
            store.delete(name)

    event.listen(session, "after_commit", delete, once=True)


def download(row: EvidenceRow) -> Download:
    """The bytes of a row; raises ``NothingHere`` when it is sealed, or the store has lost them."""
    if row.sealed_to:
        raise NothingHere("evidence")
    return Download(name=row.name, media_type=row.media_type, data=stored_bytes(row))


def stored_bytes(row: EvidenceRow) -> bytes:
    """What the store holds of a row, a box where it is sealed; raises ``NothingHere``."""
    try:
        return _store().get(row.stored_as)
    except FileNotFoundError:
        raise NothingHere("evidence") from None


def holds(row: EvidenceRow, file: ReadFile) -> bool:
    """Whether a row is of this very file; never told of a sealed one, which nobody here can read."""
    if row.sealed_to or (row.size, row.media_type) != (len(file.data), file.media_type):
        return False
    try:
        return stored_bytes(row) == file.data
    except NothingHere:
        return False


def evidence_file(row: EvidenceRow) -> EvidenceFile:
    return EvidenceFile(
        token=row.token,
        name=row.name,
        kind=EvidenceKind(row.kind),
        media_type=row.media_type,
        size=row.size,
        width=row.width,
        height=row.height,
        seconds=row.seconds,
        sealed=row.sealed_to is not None,
        added_at=row.added_at,
    )


@dataclass(frozen=True, slots=True)
class Swept:
    orphans: int
    """Files that no row named: deleted."""
    lost: int
    """Rows whose file is gone: deleted with a draft, kept and logged with a complaint."""


def sweep_files(session: Session, *, now: datetime, everything: bool = False) -> Swept:
    """Delete files that no row names: what a process killed between file and commit left.

    Files are written inside of the transaction that names them. Where one writer excludes all others, as with SQLite,
    no file is on its way while this unit of work writes, and every file without a row is an orphan. Elsewhere those
    of the last hour are perhaps being filed. Older than two days were looked at, unless ``everything`` is asked for.
    """
    store = _store()
    alone = excludes_writers(session)
    young = now + timedelta(days=1) if alone else now - timedelta(hours=1)
    old = datetime.min.replace(tzinfo=now.tzinfo) if everything else now - timedelta(days=2)
    names = {name for name, put_at in store.names() if old <= put_at < young}
    orphans = names - names_in_use(session, names)
    for name in orphans:
        store.delete(name)
    return Swept(len(orphans), _sweep_rows(session, store, young) if everything else 0)


def _sweep_rows(session: Session, store: FileStore, young: datetime) -> int:
    """A row without its file: the person is shown that it is missing while they can still send it again."""
    there = {name for name, _put_at in store.names()}
    after = lost = 0
    while rows := all_evidence(session, after=after, limit=500):
        after = rows[-1].id
        for row in rows:
            if row.stored_as in there or row.added_at >= young:
                continue
            lost += 1
            if row.draft_id is not None:
                session.delete(row)
            else:
                log.error("evidence_lost", complaint=row.complaint_id, evidence=row.id)
    session.flush()
    return lost


def _local_moment(file: ReadFile, town: Municipality) -> datetime | None:
    if file.taken_at is None:
        return None
    aware = (
        file.taken_at.astimezone(town.zone)
        if file.taken_at.tzinfo
        else file.taken_at.replace(tzinfo=town.zone)
    )
    return aware.replace(second=0, microsecond=0)


def _store() -> FileStore:
    return file_store(settings().files_url)
