"""Alarms five days and one day before each due date, none twice (a case at day 25, 29, 30, 31)."""

from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import select

from portal.services import casework
from portal.services.casework import DESK_MAIL
from portal.storage.casework import CaseAlarmRow
from portal.storage.outbox import OutboxRow
from tests.factories.complaints import put_complaint
from tests.portal.services.casework.conftest import FILED, NOW, TOWN


@pytest.fixture(autouse=True)
def desk_mail(environment, monkeypatch):
    from portal import config

    monkeypatch.setenv("DESK_MAIL", f'{{"{TOWN}": "mesa@example.org"}}')
    config.settings.cache_clear()


def on_day(number):
    """Noon of the ``number``-th day after filing."""
    return FILED + timedelta(days=number)


def told(session):
    rows = session.scalars(select(CaseAlarmRow).order_by(CaseAlarmRow.id)).all()
    return [(row.subject, row.days_before) for row in rows]


def letters(session):
    return session.scalars(select(OutboxRow).where(OutboxRow.kind == DESK_MAIL)).all()


class TestRaising:
    @pytest.mark.parametrize(
        ("day", "days_before"), [(24, []), (25, [5]), (26, [5]), (28, [5]), (29, [1]), (30, [1]), (31, [])]
    )
    def test_the_day_of_each(self, session, case, day, days_before):
        casework.raise_alarms(session, now=on_day(day))

        assert told(session) == [("answer", days) for days in days_before]

    def test_every_day_and_every_minute_tells_each_once(self, session, case):
        for day in range(20, 40):
            for minute in range(3):
                casework.raise_alarms(session, now=on_day(day) + timedelta(minutes=minute))

        assert told(session) == [("answer", 5), ("answer", 1)]
        assert len(letters(session)) == 2

    def test_a_new_due_date_has_its_own(self, session, ana, case):
        casework.raise_alarms(session, now=on_day(25))
        casework.extend_deadline(session, ana, case.protocol, "Falta o laudo.", now=on_day(26))
        casework.raise_alarms(session, now=on_day(26))
        assert told(session) == [("answer", 5)]

        casework.raise_alarms(session, now=on_day(55))
        assert told(session) == [("answer", 5), ("answer", 5)]

    def test_what_is_answered_alarms_nobody(self, session, ana, case):
        casework.answer_case(session, ana, case.protocol, "Pronto.", now=NOW)

        assert casework.raise_alarms(session, now=on_day(29)) == 0

    def test_a_unit_that_was_asked_has_its_own_due_date(self, session, ana, case):
        number = casework.forward_case(session, ana, case.protocol, "Fiscalização", now=on_day(1))

        casework.raise_alarms(session, now=on_day(20))
        casework.record_reply(session, ana, case.protocol, number, "Fomos.", now=on_day(20))
        casework.raise_alarms(session, now=on_day(21))

        assert told(session) == [(f"unit:{number}", 1)]

    def test_the_day_is_that_of_the_municipality(self, session, case):
        casework.raise_alarms(session, now=datetime(2030, 3, 26, 2, 59, tzinfo=UTC))  # still the 25th there
        assert told(session) == []

        casework.raise_alarms(session, now=datetime(2030, 3, 26, 3, 0, tzinfo=UTC))
        assert told(session) == [("answer", 5)]


class TestTheLetter:
    def test_it_names_the_protocol_and_the_day_and_nothing_of_the_case(self, session):
        case = put_complaint(session, story="Um segredo.", due_on=date(2030, 3, 31))

        casework.raise_alarms(session, now=on_day(25))

        (row,) = letters(session)
        assert row.payload == {
            "municipality": TOWN,
            "protocol": case.protocol,
            "due_on": "2030-03-31",
            "of": "answer",
        }
        assert row.sealed is None

    def test_a_desk_without_an_address_still_reads_it_in_the_inbox(self, session, ana, monkeypatch):
        from portal import config

        monkeypatch.setenv("DESK_MAIL", "{}")
        config.settings.cache_clear()
        case = put_complaint(session, due_on=date(2030, 3, 31))

        casework.raise_alarms(session, now=on_day(25))

        assert letters(session) == []
        (alarm,) = casework.alarms_now(session, ana, today=date(2030, 3, 26))
        assert (alarm.protocol, alarm.days_left, alarm.unit) == (case.protocol, 5, None)


class TestTheInbox:
    def test_the_nearest_first_units_too_and_nothing_overdue(self, session, ana):
        put_complaint(session, due_on=date(2030, 3, 9))
        later = put_complaint(session, due_on=date(2030, 3, 14), filed_at=FILED)
        soon = put_complaint(session, due_on=date(2030, 3, 11), filed_at=FILED)
        put_complaint(session, due_on=date(2030, 3, 16))
        casework.forward_case(session, ana, soon.protocol, "X", now=NOW)

        alarms = casework.alarms_now(session, ana, today=date(2030, 3, 10))

        assert [(one.protocol, one.days_left, one.unit) for one in alarms] == [
            (soon.protocol, 1, None),
            (soon.protocol, 1, "X"),
            (later.protocol, 4, None),
        ]
