"""The register at the desk: find a permit, read all that is known of it, record what happened to it."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from flask import Blueprint, current_app, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from portal import clock
from portal.desk.register.forms import (
    RECORDED,
    Filled,
    kept,
    read_act,
    read_permit,
    read_vehicle_change,
)
from portal.desk.sign_in.views import member
from portal.domain.days import asked_day
from portal.domain.errors import (
    ActRefused,
    NotAllowed,
    NothingHere,
    PermitRefused,
    PortalError,
    UnreadableDate,
)
from portal.domain.registers import RowProblem
from portal.domain.texts import capitalize_first
from portal.domain.verdicts import Reason
from portal.i18n import Translator
from portal.importing.typed_permit import UNIT_COLUMNS
from portal.pages.fragments import render
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.regulations.schema import CardLayout
from portal.services.cards import making
from portal.services.register import law as register_law
from portal.services.register import new_permits
from portal.services.register import permits as register
from portal.services.register.permits import Keeper, PermitFile, RegisterPage
from portal.services.unit_of_work import unit_of_work
from portal.wording.problems import problem_sentence
from portal.wording.reasons import citation, reason_sentence
from portal.wording.register import act_days, act_name, act_paper, change_name, change_told, holder_word
from portal.wording.register_import import contradiction_sentence, problem_reason
from portal.wording.verdict_card import list_name, role_name
from portal.wording.verdicts import state_word

LAST_ID = 2_147_483_647
blueprint = Blueprint("register", __name__, url_prefix="/mesa/cadastro")


@blueprint.get("/")
def find() -> Response:
    """Permits by plate or number, or a page of them all; ``?q=``, ``?em=`` and ``?sabido_em=``, ``?antes=41``."""
    keeper, _ = here(), current_translator()
    asked = {name: request.args.get(name, "").strip()[:200] for name in ("q", "em", "sabido_em")}
    before = request.args.get("antes", type=int)
    found: RegisterPage | None = None
    days: dict[str, str] = {}
    problem: PortalError | None = None
    try:
        on, known_at = when(keeper, asked)
        days = {name: _.date(asked_day(asked[name])) for name in ("em", "sabido_em") if asked[name]}
        with unit_of_work() as session:
            found = register.find_in_register(
                session,
                keeper,
                asked["q"],
                on=on,
                known_at=known_at,
                before=min(before, LAST_ID) if before else None,
            )
    except PortalError as error:
        problem = error
    return render(
        "desk/register/list.html",
        fragment="permits",
        status=problem.status if problem else 200,
        found=found,
        asked=asked,
        days=days,
        later=before is not None,
        most=register.MOST_COUNTED,
        dated=bool(asked["em"] or asked["sabido_em"]),
        problem=problem_sentence(problem, _) if problem else "",
        wrong_day=isinstance(problem, UnreadableDate),
        **words(_),
    )


@blueprint.get("/avisos")
def show_alerts() -> Response:
    """What in the register contradicts the law, with the articles."""
    keeper, _ = here(), current_translator()
    after = min(request.args.get("depois", 0, type=int), LAST_ID)
    with unit_of_work() as session:
        page = register_law.list_alerts(
            session, keeper, on=catalogue.today_in(keeper.municipality), after=max(0, after)
        )
    return render("desk/register/alerts.html", fragment="alerts", alerts=page, **words(_))


@blueprint.get("/autorizacoes/nova")
def new_permit() -> Response:
    """The form for one permit, typed by hand."""
    return _new_permit_page({}, ())


@blueprint.post("/autorizacoes/nova")
def create_permit() -> Response:
    """Put one permit into the register; what is refused is said beside each box."""
    keeper, _ = here(), current_translator()
    typed = read_permit(request.form)
    try:
        with unit_of_work(writes=True) as session:
            permit = new_permits.create_permit(session, keeper, typed.whole, typed.units, now=clock.now())
    except PermitRefused as refused:
        return _new_permit_page(kept(request.form), refused.problems, refused.exists)
    flash(_("A autorização entrou no cadastro. A consulta pública já segue."))
    return redirect(url_for("register.show_permit", permit=permit), 303)


def _new_permit_page(
    form: dict[str, str], problems: Sequence[RowProblem], exists: int | None = None
) -> Response:
    keeper, _ = here(), current_translator()
    if not keeper.writes:
        raise NotAllowed
    today = catalogue.today_in(keeper.municipality)
    errors: dict[str, str] = {}
    for problem in problems:
        box = problem.column or "numero"
        if box in UNIT_COLUMNS:
            box = f"{box}-{problem.line}"
        sentence = capitalize_first(problem_reason(problem, _))
        if problem.code == "missing_value":
            sentence = (
                _("Escreva a placa.") if box.startswith("placa") else _("Escreva o número da autorização.")
            )
        errors.setdefault("tipo" if box == "servico" else box, sentence)
    types = [
        (f"{permit.service}/{permit.id}", permit.name.said(_.language))
        for _one, permit in catalogue.permit_types(keeper.municipality, today)
    ]
    return render(
        "desk/register/new.html",
        fragment="new",
        status=422 if problems else 200,
        form=form,
        errors=errors,
        exists=exists,
        types=types,
        year=today.year,
        most=new_permits.MOST_VEHICLES,
        shown=max([1, *(n for n in range(1, new_permits.MOST_VEHICLES + 1) if form.get(f"placa-{n}"))]),
        **words(_),
    )


@blueprint.get("/autorizacoes/<int(max=2147483647):permit>")
def show_permit(permit: int) -> Response:
    return permit_page(permit, Filled())


@blueprint.post("/autorizacoes/<int(max=2147483647):permit>/registros")
def record(permit: int) -> Response:
    """Record an act; what is refused comes back with the form filled."""
    try:
        event = read_act(request.form)
        with unit_of_work(writes=True) as session:
            register.record_act(session, here(), permit, event, now=clock.now())
    except PortalError as error:
        return _refused(permit, "act", error)
    _ = current_translator()
    flash(_("Registrado: %(act)s. A consulta pública já segue.") % {"act": act_name(event.kind, _)})
    return redirect(url_for("register.show_permit", permit=permit), 303)


@blueprint.post("/autorizacoes/<int(max=2147483647):permit>/veiculos")
def change_vehicle(permit: int) -> Response:
    try:
        change = read_vehicle_change(request.form)
        with unit_of_work(writes=True) as session:
            register.change_vehicle(
                session,
                here(),
                permit,
                on=change.on,
                leaves=change.leaves,
                joins=change.joins,
                now=clock.now(),
                act_number=change.act_number,
                act_date=change.act_date,
            )
    except PortalError as error:
        return _refused(permit, "vehicle", error)
    _ = current_translator()
    flash(_("Os veículos mudaram. A consulta pública já segue."))
    return redirect(url_for("register.show_permit", permit=permit), 303)


@blueprint.post("/autorizacoes/<int(max=2147483647):permit>/registros/<int(max=2147483647):act>/retirada")
def strike(permit: int, act: int) -> Response:
    """Take back what was recorded by mistake."""
    try:
        with unit_of_work(writes=True) as session:
            reason = request.form.get("reason", "")
            register.strike_act(session, here(), permit, act, reason, now=clock.now())
    except PortalError as error:
        return _refused(permit, f"strike:{act}", error)
    _ = current_translator()
    flash(_("O registro foi retirado. A consulta pública já segue."))
    return redirect(url_for("register.show_permit", permit=permit), 303)


def here() -> Keeper:
    """The staff member of this request as keeper of the register; raises ``NotAllowed`` for others."""
    return register.keeper_of(member())


def when(keeper: Keeper, asked: dict[str, str]) -> tuple[date, datetime | None]:
    """The day and the moment of knowledge that an address asks for.

    Raises:
        UnreadableDate: one of them is no date.
    """
    on = catalogue.today_in(keeper.municipality)
    known_at = None
    if text := asked.get("em"):
        on = asked_day(text)
    if text := asked.get("sabido_em"):
        known_at = register.end_of_day(keeper.municipality, asked_day(text))
    return on, known_at


def _refused(permit: int, form: str, error: PortalError) -> Response:
    if error.status in (403, 404):
        raise error
    _ = current_translator()
    at = error.field if isinstance(error, ActRefused) else "reason"
    filled = Filled(form, kept(request.form), problem_sentence(error, _), at, error.status)
    return permit_page(permit, filled)


def permit_page(permit: int, filled: Filled) -> Response:
    keeper, _ = here(), current_translator()
    asked = {name: request.args.get(name, "").strip()[:40] for name in ("em", "sabido_em")}
    problem = ""
    try:
        on, known_at = when(keeper, asked)
    except UnreadableDate as error:
        problem = problem_sentence(error, _)
        on, known_at = catalogue.today_in(keeper.municipality), None
    with unit_of_work() as session:
        try:
            file = register.read_permit(session, keeper, permit, on=on, known_at=known_at)
        except NothingHere:
            if known_at is None:
                raise
            file = register.read_permit(session, keeper, permit, on=on)
            told = {
                "date": _.date(known_at.astimezone(catalogue.municipality(keeper.municipality).zone).date())
            }
            problem = _("No fim de %(date)s o cadastro ainda não conhecia esta autorização.") % told
        cards = making.list_cards(session, keeper, permit) if not known_at else ()
        shared = () if known_at else register.sharing_plates(session, keeper, file.permit, on=on)
    dated = bool(asked["em"] or asked["sabido_em"]) and not problem
    return render(
        "desk/register/permit.html",
        fragment="permit",
        status=422 if problem else filled.status,
        file=file,
        shared=shared,
        permit=file.permit,
        standing=file.standing,
        filled=filled,
        asked=asked,
        day_problem=problem,
        dated=dated,
        may_write=keeper.writes and not dated,
        kinds=[(kind.value, act_name(kind, _)) for kind in RECORDED],
        against_law=_against_law(file, _) if not dated else [],
        today=catalogue.today_in(keeper.municipality),
        public_address=_public_address(file),
        cards=cards,
        layouts=_layouts(file, _) if keeper.writes and not dated else [],
        reason_limit=register.REASON_LIMIT,
        **words(_),
    )


def _layouts(file: PermitFile, _: Translator) -> list[tuple[CardLayout, str]]:
    """The cards that may be made of a permit, each with where the text wants it."""
    found = catalogue.card_layouts(file.permit.municipality, file.permit.permit_type, file.on)
    told = []
    for law, layout in found:
        rows = (row for row in law.requirements if row.what == layout.display and row.in_force(file.on))
        where = next((row.where.said(_.language) for row in rows if row.where), "")
        told.append((layout, where))
    return told


def _against_law(file: PermitFile, _: Translator) -> list[tuple[str, str]]:
    facts = register_law.facts_of(file.permit, file.on)
    reasons = register_law.contradictions(file.permit.municipality, facts, file.on)
    return [(contradiction_sentence(reason, _), citation(reason, _)) for reason in reasons]


def _public_address(file: PermitFile) -> str:
    """Where a passenger reads the same."""
    root = current_app.config["SETTINGS"].public_url.rstrip("/")
    plate = file.units_now[0].plate if file.units_now else file.permit.number
    return f"{root}/{file.permit.municipality}/verificar?q={plate}"


def words(_: Translator) -> dict[str, Any]:
    """What templates need to say a permit."""
    zone = catalogue.municipality(member().municipality).zone

    def act_title(event: Any) -> str:
        return act_name(event.kind, _)

    def reason_told(reason: Reason) -> str:
        return reason_sentence(reason, _)

    return {
        "list_of": lambda source: list_name(source, _),
        "state_of": lambda status: state_word(status, _),
        "role_of": lambda role: role_name(role, _),
        "holder_of": lambda kind: holder_word(kind, _),
        "act_title": act_title,
        "act_when": lambda event: act_days(event, _),
        "act_paper": lambda event: act_paper(event, _),
        "change_told": lambda entry: change_told(entry, _),
        "change_title": lambda entry: change_name(entry, _),
        "reason_told": reason_told,
        "contradiction_of": lambda reason: contradiction_sentence(reason, _),
        "cited": lambda reason: citation(reason, _),
        "local_time": lambda moment: moment.astimezone(zone),
        "type_name": lambda permit: _type_name(permit.municipality, permit.permit_type, _),
    }


def _type_name(municipality: str, permit_type: str, _: Translator) -> str:
    """What the instrument calls a type of permit, in the language of the page."""
    for one, permit in catalogue.permit_types(municipality, catalogue.today_in(municipality)):
        if permit.id == permit_type:
            assert one.id
            return permit.name.said(_.language)
    return permit_type
