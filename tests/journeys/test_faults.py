"""What a portal leans on breaks while people file: whatever was acknowledged is there and whole, look-ups go on,
people are told in a sentence with what they wrote kept, and nobody has to mend anything by hand afterwards.
"""

import asyncio
import contextlib
import re
import resource
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

import httpx
import pytest
from aiosmtpd.controller import Controller
from sqlalchemy import create_engine, func, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from portal.config import settings
from portal.sealing.folder import read_env
from portal.services.schema import migrate_database
from portal.services.unit_of_work import unit_of_work
from portal.storage.complaints import ComplaintRow
from portal.storage.database import engine
from portal.storage.outbox import OutboxRow
from tests import postgresql
from tests.conftest import leave_out
from tests.journeys.test_killed import (
    TOWN,
    Citizen,
    Program,
    assert_no_orphans,
    assert_whole,
    leave_notices,
    wait_for,
    waiting,
)

pytestmark = pytest.mark.slow

CITIZENS = 2
AWAY = "O sistema não respondeu a tempo"
NOT_KEPT = "Não deu para guardar"
LOOK_UP = "/verificar?q=BRA2E19"


class Patient(Citizen):
    """Files on whatever happens: told to wait, it waits and looks where it was."""

    def __init__(self, port: int, enough: Event) -> None:
        super().__init__(port, Event(), enough)
        self.daemon = True
        self.told: Counter[str] = Counter()

    def _get(self, address: str) -> str:
        return self._until(lambda: self.browser.get(address, follow_redirects=True), None)

    def _post(self, address: str, fields: dict[str, str], files: dict[str, tuple[str, bytes, str]]) -> str:
        self.browser.headers["Sec-Fetch-Site"] = "same-origin"
        return self._until(lambda: self.browser.post(address, data=fields, files=files or None), address)

    def _until(self, ask, again_at: str | None) -> str:
        """A page that can be gone on from. What was sent may have been taken: only the page there now tells."""
        while True:
            try:
                answer = ask()
            except httpx.TransportError:
                self.broken += 1
                answer = None
            if answer is not None and answer.status_code == 303:
                return self._get(answer.headers["Location"])
            if answer is not None and answer.status_code in (200, 422) and NOT_KEPT not in answer.text:
                return answer.text
            if answer is not None:
                assert answer.status_code in (422, 503), answer.text
                sentence = AWAY if AWAY in answer.text else NOT_KEPT
                assert sentence in answer.text, answer.text
                self.told[sentence] += 1
            time.sleep(0.2)
            if again_at:
                return self._get(again_at)


@contextmanager
def people(port: int, count: int = CITIZENS) -> Iterator[list[Patient]]:
    """Citizens who file from now on; at the end they finish what they are at, and all went well for each."""
    enough = Event()
    citizens = [Patient(port, enough) for _number in range(count)]
    for citizen in citizens:
        citizen.start()
    try:
        yield citizens
    finally:
        enough.set()
    for citizen in citizens:  # not after a failure: what they wait for may never come
        citizen.join(120)
    assert [citizen.failure for citizen in citizens] == [None] * count


def assert_kept(citizens: list[Patient]) -> None:
    """Every receipt is of a whole complaint, and there is none without a receipt."""
    receipts = [receipt for citizen in citizens for receipt in citizen.receipts]
    assert len(set(receipts)) == len(receipts) >= len(citizens)
    for protocol, key in receipts:
        assert_whole(protocol, key)
    with unit_of_work() as session:
        assert session.scalar(select(func.count()).select_from(ComplaintRow)) == len(receipts)
    assert_no_orphans()


def until(condition, *, patience: float = 90) -> None:
    """Wait for what must come by itself."""
    deadline = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < deadline, "it does not come by itself"
        time.sleep(0.05)


def filed(citizens: list[Patient]) -> int:
    return sum(len(citizen.receipts) for citizen in citizens)


def told(citizens: list[Patient], sentence: str) -> int:
    return sum(citizen.told[sentence] for citizen in citizens)


def look_up(port: int, **headers: str) -> httpx.Response:
    return httpx.get(f"http://127.0.0.1:{port}{LOOK_UP}", headers=headers, timeout=30)


@pytest.fixture
def portal(keys, database) -> Iterator[Program]:
    """The public portal as a process of its own, over the database of the tests."""
    yield from _running()


def _running() -> Iterator[Program]:
    program = Program("portal")
    program.start()
    try:
        yield program
    finally:
        program.end()


@pytest.fixture
def server(request) -> Iterator[postgresql.Server]:
    with postgresql.breakable("-c", "max_connections=12", "-c", "superuser_reserved_connections=0") as made:
        if made is None:
            leave_out(request, "a PostgreSQL to kill")
        assert made
        yield made


@pytest.fixture
def portal_on_postgresql(keys, server, monkeypatch) -> Iterator[Program]:
    monkeypatch.setenv("DATABASE_URL", server.url.render_as_string(hide_password=False))
    monkeypatch.setenv("DATABASE_TIMEOUT", "2")
    settings.cache_clear()
    engine.cache_clear()
    migrate_database()
    yield from _running()
    engine().dispose()


class TestTheDatabase:
    def test_killed_again_and_again_under_load(self, portal_on_postgresql, server):
        with people(portal_on_postgresql.port) as citizens:
            for _kill in range(3):
                before = filed(citizens)
                until(lambda before=before: filed(citizens) > before)
                server.kill()
                until(lambda: look_up(portal_on_postgresql.port).status_code == 503)
                server.start()
            before = filed(citizens)
            until(lambda before=before: filed(citizens) > before)
        assert told(citizens, AWAY)
        assert_kept(citizens)

    def test_without_a_free_connection_people_are_told_and_keep_what_they_wrote(
        self, portal_on_postgresql, server
    ):
        port, taken = portal_on_postgresql.port, contextlib.ExitStack()
        others = create_engine(server.url, poolclass=NullPool)
        with contextlib.suppress(OperationalError):  # there is no more
            while True:
                taken.enter_context(others.connect())
        with taken, httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as browser:
            answer = browser.post(
                f"/{TOWN}/manifestacoes/iniciar",
                data={"what": "overcrowding", "vehicle": "BRA2E19"},
                headers={"Sec-Fetch-Site": "same-origin", "Accept-Language": "pt-BR"},
            )
            assert (answer.status_code, answer.headers["Retry-After"]) == (503, "30")
            assert AWAY in answer.text
            assert 'value="BRA2E19"' in answer.text
            english = browser.get(LOOK_UP, headers={"Accept-Language": "en"})
            assert english.status_code == 503
            taken.close()
            until(lambda: browser.get(LOOK_UP).status_code == 200)


class TestAFullDisk:
    def test_takes_nothing_answers_look_ups_and_takes_all_once_there_is_room(self, portal):
        with people(portal.port) as citizens:
            until(lambda: filed(citizens) >= 1)
            # No file may grow past so many bytes: neither the database, nor its log, nor a photo.
            resource.prlimit(portal.pid, resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))
            until(lambda: told(citizens, NOT_KEPT) or told(citizens, AWAY))
            for _time in range(3):
                assert look_up(portal.port).status_code == 200
            before = filed(citizens)
            resource.prlimit(
                portal.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
            )
            until(lambda: filed(citizens) > before + 1)
        assert_kept(citizens)


class TestTheStore:
    @pytest.fixture
    def portal_with_store(self, keys, database, s3, monkeypatch):
        for name, value in {
            "FILES_URL": s3.url, "FILES_KEY_ID": "only-for-tests", "FILES_SECRET": "only-for-tests",
            "FILES_TIMEOUT": "1",
        }.items():  # fmt: skip
            monkeypatch.setenv(name, value)
        settings.cache_clear()
        yield from _running()
        s3.mend()
        s3.thaw()

    @pytest.mark.parametrize("fault", ["slow", "failing"])
    def test_keeps_nobody_from_filing_and_every_photo_comes_once_it_is_back(
        self, portal_with_store, s3, fault
    ):
        port = portal_with_store.port
        with people(port) as citizens:
            until(lambda: filed(citizens) >= 1)
            (s3.freeze if fault == "slow" else s3.fail)()
            until(lambda: told(citizens, NOT_KEPT))
            assert look_up(port).status_code == 200
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as browser:
                # Without a photo it goes on as ever: no lock of the database is held while the store is asked.
                assert a_complaint_in_words(browser)
            (s3.thaw if fault == "slow" else s3.mend)()
            before = filed(citizens)
            until(lambda: filed(citizens) > before)
        receipts = [receipt for citizen in citizens for receipt in citizen.receipts]
        for protocol, key in receipts:
            assert_whole(protocol, key)
        assert_no_orphans()


def a_complaint_in_words(browser: httpx.Client) -> str:
    """File without a file; answers the protocol."""
    page = browser.get(f"/{TOWN}/manifestacoes/nova").text
    while 'class="receipt__code"' not in page:
        asked = re.findall(r'name="question" value="(\w+)"', page)[-1]
        hidden = {
            name: re.search(rf'name="{name}" value="([^"]*)"', page)[1]
            for name in ("draft", "csrf_token")
            if f'name="{name}" value="' in page
        }
        fields = {"question": asked, "option": Citizen.TAPS.get(asked, "skip"), **hidden}
        answer = browser.post(f"/{TOWN}/manifestacoes/nova", data=fields, follow_redirects=True)
        assert answer.status_code == 200, answer.text
        page = answer.text
    return re.search(r'class="receipt__code">([\w-]+)<', page)[1]


class TestRedis:
    def test_frozen_or_gone_look_ups_go_on_and_limits_still_hold(
        self, keys, database, redis_server, monkeypatch
    ):
        for name, value in {
            "REDIS_URL": redis_server.url, "REDIS_TIMEOUT": "0.1", "PROXIES": "1", "READS_PER_MINUTE": "5",
        }.items():  # fmt: skip
            monkeypatch.setenv(name, value)
        settings.cache_clear()
        running = _running()
        portal = next(running)
        try:
            assert look_up(portal.port, **{"X-Forwarded-For": "203.0.113.1"}).status_code == 200
            for number, (broken, mended) in enumerate(
                [(redis_server.freeze, redis_server.thaw), (redis_server.kill, redis_server.start)]
            ):
                broken()
                address = {"X-Forwarded-For": f"203.0.113.{10 + number}"}
                answers = [look_up(portal.port, **address).status_code for _time in range(6)]
                mended()
                assert answers == [200] * 5 + [429]
        finally:
            running.close()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def tried() -> bool:
    """Whether a letter was tried and put back."""
    with unit_of_work() as session:
        return bool(session.scalar(select(func.count()).where(OutboxRow.failure.is_not(None))))


class TestTheMailServer:
    @pytest.mark.parametrize("fault", ["failing", "slow", "absent"])
    def test_comes_back_and_every_letter_arrives(self, keys, database, monkeypatch, fault):
        letters: Counter[str] = Counter()
        broken = threading.Event()
        broken.set()

        class Postbox:
            async def handle_DATA(self, _server, _session, envelope):
                if broken.is_set() and fault == "failing":
                    return "451 not now"
                while broken.is_set():  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
                letters.update(envelope.rcpt_tos)
                return "250 OK"

        port = free_port()
        controller = Controller(Postbox(), hostname="127.0.0.1", port=port)
        for name, value in {
            "SMTP_URL": f"smtp://127.0.0.1:{port}", "MAIL_FROM": "ouvidoria@exemplo.example", "SMTP_TIMEOUT": "0.5",
            "NOTICE_PRIVATE_KEY": read_env(keys / "worker.env")["NOTICE_PRIVATE_KEY"],
        }.items():  # fmt: skip
            monkeypatch.setenv(name, value)
        people = {f"pessoa{number}@exemplo.example" for number in range(12)}
        leave_notices(people)
        worker = Program("worker", "200")
        if fault != "absent":
            controller.start()
        try:
            worker.start()
            until(tried)
            assert waiting() == len(people)
            broken.clear()
            if fault == "absent":
                controller.start()
            wait_for(lambda: set(letters) == people, unless=lambda: not waiting())
        finally:
            worker.end()
            controller.stop()
        assert set(letters) == people
