"""What only the town's data tell of a place or a vehicle that somebody named in a complaint."""

from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from portal.domain.borders import beside, names_highway, names_intercity
from portal.domain.errors import (
    NothingHere,
    UnknownOption,
)
from portal.domain.names import fold
from portal.domain.questionnaire import (
    Kind,
    Question,
)
from portal.domain.said_vehicles import SaidVehicle
from portal.regulations import catalogue
from portal.regulations.borders import outline
from portal.services.itineraries.showing import list_itineraries, show_stop


def named(session: Session, municipality: str, asked: Question, value: Any, now: datetime) -> Any:
    """A place or vehicle with what only the town's data tell of it.

    A stop or a line keeps its name, so that a later timetable cannot change what was said; ``beside`` says why
    it may be the matter of another government: ``border``, ``road`` or ``between``.
    """
    if asked.kind is Kind.PLACE:
        value = _named_place(session, municipality, value, now)
        if value["kind"] == "typed" and names_highway(value["text"]):
            return {**value, "beside": "road"}
        if "latitude" in value and beside(outline(municipality), value["latitude"], value["longitude"]):
            return {**value, "beside": "border"}
    if asked.kind is Kind.VEHICLE:
        value = _named_vehicle(session, municipality, value, now)
    if value and isinstance(value, dict) and names_intercity(str(value.get("text", ""))):
        return {**value, "beside": "between"}
    return value


def _named_place(session: Session, municipality: str, place: dict[str, Any], now: datetime) -> dict[str, Any]:
    if place["kind"] != "stop":
        return place
    try:
        stop = show_stop(session, municipality, place["code"], at=now).stop
    except NothingHere:
        raise UnknownOption("where", place["code"]) from None
    return {**place, "name": stop.name}


def _named_vehicle(
    session: Session, municipality: str, vehicle: dict[str, Any], now: datetime
) -> dict[str, Any]:
    """A line by its name, whether it was chosen from the list or typed as it is called."""
    if vehicle["kind"] == "line":
        lines = dict(lines_of(session, municipality, now=now))
        if vehicle["code"] not in lines:
            raise UnknownOption("vehicle", vehicle["code"])
        return {**vehicle, "text": lines[vehicle["code"]]}
    if vehicle.get("as") == SaidVehicle.DESCRIPTION:
        called = fold(vehicle["text"])
        for code, name in lines_of(session, municipality, now=now):
            if fold(name) == called:
                return {"kind": "line", "code": code, "text": name}
    return vehicle


def lines_of(session: Session, municipality: str, *, now: datetime) -> tuple[tuple[str, str], ...]:
    """Code and name of each itinerary: who saw no plate may know the line."""
    town = catalogue.municipality(municipality)
    listed = list_itineraries(session, municipality, on=town.civil_day(now)).itineraries
    return tuple((one.code, one.name) for one in listed)
