"""The list by due date, and one complaint: read it, answer it, take the steps between."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from flask import Blueprint, current_app, flash, redirect, request, url_for
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from portal import clock
from portal.desk.sign_in.views import member
from portal.domain.complaints import EventKind, Identity
from portal.domain.errors import PortalError
from portal.domain.permits import Service, Status
from portal.domain.protocols import read_protocol
from portal.domain.questionnaire import question
from portal.domain.verdicts import ListSeen
from portal.i18n import LANGUAGES, Translator, translator
from portal.pages.downloads import hand_out
from portal.pages.fragments import render
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.sealing.boxes import UnreadableBox
from portal.sealing.opening import open_sealed
from portal.services import casework as desk
from portal.services.casework import ANSWER_LIMIT, REASON_LIMIT, Action, CaseEvent, CaseFile, Show
from portal.services.unit_of_work import unit_of_work
from portal.wording.answers import gap_mark, outcome_text, ready_answers
from portal.wording.categories import category_label
from portal.wording.citations import article_words
from portal.wording.complaints import identity_word, kind_word
from portal.wording.desk import (
    days_left_phrase,
    desk_status_word,
    done_sentence,
    due_tag,
    language_name,
    show_word,
)
from portal.wording.problems import problem_sentence
from portal.wording.questionnaire import answer_name, answer_text
from portal.wording.verdicts import list_sentences, role_name, state_word

blueprint = Blueprint("cases", __name__, url_prefix="/mesa")

FACTS = ("what", "vehicle", "where", "when")


@dataclass(slots=True)
class Filled:
    """The form that was sent and could not be taken: refilled, with what is wrong."""

    action: Action | None = None
    text: str = ""
    problem: str = ""
    error_id: str = ""
    status: int = 200
    identity: Identity | None = None
    """Unsealed by this very request, for this answer alone."""


@blueprint.get("/")
def show_list() -> Response:
    """Complaints by due date; ``?mostrar=overdue`` or ``all``, ``?pagina=2``."""
    staff, _ = member(), current_translator()
    show = Show(request.args["mostrar"]) if request.args.get("mostrar") in set(Show) else Show.OPEN
    page = request.args.get("pagina", 1, type=int)
    with unit_of_work() as session:
        cases = desk.list_cases(
            session, staff, today=catalogue.today_in(staff.municipality), show=show, page=page
        )
    return render("desk/list.html", fragment="cases", cases=cases, shows=tuple(Show), **_words(_))


@blueprint.get("/manifestacoes/<protocol>")
def show_case(protocol: str) -> Response:
    return _case_page(protocol, Filled())


@blueprint.get("/manifestacoes/<protocol>/anexos/<token>")
def download_evidence(protocol: str, token: str) -> Response:
    """A file, always as a download: nothing that somebody sent in is ever shown by this site's address."""
    with unit_of_work() as session:
        file = desk.evidence_of_case(session, member(), protocol, token)
    return hand_out(file.data, file.media_type, f"{read_protocol(protocol)}-{file.name}")


@blueprint.post("/manifestacoes/<protocol>/analise")
def start_review(protocol: str) -> Response:
    return _take_step(protocol, Action.REVIEW, lambda session, _text: desk.start_review(
        session, member(), protocol, now=clock.now()
    ))  # fmt: skip


@blueprint.post("/manifestacoes/<protocol>/resposta")
def answer(protocol: str) -> Response:
    """Answer; the button of a ready sentence only adds it to the text, and sends nothing."""
    text = request.form.get("text", "")
    citizen = translator(_read(protocol).line.language)
    if "insert" in request.form:
        try:
            sentence = outcome_text(request.form.get("outcome", ""), citizen)
        except KeyError:
            sentence = ""
        joined = f"{text.rstrip()}\n\n{sentence}" if text.strip() else sentence
        return _case_page(protocol, Filled(Action.ANSWER, joined))
    if any(gap_mark(translator(language)) in text for language in LANGUAGES):
        _ = current_translator()
        problem = _("Complete o trecho entre colchetes antes de enviar.")
        return _case_page(protocol, Filled(Action.ANSWER, text, problem, "answer", 422))
    return _take_step(protocol, Action.ANSWER, lambda session, said: desk.answer_case(
        session, member(), protocol, said, now=clock.now()
    ))  # fmt: skip


@blueprint.post("/manifestacoes/<protocol>/pergunta")
def ask(protocol: str) -> Response:
    return _take_step(protocol, Action.ASK, lambda session, text: desk.ask_citizen(
        session, member(), protocol, text, now=clock.now()
    ))  # fmt: skip


@blueprint.post("/manifestacoes/<protocol>/encaminhamento")
def forward(protocol: str) -> Response:
    return _take_step(protocol, Action.FORWARD, lambda session, unit: desk.forward_case(
        session, member(), protocol, unit, now=clock.now()
    ))  # fmt: skip


@blueprint.post("/manifestacoes/<protocol>/prorrogacao")
def extend(protocol: str) -> Response:
    return _take_step(protocol, Action.EXTEND, lambda session, reason: desk.extend_deadline(
        session, member(), protocol, reason, now=clock.now()
    ))  # fmt: skip


@blueprint.post("/manifestacoes/<protocol>/encerramento")
def close(protocol: str) -> Response:
    return _take_step(protocol, Action.CLOSE, lambda session, _text: desk.close_case(
        session, member(), protocol, now=clock.now()
    ))  # fmt: skip


@blueprint.post("/manifestacoes/<protocol>/identidade")
def open_identity(protocol: str) -> Response:
    """Show who sent it, once, in the answer to this very press; the reason is in the audit chain by then."""
    text = request.form.get("text", "")
    try:
        with unit_of_work(writes=True) as session:
            identity = desk.open_identity(
                session, member(), protocol, text, open_box=_open_box, now=clock.now()
            )
    except PortalError as error:
        return _refused(protocol, Action.OPEN_IDENTITY, text, error)
    return _case_page(protocol, Filled(Action.OPEN_IDENTITY, identity=identity))


def _take_step(protocol: str, action: Action, step: Callable[[Session, str], object]) -> Response:
    """Take a step and go back to the complaint; what is refused comes back with the form filled."""
    text = request.form.get("text", "")
    try:
        with unit_of_work(writes=True) as session:
            step(session, text)
    except PortalError as error:
        return _refused(protocol, action, text, error)
    flash(done_sentence(action, current_translator()))
    return redirect(url_for("cases.show_case", protocol=protocol), 303)


def _refused(protocol: str, action: Action, text: str, error: PortalError) -> Response:
    if error.status == 404:
        raise error
    sentence = problem_sentence(error, current_translator())
    return _case_page(protocol, Filled(action, text, sentence, str(action), error.status))


def _read(protocol: str) -> CaseFile:
    staff = member()
    with unit_of_work() as session:
        return desk.read_case(session, staff, protocol, today=catalogue.today_in(staff.municipality))


def _case_page(protocol: str, filled: Filled) -> Response:
    _, staff = current_translator(), member()
    with unit_of_work() as session:
        case = desk.read_case(session, staff, protocol, today=catalogue.today_in(staff.municipality))
        told = desk.told_identity(session, staff, protocol, open_box=_open_box)
    return render(
        "desk/case.html",
        fragment="answer_form",
        status=filled.status,
        case=case,
        line=case.line,
        filled=filled,
        identity=filled.identity or told,
        facts=_facts(case, _),
        snapshot=_snapshot(case, _),
        ready=ready_answers(_, translator(case.line.language)),
        citizen=translator(case.line.language),
        identity_mode_word=identity_word(case.identity_mode, _),
        timeline_items=[_event(event, case.municipality, _) for event in case.events],
        answer_limit=ANSWER_LIMIT,
        reason_limit=REASON_LIMIT,
        Action=Action,
        **_words(_),
    )


def _facts(case: CaseFile, _: Translator) -> list[tuple[str, str]]:
    """The citizen's answers, each with its name."""
    answers: dict[str, Any] = {"what": {"category": case.line.category}, **case.facts}
    return [
        (answer_name(question(fact), _), answer_text(question(fact), answers[fact], _))
        for fact in FACTS
        if fact in answers
    ]


def _snapshot(case: CaseFile, _: Translator) -> dict[str, Any] | None:
    """What the register said when it happened: a state, its day, each vehicle and the lists that were seen."""
    kept = case.snapshot
    if not kept:
        return None
    return {
        "status": kept["status"],
        "word": state_word(Status(kept["status"]), _),
        "on": date.fromisoformat(kept["on"]),
        "units": [
            {**unit, "word": state_word(Status(unit["status"]), _), "role": role_name(unit["role"], _)}
            for unit in kept["units"]
        ],
        "permits": [permit["number"] for permit in kept["permits"]],
        "lists": list_sentences([_list_seen(seen) for seen in kept["lists"]], _),
    }


def _list_seen(kept: dict[str, Any]) -> ListSeen:
    told = {**kept, "as_of": date.fromisoformat(kept["as_of"])}
    if kept["service"]:
        told["service"] = Service(kept["service"])
    return ListSeen(**told)


def _event(event: CaseEvent, municipality: str, _: Translator) -> dict[str, str]:
    extended = event.kind is EventKind.EXTENSION
    title = _("Prazo prorrogado") if extended else desk_status_word(event.status, _)
    when = _.datetime(_local(event.at, municipality))
    return {
        "title": title,
        "when": f"{when} · {event.by}" if event.by else when,
        "text": event.reason or "",
    }


def _words(_: Translator) -> dict[str, Any]:
    """What templates need to say a complaint."""
    municipality = member().municipality
    return {
        "article_said": lambda article: article_words(article, _),
        "status_word": lambda status: desk_status_word(status, _),
        "kind_name": lambda kind: kind_word(kind, _),
        "category_name": lambda category: category_label(category, _),
        "days_left": lambda line: days_left_phrase(line, _),
        "due_tag": due_tag,
        "show_name": lambda show: show_word(show, _),
        "language_called": lambda language: language_name(language, _),
        "local_day": lambda moment: _day(moment, municipality),
        "local_time": lambda moment: _local(moment, municipality),
    }


def _local(moment: datetime, municipality: str) -> datetime:
    return moment.astimezone(catalogue.municipality(municipality).zone)


def _day(moment: datetime, municipality: str) -> date:
    return _local(moment, municipality).date()


def _open_box(box: bytes, record: str) -> bytes:
    keys = current_app.config["IDENTITY_KEYS"].get(member().municipality)
    if keys is None:
        raise UnreadableBox("no key of this municipality")
    return open_sealed(box, keys, record=record)
