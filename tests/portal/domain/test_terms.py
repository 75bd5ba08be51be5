from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.domain.permits import EventKind, HolderKind, Permit, PermitEvent, Service
from portal.domain.rules import BarKind, DayKind, Renewal, RevocationBar, Source, Term, TermKind
from portal.domain.terms import Span, barred_until, renewal_due, span, span_from

SOURCE = Source("exemplo", "art. 1º")
CALENDAR_YEAR = Term(TermKind.CALENDAR_YEAR, SOURCE)
FROM_PAYMENT = Term(TermKind.UNTIL_YEAR_END_FROM_PAYMENT, SOURCE)
TWELVE_MONTHS = Term(TermKind.MONTHS_FROM_ISSUE, SOURCE, months=12)
NO_TERM = Term(TermKind.NONE_IN_TEXT, SOURCE)
DAYS = st.dates(date(1990, 1, 1), date(2090, 12, 31))


def no_holiday(_day: date) -> bool:
    return False


def permit_with(*events: PermitEvent, year: int | None = None) -> Permit:
    return Permit(
        id=1,
        municipality="exemplo-sp",
        service=Service.RECREATIONAL,
        permit_type="example",
        number="1/2027",
        holder_kind=HolderKind.COMPANY,
        units=(),
        events=events,
        year=year,
    )


class TestACalendarYear:
    def test_runs_from_new_year_to_new_years_eve_of_the_year_it_is_for(self):
        asked = PermitEvent(EventKind.REQUEST, date(2026, 11, 5))
        issued = PermitEvent(EventKind.ISSUE, date(2026, 12, 10))

        found = span(CALENDAR_YEAR, permit_with(asked, issued, year=2027))

        assert found == Span(date(2027, 1, 1), date(2027, 12, 31))
        assert not found.covers(date(2026, 12, 31))
        assert found.covers(date(2027, 1, 1))
        assert found.covers(date(2027, 12, 31))
        assert not found.covers(date(2028, 1, 1))

    def test_never_runs_before_its_act_was_issued(self):
        issued = PermitEvent(EventKind.ISSUE, date(2027, 3, 10))

        found = span(CALENDAR_YEAR, permit_with(issued, year=2027))

        assert found == Span(date(2027, 3, 10), date(2027, 12, 31))

    def test_only_asked_for_has_not_begun(self):
        asked = PermitEvent(EventKind.REQUEST, date(2026, 11, 5))

        found = span(CALENDAR_YEAR, permit_with(asked, year=2027))

        assert found == Span(None, date(2027, 12, 31))
        assert not found.covers(date(2027, 6, 1))

    def test_issued_after_its_year_never_runs(self):
        found = span_from(CALENDAR_YEAR, issued=date(2028, 1, 5), year=2027)

        assert not any(found.covers(date(2027, 12, 31) + timedelta(days)) for days in range(10))

    def test_without_a_year_it_is_for_that_of_its_act(self):
        assert span_from(CALENDAR_YEAR, issued=date(2024, 2, 29)) == Span(
            date(2024, 2, 29), date(2024, 12, 31)
        )


class TestUntilTheYearEndsFromPayment:
    def test_begins_with_the_payment_and_ends_with_the_year(self):
        paid = PermitEvent(EventKind.PAYMENT, date(2026, 4, 2))
        issued = PermitEvent(EventKind.ISSUE, date(2026, 4, 1))

        assert span(FROM_PAYMENT, permit_with(paid, issued)) == Span(date(2026, 4, 2), date(2026, 12, 31))

    def test_never_before_the_act(self):
        found = span_from(FROM_PAYMENT, issued=date(2026, 4, 20), paid=date(2026, 4, 2))

        assert found == Span(date(2026, 4, 20), date(2026, 12, 31))

    def test_paid_on_the_last_day_it_lasts_that_day(self):
        found = span_from(FROM_PAYMENT, issued=date(2026, 12, 31), paid=date(2026, 12, 31))

        assert found == Span(date(2026, 12, 31), date(2026, 12, 31))

    def test_paid_in_december_for_the_next_year_it_is_that_whole_year(self):
        found = span_from(FROM_PAYMENT, issued=date(2026, 12, 15), paid=date(2026, 12, 10), year=2027)

        assert found == Span(date(2027, 1, 1), date(2027, 12, 31))

    def test_the_act_stands_for_an_unknown_payment(self):
        assert span_from(FROM_PAYMENT, issued=date(2026, 5, 4)) == Span(date(2026, 5, 4), date(2026, 12, 31))

    def test_paid_but_not_issued_has_not_begun(self):
        assert span_from(FROM_PAYMENT, issued=None, paid=date(2026, 5, 4)) == Span(None, None)


class TestMonthsFromIssue:
    @pytest.mark.parametrize(
        ("issued", "last"),
        [
            (date(2025, 3, 10), date(2026, 3, 10)),
            (date(2024, 2, 29), date(2025, 3, 1)),
            (date(2023, 2, 28), date(2024, 2, 28)),
            (date(2023, 3, 1), date(2024, 3, 1)),
            (date(2025, 12, 31), date(2026, 12, 31)),
        ],
    )
    def test_the_day_of_the_same_number_still_counts(self, issued, last):
        found = span_from(TWELVE_MONTHS, issued=issued)

        assert found == Span(issued, last)
        assert not found.covers(issued - timedelta(1))
        assert found.covers(last)
        assert not found.covers(last + timedelta(1))

    def test_days_of_grace_belong_to_it(self):
        record = Term(TermKind.MONTHS_FROM_ISSUE, SOURCE, months=24, grace_days=30)

        assert span_from(record, issued=date(2024, 5, 10)).valid_until == date(2026, 6, 9)


class TestNoTermInTheText:
    def test_has_no_last_day(self):
        found = span_from(NO_TERM, issued=date(2021, 6, 1))

        assert found == Span(date(2021, 6, 1), None)
        assert found.covers(date(2060, 1, 1))


class TestEveryKind:
    @given(
        st.sampled_from([CALENDAR_YEAR, FROM_PAYMENT, TWELVE_MONTHS, NO_TERM]),
        DAYS,
        st.none() | DAYS,
        st.none() | st.integers(1990, 2090),
    )
    def test_never_begins_before_the_act(self, term, issued, paid, year):
        found = span_from(term, issued=issued, paid=paid, year=year)

        assert found.valid_from is not None
        assert found.valid_from >= issued

    @given(st.sampled_from([FROM_PAYMENT, TWELVE_MONTHS, NO_TERM]), DAYS)
    def test_covers_the_day_of_the_act(self, term, issued):
        assert span_from(term, issued=issued).covers(issued)

    @given(st.sampled_from([CALENDAR_YEAR, FROM_PAYMENT]), DAYS, st.none() | DAYS)
    def test_ends_with_a_year_where_it_ends_with_the_year(self, term, issued, paid):
        last = span_from(term, issued=issued, paid=paid).valid_until

        assert last is not None
        assert (last.month, last.day) == (12, 31)


class TestAskingForARenewal:
    def test_business_days_before_the_last_day(self):
        rule = Renewal(SOURCE, days=15, counted_in=DayKind.BUSINESS)

        assert renewal_due(rule, date(2026, 12, 31), no_holiday) == date(2026, 12, 10)

    def test_calendar_days_before_the_last_day(self):
        assert renewal_due(Renewal(SOURCE, days=30), date(2026, 3, 10), no_holiday) == date(2026, 2, 8)

    def test_a_window_of_the_year(self):
        rule = Renewal(SOURCE, window_from=(11, 1), window_until=(11, 30))

        assert renewal_due(rule, date(2026, 12, 31), no_holiday) == date(2026, 11, 30)


class TestTheBarOfARevocation:
    def test_lasts_for_the_year_of_the_permit(self):
        bar = RevocationBar(BarKind.SAME_CALENDAR_YEAR, SOURCE)

        assert barred_until(bar, revoked_on=date(2026, 5, 4), permit_year=2026) == date(2026, 12, 31)
        assert barred_until(bar, revoked_on=date(2027, 1, 4), permit_year=2026) == date(2026, 12, 31)

    def test_lasts_some_months(self):
        bar = RevocationBar(BarKind.MONTHS, SOURCE, months=24)

        assert barred_until(bar, revoked_on=date(2024, 2, 29), permit_year=None) == date(2026, 3, 1)

    def test_is_not_in_every_text(self):
        bar = RevocationBar(BarKind.NONE_IN_TEXT, SOURCE)

        assert barred_until(bar, revoked_on=date(2026, 5, 4), permit_year=2026) is None
