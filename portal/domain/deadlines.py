"""Counting days: months by the civil rule, calendar days, business days of one municipality.

The day on which a time starts is not counted and its last day is, as Brazilian law counts them
(Lei 810/1949, Código Civil art. 132, Lei 9.784/1999 art. 66).
"""

import calendar
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from portal.domain.rules import DayKind, ListDuty

IsHoliday = Callable[[date], bool]
"""Whether nobody works on a day for another reason than its being a Saturday or Sunday."""


@dataclass(frozen=True, slots=True)
class AnswerTime:
    """How long an answer may take: ``days``, and by how much it may be prolonged once with a stated reason."""

    days: int
    extension_days: int
    counted_in: DayKind
    article: str
    rolls_to_business_day: bool = False
    """True where a last day without office hours moves the end to the next business day."""


def add_months(day: date, months: int) -> date:
    """The day of the same number ``months`` later; the first day after it where that month has none.

    A year from 29 February ends on 1 March (Lei 810/1949 art. 3, Código Civil art. 132 § 3).
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    month += 1
    if day.day <= calendar.monthrange(year, month)[1]:
        return date(year, month, day.day)
    return date(year + month // 12, month % 12 + 1, 1)


def is_business_day(day: date, is_holiday: IsHoliday) -> bool:
    return day.weekday() < 5 and not is_holiday(day)


def add_business_days(day: date, days: int, is_holiday: IsHoliday) -> date:
    """The ``days``-th business day after ``day``; before it when ``days`` is negative."""
    step = timedelta(1 if days > 0 else -1)
    left = abs(days)
    while left:
        day += step
        left -= is_business_day(day, is_holiday)
    return day


def next_business_day(day: date, is_holiday: IsHoliday) -> date:
    """``day`` itself when people work on it."""
    while not is_business_day(day, is_holiday):
        day += timedelta(1)
    return day


def business_day_of_month(year: int, month: int, number: int, is_holiday: IsHoliday) -> date:
    """The ``number``-th business day of a month, such as the fifth."""
    return add_business_days(date(year, month, 1) - timedelta(1), number, is_holiday)


def add_days(day: date, days: int, counted_in: DayKind, is_holiday: IsHoliday) -> date:
    """The last day of a time of ``days`` that starts on ``day``; negative days count back."""
    if counted_in is DayKind.BUSINESS:
        return add_business_days(day, days, is_holiday)
    return day + timedelta(days)


def due_date(received_on: date, rule: AnswerTime, is_holiday: IsHoliday, *, extended: bool = False) -> date:
    """The last day on which an answer is in time; ``received_on`` is the municipality's civil day.

    An extension runs on from the counted end of the first time, not from a day to which that one was moved.
    """
    days = rule.days + (rule.extension_days if extended else 0)
    last = add_days(received_on, days, rule.counted_in, is_holiday)
    return next_business_day(last, is_holiday) if rule.rolls_to_business_day else last


@lru_cache(maxsize=256)  # the same for every look-up of a town on a day, and a month of days to count
def oldest_lawful_list(duty: ListDuty, on: date, is_holiday: IsHoliday) -> date:
    """The earliest day as of which a platform's list may be and still be in time on ``on``.

    A list that is older is late, and cannot say that a vehicle is absent.
    """
    if duty.every_days is not None:
        return on - timedelta(duty.every_days)
    assert duty.business_day_of_next_month is not None  # the schema asks for one of the two
    covered = date(on.year, on.month, 1) - timedelta(1)
    due = business_day_of_month(on.year, on.month, duty.business_day_of_next_month, is_holiday)
    # Until the due day has passed, the list of the month before last is the newest that must exist.
    return covered if on > due else date(covered.year, covered.month, 1) - timedelta(1)
