"""When a vehicle leaves: calendars, exceptions, holidays, service past midnight, headways, clock changes.

Seconds of a timetable count from noon of the service day minus twelve hours, as GTFS Schedule defines them:
25:10 is ten past one of the next morning, and a night on which clocks change moves nothing by an hour.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from typing import TypeVar
from zoneinfo import ZoneInfo

T = TypeVar("T")

DAY = 86_400
HORIZON_DAYS = 62
"""How far ahead the next departure is looked for: a service of one weekend a month is still found."""

SERIES_FROM = 6
"""Departures at equal distances that are told as a series; fewer are read faster one by one."""

Holidays = Callable[[int], Collection[date]]
"""The holidays of a year in the municipality's own calendar."""


class HolidayRule(StrEnum):
    AS_ANY_DAY = "as_any_day"
    """The source says nothing of holidays."""
    ALSO = "also"
    """Runs on its weekdays and on every holiday."""
    NEVER = "never"
    """Runs on its weekdays unless they are holidays."""
    ONLY = "only"


@dataclass(frozen=True, slots=True)
class Calendar:
    """The days of a service: weekdays (Monday is 0) between two dates, both included, and exceptions."""

    code: str
    weekdays: frozenset[int] = frozenset()
    starts: date | None = None
    ends: date | None = None
    added: frozenset[date] = frozenset()
    removed: frozenset[date] = frozenset()
    holidays: HolidayRule = HolidayRule.AS_ANY_DAY

    def runs_on(self, day: date, holidays: Holidays) -> bool:
        """Whether the service runs on ``day``; a dated exception outweighs everything else."""
        if day in self.removed:
            return False
        if day in self.added:
            return True
        if (self.starts and day < self.starts) or (self.ends and day > self.ends):
            return False
        on_weekday = day.weekday() in self.weekdays
        if self.holidays is HolidayRule.AS_ANY_DAY:
            return on_weekday
        is_holiday = day in holidays(day.year)
        match self.holidays:
            case HolidayRule.ALSO:
                return on_weekday or is_holiday
            case HolidayRule.NEVER:
                return on_weekday and not is_holiday
            case _:
                return is_holiday

    def within(self, starts: date | None, ends: date | None) -> "Calendar":
        """The part of it that a timetable valid from ``starts`` to ``ends``, both included, can promise."""
        return replace(
            self,
            starts=max((day for day in (self.starts, starts) if day), default=None),
            ends=min((day for day in (self.ends, ends) if day), default=None),
            added=frozenset(
                day for day in self.added if (not starts or day >= starts) and (not ends or day <= ends)
            ),
        )

    @property
    def last_day(self) -> date | None:
        """The last day of any service; None if the calendar is open-ended or empty."""
        ends = [
            *self.added,
            *([self.ends] if self.ends and (self.weekdays or self.holidays in _BY_HOLIDAY) else []),
        ]
        return max(ends) if ends else None


_BY_HOLIDAY = (HolidayRule.ALSO, HolidayRule.ONLY)


@dataclass(frozen=True, slots=True)
class Frequency:
    """Leaves the first stop every ``headway`` seconds from ``starts``, before ``ends``."""

    starts: int
    ends: int
    headway: int
    exact: bool = False
    """False: vehicles come about that often, and the minute is a guess."""

    def leaves_at(self) -> range:
        return range(self.starts, self.ends, self.headway)


@dataclass(frozen=True, slots=True)
class Call:
    """One trip at one stop, as the timetable knows it."""

    itinerary: str
    way: str
    calendar: Calendar
    departs: int
    """Seconds after the start of the service day; with frequencies, of the pattern trip."""
    first_departs: int = 0
    """The same trip at its first stop: with frequencies, the pattern is moved by the difference."""
    headsign: str | None = None
    frequencies: tuple[Frequency, ...] = ()
    approximate: bool = False
    zone: ZoneInfo | None = None
    """The zone of the feed, where it is not the municipality's."""

    def seconds(self) -> Iterator[tuple[int, bool]]:
        """Every departure of a service day, each with whether its minute is only about right."""
        if not self.frequencies:
            yield self.departs, self.approximate
        for frequency in self.frequencies:
            for leaves in frequency.leaves_at():
                yield leaves + self.departs - self.first_departs, self.approximate or not frequency.exact

    @property
    def latest(self) -> int:
        return max((second for second, _ in self.seconds()), default=0)


@dataclass(frozen=True, slots=True, order=True)
class Departure:
    at: datetime
    """In the municipality's zone."""
    itinerary: str
    way: str
    headsign: str
    service_day: date
    approximate: bool = False


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Vehicles come about every ``every_minutes`` between two times of the service day."""

    starts: datetime
    ends: datetime
    every_minutes: int
    way: str
    itinerary: str
    headsign: str = ""


@dataclass(frozen=True, slots=True)
class DayTimetable:
    day: date
    departures: tuple[Departure, ...] = ()
    spans: tuple[Span, ...] = ()

    @property
    def runs(self) -> bool:
        return bool(self.departures or self.spans)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a person at the stop wants to know now."""

    at: datetime
    next: tuple[Departure, ...] = ()
    """The next departures of the running service day, or none."""
    last_today: Departure | None = None
    """The last departure of the service day that runs at ``at``, gone or to come."""
    next_day: Departure | None = None
    """The first departure after today, when today has none left; None if none is known at all."""
    ran_today: bool = False
    """Whether today had departures, though all are gone."""


def no_holidays(year: int) -> Collection[date]:
    """For a feed whose calendars name every exception themselves."""
    return ()


def instant(day: date, seconds: int, zone: tzinfo) -> datetime:
    """The instant that lies ``seconds`` after the start of service day ``day``, in ``zone``."""
    noon = datetime.combine(day, time(12), zone).astimezone(UTC)
    return (noon + timedelta(seconds=seconds - DAY // 2)).astimezone(zone)


@dataclass(frozen=True, slots=True)
class DayGroup:
    """Days of a week on which the same leaves at the same times; empty on a day without service."""

    days: tuple[date, ...]
    departures: tuple[Departure, ...]
    """Of the first of the days."""
    spans: tuple[Span, ...]

    @property
    def runs(self) -> bool:
        return bool(self.departures or self.spans)


def week_from(
    calls: Sequence[Call], day: date, *, zone: ZoneInfo, holidays: Holidays = no_holidays, days: int = 7
) -> tuple[DayGroup, ...]:
    """The timetable of the days from ``day`` on, equal days together, in the order of their first day; those
    without service stand last.
    """
    groups: dict[object, tuple[DayTimetable, list[date]]] = {}
    for ahead in range(days):
        of_day = timetable_of(calls, day + timedelta(days=ahead), zone=zone, holidays=holidays)
        _, together = groups.setdefault(_pattern(of_day), (of_day, []))
        together.append(of_day.day)
    told = [DayGroup(tuple(together), of.departures, of.spans) for of, together in groups.values()]
    return tuple(sorted(told, key=lambda group: not group.runs))


def _pattern(of_day: DayTimetable) -> object:
    def clock(moment: datetime) -> tuple[int, time]:
        return (moment.date() - of_day.day).days, moment.time()

    return (
        tuple((clock(d.at), d.itinerary, d.way, d.headsign, d.approximate) for d in of_day.departures),
        tuple((clock(s.starts), clock(s.ends), s.every_minutes, s.way, s.headsign) for s in of_day.spans),
    )


def outlook(
    calls: Sequence[Call], at: datetime, *, zone: ZoneInfo, holidays: Holidays = no_holidays, limit: int = 3
) -> Outlook:
    """Next departures at the instant ``at``, the last one of today, or the first of the next day of service."""
    local = at.astimezone(zone)
    today = _running_day(calls, local, zone=zone, holidays=holidays)
    of_today = departures_on(calls, today, zone=zone, holidays=holidays)
    # After midnight both yesterday's late service and today's early one are "today" to whoever waits.
    days = {today, local.date()}
    now = local.astimezone(UTC)
    ahead = _in_order(
        departure
        for day in days
        for departure in departures_on(calls, day, zone=zone, holidays=holidays)
        if departure.at.astimezone(UTC) >= now
    )
    later = None
    if not ahead:
        later = _first_after(calls, max(days), zone=zone, holidays=holidays)
    return Outlook(
        at=local,
        next=tuple(ahead[:limit]),
        last_today=of_today[-1] if of_today else None,
        next_day=later,
        ran_today=bool(of_today),
    )


def next_departures(
    calls: Sequence[Call], at: datetime, *, zone: ZoneInfo, holidays: Holidays = no_holidays, limit: int = 3
) -> tuple[Departure, ...]:
    """The next ``limit`` departures from ``at`` on, of whatever day, within the horizon."""

    def of_day(day: date) -> list[Departure]:
        return departures_on(calls, day, zone=zone, holidays=holidays)

    return _following(of_day, lambda departure: departure.at, at.astimezone(zone), _nights(calls), limit)


@dataclass(frozen=True, slots=True)
class Leg:
    """One trip between two of its stops: ``call`` is where one boards."""

    call: Call
    arrives: int | None
    """Seconds at the stop where one gets off, on the clock of ``call.departs``; None where no time is known."""
    arrives_about: bool = False


@dataclass(frozen=True, slots=True, order=True)
class Ride:
    """A departure, and when it reaches the stop where one gets off."""

    departure: Departure
    arrives: datetime | None = field(compare=False)
    arrives_about: bool = field(default=False, compare=False)


def rides_on(legs: Iterable[Leg], day: date, *, zone: ZoneInfo, holidays: Holidays) -> list[Ride]:
    """Every ride of one service day, in the order of departure."""
    rides: list[Ride] = []
    for leg in legs:
        call = leg.call
        if not call.calendar.runs_on(day, holidays):
            continue
        for second, approximate in call.seconds():
            rides.append(
                Ride(
                    _departure(call, day, second, approximate, zone),
                    None
                    if leg.arrives is None
                    else _instant(call, day, second + leg.arrives - call.departs, zone),
                    leg.arrives_about or approximate,
                )
            )
    return sorted(rides, key=lambda ride: (ride.departure.at.timestamp(), ride.departure))


def next_rides(
    legs: Sequence[Leg], at: datetime, *, zone: ZoneInfo, holidays: Holidays = no_holidays, limit: int = 3
) -> tuple[Ride, ...]:
    """The next ``limit`` rides from ``at`` on, of whatever day, within the horizon."""

    def of_day(day: date) -> list[Ride]:
        return rides_on(legs, day, zone=zone, holidays=holidays)

    nights = _nights(leg.call for leg in legs)
    return _following(of_day, lambda ride: ride.departure.at, at.astimezone(zone), nights, limit)


def _following(
    of_day: Callable[[date], list[T]],
    leaves: Callable[[T], datetime],
    local: datetime,
    nights: int,
    limit: int,
) -> tuple[T, ...]:
    """The first ``limit`` that leave from ``local`` on, day of service by day of service."""
    found: list[tuple[float, int, T]] = []
    now = local.timestamp()
    for ahead in range(-nights, HORIZON_DAYS):
        day = local.date() + timedelta(days=ahead)
        # The service of a later day may start before an earlier day's past-midnight trips are over.
        enough = len(found) >= limit and ahead > nights
        if enough and instant(day, 0, local.tzinfo or UTC).timestamp() > sorted(found)[limit - 1][0]:
            break
        for each in of_day(day):
            leaving = leaves(each).timestamp()
            if leaving >= now:
                found.append((leaving, len(found), each))
    return tuple(each for _, _, each in sorted(found)[:limit])


def timetable_of(
    calls: Iterable[Call], day: date, *, zone: ZoneInfo, holidays: Holidays = no_holidays
) -> DayTimetable:
    """Everything that leaves on a service day: exact times one by one, headways as spans."""
    departures: list[Departure] = []
    spans: list[Span] = []
    for call in calls:
        if not call.calendar.runs_on(day, holidays):
            continue
        loose = [frequency for frequency in call.frequencies if not frequency.exact]
        for frequency in loose:
            moved = call.departs - call.first_departs
            if leaves := frequency.leaves_at():
                first, last = (_instant(call, day, leaves[end] + moved, zone) for end in (0, -1))
                every = round(frequency.headway / 60) or 1
                spans.append(Span(first, last, every, call.way, call.itinerary, call.headsign or ""))
        if not loose:
            departures += _departures(call, day, zone)
    return DayTimetable(day, tuple(_in_order(departures)), tuple(sorted(_joined(sorted(set(spans))))))


def regular_series(departures: Sequence[Departure]) -> tuple[tuple[Span, ...], tuple[Departure, ...]]:
    """What leaves at equal distances, as spans, and what is left over; each in its order.

    Args:
        departures: of one way of an itinerary on one day, in the order of time.
    """
    spans: list[Span] = []
    left: list[Departure] = []
    at = 0
    while at < len(departures):
        end = _end_of_series(departures, at)
        first, last = departures[at], departures[end]
        if end - at + 1 >= SERIES_FROM:
            every = (departures[at + 1].at - first.at) // timedelta(minutes=1)
            spans.append(Span(first.at, last.at, every, first.way, first.itinerary, first.headsign))
            at = end + 1
        else:
            left.append(first)
            at += 1
    return tuple(spans), tuple(left)


def _end_of_series(departures: Sequence[Departure], start: int) -> int:
    """The index of the last departure that is as far from its neighbour as the second is from the first."""
    end = start
    while end + 1 < len(departures):
        following = departures[end + 1]
        gap = following.at - departures[end].at
        if gap != departures[start + 1].at - departures[start].at or gap < timedelta(minutes=1):
            break
        if gap % timedelta(minutes=1) or following.approximate or departures[start].approximate:
            break
        end += 1
    return end


def _joined(spans: list[Span]) -> list[Span]:
    """Neighbouring spans of one headway as one: feeds cut the day into hours."""
    joined: list[Span] = []
    for span in sorted(spans, key=lambda each: (each.itinerary, each.way, each.headsign, each.starts)):
        last = joined[-1] if joined else None
        follows = (
            last
            and (last.itinerary, last.way, last.headsign, last.every_minutes)
            == (span.itinerary, span.way, span.headsign, span.every_minutes)
            and span.starts - last.ends <= timedelta(minutes=2 * span.every_minutes)
        )
        if last and follows:
            joined[-1] = Span(
                last.starts,
                max(last.ends, span.ends),
                span.every_minutes,
                span.way,
                span.itinerary,
                span.headsign,
            )
        else:
            joined.append(span)
    return joined


def _instant(call: Call, day: date, seconds: int, zone: ZoneInfo) -> datetime:
    return instant(day, seconds, call.zone or zone).astimezone(zone)


def _departures(call: Call, day: date, zone: ZoneInfo) -> list[Departure]:
    return [_departure(call, day, second, approximate, zone) for second, approximate in call.seconds()]


def _departure(call: Call, day: date, second: int, approximate: bool, zone: ZoneInfo) -> Departure:
    at = _instant(call, day, second, zone)
    return Departure(at, call.itinerary, call.way, call.headsign or "", day, approximate)


def departures_on(calls: Iterable[Call], day: date, *, zone: ZoneInfo, holidays: Holidays) -> list[Departure]:
    """Every departure of one service day, in order."""
    running = [call for call in calls if call.calendar.runs_on(day, holidays)]
    return _in_order(departure for call in running for departure in _departures(call, day, zone))


def _in_order(departures: Iterable[Departure]) -> list[Departure]:
    """Each once, by the instant: the wall clock shows the hour twice in the night when summer time ends."""
    found = {(each.at.timestamp(), each.itinerary, each.way, each.headsign): each for each in departures}
    return [found[key] for key in sorted(found)]


def _nights(calls: Iterable[Call]) -> int:
    """How many days ago a service may have begun that still runs now."""
    return max((call.latest // DAY for call in calls), default=0)


def _running_day(calls: Sequence[Call], local: datetime, *, zone: ZoneInfo, holidays: Holidays) -> date:
    """The service day at an instant: yesterday's while its late departures come before any of today's."""
    today, now = local.date(), local.timestamp()
    for back in range(_nights(calls), 0, -1):
        day = today - timedelta(days=back)
        if any(d.at.timestamp() >= now for d in departures_on(calls, day, zone=zone, holidays=holidays)):
            of_today = departures_on(calls, today, zone=zone, holidays=holidays)
            return today if any(d.at.timestamp() <= now for d in of_today) else day
    return today


def _first_after(calls: Sequence[Call], day: date, *, zone: ZoneInfo, holidays: Holidays) -> Departure | None:
    for ahead in range(1, HORIZON_DAYS):
        later = departures_on(calls, day + timedelta(days=ahead), zone=zone, holidays=holidays)
        if later:
            return later[0]
    return None
