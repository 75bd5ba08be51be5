import socket
from datetime import UTC, date, datetime, timedelta
from email import message_from_string
from email.policy import default
from pathlib import Path
from threading import Event, Thread

import pytest
from aiosmtpd.controller import Controller

import portal.config
from portal import clock
from portal.config import WorkerSettings, settings
from portal.delivery import TryLater, Undeliverable
from portal.regulations import catalogue
from portal.sealing.boxes import seal
from portal.sealing.keys import PublicKey, new_key_pair
from portal.sealing.opening import private_key
from portal.services.casework import DESK_MAIL, raise_alarms
from portal.services.messages.outbox import enqueue, next_delivery
from portal.services.people.anchors import leave_anchors, read_anchors
from portal.services.people.audit import head_of_log, record, verify_log
from portal.services.unit_of_work import unit_of_work
from portal.storage.casework import CaseAlarmRow
from portal.worker import deliver_due, desk_mail_sender, keep_house, opener, senders_of, work
from tests.factories.complaints import put_complaint

TOWN, TOWNS = "exemplo-ac", Path(__file__).parents[1] / "factories" / "towns"
NOW = datetime(2030, 3, 10, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def now(database, monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: NOW)


class Recorder:
    """A sender that keeps what it is given, or raises what it is told to."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.sent: list[tuple[dict, bytes | None]] = []

    def __call__(self, delivery, opened):
        if self.errors:
            raise self.errors.pop(0)
        self.sent.append((dict(delivery.payload), opened))


def open_box(box: bytes, record: str) -> bytes:
    assert record == "outbox/1"
    return box.removeprefix(b"sealed ")


def leave(kind="mail", **more):
    with unit_of_work(writes=True) as session:
        enqueue(session, kind, {"n": 1}, sealed=b"sealed address", record="outbox/1", now=NOW, **more)


def waiting_until(kind="mail"):
    with unit_of_work() as session:
        return next_delivery(session, [kind])


@pytest.fixture
def smtp():
    """The address of a real SMTP server, and what it was given."""
    letters: list[tuple[list[str], str]] = []

    class Postbox:
        async def handle_DATA(self, server, session, envelope):
            letters.append((envelope.rcpt_tos, envelope.content.decode()))
            return "250 OK"

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    controller = Controller(Postbox(), hostname="127.0.0.1", port=port)
    controller.start()
    yield f"smtp://127.0.0.1:{port}", letters
    controller.stop()


class TestDelivering:
    def test_a_sender_gets_the_opened_box_and_the_row_goes(self):
        leave()
        mail = Recorder()

        assert deliver_due(senders={"mail": mail}, open_box=open_box) == 1
        assert mail.sent == [({"n": 1}, b"address")]
        assert waiting_until() is None

    def test_kinds_without_a_sender_wait(self):
        leave("telegram")

        assert deliver_due(senders={"mail": Recorder()}, open_box=open_box) == 0
        assert waiting_until("telegram") == NOW

    @pytest.mark.parametrize(
        ("error", "due"),
        [
            (ConnectionRefusedError(), NOW + timedelta(seconds=30)),
            (TryLater(timedelta(seconds=5)), NOW + timedelta(seconds=5)),
            (Undeliverable(), None),
        ],
    )
    def test_what_becomes_of_a_failure(self, error, due):
        leave()

        deliver_due(senders={"mail": Recorder(error)}, open_box=open_box)

        assert waiting_until() == due

    def test_a_failure_holds_up_no_other_row(self):
        leave()
        leave()
        mail = Recorder(ValueError("ana@exemplo.com"))

        assert deliver_due(senders={"mail": mail}, open_box=open_box) == 2
        assert len(mail.sent) == 1

    def test_no_log_tells_an_address(self, caplog):
        leave()

        deliver_due(senders={"mail": Recorder(ValueError("ana@exemplo.com"))}, open_box=open_box)

        assert "ValueError" in caplog.text
        assert "exemplo" not in caplog.text

    def test_a_box_that_does_not_open_waits_for_the_right_key(self):
        leave()

        def wrong_key(box: bytes, record: str) -> bytes:
            raise ValueError

        deliver_due(senders={"mail": Recorder()}, open_box=wrong_key)

        assert waiting_until() == NOW + timedelta(seconds=30)


class TestMail:
    def test_news_says_that_there_is_news_and_nothing_else(self, smtp, tmp_path):
        url, letters = smtp
        pair = new_key_pair()
        box = seal(b"ana@example.org", PublicKey(pair.id, private_key(pair.private).public_key()), record="r")
        with unit_of_work(writes=True) as session:
            payload = {"notice": "news", "protocol": "7K3M-9QXT-4B2C", "language": "pt_BR"}
            enqueue(session, "mail", payload, sealed=box, record="r", now=NOW)
        configured = WorkerSettings(
            **{"_env_file": None, "notice_private_key": f"{pair.id}:{pair.private}", "smtp_url": url},
            mail_from="ouvidoria@example.org",
            public_url="https://portal.example.org",
        )

        deliver_due(senders=senders_of(configured), open_box=opener(configured))

        ((recipients, content),) = letters
        said = message_from_string(content, policy=default)
        assert recipients == ["ana@example.org"]
        assert said["Subject"] == "Há novidade na manifestação 7K3M-9QXT-4B2C"
        assert " ".join(said.get_content().split()) == (
            "Há novidade na manifestação 7K3M-9QXT-4B2C. Para ler, abra https://portal.example.org/acompanhar "
            "e digite o protocolo e a sua chave de acesso."
        )
        assert waiting_until() is None


class TestAlarms:
    def test_a_desk_reads_protocol_and_day_and_nothing_of_the_case(self, smtp, monkeypatch):
        url, letters = smtp
        monkeypatch.setenv("DESK_MAIL", '{"caraguatatuba-sp": "mesa@example.org"}')
        portal.config.settings.cache_clear()
        with unit_of_work(writes=True) as session:
            case = put_complaint(session, story="Um segredo.", due_on=date(2030, 3, 15))
            raise_alarms(session, now=NOW)
        send = desk_mail_sender(
            smtp_url=url, mail_from="portal@example.org", desk_url="https://mesa.example.org"
        )

        assert deliver_due(senders={DESK_MAIL: send}, open_box=open_box) == 1

        ((receivers, text),) = letters
        letter = message_from_string(text, policy=default)
        assert receivers == ["mesa@example.org"]
        assert case.protocol in letter["Subject"]
        for words in (case.protocol, "15/03/2030", "https://mesa.example.org/mesa/"):
            assert words in letter.get_content()
        assert "segredo" not in letter.get_content()

    def test_the_house_keeps_an_eye_on_due_dates(self):
        with unit_of_work(writes=True) as session:
            put_complaint(session, due_on=date(2030, 3, 15))

        keep_house()
        keep_house()

        with unit_of_work() as session:
            assert session.query(CaseAlarmRow).count() == 1


class TestTheLoop:
    def test_it_delivers_until_it_is_told_to_stop(self):
        leave()
        stop, delivered = Event(), Event()

        def send(delivery, opened):
            delivered.set()

        worker = Thread(target=work, args=[stop], kwargs={"senders": {"mail": send}, "open_box": open_box})
        worker.start()
        assert delivered.wait(10)
        stop.set()
        worker.join(10)
        assert not worker.is_alive()
        assert waiting_until() is None

    def test_the_house_is_kept(self):
        leave(expires=NOW)

        keep_house()

        assert waiting_until() is None


class TestTheAnchorOfTheLog:
    """The head of each audit log is told outside of the database once a day."""

    @pytest.fixture
    def log(self, monkeypatch, tmp_path):
        monkeypatch.setenv("AUDIT_ANCHOR_FILE", str(tmp_path / "elsewhere" / "anchors.txt"))
        settings.cache_clear()
        with catalogue.reading_from(catalogue.DATA, TOWNS):
            with unit_of_work(writes=True) as session:
                record(session, TOWN, actor="cli", action="staff.added", subject="staff:1", at=NOW)
            yield tmp_path / "elsewhere" / "anchors.txt"

    def keep(self, address, log):
        configured = WorkerSettings.model_construct(
            smtp_url=address, mail_from="ouvidoria@exemplo.example", public_url="", audit_anchor_file=log
        )
        keep_house()
        deliver_due(senders=senders_of(configured), open_box=open_box)

    def test_goes_to_a_file_and_to_the_towns_address(self, smtp, log):
        address, letters = smtp

        self.keep(address, log)

        [(to, letter)] = letters
        assert to == ["controle@exemplo.example"]
        told = message_from_string(letter, policy=default).get_content()
        with unit_of_work() as session:
            for text in (told, log.read_text()):
                assert read_anchors(text) == (head_of_log(session, TOWN),)
                assert verify_log(session, TOWN, read_anchors(text)).whole

    def test_once_a_day(self, smtp, log, monkeypatch):
        address, letters = smtp
        self.keep(address, log)
        self.keep(address, log)
        assert len(letters) == 1

        monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(days=1))
        self.keep(address, log)
        assert len(log.read_text().splitlines()) == 2

    def test_a_log_without_an_entry_and_a_town_without_a_place_have_none(self, smtp, log, monkeypatch):
        monkeypatch.delenv("AUDIT_ANCHOR_FILE")
        settings.cache_clear()
        with unit_of_work(writes=True) as session:
            record(session, "caraguatatuba-sp", actor="cli", action="staff.added", subject="staff:2", at=NOW)
            assert leave_anchors(session, now=NOW) == 1
