"""Finish and clear: on a borrowed or shared device nothing of this site is left for the next person."""

from contextlib import suppress

from flask import (
    Blueprint,
    Response,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)

from portal import clock
from portal.domain.errors import DraftGone
from portal.i18n import language_of
from portal.pages import languages, towns
from portal.pages.headers import SECRET, from_this_site
from portal.pages.languages import current_translator, speak
from portal.regulations import catalogue
from portal.services.complaints import intake
from portal.services.unit_of_work import unit_of_work
from portal.web.complaints import tracking
from portal.web.complaints.files import forget_told
from portal.web.complaints.forms import DRAFT_COOKIE

blueprint = Blueprint("finishing", __name__)

CLEARED = '"cache", "storage"'
"""What the browser throws away for this origin: pages and snapshots of the Back button; drafts, the kept town and its
worker. Not ``"cookies"``, which would take those of every other site of the municipality's domain along: ours are
ended by name."""


@blueprint.get("/terminar")
def ask() -> Response:
    """What will go, and the button."""
    return _unkept(render_template("offline/finish.html", done=False))


@blueprint.post("/terminar")
@from_this_site
def finish() -> Response:
    """An unsent complaint is thrown away here too; one that was filed stays with the ombudsman."""
    town = None
    if token := request.cookies.get(DRAFT_COOKIE):
        with unit_of_work(writes=True) as session:
            with suppress(DraftGone):
                town = catalogue.municipality(intake.read_draft(session, token, now=clock.now()).municipality)
            intake.discard(session, token)
    to = url_for("finishing.finished", idioma=current_translator().tag, lang=None)
    response = _cleared(make_response(redirect(to, 303)))
    response.delete_cookie(tracking.CASE_COOKIE, path=tracking.PATH)
    if town:
        forget_told(response, town)
    for name in (DRAFT_COOKIE, languages.COOKIE, towns.COOKIE, current_app.config["SESSION_COOKIE_NAME"]):
        response.delete_cookie(name)
    return response


@blueprint.get("/terminado")
def finished() -> Response:
    """That it is done; in the language of before, which no cookie remembers any longer."""
    spoken = language_of(request.args.get("idioma"))
    if spoken:
        speak(spoken)
    return _cleared(_unkept(render_template("offline/finish.html", done=True)))


def _cleared(response: Response) -> Response:
    response.headers["Clear-Site-Data"] = CLEARED
    return response


def _unkept(page: str) -> Response:
    response = make_response(page)
    response.headers["Cache-Control"] = SECRET
    return response
