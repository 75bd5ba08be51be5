"""Taking a complaint: a draft answers one question at a time, in any channel, and files once.

A service here never learns who asks beyond the draft's token; no address, browser or chat is stored.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from portal.domain.errors import (
    AnswerMissing,
    DraftGone,
    PortalError,
    UploadLinkSpent,
)
from portal.domain.questionnaire import (
    KIND,
    Circumstances,
    Kind,
    Question,
    Raw,
    can_go_to,
    evidence_meter,
    next_question,
    parse_answer,
    previous_question,
    progress,
    question,
    with_answer,
)
from portal.regulations import catalogue
from portal.services.complaints.evidence import (
    EvidenceFile,
    evidence_file,
    forget_files,
    forget_mismatches,
    keep_file,
)
from portal.services.complaints.naming import named
from portal.services.complaints.stored_files import StoredFile
from portal.storage.drafts import (
    DraftRow,
    delete_drafts,
    evidence_of_draft,
    expired_drafts,
    find_by_upload,
    find_draft,
    hash_of,
)

DRAFT_LIVES = timedelta(days=10)
"""From the last answer: a week away and a little more."""
UPLOAD_LIVES = timedelta(hours=24)
"""How long the link waits with which a chat sends somebody to the browser."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A complaint being written, and the question that comes next."""

    token: str
    municipality: str
    channel: str
    language: str
    answers: Mapping[str, Any]
    question: Question
    step: int
    steps: int
    files: tuple[EvidenceFile, ...]
    filed: bool
    """True once it has become a complaint: ``receipt_of`` tells the rest."""
    meter: tuple[tuple[str, bool], ...]
    """What helps to look into it, by question, and whether it is there: see ``evidence_meter``."""

    @property
    def can_go_back(self) -> bool:
        return self.step > 1 or self.question.offered(self.answers)


@dataclass(frozen=True, slots=True)
class Upload:
    """What the page of an upload link may know of its draft: neither answers nor a way to them."""

    municipality: str
    language: str
    files: int


def circumstances(municipality: str, *, now: datetime) -> Circumstances:
    """What the check of an answer depends on in a municipality: its zone, the instant, its categories."""
    town = catalogue.municipality(municipality)
    return Circumstances(
        zone=town.zone,
        now=now,
        categories=tuple(here.category for here in catalogue.categories(municipality)),
    )


def start_draft(
    session: Session,
    *,
    municipality: str,
    channel: str,
    language: str,
    now: datetime,
    prefill: Mapping[str, Raw] | None = None,
) -> Draft:
    """Open a draft; ``prefill`` answers questions by id (a plate, a stop, a category), as far as it is readable.

    ``channel`` is ``web`` or ``telegram``. The token in the answer is the only way back to the draft.
    """
    answers = read_prefill(session, municipality, prefill or {}, now=now)
    token = secrets.token_urlsafe(24)
    row = DraftRow(
        token_hash=hash_of(token),
        municipality=municipality,
        channel=channel,
        language=language,
        answers=answers,
        created_at=now,
        updated_at=now,
        expires_at=now + DRAFT_LIVES,
    )
    session.add(row)
    session.flush()
    return _draft(session, token, row)


def read_prefill(
    session: Session, municipality: str, prefill: Mapping[str, Raw], *, now: datetime
) -> dict[str, Any]:
    """The answers that ``prefill`` gives by question id; what cannot be read is simply asked."""
    around = circumstances(municipality, now=now)
    answers: dict[str, Any] = {}
    for question_id, raw in prefill.items():
        try:
            asked = question(question_id)
            if asked.kind is Kind.IDENTITY:  # for the person alone to say
                continue
            value = named(session, municipality, asked, parse_answer(asked, raw, around), now)
            answers = with_answer(answers, asked, value)
        except PortalError:
            continue
    return answers


def read_draft(session: Session, token: str, *, now: datetime) -> Draft:
    """The draft of a token, filed or not; raises ``DraftGone``."""
    row = find_draft(session, hash_of(token))
    if row is None or row.expires_at <= now:
        raise DraftGone
    return _draft(session, token, row)


def last_answered(session: Session, token: str, *, now: datetime) -> tuple[str, datetime] | None:
    """The language of an open draft and the instant of its last change; None when it is filed or gone."""
    row = find_draft(session, hash_of(token))
    if row is None or row.expires_at <= now or row.filed_at:
        return None
    return row.language, row.updated_at


def answer(session: Session, token: str, question_id: str, raw: Raw, *, now: datetime) -> Draft:
    """Answer one question, asked now or earlier; the draft then asks the first that has no answer.

    Raises what ``parse_answer`` raises, and ``DraftGone``. The identity is not answered here, but as it is filed.
    """
    row = _open(session, token, now)
    asked = question(question_id)
    if asked.kind is Kind.IDENTITY:
        raise ValueError("an identity is never in a draft")
    value = parse_answer(asked, raw, circumstances(row.municipality, now=now))
    value = named(session, row.municipality, asked, value, now)
    if asked.id == KIND.id and "what" not in row.answers:
        raise AnswerMissing("what")
    row.answers = with_answer(row.answers, asked, value)
    forget_mismatches(session, row.id, asked.id)
    row.question = None
    return _touched(session, token, row, now)


def skip(session: Session, token: str, question_id: str, *, now: datetime) -> Draft:
    """Go on without an answer; raises ``AnswerMissing`` for the few questions that need one."""
    row = _open(session, token, now)
    asked = question(question_id)
    if not asked.skippable:
        raise AnswerMissing(asked.id)
    row.answers = with_answer(row.answers, asked, asked.skipped)
    row.question = None
    return _touched(session, token, row, now)


def go_back(session: Session, token: str, *, now: datetime) -> Draft:
    """Ask the question before the present one again; its answer stays until another is given."""
    row = _open(session, token, now)
    before = previous_question(row.answers, _current(row))
    row.question = before.id if before and before.kind is not Kind.IDENTITY else None
    return _touched(session, token, row, now)


def go_to(session: Session, token: str, question_id: str, *, now: datetime) -> Draft:
    """Ask a question again that was answered, or one that the last page offers; never jumps ahead."""
    row = _open(session, token, now)
    if can_go_to(row.answers, question_id):
        row.question = question(question_id).id
    return _touched(session, token, row, now)


def set_language(session: Session, token: str, language: str, *, now: datetime) -> Draft:
    """The language in which the person goes on, and will be answered."""
    row = _open(session, token, now)
    row.language = language
    return _touched(session, token, row, now)


def attach(session: Session, token: str, file: StoredFile, *, now: datetime) -> Draft:
    """Keep a file that the store holds with the draft; raises ``FileRefused``, as ``keep_file``."""
    row = _open(session, token, now)
    _attach(session, row, file, now)
    return _touched(session, token, row, now)


def open_upload(session: Session, token: str, *, now: datetime) -> str:
    """A token for one upload by the browser, tied to the draft: for files too big for a chat. An older one ends."""
    row = _open(session, token, now)
    upload = secrets.token_urlsafe(24)
    row.upload_hash, row.upload_until = hash_of(upload), now + UPLOAD_LIVES
    session.flush()
    return upload


def read_upload(session: Session, upload: str, *, now: datetime) -> Upload:
    """Where an upload goes; looking changes nothing. Raises ``UploadLinkSpent``."""
    return _upload(session, _of_upload(session, upload, now))


def send_upload(session: Session, upload: str, file: StoredFile, *, now: datetime) -> Upload:
    """Attach a file by its link, which is spent by that; raises ``UploadLinkSpent`` and ``FileRefused``."""
    row = _of_upload(session, upload, now)
    _attach(session, row, file, now)
    row.upload_hash = row.upload_until = None
    row.updated_at, row.expires_at = now, now + DRAFT_LIVES
    session.flush()
    return _upload(session, row)


def _attach(session: Session, row: DraftRow, file: StoredFile, now: datetime) -> None:
    keep_file(
        session,
        file,
        town=catalogue.municipality(row.municipality),
        answers=row.answers,
        beside=len(evidence_of_draft(session, row.id)),
        now=now,
        draft_id=row.id,
    )
    row.answers = {key: value for key, value in row.answers.items() if key != "review"}


def _of_upload(session: Session, upload: str, now: datetime) -> DraftRow:
    row = find_by_upload(session, hash_of(upload))
    if (
        row is None
        or row.upload_until is None
        or row.upload_until <= now
        or row.filed_at
        or row.expires_at <= now
    ):
        raise UploadLinkSpent
    return row


def _upload(session: Session, row: DraftRow) -> Upload:
    return Upload(row.municipality, row.language, len(evidence_of_draft(session, row.id)))


def detach(session: Session, token: str, file_token: str, *, now: datetime) -> Draft:
    """Take a file out of the draft again; one that is gone already is no error."""
    row = _open(session, token, now)
    going = [file for file in evidence_of_draft(session, row.id) if file.token == file_token]
    for file in going:
        session.delete(file)
    forget_files(session, going)
    return _touched(session, token, row, now)


def discard(session: Session, token: str) -> None:
    """Throw a draft away, its photos too; a complaint that was filed from it stays."""
    if row := find_draft(session, hash_of(token), lock=True):
        _delete(session, [row])


def sweep_drafts(session: Session, *, now: datetime) -> int:
    """Erase drafts whose time is over, with their photos and any key still waiting. Returns how many."""
    rows = expired_drafts(session, now)
    _delete(session, rows)
    return len(rows)


def _open(session: Session, token: str, now: datetime) -> DraftRow:
    row = find_draft(session, hash_of(token), lock=True)
    if row is None or row.expires_at <= now or row.filed_at:
        raise DraftGone
    return row


def _touched(session: Session, token: str, row: DraftRow, now: datetime) -> Draft:
    row.updated_at = now
    row.expires_at = now + DRAFT_LIVES
    session.flush()
    return _draft(session, token, row)


def _current(row: DraftRow) -> Question:
    if row.question and can_go_to(row.answers, row.question):
        return question(row.question)
    return next_question(row.answers)


def _draft(session: Session, token: str, row: DraftRow) -> Draft:
    current = _current(row)
    files = evidence_of_draft(session, row.id)
    step, steps = progress(row.answers, current)
    return Draft(
        token=token,
        municipality=row.municipality,
        channel=row.channel,
        language=row.language,
        answers=dict(row.answers),
        question=current,
        step=step,
        steps=steps,
        files=tuple(evidence_file(file) for file in files),
        filed=row.filed_at is not None,
        meter=evidence_meter(row.answers, len(files)),
    )


def _delete(session: Session, rows: list[DraftRow]) -> None:
    if not rows:
        return
    forget_files(session, [file for row in rows for file in evidence_of_draft(session, row.id)])
    delete_drafts(session, [row.id for row in rows])
