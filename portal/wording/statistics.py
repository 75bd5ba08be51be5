"""Figures of an ombudsman in words and in cells: for the page, the PDF and the spreadsheet alike."""

from dataclasses import dataclass
from datetime import date

from portal.domain.complaints import Rating
from portal.domain.permits import Service
from portal.domain.spreadsheets import decimal
from portal.domain.tallies import MERGED, MINIMUM, Figures
from portal.i18n import Translator
from portal.services.casework import Statistics, YearlyReport
from portal.wording.answers import OUTCOMES, outcome_label
from portal.wording.categories import category_label
from portal.wording.complaints import kind_word, rating_word
from portal.wording.desk import channel_word
from portal.wording.services import service_name


@dataclass(frozen=True, slots=True)
class TableSaid:
    of: str
    title: str
    rows: tuple[tuple[str, ...], ...]
    """Name, received, answered, median, share: as ``column_names`` calls them."""


def column_names(of: str, _: Translator) -> tuple[str, ...]:
    first = _("Órgão") if of == "unit" else _("Grupo")
    received = _("Consultas") if of == "unit" else _("Recebidas")
    return (first, received, _("Respondidas"), _("Mediana de dias"), _("No prazo"))


def tables_said(told: Statistics, _: Translator) -> tuple[TableSaid, ...]:
    """Every table with something in it."""
    return tuple(
        TableSaid(
            table.of,
            table_title(table.of, _),
            tuple((group_name(table.of, one.key, _), *figure_words(one.figures, _)) for one in table.groups),
        )
        for table in told.tables
        if table.groups
    )


def figure_words(told: Figures, _: Translator) -> tuple[str, str, str, str]:
    """Received, answered, median, share; "not enough data" rather than a figure of a handful."""
    return (
        _.number(told.received),
        _.number(told.answered),
        _("Dados insuficientes") if told.median_days is None else _.number(told.median_days),
        share_words(told.in_time, _),
    )


def share_words(share: float | None, _: Translator) -> str:
    return _("Dados insuficientes") if share is None else f"{_.number(round(share * 100))}%"


def minimum_sentence(_: Translator) -> str:
    """Why a figure is missing, or a group not told by itself."""
    return _(
        "Mediana e parte no prazo só aparecem a partir de %(minimum)s casos. "
        "A parte no prazo conta as respondidas e as que já venceram."
    ) % {"minimum": MINIMUM}


def merged_sentence(_: Translator) -> str:
    return _("Grupos com menos de %(minimum)s manifestações aparecem somados.") % {"minimum": MINIMUM}


def table_title(of: str, _: Translator) -> str:
    match of:
        case "category":
            return _("Motivos")
        case "kind":
            return _("Tipos")
        case "outcome":
            return _("O que resultou")
        case "rating":
            return _("O que acharam da resposta")
        case "service":
            return _("Serviços")
        case "place":
            return _("Pontos mais citados")
        case "channel":
            return _("Por onde chegaram")
        case "month":
            return _("Meses")
    return _("Órgãos consultados")


def group_name(of: str, key: str, _: Translator) -> str:
    if key == MERGED:
        return _("Outros, somados")
    match of:
        case "category":
            return category_label(key, _)
        case "kind":
            return kind_word(key, _)
        case "rating":
            return rating_word(Rating(key), _)
        case "service":
            return service_name(Service(key), _)
        case "channel":
            return channel_word(key, _)
        case "month":
            return f"{key[5:]}/{key[:4]}"
        case "outcome":
            return outcome_name(key, _)
    return key


def outcome_name(outcome: str, _: Translator) -> str:
    """What came of complaints: as the answers were marked, or how they ended otherwise."""
    if outcome in OUTCOMES:
        return outcome_label(outcome, _)
    match outcome:
        case "dismissed":
            return _("Arquivada com fundamento legal")
        case "withdrawn":
            return _("Retirada pela pessoa")
        case "open":
            return _("Ainda sem resposta")
    return _("Respondida, sem resultado marcado")


def summary_sentences(told: Statistics, _: Translator) -> tuple[str, ...]:
    """The whole in a few sentences."""
    total = told.total
    said = [
        _.ngettext(
            "%(num)s manifestação recebida de %(first)s a %(last)s.",
            "%(num)s manifestações recebidas de %(first)s a %(last)s.",
            total.received,
        )
        % {"num": _.number(total.received), "first": _.date(told.first), "last": _.date(told.last)},
        _(
            "Respondidas ou arquivadas: %(answered)s. Prazo prorrogado: %(extended)s. "
            "Vencidas sem resposta: %(overdue)s."
        )
        % {
            "answered": _.number(total.answered),
            "extended": _.number(told.extended),
            "overdue": _.number(told.overdue),
        },
    ]
    median = _("Dados insuficientes") if total.median_days is None else _.number(total.median_days)
    said.append(
        _("Mediana de dias até a resposta: %(median)s. No prazo da lei: %(share)s.")
        % {"median": median, "share": share_words(total.in_time, _)}
    )
    return tuple(said)


def part_title(part: str, _: Translator) -> str:
    """The parts that the ombudsman writes, by the provision that asks for them."""
    match part:
        case "recurring":
            return _("Análise dos pontos recorrentes")
        case "measures":
            return _("Providências adotadas")
    return _("Falhas apontadas e melhorias sugeridas")


def part_article(part: str) -> str:
    return {
        "recurring": "Lei 13.460/2017, art. 15, III",
        "measures": "Lei 13.460/2017, art. 15, IV",
    }.get(part, "Lei 13.460/2017, art. 14, II")


def report_title(year: int, _: Translator) -> str:
    return _("Relatório de gestão da ouvidoria, %(year)s") % {"year": year}


def spreadsheet_head(_: Translator) -> tuple[str, ...]:
    return (_("Tabela"), *column_names("category", _))


def spreadsheet_rows(told: Statistics, _: Translator) -> list[tuple[str | int, ...]]:
    """One row a group, the total first; a figure of too few stays empty."""
    rows: list[tuple[str | int, ...]] = [(_("Total"), _("Total"), *_cells(told.total))]
    for table in told.tables:
        title = table_title(table.of, _)
        rows += [(title, group_name(table.of, one.key, _), *_cells(one.figures)) for one in table.groups]
    return rows


def _cells(told: Figures) -> tuple[str | int, ...]:
    share = None if told.in_time is None else told.in_time * 100
    percent = decimal(share)
    return (told.received, told.answered, decimal(told.median_days), f"{percent}%" if percent else "")


def report_words(report: YearlyReport) -> tuple[tuple[str, str], ...]:
    """The parts that were written, in their order."""
    return (
        ("recurring", report.recurring),
        ("measures", report.measures),
        ("improvements", report.improvements),
    )


def published_sentence(published_on: date, _: Translator) -> str:
    return _("Publicado em %(date)s.") % {"date": _.date(published_on)}
