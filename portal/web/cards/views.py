"""The code on a permit's card: the verdict without a tap, and what a card cannot know by itself."""

from collections.abc import Sequence
from urllib.parse import quote, urlsplit

from flask import Blueprint, Response, current_app, redirect, request
from werkzeug.wrappers import Response as Redirect

from portal import clock
from portal.config import Settings
from portal.domain.cards import CardState, host_in
from portal.domain.errors import CardUnknown, CodeElsewhere, CodeNotSeen, FileRefused, PortalError
from portal.domain.plates import find_plate, printable, read_plate
from portal.files.reading import read_codes
from portal.pages.fragments import render
from portal.pages.headers import from_this_site
from portal.pages.languages import current_translator, explicit_language
from portal.pages.limits import limit_cards
from portal.sealing.cards import card_keys
from portal.services.cards.opening import compare, open_card, token_in
from portal.services.unit_of_work import unit_of_work
from portal.wording import cards as wording
from portal.wording.problems import problem_sentence

blueprint = Blueprint("cards", __name__)

ANOTHER = "outra"
"""In the place of a plate: what stands on the vehicle is another one, and it was not typed."""


@blueprint.get("/v/<token>")
@blueprint.get("/V/<token>")
def open_code(token: str) -> Response:
    """What a card says; ``?placa=`` is what somebody reads on the vehicle, or `ANOTHER`."""
    limit_cards()
    now = clock.now()
    typed = printable(request.args.get("placa", ""))[:40]
    try:
        with unit_of_work() as session:
            card = open_card(session, token.upper(), keys=card_keys(settings().public_keys), now=now)
    except CardUnknown as problem:
        return unrecognised(problem)
    same = compare(card, typed) if typed and typed != ANOTHER else None
    return render(
        "cards/card.html",
        fragment="answer",
        status=422 if typed and typed != ANOTHER and same is None else 200,
        here=None,
        token=token.upper(),
        card=card,
        moved=bool(typed) and same is not True and card.state is CardState.CURRENT,
        agrees=same is True,
        typed="" if typed == ANOTHER else typed,
        read=read_plate(typed) if typed else None,
        unread=bool(typed) and typed != ANOTHER and same is None,
        word=wording.card_word(card.state, current_translator()),
        sentence=wording.card_sentence(card.state, current_translator()),
        account=wording.moved_account(card, read_plate(typed) if typed else None, current_translator()),
    )


@blueprint.get("/ler")
def scan() -> Redirect:
    """The page that reads a code: by the camera where the browser can, else by a photo; ``?q=`` is what was read."""
    text = printable(request.args.get("q", ""))[:1000]
    return _led((text,)) if text else _scan_page()


@blueprint.post("/ler")
@from_this_site
def scan_photo() -> Redirect:
    """Read the code in a photo; nothing of the photo is kept."""
    limit_cards()
    file = request.files.get("photo")
    data = file.read() if file else b""
    try:
        return _led(read_codes((file.filename if file else "") or "", data))
    except FileRefused as problem:
        return _scan_page(CodeNotSeen() if problem.why in ("empty", "unreadable") else problem)


def _led(codes: Sequence[str]) -> Redirect:
    """To what a code says: a card, another page of this portal, or a vehicle; a code of somebody else leads nowhere."""
    for text in codes:
        try:
            if card := card_in(text):
                return card
        except CardUnknown as problem:
            return unrecognised(problem)
        except CodeElsewhere as problem:
            return _scan_page(problem)
        other = host_in(text)
        if other == own_host():
            parts = urlsplit(text.strip())
            # One slash: two would name another host.
            way = "/" + quote(parts.path.lstrip("/"), safe="/")
            return redirect(way + (f"?{parts.query}" if parts.query else ""), 303)
        if other is not None:
            return _scan_page(CodeElsewhere(other[:80]))
        if plate := find_plate(text):
            return redirect(f"/verificar?q={plate.plate}", 303)
    return _scan_page(CodeNotSeen())


def _scan_page(problem: PortalError | None = None) -> Response:
    return render(
        "cards/scan.html",
        fragment="scan",
        status=problem.status if problem else 200,
        sentence=problem_sentence(problem, current_translator()) if problem else "",
    )


def unrecognised(problem: CardUnknown) -> Response:
    return render("cards/unknown.html", fragment="answer", status=problem.status)


def card_in(query: str) -> Redirect | None:
    """The way to the card whose code was typed, pasted or scanned; None where the text is something else.

    Raises:
        CardUnknown, CodeElsewhere
    """
    token = token_in(query, host=own_host())
    if token is None:
        return None
    language = explicit_language()
    return redirect(f"/v/{token}" + (f"?lang={language}" if language else ""), 303)


def own_host() -> str:
    """Where the codes of this portal lead."""
    return urlsplit(settings().public_url).netloc.lower()


def settings() -> Settings:
    configured: Settings = current_app.config["SETTINGS"]
    return configured
