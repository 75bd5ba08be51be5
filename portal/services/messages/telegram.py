"""What a conversation in Telegram needs kept: its inbox, and what is remembered of a chat.

An update is stored before Telegram is told that it arrived, and its effect is committed together with the
note that it had one: a second delivery, or a restart half-way, answers the person without acting twice.
"""

import hashlib
import hmac
import json
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet, MultiFernet
from sqlalchemy.orm import Session

from portal.config import settings
from portal.domain.complaints import Identity, IdentityMode
from portal.domain.errors import DraftGone, NothingHere
from portal.domain.evidence import FILE_LIMIT
from portal.domain.questionnaire import Raw
from portal.sealing.boxes import seal
from portal.sealing.keys import read_public_keys
from portal.services.complaints import filing, intake, notices
from portal.services.complaints.filing import Receipt
from portal.services.messages import outbox
from portal.storage.complaints import find_by_protocol
from portal.storage.prepared import Reader
from portal.storage.telegram import (
    CHAT,
    TelegramChatRow,
    TelegramUpdateRow,
    add_updates,
    chats_in,
    close_erased,
    close_updates,
    delete_handled_before,
    drop_all_lanes,
    drop_files_until,
    drop_lanes,
    erase_updates_of,
    find_update,
    keep_lanes,
    lanes_left,
    lock_lanes,
    put_chats,
    take_lanes,
    waiting_in_lanes,
    waiting_updates,
)

CHANNEL = "telegram"
REMEMBERED = timedelta(days=30)
"""How long the key of a handled update is kept; Telegram repeats an update for a day at most."""
RECEIPT_WAITS = timedelta(minutes=60)
"""The longest that a receipt waits to be delivered; then it is deleted unread."""
REMINDS_AFTER = timedelta(days=1)
"""Since the last answer; a person is reminded of a draft once, and never again."""
LEASE = timedelta(seconds=30)
"""How long a process of the bot keeps a chat without saying that it lives."""
FILES_WAIT = timedelta(hours=1)
"""How long a file that was sent before a complaint waits for one to be begun."""
HEAD_START = timedelta(seconds=30)
"""How long the worker leaves a receipt to the handler that filed, which sends it at once."""


@dataclass(frozen=True, slots=True)
class Chat:
    """What the bot remembers of a chat; all of it is erased by /apagar."""

    language: str | None = None
    municipality: str | None = None
    draft: str | None = None
    awaits_contact: str | None = None
    """The ``IdentityMode`` of a person whose next message is name and contact."""
    live: Mapping[str, Any] | None = None
    """The live location being followed: ``message`` and ``answer`` (ids), ``route`` (town and code, or None)."""
    files: Sequence[Mapping[str, Any]] | None = None
    """Files sent before a complaint was begun, each as the bot described it: see `keep_file`."""


@dataclass(frozen=True, slots=True)
class StoredUpdate:
    """An update in the inbox that waits for its turn; ``lane`` is equal for updates of one chat."""

    update_id: int
    lane: str
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Filed:
    receipt: Receipt
    delivery: int | None
    """The outbox row that sends the receipt should the process stop now; `receipt_delivered` ends it."""


def store_updates(
    session: Session, updates: Sequence[Mapping[str, Any]], *, now: datetime, owner: str | None = None
) -> list[StoredUpdate]:
    """Write updates, as Telegram sent them, into the inbox; those already there are left out of the answer.

    ``owner`` is the process that asks, where several may: it works the chats that no other works now, and is told
    of their updates alone. Whoever works the others finds theirs when it ends: see ``end_lanes``.
    """
    lined, rows = {}, []
    for update in updates:
        key = _key("update", update["update_id"])
        if key in lined:
            continue
        chat = chat_of(update)
        lane = _key("chat", chat) if chat is not None else key
        body = dict(update)
        lined[key] = StoredUpdate(update["update_id"], lane, body)
        sealed = _cipher().encrypt(json.dumps(body).encode())
        rows.append({"update_key": key, "lane": lane, "body": sealed, "received_at": now})
    added = add_updates(session, rows)
    fresh = [stored for key, stored in lined.items() if key in added]
    if owner is None:
        return fresh
    mine = take_lanes(session, {each.lane for each in fresh}, owner, now=now, until=now + LEASE)
    told = [each for each in fresh if mine.get(each.lane) is False]
    for lane in (lane for lane, missed in mine.items() if missed):
        told += waiting_of(session, lane)  # in their order, those known already among them
    return told


def end_lanes(session: Session, lanes: Collection[str], owner: str) -> dict[str, list[StoredUpdate]]:
    """What else waits in chats, stored by other processes meanwhile; those in which nothing does are let go.

    A chat that was taken over is left out: whoever has it answers the rest.
    """
    waiting: dict[str, list[StoredUpdate]] = {lane: [] for lane in lock_lanes(session, lanes, owner)}
    for stored in _read(waiting_in_lanes(session, waiting)):
        waiting[stored.lane].append(stored)
    drop_lanes(session, owner, [lane for lane, left in waiting.items() if not left])
    return waiting


def waiting_of(session: Session, lane: str) -> list[StoredUpdate]:
    """What waits in a chat, in the order of its arrival, whichever process stored it."""
    return _read(waiting_in_lanes(session, [lane]))


def adopt_updates(
    session: Session, owner: str, *, now: datetime, alone: bool = False, limit: int = 200
) -> list[StoredUpdate]:
    """Take up updates of chats that nobody works: of a process that was killed, or that could not go on.

    ``alone`` says that no other process answers this bot: what is left of earlier ones is taken at once.
    """
    if alone:
        drop_all_lanes(session)
        close_erased(session)
    lanes = lanes_left(session, owner, now=None if alone else now, limit=limit)
    mine = lanes if alone else take_lanes(session, lanes, owner, now=now, until=now + LEASE)
    waiting = {lane: waiting_of(session, lane) for lane in lanes if lane in mine}
    # Between the question and the taking the last of a chat may have been answered.
    drop_lanes(session, owner, [lane for lane, left in waiting.items() if not left])
    session.flush()
    return [stored for left in waiting.values() for stored in left]


def keep_working(session: Session, owner: str, *, now: datetime) -> None:
    """Say that a process lives, so that no other takes its chats over."""
    keep_lanes(session, owner, now + LEASE)


def stop_working(session: Session, owner: str) -> None:
    """Let go of every chat: what still waits is anybody's."""
    drop_lanes(session, owner)


def updates_waiting(session: Session) -> list[StoredUpdate]:
    """Updates acknowledged but not handled when the process stopped, in the order of their arrival."""
    waiting = _read(waiting_updates(session))
    session.flush()
    return waiting


def _read(rows: Sequence[TelegramUpdateRow]) -> list[StoredUpdate]:
    waiting = []
    for row in rows:
        if row.body is None:  # its effect was committed and its body erased: nobody is left to answer
            row.handled_at = row.worked_at
            continue
        body = json.loads(_cipher().decrypt(row.body))
        waiting.append(StoredUpdate(body["update_id"], row.lane or row.update_key, body))
    return waiting


def known(session: Session, update_id: int) -> bool:
    """Whether an update has been taken in, handled or not."""
    return find_update(session, _key("update", update_id)) is not None


def mark_worked(session: Session, update_id: int, *, now: datetime) -> bool:
    """Note, in the transaction of the effect itself, that an update had it; False if it already had."""
    row = find_update(session, _key("update", update_id))
    if row is None:
        return True
    if row.worked_at is not None:
        return False
    row.worked_at = now
    session.flush()
    return True


def mark_handled(session: Session, *update_ids: int, now: datetime) -> None:
    """Erase answered updates; what stays is the keyed hash by which a repetition is known."""
    close_updates(session, [_key("update", each) for each in update_ids], now)


def forget_handled(session: Session, *, now: datetime) -> None:
    """Delete the keys of updates that Telegram can no longer repeat, and files for which no complaint was begun."""
    delete_handled_before(session, now - REMEMBERED)
    drop_files_until(session, now)


def read_chat(session: Session | Reader, chat_id: int) -> Chat:
    for row in CHAT.rows(session, {"key": _key("chat", chat_id)}):
        return Chat(*row)
    return Chat()


def read_chats(session: Session, lanes: Collection[str]) -> dict[str, Chat]:
    """What is remembered of chats, by the lane of their updates; of a chat never heard of, nothing but that."""
    found = {key: Chat(*row) for key, *row in chats_in(session, lanes)}
    return {lane: found.get(lane, Chat()) for lane in lanes}


def remember_all(session: Session, told: Iterable[tuple[int, Mapping[str, Any]]]) -> None:
    """`remember` for several chats at once; of one chat told of twice, the later counts."""
    merged: dict[int, dict[str, Any]] = {}
    for chat_id, what in told:
        merged.setdefault(chat_id, {}).update(what)
    by_fields: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for chat_id, what in sorted(merged.items()):
        by_fields.setdefault(tuple(sorted(what)), []).append({"chat_key": _key("chat", chat_id), **what})
    for fields, rows in by_fields.items():
        if fields:
            put_chats(session, fields, rows)


def remember(session: Session, chat_id: int, what: Mapping[str, Any]) -> Chat:
    """Remember some fields of `Chat`, by name; the others stay as they were."""
    row = _chat_row(session, chat_id)
    for name, value in what.items():
        setattr(row, name, value)
    session.flush()
    return read_chat(session, chat_id)


def keep_file(
    session: Session, chat_id: int, file: Mapping[str, Any], *, now: datetime
) -> Sequence[Mapping[str, Any]]:
    """Let a file wait for the complaint that may be begun; all that wait, the latest `FILE_LIMIT`, are answered."""
    row = _chat_row(session, chat_id)
    others = [each for each in row.files or () if each != file]
    row.files = [*others[1 - FILE_LIMIT :], dict(file)]
    row.files_until = now + FILES_WAIT
    session.flush()
    return row.files


def take_files(session: Session, chat_id: int) -> None:
    """The files that waited have been taken into a complaint."""
    row = _chat_row(session, chat_id)
    row.files = row.files_until = None
    session.flush()


def forget_chat(session: Session, chat_id: int) -> None:
    """Erase what the bot knows of a chat: preferences, the draft not yet sent, subscriptions, bodies of updates."""
    key = _key("chat", chat_id)
    if row := session.get(TelegramChatRow, key):
        if row.draft:
            intake.discard(session, row.draft)
        session.delete(row)
    outbox.cancel(session, _reminder_key(chat_id))
    stop_notices(session, chat_id)
    erase_updates_of(session, key)
    session.flush()


def start_draft(
    session: Session,
    chat_id: int,
    *,
    municipality: str,
    language: str,
    prefill: Mapping[str, Raw],
    now: datetime,
) -> intake.Draft:
    """Open a draft for a chat, in place of one it may have; otherwise as ``intake.start_draft``."""
    row = _chat_row(session, chat_id)
    if row.draft:
        intake.discard(session, row.draft)
    draft = intake.start_draft(
        session, municipality=municipality, channel=CHANNEL, language=language, now=now, prefill=prefill
    )
    row.draft, row.awaits_contact, row.municipality = draft.token, None, draft.municipality
    session.flush()
    _remind_later(session, chat_id, now)
    return draft


def reminder_due(session: Session, chat_id: int, *, now: datetime) -> tuple[str, timedelta | None] | None:
    """The language of the one reminder of a draft, and how long it has yet to wait; None when nothing is begun."""
    row = session.get(TelegramChatRow, _key("chat", chat_id))
    touched = intake.last_answered(session, row.draft, now=now) if row and row.draft else None
    if row is None or touched is None:
        return None
    language, at = touched
    wait = at + REMINDS_AFTER - now
    return row.language or language, wait if wait > timedelta(0) else None


def _remind_later(session: Session, chat_id: int, now: datetime) -> None:
    """Leave the one reminder of a draft for the worker; who is reminded, only the worker reads."""
    notice = read_public_keys(settings().public_keys).notice
    if notice is None:
        return
    record = f"outbox.sealed/{secrets.token_hex(8)}"
    outbox.cancel(session, _reminder_key(chat_id))
    outbox.enqueue(
        session,
        CHANNEL,
        {"what": "reminder"},
        now=now,
        due=now + REMINDS_AFTER,
        expires=now + intake.DRAFT_LIVES,
        sealed=seal(str(chat_id).encode(), notice, record=record),
        record=record,
        dedupe_key=_reminder_key(chat_id),
    )


def _reminder_key(chat_id: int) -> str:
    return f"reminder/{_key('reminder', chat_id)}"


def drop_draft(session: Session, chat_id: int) -> bool:
    """Throw away what a chat has begun; False when there was nothing."""
    row = _chat_row(session, chat_id)
    token, row.draft, row.awaits_contact = row.draft, None, None
    row.files = row.files_until = None
    outbox.cancel(session, _reminder_key(chat_id))
    if token:
        intake.discard(session, token)
    session.flush()
    return token is not None


def file_from_chat(session: Session, chat_id: int, identity: Identity, *, now: datetime) -> Filed:
    """File the draft of a chat. In the same transaction everything that ties the chat to the complaint is
    erased: draft, link and the bodies of its updates; only a receipt, sealed to the notice key, waits in the
    outbox for an hour at most.

    Raises what ``filing.file_complaint`` raises; ``DraftGone`` also when the chat has no draft.
    """
    row = _chat_row(session, chat_id)
    if not row.draft:
        raise DraftGone
    token = row.draft
    receipt = filing.file_complaint(session, token, identity, now=now)
    if receipt.identity_mode is not IdentityMode.ANONYMOUS:
        filing.keep_key(session, token)  # the chat itself keeps the message with the key
    row.draft, row.awaits_contact, row.files, row.files_until = None, None, None, None
    outbox.cancel(session, _reminder_key(chat_id))
    erase_updates_of(session, row.chat_key)
    session.flush()
    return Filed(receipt, _enqueue_receipt(session, chat_id, receipt, now=now))


def receipt_delivered(session: Session, delivery: int) -> None:
    """The receipt has reached the chat: its copy in the outbox is deleted."""
    outbox.done(session, delivery)


def _enqueue_receipt(session: Session, chat_id: int, receipt: Receipt, *, now: datetime) -> int | None:
    notice = read_public_keys(settings().public_keys).notice
    if notice is None:  # only where no worker could open it; `portal keys new` makes the key
        return None
    record = f"outbox.sealed/{secrets.token_hex(8)}"
    told = {"chat": chat_id, "receipt": asdict(receipt)}
    return outbox.enqueue(
        session,
        CHANNEL,
        {"what": "receipt"},
        now=now,
        due=now + HEAD_START,
        expires=now + RECEIPT_WAITS,
        sealed=seal(json.dumps(told, default=_iso).encode(), notice, record=record),
        record=record,
    )


def read_receipt(box: bytes) -> tuple[int, Receipt]:
    """The chat and the receipt that `file_from_chat` sealed, once the worker has opened them."""
    told = json.loads(box)
    fields = told["receipt"]
    fields["filed_at"] = datetime.fromisoformat(fields["filed_at"])
    fields["due_on"] = date.fromisoformat(fields["due_on"])
    fields["identity_mode"] = IdentityMode(fields["identity_mode"])
    return told["chat"], Receipt(**fields)


def subscribe(session: Session, chat_id: int, protocol: str) -> bool:
    """Let a chat have news of a complaint; False when it has them already, or no worker could send any.

    The edge has checked protocol and key before it offers this. Raises ``NothingHere`` for no such complaint.
    """
    complaint = find_by_protocol(session, protocol)
    if complaint is None:
        raise NothingHere(protocol)
    keys = read_public_keys(settings().public_keys)
    address = str(chat_id)
    if keys.notice is None or notices.has_news(session, complaint, CHANNEL, address):
        return False
    notices.add_notice_address(session, complaint, CHANNEL, address, keys)
    session.flush()
    return True


def stop_notices(session: Session, chat_id: int) -> int:
    """End every subscription of a chat; how many there were."""
    return notices.stop_news(session, CHANNEL, str(chat_id))


def chat_of(update: Mapping[str, Any]) -> int | None:
    """The chat, or failing it the person, that an update as Telegram sent it belongs to."""
    for part in _parts(update):
        for holder in (part.get("message"), part):
            chat = holder.get("chat") if isinstance(holder, Mapping) else None
            if isinstance(chat, Mapping) and isinstance(chat.get("id"), int):
                return int(chat["id"])
        sender = part.get("from") or part.get("user")
        if isinstance(sender, Mapping) and isinstance(sender.get("id"), int):
            return int(sender["id"])
    return None


def _parts(update: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    return (part for part in update.values() if isinstance(part, Mapping))


def _chat_row(session: Session, chat_id: int) -> TelegramChatRow:
    key = _key("chat", chat_id)
    row = session.get(TelegramChatRow, key)
    if row is None:
        row = TelegramChatRow(chat_key=key)
        session.add(row)
    return row


def _key(kind: str, identifier: int) -> str:
    """Keyed hash of an id: equal for equal ids, and worthless to whoever has the database alone.

    By the oldest secret held, so that a rotation leaves everybody's chat where it was.
    """
    secret = settings().secrets[-1].encode()
    return hmac.new(secret, f"telegram-{kind}:{identifier}".encode(), hashlib.sha256).hexdigest()


def _cipher() -> MultiFernet:
    return _cipher_of(settings().secrets)


@lru_cache(maxsize=2)
def _cipher_of(secrets: tuple[str, ...]) -> MultiFernet:
    derived = [hmac.new(one.encode(), b"telegram-inbox", hashlib.sha256).digest() for one in secrets]
    return MultiFernet([Fernet(urlsafe_b64encode(key)) for key in derived])


def _iso(value: date) -> str:
    return value.isoformat()
