"""Ways to have the bot answer: at once, or running as it does in production."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from telegram import Update
from telegram.request import BaseRequest

from bot.__main__ import serve
from bot.application import build_application
from bot.inbox import Inbox
from bot.sending import PatientLimiter
from portal.config import Settings
from tests.telegram.direct import DirectRequest
from tests.telegram.world import PATIENCE, World


def unhurried() -> PatientLimiter:
    """Nobody waits for Telegram's limits, which are a test of their own."""
    return PatientLimiter(pauses=(0,), overall=10_000, in_one_chat=(10_000, 1.0))


@contextmanager
def answering_at_once(
    settings: Settings, world: World, *, request: BaseRequest | None = None
) -> Iterator[None]:
    """Each update is handled as soon as a person causes it, without sockets, polling or inbox."""
    # In a thread of its own, as a browser that stays open between tests keeps a loop running in this one.
    with ThreadPoolExecutor(max_workers=1) as thread:
        runner = asyncio.Runner()

        def run(work: Coroutine[Any, Any, object]) -> None:
            thread.submit(runner.run, work).result()

        application = build_application(
            settings, token=world.token, request=request or DirectRequest(world), limiter=unhurried()
        )
        run(application.initialize())

        def settle(update_id: int) -> None:
            while world.updates:
                raw = world.updates.pop(0)
                run(application.process_update(Update.de_json(raw, application.bot)))

        world.settle = settle
        try:
            yield
        finally:
            run(application.shutdown())
            thread.submit(runner.close).result()


class Running:
    """The bot in a thread of its own, as in its process: polling or webhook, inbox, handlers and worker."""

    def __init__(self, settings: Settings, world: World) -> None:
        self._settings, self._world = settings, world
        self._ready = threading.Event()
        self._failure: BaseException | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        assert self._ready.wait(PATIENCE), "the bot did not start"
        if self._failure:
            raise self._failure
        self._world.settle = self._settle

    def stop(self) -> None:
        """End as on SIGTERM."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the bot did not stop"
        if self._failure:
            raise self._failure

    def _settle(self, update_id: int) -> None:
        self._world.wait_until(lambda: not self._world.waits(update_id) or self._failure)
        asyncio.run_coroutine_threadsafe(self._inbox.idle(), self._loop).result(PATIENCE)

    def _run(self) -> None:
        try:
            asyncio.run(self._work())
        except BaseException as error:
            self._failure = error
            self._ready.set()

    async def _work(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        await serve(self._settings, stop=self._stop, started=self._started)

    def _started(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._ready.set()


@contextmanager
def running(settings: Settings, world: World) -> Iterator[Running]:
    bot = Running(settings, world)
    bot.start()
    try:
        yield bot
    finally:
        bot.stop()
