"""The steps in a complaint: one address each, one way of taking them all."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy.orm import Session
from werkzeug.datastructures import MultiDict

from portal import clock
from portal.domain.staff import StaffMember
from portal.services import casework
from portal.services.casework import Action, Seen

Form = MultiDict[str, str]
Take = Callable[[Session, StaffMember, str, Form, Seen | None], object]


@dataclass(frozen=True, slots=True)
class Step:
    action: Action
    take: Take


def _number(form: Form, name: str) -> int:
    """A number of the form; 0, which nothing has, for anything else."""
    text = form.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _start_review(session: Session, staff: StaffMember, protocol: str, form: Form, seen: Seen | None) -> None:
    casework.start_review(session, staff, protocol, now=clock.now(), seen=seen)


def _answer(session: Session, staff: StaffMember, protocol: str, form: Form, seen: Seen | None) -> None:
    casework.answer_case(
        session,
        staff,
        protocol,
        form.get("text", ""),
        now=clock.now(),
        outcome=form.get("outcome") or None,
        also=form.getlist("also"),
        seen=seen,
    )


def _ask(session: Session, staff: StaffMember, protocol: str, form: Form, seen: Seen | None) -> None:
    casework.ask_citizen(session, staff, protocol, form.get("text", ""), now=clock.now(), seen=seen)


def _record_reply(session: Session, staff: StaffMember, protocol: str, form: Form, seen: Seen | None) -> None:
    casework.record_reply(
        session, staff, protocol, _number(form, "request"), form.get("text", ""), now=clock.now(), seen=seen
    )


def _extend_unit(session: Session, staff: StaffMember, protocol: str, form: Form, seen: Seen | None) -> None:
    casework.extend_unit(
        session, staff, protocol, _number(form, "request"), form.get("text", ""), now=clock.now(), seen=seen
    )


def _extend(session: Session, staff: StaffMember, protocol: str, form: Form, seen: Seen | None) -> None:
    casework.extend_deadline(session, staff, protocol, form.get("text", ""), now=clock.now(), seen=seen)


def _dismiss(session: Session, staff: StaffMember, protocol: str, form: Form, seen: Seen | None) -> None:
    casework.dismiss_case(
        session,
        staff,
        protocol,
        form.get("ground", ""),
        form.get("text", ""),
        now=clock.now(),
        seen=seen,
    )


def _merge(session: Session, staff: StaffMember, protocol: str, form: Form, seen: Seen | None) -> None:
    casework.merge_case(
        session,
        staff,
        protocol,
        form.get("into") or form.get("into_other", ""),
        reason=form.get("text", ""),
        now=clock.now(),
        seen=seen,
    )


def _recuse(session: Session, staff: StaffMember, protocol: str, form: Form, seen: Seen | None) -> None:
    casework.recuse(
        session,
        staff,
        protocol,
        _number(form, "colleague"),
        form.get("text", ""),
        now=clock.now(),
        seen=seen,
    )


def _close(session: Session, staff: StaffMember, protocol: str, form: Form, seen: Seen | None) -> None:
    casework.close_case(session, staff, protocol, now=clock.now(), seen=seen)


STEPS: dict[str, Step] = {
    "analise": Step(Action.REVIEW, _start_review),
    "resposta": Step(Action.ANSWER, _answer),
    "pergunta": Step(Action.ASK, _ask),
    "resposta-do-orgao": Step(Action.RECORD_REPLY, _record_reply),
    "prazo-do-orgao": Step(Action.EXTEND_UNIT, _extend_unit),
    "prorrogacao": Step(Action.EXTEND, _extend),
    "arquivamento": Step(Action.DISMISS, _dismiss),
    "reuniao": Step(Action.MERGE, _merge),
    "impedimento": Step(Action.RECUSE, _recuse),
    "encerramento": Step(Action.CLOSE, _close),
}
"""By the last word of the address. Forwarding has a page of its own, and an identity is shown, not stepped to."""
