"""Kinds of rule, in code; their parameters are data of each instrument (``portal.regulations``).

Code knows kinds of term, of suspension and of bar, never a municipality.
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from portal.domain.permits import EventKind, HolderKind, Permit, Service


@dataclass(frozen=True, slots=True)
class Source:
    """Where a rule is written: the instrument's identifier in the catalogue and the article as it is cited."""

    instrument: str
    article: str


class TermKind(StrEnum):
    CALENDAR_YEAR = "calendar_year"
    """1 January to 31 December of the year the permit is for, never before its act was issued."""
    UNTIL_YEAR_END_FROM_PAYMENT = "until_year_end_from_payment"
    MONTHS_FROM_ISSUE = "months_from_issue"
    NONE_IN_TEXT = "none_in_text"
    """The text states no term: only the paper's own date ends the permit."""


@dataclass(frozen=True, slots=True)
class Term:
    kind: TermKind
    source: Source
    months: int | None = None
    """Length for ``months_from_issue``: 12 for a year, 24 for two."""
    grace_days: int = 0
    """Calendar days by which the text itself prolongs the validity after its last day."""


class SuspensionEnd(StrEnum):
    RELEASE = "release"
    """Only a recorded release restarts the service; the end date alone turns nothing green."""
    END_DATE = "end_date"
    """The service restarts on the day after the last day of the suspension."""
    COURSE = "course"
    """Once the time has run, and a course was attended: a release recorded no earlier than the last day."""


@dataclass(frozen=True, slots=True)
class Suspension:
    ends_by: SuspensionEnd
    source: Source


class DayKind(StrEnum):
    """How the days of a deadline are counted."""

    CALENDAR = "calendar"
    BUSINESS = "business"


@dataclass(frozen=True, slots=True)
class Renewal:
    """How long before its last day the renewal of a permit must be asked for, or in which months of the year."""

    source: Source
    days: int | None = None
    counted_in: DayKind = DayKind.CALENDAR
    window_from: tuple[int, int] | None = None
    """First (month, day) of the yearly window in which permits of the next year are asked for."""
    window_until: tuple[int, int] | None = None


class BarKind(StrEnum):
    """How long after a revocation its holder may not come back."""

    SAME_CALENDAR_YEAR = "same_calendar_year"
    """Not in the year that the revoked permit was for."""
    MONTHS = "months"
    NONE_IN_TEXT = "none_in_text"


@dataclass(frozen=True, slots=True)
class RevocationBar:
    kind: BarKind
    source: Source
    months: int | None = None


@dataclass(frozen=True, slots=True)
class ListDuty:
    """How old a platform's list may be: ``every_days``, or due by a business day of the month that follows."""

    source: Source
    every_days: int | None = None
    business_day_of_next_month: int | None = None


@dataclass(frozen=True, slots=True)
class PermitRules:
    """What one instrument says of one type of permit, in force on one day."""

    municipality: str
    instrument: str
    service: Service
    permit_type: str
    holder_kind: HolderKind
    in_force: bool
    """False for a bill: it is shown as a bill and authorises nobody."""
    term: Term
    suspension: Suspension | None = None
    inspection_source: Source | None = None
    """The article under which a failed inspection bars the vehicle from working."""
    revocation_source: Source | None = None
    revocation_bar: RevocationBar | None = None
    renewal: Renewal | None = None
    needs: tuple[str, ...] = ()
    """Other permit types that must be in force beside this one, such as the licence of each vehicle."""
    needs_article: str | None = None
    max_speed_kmh: int | None = None
    max_speed_source: Source | None = None
    platform_list: ListDuty | None = None
    text_known_from: date | None = None
    text_known_until: date | None = None
    """Past this day the last wording is applied and said to be the last one known."""


def issued_on(permit: Permit) -> date | None:
    """The day of the act that issued the permit; None while it is only asked for."""
    event = permit.first(EventKind.ISSUE)
    return event.on if event else None
