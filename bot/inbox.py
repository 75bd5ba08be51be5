"""The inbox: an update is on disk before Telegram is told that it arrived, and is answered in its chat's order.

Updates of one chat are worked one after the other, those of different chats side by side. What a stopped process
left unhandled is worked when it starts again, or by another process of the same bot.
"""

import asyncio
import logging
import secrets
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session
from telegram import Update

from bot.context import KNOWN_CHAT, MORE_OF_ALBUM, REMEMBERED, BotApplication
from bot.gathering import Gathering
from portal import clock
from portal.services.messages import telegram as conversation
from portal.services.messages.telegram import Chat, StoredUpdate
from portal.services.unit_of_work import unit_of_work

log = logging.getLogger(__name__)
T = TypeVar("T")

AT_ONCE = 8
MOST_WAITING = 1000
"""Updates that may wait here; beyond it Telegram keeps the next ones."""
MOST_TAKEN = 20_000
MOST_TRIES = 5
"""Of an update that cannot be worked off, before it is left for the next start."""
ALBUM_QUIET = 1.0
"""Seconds without another part after which an album is whole; Telegram posts the next as soon as it may."""
ALBUM_COMPANION = 5.0
"""Seconds that the only known part of an album waits for another: there is one."""
MOST_IN_ALBUM = 10
"""Photos that Telegram sends as one album."""
HEARTBEAT = 5.0
"""Seconds; well within the lease of a chat, also where a statement takes as long as it may."""


@dataclass(frozen=True, slots=True)
class _Done:
    """An update that has been answered."""

    stored: StoredUpdate
    remembered: Mapping[int, Mapping[str, Any]]
    """What its answer is to have remembered of its chat."""
    last: bool
    """No other of its chat is known here: the chat may be let go."""


@dataclass(frozen=True, slots=True)
class _Taken:
    """What one question to the table found: updates, and what is remembered of the chats they begin."""

    updates: Sequence[StoredUpdate]
    chats: Mapping[str, Chat]


class Inbox:
    """One process's part of the inbox; ``at_once`` chats are answered side by side.

    Several processes may share the table: each chat is worked by one of them at a time, which says every
    `HEARTBEAT` that it lives. What a killed one leaves is taken over once it has been silent for a lease. ``alone``
    says that no other answers this bot, as Telegram lets only one poll: then nothing of that is written.
    """

    album_quiet, album_companion = ALBUM_QUIET, ALBUM_COMPANION

    def __init__(self, application: BotApplication, *, at_once: int = AT_ONCE, alone: bool = False) -> None:
        self._application = application
        self._owner = secrets.token_hex(8)
        self._alone = alone
        self._arriving = Gathering(self._store, before=self._begin_storing, after=self._line_up_all)
        self._answered = Gathering(self._note)
        self._lanes: dict[str, deque[StoredUpdate]] = {}
        self._chats: dict[str, Chat] = {}
        """What is remembered of a chat whose first update is lined up: read when it was stored, and none since."""
        self._ended: set[str] = set()
        """Chats answered while an arrival was being stored: what was read of them then may be old."""
        self._busy: set[str] = set()
        self._albums: dict[str, tuple[str, int]] = {}
        """The album that a chat is sending, and how many of its parts have been seen here."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._room = asyncio.Semaphore(at_once)
        self._taken: dict[int, None] = {}
        """Ids lined up here lately, so that what two questions of ours find at once is answered once."""
        self._failed: Counter[int] = Counter()
        self._waiting = 0
        self._calmer = asyncio.Event()
        self._calmer.set()
        self._stopping = asyncio.Event()
        self._keeping: asyncio.Task[None] | None = None

    async def resume(self) -> None:
        """Take up what was acknowledged but not handled, and from now on what other processes leave behind."""
        await self._adopt(alone=self._alone)
        if not self._alone:
            self._keeping = asyncio.create_task(self._keep())

    async def receive(self, updates: Sequence[Mapping[str, Any]]) -> None:
        """Store updates as Telegram sent them, then let each wait its turn.

        When this returns they may be acknowledged. Whatever it raises, none has been lost.
        """
        await self._arriving.put(updates)

    async def room(self) -> None:
        """Wait until there is room for more."""
        await self._calmer.wait()

    async def idle(self) -> None:
        """Wait until every update taken in has been answered."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def stop(self) -> None:
        """Finish the updates being answered; those that wait stay in the table for the next start."""
        self._stopping.set()
        if self._keeping:
            self._keeping.cancel()
        await self.idle()
        with suppress(SQLAlchemyError):  # otherwise the lease runs out by itself
            await _commit(lambda session: conversation.stop_working(session, self._owner))

    def _begin_storing(self) -> None:
        self._ended.clear()
        self._busy = set(self._lanes)

    def _store(self, session: Session, batch: Sequence[Sequence[Mapping[str, Any]]]) -> Sequence[_Taken]:
        """All that has arrived, in its order; the first question answers for the others."""
        owner = None if self._alone else self._owner
        updates = list(chain.from_iterable(batch))
        stored = conversation.store_updates(session, updates, now=clock.now(), owner=owner)
        first = {each.lane for each in stored} - self._busy
        return [_Taken(stored, conversation.read_chats(session, first)), *[_Taken((), {})] * (len(batch) - 1)]

    def _line_up_all(self, answers: Sequence[_Taken]) -> None:
        for taken in answers:
            for update in taken.updates:
                begins = update.lane not in self._lanes and update.lane not in self._ended
                if begins and update.lane in taken.chats:
                    self._chats[update.lane] = taken.chats[update.lane]
                self._line_up(update)

    def _note(self, session: Session, batch: Sequence[_Done]) -> Sequence[Sequence[StoredUpdate]]:
        """What else waits in each chat that was to be let go."""
        conversation.remember_all(session, [each for done in batch for each in done.remembered.items()])
        conversation.mark_handled(session, *(done.stored.update_id for done in batch), now=clock.now())
        last = {done.stored.lane for done in batch if done.last}
        waiting = conversation.end_lanes(session, last, self._owner) if last else {}
        return [waiting.get(done.stored.lane, ()) if done.last else () for done in batch]

    def _line_up(self, update: StoredUpdate) -> None:
        if update.update_id in self._taken:
            return
        self._taken[update.update_id] = None
        while len(self._taken) > MOST_TAKEN:
            del self._taken[next(iter(self._taken))]
        self._waiting += 1
        if self._waiting >= MOST_WAITING:
            self._calmer.clear()
        if (lane := self._lanes.get(update.lane)) is not None:
            lane.append(update)
            return
        self._lanes[update.lane] = deque([update])
        task = asyncio.create_task(self._work_lane(update.lane))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _work_lane(self, name: str) -> None:
        lane = self._lanes[name]
        while lane:
            more: Sequence[StoredUpdate] = ()
            if _album(lane[0]):
                await self._await_rest(name)
            async with self._room:
                stopping = self._stopping.is_set()
                if not stopping:
                    remembered, last = await self._work(name), len(lane) == 1
            if not stopping and remembered is not None:
                more = await self._close(_Done(lane[0], remembered, last=last and not self._alone))
            lane.popleft()
            self._waiting -= 1
            if self._waiting < MOST_WAITING // 2:
                self._calmer.set()
            for each in more:
                if each.update_id not in self._failed:
                    self._line_up(each)
        del self._lanes[name]
        self._chats.pop(name, None)
        self._albums.pop(name, None)
        self._ended.add(name)

    async def _await_rest(self, name: str) -> None:
        """Wait until the album of the next update is whole, as far as that can be known.

        Its parts come as updates of their own, one after the other, each perhaps to another process; nothing says
        which is the last. It is whole when none has come for `ALBUM_QUIET`, here or at another process. A single
        photo is no album: while only one part has been seen, the wait is `ALBUM_COMPANION`.
        """
        lane = self._lanes[name]
        album = _album(lane[0])
        assert album
        known, seen = self._albums.get(name, ("", 0))
        seen = seen + 1 if known == album else 1
        self._albums[name] = (album, seen)
        waited = 0.0
        while len(lane) == 1 and seen < MOST_IN_ALBUM and not self._stopping.is_set():
            if waited >= (self.album_companion if seen == 1 else self.album_quiet):
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), self.album_quiet)
            waited += self.album_quiet
            if not self._alone:
                for each in await _commit(lambda session: conversation.waiting_of(session, name)):
                    self._line_up(each)

    async def _work(self, name: str) -> Mapping[int, Mapping[str, Any]] | None:
        """Answer the first update of a chat: what is to be remembered, or None when it could not be worked off."""
        lane = self._lanes[name]
        stored, album = lane[0], _album(lane[0])
        MORE_OF_ALBUM.set(album is not None and len(lane) > 1 and album == _album(lane[1]))
        KNOWN_CHAT.set(self._chats.pop(name, None))
        remembered: dict[int, dict[str, Any]] = {}
        token = REMEMBERED.set(remembered)
        try:
            if update := self._read(stored):
                await self._application.process_update(update)
        except Exception as error:  # one update never stops the others; it is tried again later
            self._fail(stored, error)
            return None
        finally:
            REMEMBERED.reset(token)
        return remembered

    async def _close(self, done: _Done) -> Sequence[StoredUpdate]:
        """Note that an update has been answered, and after the last of a chat here find what others have stored."""
        try:
            return await self._answered.put(done)
        except Exception as error:
            self._fail(done.stored, error)
            return ()

    def _fail(self, stored: StoredUpdate, error: Exception) -> None:
        log.error("an update could not be worked off: %s", type(error).__name__)
        self._failed[stored.update_id] += 1

    async def _keep(self) -> None:
        """Say that this process lives, and look for chats that nobody works."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            try:
                await _commit(
                    lambda session: conversation.keep_working(session, self._owner, now=clock.now())
                )
                await self._adopt(alone=False)
            except SQLAlchemyError as error:
                log.warning("the inbox could not be looked through: %s", type(error).__name__)

    async def _adopt(self, *, alone: bool) -> None:
        left = await _commit(
            lambda session: conversation.adopt_updates(session, self._owner, now=clock.now(), alone=alone)
        )
        busy = set(self._lanes)
        for (
            update
        ) in left:  # also of chats worked here: what others have stored of them comes before the next
            tries = self._failed[update.update_id]
            if tries >= MOST_TRIES or (tries and update.lane in busy):
                continue
            if tries:
                self._taken.pop(update.update_id, None)
            self._line_up(update)

    def _read(self, stored: StoredUpdate) -> Update | None:
        """The update as the library reads it; of one it cannot read, as much as tells who waits for an answer."""
        for body in (stored.body, _bare(stored.body)):
            try:
                return Update.de_json(body, self._application.bot)
            except Exception as error:  # a kind newer than the library is no reason to stop
                log.warning("an update is not as the library knows it: %s", type(error).__name__)
        return None


def _album(stored: StoredUpdate) -> str | None:
    """What the photos of one album share; each of them is an update of its own."""
    message = stored.body.get("message")
    return message.get("media_group_id") if isinstance(message, Mapping) else None


def _bare(body: Mapping[str, Any]) -> dict[str, Any]:
    """An update without whatever it carries beyond who wrote, where and when."""
    message = body.get("message")
    if not isinstance(message, Mapping):
        return {"update_id": body["update_id"]}
    kept = {name: message[name] for name in ("message_id", "date", "chat", "from", "text") if name in message}
    return {"update_id": body["update_id"], "message": kept}


async def _commit(work: Callable[[Session], T]) -> T:
    def transaction() -> T:
        with unit_of_work(writes=True) as session:
            return work(session)

    return await asyncio.to_thread(transaction)
