from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.domain.deadlines import (
    AnswerTime,
    add_business_days,
    add_days,
    add_months,
    business_day_of_month,
    due_date,
    is_business_day,
    next_business_day,
    oldest_lawful_list,
)
from portal.domain.rules import DayKind, ListDuty, Source

SOURCE = Source("exemplo", "art. 1º")
DAYS = st.dates(date(1990, 1, 1), date(2090, 12, 31))


def no_holiday(_day: date) -> bool:
    return False


def christmas(day: date) -> bool:
    return (day.month, day.day) == (12, 25)


class TestMonths:
    """Lei 810/1949 and Código Civil art. 132 § 3."""

    @pytest.mark.parametrize(
        ("start", "months", "end"),
        [
            (date(2025, 3, 10), 12, date(2026, 3, 10)),
            (date(2024, 2, 29), 12, date(2025, 3, 1)),
            (date(2024, 2, 29), 48, date(2028, 2, 29)),
            (date(2023, 2, 28), 12, date(2024, 2, 28)),
            (date(2026, 1, 31), 1, date(2026, 3, 1)),
            (date(2026, 12, 31), 2, date(2027, 3, 1)),
            (date(2026, 10, 31), 1, date(2026, 12, 1)),
            (date(2026, 12, 15), 1, date(2027, 1, 15)),
        ],
    )
    def test_end_on_the_day_of_the_same_number_or_the_first_after_it(self, start, months, end):
        assert add_months(start, months) == end

    @given(DAYS, st.integers(0, 60))
    def test_never_end_more_than_a_day_away_from_that_number(self, start, months):
        end = add_months(start, months)

        assert end.day == start.day or end.day == 1
        assert end >= start

    @given(DAYS, DAYS, st.integers(0, 60))
    def test_keep_the_order_of_days(self, one, other, months):
        earlier, later = sorted((one, other))

        assert add_months(earlier, months) <= add_months(later, months)


class TestBusinessDays:
    def test_the_first_day_is_not_counted_and_the_last_is(self):
        friday = date(2026, 11, 27)

        assert add_business_days(friday, 1, no_holiday) == date(2026, 11, 30)
        assert add_business_days(friday, 5, no_holiday) == date(2026, 12, 4)

    def test_a_holiday_is_skipped(self):
        assert add_business_days(date(2026, 12, 24), 1, no_holiday) == date(2026, 12, 25)
        assert add_business_days(date(2026, 12, 24), 1, christmas) == date(2026, 12, 28)

    def test_they_count_back_too(self):
        assert add_business_days(date(2026, 12, 31), -15, christmas) == date(2026, 12, 9)

    def test_the_fifth_of_a_month_that_begins_on_a_sunday(self):
        assert business_day_of_month(2026, 11, 5, no_holiday) == date(2026, 11, 6)

    @given(DAYS, st.integers(1, 40))
    def test_there_and_back_again(self, day, days):
        start = next_business_day(day, christmas)

        end = add_business_days(start, days, christmas)

        assert is_business_day(end, christmas)
        assert add_business_days(end, -days, christmas) == start

    @given(DAYS, st.integers(1, 60))
    def test_calendar_days_are_only_that(self, day, days):
        assert add_days(day, days, DayKind.CALENDAR, christmas) == day + timedelta(days)


class TestTheAnswerToAComplaint:
    """Lei 13.460/2017 art. 16."""

    rule = AnswerTime(30, 30, DayKind.CALENDAR, "Lei 13.460/2017, art. 16")

    def test_is_due_on_the_thirtieth_day(self):
        assert due_date(date(2026, 11, 30), self.rule, no_holiday) == date(2026, 12, 30)

    def test_an_extension_doubles_the_time(self):
        assert due_date(date(2026, 11, 30), self.rule, no_holiday, extended=True) == date(2027, 1, 29)

    def test_a_sunday_stays_unless_the_rule_moves_it(self):
        received = date(2026, 10, 30)
        moving = AnswerTime(30, 30, DayKind.CALENDAR, "art. 1º", rolls_to_business_day=True)

        assert due_date(received, self.rule, no_holiday) == date(2026, 11, 29)
        assert due_date(received, moving, no_holiday) == date(2026, 11, 30)


class TestAPlatformsList:
    def test_of_every_sixty_days_is_late_on_the_sixty_first(self):
        duty = ListDuty(SOURCE, every_days=60)
        delivered = date(2026, 10, 1)

        assert delivered >= oldest_lawful_list(duty, delivered + timedelta(60), no_holiday)
        assert delivered < oldest_lawful_list(duty, delivered + timedelta(61), no_holiday)

    def test_due_by_the_fifth_business_day_covers_the_month_before(self):
        duty = ListDuty(SOURCE, business_day_of_next_month=5)
        september, october = date(2026, 9, 30), date(2026, 10, 31)

        assert oldest_lawful_list(duty, date(2026, 11, 6), no_holiday) == september
        assert oldest_lawful_list(duty, date(2026, 11, 7), no_holiday) == october

    def test_a_holiday_gives_it_a_day_more(self):
        duty = ListDuty(SOURCE, business_day_of_next_month=5)

        def all_souls(day: date) -> bool:
            return (day.month, day.day) == (11, 2)

        assert oldest_lawful_list(duty, date(2026, 11, 9), all_souls) == date(2026, 9, 30)
        assert oldest_lawful_list(duty, date(2026, 11, 10), all_souls) == date(2026, 10, 31)
