"""The front doors: of all the towns, and of each."""

from flask import Blueprint, Response, make_response, render_template

from portal.pages.towns import current_town, remembered_town
from portal.regulations.catalogue import services_of, today_in

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
def home() -> str:
    """One box for every town, the towns, and the three questions."""
    return render_template("home/home.html", remembered=remembered_town())


@blueprint.get("/denunciar")
def unauthorised() -> str:
    """The door for transport without authorisation: the plate first, then the town."""
    return render_template("home/unauthorised.html", remembered=remembered_town())


@blueprint.get("/ouvidoria")
def ombudsman() -> str:
    """Which town's ombudsman to speak to."""
    return render_template("home/choose.html", purpose="ombudsman", remembered=remembered_town())


@blueprint.get("/itinerarios")
def itineraries() -> str:
    """Which town's itineraries to see."""
    return render_template("home/choose.html", purpose="itineraries", remembered=remembered_town())


@blueprint.get("/<slug:municipality>/")
def town(municipality: str) -> str:
    """A town's own door: the box, its services and what the law says of each, boarding, the ombudsman."""
    today = today_in(municipality)
    return render_template("home/town.html", here=current_town(), services=services_of(municipality, today))


@blueprint.get("/robots.txt")
def robots() -> Response:
    """Look-ups and cases are nobody's search results."""
    lines = [
        "User-agent: *",
        "Disallow: /verificar",
        "Disallow: /*/verificar",
        "Disallow: /*/manifestacoes/",
        "Disallow: /acompanhar",
        "Disallow: /api/",
    ]
    response = make_response("\n".join(lines) + "\n")
    response.mimetype = "text/plain"
    return response
