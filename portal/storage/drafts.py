"""Drafts: the answers so far, and the only state of a conversation. No name, contact or chat stands in one."""

import hashlib
from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, bindparam, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from portal.domain.batches import batches
from portal.storage.base import Base


class DraftRow(Base):
    __tablename__ = "drafts"

    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of the token that only the person's browser or chat holds."""
    municipality: Mapped[str] = mapped_column(String(80))
    channel: Mapped[str] = mapped_column(String(20))
    language: Mapped[str] = mapped_column(String(5))
    answers: Mapped[dict[str, Any]] = mapped_column(JSON)
    question: Mapped[str | None] = mapped_column(String(20))
    """The question gone back to; None is the first one without an answer."""
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)
    filed_at: Mapped[datetime | None]
    """Filed: the answers have moved to the complaint, and only the key waits here until it is kept."""
    access_key_box: Mapped[bytes | None]
    """The access key, encrypted, until "I have kept it" or 60 minutes after filing."""
    upload_hash: Mapped[str | None] = mapped_column(String(64), index=True)
    """SHA-256 of the token of a link by which one file too big for the chat is sent in the browser; spent, it goes."""
    upload_until: Mapped[datetime | None]


class EvidenceRow(Base):
    """A file, of a draft until it is filed and then of the complaint; the bytes are in the file store."""

    __tablename__ = "evidence"
    __table_args__ = (Index(None, "draft_id"), Index(None, "complaint_id"))

    id: Mapped[int] = mapped_column(primary_key=True)
    token: Mapped[str] = mapped_column(String(32), unique=True)
    """Names the file in addresses."""
    stored_as: Mapped[str] = mapped_column(String(64), unique=True)
    """Its random name in the file store."""
    name: Mapped[str] = mapped_column(String(120))
    """As the person called it while it is in the draft; ``foto-1.jpg`` once filed: a name can tell who sent it."""
    kind: Mapped[str] = mapped_column(String(20))
    media_type: Mapped[str] = mapped_column(String(40))
    size: Mapped[int]
    """Bytes."""
    width: Mapped[int]
    height: Mapped[int]
    """0 by 0 for what has no pictures."""
    seconds: Mapped[int | None]
    """Length of a recording."""
    digest: Mapped[str | None] = mapped_column(String(64))
    """SHA-256 of what the file store holds; None for files of before it was kept."""
    sealed_to: Mapped[str | None] = mapped_column(String(40))
    """Id of the ombudsman's key that alone opens the bytes; None for a file whose metadata was taken out."""
    mismatches: Mapped[list[str]] = mapped_column(JSON)
    """Values of ``Mismatch``, for the desk; the date and the place behind them are not kept."""
    added_at: Mapped[datetime]
    draft_id: Mapped[int | None] = mapped_column(ForeignKey("drafts.id"))
    complaint_id: Mapped[int | None] = mapped_column(ForeignKey("complaints.id"))


def evidence_record(stored_as: str) -> str:
    """The record the box of a sealed file is bound to."""
    return f"evidence/{stored_as}"


def find_draft(session: Session, token_hash: str, *, lock: bool = False) -> DraftRow | None:
    """The draft of a token; ``lock`` makes a second writer wait for the first, and shows it what that one left."""
    return session.scalar(_LOCKED if lock else _DRAFT, {"token_hash": token_hash})


_DRAFT = select(DraftRow).where(DraftRow.token_hash == bindparam("token_hash"))
_LOCKED = _DRAFT.with_for_update().execution_options(populate_existing=True)
_EVIDENCE = select(EvidenceRow).order_by(EvidenceRow.id)
_OF_DRAFT = _EVIDENCE.where(EvidenceRow.draft_id == bindparam("draft_id"))
_OF_COMPLAINT = _EVIDENCE.where(EvidenceRow.complaint_id == bindparam("complaint_id"))
"""Made once: to make a statement costs as much as to run it, and every answer of a questionnaire runs several."""


def evidence_of_draft(session: Session, draft_id: int) -> list[EvidenceRow]:
    return list(session.scalars(_OF_DRAFT, {"draft_id": draft_id}))


def evidence_of_complaint(session: Session, complaint_id: int) -> list[EvidenceRow]:
    return list(session.scalars(_OF_COMPLAINT, {"complaint_id": complaint_id}))


def find_by_upload(session: Session, upload_hash: str) -> DraftRow | None:
    """The draft of an upload link, so that of two uses at once one wins."""
    return session.scalar(select(DraftRow).where(DraftRow.upload_hash == upload_hash).with_for_update())


def all_evidence(session: Session, *, after: int, limit: int) -> list[EvidenceRow]:
    """Rows by id, for looking whether each still has its bytes."""
    query = select(EvidenceRow).where(EvidenceRow.id > after).order_by(EvidenceRow.id).limit(limit)
    return list(session.scalars(query))


def find_evidence_row(session: Session, row_id: int) -> EvidenceRow | None:
    return session.get(EvidenceRow, row_id, with_for_update=True)


def expired_drafts(session: Session, now: datetime, *, limit: int = 200) -> list[DraftRow]:
    return list(session.scalars(select(DraftRow).where(DraftRow.expires_at <= now).limit(limit)))


def delete_drafts(session: Session, ids: list[int]) -> None:
    session.execute(delete(EvidenceRow).where(EvidenceRow.draft_id.in_(ids)))
    session.execute(delete(DraftRow).where(DraftRow.id.in_(ids)))


def names_in_use(session: Session, names: Collection[str]) -> set[str]:
    """Those of ``names`` that some row still names."""
    found: set[str] = set()
    for few in batches(names, 500):
        found.update(session.scalars(select(EvidenceRow.stored_as).where(EvidenceRow.stored_as.in_(few))))
    return found


def hash_of(token: str) -> str:
    """What is stored of the token of a draft or an upload: whoever reads the table cannot go on with a draft."""
    return hashlib.sha256(token.encode()).hexdigest()
