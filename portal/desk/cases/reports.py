"""Statistics, the complaints of a year in a spreadsheet, and the yearly report: read, written, published."""

from datetime import date

from flask import Blueprint, flash, make_response, redirect, request, url_for
from werkzeug.wrappers import Response

from portal import clock
from portal.desk.cases.presenting import FACTS, facts_by_name, local
from portal.desk.sign_in.views import member
from portal.domain.errors import NotAllowed, PortalError
from portal.domain.spreadsheets import spreadsheet
from portal.pages.fragments import render
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.services import casework
from portal.services.casework import PARTS, WORDS_LIMIT, YearlyReport
from portal.services.unit_of_work import unit_of_work
from portal.wording.complaints import kind_word
from portal.wording.desk import channel_word, desk_status_word
from portal.wording.problems import problem_sentence
from portal.wording.statistics import (
    column_names,
    merged_sentence,
    minimum_sentence,
    part_article,
    part_title,
    report_title,
    spreadsheet_head,
    spreadsheet_rows,
    summary_sentences,
    tables_said,
)

blueprint = Blueprint("reports", __name__, url_prefix="/mesa")

FIRST_YEAR = 2019
"""Since when every municipality's ombudsman is bound by Lei 13.460/2017."""


@blueprint.get("/estatisticas")
def show_statistics() -> Response:
    """The figures of a year, ``?ano=2026``; the desk sees every group, however small."""
    staff, _ = member(), current_translator()
    today = catalogue.today_in(staff.municipality)
    year = _year(today)
    with unit_of_work() as session:
        told = casework.statistics_of(
            session, staff, first=date(year, 1, 1), last=date(year, 12, 31), today=today
        )
    return render(
        "desk/cases/statistics.html",
        fragment="statistics",
        year=year,
        years=range(today.year, FIRST_YEAR - 1, -1),
        summary=summary_sentences(told, _),
        tables=tables_said(told, _),
        columns=lambda of: column_names(of, _),
        minimum=minimum_sentence(_),
        may_export=staff.may_answer,
    )


@blueprint.get("/estatisticas.csv")
def statistics_file() -> Response:
    staff, _ = member(), current_translator()
    today = catalogue.today_in(staff.municipality)
    year = _year(today)
    with unit_of_work() as session:
        told = casework.statistics_of(
            session, staff, first=date(year, 1, 1), last=date(year, 12, 31), today=today
        )
    return _csv(spreadsheet(spreadsheet_head(_), spreadsheet_rows(told, _)), f"estatisticas-{year}")


@blueprint.get("/manifestacoes.csv")
def cases_file() -> Response:
    """The complaints of a year as the desk reads them, for the ombudsman alone; no identity is in it."""
    staff, _ = member(), current_translator()
    if not staff.may_answer:
        raise NotAllowed
    year = _year(catalogue.today_in(staff.municipality))
    with unit_of_work() as session:
        cases = casework.cases_of_year(session, staff, year)
    head = (
        _("Protocolo"), _("Tipo"), _("Por onde chegou"), _("Situação"), _("Registrada em"), _("Vence em"),
        _("Assunto"), _("Veículo"), _("Onde"), _("Quando"), _("Relato"),
    )  # fmt: skip
    rows = []
    for case in cases:
        facts = facts_by_name(case, _)
        rows.append(
            (
                case.line.protocol,
                kind_word(case.line.kind, _),
                channel_word(case.channel, _),
                desk_status_word(case.line.status, _),
                _.date(local(case.line.filed_at, staff.municipality).date()),
                _.date(case.line.due_on),
                *(facts.get(fact, "") for fact in FACTS),
                case.story or "",
            )
        )
    return _csv(spreadsheet(head, rows), f"manifestacoes-{year}")


@blueprint.get("/relatorio/<int:year>")
def show_report(year: int) -> Response:
    return _report_page(year)


@blueprint.post("/relatorio/<int:year>")
def write_report(year: int) -> Response:
    """Keep the words; with the other button, publish them and the figures for good."""
    _, staff, now = current_translator(), member(), clock.now()
    words = {part: request.form.get(part, "") for part in PARTS}
    try:
        with unit_of_work(writes=True) as session:
            casework.write_report(session, staff, year, words, now=now)
            if "publish" in request.form:
                casework.publish_report(session, staff, year, now=now)
    except PortalError as error:
        if error.status == 404:
            raise
        return _report_page(year, words, error)
    flash(_("O relatório foi publicado.") if "publish" in request.form else _("O texto foi guardado."))
    return redirect(url_for("reports.show_report", year=year), 303)


@blueprint.get("/relatorio/<int:year>.csv")
def report_csv(year: int) -> Response:
    _ = current_translator()
    told = _read(year).figures
    return _csv(spreadsheet(spreadsheet_head(_), spreadsheet_rows(told, _)), f"relatorio-{year}")


@blueprint.get("/relatorio/<int:year>.pdf")
def report_file(year: int) -> Response:
    _, staff = current_translator(), member()
    town = catalogue.municipality(staff.municipality)
    name = f"{town.ombudsman.name} · {town.name} – {town.state}"
    at = local(clock.now(), staff.municipality)
    from portal.documents.report import report_pdf  # large, and rarely asked for

    response = make_response(report_pdf(_read(year), ombudsman=name, at=at, _=_))
    response.mimetype = "application/pdf"
    response.headers.set("Content-Disposition", "attachment", filename=f"relatorio-{year}.pdf")
    return response


def _read(year: int) -> YearlyReport:
    staff = member()
    with unit_of_work() as session:
        return casework.read_report(session, staff, year, today=catalogue.today_in(staff.municipality))


def _report_page(
    year: int, words: dict[str, str] | None = None, error: PortalError | None = None
) -> Response:
    _, staff = current_translator(), member()
    report = _read(year)
    town = catalogue.municipality(staff.municipality)
    return render(
        "desk/cases/report.html",
        fragment="report",
        status=error.status if error else 200,
        problem=problem_sentence(error, _) if error else "",
        title=report_title(year, _),
        report=report,
        year=year,
        over=year < catalogue.today_in(staff.municipality).year,
        may_write=staff.may_answer and report.published_at is None,
        published_on=town.civil_day(report.published_at) if report.published_at else None,
        parts=[
            (part, part_title(part, _), part_article(part), (words or {}).get(part, getattr(report, part)))
            for part in PARTS
        ],
        words_limit=WORDS_LIMIT,
        summary=summary_sentences(report.figures, _),
        tables=tables_said(report.figures, _),
        columns=lambda of: column_names(of, _),
        minimum=minimum_sentence(_),
        merged=merged_sentence(_),
    )


def _year(today: date) -> int:
    year = request.args.get("ano", today.year, type=int)
    return year if FIRST_YEAR <= year <= today.year else today.year


def _csv(content: bytes, name: str) -> Response:
    response = make_response(content)
    response.headers["Content-Type"] = "text/csv; charset=utf-8"
    response.headers.set("Content-Disposition", "attachment", filename=f"{name}.csv")
    return response
