"""What is kept of a conversation in Telegram: the inbox and what is remembered of a chat.

No chat id and no update id stands here in the clear: rows are found by keyed hashes, and bodies are encrypted
and live until they are handled. Who asked for news of a complaint stands with the complaint, sealed.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index, String, delete, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from portal.storage.base import Base


class TelegramUpdateRow(Base):
    """An update, written before it is acknowledged. Once handled only the key of its id and two instants stay."""

    __tablename__ = "telegram_updates"

    id: Mapped[int] = mapped_column(primary_key=True)
    """Order of arrival, which is the order in which a chat is answered."""
    update_key: Mapped[str] = mapped_column(String(64), unique=True)
    lane: Mapped[str | None] = mapped_column(String(64))
    """Keyed hash of the chat, whose updates are handled one after the other; erased with the body."""
    body: Mapped[bytes | None]
    received_at: Mapped[datetime]
    worked_at: Mapped[datetime | None]
    """When its effect was committed: a second handling, after a crash, only answers."""
    handled_at: Mapped[datetime | None]

    __table_args__ = (Index(None, "handled_at", "id"), Index(None, "lane", "handled_at"))


class TelegramChatRow(Base):
    """What the bot remembers of a chat: a language, a town and the draft being filled in."""

    __tablename__ = "telegram_chats"

    chat_key: Mapped[str] = mapped_column(String(64), primary_key=True)
    language: Mapped[str | None] = mapped_column(String(5))
    municipality: Mapped[str | None] = mapped_column(String(80))
    draft: Mapped[str | None] = mapped_column(String(80))
    """Token of the draft; its erasure is what makes a complaint anonymous towards this database."""
    awaits_contact: Mapped[str | None] = mapped_column(String(10))
    """The ``IdentityMode`` chosen, while the next message is name and contact, which no draft may hold."""
    live: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """The live location being followed: ids of its message and of the answer edited in place, and the route."""


class TelegramLaneRow(Base):
    """A chat whose updates one process of the bot is working, in their order; gone when nothing waits."""

    __tablename__ = "telegram_lanes"

    lane: Mapped[str] = mapped_column(String(64), primary_key=True)
    owner: Mapped[str] = mapped_column(String(32), index=True)
    """A name that a process gives itself at its start."""
    until: Mapped[datetime]
    """Unless it says again that it lives, another process takes the chat over from then on."""


def known_update_keys(session: Session, keys: Collection[str]) -> set[str]:
    return set(
        session.scalars(select(TelegramUpdateRow.update_key).where(TelegramUpdateRow.update_key.in_(keys)))
    )


def find_update(session: Session, update_key: str) -> TelegramUpdateRow | None:
    return session.scalar(select(TelegramUpdateRow).where(TelegramUpdateRow.update_key == update_key))


def waiting_updates(session: Session) -> Sequence[TelegramUpdateRow]:
    """Updates not handled yet, in the order of their arrival."""
    return session.scalars(
        select(TelegramUpdateRow).where(TelegramUpdateRow.handled_at.is_(None)).order_by(TelegramUpdateRow.id)
    ).all()


def erase_updates_of(session: Session, lane: str) -> None:
    """Erase the bodies of a chat's handled and worked updates; those still waiting are erased when handled."""
    session.execute(
        update(TelegramUpdateRow)
        .where(TelegramUpdateRow.lane == lane, TelegramUpdateRow.worked_at.is_not(None))
        .values(body=None, lane=None)
    )


def delete_handled_before(session: Session, moment: datetime) -> None:
    session.execute(delete(TelegramUpdateRow).where(TelegramUpdateRow.handled_at < moment))
