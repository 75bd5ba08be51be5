"""A complaint that somebody brings by telephone, letter or at the counter: the same questions, the same receipt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from sqlalchemy.orm import Session

from portal.domain.complaints import Identity
from portal.domain.errors import MomentInFuture, NotAllowed, PortalError
from portal.domain.questionnaire import Kind, Raw, parse_answer, question
from portal.domain.staff import StaffMember
from portal.regulations import catalogue
from portal.services.casework.steps import add_act, log
from portal.services.complaints import filing, intake, lifecycle
from portal.services.complaints.filing import Receipt
from portal.services.complaints.stored_files import StoredFile
from portal.storage.complaints import ComplaintRow, events_of, find_by_protocol

CHANNELS = ("phone", "letter", "counter")
"""By which way it came to the desk."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A complaint that was written down at the desk; ``token`` leads back to its receipt for an hour."""

    receipt: Receipt
    token: str


def read_answers(
    staff: StaffMember, answers: Mapping[str, Raw], *, received_on: date | None, now: datetime
) -> dict[str, PortalError]:
    """What is wrong with the answers, by the id of the question (``received`` for the day); empty when nothing is."""
    around = intake.circumstances(staff.municipality, now=now)
    problems: dict[str, PortalError] = {}
    for question_id, raw in answers.items():
        try:
            parse_answer(question(question_id), raw, around)
        except PortalError as problem:
            problems[question_id] = problem
    today = catalogue.municipality(staff.municipality).civil_day(now)
    if received_on is not None and received_on > today:
        problems["received"] = MomentInFuture(received_on.isoformat())
    return problems


def take_complaint(
    session: Session,
    staff: StaffMember,
    answers: Mapping[str, Raw],
    identity: Identity,
    *,
    channel: str,
    language: str,
    now: datetime,
    photos: Sequence[StoredFile] = (),
    received_on: date | None = None,
) -> Taken:
    """File what somebody told a staff member; what has no answer is skipped, as the person themselves could.

    Args:
        channel: one of ``CHANNELS``.
        received_on: the day a letter came in, from which the law's time is counted; today when None.

    Raises:
        NotAllowed: this role takes no complaints.
        PortalError: what ``read_answers`` would have told.
    """
    if not staff.may_route or channel not in CHANNELS:
        raise NotAllowed
    draft = intake.start_draft(
        session, municipality=staff.municipality, channel=channel, language=language, now=now
    )
    while draft.question.kind is not Kind.IDENTITY:
        asked = draft.question
        if asked.id in answers:
            draft = intake.answer(session, draft.token, asked.id, answers[asked.id], now=now)
        else:
            draft = intake.skip(session, draft.token, asked.id, now=now)
    if "story" in answers:  # offered to a citizen on the last page, and asked for here
        intake.answer(session, draft.token, "story", answers["story"], now=now)
    for photo in photos:
        intake.attach(session, draft.token, photo, now=now)
    receipt = filing.file_complaint(session, draft.token, identity, now=now)
    row = find_by_protocol(session, receipt.protocol)
    assert row is not None
    if received_on is not None:
        _count_from(session, row, received_on, now)
    add_act(session, row, "taken", staff, now)
    log(session, row, staff, "case.taken_at_desk", now)
    return Taken(filing.receipt_of(session, draft.token, now=now), draft.token)


def _count_from(session: Session, row: ComplaintRow, received_on: date, now: datetime) -> None:
    """The law counts from the day a letter came in, not from the day somebody typed it."""
    town = catalogue.municipality(row.municipality)
    if received_on >= town.civil_day(now):
        return
    row.filed_at = datetime.combine(received_on, time(12), town.zone)
    row.due_on = lifecycle.due_on(row, extended=False)
    for event in events_of(session, row.id):
        event.at = row.filed_at
    session.flush()
