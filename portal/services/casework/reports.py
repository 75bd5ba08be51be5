"""The yearly report of Lei 13.460/2017, art. 14, II, and art. 15: counted, put into words, and published for good."""

from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy.orm import Session

from portal.domain.errors import NotAllowed, NothingHere, ReportRefused
from portal.domain.staff import StaffMember
from portal.domain.texts import clean_text, within
from portal.regulations import catalogue
from portal.services.casework.statistics import Statistics, count, from_json, to_json
from portal.services.people import audit
from portal.services.people.staff import actor
from portal.storage.casework import YearlyReportRow, find_report, published_reports

WORDS_LIMIT = 20_000
"""Characters of each part that the ombudsman writes."""
PARTS = ("recurring", "measures", "improvements")
"""Art. 15, III and IV, and art. 14, II."""


@dataclass(frozen=True, slots=True)
class YearlyReport:
    municipality: str
    year: int
    figures: Statistics
    recurring: str
    measures: str
    improvements: str
    published_at: datetime | None

    @property
    def is_whole(self) -> bool:
        """Whether every part that the law asks for is written."""
        return bool(self.recurring and self.measures and self.improvements)


def read_report(session: Session, staff: StaffMember, year: int, *, today: date) -> YearlyReport:
    """The report as it would be published today, or as it was.

    Raises:
        NotAllowed: this role reads no statistics.
        NothingHere: a year to come, or before the law.
    """
    if not staff.may_read_statistics:
        raise NotAllowed
    _year_told(year, today)
    row = find_report(session, staff.municipality, year)
    if row is not None and row.published is not None:
        return _published(row)
    return _report(row, staff.municipality, year, _figures(session, staff.municipality, year, today))


def write_report(
    session: Session, staff: StaffMember, year: int, words: dict[str, str], *, now: datetime
) -> None:
    """Keep what the ombudsman writes; what is published stays as it is.

    Raises:
        NotAllowed: another role only reads it.
        ReportRefused: ``published``.
        TextTooLong: a part has more than ``WORDS_LIMIT`` characters.
    """
    row = _writable(session, staff, year, now)
    for part in PARTS:
        setattr(row, part, within(clean_text(words.get(part, "")), WORDS_LIMIT))
    session.flush()


def publish_report(session: Session, staff: StaffMember, year: int, *, now: datetime) -> None:
    """Put a past year's report before the public, with groups under the minimum merged.

    Raises:
        NotAllowed: another role only reads it.
        ReportRefused: ``published`` already, ``running`` (the year is not over), ``words`` (a part is missing).
    """
    row = _writable(session, staff, year, now)
    today = catalogue.municipality(staff.municipality).civil_day(now)
    if year >= today.year:
        raise ReportRefused("running")
    if not (row.recurring and row.measures and row.improvements):
        raise ReportRefused("words")
    row.published = to_json(_figures(session, staff.municipality, year, today))
    row.published_at = now
    audit.record(
        session,
        staff.municipality,
        actor=actor(staff),
        action="report.published",
        subject=f"report:{year}",
        at=now,
    )
    session.flush()


def public_report(session: Session, municipality: str, year: int) -> YearlyReport:
    """A published report; raises ``NothingHere`` for any other."""
    row = find_report(session, catalogue.municipality(municipality).slug, year)
    if row is None or row.published is None:
        raise NothingHere("report")
    return _published(row)


def public_years(session: Session, municipality: str) -> tuple[int, ...]:
    """The years whose report is published, newest first."""
    slug = catalogue.municipality(municipality).slug
    return tuple(row.year for row in published_reports(session, slug))


def _writable(session: Session, staff: StaffMember, year: int, now: datetime) -> YearlyReportRow:
    if not staff.may_answer:
        raise NotAllowed
    _year_told(year, catalogue.municipality(staff.municipality).civil_day(now))
    row = find_report(session, staff.municipality, year)
    if row is None:
        row = YearlyReportRow(
            municipality=staff.municipality, year=year, recurring="", measures="", improvements=""
        )
        session.add(row)
    if row.published is not None:
        raise ReportRefused("published")
    return row


def _year_told(year: int, today: date) -> None:
    if not 2017 <= year <= today.year:
        raise NothingHere("report")


def _figures(session: Session, municipality: str, year: int, today: date) -> Statistics:
    first, last = date(year, 1, 1), date(year, 12, 31)
    return count(session, municipality, first=first, last=last, today=today, publish=True)


def _published(row: YearlyReportRow) -> YearlyReport:
    assert row.published is not None
    return _report(row, row.municipality, row.year, from_json(row.published))


def _report(row: YearlyReportRow | None, municipality: str, year: int, figures: Statistics) -> YearlyReport:
    return YearlyReport(
        municipality=municipality,
        year=year,
        figures=figures,
        recurring=row.recurring if row else "",
        measures=row.measures if row else "",
        improvements=row.improvements if row else "",
        published_at=row.published_at if row else None,
    )
