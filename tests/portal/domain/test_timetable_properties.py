"""What holds of every calendar and every trip past midnight, on any night, clock changes too."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as any_

from portal.domain.timetable import (
    DAY,
    Calendar,
    Call,
    Frequency,
    HolidayRule,
    Leg,
    departures_on,
    instant,
    next_departures,
    next_rides,
    outlook,
)

ZONES = [
    ZoneInfo(name) for name in ("America/Sao_Paulo", "America/Cuiaba", "Europe/Lisbon", "Australia/Lord_Howe")
]
SUMMER_TIME = [date(2018, 11, 4), date(2019, 2, 16), date(2019, 2, 17), date(2026, 3, 29), date(2026, 10, 25)]
"""Days on which clocks change, or the night before, in one of these zones."""

CALM = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""A busy machine is no fault of a calendar."""

zones = any_.sampled_from(ZONES)
days = any_.one_of(any_.dates(date(2018, 1, 1), date(2027, 12, 31)), any_.sampled_from(SUMMER_TIME))
near_days = any_.dates(date(2026, 1, 1), date(2026, 12, 31))
weekdays = any_.frozensets(any_.integers(0, 6))
seconds = any_.integers(0, 2 * DAY - 1)


def holidays(year):
    return {date(year, 1, 1), date(year, 9, 7), date(year, 12, 25)}


@any_.composite
def calendars(draw):
    return Calendar(
        "c",
        weekdays=draw(weekdays),
        starts=draw(any_.none() | near_days),
        ends=draw(any_.none() | near_days),
        added=draw(any_.frozensets(near_days, max_size=4)),
        removed=draw(any_.frozensets(near_days, max_size=4)),
        holidays=draw(any_.sampled_from(HolidayRule)),
    )


@any_.composite
def calls(draw):
    frequencies = ()
    departs = draw(seconds)
    if draw(any_.booleans()):
        starts = draw(any_.integers(0, DAY))
        frequencies = (
            Frequency(starts, starts + draw(any_.integers(1, 20_000)), draw(any_.integers(600, 7_200))),
        )
    return Call(
        "linha", "outbound", draw(calendars()), departs,
        first_departs=draw(any_.integers(max(0, departs - 3_600), departs)), frequencies=frequencies,
    )  # fmt: skip


class TestCalendars:
    @CALM
    @given(calendars(), near_days)
    def test_a_dated_exception_outweighs_everything(self, calendar, day):
        if day in calendar.removed:
            assert not calendar.runs_on(day, holidays)
        elif day in calendar.added:
            assert calendar.runs_on(day, holidays)

    @CALM
    @given(calendars(), near_days)
    def test_nothing_runs_outside_its_days_but_what_is_added(self, calendar, day):
        outside = (calendar.starts and day < calendar.starts) or (calendar.ends and day > calendar.ends)
        if outside and day not in calendar.added:
            assert not calendar.runs_on(day, holidays)

    @CALM
    @given(calendars(), any_.none() | near_days, any_.none() | near_days, near_days)
    def test_a_validity_only_takes_days_away(self, calendar, starts, ends, day):
        within = calendar.within(starts, ends)
        inside = (not starts or day >= starts) and (not ends or day <= ends)

        assert within.runs_on(day, holidays) == (inside and calendar.runs_on(day, holidays))

    @CALM
    @given(calendars(), near_days)
    def test_the_rule_for_holidays_changes_holidays_alone(self, calendar, day):
        plain = Calendar(
            "c", calendar.weekdays, calendar.starts, calendar.ends, calendar.added, calendar.removed
        )
        if day not in holidays(day.year) and calendar.holidays is not HolidayRule.ONLY:
            assert calendar.runs_on(day, holidays) == plain.runs_on(day, holidays)


class TestInstants:
    @CALM
    @given(days, any_.integers(0, 3 * DAY), zones)
    def test_seconds_count_from_noon_less_twelve_hours(self, day, second, zone):
        noon = datetime(day.year, day.month, day.day, 12, tzinfo=zone).astimezone(UTC)

        assert instant(day, second, zone).astimezone(UTC) == noon + timedelta(seconds=second - DAY // 2)

    @CALM
    @given(days, any_.integers(0, 2 * DAY), any_.integers(1, 7_200), zones)
    def test_a_later_second_is_later_whatever_the_clocks_do(self, day, second, more, zone):
        later, sooner = (instant(day, each, zone).astimezone(UTC) for each in (second + more, second))
        gap = later - sooner

        assert gap == timedelta(seconds=more)


class TestTheHourThatComesTwice:
    ZONE = ZoneInfo("Europe/Lisbon")
    CALLS = tuple(
        Call("linha", "outbound", Calendar("c", added=frozenset({date(2026, 10, 25)})), hour * 3600)
        for hour in (0, 1, 2, 3)
    )

    def test_every_departure_is_told_in_its_order(self):
        found = departures_on(self.CALLS, date(2026, 10, 25), zone=self.ZONE, holidays=holidays)

        # Noon less twelve hours is one o'clock of that night, the first time it is one o'clock.
        assert [f"{each.at:%H:%M %z}" for each in found] == [
            "01:00 +0100",
            "01:00 +0000",
            "02:00 +0000",
            "03:00 +0000",
        ]

    def test_the_second_time_is_still_to_come_after_the_first(self):
        after_the_first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)  # 01:30 in summer time

        found = next_departures(self.CALLS, after_the_first, zone=self.ZONE, limit=1)

        assert [f"{each.at.astimezone(UTC):%H:%M}" for each in found] == ["01:00"]


class TestPastMidnight:
    @CALM
    @given(days, any_.integers(DAY, 2 * DAY - 1), zones)
    def test_a_late_trip_belongs_to_the_day_it_began(self, day, second, zone):
        call = Call("linha", "outbound", Calendar("c", added=frozenset({day})), second)

        [found] = next_departures([call], instant(day, second - 60, zone), zone=zone)

        assert found.service_day == day
        assert found.at == instant(day, second, zone)

    @CALM
    @given(any_.lists(calls(), min_size=1, max_size=4), near_days, any_.integers(0, DAY - 1))
    def test_the_next_departures_are_those_of_all_days_in_order(self, of_stop, day, second):
        zone = ZONES[0]
        at = instant(day, second, zone)

        found = next_departures(of_stop, at, zone=zone, holidays=holidays, limit=5)

        every = sorted(
            departure
            for ahead in range(-3, 62)
            for departure in departures_on(of_stop, day + timedelta(days=ahead), zone=zone, holidays=holidays)
            if departure.at >= at
        )
        assert [each.at for each in found] == [each.at for each in every[:5]]

    @CALM
    @given(any_.lists(calls(), min_size=1, max_size=3), near_days, any_.integers(0, DAY - 1))
    def test_now_and_later_never_contradict_each_other(self, of_stop, day, second):
        zone = ZONES[0]
        at = instant(day, second, zone)

        told = outlook(of_stop, at, zone=zone, holidays=holidays)

        coming = next_departures(of_stop, at, zone=zone, holidays=holidays, limit=1)
        if told.next:
            assert coming[0].at == told.next[0].at
            assert told.next_day is None
        elif coming:
            assert told.next_day is not None
            assert told.next_day.at == coming[0].at

    @CALM
    @given(calls(), any_.integers(0, 7_200), near_days)
    def test_a_ride_takes_the_same_time_at_each_of_its_departures(self, call, takes, day):
        zone = ZONES[0]

        rides = next_rides(
            [Leg(call, call.departs + takes)], instant(day, 0, zone), zone=zone, holidays=holidays, limit=8
        )

        assert all(ride.arrives - ride.departure.at == timedelta(seconds=takes) for ride in rides)
