"""Stops, itineraries and departures at the desk: create, change, end from a day, and who did what."""

from typing import Any

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from portal import clock
from portal.desk.sign_in.views import member
from portal.domain.errors import EntryRefused, ImportOvertaken, ListKeptElsewhere, PortalError, UnreadableDate
from portal.domain.itineraries import Sheet
from portal.i18n import Translator
from portal.importing.tables import COLUMNS, FILES
from portal.pages.fragments import render
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.services.itineraries import keeping as desk
from portal.services.register.permits import Keeper, keeper_of
from portal.services.unit_of_work import unit_of_work
from portal.wording import itinerary_desk as wording
from portal.wording.imports import problem_reason, source_problem_sentence
from portal.wording.problems import problem_sentence

blueprint = Blueprint("timetables", __name__, url_prefix="/mesa/itinerarios")

ADDRESSES = {"itinerarios": Sheet.ITINERARIES, "pontos": Sheet.STOPS, "partidas": Sheet.DEPARTURES}
_TABLE = "<any(itinerarios, pontos, partidas):table>"
_ROW = f"/{_TABLE}/<int(max=2147483647):entry>"


@blueprint.get("/", defaults={"table": "itinerarios"})
@blueprint.get(f"/{_TABLE}")
def show_table(table: str) -> Response:
    """One of the three tables, ended rows last."""
    keeper = here()
    today = catalogue.today_in(keeper.municipality)
    with unit_of_work() as session:
        lists = desk.show_lists(session, keeper, on=today)
    rows = sorted(lists.of(ADDRESSES[table]), key=lambda row: row.ends is not None and row.ends < today)
    return render(
        "desk/timetables/list.html",
        fragment="rows",
        lists=lists,
        rows=rows,
        today=today,
        **_words(table, keeper),
    )


@blueprint.get(f"/{_TABLE}/nova")
def new_row(table: str) -> Response:
    given = {name: request.args.get(name, "")[:200] for name in COLUMNS[ADDRESSES[table]]}
    return _form(table, None, given)


@blueprint.post(f"/{_TABLE}/nova")
def create(table: str) -> Response:
    return _save(table, None)


@blueprint.get(_ROW)
def show_row(table: str, entry: int) -> Response:
    return _form(table, entry)


@blueprint.post(_ROW)
def change(table: str, entry: int) -> Response:
    return _save(table, entry)


@blueprint.post(f"{_ROW}/fim")
def end(table: str, entry: int) -> Response:
    """Let a row run until a day."""
    text = request.form.get("ultimo_dia", "").strip()[:40]
    try:
        desk.end_entry(here(), ADDRESSES[table], entry, text, made_by=member().name, now=clock.now())
    except (EntryRefused, ImportOvertaken, ListKeptElsewhere, UnreadableDate) as error:
        return _form(table, entry, ending=text, problem=error)
    _ = current_translator()
    flash(_("Gravado. A página pública já segue."))
    return redirect(url_for("timetables.show_row", table=table, entry=entry), 303)


def here() -> Keeper:
    """The staff member of this request as keeper; raises ``NotAllowed`` for others."""
    return keeper_of(member())


def _save(table: str, entry: int | None) -> Response:
    sheet = ADDRESSES[table]
    cells = {name: request.form.get(name, "") for name in COLUMNS[sheet]}
    _ = current_translator()
    try:
        row, flagged = desk.save_entry(
            here(), sheet, cells, entry=entry, made_by=member().name, now=clock.now()
        )
    except (EntryRefused, ImportOvertaken, ListKeptElsewhere) as error:
        return _form(table, entry, cells, problem=error)
    flash(_("Gravado. A página pública já segue."))
    for problem in flagged:
        flash(problem_reason(problem, _))
    return redirect(url_for("timetables.show_row", table=table, entry=row), 303)


def _form(
    table: str,
    entry: int | None,
    cells: dict[str, str] | None = None,
    *,
    ending: str = "",
    problem: PortalError | None = None,
) -> Response:
    """The form of a row, refilled with what was typed when it was refused."""
    keeper, _, sheet = here(), current_translator(), ADDRESSES[table]
    today = catalogue.today_in(keeper.municipality)
    with unit_of_work() as session:
        lists = desk.show_lists(session, keeper, on=today)
        file = desk.show_entry(session, keeper, sheet, entry, on=today) if entry is not None else None
    errors, others = _told(problem, sheet, _)
    return render(
        "desk/timetables/row.html",
        fragment="row",
        status=problem.status if problem else 200,
        lists=lists,
        file=file,
        cells=cells if cells is not None else file.entry.cells if file else {},
        columns=COLUMNS[sheet],
        errors=errors,
        others=others,
        ending=ending or today.isoformat(),
        today=today,
        **_words(table, keeper),
    )


def _told(problem: PortalError | None, sheet: Sheet, _: Translator) -> tuple[dict[str, str], list[str]]:
    """What is wrong, by the box at fault, and what stands in other rows."""
    errors: dict[str, str] = {}
    if problem is None:
        return errors, []
    if isinstance(problem, UnreadableDate):
        return {"ultimo_dia": problem_sentence(problem, _)}, []
    if not isinstance(problem, EntryRefused):
        return errors, [problem_sentence(problem, _)]
    others = []
    for each in problem.problems:
        mine = each.file == FILES[sheet] and each.line == problem.entry
        if mine and each.field in COLUMNS[sheet]:
            errors.setdefault(each.field, problem_reason(each, _))
        else:
            others.append(source_problem_sentence(each, _))
    return errors, others


def _words(table: str, keeper: Keeper) -> dict[str, Any]:
    return {
        "table": table,
        "sheet": ADDRESSES[table],
        "tables": ADDRESSES,
        "say": wording,
        "may_write": keeper.writes,
        "town": catalogue.municipality(keeper.municipality),
    }
