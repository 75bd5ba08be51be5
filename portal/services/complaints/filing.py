"""Filing a complaint: the draft becomes one, once, and whoever sent it gets a receipt.

The identity is sealed here and stands nowhere else; the public portal cannot open it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from portal.config import settings
from portal.domain.access_keys import keyed_hash, new_access_key
from portal.domain.complaints import ComplaintStatus, Identity, IdentityMode, Sender
from portal.domain.deadlines import due_date
from portal.domain.errors import (
    AnswerMissing,
    DraftGone,
    IdentityNotTaken,
    UnreadableQuery,
)
from portal.domain.plates import PlateQuery, identify
from portal.domain.protocols import new_protocol
from portal.domain.questionnaire import (
    Kind,
    next_question,
)
from portal.regulations import catalogue
from portal.sealing.boxes import seal
from portal.sealing.keys import PublicKeys, read_public_keys
from portal.sealing.secrets import decrypt, encrypt
from portal.services.complaints.evidence import (
    name_when_filed,
)
from portal.services.complaints.notices import add_notice_address
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
    evidence_of_complaint,
    evidence_of_draft,
    find_draft,
    hash_of,
)

FACTS = ("vehicle", "where", "here", "when")
"""Answers that go along with a complaint as they are."""


KEY_MINUTES = 60
"""How long the access key can be shown again after filing, unless "I have kept it" comes first."""


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


def takes_identity(municipality: str) -> bool:
    """Whether an identity can be sealed here; anonymous complaints are taken everywhere."""
    return municipality in read_public_keys(settings().public_keys).identity


def file_complaint(session: Session, token: str, identity: Identity, *, now: datetime) -> Receipt:
    """Make the draft a complaint, once: pressing twice gives the same receipt.

    The draft's answers are erased; the key waits in it for ``KEY_MINUTES``. An anonymous draft of Telegram goes
    whole in this transaction, so there the receipt of a second call has no key.

    Raises:
        DraftGone: there is no such draft, and no complaint came of it.
        AnswerMissing: the questionnaire is not at its last question.
        IdentityNotTaken: this municipality has no key to seal an identity to; anonymous complaints are taken.
    """
    token_hash = hash_of(token)
    row = find_draft(session, token_hash, lock=True)
    # Locked and not filed, it cannot become a complaint beside us: only then is nobody asked for one.
    if (row is None or row.filed_at) and (filed := find_by_draft(session, token_hash)):
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
    files = evidence_of_draft(
        session, row.id
    )  # read first: a question in between would write what stands by then
    complaint = _register(session, row, identity.mode, access_key, now)
    if identity.mode is not IdentityMode.ANONYMOUS:
        _seal_identity(session, complaint, identity, keys, now)
    for number, file in enumerate(files, start=1):
        file.name = name_when_filed(file, number)
        file.draft_id, file.complaint_id = None, complaint.id

    row.answers, row.question, row.filed_at = {}, None, now
    row.upload_hash = row.upload_until = None
    row.expires_at = now + timedelta(minutes=KEY_MINUTES)
    row.access_key_box = encrypt(access_key, settings().secrets, purpose=_KEY_PURPOSE, now=now)
    session.flush()
    receipt = _told(complaint, access_key, photos=len(files))
    if row.channel == "telegram" and identity.mode is IdentityMode.ANONYMOUS:
        session.delete(row)
        session.flush()
    return receipt


def receipt_of(session: Session, token: str, *, now: datetime) -> Receipt:
    """The receipt again, for the browser or chat that filed; raises ``DraftGone`` when nothing was filed."""
    token_hash = hash_of(token)
    filed = find_by_draft(session, token_hash)
    row = find_draft(session, token_hash)
    if filed is None or row is None or row.expires_at <= now:
        raise DraftGone
    return _receipt(session, filed, row, now)


def keep_key(session: Session, token: str) -> None:
    """ "I have kept it": the portal forgets the key and from now on only knows its hash."""
    if row := find_draft(session, hash_of(token), lock=True):
        row.access_key_box = None
        session.flush()


_KEY_PURPOSE = "access key"


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
        access_key = decrypt(
            row.access_key_box, settings().secrets, purpose=_KEY_PURPOSE, now=now, minutes=KEY_MINUTES
        )
    return _told(complaint, access_key, photos=len(evidence_of_complaint(session, complaint.id)))


def _told(complaint: ComplaintRow, access_key: str | None, *, photos: int) -> Receipt:
    return Receipt(
        protocol=complaint.protocol,
        access_key=access_key,
        municipality=complaint.municipality,
        filed_at=complaint.filed_at,
        due_on=complaint.due_on,
        due_article=complaint.due_article,
        identity_mode=IdentityMode(complaint.identity_mode),
        language=complaint.language,
        photos=photos,
        category=complaint.category,
        here=(complaint.facts.get("here") or {}).get("kind"),
    )
