"""What is kept of a conversation in Telegram: the inbox and what is remembered of a chat.

No chat id and no update id stands here in the clear: rows are found by keyed hashes, and bodies are encrypted
and live until they are handled. Who asked for news of a complaint stands with the complaint, sealed.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    JSON,
    Index,
    String,
    bindparam,
    delete,
    func,
    null,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Mapped, Session, mapped_column

from portal.storage.base import Base, Instant
from portal.storage.prepared import Prepared


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
    files: Mapped[list[dict[str, Any]] | None] = mapped_column(JSON(none_as_null=True))
    """Files sent before a complaint is begun, as the bot finds them again."""
    files_until: Mapped[datetime | None] = mapped_column(index=True)
    """When they are forgotten."""


class TelegramLaneRow(Base):
    """A chat whose updates one process of the bot is working, in their order; gone when nothing waits."""

    __tablename__ = "telegram_lanes"

    lane: Mapped[str] = mapped_column(String(64), primary_key=True)
    owner: Mapped[str] = mapped_column(String(32), index=True)
    """A name that a process gives itself at its start."""
    until: Mapped[datetime]
    """Unless it says again that it lives, another process takes the chat over from then on."""
    missed: Mapped[bool] = mapped_column(default=False)
    """Another process has stored an update of this chat, of which the owner does not know."""


CHAT = Prepared(
    select(
        TelegramChatRow.language,
        TelegramChatRow.municipality,
        TelegramChatRow.draft,
        TelegramChatRow.awaits_contact,
        TelegramChatRow.live,
        TelegramChatRow.files,
    ).where(TelegramChatRow.chat_key == bindparam("key"))
)
"""What is remembered of a chat, in the order of ``portal.services.messages.telegram.Chat``; asked for every update."""


_REMEMBERED = ("language", "municipality", "draft", "awaits_contact", "live", "files")
_CHATS, _UPDATES = (Base.metadata.tables[row.__tablename__] for row in (TelegramChatRow, TelegramUpdateRow))


def chats_in(session: Session, keys: Collection[str]) -> Sequence[Any]:
    """Of each chat that is remembered: its key, then what `CHAT` tells."""
    if not keys:
        return ()
    columns = (_CHATS.c[name] for name in ("chat_key", *_REMEMBERED))
    return session.connection().execute(select(*columns).where(_CHATS.c.chat_key.in_(keys))).all()


def put_chats(session: Session, fields: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Write some fields of chats, each with its ``chat_key``; what else is remembered of them stays."""
    session.flush()
    session.connection().execute(_put_chats(session.get_bind().dialect.name, tuple(fields)), list(rows))
    session.expire_all()


@lru_cache(maxsize=64)
def _put_chats(dialect: str, fields: tuple[str, ...]) -> Any:
    statement = _INSERT[dialect](_CHATS)
    return statement.on_conflict_do_update(
        index_elements=["chat_key"], set_={name: statement.excluded[name] for name in fields}
    )


def add_updates(session: Session, rows: Sequence[Mapping[str, Any]]) -> set[str]:
    """Write updates, each with its key, lane, body and the instant it was received, in this order.

    Answers the keys of those that were not there yet. Where another process is storing one of them now, this waits
    for its commit.
    """
    if not rows:
        return set()
    statement = _INSERT[session.get_bind().dialect.name](_UPDATES)
    added = statement.on_conflict_do_nothing(index_elements=["update_key"]).returning(_UPDATES.c.update_key)
    return set(session.connection().execute(added, list(rows)).scalars())


def close_updates(session: Session, update_keys: Collection[str], moment: datetime) -> None:
    """Note that updates are handled, and erase them."""
    session.flush()
    session.connection().execute(_CLOSE, [{"key": key, "moment": moment} for key in update_keys])
    session.expire_all()


_INSERT: dict[str, Any] = {"postgresql": postgresql.insert, "sqlite": sqlite.insert}
_CLOSE = (
    update(_UPDATES)
    .where(_UPDATES.c.update_key == bindparam("key"))
    .values(
        body=null(),
        lane=null(),
        handled_at=bindparam("moment"),
        worked_at=func.coalesce(_UPDATES.c.worked_at, bindparam("moment", type_=Instant)),
    )
)


def find_update(session: Session, update_key: str) -> TelegramUpdateRow | None:
    return session.scalar(select(TelegramUpdateRow).where(TelegramUpdateRow.update_key == update_key))


def waiting_updates(session: Session) -> Sequence[TelegramUpdateRow]:
    """Updates not handled yet, in the order of their arrival."""
    return session.scalars(
        select(TelegramUpdateRow).where(TelegramUpdateRow.handled_at.is_(None)).order_by(TelegramUpdateRow.id)
    ).all()


def take_lanes(
    session: Session, lanes: Collection[str], owner: str, *, now: datetime, until: datetime
) -> dict[str, bool]:
    """Make ``owner`` work these chats until an instant, those that nobody else works now.

    Answers which it got, each with whether others have stored updates that it does not know of. The row of a chat
    is locked until the transaction ends, also where another has it: see ``lock_lanes``.
    """
    if not lanes:
        return {}
    upsert = _INSERT[session.get_bind().dialect.name](TelegramLaneRow)
    taken = upsert.values(
        [{"lane": lane, "owner": owner, "until": until, "missed": False} for lane in sorted(lanes)]
    )
    free = (TelegramLaneRow.owner == owner) | (TelegramLaneRow.until <= now)
    # What a silent owner left is not known to the new one either.
    missed = or_(TelegramLaneRow.missed, TelegramLaneRow.owner != owner)
    answer = session.execute(
        taken.on_conflict_do_update(
            index_elements=["lane"], set_={"owner": owner, "until": until, "missed": missed}, where=free
        ).returning(TelegramLaneRow.lane, TelegramLaneRow.missed)
    )
    mine = {row.lane: row.missed for row in answer}
    _note_missed(session, set(lanes) - mine.keys(), missed=True)
    _note_missed(session, {lane for lane, missed in mine.items() if missed}, missed=False)
    return mine


def _note_missed(session: Session, lanes: Collection[str], *, missed: bool) -> None:
    if lanes:
        session.execute(update(TelegramLaneRow).where(TelegramLaneRow.lane.in_(lanes)).values(missed=missed))


def lock_lanes(session: Session, lanes: Collection[str], owner: str) -> Sequence[str]:
    """Hold the rows of chats until the transaction ends; which of them ``owner`` works still.

    Whoever stores an update of such a chat meanwhile waits, and then finds the row as this transaction leaves it.
    All take the rows in one order, so that no two wait for each other.
    """
    held = select(TelegramLaneRow.lane).where(TelegramLaneRow.lane.in_(lanes), TelegramLaneRow.owner == owner)
    return session.scalars(held.order_by(TelegramLaneRow.lane).with_for_update()).all()


def drop_lanes(session: Session, owner: str, lanes: Collection[str] | None = None) -> None:
    """Leave chats, or all of an owner, to whoever comes next."""
    gone = delete(TelegramLaneRow).where(TelegramLaneRow.owner == owner)
    session.execute(gone if lanes is None else gone.where(TelegramLaneRow.lane.in_(lanes)))


def close_erased(session: Session) -> None:
    """Updates whose effect was committed and whose body was erased with it: nobody is left to answer."""
    session.execute(
        update(TelegramUpdateRow)
        .where(TelegramUpdateRow.handled_at.is_(None), TelegramUpdateRow.body.is_(None))
        .values(handled_at=TelegramUpdateRow.worked_at)
    )


def drop_all_lanes(session: Session) -> None:
    session.execute(delete(TelegramLaneRow))


def keep_lanes(session: Session, owner: str, until: datetime) -> None:
    session.execute(update(TelegramLaneRow).where(TelegramLaneRow.owner == owner).values(until=until))


def waiting_in_lanes(session: Session, lanes: Collection[str]) -> Sequence[TelegramUpdateRow]:
    """Updates of chats that are not handled yet, in the order of their arrival."""
    if not lanes:
        return ()
    return session.scalars(
        select(TelegramUpdateRow)
        .where(TelegramUpdateRow.lane.in_(lanes), TelegramUpdateRow.handled_at.is_(None))
        .order_by(TelegramUpdateRow.id)
    ).all()


def lanes_left(session: Session, owner: str, *, now: datetime | None, limit: int) -> Sequence[str]:
    """Chats with updates that wait, which nobody works now, or ``owner`` itself; all of them without ``now``."""
    query = select(TelegramUpdateRow.lane).where(
        TelegramUpdateRow.handled_at.is_(None), TelegramUpdateRow.lane.is_not(None)
    )
    if now is not None:
        others = select(TelegramLaneRow.lane).where(
            TelegramLaneRow.until > now, TelegramLaneRow.owner != owner
        )
        query = query.where(TelegramUpdateRow.lane.not_in(others))
    query = query.group_by(TelegramUpdateRow.lane).order_by(func.min(TelegramUpdateRow.id)).limit(limit)
    return [lane for lane in session.scalars(query) if lane is not None]


def erase_updates_of(session: Session, lane: str) -> None:
    """Erase the bodies of a chat's handled and worked updates; those still waiting are erased when handled."""
    session.execute(
        update(TelegramUpdateRow)
        .where(TelegramUpdateRow.lane == lane, TelegramUpdateRow.worked_at.is_not(None))
        .values(body=None, lane=None)
    )


def drop_files_until(session: Session, moment: datetime) -> None:
    """Forget the files of chats in which no complaint was begun in time."""
    session.execute(
        update(TelegramChatRow)
        .where(TelegramChatRow.files_until <= moment)
        .values(files=null(), files_until=None)
    )


def delete_handled_before(session: Session, moment: datetime) -> None:
    session.execute(delete(TelegramUpdateRow).where(TelegramUpdateRow.handled_at < moment))
