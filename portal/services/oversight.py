"""What the people who run the service look at: age of the lists, last imports, what waits, what is due."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy.orm import Session

from portal.domain.deadlines import oldest_lawful_list
from portal.domain.errors import NotAllowed
from portal.domain.lifecycle import CLOCK_RUNS
from portal.domain.permits import Service
from portal.domain.staff import StaffMember
from portal.regulations import catalogue
from portal.storage.cases import owed_by_day
from portal.storage.outbox import waiting_of
from portal.storage.permits import find_lists
from portal.storage.runs import runs_of
from portal.storage.signs_of_life import backed_up_at, failing, worked_at
from portal.storage.timetable_imports import last_runs

QUIET = timedelta(minutes=5)
"""There are chores every minute: longer than this without it, something is wrong."""
WAITING_LONG = timedelta(hours=1)
DUE_DAYS_SHOWN = 6
PUBLISHED = ("merged", "undoing")


@dataclass(frozen=True, slots=True)
class ListAge:
    service: Service | None
    """None for lines of buses and sights."""
    kind: str
    """``register``, ``platform`` or ``itineraries``."""
    source: str
    as_of: date
    days: int
    """How old it is today."""
    late: bool = False
    """Older than the law lets a platform's list be."""


@dataclass(frozen=True, slots=True)
class LastImport:
    kind: str
    """``register``, ``platform`` or ``itineraries``."""
    name: str
    """Of the file."""
    at: datetime
    state: str
    """As ``ImportRunRow.state`` and ``TimetableImportRow.outcome`` say it."""
    rows: int
    refused: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """Notices of this municipality."""

    waiting: int
    oldest: datetime | None
    """Since when the one that waits longest has been due."""
    given_up: int


@dataclass(frozen=True, slots=True)
class StateOfService:
    now: datetime
    lists: tuple[ListAge, ...]
    """The oldest first."""
    imports: tuple[LastImport, ...]
    """The last of each kind, whatever became of it."""
    notices: Waiting
    worker_seen: datetime | None
    """When a worker last did a chore."""
    failing: tuple[tuple[str, str], ...]
    """Chores whose last try failed, each with the type of the error."""
    backup_seen: datetime | None
    """None where no backup was ever noted."""
    overdue: int
    """Complaints whose last day for an answer is over."""
    due: tuple[tuple[date, int], ...]
    """The next days on which answers fall due, with how many."""

    @property
    def worker_is_quiet(self) -> bool:
        return self.worker_seen is None or self.now - self.worker_seen > QUIET

    @property
    def notices_are_stuck(self) -> bool:
        return self.notices.oldest is not None and self.now - self.notices.oldest > WAITING_LONG


def state_of_service(session: Session, staff: StaffMember, *, now: datetime) -> StateOfService:
    """The state of one municipality's service; figures alone, nothing of a complaint or of a person.

    Raises:
        NotAllowed: the role does not run the service.
    """
    if not staff.may_see_state:
        raise NotAllowed
    town = catalogue.municipality(staff.municipality)
    today = town.civil_day(now)
    due = owed_by_day(session, town.slug, CLOCK_RUNS)
    waiting, oldest, given_up = waiting_of(session, town.slug, now=now)
    return StateOfService(
        now=now,
        lists=_lists(session, town.slug, today),
        imports=_imports(session, town.slug),
        notices=Waiting(waiting, oldest, given_up),
        worker_seen=worked_at(session),
        failing=tuple(failing(session)),
        backup_seen=backed_up_at(session),
        overdue=sum(count for day, count in due if day < today),
        due=tuple((day, count) for day, count in due if day >= today)[:DUE_DAYS_SHOWN],
    )


def _lists(session: Session, municipality: str, today: date) -> tuple[ListAge, ...]:
    town = catalogue.municipality(municipality)
    rules = catalogue.rules_of_town(municipality, today).values()
    oldest: Mapping[Service, date] = {
        rule.service: oldest_lawful_list(rule.platform_list, today, town.is_holiday)
        for rule in rules
        if rule.platform_list
    }
    of_permits = [
        ListAge(
            one.service,
            one.kind,
            one.source,
            one.as_of,
            (today - one.as_of).days,
            one.kind == "platform" and one.service in oldest and one.as_of < oldest[one.service],
        )
        for one in find_lists(session, municipality)
    ]
    of_timetables = [
        ListAge(
            Service(shown.service) if shown.service else None,
            "itineraries",
            feed,
            shown.as_of,
            (today - shown.as_of).days,
        )
        for feed, _last, shown in last_runs(session, municipality)
        if shown is not None
    ]
    return tuple(sorted([*of_permits, *of_timetables], key=lambda one: (-one.days, one.kind, one.source)))


def _imports(session: Session, municipality: str) -> tuple[LastImport, ...]:
    found: dict[str, LastImport] = {}
    for run in runs_of(session, municipality, limit=20):
        at = run.published_at or run.finished_at or run.started_at
        told = LastImport(run.kind, run.file_name, at, run.state, run.rows_read, run.rows_refused)
        found.setdefault(run.kind, told)
    for feed, last, _shown in last_runs(session, municipality):
        at = last.finished_at or last.started_at
        told = LastImport(
            "itineraries", last.file_name, at, last.outcome, sum(last.counts.values()), len(last.problems)
        )
        if feed not in found:
            found[feed] = told
    return tuple(sorted(found.values(), key=lambda one: one.at, reverse=True))
