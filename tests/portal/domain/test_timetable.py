from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.domain.timetable import (
    Calendar,
    Call,
    Departure,
    Frequency,
    HolidayRule,
    instant,
    next_departures,
    outlook,
    regular_series,
    timetable_of,
    week_from,
)

ZONE = ZoneInfo("America/Sao_Paulo")
MONDAY, SATURDAY = date(2026, 11, 30), date(2026, 12, 5)
WEEKDAYS = frozenset(range(5))
HOUR = 3600


def at(day: date, clock: str) -> datetime:
    return datetime.combine(day, time.fromisoformat(clock), ZONE)


def call(clock: str, *days: int, **calendar) -> Call:
    hours, minutes = clock.split(":")
    seconds = int(hours) * HOUR + int(minutes) * 60
    return Call("orla", "outbound", Calendar("c", frozenset(days), **calendar), seconds, seconds)


def clocks(departures) -> list[str]:
    return [f"{departure.at:%d %H:%M}" for departure in departures]


class TestCalendar:
    def test_runs_on_its_weekdays_between_its_days_both_included(self):
        calendar = Calendar("c", WEEKDAYS, date(2026, 11, 30), date(2026, 12, 4))
        days = [date(2026, 11, 27) + timedelta(n) for n in range(12)]

        assert [day.day for day in days if calendar.runs_on(day, lambda _: ())] == [30, 1, 2, 3, 4]

    def test_a_dated_exception_outweighs_weekday_and_holiday(self):
        calendar = Calendar(
            "c", WEEKDAYS, added=frozenset({SATURDAY}), removed=frozenset({MONDAY}), holidays=HolidayRule.ALSO
        )

        assert calendar.runs_on(SATURDAY, lambda _: ())
        assert not calendar.runs_on(MONDAY, lambda _: (MONDAY,))

    @pytest.mark.parametrize(
        ("rule", "on_holiday", "on_other"),
        [
            (HolidayRule.AS_ANY_DAY, True, True),
            (HolidayRule.ALSO, True, True),
            (HolidayRule.NEVER, False, True),
            (HolidayRule.ONLY, True, False),
        ],
    )
    def test_each_rule_of_holidays(self, rule, on_holiday, on_other):
        calendar = Calendar("c", WEEKDAYS, holidays=rule)

        assert calendar.runs_on(MONDAY, lambda _: (MONDAY,)) is on_holiday
        assert calendar.runs_on(MONDAY + timedelta(1), lambda _: (MONDAY,)) is on_other

    def test_a_holiday_on_a_saturday_runs_when_the_calendar_says_also(self):
        calendar = Calendar("c", WEEKDAYS, holidays=HolidayRule.ALSO)

        assert calendar.runs_on(SATURDAY, lambda _: (SATURDAY,))


class TestOutlook:
    def test_the_next_departures_and_the_last_of_today(self):
        seen = outlook([call("10:00", 0), call("11:00", 0), call("12:00", 0)], at(MONDAY, "10:30"), zone=ZONE)

        assert clocks(seen.next) == ["30 11:00", "30 12:00"]
        assert clocks([seen.last_today]) == ["30 12:00"]
        assert seen.next_day is None

    def test_a_departure_of_this_very_minute_is_still_next(self):
        assert clocks(outlook([call("10:00", 0)], at(MONDAY, "10:00"), zone=ZONE).next) == ["30 10:00"]

    def test_none_today_next_on_saturday(self):
        seen = outlook([call("10:00", 5)], at(MONDAY, "09:00"), zone=ZONE)

        assert seen.next == ()
        assert not seen.ran_today
        assert clocks([seen.next_day]) == ["05 10:00"]

    def test_all_gone_today(self):
        seen = outlook([call("10:00", 0, 1)], at(MONDAY, "11:00"), zone=ZONE)

        assert seen.next == ()
        assert seen.ran_today
        assert clocks([seen.next_day]) == ["01 10:00"]

    def test_an_expired_timetable_has_no_next_departure(self):
        seen = outlook([call("10:00", 0, ends=date(2026, 10, 31))], at(MONDAY, "09:00"), zone=ZONE)

        assert (seen.next, seen.next_day, seen.last_today) == ((), None, None)


class TestServicePastMidnight:
    late = call("24:30", 0)

    def test_it_leaves_on_the_next_civil_day(self):
        assert clocks(next_departures([self.late], at(MONDAY, "23:00"), zone=ZONE, limit=1)) == ["01 00:30"]

    def test_after_midnight_it_is_still_the_last_of_tonight(self):
        seen = outlook([self.late, call("10:00", 0, 1)], at(MONDAY + timedelta(1), "00:10"), zone=ZONE)

        assert clocks(seen.next) == ["01 00:30", "01 10:00"]
        assert clocks([seen.last_today]) == ["01 00:30"]

    def test_it_stands_in_the_right_order_beside_an_early_service(self):
        calls = [call("25:10", 0), call("00:20", 1)]

        assert clocks(next_departures(calls, at(MONDAY, "23:50"), zone=ZONE, limit=2)) == [
            "01 00:20",
            "01 01:10",
        ]


class TestFrequencies:
    def test_the_end_is_not_a_departure_and_inexact_ones_are_about(self):
        every = Call(
            "orla", "outbound", Calendar("c", WEEKDAYS), 0, 0, frequencies=(Frequency(36000, 39600, 1200),)
        )
        found = next_departures([every], at(MONDAY, "09:00"), zone=ZONE, limit=4)

        assert clocks(found) == ["30 10:00", "30 10:20", "30 10:40", "01 10:00"]
        assert all(departure.approximate for departure in found)

    def test_a_stop_on_the_way_is_later_by_its_offset(self):
        every = Call(
            "orla", "outbound", Calendar("c", WEEKDAYS), 6 * HOUR + 300, 6 * HOUR,
            frequencies=(Frequency(36000, 39600, 1200, exact=True),),
        )  # fmt: skip

        assert clocks(next_departures([every], at(MONDAY, "09:00"), zone=ZONE, limit=1)) == ["30 10:05"]

    def test_hours_of_one_headway_become_one_span(self):
        hours = tuple(Frequency(h * HOUR, (h + 1) * HOUR - 60, 720) for h in (4, 5, 6))
        every = Call("orla", "outbound", Calendar("c", WEEKDAYS), 0, 0, frequencies=hours)

        [span] = timetable_of([every], MONDAY, zone=ZONE).spans
        assert (f"{span.starts:%H:%M}", f"{span.ends:%H:%M}", span.every_minutes) == ("04:00", "06:48", 12)


class TestWeek:
    def test_equal_days_stand_together(self):
        calls = [call("10:00", 0, 1, 2, 3, 4), call("15:00", 5)]

        groups = week_from(calls, MONDAY, zone=ZONE)

        assert [[day.day for day in group.days] for group in groups] == [[30, 1, 2, 3, 4], [5], [6]]
        assert [len(group.departures) for group in groups] == [1, 1, 0]

    def test_days_without_service_stand_last(self):
        groups = week_from([call("10:00", 2, 3)], MONDAY, zone=ZONE)

        assert [group.runs for group in groups] == [True, False]
        assert [day.day for day in groups[1].days] == [30, 1, 4, 5, 6]


class TestRegularSeries:
    def series(self, *clocks: str):
        calls = [call(each, 0) for each in clocks]
        return regular_series(timetable_of(calls, MONDAY, zone=ZONE).departures)

    def test_a_whole_day_every_twenty_minutes_is_one_span(self):
        spans, left = self.series(*(f"{m // 60}:{m % 60:02}" for m in range(0, 24 * 60, 20)))

        assert [(f"{s.starts:%H:%M}", f"{s.ends:%H:%M}", s.every_minutes) for s in spans] == [
            ("00:00", "23:40", 20)
        ]
        assert left == ()

    def test_what_leaves_at_another_distance_is_left_over(self):
        half_hours = [f"{h}:{m}" for h in (8, 9, 10) for m in ("00", "30")]
        spans, left = self.series("6:10", *half_hours, "17:45")

        assert [(f"{s.starts:%H:%M}", f"{s.ends:%H:%M}") for s in spans] == [("08:00", "10:30")]
        assert clocks(left) == ["30 06:10", "30 17:45"]

    def test_another_distance_begins_another_span(self):
        spans, left = self.series(
            *(f"6:{m:02}" for m in range(0, 60, 10)), *(f"{h}:00" for h in range(7, 14))
        )

        assert [s.every_minutes for s in spans] == [10, 60]
        assert [f"{s.ends:%H:%M}" for s in spans] == ["07:00", "13:00"]
        assert left == ()

    def test_a_few_are_told_one_by_one(self):
        spans, left = self.series("8:00", "9:00", "10:00", "11:00", "12:00")

        assert spans == ()
        assert len(left) == 5

    def test_guessed_minutes_make_no_series(self):
        guessed = Departure(at(MONDAY, "08:00"), "orla", "outbound", "", MONDAY, approximate=True)
        every_hour = [replace(guessed, at=guessed.at + timedelta(hours=n)) for n in range(8)]

        assert regular_series(every_hour) == ((), tuple(every_hour))


class TestClockChanges:
    """Berlin still changes its clocks, on 29 March and 25 October 2026."""

    zone = ZoneInfo("Europe/Berlin")

    @pytest.mark.parametrize("day", [date(2026, 3, 29), date(2026, 10, 25)])
    def test_a_time_of_the_day_stays_what_the_clock_shows(self, day):
        assert f"{instant(day, 10 * HOUR, self.zone):%H:%M}" == "10:00"

    def test_the_night_before_counts_from_noon(self):
        # 24:30 of the Saturday is half an hour past the last midnight of winter time.
        assert f"{instant(date(2026, 3, 28), 24 * HOUR + 1800, self.zone):%d %H:%M %z}" == "29 00:30 +0100"


@given(
    seconds=st.lists(st.integers(0, 30 * HOUR), min_size=1, max_size=6),
    days=st.sets(st.integers(0, 6), min_size=1),
    minutes=st.integers(0, 14 * 24 * 60),
)
def test_next_departures_are_those_of_a_plain_enumeration(seconds, days, minutes):
    calendar = Calendar("c", frozenset(days))
    calls = [Call("orla", "outbound", calendar, second, second) for second in sorted(set(seconds))]
    moment = datetime(2026, 11, 30, tzinfo=UTC) + timedelta(minutes=minutes)
    start = moment.astimezone(ZONE).date() - timedelta(3)
    everything = sorted(
        instant(start + timedelta(n), each.departs, ZONE)
        for n in range(40)
        for each in calls
        if (start + timedelta(n)).weekday() in days
    )

    found = next_departures(calls, moment, zone=ZONE, limit=3)

    assert [departure.at for departure in found] == [each for each in everything if each >= moment][:3]
