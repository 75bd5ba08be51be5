"""The inbox of a desk: one municipality's complaints by their legal due date, filtered and searched."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from enum import StrEnum

from sqlalchemy.orm import Session

from portal.domain.complaints import ComplaintKind, ComplaintStatus
from portal.domain.errors import NotAllowed, UnreadableQuery
from portal.domain.lifecycle import CLOCK_RUNS
from portal.domain.paging import paging
from portal.domain.permits import Service
from portal.domain.plates import PlateQuery, identify
from portal.domain.searching import words_of
from portal.domain.staff import StaffMember
from portal.regulations import catalogue
from portal.services.casework.masking import line_as_read_by, may_search
from portal.services.casework.units import unit_due_on
from portal.storage.cases import Wanted, cases_by_due_date, count_cases, names_of_staff
from portal.storage.casework import unit_requests_of
from portal.storage.complaints import ComplaintRow

PAGE = 25

S = ComplaintStatus


class Show(StrEnum):
    """Which complaints the list shows."""

    OPEN = "open"
    OVERDUE = "overdue"
    URGENT = "urgent"
    """Somebody may be in danger: the fast lane."""
    MINE = "mine"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Filters:
    """What the list is narrowed to; None is anything."""

    status: ComplaintStatus | None = None
    category: str | None = None
    kind: ComplaintKind | None = None
    service: Service | None = None
    search: str = ""
    """As typed: a protocol, a plate, or words of the account and the place, in any case and without accents."""

    @classmethod
    def read(cls, given: Mapping[str, str]) -> "Filters":
        """The filters of an address; what is none of the known values asks for anything."""
        status, kind, service = (given.get(name, "") for name in ("status", "kind", "service"))
        return cls(
            status=S(status) if status in set(S) else None,
            category=given.get("category") or None,
            kind=ComplaintKind(kind) if kind in set(ComplaintKind) else None,
            service=Service(service) if service in set(Service) else None,
            search=given.get("search", "").strip(),
        )

    @property
    def any(self) -> bool:
        return self != Filters()


@dataclass(frozen=True, slots=True)
class CaseLine:
    """One line of the list."""

    protocol: str
    kind: ComplaintKind
    category: str
    service: Service | None
    vehicle: str | None
    """As the citizen typed it."""
    filed_at: datetime
    due_on: date
    days_left: int | None
    """Calendar days to the due date, 0 on the day itself, negative after; None when no answer is owed."""
    extended: bool
    fast_lane: bool
    status: ComplaintStatus
    language: str
    assigned_to: str | None = None
    """Name of who looks after it."""
    unit_due_on: date | None = None
    """By when the unit that was asked must have answered; None when none owes an answer."""
    unit_days_left: int | None = None


@dataclass(frozen=True, slots=True)
class CasePage:
    lines: tuple[CaseLine, ...]
    show: Show
    page: int
    pages: int
    counts: Mapping[Show, int]
    filters: Filters = field(default_factory=Filters)
    found: int = 0
    """How many there are with these filters, on all pages."""
    not_searched: bool = False
    """What was typed could tell who somebody is, and only the ombudsman may search for that."""


def list_cases(
    session: Session,
    staff: StaffMember,
    *,
    today: date,
    show: Show = Show.OPEN,
    page: int = 1,
    filters: Filters | None = None,
) -> CasePage:
    """A page of the municipality's complaints, overdue first, then what is urgent, then what is due first.

    A page past the end is the last one. The counts are of each list without filters, so that they stay put.
    """
    if not staff.may_read_cases:
        raise NotAllowed
    filters = filters or Filters()
    counts = {one: count_cases(session, staff.municipality, _wanted(one, staff, today)) for one in Show}
    wanted = _narrowed(_wanted(show, staff, today), filters)
    not_searched = not may_search(staff, filters.search)
    if not_searched:
        wanted = replace(wanted, statuses=[])
    found = count_cases(session, staff.municipality, wanted) if filters.any else counts[show]
    shown = paging(found, page, PAGE)
    rows = cases_by_due_date(
        session,
        staff.municipality,
        wanted,
        today=today,
        newest=show is Show.ALL,
        limit=shown.size,
        offset=shown.offset,
    )
    names = names_of_staff(session, staff.municipality)
    units = _units_due(session, rows)
    lines = tuple(
        line_as_read_by(staff, case_line(row, today, names=names, unit_due=units.get(row.id))) for row in rows
    )
    return CasePage(lines, show, shown.page, shown.pages, counts, filters, found, not_searched)


def case_line(
    row: ComplaintRow, today: date, *, names: Mapping[int, str], unit_due: date | None = None
) -> CaseLine:
    vehicle = row.facts.get("vehicle") or {}
    status = S(row.status)
    owed = status in CLOCK_RUNS
    unit_due = unit_due if owed else None
    return CaseLine(
        protocol=row.protocol,
        kind=ComplaintKind(row.kind),
        category=row.category,
        service=Service(row.service) if row.service else None,
        vehicle=vehicle.get("text"),
        filed_at=row.filed_at,
        due_on=row.due_on,
        days_left=(row.due_on - today).days if owed else None,
        extended=row.extended,
        fast_lane=row.fast_lane,
        status=status,
        language=row.language,
        assigned_to=names.get(row.assigned_to) if row.assigned_to else None,
        unit_due_on=unit_due,
        unit_days_left=(unit_due - today).days if unit_due else None,
    )


def categories_here(municipality: str) -> tuple[str, ...]:
    """The kinds of complaint that can be asked for in a municipality."""
    return tuple(here.id for here in catalogue.categories(municipality))


def _units_due(session: Session, rows: Sequence[ComplaintRow]) -> dict[int, date]:
    complaints = {row.id: row for row in rows}
    due: dict[int, date] = {}
    for request in unit_requests_of(session, complaints.keys()):
        if request.answered_at is None:
            day = unit_due_on(request, complaints[request.complaint_id])
            due[request.complaint_id] = min(day, due.get(request.complaint_id, day))
    return due


def _wanted(show: Show, staff: StaffMember, today: date) -> Wanted:
    return Wanted(
        statuses=None if show is Show.ALL else [str(status) for status in sorted(CLOCK_RUNS)],
        due_before=today if show is Show.OVERDUE else None,
        fast_lane=True if show is Show.URGENT else None,
        assigned_to=staff.id if show is Show.MINE else None,
    )


def _narrowed(wanted: Wanted, filters: Filters) -> Wanted:
    statuses = wanted.statuses
    if filters.status:
        one = str(filters.status)
        statuses = [one] if statuses is None or one in statuses else []
    return replace(
        wanted,
        statuses=statuses,
        category=filters.category,
        kind=filters.kind,
        service=filters.service,
        words=words_of(filters.search),
        plate_key=_plate_key(filters.search),
    )


def _plate_key(search: str) -> str | None:
    try:
        read = identify(search)
    except UnreadableQuery:
        return None
    return read.key if isinstance(read, PlateQuery) else None
