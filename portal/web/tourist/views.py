"""Cards in large Portuguese, to hold up to a driver or an officer: no script, nothing to type."""

from flask import Blueprint, Response, make_response, render_template, request

from portal import clock
from portal.domain.plates import printable
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.services.itineraries.showing import show_stop
from portal.services.unit_of_work import reading, unit_of_work
from portal.services.verdicts.verification import public_day, verify_permit
from portal.wording.tourist import Card, card_label, cards_of_stop, cards_of_vehicle, shown

blueprint = Blueprint("tourist", __name__)

PICTOGRAMS = {
    Card.PERMIT: "card", Card.HERE: "pin", Card.LEAVES: "clock",
    Card.PRICE: "money", Card.GET_OFF: "hand", Card.OFFICER: "person",
}  # fmt: skip


@blueprint.get("/<slug:municipality>/mostrar")
def vehicle(municipality: str) -> Response:
    """A sentence about the vehicle that was looked up; ``q`` is its plate or number, ``frase`` the card."""
    query, now = printable(request.args.get("q", "")), clock.now()
    town = catalogue.municipality(municipality)
    with reading() as session:
        verdict = verify_permit(session, town.slug, query, on=public_day(None, town.slug, now=now), now=now)
    _ = current_translator()
    card = _wanted(cards_of_vehicle())
    return _page(
        card,
        cards_of_vehicle(),
        said=shown(card, _, verdict=verdict),
        town=town.slug,
        plate=verdict.asked if verdict.is_plate else "",
        subject="" if verdict.is_plate else verdict.asked,
        back=f"/{town.slug}/verificar",
        kept={"q": verdict.asked},
    )


@blueprint.get("/<slug:municipality>/pontos/<path:code>/mostrar")
def stop(municipality: str, code: str) -> Response:
    """A sentence to whoever stands at a stop."""
    with unit_of_work() as session:
        view = show_stop(session, municipality, code, at=clock.now())
    card = _wanted(cards_of_stop())
    return _page(
        card,
        cards_of_stop(),
        said=shown(card, current_translator()),
        town=municipality,
        plate="",
        subject=view.stop.name,
        back=request.path.removesuffix("/mostrar"),
        kept={},
    )


def _wanted(cards: tuple[Card, ...]) -> Card:
    asked = request.args.get("frase", "")
    return next((card for card in cards if card.value == asked), cards[0])


def _page(card: Card, cards: tuple[Card, ...], **context: object) -> Response:
    _ = current_translator()
    return make_response(
        render_template(
            "tourist/card.html",
            card=card,
            cards=[(each, card_label(each, _), PICTOGRAMS[each]) for each in cards],
            pictogram=PICTOGRAMS[card],
            **context,
        )
    )
