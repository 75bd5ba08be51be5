"""Taking a complaint: a draft answers one question at a time, in any channel, and files once.

A service here never learns who asks beyond the draft's token; no address, browser or chat is stored.
"""

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from portal.config import settings
from portal.domain.access_keys import keyed_hash, new_access_key
from portal.domain.borders import beside, names_highway, names_intercity
from portal.domain.complaints import ComplaintStatus, Identity, IdentityMode, Sender
from portal.domain.deadlines import due_date
from portal.domain.errors import (
    AnswerMissing,
    DraftGone,
    IdentityNotTaken,
    NothingHere,
    PortalError,
    UnknownOption,
    UnreadableQuery,
    UploadLinkSpent,
)
from portal.domain.names import fold
from portal.domain.plates import PlateQuery, identify
from portal.domain.protocols import new_protocol
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
from portal.domain.said_vehicles import SaidVehicle
from portal.regulations import catalogue
from portal.regulations.borders import outline
from portal.sealing.boxes import seal
from portal.sealing.keys import PublicKeys, read_public_keys
from portal.sealing.secrets import decrypt, encrypt
from portal.services.complaints.evidence import (
    EvidenceFile,
    evidence_file,
    forget_files,
    forget_mismatches,
    keep_file,
    name_when_filed,
)
from portal.services.complaints.notices import add_notice_address
from portal.services.complaints.stored_files import StoredFile
from portal.services.itineraries.showing import list_itineraries, show_stop
from portal.services.register.snapshots import service_of, take_snapshot
from portal.storage.complaints import (
    ComplaintEventRow,
    ComplaintRow,
    SealedIdentityRow,
    find_by_draft,
    identity_record,
)
from portal.storage.drafts import (
    DraftRow,
    delete_drafts,
    evidence_of_complaint,
    evidence_of_draft,
    expired_drafts,
    find_by_upload,
    find_draft,
)

DRAFT_LIVES = timedelta(days=10)
"""From the last answer: a week away and a little more."""
UPLOAD_LIVES = timedelta(hours=24)
"""How long the link waits with which a chat sends somebody to the browser."""
FACTS = ("vehicle", "where", "here", "when")
"""Answers that go along with a complaint as they are."""
KEY_MINUTES = 60
"""How long the access key can be shown again after filing, unless "I have kept it" comes first."""


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


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a person takes home. Only ever made from a complaint that is stored; show it after the commit."""

    protocol: str
    access_key: str | None
    """Six words; None once kept, or 60 minutes after filing."""
    municipality: str
    filed_at: datetime
    due_on: date
    """The last day for an answer by law, in the municipality's calendar."""
    due_article: str
    identity_mode: IdentityMode
    language: str
    photos: int
    category: str = ""
    here: str | None = None
    """What was answered to "was it here?", where that was asked."""


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
        token_hash=_hash(token),
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
            value = _named(session, municipality, asked, parse_answer(asked, raw, around), now)
            answers = with_answer(answers, asked, value)
        except PortalError:
            continue
    return answers


def takes_identity(municipality: str) -> bool:
    """Whether an identity can be sealed here; anonymous complaints are taken everywhere."""
    return municipality in read_public_keys(settings().public_keys).identity


def read_draft(session: Session, token: str, *, now: datetime) -> Draft:
    """The draft of a token, filed or not; raises ``DraftGone``."""
    row = find_draft(session, _hash(token))
    if row is None or row.expires_at <= now:
        raise DraftGone
    return _draft(session, token, row)


def last_answered(session: Session, token: str, *, now: datetime) -> tuple[str, datetime] | None:
    """The language of an open draft and the instant of its last change; None when it is filed or gone."""
    row = find_draft(session, _hash(token))
    if row is None or row.expires_at <= now or row.filed_at:
        return None
    return row.language, row.updated_at


def answer(session: Session, token: str, question_id: str, raw: Raw, *, now: datetime) -> Draft:
    """Answer one question, asked now or earlier; the draft then asks the first that has no answer.

    Raises what ``parse_answer`` raises, and ``DraftGone``. The identity is not answered here: see ``file_complaint``.
    """
    row = _open(session, token, now)
    asked = question(question_id)
    if asked.kind is Kind.IDENTITY:
        raise ValueError("an identity is never in a draft")
    value = parse_answer(asked, raw, circumstances(row.municipality, now=now))
    value = _named(session, row.municipality, asked, value, now)
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
    row.upload_hash, row.upload_until = _hash(upload), now + UPLOAD_LIVES
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
    row = find_by_upload(session, _hash(upload))
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
    if row := find_draft(session, _hash(token), lock=True):
        _delete(session, [row])


def file_complaint(session: Session, token: str, identity: Identity, *, now: datetime) -> Receipt:
    """Make the draft a complaint, once: pressing twice gives the same receipt.

    The draft's answers are erased; the key waits in it for ``KEY_MINUTES``. An anonymous draft of Telegram goes
    whole in this transaction, so there the receipt of a second call has no key.

    Raises:
        DraftGone: there is no such draft, and no complaint came of it.
        AnswerMissing: the questionnaire is not at its last question.
        IdentityNotTaken: this municipality has no key to seal an identity to; anonymous complaints are taken.
    """
    token_hash = _hash(token)
    row = find_draft(session, token_hash, lock=True)
    if filed := find_by_draft(session, token_hash):
        return _receipt(session, filed, row, now)
    if row is None or row.expires_at <= now or row.filed_at:
        raise DraftGone
    missing = next_question(row.answers)
    if missing.kind is not Kind.IDENTITY:
        raise AnswerMissing(missing.id)

    keys = read_public_keys(settings().public_keys)
    if identity.mode is not IdentityMode.ANONYMOUS and row.municipality not in keys.identity:
        raise IdentityNotTaken(row.municipality)
    access_key = new_access_key()
    complaint = _register(session, row, identity.mode, access_key, now)
    if identity.mode is not IdentityMode.ANONYMOUS:
        _seal_identity(session, complaint, identity, keys, now)
    for number, file in enumerate(evidence_of_draft(session, row.id), start=1):
        file.name = name_when_filed(file, number)
        file.draft_id, file.complaint_id = None, complaint.id

    row.answers, row.question, row.filed_at = {}, None, now
    row.upload_hash = row.upload_until = None
    row.expires_at = now + timedelta(minutes=KEY_MINUTES)
    row.access_key_box = encrypt(
        access_key, settings().secret_key.get_secret_value(), purpose=_KEY_PURPOSE, now=now
    )
    session.flush()
    receipt = _receipt(session, complaint, row, now)
    if row.channel == "telegram" and identity.mode is IdentityMode.ANONYMOUS:
        session.delete(row)
        session.flush()
    return receipt


def receipt_of(session: Session, token: str, *, now: datetime) -> Receipt:
    """The receipt again, for the browser or chat that filed; raises ``DraftGone`` when nothing was filed."""
    token_hash = _hash(token)
    filed = find_by_draft(session, token_hash)
    row = find_draft(session, token_hash)
    if filed is None or row is None or row.expires_at <= now:
        raise DraftGone
    return _receipt(session, filed, row, now)


def keep_key(session: Session, token: str) -> None:
    """ "I have kept it": the portal forgets the key and from now on only knows its hash."""
    if row := find_draft(session, _hash(token), lock=True):
        row.access_key_box = None
        session.flush()


def sweep_drafts(session: Session, *, now: datetime) -> int:
    """Erase drafts whose time is over, with their photos and any key still waiting. Returns how many."""
    rows = expired_drafts(session, now)
    _delete(session, rows)
    return len(rows)


_KEY_PURPOSE = "access key"


def _named(session: Session, municipality: str, asked: Question, value: Any, now: datetime) -> Any:
    """A place or vehicle with what only the town's data tell of it.

    A stop or a line keeps its name, so that a later timetable cannot change what was said; ``beside`` says why
    it may be the matter of another government: ``border``, ``road`` or ``between``.
    """
    if asked.kind is Kind.PLACE:
        value = _named_place(session, municipality, value, now)
        if value["kind"] == "typed" and names_highway(value["text"]):
            return {**value, "beside": "road"}
        if "latitude" in value and beside(outline(municipality), value["latitude"], value["longitude"]):
            return {**value, "beside": "border"}
    if asked.kind is Kind.VEHICLE:
        value = _named_vehicle(session, municipality, value, now)
    if value and isinstance(value, dict) and names_intercity(str(value.get("text", ""))):
        return {**value, "beside": "between"}
    return value


def _named_place(session: Session, municipality: str, place: dict[str, Any], now: datetime) -> dict[str, Any]:
    if place["kind"] != "stop":
        return place
    try:
        stop = show_stop(session, municipality, place["code"], at=now).stop
    except NothingHere:
        raise UnknownOption("where", place["code"]) from None
    return {**place, "name": stop.name}


def _named_vehicle(
    session: Session, municipality: str, vehicle: dict[str, Any], now: datetime
) -> dict[str, Any]:
    """A line by its name, whether it was chosen from the list or typed as it is called."""
    if vehicle["kind"] == "line":
        lines = dict(lines_of(session, municipality, now=now))
        if vehicle["code"] not in lines:
            raise UnknownOption("vehicle", vehicle["code"])
        return {**vehicle, "text": lines[vehicle["code"]]}
    if vehicle.get("as") == SaidVehicle.DESCRIPTION:
        called = fold(vehicle["text"])
        for code, name in lines_of(session, municipality, now=now):
            if fold(name) == called:
                return {"kind": "line", "code": code, "text": name}
    return vehicle


def lines_of(session: Session, municipality: str, *, now: datetime) -> tuple[tuple[str, str], ...]:
    """Code and name of each itinerary: who saw no plate may know the line."""
    town = catalogue.municipality(municipality)
    listed = list_itineraries(session, municipality, on=town.civil_day(now)).itineraries
    return tuple((one.code, one.name) for one in listed)


def _register(
    session: Session, row: DraftRow, mode: IdentityMode, access_key: str, now: datetime
) -> ComplaintRow:
    town = catalogue.municipality(row.municipality)
    filed_on = town.civil_day(now)
    rule = catalogue.answer_time("ombudsman", filed_on)
    what, vehicle = row.answers["what"], row.answers.get("vehicle")
    protocol = new_protocol()
    pepper = settings().access_key_pepper.get_secret_value().encode()
    snapshot = take_snapshot(session, town, vehicle, row.answers.get("when"), now=now)
    complaint = ComplaintRow(
        municipality=row.municipality,
        protocol=protocol,
        draft=row.token_hash,
        kind=what["kind"],
        category=what["category"],
        fast_lane=catalogue.category(what["category"]).fast_lane,
        status=str(ComplaintStatus.REGISTERED),
        channel=row.channel,
        language=row.language,
        facts={fact: row.answers[fact] for fact in FACTS if fact in row.answers},
        story=row.answers.get("story"),
        plate_key=_plate_key(vehicle),
        snapshot=snapshot,
        service=service_of(town, what["category"], snapshot),
        filed_at=now,
        due_on=due_date(filed_on, rule, town.is_holiday),
        due_article=rule.article,
        identity_mode=str(mode),
        access_key_hash=keyed_hash(access_key, protocol, pepper),
        access_key_pepper_id=settings().access_key_pepper_id,
    )
    session.add(complaint)
    session.flush()
    session.add(
        ComplaintEventRow(
            complaint_id=complaint.id, at=now, status=complaint.status, actor=str(Sender.CITIZEN)
        )
    )
    return complaint


def _seal_identity(
    session: Session, complaint: ComplaintRow, identity: Identity, keys: PublicKeys, now: datetime
) -> None:
    """Name and contact go to the ombudsman's key, the e-mail address once more to the worker's."""
    told = {"name": identity.name, "email": identity.email, "phone": identity.phone}
    key = keys.identity[complaint.municipality]
    session.add(
        SealedIdentityRow(
            complaint_id=complaint.id,
            key_id=key.id,
            box=seal(json.dumps(told).encode(), key, record=identity_record(complaint.protocol)),
            sealed_at=now,
        )
    )
    if identity.email and keys.notice:
        add_notice_address(session, complaint, "mail", identity.email, keys)


def _plate_key(vehicle: Mapping[str, Any] | None) -> str | None:
    if not vehicle or vehicle["kind"] != "typed":
        return None
    try:
        read = identify(vehicle["text"])
    except UnreadableQuery:
        return None
    return read.key if isinstance(read, PlateQuery) else None


def _receipt(session: Session, complaint: ComplaintRow, row: DraftRow | None, now: datetime) -> Receipt:
    access_key = None
    if row and row.access_key_box:
        secret = settings().secret_key.get_secret_value()
        access_key = decrypt(row.access_key_box, secret, purpose=_KEY_PURPOSE, now=now, minutes=KEY_MINUTES)
    return Receipt(
        protocol=complaint.protocol,
        access_key=access_key,
        municipality=complaint.municipality,
        filed_at=complaint.filed_at,
        due_on=complaint.due_on,
        due_article=complaint.due_article,
        identity_mode=IdentityMode(complaint.identity_mode),
        language=complaint.language,
        photos=len(evidence_of_complaint(session, complaint.id)),
        category=complaint.category,
        here=(complaint.facts.get("here") or {}).get("kind"),
    )


def _open(session: Session, token: str, now: datetime) -> DraftRow:
    row = find_draft(session, _hash(token), lock=True)
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


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
