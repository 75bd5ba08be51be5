"""Statistics of a year, and the yearly report of Lei 13.460/2017 art. 14 and 15."""

from datetime import UTC, date, datetime, timedelta

import pytest

from portal.domain.errors import NotAllowed, NothingHere, ReportRefused
from portal.domain.staff import Role
from portal.domain.tallies import MERGED
from portal.services import casework
from portal.services.people.audit import history_of
from tests.factories.complaints import put_complaint
from tests.portal.services.casework.conftest import ELSEWHERE, TOWN, member_of

YEAR = {"first": date(2030, 1, 1), "last": date(2030, 12, 31)}
NEXT_YEAR = date(2031, 2, 1)
NEW_YEAR = datetime(2031, 2, 1, 15, tzinfo=UTC)
WORDS = {"recurring": "Lotação.", "measures": "Fiscalização dobrada.", "improvements": "Mais veículos."}


def filed(session, month=3, day=1, **told):
    at = datetime(2030, month, day, 15, tzinfo=UTC)
    return put_complaint(session, filed_at=at, due_on=at.date() + timedelta(30), **told)


def answered(session, staff, days, **told):
    case = filed(session, **told)
    casework.answer_case(
        session,
        staff,
        case.protocol,
        "Pronto.",
        now=case.filed_at + timedelta(days=days),
        outcome="confirmed",
    )
    return case


def figures(session, staff, today=NEXT_YEAR):
    return casework.statistics_of(session, staff, **YEAR, today=today)


def rows(told, of):
    return {one.key: one.figures.received for one in told.table(of).groups}


class TestCounting:
    def test_the_median_and_the_share_in_time(self, session, ana):
        for days in (1, 2, 3, 40, 50):
            answered(session, ana, days)

        told = figures(session, ana)
        assert (told.total.received, told.total.answered, told.total.median_days) == (5, 5, 3.0)
        assert told.total.in_time == pytest.approx(0.6)

    def test_what_is_overdue_counts_as_late_and_what_still_runs_counts_not(self, session, ana):
        for _ in range(4):
            answered(session, ana, 1)
        filed(session, month=1)
        filed(session, month=3)

        told = figures(session, ana, today=date(2030, 3, 10))
        assert told.total.in_time == pytest.approx(0.8)
        assert told.overdue == 1

    def test_a_year_runs_in_the_municipalitys_own_days(self, session, ana):
        put_complaint(session, filed_at=datetime(2031, 1, 1, 2, 59, tzinfo=UTC))
        put_complaint(session, filed_at=datetime(2031, 1, 1, 3, 0, tzinfo=UTC))

        assert figures(session, ana).total.received == 1

    def test_nothing_is_no_hundred_per_cent(self, session, ana):
        told = figures(session, ana)
        assert (told.total.received, told.total.in_time, told.total.median_days) == (0, None, None)

    def test_motives_and_outcomes(self, session, ana):
        answered(session, ana, 1, category="noise")
        filed(session, category="noise", status="withdrawn")
        dismissed = filed(session)
        casework.dismiss_case(
            session, ana, dismissed.protocol, "object_gone", "Já foi.", now=datetime(2030, 3, 3, tzinfo=UTC)
        )

        told = figures(session, ana)
        assert rows(told, "category") == {"noise": 2, "overcrowding": 1}
        assert rows(told, "outcome") == {"confirmed": 1, "withdrawn": 1, "dismissed": 1}

    def test_what_authors_thought_of_the_answer(self, session, ana):
        answered(session, ana, 1).rating = "resolved"
        answered(session, ana, 1)
        session.flush()

        assert rows(figures(session, ana), "rating") == {"resolved": 1}

    def test_a_place_that_somebody_typed_is_no_group(self, session, ana):
        filed(session, facts={"where": {"kind": "typed", "text": "em frente à casa da Maria"}})
        filed(session, facts={"where": {"kind": "stop", "code": "matriz", "name": "Praça da Matriz"}})

        assert rows(figures(session, ana), "place") == {"Praça da Matriz": 1}

    def test_units_are_judged_by_their_own_clock(self, session, ana):
        for days in (1, 2, 3, 4, 25):
            case = filed(session)
            at = case.filed_at
            number = casework.forward_case(session, ana, case.protocol, "Fiscalização", now=at)
            casework.record_reply(
                session, ana, case.protocol, number, "Fomos.", now=at + timedelta(days=days)
            )

        (unit,) = figures(session, ana).table("unit").groups
        assert (unit.key, unit.figures.median_days, unit.figures.in_time) == ("Fiscalização", 3.0, 0.8)

    def test_nothing_of_another_town(self, session, ana):
        filed(session, municipality=ELSEWHERE)

        assert figures(session, ana).total.received == 0


class TestTheReport:
    @pytest.fixture
    def year_of_many(self, session):
        for _ in range(6):
            filed(session, category="noise")
        for category in ("rudeness", "speeding", "praise"):
            for _ in range(2):
                filed(session, category=category)

    def publish(self, session, ana, words=WORDS, now=NEW_YEAR):
        casework.write_report(session, ana, 2030, words, now=now)
        casework.publish_report(session, ana, 2030, now=now)

    def test_what_is_published_merges_groups_under_five(self, session, ana, year_of_many):
        self.publish(session, ana)

        report = casework.public_report(session, TOWN, 2030)
        assert rows(report.figures, "category") == {"noise": 6, MERGED: 6}
        assert report.measures == "Fiscalização dobrada."
        assert casework.public_years(session, TOWN) == (2030,)

    def test_it_does_not_change_any_more(self, session, ana, year_of_many):
        self.publish(session, ana)
        filed(session)

        assert casework.public_report(session, TOWN, 2030).figures.total.received == 12
        with pytest.raises(ReportRefused) as refused:
            casework.write_report(session, ana, 2030, {**WORDS, "measures": "Outra."}, now=NEW_YEAR)
        assert refused.value.why == "published"

    def test_nobody_reads_it_before(self, session, ana):
        casework.write_report(session, ana, 2030, WORDS, now=NEW_YEAR)

        with pytest.raises(NothingHere):
            casework.public_report(session, TOWN, 2030)
        assert casework.public_years(session, TOWN) == ()

    def test_a_year_that_runs_is_not_published(self, session, ana):
        with pytest.raises(ReportRefused) as refused:
            self.publish(session, ana, now=datetime(2030, 12, 31, 15, tzinfo=UTC))
        assert refused.value.why == "running"

    @pytest.mark.parametrize("part", WORDS)
    def test_every_part_that_the_law_asks_for_is_written(self, session, ana, part):
        with pytest.raises(ReportRefused) as refused:
            self.publish(session, ana, {**WORDS, part: " "})
        assert refused.value.why == "words"

    def test_the_ombudsman_writes_it_the_auditor_reads_it_and_nobody_else(self, session, ana, clerk):
        auditor = member_of(session, TOWN, Role.AUDITOR)
        for other in (auditor, clerk):
            with pytest.raises(NotAllowed):
                casework.write_report(session, other, 2030, WORDS, now=NEW_YEAR)

        casework.write_report(session, ana, 2030, WORDS, now=NEW_YEAR)
        assert casework.read_report(session, auditor, 2030, today=NEXT_YEAR).recurring == "Lotação."
        for read in (
            lambda: casework.read_report(session, clerk, 2030, today=NEXT_YEAR),
            lambda: figures(session, clerk),
        ):
            with pytest.raises(NotAllowed):
                read()

    def test_publishing_stands_in_the_audit_chain(self, session, ana):
        self.publish(session, ana)

        assert [entry.action for entry in history_of(session, TOWN, "report:2030")] == ["report.published"]

    @pytest.mark.parametrize("year", [1999, 2032])
    def test_there_is_none_of_a_year_to_come(self, session, ana, year):
        with pytest.raises(NothingHere):
            casework.read_report(session, ana, year, today=NEXT_YEAR)
