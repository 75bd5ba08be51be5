"""The steps that an ombudsman takes towards an answer: review, ask, answer, dismiss, merge, stand back, close."""

from collections.abc import Collection
from datetime import date, datetime

from sqlalchemy.orm import Session

from portal.domain.complaints import ComplaintStatus, Sender
from portal.domain.errors import CannotMerge, ColleagueMissing, GroundMissing, NothingHere
from portal.domain.lifecycle import CLOCK_RUNS, Move, Need, moves
from portal.domain.protocols import read_protocol
from portal.domain.staff import Role, StaffMember
from portal.domain.texts import clean_text, within
from portal.regulations import catalogue
from portal.regulations.shared_files import DismissalGround
from portal.services.casework.actions import Action, role_allows
from portal.services.casework.steps import (
    REASON_LIMIT,
    Seen,
    add_act,
    add_message,
    civil_day,
    log,
    number_of_events,
    open_case,
    said,
    stated,
    take_step,
)
from portal.services.complaints import lifecycle
from portal.services.complaints.notices import announce_news
from portal.storage.cases import find_case, merged_with, staff_of
from portal.storage.casework import recused_from
from portal.storage.complaints import ComplaintRow

S = ComplaintStatus


def start_review(
    session: Session, staff: StaffMember, protocol: str, *, now: datetime, seen: Seen | None = None
) -> None:
    """Take a complaint up, or up again; it is one's own from then on, unless a colleague has it.

    One that was merged is told apart again by it.
    """
    row = open_case(session, staff, protocol, to=Action.REVIEW, seen=seen)
    can = moves(lifecycle.standing(session, row), Sender.OMBUDSMAN, civil_day(row, now))
    take_step(session, row, Move.RESUME if Move.RESUME in can else Move.START_REVIEW, staff, now)
    row.merged_into = None
    log(session, row, staff, "case.review_started", now)


def answer_case(
    session: Session,
    staff: StaffMember,
    protocol: str,
    text: str,
    *,
    now: datetime,
    outcome: str | None = None,
    also: Collection[str] = (),
    seen: Seen | None = None,
) -> None:
    """Give the citizen the final answer, in their language; they are told that there is news.

    ``outcome`` says what came of it, for the statistics. ``also`` are protocols merged into this one whose authors
    get the same answer; whoever is left out is still owed one by their own date.

    Raises:
        EmptyMessage, TextTooLong: the text says nothing, or has more than ``ANSWER_LIMIT`` characters.
        StepNotAllowed: it is answered already, withdrawn or closed.
        CannotMerge: one of ``also`` is not merged into this one.
        StoodBack: this person recused themselves from it, or from one of ``also``.
    """
    row = open_case(session, staff, protocol, to=Action.ANSWER, seen=seen)
    answer = said(text)
    others = [_merged_into(session, row, staff, one) for one in dict.fromkeys(also)]
    for one in (row, *others):
        _answer(session, one, staff, answer, now, outcome)


def _merged_into(session: Session, row: ComplaintRow, staff: StaffMember, protocol: str) -> ComplaintRow:
    """A complaint that is answered along with another: locked and open to this person as if it were alone."""
    try:
        one = open_case(session, staff, protocol, to=Action.ANSWER)
    except NothingHere:
        raise CannotMerge("other") from None
    if one.merged_into != row.id or S(one.status) not in CLOCK_RUNS:
        raise CannotMerge("other")
    return one


def _answer(
    session: Session,
    row: ComplaintRow,
    staff: StaffMember,
    answer: str,
    now: datetime,
    outcome: str | None,
) -> None:
    take_step(session, row, Move.ANSWER, staff, now, Need.TEXT)
    row.outcome = outcome
    add_message(session, row, staff, answer, now, is_answer=True)
    log(session, row, staff, "case.answered", now)
    announce_news(session, row, news=f"answered/{number_of_events(session, row)}", now=now)


def ask_citizen(
    session: Session,
    staff: StaffMember,
    protocol: str,
    text: str,
    *,
    now: datetime,
    seen: Seen | None = None,
) -> None:
    """Ask the citizen something; the clock goes on, since no act of a municipality says it stops."""
    row = open_case(session, staff, protocol, to=Action.ASK, seen=seen)
    question = said(text)
    take_step(session, row, Move.ASK, staff, now, Need.TEXT)
    add_message(session, row, staff, question, now)
    log(session, row, staff, "case.citizen_asked", now)
    announce_news(session, row, news=f"asked/{number_of_events(session, row)}", now=now)


def grounds_of(municipality: str, *, on: date) -> tuple[DismissalGround, ...]:
    """The legal grounds on which a complaint may be dismissed in a municipality on a day."""
    return catalogue.dismissal_grounds(municipality, on)


def dismiss_case(
    session: Session,
    staff: StaffMember,
    protocol: str,
    ground: str,
    text: str,
    *,
    now: datetime,
    seen: Seen | None = None,
) -> None:
    """Archive a complaint on a legal ground; the citizen reads ground, article and the facts in their language.

    Raises:
        GroundMissing: none of the grounds of the catalogue was chosen.
        ReasonMissing: the facts that lead to it are not told.
    """
    row = open_case(session, staff, protocol, to=Action.DISMISS, seen=seen)
    chosen = next(
        (one for one in grounds_of(row.municipality, on=civil_day(row, now)) if one.id == ground), None
    )
    if chosen is None:
        raise GroundMissing
    because = stated(text)
    read = f"{chosen.words.said(row.language)} ({chosen.article})\n\n{because}"
    take_step(session, row, Move.DISMISS, staff, now, Need.GROUND, reason=read)
    log(session, row, staff, "case.dismissed", now, reason=ground)
    announce_news(session, row, news=f"dismissed/{number_of_events(session, row)}", now=now)


def merge_case(
    session: Session,
    staff: StaffMember,
    protocol: str,
    into: str,
    *,
    reason: str,
    now: datetime,
    seen: Seen | None = None,
) -> None:
    """Read a complaint together with another of the same fact; its author is still answered by their own date.

    ``reason`` is what the citizen reads; it never names the other complaint, which belongs to somebody else.

    Raises:
        CannotMerge: ``why`` ``unknown``, ``itself``, ``ended`` (nothing is owed there any more), ``merged`` (it is
            merged into a third itself) or ``leads`` (others are merged into the one that should go).
    """
    row = open_case(session, staff, protocol, to=Action.MERGE, seen=seen)
    target = find_case(session, staff.municipality, read_protocol(into), lock=True)
    if target is None:
        raise CannotMerge("unknown")
    if target.id == row.id:
        raise CannotMerge("itself")
    if S(target.status) not in CLOCK_RUNS:
        raise CannotMerge("ended")
    if target.merged_into is not None:
        raise CannotMerge("merged")
    if merged_with(session, row.id):
        raise CannotMerge("leads")
    read = within(clean_text(reason), REASON_LIMIT) or None
    take_step(session, row, Move.MERGE, staff, now, Need.OTHER_CASE, reason=read)
    row.merged_into = target.id
    add_act(session, target, "received_merged", staff, now, text=row.protocol)
    log(session, row, staff, "case.merged", now, reason=f"complaint:{target.id}")
    announce_news(session, row, news=f"merged/{number_of_events(session, row)}", now=now)


def colleagues_of(session: Session, staff: StaffMember, protocol: str) -> tuple[StaffMember, ...]:
    """Who could take a complaint over from ``staff``: not who stood back from it already."""
    row = open_case(session, staff, protocol)
    away = recused_from(session, row.id)
    members = (
        StaffMember(one.id, one.municipality, one.login, one.name, Role(one.role))
        for one in staff_of(session, staff.municipality)
        if one.id != staff.id and one.id not in away
    )
    return tuple(one for one in members if role_allows(Action.FORWARD, one))


def recuse(
    session: Session,
    staff: StaffMember,
    protocol: str,
    to: int,
    reason: str,
    *,
    now: datetime,
    seen: Seen | None = None,
) -> StaffMember:
    """Stand back from a complaint and hand it to a colleague, recorded; one takes no further step in it.

    Raises:
        ReasonMissing: the reason says nothing.
        ColleagueMissing: ``to`` is nobody who could take it.
    """
    row = open_case(session, staff, protocol, to=Action.RECUSE, seen=seen)
    because = stated(reason)
    colleague = next((one for one in colleagues_of(session, staff, protocol) if one.id == to), None)
    if colleague is None:
        raise ColleagueMissing
    row.assigned_to = colleague.id
    add_act(session, row, "recused", staff, now, text=because, to=colleague.id)
    log(session, row, staff, "case.recused", now, reason=f"staff:{colleague.id}")
    return colleague


def close_case(
    session: Session, staff: StaffMember, protocol: str, *, now: datetime, seen: Seen | None = None
) -> None:
    """Close an answered complaint whose author let the time for a review pass; the worker does so by itself."""
    row = open_case(session, staff, protocol, to=Action.CLOSE, seen=seen)
    take_step(session, row, Move.CLOSE, staff, now)
    log(session, row, staff, "case.closed", now)
