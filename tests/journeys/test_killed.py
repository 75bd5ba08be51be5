"""Killed at any instruction: what was acknowledged is whole, and nothing of what was not is left behind."""

import html
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import BytesIO
from threading import Event, Lock, Thread
from typing import ClassVar

import httpx
import pytest
from aiosmtpd.controller import Controller
from PIL import Image
from sqlalchemy import func, select, text

from portal import clock
from portal.config import settings
from portal.files.store import file_store
from portal.sealing.boxes import seal
from portal.sealing.folder import read_env
from portal.sealing.keys import read_public_keys
from portal.services.complaints import tracking
from portal.services.complaints.stored_files import sweep_files
from portal.services.messages.outbox import enqueue
from portal.services.unit_of_work import unit_of_work
from portal.storage.complaints import ComplaintRow
from portal.storage.drafts import EvidenceRow
from portal.storage.outbox import PENDING, OutboxRow

pytestmark = pytest.mark.slow

KILLS = 100
CITIZENS = 4
TOWN = "caraguatatuba-sp"
SEED = int(os.environ.get("EMBARQUE_SEED", "20301"))
"""Where the kills fall is the machine's affair as well; the delays themselves are the same again."""


class Program:
    """A program of ours that is killed without warning and begun again."""

    def __init__(self, *words: str) -> None:
        command = [sys.executable, "-m", "tests.tools.fork_server", *words]
        self._parent = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self._read())
        self.pid = 0

    def start(self) -> None:
        assert self._parent.stdin
        self._parent.stdin.write("start\n")
        self._parent.stdin.flush()
        self.pid = int(self._read())

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def end(self) -> None:
        self.kill()
        self._parent.kill()
        self._parent.communicate()  # and its pipes are closed

    def _read(self) -> str:
        assert self._parent.stdout
        return self._parent.stdout.readline()


class Citizen(Thread):
    """Files complaints with a photo one after the other, and presses again whenever the line breaks."""

    TAPS: ClassVar = {
        "what": "overcrowding", "vehicle": "unknown", "where": "unknown", "when": "now",
        "photos": "done", "identity": "anonymous",
    }  # fmt: skip

    def __init__(self, port: int, posting: Event, enough: Event) -> None:
        super().__init__()
        self.port, self.posting, self.enough = port, posting, enough
        self.receipts: list[tuple[str, str]] = []
        self.broken = 0
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            while not self.enough.is_set():
                self.receipts.append(self._file())
        except BaseException as error:
            self.failure = error

    def _file(self) -> tuple[str, str]:
        out = BytesIO()
        Image.effect_noise((320, 240), 80).convert("RGB").save(out, "JPEG")
        photo, kept = out.getvalue(), False
        with httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=30) as self.browser:
            page = self._get(f"/{TOWN}/manifestacoes/nova")
            while 'class="receipt__code"' not in page:
                asked = re.findall(r'name="question" value="(\w+)"', page)[-1]
                if asked == "identity" and not kept:  # photos are offered on the last page
                    # What was sent when the line broke is there or not: the page itself says so.
                    page = self._get(f"/{TOWN}/manifestacoes/nova?pergunta=photos")
                    kept = "foto.jpg" in page
                    if kept:
                        page = self._get(f"/{TOWN}/manifestacoes/nova")
                    continue
                fields = {
                    "question": asked,
                    "draft": found(r'name="draft" value="([^"]*)"', page),
                    "csrf_token": found(r'name="csrf_token" value="([^"]*)"', page),
                    "option": self.TAPS.get(asked, "skip"),
                }
                files = {}
                name = found(r'<input[^>]*name="(\w+)" type="file"', page)
                if name and "foto.jpg" not in page:
                    fields["option"] = ""
                    files = {name: ("foto.jpg", photo, "image/jpeg")}
                page = self._post(f"/{TOWN}/manifestacoes/nova", fields, files)
            key = " ".join(
                re.findall(r"<li>(\w+)</li>", page.split('class="key-words"')[1].split("</ol>")[0])
            )
            return found(r'class="receipt__code">([\w-]+)<', page), key

    def _get(self, address: str) -> str:
        while True:
            try:
                answer = self.browser.get(address, follow_redirects=True)
            except httpx.TransportError:
                self.broken += 1
                time.sleep(0.02)
                continue
            assert answer.status_code == 200, answer.text
            return html.unescape(answer.text)

    def _post(self, address: str, fields: dict[str, str], files: dict[str, tuple[str, bytes, str]]) -> str:
        while True:
            self.posting.set()
            try:
                answer = self.browser.post(address, data=fields, files=files or None)
                break
            except httpx.TransportError:  # was it taken? the page that stands there now tells
                self.broken += 1
                time.sleep(0.02)
                if files:  # a photo sent twice would be kept twice
                    return self._get(address)
        if answer.status_code == 303:
            return self._get(answer.headers["Location"])
        assert answer.status_code in (200, 422), answer.text
        return html.unescape(answer.text)


def found(pattern: str, page: str) -> str:
    match = re.search(pattern, page)
    return match[1] if match else ""


@pytest.fixture
def portal(keys, database) -> Iterator[Program]:
    program = Program("portal")
    program.start()
    yield program
    program.end()


class TestThePortal:
    def test_killed_a_hundred_times_while_people_file_it_keeps_what_it_acknowledged(self, portal):
        chance, posting, enough = random.Random(SEED), Event(), Event()
        citizens = [Citizen(portal.port, posting, enough) for _ in range(CITIZENS)]
        for citizen in citizens:
            citizen.start()
        for _ in range(KILLS):
            posting.clear()
            assert posting.wait(60), "nobody is sending anything"
            time.sleep(chance.uniform(0, 0.25))
            portal.kill()
            portal.start()
        enough.set()
        for citizen in citizens:
            citizen.join(120)
        assert [citizen.failure for citizen in citizens] == [None] * CITIZENS
        receipts = [receipt for citizen in citizens for receipt in citizen.receipts]
        assert sum(citizen.broken for citizen in citizens) >= KILLS / 2, "the kills fell beside the sending"
        assert len(set(receipts)) == len(receipts) >= CITIZENS

        for protocol, key in receipts:
            assert_whole(protocol, key)
        with unit_of_work() as session:
            assert session.scalar(select(func.count()).select_from(ComplaintRow)) == len(receipts)
        assert_no_orphans()


def assert_whole(protocol: str, key: str) -> None:
    """The complaint opens with its key, has its one event and its photo, which can be looked at."""
    with unit_of_work(writes=True) as session:
        case = tracking.track(session, protocol, key, now=clock.now())
        assert isinstance(case, tracking.CaseView), protocol
        assert [str(event.status) for event in case.events] == ["registered"]
        (file,) = case.files
        photo = tracking.evidence(session, case.ticket, file.token, now=clock.now())
    with Image.open(BytesIO(photo.read())) as picture:
        picture.load()
        assert picture.size == (320, 240)


def assert_no_orphans() -> None:
    """After the sweep that a start begins with, each file has its row and each row its file."""
    store = file_store(settings().files_url)
    sweep_files(now=clock.now() + timedelta(hours=2))
    with unit_of_work() as session:
        kept = set(session.scalars(select(EvidenceRow.stored_as)))
        assert {name for name, _at in store.names()} == kept
        if session.get_bind().dialect.name == "sqlite":
            assert session.scalar(text("PRAGMA integrity_check")) == "ok"
            assert session.execute(text("PRAGMA foreign_key_check")).all() == []


NOTICES, WORKER_KILLS, SPEED = 200, 40, 60


@pytest.fixture
def postbox() -> Iterator[tuple[str, Counter[str]]]:
    """The address of a real SMTP server, and how often each address was written to."""
    letters: Counter[str] = Counter()
    lock = Lock()

    class Postbox:
        async def handle_DATA(self, _server, _session, envelope):
            with lock:
                letters.update(envelope.rcpt_tos)
            return "250 OK"

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    controller = Controller(Postbox(), hostname="127.0.0.1", port=port)
    controller.start()
    yield f"smtp://127.0.0.1:{port}", letters
    controller.stop()


class TestTheWorker:
    def test_killed_at_random_points_every_notice_arrives(self, keys, database, postbox, monkeypatch):
        address, letters = postbox
        monkeypatch.setenv("SMTP_URL", address)
        monkeypatch.setenv("MAIL_FROM", "ouvidoria@exemplo.example")
        monkeypatch.setenv("NOTICE_PRIVATE_KEY", read_env(keys / "worker.env")["NOTICE_PRIVATE_KEY"])
        people = {f"pessoa{number}@exemplo.example" for number in range(NOTICES)}
        leave_notices(people)
        chance = random.Random(SEED)
        worker = Program("worker", str(SPEED))
        try:
            for _ in range(WORKER_KILLS):
                enough = letters.total() + chance.randint(0, 8)
                worker.start()
                wait_for(lambda enough=enough: letters.total() > enough, unless=lambda: not waiting())
                time.sleep(chance.uniform(0, 0.05))
                worker.kill()
            worker.start()
            wait_for(lambda: False, unless=lambda: not waiting())
        finally:
            worker.end()

        assert set(letters) == people, "an acknowledged notice was lost"
        # One row is claimed at a time, so that a kill can make one letter go twice and no more.
        assert letters.total() <= NOTICES + WORKER_KILLS


def leave_notices(people: set[str]) -> None:
    notice = read_public_keys(settings().public_keys).notice
    assert notice
    with unit_of_work(writes=True) as session:
        for number, address in enumerate(sorted(people)):
            enqueue(
                session,
                "mail",
                {"protocol": "7K3M-9QXT-4B2C", "language": "pt_BR"},
                now=clock.now(),
                sealed=seal(address.encode(), notice, record=f"outbox/{number}"),
                record=f"outbox/{number}",
                dedupe_key=f"notice/{number}",
            )


def waiting() -> int:
    with unit_of_work() as session:
        wanted = select(func.count()).select_from(OutboxRow).where(OutboxRow.state == PENDING)
        return session.scalar(wanted) or 0


def wait_for(condition: Callable[[], bool], *, unless: Callable[[], bool]) -> None:
    """Until ``condition`` holds; ``unless`` is asked now and then, since it reads the database under test."""
    deadline, ask_at = time.monotonic() + 300, time.monotonic() + 1
    while not condition():
        now = time.monotonic()
        assert now < deadline, "the worker does not get on"
        if now >= ask_at:
            if unless():
                return
            ask_at = now + 1
        time.sleep(0.005)
