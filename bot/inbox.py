"""The inbox: an update is on disk before Telegram is told that it arrived, and is answered in its chat's order.

Updates of one chat are worked one after the other, those of different chats side by side, at most ``at_once``.
What a stopped process left unhandled is worked first when it starts again.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from telegram import Update

from bot.context import BotApplication
from portal import clock
from portal.services import telegram as conversation
from portal.services.telegram import StoredUpdate
from portal.services.unit_of_work import unit_of_work

log = logging.getLogger(__name__)
T = TypeVar("T")

AT_ONCE = 8
MOST_WAITING = 1000
"""Updates that may wait here; beyond it Telegram keeps the next ones."""


class Inbox:
    def __init__(self, application: BotApplication, *, at_once: int = AT_ONCE) -> None:
        self._application = application
        self._lanes: dict[str, deque[StoredUpdate]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._room = asyncio.Semaphore(at_once)
        self._waiting = 0
        self._calmer = asyncio.Event()
        self._calmer.set()
        self._stopping = False

    async def resume(self) -> None:
        """Take up what was acknowledged but not handled when the process last stopped."""
        for update in await _commit(conversation.updates_waiting):
            self._line_up(update)

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
        await self.idle()

    async def _store(self, updates: Sequence[Mapping[str, Any]]) -> list[StoredUpdate]:
        try:
            return await _store(updates)
        except IntegrityError:  # another process stored one of them between our question and our write
            stored: list[StoredUpdate] = []
            for update in updates:
                with suppress(IntegrityError):  # then the other process answers it
                    stored += await _store([update])
            return stored

    def _line_up(self, update: StoredUpdate) -> None:
        self._waiting += 1
        if self._waiting >= MOST_WAITING:
            self._calmer.clear()
        if lane := self._lanes.get(update.lane):
            lane.append(update)
            return
        self._lanes[update.lane] = deque([update])
        task = asyncio.create_task(self._work_lane(update.lane))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _work_lane(self, name: str) -> None:
        lane = self._lanes[name]
        while lane:
            async with self._room:
                if not self._stopping:
                    await self._work(lane[0])
            lane.popleft()
            self._waiting -= 1
            if self._waiting < MOST_WAITING // 2:
                self._calmer.set()
        del self._lanes[name]

    async def _work(self, stored: StoredUpdate) -> None:
        try:
            if update := self._read(stored):
                await self._application.process_update(update)
            await _commit(
                lambda session: conversation.mark_handled(session, stored.update_id, now=clock.now())
            )
        except Exception as error:  # one update never stops the others; it is tried again after a restart
            log.error("an update could not be worked off: %s", type(error).__name__)

    def _read(self, stored: StoredUpdate) -> Update | None:
        """The update as the library reads it; of one it cannot read, as much as tells who waits for an answer."""
        for body in (stored.body, _bare(stored.body)):
            try:
                return Update.de_json(body, self._application.bot)
            except Exception as error:  # a kind newer than the library is no reason to stop
                log.warning("an update is not as the library knows it: %s", type(error).__name__)
        return None


def _bare(body: Mapping[str, Any]) -> dict[str, Any]:
    """An update without whatever it carries beyond who wrote, where and when."""
    message = body.get("message")
    if not isinstance(message, Mapping):
        return {"update_id": body["update_id"]}
    kept = {name: message[name] for name in ("message_id", "date", "chat", "from", "text") if name in message}
    return {"update_id": body["update_id"], "message": kept}


async def _store(updates: Sequence[Mapping[str, Any]]) -> list[StoredUpdate]:
    return await _commit(lambda session: conversation.store_updates(session, updates, now=clock.now()))


async def _commit(work: Callable[[Session], T]) -> T:
    def transaction() -> T:
        with unit_of_work(writes=True) as session:
            return work(session)

    return await asyncio.to_thread(transaction)
