"""What a person takes along: a departure for the calendar, a sign for the pole, lines and stops for the map."""

import re
from datetime import datetime

import segno
from flask import Blueprint, Response, current_app, jsonify, render_template, request, url_for
from markupsafe import Markup

from portal import clock
from portal.config import Settings
from portal.domain.errors import NothingHere, UnreadablePosition
from portal.pages.fragments import render
from portal.pages.headers import from_this_site
from portal.pages.languages import current_translator
from portal.services.itineraries.departures import find_departure, show_sign
from portal.services.itineraries.routes import distance_from_route, error_of
from portal.services.itineraries.showing import nearest_boarding_points, show_itinerary, show_stop
from portal.services.unit_of_work import unit_of_work
from portal.web.itineraries import lists
from portal.web.itineraries.lists import stop_address
from portal.web.itineraries.positions import read_position
from portal.wording import itineraries as wording
from portal.wording.calendar_file import calendar_file
from portal.wording.map_json import itinerary_map, stops_map

blueprint = Blueprint("take_along", __name__)

MOMENT = "%Y-%m-%dT%H:%M"
"""A departure in an address: the clock of the town."""

NEARBY = 12
"""Stops around the one that a map is about."""


@blueprint.get("/<slug:municipality>/pontos/<path:code>/saida.ics")
def departure(municipality: str, code: str) -> Response:
    """One departure as an event: ``itinerario`` and ``em``, the hour on the clock of the town."""
    itinerary, text = request.args.get("itinerario", ""), request.args.get("em", "")
    try:
        leaves = datetime.strptime(text, MOMENT)  # noqa: DTZ007  # a clock on a wall has no zone
    except ValueError:
        raise NothingHere(text[:40]) from None
    now = clock.now()
    with unit_of_work() as session:
        told = find_departure(session, municipality, code, itinerary=itinerary, leaves=leaves, now=now)
    address = url_for("itineraries.itinerary", municipality=municipality, code=itinerary)
    content = calendar_file(told, current_translator(), address=_public(address), now=now)
    response = Response(content, mimetype="text/calendar")
    response.headers["Content-Disposition"] = f'attachment; filename="{leaves:%Y-%m-%d-%Hh%M}.ics"'
    return response


@blueprint.get("/<slug:municipality>/pontos/<path:code>/placa")
def sign(municipality: str, code: str) -> str:
    """A page to print and hang at the stop: the timetable, and a code that leads to the page of the stop."""
    with unit_of_work() as session:
        told = show_sign(session, municipality, code, at=clock.now())
    address = _public(stop_address(told.of.stop))
    return render_template(
        "itineraries/sign.html", sign=told, leads_to=address, code=_drawn(address), say=wording, lists=lists
    )


@blueprint.get("/<slug:municipality>/itinerarios/<path:code>/mapa.json")
def itinerary_on_map(municipality: str, code: str) -> Response:
    with unit_of_work() as session:
        view = show_itinerary(session, municipality, code, at=clock.now())
    return jsonify(itinerary_map(view, stop_address))


@blueprint.post("/<slug:municipality>/itinerarios/<path:code>/aqui")
@from_this_site
def on_the_way(municipality: str, code: str) -> Response:
    """How far the sender is from the published route; by POST, as where somebody is stands in no address or log."""
    position = read_position(request.form.get("lat"), request.form.get("lon"))
    if position is None:
        raise UnreadablePosition("")
    error_m = error_of(_metres(request.form.get("error")))
    with unit_of_work() as session:
        route = distance_from_route(session, municipality, code, *position)
    return render(
        "itineraries/on_the_way.html",
        fragment="answer",
        route=route,
        sentence=wording.distance_from_route_sentence(route, error_m, current_translator()),
        beyond=route.drawn and route.metres > error_m,
    )


def _metres(text: str | None) -> float | None:
    """The error that a device tells; None for anything but a sensible number."""
    said = (text or "").strip()
    return float(said) if re.fullmatch(r"[0-9]{1,6}([.][0-9]{1,20})?", said) else None


@blueprint.get("/<slug:municipality>/pontos/<path:code>/mapa.json")
def stop_on_map(municipality: str, code: str) -> Response:
    now = clock.now()
    with unit_of_work() as session:
        stop = show_stop(session, municipality, code, at=now).stop
        near = nearest_boarding_points(
            session, stop.latitude, stop.longitude, at=now, municipality=municipality, limit=NEARBY
        )
    others = [each.stop for each in near if each.stop.code != stop.code]
    return jsonify(stops_map(stop, others, stop_address))


@blueprint.app_template_global()
def calendar_address(municipality: str, stop: str, itinerary: str, leaves: datetime) -> str:
    """Where a departure is taken along from."""
    return url_for(
        "take_along.departure",
        municipality=municipality,
        code=stop,
        itinerario=itinerary,
        em=leaves.strftime(MOMENT),
    )


def _public(path: str) -> str:
    settings: Settings = current_app.config["SETTINGS"]
    return settings.public_url.rstrip("/") + path


def _drawn(address: str) -> Markup:
    """A QR code as SVG without styles of its own, at the level that still reads with a corner torn off."""
    drawn = segno.make(address, error="q", micro=False)
    return Markup(drawn.svg_inline(scale=1, border=4, omitsize=True, svgclass="code", lineclass=None))  # noqa: S704  # drawn from modules, no text of anybody
