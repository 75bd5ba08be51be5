"""The yearly reports that an ombudsman published, for everybody: page, spreadsheet and PDF."""

from flask import Blueprint, Response, make_response, render_template

from portal.domain.spreadsheets import spreadsheet
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.services import casework
from portal.services.casework import YearlyReport
from portal.services.unit_of_work import unit_of_work
from portal.wording.statistics import (
    column_names,
    merged_sentence,
    minimum_sentence,
    part_article,
    part_title,
    published_sentence,
    report_title,
    report_words,
    spreadsheet_head,
    spreadsheet_rows,
    summary_sentences,
    tables_said,
)

blueprint = Blueprint("yearly", __name__)


@blueprint.get("/<slug:municipality>/ouvidoria/relatorios")
def list_reports(municipality: str) -> str:
    _ = current_translator()
    with unit_of_work() as session:
        years = casework.public_years(session, municipality)
    return render_template(
        "reports/list.html",
        here=catalogue.municipality(municipality),
        years=years,
        title_of=lambda year: report_title(year, _),
    )


@blueprint.get("/<slug:municipality>/ouvidoria/relatorios/<int:year>")
def report(municipality: str, year: int) -> str:
    _ = current_translator()
    found = _read(municipality, year)
    here = catalogue.municipality(municipality)
    assert found.published_at
    return render_template(
        "reports/report.html",
        here=here,
        report=found,
        title=report_title(year, _),
        published=published_sentence(here.civil_day(found.published_at), _),
        summary=summary_sentences(found.figures, _),
        tables=tables_said(found.figures, _),
        columns=lambda of: column_names(of, _),
        minimum=minimum_sentence(_),
        merged=merged_sentence(_),
        parts=[(part_title(part, _), part_article(part), text) for part, text in report_words(found)],
    )


@blueprint.get("/<slug:municipality>/ouvidoria/relatorios/<int:year>.csv")
def report_csv(municipality: str, year: int) -> Response:
    _ = current_translator()
    found = _read(municipality, year)
    response = make_response(spreadsheet(spreadsheet_head(_), spreadsheet_rows(found.figures, _)))
    response.headers["Content-Type"] = "text/csv; charset=utf-8"
    response.headers.set("Content-Disposition", "attachment", filename=f"ouvidoria-{municipality}-{year}.csv")
    return response


@blueprint.get("/<slug:municipality>/ouvidoria/relatorios/<int:year>.pdf")
def report_file(municipality: str, year: int) -> Response:
    from portal.documents.report import report_pdf  # the writer of PDFs is large, and rarely asked for here

    _ = current_translator()
    found = _read(municipality, year)
    here = catalogue.municipality(municipality)
    assert found.published_at
    name = f"{here.ombudsman.name} · {here.name} – {here.state}"
    at = found.published_at.astimezone(here.zone)
    response = make_response(report_pdf(found, ombudsman=name, at=at, _=_))
    response.mimetype = "application/pdf"
    response.headers.set("Content-Disposition", "attachment", filename=f"ouvidoria-{municipality}-{year}.pdf")
    return response


def _read(municipality: str, year: int) -> YearlyReport:
    with unit_of_work() as session:
        return casework.public_report(session, municipality, year)
