"""Files of the register at the desk: upload, read what was refused, publish, undo. Nothing is kept of a file."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.datastructures import FileStorage
from werkzeug.wrappers import Response

from portal import clock
from portal.desk.register.views import here, words
from portal.domain.days import read_day
from portal.domain.errors import NotAllowed, PortalError
from portal.domain.permits import Service
from portal.domain.registers import RowProblem
from portal.domain.texts import clean_line
from portal.domain.verdicts import Reason
from portal.i18n import Translator
from portal.pages.fragments import render
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.services.register import publications, undoing
from portal.services.register.permit_import import stage_register
from portal.services.register.staging import OWN_REGISTER, PLATFORM, REGISTER, ImportOrder
from portal.services.unit_of_work import unit_of_work
from portal.wording.problems import problem_sentence
from portal.wording.reasons import citation
from portal.wording.register import publication_word
from portal.wording.register_import import missing_sentence, problem_reason
from portal.wording.services import service_name

blueprint = Blueprint("publishing", __name__, url_prefix="/mesa/cadastro/arquivos")

LONGEST_SOURCE = 80


@blueprint.get("/")
def show_list() -> Response:
    return _list_page()


@blueprint.post("/")
def upload() -> Response:
    """Read a file and show what it would change; the register itself stays as it is."""
    keeper, _ = here(), current_translator()
    if not keeper.writes:
        raise NotAllowed
    form = {name: request.form.get(name, "").strip()[:200] for name in ("service", "kind", "source", "as_of")}
    file = request.files.get("file")
    services = {service.value for service in catalogue.municipality(keeper.municipality).services}
    today = catalogue.today_in(keeper.municipality)
    as_of = read_day(form["as_of"]) if form["as_of"] else today
    source = clean_line(form["source"])
    platform = form["kind"] == PLATFORM
    problems = []
    if file is None or not file.filename:
        problems.append(("file", _("Escolha o arquivo.")))
    if as_of is None or as_of.year < 1950:
        problems.append(
            ("as_of", _("“%(text)s” não é uma data. Escreva como 30/11/2026.") % {"text": form["as_of"]})
        )
    elif as_of > today:
        problems.append(("as_of", _("A lista não pode ser de um dia que ainda não chegou.")))
    if platform and not source:
        problems.append(("source", _("Escreva o nome da plataforma.")))
    if len(source) > LONGEST_SOURCE:
        problems.append(("source", _("O nome cabe em %(limit)s caracteres.") % {"limit": LONGEST_SOURCE}))
    if problems or file is None or as_of is None:
        return _list_page(form, problems, 422)
    order = ImportOrder(
        municipality=keeper.municipality,
        as_of=as_of,
        service=Service(form["service"]) if form["service"] in services else None,
        kind=PLATFORM if platform else REGISTER,
        source=source if platform else OWN_REGISTER,
        run_by=keeper.actor,
    )
    # The file is on this disk while it is read, and no longer.
    with TemporaryDirectory() as folder:
        acts = request.files.get("events")
        run_id = stage_register(
            _saved(file, Path(folder)),
            order,
            now=clock.now(),
            events=_saved(acts, Path(folder) / "atos") if acts and acts.filename else None,
        )
    return redirect(url_for("publishing.show", run=run_id), 303)


@blueprint.get("/<int(max=2147483647):run>")
def show(run: int) -> Response:
    return _report_page(run)


@blueprint.post("/<int(max=2147483647):run>/publicacao")
def publish(run: int) -> Response:
    try:
        told = publications.publish(
            here(),
            run,
            now=clock.now(),
            skip_bad_rows="skip" in request.form,
            retire_missing="retire" in request.form,
        )
    except PortalError as error:
        return _refused(run, error)
    _ = current_translator()
    flash(
        _(
            "Publicado. Autorizações novas: %(added)s, mudadas: %(changed)s, iguais: %(unchanged)s, "
            "encerradas: %(retired)s."
        )
        % {
            "added": _.number(told.added),
            "changed": _.number(told.changed),
            "unchanged": _.number(told.unchanged),
            "retired": _.number(told.retired),
        }
    )
    return redirect(url_for("publishing.show", run=run), 303)


@blueprint.post("/<int(max=2147483647):run>/descarte")
def discard(run: int) -> Response:
    try:
        publications.discard(here(), run, now=clock.now())
    except PortalError as error:
        return _refused(run, error)
    _ = current_translator()
    flash(_("O arquivo foi jogado fora: nada mudou no cadastro."))
    return redirect(url_for("publishing.show_list"), 303)


@blueprint.post("/<int(max=2147483647):run>/desfazer")
def undo(run: int) -> Response:
    try:
        undoing.undo(here(), run, now=clock.now())
    except PortalError as error:
        return _refused(run, error)
    _ = current_translator()
    flash(_("A publicação foi desfeita: o cadastro voltou ao que era antes dela."))
    return redirect(url_for("publishing.show", run=run), 303)


def _saved(file: FileStorage, folder: Path) -> Path:
    """The upload on disk, under a name that says only its kind."""
    folder.mkdir(exist_ok=True)
    named = file.filename or ""
    match = re.search(r"\.([A-Za-z0-9]{1,5})$", named)
    path = folder / (Path(named).name[-80:] if match and _plain(named) else "arquivo.csv")
    file.save(path)
    return path


def _plain(name: str) -> bool:
    return re.fullmatch(r"[\w .()-]+", name) is not None and not name.startswith(".")


def _refused(run: int, error: PortalError) -> Response:
    if error.status in (403, 404):
        raise error
    return _report_page(run, problem_sentence(error, current_translator()), error.status)


def _list_page(
    form: dict[str, str] | None = None, problems: list[tuple[str, str]] | None = None, status: int = 200
) -> Response:
    keeper, _ = here(), current_translator()
    with unit_of_work() as session:
        told = publications.list_publications(session, keeper)
    town = catalogue.municipality(keeper.municipality)
    return render(
        "desk/register/files.html",
        fragment="upload",
        status=status,
        publications=told,
        services=[(one.value, service_name(one, _)) for one in town.services],
        form=form or {},
        problems=problems or [],
        errors=dict(problems or []),
        may_write=keeper.writes,
        today=catalogue.today_in(keeper.municipality),
        **_words(_),
    )


def _report_page(run: int, problem: str = "", status: int = 200) -> Response:
    keeper, _ = here(), current_translator()
    with unit_of_work() as session:
        told = publications.read_publication(session, keeper, run)
        would = undoing.what_undoing_would_do(session, keeper, run) if told.last else None
    return render(
        "desk/register/report.html",
        fragment="report",
        status=status,
        told=told,
        undoing=would,
        problem=problem,
        may_write=keeper.writes,
        **_words(_),
    )


def _words(_: Translator) -> dict[str, Any]:
    def cited(problem: RowProblem) -> str:
        if problem.article is None and problem.instrument is None:
            return ""
        return citation(Reason(problem.code, problem.article, problem.instrument), _)

    return {
        **words(_),
        "publication_state": lambda told: publication_word(told, _),
        "row_reason": lambda problem: problem_reason(problem, _),
        "cited": cited,
        "missing_told": lambda count: missing_sentence(count, _),
        "tag_of": lambda told: {"staged": "warning", "merged": "ok", "refused": "error"}.get(told.state, ""),
    }
