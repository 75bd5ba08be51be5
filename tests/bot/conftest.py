"""A small town for the bot: two vehicles, one itinerary with its ends, and somebody with a phone."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine

import portal.clock
from portal.config import settings
from portal.domain.itineraries import (
    ParsedCall,
    ParsedItinerary,
    ParsedPlace,
    ParsedStop,
    ParsedTimetable,
    ParsedTrip,
    Way,
)
from portal.domain.permits import Service
from portal.domain.timetable import Calendar
from portal.sealing.keys import KeyPair, new_key_pair
from portal.services.itinerary_import import FileRead, import_file
from portal.services.unit_of_work import unit_of_work
from tests.factories.permits import put_list, put_permit
from tests.telegram.driving import answering_at_once
from tests.telegram.world import Person, World

TOWN = "caraguatatuba-sp"
NOW = datetime(2026, 11, 30, 17, 2, tzinfo=UTC)  # 14:02 in the town, a Monday
PLATE = "BRA1D23"
SQUARE = (-23.6203, -45.4131)


@pytest.fixture
def at_two(monkeypatch: pytest.MonkeyPatch) -> datetime:
    """It is two minutes past two in the afternoon."""
    monkeypatch.setattr(portal.clock, "now", lambda: NOW)
    return NOW


@pytest.fixture
def keys(environment: Path) -> dict[str, KeyPair]:
    """Keys of the ombudsman and of the worker."""
    pairs = {"identity": new_key_pair(), "notice": new_key_pair()}
    public = {name: {"id": pair.id, "key": pair.public} for name, pair in pairs.items()}
    (environment / "public.json").write_text(
        json.dumps({"identity": {TOWN: public["identity"]}, "notice": public["notice"]})
    )
    return pairs


@pytest.fixture
def town(database: Engine, keys: dict[str, KeyPair]) -> None:
    """The register, the itinerary and the neighbourhoods of the town."""
    with unit_of_work(writes=True) as session:
        put_list(session)
        put_permit(session, plate=PLATE, itinerary="centro-praia")
    stops = (
        ParsedStop("praca", "Praça Doutor Cândido Mota – Ponto Turístico Nº 2", *SQUARE),
        ParsedStop("praia", "Terminal_Norte (A) *Praia*", -23.6330, -45.4010),
    )
    every_day = Calendar("d", frozenset(range(7)))
    trips = tuple(
        ParsedTrip(
            f"t{hour}",
            "d",
            Way.OUTBOUND,
            (ParsedCall("praca", None, hour * 3600), ParsedCall("praia", hour * 3600 + 1800, None)),
        )
        for hour in (10, 15, 17)
    )
    route = ParsedItinerary("centro-praia", "Centro – Praia", trips, {Way.OUTBOUND: ("praca", "praia")})
    parsed = ParsedTimetable(stops, (route,), {"d": every_day})
    for read in (
        FileRead("tables", "itinerarios.csv", "1", parsed),
        FileRead("places", "lugares.csv", "2", (ParsedPlace("Indaiá", "bairro", -23.6210, -45.4120),)),
    ):
        service = Service.RECREATIONAL if read.kind == "tables" else None
        report = import_file(
            read, municipality=TOWN, service=service, feed=read.kind, as_of=date(2026, 11, 28), now=NOW
        )
        assert report.outcome == "merged", report


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def bot(town: None, world: World) -> Iterator[World]:
    """The real application, answering without sockets."""
    with answering_at_once(settings(), world):
        yield world


@pytest.fixture
def ana(bot: World) -> Person:
    """A passenger whose Telegram speaks Portuguese."""
    return bot.person("Ana")
