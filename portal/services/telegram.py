"""What a conversation in Telegram needs kept: its inbox, and what is remembered of a chat.

An update is stored before Telegram is told that it arrived, and its effect is committed together with the
note that it had one: a second delivery, or a restart half-way, answers the person without acting twice.
"""

import hashlib
import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from cryptography.fernet import Fernet
from sqlalchemy.orm import Session

from portal.config import settings
from portal.storage.telegram import (
    TelegramChatRow,
    TelegramUpdateRow,
    delete_handled_before,
    erase_updates_of,
    find_update,
    known_update_keys,
    waiting_updates,
)

REMEMBERED = timedelta(days=30)
"""How long the key of a handled update is kept; Telegram repeats an update for a day at most."""


@dataclass(frozen=True, slots=True)
class Chat:
    """What the bot remembers of a chat; all of it is erased by /apagar."""

    language: str | None = None
    municipality: str | None = None
    draft: str | None = None
    awaits_contact: bool = False


@dataclass(frozen=True, slots=True)
class StoredUpdate:
    """An update in the inbox that waits for its turn; ``lane`` is equal for updates of one chat."""

    update_id: int
    lane: str
    body: dict[str, Any]


def store_updates(session: Session, updates: Sequence[Mapping[str, Any]], *, now: datetime) -> list[StoredUpdate]:
    """Write updates, as Telegram sent them, into the inbox; those already there are left out of the answer."""
    keyed = {_key("update", update["update_id"]): update for update in updates}
    known = known_update_keys(session, keyed)
    fresh = []
    for key, update in keyed.items():
        if key in known:
            continue
        chat = chat_of(update)
        lane = _key("chat", chat) if chat is not None else key
        body = dict(update)
        session.add(
            TelegramUpdateRow(
                update_key=key, lane=lane, body=_cipher().encrypt(json.dumps(body).encode()), received_at=now
            )
        )
        fresh.append(StoredUpdate(update["update_id"], lane, body))
    session.flush()
    return fresh


def updates_waiting(session: Session) -> list[StoredUpdate]:
    """Updates acknowledged but not handled when the process stopped, in the order of their arrival."""
    waiting = []
    for row in waiting_updates(session):
        if row.body is None:  # its effect was committed and its body erased: nobody is left to answer
            row.handled_at = row.worked_at
            continue
        body = json.loads(_cipher().decrypt(row.body))
        waiting.append(StoredUpdate(body["update_id"], row.lane or row.update_key, body))
    session.flush()
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


def mark_handled(session: Session, update_id: int, *, now: datetime) -> None:
    """Erase an answered update; what stays is the keyed hash by which a repetition is known."""
    row = find_update(session, _key("update", update_id))
    if row is None:
        return
    row.worked_at = row.worked_at or now
    row.handled_at = now
    row.body = row.lane = None
    session.flush()


def forget_handled(session: Session, *, now: datetime) -> None:
    """Delete the keys of updates that Telegram can no longer repeat."""
    delete_handled_before(session, now - REMEMBERED)


def read_chat(session: Session, chat_id: int) -> Chat:
    row = session.get(TelegramChatRow, _key("chat", chat_id))
    return Chat(row.language, row.municipality, row.draft, row.awaits_contact) if row else Chat()


def remember(session: Session, chat_id: int, **what: Any) -> Chat:
    """Remember some fields of `Chat`; the others stay as they were."""
    row = _chat_row(session, chat_id)
    for name, value in what.items():
        setattr(row, name, value)
    session.flush()
    return read_chat(session, chat_id)


def forget_chat(session: Session, chat_id: int) -> None:
    """Erase what the bot knows of a chat: preferences, link to a draft, bodies of updates."""
    key = _key("chat", chat_id)
    if row := session.get(TelegramChatRow, key):
        session.delete(row)
    erase_updates_of(session, key)
    session.flush()


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
        row = TelegramChatRow(chat_key=key, awaits_contact=False)
        session.add(row)
    return row


def _key(kind: str, identifier: int) -> str:
    """Keyed hash of an id: equal for equal ids, and worthless to whoever has the database alone."""
    secret = settings().secret_key.get_secret_value().encode()
    return hmac.new(secret, f"telegram-{kind}:{identifier}".encode(), hashlib.sha256).hexdigest()


def _cipher() -> Fernet:
    secret = settings().secret_key.get_secret_value().encode()
    return Fernet(urlsafe_b64encode(hmac.new(secret, b"telegram-inbox", hashlib.sha256).digest()))
