"""Asking a unit: whom the law names, the copy that goes, and the letter in PDF."""

from typing import Any

from flask import Blueprint, flash, make_response, redirect, request, url_for
from werkzeug.wrappers import Response

from portal import clock
from portal.desk.cases.presenting import facts_of, local, news_of, words
from portal.desk.sign_in.views import member
from portal.domain.errors import CaseChanged, NothingHere, PortalError, TextTooLong, UnitMissing
from portal.domain.redaction import redact
from portal.i18n import translator
from portal.pages.fragments import render
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.regulations.schema import Matter
from portal.services import casework
from portal.services.casework import COPY_LIMIT, REASON_LIMIT, Action, CaseFile, Seen
from portal.services.unit_of_work import unit_of_work
from portal.wording.citations import article_words
from portal.wording.desk import done_sentence
from portal.wording.problems import problem_sentence
from portal.wording.rights import matter_name

blueprint = Blueprint("forwarding", __name__, url_prefix="/mesa/manifestacoes")


@blueprint.get("/<protocol>/encaminhamento")
def show_form(protocol: str) -> Response:
    return _page(protocol)


@blueprint.post("/<protocol>/encaminhamento")
def forward(protocol: str) -> Response:
    """Ask a unit: one of those that the law names, or whom is written."""
    form = request.form
    seen = Seen.read(form.get("seen", ""))
    unit = form.get("unit", "") or form.get("text", "")
    try:
        with unit_of_work(writes=True) as session:
            casework.forward_case(
                session,
                member(),
                protocol,
                unit,
                now=clock.now(),
                copy=form.get("copy"),
                files=form.getlist("files"),
                question=form.get("question", ""),
                seen=seen,
            )
    except PortalError as error:
        if error.status == 404:
            raise
        return _page(protocol, error)
    flash(done_sentence(Action.FORWARD, current_translator()))
    return redirect(url_for("cases.show_case", protocol=protocol), 303)


@blueprint.get("/<protocol>/encaminhamentos/<int:number>/carta.pdf")
def letter(protocol: str, number: int) -> Response:
    """The letter of one request; in Portuguese, whoever prints it, and without who wrote the account."""
    staff, _ = member(), translator("pt_BR")
    with unit_of_work() as session:
        case = _read(session, protocol)
        asked = next((one for one in case.requests if one.number == number), None)
        if asked is None:
            raise NothingHere("request")
        keep = casework.vehicle_told(case)
    town = catalogue.municipality(staff.municipality)
    names = {file.token: file.name for file in case.evidence}
    asked_on = local(asked.asked_at, staff.municipality)
    from portal.documents.letter import Letter, letter_pdf  # large, and rarely asked for

    response = make_response(
        letter_pdf(
            Letter(
                municipality=f"{town.name} – {town.state}",
                ombudsman=town.ombudsman.name,
                unit=asked.unit,
                protocol=case.line.protocol,
                asked_at=asked_on,
                due_on=asked.due_on,
                due_article=article_words(catalogue.answer_time("unit", asked_on.date()).article, _),
                competence=f"{asked.title}, {asked.article}" if asked.article else "",
                facts=[(name, redact(value, keep=keep)) for name, value in facts_of(case, _)],
                copy=asked.copy,
                question=asked.question or "",
                files=[names[token] for token in asked.files if token in names],
            ),
            _,
        )
    )
    response.mimetype = "application/pdf"
    response.headers.set(
        "Content-Disposition", "attachment", filename=f"{case.line.protocol}-oficio-{number}.pdf"
    )
    return response


def _read(session: Any, protocol: str) -> CaseFile:
    staff = member()
    return casework.read_case(session, staff, protocol, today=catalogue.today_in(staff.municipality))


def _wrong_field(error: PortalError | None) -> str:
    """Which field of the form an error is about; empty for one that is about none."""
    match error:
        case UnitMissing() | TextTooLong(limit=casework.UNIT_LIMIT):
            return "forward-other"
        case TextTooLong(limit=casework.COPY_LIMIT):
            return "copy"
        case TextTooLong():
            return "question"
    return ""


def _page(protocol: str, error: PortalError | None = None) -> Response:
    """The form, with what was written in it; what cannot be done from here any more is said on the complaint."""
    _ = current_translator()
    form = request.form
    with unit_of_work() as session:
        case = _read(session, protocol)
        prepared = casework.prepare_forwarding(session, member(), protocol)
    if Action.FORWARD not in case.actions and error is None:
        return redirect(url_for("cases.show_case", protocol=protocol), 303)
    since = Seen.read(form.get("seen", "")) if isinstance(error, CaseChanged) else None
    problem = problem_sentence(error, _) if error else ""
    first = prepared.competent[0].name if prepared.competent else ""
    return render(
        "desk/cases/forward.html",
        fragment="forward",
        status=error.status if error else 200,
        case=case,
        line=case.line,
        problem=problem,
        wrong=_wrong_field(error),
        news=news_of(case, since, _),
        choices=[
            (one, matter_name(Matter(one.matter), _), one.name == form.get("unit", first))
            for one in prepared.choices
        ],
        competent=bool(prepared.competent),
        copy=form.get("copy", prepared.copy),
        question=form.get("question", ""),
        other=form.get("text", ""),
        chosen=form.getlist("files"),
        posted=request.method == "POST",
        seen=form.get("seen") if error and since is None and form.get("seen") else case.seen,
        copy_limit=COPY_LIMIT,
        reason_limit=REASON_LIMIT,
        may=Action.FORWARD in case.actions,
        **words(_),
    )
