"""What came to an ombudsman in a time, why, and what became of it: for the desk whole, for the public merged."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import Any

from sqlalchemy.orm import Session

from portal.domain.complaints import ComplaintStatus, EventKind
from portal.domain.deadlines import due_date
from portal.domain.errors import NotAllowed
from portal.domain.lifecycle import CLOCK_RUNS
from portal.domain.staff import StaffMember
from portal.domain.tallies import Counted, Figures, Group, figures, grouped
from portal.regulations import catalogue
from portal.regulations.municipalities import Municipality
from portal.services.casework.units import unit_due_on
from portal.storage.cases import cases_filed_between
from portal.storage.casework import events_of_cases, unit_requests_of
from portal.storage.complaints import ComplaintEventRow, ComplaintRow

S = ComplaintStatus

TABLES = ("category", "kind", "outcome", "rating", "service", "place", "channel", "month")
"""What complaints are grouped by, in the order in which it is told; units stand in a table of their own."""


@dataclass(frozen=True, slots=True)
class Table:
    """Groups of one kind: one of ``TABLES``, or ``unit``."""

    of: str
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Statistics:
    municipality: str
    first: date
    last: date
    """Both days count, in the municipality's own calendar."""
    total: Figures
    extended: int
    overdue: int
    """Whose answer is still owed though its day has passed."""
    tables: tuple[Table, ...]

    def table(self, of: str) -> Table:
        return next(one for one in self.tables if one.of == of)


def statistics_of(
    session: Session, staff: StaffMember, *, first: date, last: date, today: date
) -> Statistics:
    """The figures of the staff member's municipality; the auditor reads them too, as they name nobody."""
    if not staff.may_read_statistics:
        raise NotAllowed
    return count(session, staff.municipality, first=first, last=last, today=today, publish=False)


def count(
    session: Session, municipality: str, *, first: date, last: date, today: date, publish: bool
) -> Statistics:
    """The figures of the complaints filed from ``first`` to ``last``; with ``publish`` small groups are merged."""
    town = catalogue.municipality(municipality)
    rows = cases_filed_between(
        session, municipality, _midnight(first, town), _midnight(last + timedelta(1), town)
    )
    events = events_of_cases(session, [row.id for row in rows])
    cases = [_counted(row, events.get(row.id, ()), town, today) for row in rows]
    by_id = {row.id: row for row in rows}
    requests = [
        Counted(
            {"unit": request.unit},
            days=_days(request.asked_at, request.answered_at),
            in_time=_in_time(
                town.civil_day(request.answered_at) if request.answered_at else None,
                unit_due_on(request, by_id[request.complaint_id]),
                today,
                owed=S(by_id[request.complaint_id].status) in CLOCK_RUNS,
            ),
            answered=request.answered_at is not None,
        )
        for request in unit_requests_of(session, by_id.keys())
    ]
    tables = [Table(of, _groups(cases, of, publish)) for of in TABLES]
    tables.append(Table("unit", grouped(requests, partial(_key, "unit"), publish=publish)))
    return Statistics(
        municipality=municipality,
        first=first,
        last=last,
        total=figures(cases),
        extended=sum(any(e.kind == EventKind.EXTENSION for e in events.get(row.id, ())) for row in rows),
        overdue=sum(S(row.status) in CLOCK_RUNS and row.due_on < today for row in rows),
        tables=tuple(tables),
    )


def _groups(cases: Sequence[Counted], of: str, publish: bool) -> tuple[Group, ...]:
    groups = grouped(cases, partial(_key, of), publish=publish)
    return tuple(sorted(groups, key=lambda one: one.key)) if of == "month" else groups


def _key(of: str, case: Counted) -> str | None:
    return case.keys.get(of)


def to_json(told: Statistics) -> dict[str, Any]:
    """As it is kept once it was published."""
    return {**asdict(told), "first": told.first.isoformat(), "last": told.last.isoformat()}


def from_json(kept: Mapping[str, Any]) -> Statistics:
    return Statistics(
        municipality=kept["municipality"],
        first=date.fromisoformat(kept["first"]),
        last=date.fromisoformat(kept["last"]),
        total=Figures(**kept["total"]),
        extended=kept["extended"],
        overdue=kept["overdue"],
        tables=tuple(
            Table(
                table["of"],
                tuple(Group(group["key"], Figures(**group["figures"])) for group in table["groups"]),
            )
            for table in kept["tables"]
        ),
    )


def _counted(
    row: ComplaintRow, events: Sequence[ComplaintEventRow], town: Municipality, today: date
) -> Counted:
    answer = next(
        (e for e in events if e.kind == EventKind.STEP and e.status in (S.ANSWERED, S.DISMISSED)), None
    )
    filed_on = town.civil_day(row.filed_at)
    keys = {
        "category": row.category,
        "kind": row.kind,
        "outcome": _outcome(row, answer),
        "channel": row.channel,
        "month": f"{filed_on:%Y-%m}",
    }
    if row.rating:
        keys["rating"] = row.rating
    if row.service:
        keys["service"] = row.service
    if place := _place(row):
        keys["place"] = place
    return Counted(
        keys,
        days=_days(row.filed_at, answer.at if answer else None),
        in_time=_in_time(
            town.civil_day(answer.at) if answer else None,
            _first_due(row, events, answer, town),
            today,
            owed=S(row.status) in CLOCK_RUNS,
        ),
        answered=answer is not None,
    )


def _outcome(row: ComplaintRow, answer: ComplaintEventRow | None) -> str:
    if row.status == S.WITHDRAWN:
        return "withdrawn"
    if answer is None:
        return "open"
    if answer.status == S.DISMISSED and not row.outcome:
        return "dismissed"
    return row.outcome or "unmarked"


def _place(row: ComplaintRow) -> str | None:
    """A stop by its name; what people typed may tell who they are and is never a group."""
    where = row.facts.get("where") or {}
    return where.get("name") if where.get("kind") == "stop" else None


def _first_due(
    row: ComplaintRow,
    events: Sequence[ComplaintEventRow],
    answer: ComplaintEventRow | None,
    town: Municipality,
) -> date:
    """The due date of the first answer; a review that was asked for later has a clock of its own."""
    if not row.reviews:
        return row.due_on
    filed_on = town.civil_day(row.filed_at)
    longer = any(e.kind == EventKind.EXTENSION and (answer is None or e.at <= answer.at) for e in events)
    return due_date(filed_on, catalogue.answer_time("ombudsman", filed_on), town.is_holiday, extended=longer)


def _in_time(answered_on: date | None, due: date, today: date, *, owed: bool) -> bool | None:
    if answered_on is not None:
        return answered_on <= due
    return False if owed and today > due else None


def _days(start: datetime, end: datetime | None) -> float | None:
    return (end - start).total_seconds() / 86400 if end else None


def _midnight(day: date, town: Municipality) -> datetime:
    return datetime.combine(day, time(), town.zone)
