"""What a demonstration holds, and the steps of a complaint that no desk of ours takes yet."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from sqlalchemy.orm import Session

from portal.domain.complaints import Sender
from portal.domain.errors import NothingHere
from portal.domain.lifecycle import Move, Need
from portal.services.complaints import lifecycle
from portal.storage.complaints import find_by_protocol
from portal.storage.demonstration import DemonstrationCaseRow, all_cases, replace_cases


class Subject(StrEnum):
    """What a case is about, in the order in which cases are listed."""

    VEHICLE = "vehicle"
    ITINERARY = "itinerary"
    COMPLAINT = "complaint"
    STAFF = "staff"


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to try; ``portal.wording.demonstration`` says what it shows."""

    subject: Subject
    code: str
    municipality: str | None = None
    query: str | None = None
    """Of a vehicle: what to type into the box."""
    status: str | None = None
    """What the verdict, or the complaint, then says."""
    itinerary: str | None = None
    protocol: str | None = None
    access_key: str | None = None
    login: str | None = None
    password: str | None = None
    loaded_on: str | None = None
    """The civil day on which the demonstration was loaded: every other day of it is relative to this."""


def list_cases(session: Session) -> tuple[Case, ...]:
    """Everything to try; empty where no demonstration was loaded."""
    return tuple(
        Case(subject=Subject(row.subject), code=row.code, municipality=row.municipality, **row.told)
        for row in all_cases(session)
    )


def keep_cases(session: Session, cases: Sequence[Case], *, loaded_on: date) -> None:
    """Replace the list of what there is to try."""
    gaps = ("query", "status", "itinerary", "protocol", "access_key", "login", "password")
    replace_cases(
        session,
        [
            DemonstrationCaseRow(
                subject=case.subject,
                code=case.code,
                municipality=case.municipality,
                told={gap: value for gap in gaps if (value := getattr(case, gap)) is not None}
                | {"loaded_on": loaded_on.isoformat()},
            )
            for case in cases
        ],
    )


def take_step(
    session: Session,
    protocol: str,
    move: Move,
    *,
    by: Sender,
    now: datetime,
    reason: str | None = None,
) -> None:
    """Move a complaint of the demonstration by one allowed step, as its author or the ombudsman would."""
    row = find_by_protocol(session, protocol)
    if row is None:
        raise NothingHere("case")
    lifecycle.take(session, row, move, by, now=now, given=tuple(Need) if reason else (), reason=reason)
