"""Here, now and for this: what a permit in force does not allow at a place, at an hour or for a service. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from portal.domain.permits import Service
from portal.domain.rules import Source
from portal.domain.timetable import Call, Holidays, departures_on, no_holidays, outlook
from portal.domain.verdicts import Reason

EARLY = timedelta(hours=1)
"""How long before the first departure of a day a vehicle may stand at its stop and take people in."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Where, when and for what somebody would board; what is None is not judged."""

    stop: str | None = None
    """Code of the stop."""
    at: time | None = None
    """On the clock of the town, on the day of the verdict."""
    service: Service | None = None


def read_time(text: str) -> time | None:
    """A time of day as people write it: 22:00, 22h30, 22h; None for anything else."""
    match = re.fullmatch(r"([0-9]{1,2})(?:[:.]([0-9]{2})|h([0-9]{2})?)", text.strip().lower())
    if match is None:
        return None
    hours, minutes = int(match[1]), int(match[2] or match[3] or 0)
    return time(hours, minutes) if hours < 24 and minutes < 60 else None


def not_for_this(held: Sequence[Service], wanted: Service, instrument: str | None) -> Reason | None:
    """The services of the permits in force, when none of them is the one wanted."""
    if wanted in held:
        return None
    services = tuple(service for service in Service if service in held)
    return Reason("other_service", instrument=instrument, data={"services": services, "wanted": wanted})


def not_here(points: Mapping[str, str], stop: tuple[str, str], source: Source | None) -> Reason | None:
    """The boarding points of an itinerary, when the stop is none of them.

    Args:
        points: names of the boarding points by code, in the order of travel.
        stop: code and name of the stop asked about.
        source: the article that says where boarding is allowed.
    """
    code, name = stop
    if code in points:
        return None
    return Reason(
        "other_stop",
        article=source.article if source else None,
        instrument=source.instrument if source else None,
        data={"points": tuple(dict.fromkeys(points.values())), "stop": name},
    )


def not_now(
    calls: Sequence[Call], at: datetime, *, zone: ZoneInfo, holidays: Holidays = no_holidays
) -> Reason | None:
    """The last or the first departure of the day, when ``at`` lies after or well before it; the minute itself counts.

    ``data`` holds times of day (``last`` or ``first``; ``next``) and the ``day`` of the next departure, if any.
    """
    seen = outlook(calls, at, zone=zone, holidays=holidays, limit=1)
    if seen.next:
        coming = seen.next[0]
        of_day = departures_on(calls, coming.service_day, zone=zone, holidays=holidays)
        if of_day[0].at < seen.at or coming.at - seen.at <= EARLY:
            return None
        return Reason("before_first", data={"first": coming.at.time()})
    data: dict[str, object] = {}
    if seen.next_day:
        data = {"next": seen.next_day.at.time(), "day": seen.next_day.at.date()}
    if seen.last_today is None:
        return Reason("no_trip", data=data)
    return Reason("after_last", data={"last": seen.last_today.at.time()} | data)
