"""Itineraries and stops: lists first, each with its page; nothing needs a map or a script."""

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import MAXYEAR, datetime
from typing import Any
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, jsonify, request, url_for
from sqlalchemy.orm import Session

from portal import clock
from portal.domain.errors import NothingHere, UnreadablePosition, UnreadableTime
from portal.domain.geo import typed_position
from portal.domain.permits import Service
from portal.domain.timetable import Departure
from portal.pages.fragments import render
from portal.pages.languages import current_translator
from portal.regulations.catalogue import municipality as find_municipality
from portal.services.itineraries.answers import NearbyStop, Wanted
from portal.services.itineraries.departures import destinations, next_leaving
from portal.services.itineraries.places import PlaceMatch, find_places, list_places
from portal.services.itineraries.showing import (
    list_itineraries,
    list_stops,
    nearest_boarding_points,
    show_itinerary,
    show_stop,
)
from portal.services.unit_of_work import unit_of_work
from portal.web.itineraries import lists
from portal.web.itineraries.positions import read_position
from portal.web.itineraries.sketch import draw
from portal.wording import itineraries as wording
from portal.wording import itinerary_json as as_json
from portal.wording.problems import problem_sentence

blueprint = Blueprint("itineraries", __name__)


@blueprint.app_template_filter("departure_time")
def _departure_time(departure: Departure) -> str:
    return wording.departure_time(departure, current_translator())


@blueprint.context_processor
def _wording() -> dict[str, object]:
    return {"say": wording, "lists": lists}


@blueprint.get("/<slug:municipality>/itinerarios")
def itineraries(municipality: str) -> Response:
    """Every itinerary with its status today and its next departure."""
    now = clock.now()
    town = find_municipality(municipality)
    with unit_of_work() as session:
        listed = list_itineraries(
            session, municipality, on=town.civil_day(now), at=now, wanted=asked_filters()
        )
    return render(
        "itineraries/list.html",
        fragment="content",
        listed=listed,
        now=now.astimezone(town.zone),
        wanted=asked_filters(),
    )


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
    asked, wanted = asked_place(), asked_filters()
    problem = None
    found = Near()
    with unit_of_work() as session:
        try:
            found = look_near(session, municipality, now, wanted)
        except UnreadablePosition as error:
            problem = error
        listed = list_stops(session, municipality, page=asked_page(), wanted=wanted)
        places = list_places(session, municipality)

    def page_address(number: int) -> str:
        kept: dict[str, Any] = {name: request.args.get(name) or None for name in FILTERS}
        return url_for(
            "itineraries.stops", municipality=municipality, pagina=number, perto=asked or None, **kept
        )

    return render(
        "itineraries/stops.html",
        fragment="answer",
        status=422 if problem else 200,
        listed=listed,
        places=places,
        asked=asked,
        wanted=wanted,
        found=found,
        today=town.civil_day(now),
        page_address=page_address,
        problem=problem_sentence(problem, _) if problem else None,
    )


@blueprint.get("/<slug:municipality>/pontos/<path:code>")
def stop(municipality: str, code: str) -> Response:
    """One stop: what leaves from it, and when; ``para``, the code of another, asks for the rides to there."""
    now = clock.now()
    asked = request.args.get("para", "").strip()[:200]
    rides = None
    with unit_of_work() as session:
        view = show_stop(session, municipality, code, at=now)
        reached = destinations(session, municipality, code, at=now)
        to = next((each for each in reached if each.code == asked), None)
        if asked:
            with suppress(NothingHere):  # what is called so nowhere is no place to ride to either
                rides = next_leaving(session, municipality, stop=code, to=asked, at=now)
        others = nearest_boarding_points(
            session,
            view.stop.latitude,
            view.stop.longitude,
            at=now,
            municipality=municipality,
            limit=4,
        )
    return render(
        "itineraries/stop.html",
        fragment="rides" if asked else "content",
        view=view,
        destinations=reached,
        to=to,
        rides=rides,
        asked=asked,
        others=[other for other in others if other.stop.code != view.stop.code][:3],
    )


@blueprint.get("/api/v1/<municipality>/itineraries")
def itineraries_json(municipality: str) -> Response:
    """Every itinerary with its status today and its next departure."""
    now = clock.now().astimezone(find_municipality(municipality).zone)
    with unit_of_work() as session:
        listed = list_itineraries(session, municipality, on=now.date(), at=now, wanted=asked_filters())
    return jsonify(as_json.itineraries_json(listed, current_translator(), on=now.date(), now=now))


@blueprint.get("/api/v1/<municipality>/stops")
def stops_json(municipality: str) -> Response:
    """The boarding points nearest to ``lat`` and ``lon`` or to a place in words, ``near``; else the list by name."""
    now = clock.now().astimezone(find_municipality(municipality).zone)
    _ = current_translator()
    with unit_of_work() as session:
        found = look_near(session, municipality, now, asked_filters())
        listed = list_stops(session, municipality, page=asked_page(), wanted=asked_filters())
    told = [as_json.nearby_json(each, _, today=now.date()) for each in found.nearby]
    if not asked_place() and not found.located:
        told = [as_json.stop_json(stop) for stop in listed.stops]
    return jsonify(
        municipality=municipality,
        computed_at=now.isoformat(timespec="seconds"),
        matches=[as_json.match_json(each, _) for each in found.matches],
        stops=told,
        total=listed.total,
    )


@blueprint.get("/api/v1/<municipality>/departures")
def departures_json(municipality: str) -> Response:
    """What leaves next: ``stop``, ``itinerary`` or both, ``to`` another stop, ``at`` an instant."""
    town = find_municipality(municipality)
    asked = {name: request.args.get(name, "").strip()[:200] or None for name in ("stop", "to", "itinerary")}
    limit = request.args.get("limit", "")
    at = read_instant(request.args.get("at", ""), town.zone)
    with unit_of_work() as session:
        found = next_leaving(
            session,
            municipality,
            at=at or clock.now(),
            limit=max(1, int(limit)) if re.fullmatch(r"[0-9]{1,3}", limit) else 5,
            **asked,
        )
    return jsonify(as_json.departures_json(found, current_translator()))


def read_instant(text: str, zone: ZoneInfo) -> datetime | None:
    """An ISO instant; without an offset it is the town's own time.

    Raises:
        UnreadableTime: anything else that is not empty, and years of no timetable.
    """
    if not text.strip():
        return None
    try:
        # A plus sign that was not escaped arrives as a space.
        moment = datetime.fromisoformat(text.strip()[:40].replace(" ", "+"))
        local = moment if moment.tzinfo else moment.replace(tzinfo=zone)
        if not 1 < local.year < MAXYEAR - 1:  # a day of service lies around it
            raise UnreadableTime(text[:40])
        return local
    except ValueError:
        raise UnreadableTime(text[:40]) from None


@dataclass(frozen=True, slots=True)
class Near:
    """What a request finds of the place it asks about."""

    matches: tuple[PlaceMatch, ...] = ()
    """What the typed words may mean, best first."""
    nearby: tuple[NearbyStop, ...] = ()
    place: str | None = None
    """The match whose surroundings ``nearby`` shows."""
    located: bool = False
    """Asked by position and not in words."""

    @property
    def others(self) -> tuple[PlaceMatch, ...]:
        """The matches that lead on: all but the place whose surroundings are shown already."""
        return tuple(match for match in self.matches if match.target != "place" or match.name != self.place)


def look_near(session: Session, municipality: str, now: datetime, wanted: Wanted) -> Near:
    """The stops near the position, or near the best match of the words, that the request gives.

    Raises:
        UnreadablePosition: it gives one that can be no place.
    """
    position = read_position(request.args.get("lat"), request.args.get("lon")) or typed_position(
        asked_place()
    )
    if position:
        return Near(
            nearby=nearest_boarding_points(
                session, *position, at=now, municipality=municipality, wanted=wanted
            ),
            located=True,
        )
    matches = find_places(session, municipality, asked_place())
    best = next((found for found in matches if found.latitude is not None), None)
    if best is None or best.latitude is None or best.longitude is None:
        return Near(matches)
    around = nearest_boarding_points(
        session, best.latitude, best.longitude, at=now, municipality=municipality, wanted=wanted
    )
    return Near(matches, around, best.name)


def asked_place() -> str:
    """``perto`` on pages, ``near`` in JSON, ``q`` where the one box of the home page sends a name."""
    said = (request.args.get(name, "") for name in ("perto", "near", "q"))
    return next((text.strip()[:200] for text in said if text.strip()), "")


FILTERS = ("service", "accessible", "running")


def asked_filters() -> Wanted:
    """What the request wants to see; what it says of no service and no truth is nothing said."""
    service, accessible, running = (request.args.get(name, "").strip() for name in FILTERS)
    known = tuple(each.value for each in Service)
    return Wanted(Service(service) if service in known else None, accessible in _TRUE, running in _TRUE)


_TRUE = ("1", "true", "on")


def asked_page() -> int:
    page = request.args.get("pagina") or request.args.get("page", "")
    return int(page) if re.fullmatch(r"[0-9]{1,5}", page) else 1
