"""Alarms before a due date: five days and one day before it, none twice.

The inbox shows what is near; the worker leaves a letter for the desk's own address that says which protocol falls due
and when, and nothing of what it is about.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy.orm import Session

from portal.config import settings
from portal.domain.lifecycle import CLOCK_RUNS
from portal.domain.staff import StaffMember
from portal.regulations import catalogue
from portal.services.casework.units import unit_due_on
from portal.services.messages.outbox import enqueue
from portal.storage.casework import CaseAlarmRow, alarms_of, open_unit_requests, owed_by
from portal.storage.complaints import ComplaintRow

ALARM_DAYS = (5, 1)
"""Days before a due date on which staff are told."""
LETTER_EXPIRES = timedelta(days=5)

DESK_MAIL = "desk_mail"
"""The outbox's kind of a letter to a desk: payload ``municipality``, ``protocol``, ``due_on``, ``days_left``."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """A due date that is near: of the answer, or of a unit that was asked."""

    protocol: str
    unit: str | None
    due_on: date
    days_left: int
    """0 on the day itself."""


def alarms_now(session: Session, staff: StaffMember, *, today: date) -> tuple[Alarm, ...]:
    """What falls due within the longest of ``ALARM_DAYS``, the nearest first; what is overdue stands in the list."""
    near = (alarm for _row, _subject, alarm in _near(session, staff.municipality, today))
    return tuple(sorted(near, key=lambda one: (one.days_left, one.protocol)))


def raise_alarms(session: Session, *, now: datetime) -> int:
    """Tell each desk of the due dates that are near, once for each of ``ALARM_DAYS``; how many were told.

    A day on which no worker ran is made up for: what is five days or fewer from its end was not told before.
    """
    told = 0
    for town in catalogue.municipalities():
        near = list(_near(session, town.slug, town.civil_day(now)))
        before = alarms_of(session, {row.id for row, _subject, _alarm in near})
        for row, subject, alarm in near:
            days_before = min(days for days in ALARM_DAYS if alarm.days_left <= days)
            if (row.id, subject, alarm.due_on, days_before) in before:
                continue
            session.add(
                CaseAlarmRow(
                    complaint_id=row.id,
                    subject=subject,
                    due_on=alarm.due_on,
                    days_before=days_before,
                    raised_at=now,
                )
            )
            told += 1
            if desk_address(town.slug):
                enqueue(
                    session,
                    DESK_MAIL,
                    {
                        "municipality": town.slug,
                        "protocol": row.protocol,
                        "due_on": alarm.due_on.isoformat(),
                        "of": "unit" if alarm.unit else "answer",
                    },
                    now=now,
                    expires=now + LETTER_EXPIRES,
                    dedupe_key=f"alarm/{row.id}/{subject}/{alarm.due_on}/{days_before}",
                )
    session.flush()
    return told


def desk_address(municipality: str) -> str | None:
    """Where letters to a municipality's desk go: the setting ``DESK_MAIL``, else its ombudsman's own address."""
    return settings().desk_mail.get(municipality) or catalogue.municipality(municipality).ombudsman.email


def _near(session: Session, municipality: str, today: date) -> Iterator[tuple[ComplaintRow, str, Alarm]]:
    """Due dates from today to the longest of ``ALARM_DAYS`` away, each with what it is of."""
    longest = today + timedelta(max(ALARM_DAYS))
    owed = [str(status) for status in CLOCK_RUNS]
    for row in owed_by(session, municipality, owed, longest):
        if row.due_on >= today:
            yield row, "answer", Alarm(row.protocol, None, row.due_on, (row.due_on - today).days)
    for request, row in open_unit_requests(session, municipality, owed):
        due = unit_due_on(request, row)
        if today <= due <= longest:
            alarm = Alarm(row.protocol, request.unit, due, (due - today).days)
            yield row, f"unit:{request.id}", alarm
