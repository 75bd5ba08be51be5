"""Two webhook processes of one bot on one PostgreSQL, posted to by turns, and one of them killed."""

import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from sqlalchemy import make_url, text

import portal.storage.database
from bot.inbox import AT_ONCE
from bot.threads import SPARE_THREADS
from bot.webhook import SECRET_HEADER
from portal.services.unit_of_work import unit_of_work
from portal.storage.database import make_engine
from portal.storage.telegram import TelegramChatRow, TelegramLaneRow
from tests.bot.test_killed import all_handled, process, wait
from tests.bot.town import fill
from tests.conftest import _forget_settings, _make_tables
from tests.telegram.server import bot_api
from tests.telegram.world import Person, World

pytestmark = [pytest.mark.slow]

SECRET = "only-for-tests"
HEADERS = {SECRET_HEADER: SECRET, "Content-Type": "application/json"}
PEOPLE, TURNS = 6, 10


@dataclass
class Town:
    world: World
    processes: list[subprocess.Popen[bytes]]
    hooks: list[str]
    ids: int = 1000

    def post(self, process: int, update: dict[str, Any]) -> bool:
        """Post an update to one process; whether it is acknowledged."""
        with suppress(httpx.TransportError):
            return (
                httpx.post(self.hooks[process], json=update, headers=HEADERS, timeout=30).status_code == 200
            )
        return False

    def deliver(self, process: int, update: dict[str, Any]) -> None:
        """As Telegram does: again, to whichever process the proxy chooses next, until it is acknowledged."""
        ends = time.monotonic() + 60
        while not self.post(process, update):
            assert time.monotonic() < ends, "nobody took the update"
            process = 1 - process

    def update(self, number: int, person: Person, **content: Any) -> dict[str, Any]:
        return {"update_id": number, "message": person._message(**content)}


@pytest.fixture
def town(environment, keys, world, postgres_url, monkeypatch) -> Iterator[Town]:
    _make_tables(make_url(postgres_url))
    engine = make_engine(postgres_url)
    fill(engine)
    engine.dispose()
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    _forget_settings()
    ports = [_free_port(), _free_port()]
    hooks = [f"http://127.0.0.1:{port}/telegram" for port in ports]
    with ExitStack() as stack:
        address = stack.enter_context(bot_api(world))
        processes = []
        for number, hook in enumerate(hooks):
            settings = {
                "TELEGRAM_WEBHOOK_URL": hook,
                "TELEGRAM_WEBHOOK_PORT": str(ports[number]),
                "TELEGRAM_WEBHOOK_SECRET": SECRET,
                "TELEGRAM_BOT_PROCESSES": "2",
            }
            processes.append(stack.enter_context(process(address, world.token, **settings)))
        wait(lambda: len(world.sent("setWebhook")) == 2)
        yield Town(world, processes, hooks)
    portal.storage.database.engine().dispose()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def plate(person: int, turn: int) -> str:
    """A plate that one person asks for once."""
    return f"QAA{person}A{turn:02}"


def answered(person: Person, number: int) -> list[int]:
    """The turns whose plates have been answered, in the order of the answers."""
    turns = {plate(number, turn): turn for turn in range(TURNS)}
    return [turn for said in person.messages for asked, turn in turns.items() if f"{asked}" in said]


def each(people: list[Person], talk: Callable[[int, Person], None]) -> None:
    """Several people at the same time, each in order, as Telegram posts the next of a chat after the one before."""
    with ThreadPoolExecutor(len(people)) as pool:
        list(pool.map(talk, range(len(people)), people))


def test_each_update_is_handled_once_and_one_persons_in_order(town):
    people = [town.world.person(f"P{number}") for number in range(PEOPLE)]
    talking = threading.Event()
    talking.set()
    counts = []

    def count_connections() -> None:
        query = text("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        while talking.is_set():
            with portal.storage.database.engine().connect() as connection:
                counts.append(connection.execute(query).scalar_one())
            time.sleep(0.2)

    counting = threading.Thread(target=count_connections)
    counting.start()

    def talk(number: int, person: Person) -> None:
        for turn in range(TURNS):
            update = town.update(100 * number + turn + 1, person, text=plate(number, turn))
            if turn % 3 == 0:  # posted to both at the same time: both acknowledge it
                with ThreadPoolExecutor(2) as both:
                    assert list(both.map(town.post, (0, 1), (update, update))) == [True, True]
            else:
                assert town.post(turn % 2, update)
            if turn % 4 == 0:  # and once more to the other, which Telegram thought had not heard
                assert town.post((turn + 1) % 2, update)

    each(people, talk)
    wait(all_handled)
    talking.clear()
    counting.join()
    for number, person in enumerate(people):
        assert answered(person, number) == list(range(TURNS))
    assert max(counts) <= 2 * (AT_ONCE + SPARE_THREADS + 1) + 1, (
        "each process keeps to its threads, and its worker"
    )
    with unit_of_work() as session:
        assert session.query(TelegramLaneRow).count() == 0


def test_a_killed_one_loses_nothing_that_it_acknowledged(town):
    people = [town.world.person(f"P{number}") for number in range(PEOPLE)]
    half = threading.Barrier(PEOPLE + 1)

    def talk(number: int, person: Person) -> None:
        for turn in range(TURNS):
            if turn == TURNS // 2:
                half.wait(60)
            town.deliver(
                (number + turn) % 2, town.update(100 * number + turn + 1, person, text=plate(number, turn))
            )

    def kill() -> None:
        half.wait(60)
        town.world.wait_until(lambda: len(town.world.sent("sendMessage")) > 3)
        town.processes[0].kill()

    killing = threading.Thread(target=kill)
    killing.start()
    each(people, talk)
    killing.join()
    assert town.processes[0].wait(20) != 0
    wait(all_handled, 120)
    for number, person in enumerate(people):
        turns = answered(person, number)
        assert sorted(set(turns)) == list(range(TURNS)), "nobody is left without an answer"
        first = list(dict.fromkeys(turns))
        assert first == sorted(first), "and each in order"
        assert len(turns) <= TURNS + 1, "what was answered and not yet noted may be answered again"


def test_an_album_posted_to_both_by_turns_is_one(town):
    people = [town.world.person(f"P{number}") for number in range(3)]

    def send(number: int, person: Person) -> None:
        for part in range(5):
            photo = [town.world._photo(f"p{number}-{part}") | {"file_size": 9}]
            update = town.update(
                100 * number + part + 1, person, photo=photo, media_group_id=f"album{number}"
            )
            town.deliver((number + part) % 2, update)
            time.sleep(0.3)  # longer than a busy network takes

    each(people, send)
    wait(all_handled)
    for person in people:
        assert len(person.messages) == 1, "the last part answers for all"
        assert "Guardo o arquivo" in person.messages[0]
    with unit_of_work() as session:
        kept = [len(row.files) for row in session.query(TelegramChatRow)]
    assert kept == [5, 5, 5]
