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
from functools import partial
from typing import Any, TypeVar

from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session
from telegram import Update

from bot.context import MORE_OF_ALBUM, REMEMBERED, BotApplication
from portal import clock
from portal.services.messages import telegram as conversation
from portal.services.messages.telegram import StoredUpdate
from portal.services.unit_of_work import unit_of_work

log = logging.getLogger(__name__)
T = TypeVar("T")

AT_ONCE = 8
MOST_WAITING = 1000
"""Updates that may wait here; beyond it Telegram keeps the next ones."""
MOST_TAKEN = 20_000
MOST_TRIES = 5
"""Of an update that cannot be worked off, before it is left for the next start."""
ALBUM_PAUSE = 0.5
"""Seconds that the last known photo of an album waits for the next, which comes as an update of its own."""
HEARTBEAT = 15.0
"""Seconds; well within the lease of a chat."""


@dataclass(frozen=True, slots=True)
class _Done:
    """An update that has been answered."""

    stored: StoredUpdate
    remembered: Mapping[int, Mapping[str, Any]]
    """What its answer is to have remembered of its chat."""
    last: bool
    """No other of its chat is known here: the chat may be let go."""


class _Ledger:
    """Notes what has been answered: all that is answered while one note is being written goes into the next."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._waiting: list[tuple[_Done, asyncio.Future[list[StoredUpdate]]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def note(self, done: _Done) -> list[StoredUpdate]:
        """Returns once it is committed: what else waits in a chat that was to be let go."""
        noted: asyncio.Future[list[StoredUpdate]] = asyncio.get_running_loop().create_future()
        self._waiting.append((done, noted))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        return await noted

    async def _write(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                answers = await _commit(partial(self._note, [done for done, _ in batch]))
            except Exception as error:
                if len(batch) == 1:
                    batch[0][1].set_exception(error)
                    continue
                for done, noted in batch:  # one that cannot be noted must not take the others with it
                    try:
                        noted.set_result((await _commit(partial(self._note, [done])))[0])
                    except Exception as own:
                        noted.set_exception(own)
                continue
            for (_, noted), answer in zip(batch, answers, strict=True):
                noted.set_result(answer)

    def _note(self, batch: Sequence[_Done], session: Session) -> list[list[StoredUpdate]]:
        for done in batch:
            for chat_id, what in done.remembered.items():
                conversation.remember(session, chat_id, what)
        conversation.mark_handled(session, *(done.stored.update_id for done in batch), now=clock.now())
        return [
            conversation.end_lane(session, done.stored.lane, self._owner) if done.last else []
            for done in batch
        ]


class Inbox:
    """One process's part of the inbox; ``at_once`` chats are answered side by side.

    Several processes may share the table: each chat is worked by one of them at a time, which says every
    `HEARTBEAT` that it lives. What a killed one leaves is taken over once it has been silent for a lease. ``alone``
    says that no other answers this bot, as Telegram lets only one poll: then nothing of that is written.
    """

    def __init__(self, application: BotApplication, *, at_once: int = AT_ONCE, alone: bool = False) -> None:
        self._application = application
        self._owner = secrets.token_hex(8)
        self._alone = alone
        self._ledger = _Ledger(self._owner)
        self._lanes: dict[str, deque[StoredUpdate]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._room = asyncio.Semaphore(at_once)
        self._taken: dict[int, None] = {}
        """Ids lined up here lately, so that what two questions of ours find at once is answered once."""
        self._failed: Counter[int] = Counter()
        self._waiting = 0
        self._calmer = asyncio.Event()
        self._calmer.set()
        self._stopping = False
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
        for update in await self._store(updates):
            self._line_up(update)

    async def room(self) -> None:
        """Wait until there is room for more."""
        await self._calmer.wait()

    async def idle(self) -> None:
        """Wait until every update taken in has been answered."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def stop(self) -> None:
        """Finish the updates being answered; those that wait stay in the table for the next start."""
        self._stopping = True
        if self._keeping:
            self._keeping.cancel()
        await self.idle()
        with suppress(SQLAlchemyError):  # otherwise the lease runs out by itself
            await _commit(lambda session: conversation.stop_working(session, self._owner))

    async def _store(self, updates: Sequence[Mapping[str, Any]]) -> list[StoredUpdate]:
        try:
            return await self._write(updates)
        except IntegrityError:  # another process stored one of them between our question and our write
            stored: list[StoredUpdate] = []
            for update in updates:
                with suppress(IntegrityError):  # then the other process answers it
                    stored += await self._write([update])
            return stored

    async def _write(self, updates: Sequence[Mapping[str, Any]]) -> list[StoredUpdate]:
        owner = None if self._alone else self._owner
        return await _commit(
            lambda session: conversation.store_updates(session, updates, now=clock.now(), owner=owner)
        )

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
            more: list[StoredUpdate] = []
            if len(lane) == 1 and _album(lane[0]) and not self._stopping:
                await self._await_rest(name)
            async with self._room:
                if not self._stopping:
                    album = _album(lane[0])
                    MORE_OF_ALBUM.set(album is not None and len(lane) > 1 and album == _album(lane[1]))
                    more = await self._work(lane[0], last=len(lane) == 1)
            lane.popleft()
            self._waiting -= 1
            if self._waiting < MOST_WAITING // 2:
                self._calmer.set()
            for each in more:
                if each.update_id not in self._failed:
                    self._line_up(each)
        del self._lanes[name]

    async def _await_rest(self, name: str) -> None:
        """Give the rest of an album time to arrive, here or at another process."""
        await asyncio.sleep(ALBUM_PAUSE)
        if not self._alone:
            for each in await _commit(lambda session: conversation.waiting_of(session, name)):
                self._line_up(each)

    async def _work(self, stored: StoredUpdate, *, last: bool) -> list[StoredUpdate]:
        """Answer one update; after the last one of its chat here, what other processes have stored of it since."""

        remembered: dict[int, dict[str, Any]] = {}
        token = REMEMBERED.set(remembered)
        try:
            if update := self._read(stored):
                await self._application.process_update(update)
            return await self._ledger.note(_Done(stored, remembered, last=last and not self._alone))
        except Exception as error:  # one update never stops the others; it is tried again later
            log.error("an update could not be worked off: %s", type(error).__name__)
            self._failed[stored.update_id] += 1
            return []
        finally:
            REMEMBERED.reset(token)

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
        for update in left:
            if update.lane in busy or self._failed[update.update_id] >= MOST_TRIES:
                continue
            if self._failed[update.update_id]:
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
