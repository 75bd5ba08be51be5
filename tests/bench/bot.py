"""``python -m tests.bench.bot``: updates a second of a plate verified, beside a bare echo bot.

Both fetch from one Bot API server, in a process of its own, by the same loop; both have what they fetch on disk,
committed, before they acknowledge it, and answer at most eight people at once. The echo bot writes nothing else, ours
notes each answer too. Rounds interleave, so that a busy machine slows both alike; every plate comes from another
person, and Telegram's limits are left out of both. The processor's time hardly depends on what else runs.
"""

import asyncio
import cProfile
import itertools
import json
import multiprocessing
import os
import pstats
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from telegram import Update
from telegram.ext import Application, MessageHandler, filters

import portal.config
import portal.storage.database
from bot.application import build_application
from bot.inbox import AT_ONCE, Inbox
from bot.polling import poll
from bot.sending import PatientLimiter
from bot.threads import prepare_threads
from portal.services.schema import migrate_database
from tests.bench import register
from tests.telegram.server import bot_api
from tests.telegram.world import TOKEN, World

PERMITS = 10_000
ROUNDS, UPDATES = 7, 200
PYTHONS_OWN_TURN = 0.005


def main() -> None:
    given = [int(each) for each in sys.argv[1:] if each.isdigit()]
    rounds, updates = (*given, *(ROUNDS, UPDATES)[len(given) :])
    with tempfile.TemporaryDirectory() as folder:
        _prepare(Path(folder))
        ours, theirs = multiprocessing.Pipe()
        serving = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs,))
        serving.start()
        address = ours.recv()

        def race(name: str) -> float:
            return asyncio.run(_answer(name, Path(folder), address, ours, updates))

        speeds: dict[str, list[float]] = {"echo": [], "verify": []}
        works: dict[str, list[float]] = {"echo": [], "verify": []}
        for turn in range(rounds + 1):
            for name, found in speeds.items():
                begun = time.process_time()
                speed = race(name)
                if turn:  # the first warms up
                    found.append(speed)
                    works[name].append((time.process_time() - begun) / updates * 1000)
        print(f"updates a second, median of {rounds} rounds of {updates} (least to most)")
        for name, found in speeds.items():
            work = f"{statistics.median(works[name]):.1f} ms of the processor each"
            print(
                f"{name:8}{statistics.median(found):8,.0f}   ({min(found):,.0f} to {max(found):,.0f}), {work}"
            )
        ratios = [mine / bare for mine, bare in zip(speeds["verify"], speeds["echo"], strict=True)]
        print(f"verify beside echo: {statistics.median(ratios):.2f}   (aim: at least 0.5)")
        if "--profile" in sys.argv:
            profile = cProfile.Profile()
            profile.enable()
            race("verify")
            profile.disable()
            pstats.Stats(profile).sort_stats("tottime").print_stats(35)
        ours.send(0)
        serving.join()


def _prepare(folder: Path) -> None:
    os.environ |= {
        "PORTAL_STATE": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'portal.db'}",
        "FILES_URL": f"file://{folder / 'files'}",
        "SECRET_KEY": "s" * 40,
        "ACCESS_KEY_PEPPER": "p" * 40,
        "PUBLIC_KEYS": str(folder / "public_keys.json"),
    }
    (folder / "public_keys.json").write_text('{"identity": {}, "notice": null}')
    migrate_database()
    register.load(portal.storage.database.engine(), PERMITS)


def _serve(pipe: Connection) -> None:
    """Telegram, in a process of its own; tells how long it took until everybody of a round was answered."""
    world, chooser = World(), random.Random(1)
    with bot_api(world) as address:
        pipe.send(address)
        numbers = itertools.count(int(time.time() * 1000))
        while updates := pipe.recv():
            before = len(world.sent("sendMessage"))
            made = []
            for number in itertools.islice(numbers, updates):
                person = world.person("P")
                message = person._message(text=register.random_plate(PERMITS, chooser))
                made.append({"update_id": number, "message": message})
            started = time.perf_counter()
            with world.changed:
                world.updates += made
                world.changed.notify_all()
            world.wait_until(lambda before=before, updates=updates: _answered(world) - before >= updates)
            pipe.send(time.perf_counter() - started)


def _answered(world: World) -> int:
    return sum(call.method == "sendMessage" for call in world.calls)


async def _answer(name: str, folder: Path, address: str, server: Connection, updates: int) -> float:
    """Updates a second from the first that is fetched to the last that is answered."""
    os.environ |= {"TELEGRAM_BASE_URL": address, "TELEGRAM_BOT_TOKEN": TOKEN}
    portal.config.settings.cache_clear()
    if name == "verify":
        prepare_threads()
        application, inbox = _verify()
    else:
        sys.setswitchinterval(PYTHONS_OWN_TURN)
        application, inbox = _echo(folder, address)
    stop = asyncio.Event()
    async with application:
        polling = asyncio.create_task(poll(application, inbox, stop, wait=1))
        await asyncio.sleep(0.3)
        server.send(updates)
        seconds: float = await asyncio.to_thread(server.recv)
        stop.set()
        await polling
        await inbox.idle()
    return updates / seconds


def _verify() -> tuple[Any, Any]:
    limiter = PatientLimiter(overall=100_000, in_one_chat=(10_000, 1.0))
    application = build_application(portal.config.settings(), limiter=limiter)
    return application, Inbox(application, alone=True)


def _echo(folder: Path, address: str) -> tuple[Any, Any]:
    async def echo(update: Update, context: Any) -> None:
        assert update.message
        await update.message.reply_text(update.message.text or "")

    builder = Application.builder().token(TOKEN).updater(None)
    application = builder.base_url(address + "/bot").base_file_url(address + "/file/bot").build()
    application.add_handler(MessageHandler(filters.TEXT, echo))
    return application, _BareInbox(application, folder / "echo.db")


class _BareInbox:
    """The least that keeps what is acknowledged: one row an update, one commit a fetch."""

    def __init__(self, application: Any, path: Path) -> None:
        self._application, self._tasks = application, set[asyncio.Task[None]]()
        self._room = asyncio.Semaphore(AT_ONCE)
        self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.execute("CREATE TABLE IF NOT EXISTS updates (id INTEGER PRIMARY KEY, body TEXT)")

    async def room(self) -> None:
        """There always is."""

    async def receive(self, updates: Sequence[Mapping[str, Any]]) -> None:
        await asyncio.to_thread(self._store, updates)
        for update in updates:
            task = asyncio.create_task(self._work(update))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def idle(self) -> None:
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _store(self, updates: Sequence[Mapping[str, Any]]) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        rows = [(each["update_id"], json.dumps(each)) for each in updates]
        self._connection.executemany("INSERT OR IGNORE INTO updates VALUES (?, ?)", rows)
        self._connection.execute("COMMIT")

    async def _work(self, update: Mapping[str, Any]) -> None:
        async with self._room:
            await self._application.process_update(Update.de_json(dict(update), self._application.bot))


if __name__ == "__main__":
    main()
