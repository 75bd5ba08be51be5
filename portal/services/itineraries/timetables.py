"""Timetable rows as the calls of the domain."""

from collections.abc import Collection
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy.orm import Session

from portal.domain.timetable import Calendar, Call, Frequency, HolidayRule, Leg
from portal.storage import itineraries as store


def calls_of_itineraries(session: Session, itineraries: Collection[int], *, around: date) -> list[Call]:
    """The first call of every trip of these itineraries whose calendar is not over before ``around``."""
    if not itineraries:
        return []
    return [
        call for _, call in _calls(session, store.call_rows(session, around=around, itineraries=itineraries))
    ]


def calls_of_stops(session: Session, stops: Collection[int], *, around: date) -> dict[int, list[Call]]:
    """Every call at these stops, by stop."""
    found: dict[int, list[Call]] = {}
    if stops:
        for stop, call in _calls(session, store.call_rows(session, around=around, stops=stops)):
            found.setdefault(stop, []).append(call)
    return found


def legs_between(
    session: Session,
    board: Collection[int],
    leave: Collection[int],
    *,
    around: date,
    only_at_ends: Collection[int] = (),
) -> list[Leg]:
    """Every trip from one of the stops ``board`` on to one of ``leave``, to the first time that it gets there.

    Args:
        only_at_ends: itineraries that are boarded at the first call of a trip and left at the last alone.
    """
    if not board or not leave:
        return []
    rows = store.leg_rows(session, board, leave, around=around, only_at_ends=only_at_ends)
    first: dict[tuple[int, int], Any] = {}
    for row in rows:
        first.setdefault((row[0].trip_id, row[0].position), row)
    chosen = list(first.values())
    calls = _calls(session, [(time, trip, itinerary) for time, trip, itinerary, _ in chosen])
    return [
        Leg(call, reached.arrives, reached.approximate)
        for (_, call), (_, _, _, reached) in zip(calls, chosen, strict=True)
    ]


def _calls(session: Session, rows: list[Any]) -> list[tuple[int, Call]]:
    calendars = calendars_by_id(session, {trip.calendar_id for _, trip, _ in rows})
    frequencies: dict[int, list[Frequency]] = {}
    for row in store.frequency_rows(session, {trip.id for _, trip, _ in rows}):
        frequencies.setdefault(row.trip_id, []).append(
            Frequency(row.starts, row.ends, row.headway, row.exact)
        )
    within: dict[tuple[int, int], Calendar] = {}
    calls = []
    for time, trip, itinerary in rows:
        key = (trip.calendar_id, itinerary.id)
        if key not in within:
            within[key] = calendars[trip.calendar_id].within(itinerary.valid_from, itinerary.valid_until)
        call = Call(
            itinerary=itinerary.code,
            way=trip.way,
            calendar=within[key],
            departs=time.departs,
            first_departs=trip.first_departs if trip.first_departs is not None else time.departs,
            headsign=trip.headsign,
            frequencies=tuple(frequencies.get(trip.id, ())),
            approximate=time.approximate,
            zone=ZoneInfo(itinerary.zone) if itinerary.zone else None,
        )
        calls.append((time.stop_id, call))
    return calls


def calendars_by_id(session: Session, ids: Collection[int]) -> dict[int, Calendar]:
    rows, exceptions = store.calendar_rows(session, ids)
    added: dict[int, set[date]] = {}
    removed: dict[int, set[date]] = {}
    for exception in exceptions:
        (added if exception.runs else removed).setdefault(exception.calendar_id, set()).add(exception.day)
    return {
        row.id: Calendar(
            code=row.code,
            weekdays=frozenset(day for day in range(7) if row.weekdays >> day & 1),
            starts=row.starts,
            ends=row.ends,
            added=frozenset(added.get(row.id, ())),
            removed=frozenset(removed.get(row.id, ())),
            holidays=HolidayRule(row.holidays),
        )
        for row in rows
    }
