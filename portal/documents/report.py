"""The yearly report of an ombudsman on paper."""

from datetime import datetime

from portal.documents.paper import Paper
from portal.i18n import Translator
from portal.services.casework import YearlyReport
from portal.wording.statistics import (
    column_names,
    merged_sentence,
    minimum_sentence,
    part_article,
    part_title,
    report_title,
    report_words,
    summary_sentences,
    tables_said,
)


def report_pdf(report: YearlyReport, *, ombudsman: str, at: datetime, _: Translator) -> bytes:
    """Numbers, motives, what recurs, what was done: art. 15, I to IV, and the improvements of art. 14, II."""
    title = report_title(report.year, _)
    paper = Paper(title=title, language=_.tag, at=at, footer=f"{ombudsman} · {title}")
    paper.paragraph(ombudsman)
    paper.heading(title)
    paper.paragraph("Lei nº 13.460/2017, art. 14, II, e art. 15")
    for sentence in summary_sentences(report.figures, _):
        paper.paragraph(sentence)
    for table in tables_said(report.figures, _):
        paper.heading(table.title, level=2)
        paper.rows(column_names(table.of, _), table.rows, (32, 15, 17, 18, 18))
    paper.paragraph(f"{minimum_sentence(_)} {merged_sentence(_)}")
    for part, text in report_words(report):
        paper.heading(part_title(part, _), level=2)
        paper.paragraph(part_article(part))
        paper.paragraph(text or "–")
    return paper.write_out()
