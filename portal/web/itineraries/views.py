"""Itineraries and stops: lists first, each with its page; nothing needs a map or a script."""

import re

from flask import Blueprint, Response, request, url_for

from portal import clock
from portal.domain.errors import UnreadablePosition
from portal.domain.geo import is_position
from portal.domain.timetable import Departure
from portal.pages.fragments import render
from portal.pages.languages import current_translator
from portal.regulations.catalogue import municipality as find_municipality
from portal.services.itineraries import (
    NearbyStop,
    PlaceMatch,
    find_places,
    list_itineraries,
    list_places,
    list_stops,
    nearest_boarding_points,
    show_itinerary,
    show_stop,
)
from portal.services.unit_of_work import unit_of_work
from portal.web.itineraries import lists
from portal.web.itineraries.sketch import draw
from portal.wording import itineraries as wording
from portal.wording.problems import problem_sentence

blueprint = Blueprint("itineraries", __name__)


@blueprint.app_template_filter("departure_time")
def _departure_time(departure: Departure) -> str:
    return wording.departure_time(departure, current_translator())


@blueprint.app_context_processor
def _wording() -> dict[str, object]:
    return {"say": wording, "lists": lists}


@blueprint.get("/<slug:municipality>/itinerarios")
def itineraries(municipality: str) -> Response:
    """Every itinerary with its status today and its next departure."""
    now = clock.now()
    town = find_municipality(municipality)
    with unit_of_work() as session:
        listed = list_itineraries(session, municipality, on=now.astimezone(town.zone).date(), at=now)
    return render("itineraries/list.html", fragment="content", listed=listed, now=now.astimezone(town.zone))


@blueprint.get("/<slug:municipality>/itinerarios/<path:code>")
def itinerary(municipality: str, code: str) -> Response:
    """One itinerary: its two ends, next departures, week and route."""
    with unit_of_work() as session:
        view = show_itinerary(session, municipality, code, at=clock.now())
    return render("itineraries/itinerary.html", fragment="content", view=view, sketch=draw(view))


@blueprint.get("/<slug:municipality>/pontos")
def stops(municipality: str) -> Response:
    """Stops by name; the nearest to a position, a neighbourhood or a sight."""
    _ = current_translator()
    now = clock.now()
    town = find_municipality(municipality)
    asked = (request.args.get("perto") or request.args.get("q") or "").strip()[:200]
    page = request.args.get("pagina", "")
    problem = None
    nearby: tuple[NearbyStop, ...] = ()
    matches: tuple[PlaceMatch, ...] = ()
    position = None
    with unit_of_work() as session:
        try:
            position = read_position(request.args.get("lat"), request.args.get("lon"))
        except UnreadablePosition as error:
            problem = error
        if asked and not position and not problem:
            matches = find_places(session, municipality, asked)
            best = next((match for match in matches if match.latitude is not None), None)
            if best and best.latitude is not None and best.longitude is not None:
                position = best.latitude, best.longitude
        if position:
            nearby = nearest_boarding_points(session, *position, at=now, municipality=municipality)
        listed = list_stops(session, municipality, page=int(page) if re.fullmatch(r"[0-9]{1,5}", page) else 1)
        places = list_places(session, municipality)

    def page_address(number: int) -> str:
        return url_for("itineraries.stops", municipality=municipality, pagina=number, perto=asked or None)

    return render(
        "itineraries/stops.html",
        fragment="answer",
        status=422 if problem else 200,
        listed=listed,
        places=places,
        asked=asked,
        matches=matches,
        nearby=nearby,
        located=position is not None and not asked,
        today=now.astimezone(town.zone).date(),
        page_address=page_address,
        problem=problem_sentence(problem, _) if problem else None,
    )


@blueprint.get("/<slug:municipality>/pontos/<path:code>")
def stop(municipality: str, code: str) -> Response:
    """One stop: what leaves from it, and when."""
    with unit_of_work() as session:
        view = show_stop(session, municipality, code, at=clock.now())
        others = nearest_boarding_points(
            session,
            view.stop.latitude,
            view.stop.longitude,
            at=clock.now(),
            municipality=municipality,
            limit=4,
        )
    return render(
        "itineraries/stop.html",
        fragment="content",
        view=view,
        others=[other for other in others if other.stop.code != view.stop.code][:3],
    )


def read_position(latitude: str | None, longitude: str | None) -> tuple[float, float] | None:
    """Two degrees as typed or sent by a device; None when neither is given.

    Raises:
        UnreadablePosition: words, half a pair, or more than a number can be.
    """
    if not latitude and not longitude:
        return None
    said = [(text or "").strip().replace(",", ".") for text in (latitude, longitude)]
    if not all(re.fullmatch(r"[+-]?\d{1,3}(\.\d{1,20})?", text) for text in said):
        raise UnreadablePosition(" ".join(said)[:80])
    position = float(said[0]), float(said[1])
    if not is_position(*position):
        raise UnreadablePosition(" ".join(said)[:80])
    return position
