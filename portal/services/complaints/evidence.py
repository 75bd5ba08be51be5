"""Files of a draft and of a complaint, as rows; where their bytes lie is told in ``stored_files``."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import event
from sqlalchemy.orm import Session

from portal.domain.errors import FileRefused, NothingHere
from portal.domain.evidence import FILE_LIMIT, EvidenceKind, Mismatch
from portal.domain.geo import distance_m
from portal.files.reading import ReadFile
from portal.regulations.municipalities import Municipality
from portal.services.complaints.stored_files import StoredFile, delete_bytes, read_bytes
from portal.storage.drafts import EvidenceRow, evidence_of_draft

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
    stored_as: str

    def read(self) -> bytes:
        """What the store holds, a box where it is sealed; call it after the transaction, as the store may be slow.

        Raises ``NothingHere`` when the store has lost it, and ``FilesAway``.
        """
        try:
            return read_bytes(self.stored_as)
        except FileNotFoundError:
            raise NothingHere("evidence") from None


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
    stored: StoredFile,
    *,
    town: Municipality,
    answers: Mapping[str, Any],
    beside: int,
    now: datetime,
    draft_id: int | None = None,
) -> EvidenceRow:
    """Name a file that the store holds, for a draft or for the caller to give to a complaint.

    Args:
        answers: what was told so far, of which ``when`` and ``where`` are compared with the file's own.
        beside: how many files there are already.

    Raises ``FileRefused``: ``too_many``.
    """
    file = stored.file
    if beside >= FILE_LIMIT:
        raise FileRefused(file.name, "too_many", limit=FILE_LIMIT)
    row = EvidenceRow(
        token=secrets.token_urlsafe(12),
        stored_as=stored.stored_as,
        digest=stored.digest,
        name=file.name,
        kind=str(file.kind),
        media_type=file.media_type,
        size=len(file.data),
        width=file.width,
        height=file.height,
        seconds=file.seconds,
        sealed_to=stored.sealed_to,
        mismatches=[str(one) for one in mismatches(file, answers, town, now=now)],
        added_at=now,
        draft_id=draft_id,
    )
    session.add(row)
    session.flush()

    def named(_session: Session) -> None:
        stored.named = True

    event.listen(session, "after_commit", named, once=True)
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
    names = [row.stored_as for row in rows]
    event.listen(session, "after_commit", lambda _session: delete_bytes(names), once=True)


def download(row: EvidenceRow) -> Download:
    """A file that may be handed out; raises ``NothingHere`` when it is sealed."""
    if row.sealed_to:
        raise NothingHere("evidence")
    return Download(row.name, row.media_type, row.stored_as)


def holds(row: EvidenceRow, stored: StoredFile) -> bool:
    """Whether a row is of this very file; never told of a sealed one, of which no two boxes are alike."""
    return row.digest is not None and row.digest == stored.digest


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


def _local_moment(file: ReadFile, town: Municipality) -> datetime | None:
    if file.taken_at is None:
        return None
    aware = (
        file.taken_at.astimezone(town.zone)
        if file.taken_at.tzinfo
        else file.taken_at.replace(tzinfo=town.zone)
    )
    return aware.replace(second=0, microsecond=0)
