"""Cards of a permit at the desk: made, printed and taken back; each stands in the town's log."""

import re

from flask import Blueprint, current_app, flash, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from portal import clock
from portal.desk.register.forms import Filled
from portal.desk.register.views import here, permit_page
from portal.domain.errors import CardRefused, PortalError
from portal.i18n import SOURCE, translator
from portal.pages.downloads import hand_out
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.sealing.signing import SigningKey, signing_key
from portal.services.cards import making
from portal.services.unit_of_work import unit_of_work
from portal.wording.problems import problem_sentence

blueprint = Blueprint(
    "permit_cards", __name__, url_prefix="/mesa/cadastro/autorizacoes/<int(max=2147483647):permit>/cartoes"
)


@blueprint.post("/")
def make(permit: int) -> Answer:
    """Make a card; the one that the permit or its vehicle had is replaced."""
    try:
        with unit_of_work(writes=True) as session:
            keeper = here()
            _key(keeper.municipality)
            making.make_card(
                session,
                keeper,
                permit,
                layout=request.form.get("layout") or None,
                unit=request.form.get("unit", type=int),
                now=clock.now(),
            )
    except PortalError as error:
        return _refused(permit, error)
    _ = current_translator()
    flash(_("O cartão está feito. Imprima e afixe no veículo."))
    return redirect(url_for("register.show_permit", permit=permit) + "#cartoes", 303)


@blueprint.post("/<int(max=2147483647):number>/impressao")
def print_(permit: int, number: int) -> Answer:
    """The card as a PDF, in Portuguese whoever prints it; a POST, as the log keeps each."""
    now = clock.now()
    try:
        with unit_of_work(writes=True) as session:
            keeper = here()
            sign = _key(keeper.municipality).sign
            sheet = making.print_card(session, keeper, permit, number, sign=sign, now=now)
    except PortalError as error:
        return _refused(permit, error)
    from portal.documents.card import card_pdf  # large, and rarely asked for

    pdf = card_pdf(
        sheet,
        public_url=current_app.config["SETTINGS"].public_url,
        size=request.form.get("size"),
        at=now.astimezone(catalogue.municipality(sheet.municipality).zone),
        _=translator(SOURCE),
    )
    name = re.sub(r"[^0-9A-Za-z]+", "-", sheet.number)
    return hand_out(pdf, "application/pdf", f"cartao-{name}-{sheet.card.issue}.pdf")


@blueprint.post("/<int(max=2147483647):number>/cancelamento")
def revoke(permit: int, number: int) -> Answer:
    """Take a card back: lost, stolen, damaged."""
    try:
        with unit_of_work(writes=True) as session:
            making.revoke_card(session, here(), permit, number, now=clock.now())
    except PortalError as error:
        return _refused(permit, error)
    _ = current_translator()
    flash(_("O cartão foi cancelado. Quem ler o código já fica sabendo."))
    return redirect(url_for("register.show_permit", permit=permit) + "#cartoes", 303)


def _key(municipality: str) -> SigningKey:
    key = signing_key(municipality)
    if key is None:
        raise CardRefused("no_key")
    return key


def _refused(permit: int, error: PortalError) -> Answer:
    if error.status in (403, 404):
        raise error
    at = "unit" if isinstance(error, CardRefused) and error.why == "which_vehicle" else "layout"
    filled = Filled("card", {}, problem_sentence(error, current_translator()), at, error.status)
    return permit_page(permit, filled)
