"""The bot as a process of its own, killed without warning again and again: what was acknowledged is answered."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from portal.services.unit_of_work import unit_of_work
from portal.storage.telegram import TelegramUpdateRow
from tests.bot.handlers.test_complaints import filed
from tests.bot.town import PLATE
from tests.telegram.world import Person, World

pytestmark = [pytest.mark.slow]


@contextmanager
def process(address: str, token: str, **more: str) -> Iterator[subprocess.Popen[bytes]]:
    """``python -m bot`` with the database and the Bot API server of this test, and ``more`` settings."""
    environ = os.environ | {
        "TELEGRAM_BASE_URL": address,
        "TELEGRAM_BOT_TOKEN": token,
        "PYTHONPATH": os.pathsep.join(sys.path),
        **more,
    }
    running = subprocess.Popen([sys.executable, "-m", "bot"], env=environ, stderr=subprocess.PIPE)
    said: list[bytes] = []
    assert running.stderr
    reading = threading.Thread(target=lambda: said.extend(running.stderr or ()))
    reading.start()
    try:
        yield running
    finally:
        running.kill()
        running.wait()
        reading.join()
        running.stderr.close()
        assert token.encode() not in b"".join(said)
        assert b"Traceback" not in b"".join(said)


def killed_at(world: World, running: subprocess.Popen[bytes], call: int) -> Callable[[], None]:
    """Have the process killed while Telegram is about to answer its ``call``-th call from now on."""
    real, made, lock = world.call, [0], threading.Lock()

    def counted(method, params, files):
        with lock:
            made[0] += method != "getUpdates"
            if made[0] == call and running.poll() is None:
                running.send_signal(signal.SIGKILL)
                running.wait()
        return real(method, params, files)

    world.call = counted  # type: ignore[method-assign]
    return lambda: setattr(world, "call", real)


def all_handled() -> bool:
    with unit_of_work() as session:
        return session.query(TelegramUpdateRow).filter_by(handled_at=None).count() == 0


def wait(met: Callable[[], bool], seconds: float = 90) -> None:
    ends = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < ends, "the bot did not get there in time"
        time.sleep(0.05)


class TestKilled:
    @pytest.fixture
    def api(self, over_http):
        return over_http.telegram_base_url

    def test_at_every_call_it_makes_nobody_is_left_without_a_verdict(self, api, world):
        people = [world.person(f"P{number}") for number in range(8)]
        for number, person in enumerate(people):
            world.push({"message": person._message(text=PLATE)})
            with process(api, world.token) as running:
                restore = killed_at(world, running, 13 + number)  # the first thirteen introduce the bot
                known = people[: number + 1]
                wait(lambda running=running, known=known: running.poll() is not None or verdicts(known))
                restore()
        with process(api, world.token):
            wait(lambda: verdicts(people))
            wait(all_handled)

    def test_while_a_complaint_is_sent_it_is_filed_once_and_its_receipt_arrives(self, api, world):
        people = [world.person(f"Ana{number}") for number in range(4)]
        with process(api, world.token):
            for ana in people:
                answer_all(ana)
        for number, ana in enumerate(people):
            begun = len(world.sent("deleteWebhook"))
            with process(api, world.token) as running:
                wait(lambda begun=begun: len(world.sent("deleteWebhook")) > begun)
                restore = killed_at(world, running, 1 + number)
                press(ana, "Anônima")
                wait(lambda running=running, ana=ana: running.poll() is not None or has_receipt(ana))
                restore()
        with process(api, world.token):
            wait(lambda: all(has_receipt(ana) for ana in people))
            wait(all_handled)
        assert len(filed()) == len(people)


def answer_all(person: Person) -> None:
    """Every question up to the last, where the complaint is sent."""
    for text in ("quero denunciar uma van", None, "não sei", "pular", "pular"):
        said = len(person.messages)
        if text is None:
            press(person, "Caraguatatuba")
        else:
            person.world.push({"message": person._message(text=text)})
        wait(lambda said=said: len(person.messages) > said)
        wait(all_handled)


def verdicts(people: list[Person]) -> bool:
    return all(any("autorizado" in said for said in person.messages) for person in people)


def has_receipt(person: Person) -> bool:
    return any("Protocolo:" in said for said in person.messages)


def press(person: Person, label: str) -> None:
    """Press the newest button with this label, and go on without waiting."""
    for said in reversed(person.messages):
        for button in said.inline:
            if label in button["text"]:
                query = {
                    "id": "1",
                    "from": person.user,
                    "chat_instance": "1",
                    "data": button["callback_data"],
                }
                person.world.push({"callback_query": query | {"message": said.raw}})
                return
    raise AssertionError(f"no button {label}")
