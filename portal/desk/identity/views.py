"""Telling an identity to somebody outside the ombudsman: with the person's consent, or by order of a court."""

from flask import Blueprint, current_app, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from portal import clock
from portal.desk.sign_in.views import member
from portal.domain.complaints import Identity
from portal.domain.errors import OrderNumberMissing, PortalError, ReasonMissing, RecipientMissing
from portal.pages.fragments import render
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.sealing.boxes import UnreadableBox
from portal.sealing.opening import open_sealed
from portal.services import casework
from portal.services.complaints import disclosures
from portal.services.complaints.disclosures import NAME_LIMIT, ORDER_LIMIT
from portal.services.unit_of_work import unit_of_work
from portal.wording.disclosures import state_phrase
from portal.wording.problems import problem_sentence

blueprint = Blueprint("identity", __name__, url_prefix="/mesa/manifestacoes/<protocol>/passar-identidade")

FIELDS = {RecipientMissing: "recipient", ReasonMissing: "purpose", OrderNumberMissing: "order"}


@blueprint.get("/")
def show(protocol: str) -> Response:
    return _page(protocol)


@blueprint.post("/consentimento")
def ask(protocol: str) -> Response:
    """Ask the person; they answer in the tracking page or the bot."""
    try:
        with unit_of_work(writes=True) as session:
            disclosures.ask_consent(
                session, member(), protocol, _typed("recipient"), _typed("purpose"), now=clock.now()
            )
    except PortalError as error:
        return _refused(protocol, error, "ask")
    _ = current_translator()
    flash(_("O pedido foi enviado: a pessoa responde quando abrir a manifestação."))
    return redirect(url_for("identity.show", protocol=protocol), 303)


@blueprint.post("/<int(max=2147483647):number>")
def tell(protocol: str, number: int) -> Response:
    """Show the identity once, to hand it to whom the person has agreed to."""
    try:
        with unit_of_work(writes=True) as session:
            told = disclosures.tell_with_consent(
                session, member(), protocol, number, open_box=open_box, now=clock.now()
            )
    except PortalError as error:
        return _refused(protocol, error, "")
    return _page(protocol, told=told)


@blueprint.post("/ordem-judicial")
def tell_by_order(protocol: str) -> Response:
    """Show the identity once, for the court whose order has the number given."""
    try:
        with unit_of_work(writes=True) as session:
            told = disclosures.tell_by_order(
                session,
                member(),
                protocol,
                _typed("recipient"),
                _typed("order"),
                _typed("purpose"),
                open_box=open_box,
                now=clock.now(),
            )
    except PortalError as error:
        return _refused(protocol, error, "order")
    return _page(protocol, told=told)


def open_box(box: bytes, record: str) -> bytes:
    """Open a box with the keys of the staff member's own municipality; raises ``UnreadableBox``."""
    keys = current_app.config["IDENTITY_KEYS"].get(member().municipality)
    if keys is None:
        raise UnreadableBox("no key of this municipality")
    return open_sealed(box, keys, record=record)


def _typed(field: str) -> str:
    return request.form.get(field, "")


def _refused(protocol: str, error: PortalError, form: str) -> Response:
    if error.status in (403, 404):
        raise error
    return _page(protocol, problem=error, form=form)


def _page(
    protocol: str, *, told: Identity | None = None, problem: PortalError | None = None, form: str = ""
) -> Response:
    who, _ = member(), current_translator()
    zone = catalogue.municipality(who.municipality).zone
    with unit_of_work() as session:
        case = casework.read_case(session, who, protocol, today=catalogue.today_in(who.municipality))
        requests = disclosures.requests_of_case(session, who, protocol)
    return render(
        "desk/identity.html",
        fragment="identity",
        case=case,
        protocol=case.line.protocol,
        requests=[(one, state_phrase(one, zone, _)) for one in requests],
        told=told,
        form=form,
        problem=problem_sentence(problem, _) if problem else "",
        field=FIELDS.get(type(problem), "") if problem else "",
        typed=request.form if problem else {},
        name_limit=NAME_LIMIT,
        order_limit=ORDER_LIMIT,
        status=problem.status if problem else 200,
    )
