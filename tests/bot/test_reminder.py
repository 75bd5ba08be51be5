"""One reminder of a complaint that was begun and not sent; then silence."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

import portal.clock
from portal.services.unit_of_work import unit_of_work
from portal.storage.outbox import OutboxRow
from portal.worker import deliver_due
from tests.bot.handlers.test_complaints import answer_all, begin, rows
from tests.bot.town import NOW

pytestmark = pytest.mark.usefixtures("at_two")
DAY = timedelta(days=1)


@pytest.fixture
def work(bot, keys, monkeypatch):
    """What the worker sends by a given instant."""
    from bot import delivery
    from portal.sealing.opening import open_sealed, private_key

    sent: list[str] = []

    def until(moment: datetime) -> list[str]:
        monkeypatch.setattr(portal.clock, "now", lambda: moment)
        sent.clear()

        def send(row, opened):
            assert row.payload == {"what": "reminder"}
            sent.append(delivery._reminder(int(opened)))

        def open_box(box, record):
            return open_sealed(box, {keys["notice"].id: private_key(keys["notice"].private)}, record=record)

        deliver_due(senders={"telegram": send}, open_box=open_box)
        return list(sent)

    return until


def reminders() -> list[OutboxRow]:
    with unit_of_work() as session:
        return list(session.scalars(select(OutboxRow).where(OutboxRow.dedupe_key.like("reminder/%"))))


class TestTheReminder:
    def test_comes_once_a_day_after_the_last_answer_and_never_again(self, ana, work):
        begin(ana)
        assert work(NOW + DAY - timedelta(minutes=1)) == []
        [said] = work(NOW + DAY + timedelta(minutes=1))
        assert "/reclamar continua" in said
        for days in range(2, 10):
            assert work(NOW + days * DAY) == []

    def test_waits_for_who_has_answered_meanwhile(self, ana, work, monkeypatch):
        begin(ana)
        monkeypatch.setattr(portal.clock, "now", lambda: NOW + timedelta(hours=20))
        ana.presses("Veículo lotado")
        assert work(NOW + DAY + timedelta(minutes=1)) == []
        assert len(work(NOW + timedelta(hours=45))) == 1

    def test_says_nothing_of_the_chat_or_the_case_to_who_reads_the_database(self, ana):
        begin(ana)
        [row] = reminders()
        assert row.payload == {"what": "reminder"}
        assert str(ana.id).encode() not in row.sealed
        assert str(ana.id) not in row.dedupe_key

    def test_goes_with_the_filing(self, ana, work):
        answer_all(ana)
        ana.presses("Anônima")
        assert reminders() == []

    @pytest.mark.parametrize("way_out", ["/cancelar", "/apagar"])
    def test_goes_with_the_draft(self, ana, work, way_out):
        begin(ana)
        ana.says(way_out)
        if way_out == "/apagar":
            ana.presses("Apagar tudo")
        assert rows(OutboxRow) == []

    def test_a_new_complaint_has_its_own(self, ana, work):
        begin(ana)
        work(NOW + DAY + timedelta(minutes=1))
        ana.says("/cancelar")
        begin(ana)
        assert len(work(NOW + 3 * DAY)) == 1
