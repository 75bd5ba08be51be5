import asyncio
import json
import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest
from telegram.ext import Application

from bot.delivery import sender
from bot.sending import PatientLimiter
from portal import clock
from portal.delivery import Undeliverable
from portal.domain.complaints import Identity, IdentityMode
from portal.sealing.opening import open_sealed, private_key
from portal.services.complaints import filing, intake
from portal.services.complaints.notices import announce_news
from portal.services.messages import telegram as conversation
from portal.services.unit_of_work import unit_of_work
from portal.storage.complaints import NoticeAddressRow, find_by_protocol
from portal.storage.outbox import OutboxRow
from portal.worker import deliver_due
from tests.bot.handlers.test_complaints import rows
from tests.bot.town import NOW, TOWN
from tests.telegram.direct import DirectRequest
from tests.telegram.world import SILENCE, TOKEN, World

pytestmark = pytest.mark.usefixtures("at_two", "database")


@pytest.fixture
def worker(world: World, keys) -> Iterator[object]:
    """A worker that sends to Telegram through a bot in a loop of its own."""
    loop, ready = asyncio.new_event_loop(), threading.Event()
    thread = threading.Thread(target=lambda: (loop.call_soon(ready.set), loop.run_forever()))
    thread.start()
    ready.wait(5)
    limiter = PatientLimiter(pauses=())
    application = Application.builder().token(TOKEN).updater(None).rate_limiter(limiter)
    built = application.request(DirectRequest(world)).build()
    asyncio.run_coroutine_threadsafe(built.initialize(), loop).result(5)
    notice = {keys["notice"].id: private_key(keys["notice"].private)}
    senders = {"telegram": sender(built.bot, loop)}

    def work() -> int:
        return deliver_due(
            senders=senders, open_box=lambda box, record: open_sealed(box, notice, record=record)
        )

    yield work
    asyncio.run_coroutine_threadsafe(built.shutdown(), loop).result(5)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def a_complaint() -> str:
    with unit_of_work(writes=True) as session:
        prefill = {"what": "praise"}
        draft = intake.start_draft(
            session, municipality=TOWN, channel="telegram", language="pt_BR", now=NOW, prefill=prefill
        )
        while draft.question.id != "identity":
            draft = intake.skip(session, draft.token, draft.question.id, now=NOW)
        return filing.file_complaint(session, draft.token, Identity(IdentityMode.ANONYMOUS), now=NOW).protocol


def announce(protocol: str) -> None:
    with unit_of_work(writes=True) as session:
        complaint = find_by_protocol(session, protocol)
        assert complaint
        announce_news(session, complaint, news="answered/1", now=NOW)


class TestNews:
    def test_reach_those_who_can_be_reached_and_nobody_twice(self, world, worker, monkeypatch):
        people = [world.person(name) for name in ("Ana", "Bia", "Caio", "Duda")]
        protocol = a_complaint()
        with unit_of_work(writes=True) as session:
            for person in people:
                conversation.subscribe(session, person.id, protocol)
        announce(protocol)
        ana, bia, caio, duda = people
        world.fail("sendMessage", 403, chat_id=bia.id)
        world.fail("sendMessage", 429, chat_id=caio.id, times=1, retry_after=1)
        world.fail("sendMessage", SILENCE, chat_id=duda.id, times=1)
        with unit_of_work() as session:
            before = find_by_protocol(session, protocol).status

        worker()
        assert protocol in ana.last_message
        later = NOW + timedelta(hours=1)
        monkeypatch.setattr(clock, "now", lambda: later)
        worker()
        worker()

        assert [len(person.messages) for person in people] == [1, 0, 1, 1]
        assert len(rows(NoticeAddressRow)) == 3, "the channel of who blocked the bot is switched off"
        with unit_of_work() as session:
            assert find_by_protocol(session, protocol).status == before, "and the case is as it was"

    def test_tell_how_to_read_the_answer_without_leaving_the_chat(self, world, worker):
        ana = world.person("Ana")
        protocol = a_complaint()
        with unit_of_work(writes=True) as session:
            conversation.subscribe(session, ana.id, protocol)
        announce(protocol)
        worker()
        assert "Aqui no chat: /acompanhar" in ana.last_message

    def test_say_nothing_of_the_case(self, world, worker):
        ana = world.person("Ana")
        protocol = a_complaint()
        with unit_of_work(writes=True) as session:
            conversation.subscribe(session, ana.id, protocol)
        announce(protocol)
        worker()
        assert "Elogio" not in ana.last_message.text


class TestAReceiptLeftBehind:
    def test_is_sent_by_the_worker_and_forgotten(self, world, worker, monkeypatch):
        ana = world.person("Ana")
        with unit_of_work(writes=True) as session:
            draft = conversation.start_draft(
                session, ana.id, municipality=TOWN, language="pt_BR", prefill={"what": "praise"}, now=NOW
            )
            while draft.question.id != "identity":
                draft = intake.skip(session, draft.token, draft.question.id, now=NOW)
            filed = conversation.file_from_chat(session, ana.id, Identity(IdentityMode.ANONYMOUS), now=NOW)
        assert worker() == 0, "the handler that filed has a head start"
        monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(minutes=1))
        worker()
        assert filed.receipt.protocol in ana.last_message
        assert filed.receipt.access_key in ana.last_message.text
        assert rows(OutboxRow) == []

    def test_is_deleted_after_an_hour(self, world, worker, monkeypatch):
        from portal.services.messages.outbox import forget_old_deliveries

        ana = world.person("Ana")
        with unit_of_work(writes=True) as session:
            session.add(
                OutboxRow(
                    kind="telegram", payload={}, sealed=b"", created_at=NOW, due_at=NOW,
                    expires_at=NOW + conversation.RECEIPT_WAITS,
                )
            )  # fmt: skip
            assert forget_old_deliveries(session, now=NOW + timedelta(minutes=61)) == 1
        assert ana.messages == []


class TestADeliveryWithoutAddress:
    def test_is_given_up(self, world, worker):
        with unit_of_work(writes=True) as session:
            session.add(OutboxRow(kind="telegram", payload={}, created_at=NOW, due_at=NOW))
        worker()
        [row] = rows(OutboxRow)
        assert (row.state, row.failure) == ("dead", Undeliverable.__name__)
        assert json.dumps(row.payload) == "{}"
