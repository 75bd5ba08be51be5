"""A small town: one authorised vehicle, one itinerary between two ends, one neighbourhood."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime

from sqlalchemy import Engine
from sqlalchemy.orm import Session

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
from portal.services.itineraries.itinerary_import import FileRead, import_file
from tests.factories.permits import put_list, put_permit

TOWN = "caraguatatuba-sp"
NOW = datetime(2026, 11, 30, 17, 2, tzinfo=UTC)  # 14:02 in the town, a Monday
PLATE = "BRA1D23"
SQUARE = (-23.6203, -45.4131)


def fill(engine: Engine) -> None:
    @contextmanager
    def unit(*, writes: bool = False) -> Iterator[Session]:
        with Session(engine, expire_on_commit=False) as session, session.begin():
            yield session

    with unit(writes=True) as session:
        put_list(session)
        put_permit(session, plate=PLATE, itinerary="centro-praia")
    for read, service in (
        (FileRead("tables", "itinerarios.csv", "1", timetable()), Service.RECREATIONAL),
        (
            FileRead("places", "lugares.csv", "2", (ParsedPlace("Indaiá", "bairro", -23.6210, -45.4120),)),
            None,
        ),
    ):
        report = import_file(
            read,
            municipality=TOWN,
            service=service,
            feed=read.kind,
            as_of=date(2026, 11, 28),
            now=NOW,
            unit=unit,
        )
        assert report.outcome == "merged", report


def timetable() -> ParsedTimetable:
    """One itinerary, from the square to the beach at 10, 15 and 17 every day."""
    stops = (
        ParsedStop("praca", "Praça Doutor Cândido Mota – Ponto Turístico Nº 2", *SQUARE),
        ParsedStop("praia", "Terminal_Norte (A) *Praia*", -23.6330, -45.4010),
    )
    trips = tuple(
        ParsedTrip(
            f"t{hour}",
            "d",
            Way.OUTBOUND,
            (ParsedCall("praca", None, hour * 3600), ParsedCall("praia", hour * 3600 + 1800, None)),
        )
        for hour in (10, 15, 17)
    )
    route = ParsedItinerary(
        "centro-praia",
        "Centro – Praia",
        trips,
        {Way.OUTBOUND: ("praca", "praia")},
        shapes={Way.OUTBOUND: (SQUARE, (-23.6270, -45.4131), (-23.6330, -45.4010))},
        names={"en": "Downtown – Beach", "es": "Centro – Playa"},
    )
    return ParsedTimetable(stops, (route,), {"d": Calendar("d", frozenset(range(7)))})
