"""Several processes of one bot: an update is answered once, a person's in order, and a dead one's are taken over."""

import asyncio
import random
from datetime import timedelta

import pytest

from bot.context import MORE_OF_ALBUM
from bot.inbox import Inbox
from portal import clock
from portal.services.messages import telegram as conversation
from portal.services.unit_of_work import unit_of_work
from portal.storage.telegram import TelegramLaneRow
from tests.bot.test_inbox import Heard, message, running, waiting
from tests.telegram.world import World

pytestmark = pytest.mark.usefixtures("database")


def lanes() -> int:
    with unit_of_work() as session:
        return session.query(TelegramLaneRow).count()


def test_what_one_person_writes_to_three_processes_is_answered_once_and_in_order():
    world, heard, chance = World(), Heard(), random.Random(6)
    people = [world.person(f"P{number}") for number in range(6)]

    async def story() -> None:
        async with running(world, heard) as application:
            inboxes = [Inbox(application, at_once=3) for _ in range(3)]
            for turn in range(12):
                for number, person in enumerate(people):
                    update = {"update_id": 100 * number + turn + 1, **message(person, f"{number}:{turn}")}
                    # Telegram gives up waiting now and then, and posts it again to another process.
                    for inbox in chance.sample(inboxes, chance.choice((1, 1, 1, 2))):
                        await inbox.receive([update])
            for _ in range(3):
                for inbox in inboxes:
                    await inbox.idle()

    asyncio.run(story())
    for number in range(len(people)):
        mine = [text for text in heard.texts if text.startswith(f"{number}:")]
        assert mine == [f"{number}:{turn}" for turn in range(12)]
    assert waiting() == []
    assert lanes() == 0


def test_a_chat_that_another_process_works_is_left_to_it_and_nothing_stays_behind():
    world, heard = World(), Heard()
    ana = world.person("Ana")
    gone_on = asyncio.Event()

    async def story() -> None:
        async with running(world, heard) as application:
            first, second = Inbox(application), Inbox(application)

            def before(text: str) -> None:
                if text == "a":
                    asyncio.run_coroutine_threadsafe(gone_on.wait(), loop).result(10)

            loop = asyncio.get_running_loop()
            heard.before = before
            await first.receive([{"update_id": 1, **message(ana, "a")}])
            await second.receive([{"update_id": 2, **message(ana, "b")}])
            await second.idle()
            assert heard.texts == []
            gone_on.set()
            await first.idle()

    asyncio.run(story())
    assert heard.texts == ["a", "b"]


def test_what_another_stored_comes_before_what_is_stored_here_later():
    world, heard = World(), Heard()
    ana, slow = world.person("Ana"), asyncio.Event()

    async def story() -> None:
        async with running(world, heard) as application:
            loop = asyncio.get_running_loop()
            heard.before = lambda text: (
                asyncio.run_coroutine_threadsafe(slow.wait(), loop).result(10) if text == "a" else None
            )
            first, second = Inbox(application), Inbox(application)
            await first.receive([{"update_id": 1, **message(ana, "a")}])
            await second.receive([{"update_id": 2, **message(ana, "b")}])
            await first._adopt(alone=False)  # as every few seconds, here while the chat is being answered
            await first.receive([{"update_id": 3, **message(ana, "c")}])
            slow.set()
            await first.idle()

    asyncio.run(story())
    assert heard.texts == ["a", "b", "c"]
    assert lanes() == 0


def test_an_album_shared_out_among_processes_is_worked_as_one():
    world, heard, told = World(), Heard(), list[tuple[str, bool]]()
    ana = world.person("Ana")

    async def story() -> None:
        async with running(world, heard) as application:
            inboxes = [Inbox(application) for _ in range(3)]
            for inbox in inboxes:
                inbox.album_quiet, inbox.album_companion = 0.2, 1.0
            heard.before = lambda text: told.append((text, MORE_OF_ALBUM.get()))
            for part in range(1, 6):
                update = message(ana, str(part))
                update["message"] |= {"media_group_id": "album"}  # type: ignore[operator]
                await inboxes[part % 3].receive([{"update_id": part, **update}])
            for inbox in (*inboxes, *inboxes):
                await inbox.idle()

    asyncio.run(story())
    assert told == [("1", True), ("2", True), ("3", True), ("4", True), ("5", False)]


class TestAKilledProcess:
    def leave(self, world: World, *texts: str) -> None:
        """What a process stored and took, and then was killed."""
        ana = world.person("Ana")
        updates = [{"update_id": n, **message(ana, text)} for n, text in enumerate(texts, start=1)]
        with unit_of_work(writes=True) as session:
            assert conversation.store_updates(session, updates, now=clock.now(), owner="killed")

    def adopt(self, world: World, heard: Heard, *, alone: bool) -> None:
        async def story() -> None:
            async with running(world, heard) as application:
                inbox = Inbox(application, alone=alone)
                await inbox.resume()
                await inbox.idle()
                await inbox.stop()

        asyncio.run(story())

    def test_is_not_robbed_while_it_may_live(self):
        world, heard = World(), Heard()
        self.leave(world, "a")
        self.adopt(world, heard, alone=False)
        assert heard.texts == []

    def test_is_taken_over_once_it_has_been_silent_for_a_lease(self, monkeypatch):
        world, heard = World(), Heard()
        self.leave(world, "a", "b")
        later = clock.now() + conversation.LEASE + timedelta(seconds=1)
        monkeypatch.setattr(clock, "now", lambda: later)
        self.adopt(world, heard, alone=False)
        assert heard.texts == ["a", "b"]
        assert lanes() == 0

    def test_is_taken_over_in_order_by_whoever_gets_the_persons_next_message(self, monkeypatch):
        world, heard = World(), Heard()
        self.leave(world, "a", "b")
        later = clock.now() + conversation.LEASE + timedelta(seconds=1)
        monkeypatch.setattr(clock, "now", lambda: later)

        async def story() -> None:
            async with running(world, heard) as application:
                inbox = Inbox(application)
                ana = world.person("Ana")
                ana.id -= 1  # the same as before
                await inbox.receive([{"update_id": 3, **message(ana, "c")}])
                await inbox.idle()

        asyncio.run(story())
        assert heard.texts == ["a", "b", "c"]

    def test_is_taken_over_at_once_by_the_only_one_that_polls(self):
        world, heard = World(), Heard()
        self.leave(world, "a", "b")
        self.adopt(world, heard, alone=True)
        assert heard.texts == ["a", "b"]


def test_an_update_that_cannot_be_worked_off_holds_up_nobody_and_is_tried_again(caplog):
    world, heard = World(), Heard()
    ana = world.person("Ana")

    async def story() -> None:
        async with running(world, heard) as application:
            inbox = Inbox(application)
            real, broken = application.process_update, [True]

            async def process(update):
                if broken:
                    broken.clear()
                    raise RuntimeError("the database is away")
                await real(update)

            application.process_update = process
            await inbox.receive([{"update_id": n, **message(ana, text)} for n, text in ((1, "a"), (2, "b"))])
            await inbox.idle()
            assert heard.texts == ["b"]
            await inbox._adopt(alone=False)
            await inbox.idle()

    asyncio.run(story())
    assert heard.texts == ["b", "a"]
    assert waiting() == []
    assert "away" not in caplog.text
