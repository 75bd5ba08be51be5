from datetime import date, datetime, timedelta

import pytest

from portal.domain.errors import NotAllowed
from portal.domain.permits import Service
from portal.domain.staff import Role, StaffMember
from portal.services.oversight import state_of_service
from portal.storage.chores import chore_done, know_chores
from portal.storage.imports import ImportRunRow
from portal.storage.outbox import DEAD, OutboxRow
from tests.factories.complaints import put_complaint
from tests.factories.feeds import NOW as FEED_READ
from tests.factories.feeds import bring_in_orla
from tests.factories.permits import put_list
from tests.portal.desk.conftest import ELSEWHERE, TOWN

NOW = datetime.fromisoformat("2026-11-30T15:00:00+00:00")


def somebody(role: Role, town: str = TOWN) -> StaffMember:
    return StaffMember(1, town, "eva", "Eva", role)


@pytest.fixture
def look(session):
    return lambda role=Role.AUDITOR: state_of_service(session, somebody(role), now=NOW)


class TestWhoMayLook:
    def test_not_the_inspector(self, look):
        with pytest.raises(NotAllowed):
            look(Role.INSPECTOR)


class TestLists:
    def test_tell_their_age_and_the_oldest_first(self, session, look, tmp_path):
        put_list(session, as_of=date(2026, 11, 20))
        bring_in_orla(session, tmp_path / "orla")

        listed = look().lists

        assert [(one.kind, one.days) for one in listed] == [("register", 10), ("itineraries", 2)]

    def test_of_a_platform_are_late_past_the_age_that_the_law_allows(self, session, look):
        put_list(
            session, service=Service.RIDE_HAILING, kind="platform", source="Rota", as_of=date(2026, 6, 1)
        )

        [one] = look().lists

        assert one.late

    def test_of_another_town_are_not_told(self, session, look):
        put_list(session, municipality=ELSEWHERE)

        assert look().lists == ()


class TestImports:
    def test_tell_the_last_of_each_kind_whatever_became_of_it(self, session, look, tmp_path):
        bring_in_orla(session, tmp_path / "orla")
        for at, state in ((NOW - timedelta(days=2), "merged"), (NOW, "refused")):
            session.add(
                ImportRunRow(
                    municipality=TOWN, service="recreativo", kind="register", source="Cadastro", as_of=at.date(),
                    file_name=f"{state}.csv", file_digest="0" * 64, run_by="cli", state=state, started_at=at,
                    finished_at=at, rows_read=9, rows_refused=4,
                )
            )  # fmt: skip
            session.flush()

        told = {one.name: (one.state, one.at, one.refused) for one in look().imports}

        assert told["refused.csv"] == ("refused", NOW, 4)
        assert "merged.csv" not in told
        assert [value[:2] for name, value in told.items() if name != "refused.csv"] == [("merged", FEED_READ)]


class TestNotices:
    def test_are_counted_by_what_became_of_them(self, session, look):
        for state, created, due in (
            ("pending", NOW - timedelta(hours=3), NOW - timedelta(hours=3)),
            ("pending", NOW, NOW + timedelta(hours=1)),  # waits for its time, not for us
            (DEAD, NOW, NOW),
        ):
            session.add(
                OutboxRow(
                    kind="mail", payload={}, municipality=TOWN, state=state, created_at=created, due_at=due
                )
            )
        session.flush()

        found = look()

        assert (found.notices.waiting, found.notices.given_up) == (1, 1)
        assert found.notices_are_stuck


class TestSigns:
    def test_a_worker_that_does_its_chores_is_not_quiet(self, session, look):
        know_chores(session, ["drafts", "backup"], now=NOW)
        chore_done(session, "backup", now=NOW, due=NOW, failure=None)
        assert look().worker_is_quiet  # a backup is made by somebody else

        chore_done(session, "drafts", now=NOW - timedelta(minutes=4), due=NOW, failure=None)

        assert not look().worker_is_quiet
        assert look().backup_seen == NOW

    def test_chores_that_fail_are_named(self, session, look):
        know_chores(session, ["drafts"], now=NOW)
        chore_done(session, "drafts", now=NOW, due=NOW, failure="OperationalError")

        assert look().failing == (("drafts", "OperationalError"),)


class TestDueDates:
    def test_are_told_by_day_and_what_is_over_apart(self, session, look):
        for days in (-1, 0, 0, 5):
            put_complaint(session, due_on=date(2026, 11, 30) + timedelta(days=days))

        found = look()

        assert found.overdue == 1
        assert found.due == ((date(2026, 11, 30), 2), (date(2026, 12, 5), 1))
