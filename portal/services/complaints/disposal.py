"""The end of keeping: what a municipality's retention table orders to erase, and nothing while it cites none.

New facts put it off: the time then runs from them, and the complaint's author reads that it does.
"""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy.orm import Session

from portal.domain.complaints import ComplaintStatus, EventKind, Sender
from portal.domain.lifecycle import ENDED
from portal.i18n import translator
from portal.regulations import catalogue
from portal.regulations.municipalities import Municipality
from portal.regulations.shared_files import RetentionRule
from portal.services.complaints.evidence import forget_files
from portal.services.people import audit
from portal.storage.complaints import ComplaintEventRow, ComplaintRow, events_of
from portal.storage.disposal import ended_complaints, erase_content, last_fact
from portal.storage.drafts import evidence_of_complaint

KEPT_STATES = tuple(sorted(str(status) for status in ENDED | {ComplaintStatus.DISMISSED}))
"""States in which nothing is owed any more, so that the time of keeping runs."""


@dataclass(frozen=True, slots=True)
class Disposal:
    """What was erased, or would be."""

    municipality: str
    rule: RetentionRule | None
    """None where the municipality's file cites no retention table: nothing is erased."""
    erased: tuple[str, ...] = ()
    """Protocols, as for the rest."""
    put_off: tuple[tuple[str, date], ...] = ()
    """With the day until which each is kept now."""
    kept: int = 0
    """Ended complaints whose time is not over."""


def dispose(session: Session, municipality: str, *, now: datetime, dry_run: bool = False) -> Disposal:
    """Erase the content of complaints that have been kept long enough; ``dry_run`` only tells which."""
    town = catalogue.municipality(municipality)
    today = town.civil_day(now)
    rule = catalogue.retention(municipality, today)
    if rule is None:
        return Disposal(municipality, None)
    erased, put_off, kept = [], [], 0
    for row in ended_complaints(session, municipality, KEPT_STATES):
        ended = _ended_on(session, row, town)
        fact = last_fact(session, row.id)
        newest = max(ended, town.civil_day(fact)) if fact else ended
        until = _months_after(newest, rule.months)
        if today > until:
            erased.append(row.protocol)
            if not dry_run:
                _erase(session, row, now)
            continue
        kept += 1
        if newest > ended and today > _months_after(ended, rule.months):
            put_off.append((row.protocol, until))
            if not dry_run:
                _tell_put_off(session, row, until, now)
    return Disposal(municipality, rule, tuple(erased), tuple(put_off), kept)


def _erase(session: Session, row: ComplaintRow, now: datetime) -> None:
    forget_files(session, evidence_of_complaint(session, row.id))
    erase_content(session, row, at=now)
    _log(session, row, "case.erased", now)


def _tell_put_off(session: Session, row: ComplaintRow, until: date, now: datetime) -> None:
    """Leave an event for the author, once for each new day."""
    said = translator(row.language).date(until)
    events = events_of(session, row.id)
    if any(event.kind == EventKind.DISPOSAL_PUT_OFF and event.reason == said for event in events):
        return
    session.add(
        ComplaintEventRow(
            complaint_id=row.id,
            at=now,
            kind=EventKind.DISPOSAL_PUT_OFF,
            status=row.status,
            actor=Sender.TIME,
            reason=said,
        )
    )
    _log(session, row, "case.disposal_put_off", now)


def _ended_on(session: Session, row: ComplaintRow, town: Municipality) -> date:
    steps = [event.at for event in events_of(session, row.id) if event.kind == EventKind.STEP]
    return town.civil_day(max(steps, default=row.closed_at or row.filed_at))


def _months_after(day: date, months: int) -> date:
    """The same day so many months later, or the last of its month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _log(session: Session, row: ComplaintRow, action: str, now: datetime) -> None:
    audit.record(session, row.municipality, actor="cli", action=action, subject=f"complaint:{row.id}", at=now)
