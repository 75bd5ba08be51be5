"""An update has one effect, whatever Telegram, the network or the machine does in between."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from urllib.parse import parse_qsl, urlsplit

import pytest
from telegram import Update
from telegram.ext import Application, ContextTypes, TypeHandler

from bot.context import AlreadyDone, BotApplication, BotContext
from bot.inbox import Inbox
from bot.polling import poll
from bot.sending import PatientLimiter
from portal.clock import now
from portal.services.messages import telegram as conversation
from portal.services.unit_of_work import unit_of_work
from tests.telegram.direct import DirectRequest
from tests.telegram.world import TOKEN, Person, World

pytestmark = pytest.mark.usefixtures("database")


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def ana(world: World) -> Person:
    return world.person("Ana")


def message(person: Person, text: str) -> dict[str, object]:
    return {"message": person._message(text=text)}


class Heard:
    """A bot that only notes what it is told, in a transaction."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.answers = 0
        self.before: Callable[[str], None] = lambda text: None
        self.after: Callable[[str], None] = lambda text: None

    async def handle(self, update: Update, context: BotContext) -> None:
        text = (update.effective_message.text if update.effective_message else None) or "?"
        await asyncio.to_thread(self.before, text)
        with suppress(AlreadyDone):
            await context.change(lambda session: self.texts.append(text))
        self.answers += 1
        self.after(text)


@asynccontextmanager
async def running(world: World, heard: Heard) -> AsyncIterator[BotApplication]:
    builder = Application.builder().token(TOKEN).updater(None).rate_limiter(PatientLimiter(pauses=(0,)))
    builder = builder.context_types(ContextTypes(context=BotContext)).request(DirectRequest(world))
    application: BotApplication = builder.build()  # type: ignore[assignment]
    application.add_handler(TypeHandler(Update, heard.handle))
    async with application:
        yield application


def waiting() -> list[int]:
    with unit_of_work() as session:
        return [update.update_id for update in conversation.updates_waiting(session)]


class TestOneEffect:
    def test_the_same_update_twice_is_one_effect(self, world, ana):
        heard = Heard()

        async def story() -> None:
            async with running(world, heard) as application:
                inbox = Inbox(application)
                update = {"update_id": 7, **message(ana, "a")}
                await inbox.receive([update])
                await inbox.idle()
                await inbox.receive([update, update])
                await asyncio.gather(inbox.receive([update]), Inbox(application).receive([update]))
                await inbox.idle()

        asyncio.run(story())
        assert heard.texts == ["a"]

    def test_twice_at_the_same_time_on_two_inboxes_is_one_effect(self, world, ana):
        heard = Heard()

        async def story() -> None:
            async with running(world, heard) as application:
                inboxes = [Inbox(application) for _ in range(4)]
                update = {"update_id": 7, **message(ana, "a")}
                await asyncio.gather(*(inbox.receive([update]) for inbox in inboxes))
                for inbox in inboxes:
                    await inbox.idle()

        asyncio.run(story())
        assert heard.texts == ["a"]

    def test_after_a_restart_what_was_stored_is_handled_and_nothing_is_handled_again(self, world, ana):
        heard = Heard()
        with unit_of_work(writes=True) as session:
            updates = [{"update_id": n, **message(ana, text)} for n, text in enumerate("abc", start=1)]
            conversation.store_updates(session, updates, now=now())
            conversation.mark_handled(session, 1, now=now())

        async def story() -> None:
            async with running(world, heard) as application:
                inbox = Inbox(application)
                await inbox.resume()
                await inbox.idle()

        asyncio.run(story())
        assert heard.texts == ["b", "c"]
        assert waiting() == []

    def test_killed_between_effect_and_answer_only_the_answer_is_given_again(self, world, ana):
        heard = Heard()
        with unit_of_work(writes=True) as session:
            conversation.store_updates(session, [{"update_id": 1, **message(ana, "a")}], now=now())
            conversation.mark_worked(session, 1, now=now())

        async def story() -> None:
            async with running(world, heard) as application:
                inbox = Inbox(application)
                await inbox.resume()
                await inbox.idle()

        asyncio.run(story())
        assert (heard.texts, heard.answers) == ([], 1)

    def test_an_update_of_an_unknown_kind_is_put_aside(self, world, ana):
        heard = Heard()

        async def story() -> None:
            async with running(world, heard) as application:
                inbox = Inbox(application)
                await inbox.receive(
                    [{"update_id": 1, "telepathy": {"from": "?"}}, {"update_id": 2, "message": 5}]
                )
                await inbox.receive([{"update_id": 3, **message(ana, "a")}])
                await inbox.idle()

        asyncio.run(story())
        assert "a" in heard.texts
        assert waiting() == []


class TestOrder:
    def test_one_chat_is_answered_in_order_while_others_are_not_held_up(self, world, ana):
        heard, slow, bob = Heard(), threading.Event(), world.person("Bob")
        both_of_bob = threading.Event()

        def before(text: str) -> None:
            if text == "a1":
                slow.wait(5)

        heard.before = before
        heard.after = lambda text: both_of_bob.set() if text == "b2" else None

        async def story() -> None:
            async with running(world, heard) as application:
                inbox = Inbox(application, at_once=2)
                said = [(ana, "a1"), (ana, "a2"), (bob, "b1"), (bob, "b2")]
                await inbox.receive(
                    [{"update_id": n, **message(*who)} for n, who in enumerate(said, start=1)]
                )
                await asyncio.to_thread(both_of_bob.wait, 5)
                slow.set()
                await inbox.idle()

        asyncio.run(story())
        assert heard.texts == ["b1", "b2", "a1", "a2"]


class TestPolling:
    def test_an_update_is_in_the_inbox_before_it_is_acknowledged(self, world, ana):
        heard, seen = Heard(), []
        real = world._get_updates

        def watched(params: dict[str, str]) -> object:
            if int(params.get("offset") or 0) > 100:
                with unit_of_work() as session:
                    seen.append(conversation.known(session, 100))
            return real(params)

        world._get_updates = watched  # type: ignore[method-assign, assignment]
        self.poll(world, heard, lambda: world.push(message(ana, "a")))
        assert seen[0] is True
        assert heard.texts == ["a"]

    def test_errors_of_telegram_are_waited_out(self, world, ana, monkeypatch):
        heard = Heard()
        world.fail("getUpdates", 502)
        self.poll(world, heard, lambda: world.push(message(ana, "a")), pause=0)
        assert heard.texts == ["a"]

    def poll(self, world: World, heard: Heard, during: Callable[[], object], pause: float = 1) -> None:
        async def story() -> None:
            async with running(world, heard) as application:
                inbox, stop = Inbox(application), asyncio.Event()
                request = _Threaded(world)
                polling = asyncio.create_task(
                    poll(application, inbox, stop, wait=5, request=request, first_pause=pause)
                )
                number = await asyncio.to_thread(during)
                await asyncio.to_thread(world.wait_until, lambda: world.acknowledged > number)
                await inbox.idle()
                stop.set()
                world.close()
                await polling

        asyncio.run(story())


class _Threaded(DirectRequest):
    """Long polls wait, so they wait in a thread."""

    async def do_request(self, url: str, method: str, *more: object, **named: object) -> tuple[int, bytes]:
        parts = urlsplit(url)
        status, body = await asyncio.to_thread(
            self.world.call, parts.path.rsplit("/", 1)[-1], dict(parse_qsl(parts.query)), {}
        )
        return status, json.dumps(body).encode()


class TestWhatStays:
    def test_a_handled_update_leaves_no_text_no_chat_and_no_number(self, world, ana, database):
        with unit_of_work(writes=True) as session:
            conversation.store_updates(session, [{"update_id": 987654, **message(ana, "segredo")}], now=now())
        with database.connect() as connection:
            stored = str(connection.exec_driver_sql("select * from telegram_updates").all())
        assert "segredo" not in stored
        assert str(ana.id) not in stored
        assert "987654" not in stored

        with unit_of_work(writes=True) as session:
            conversation.mark_handled(session, 987654, now=now())
        with database.connect() as connection:
            row = connection.exec_driver_sql("select body, lane, handled_at from telegram_updates").one()
        assert row[:2] == (None, None)
        assert row[2]
