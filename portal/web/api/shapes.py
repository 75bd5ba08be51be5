"""What the addresses beside ``/api/v1/rules`` answer with: shapes for the description alone, made by no code."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

from pydantic import TypeAdapter

from portal.domain.geo import Direction
from portal.domain.itineraries import ItineraryStatus, StopKind
from portal.domain.permits import Service, Status
from portal.regulations.schema import BoardingKind
from portal.services.verdicts.rule_answers import Documented, Terms


@dataclass
class Problem(Documented):
    code: str
    """Stable, for machines."""
    message: str
    """One sentence in the language asked for."""


@dataclass
class Error(Documented):
    error: Problem


@dataclass
class TermsList(Documented):
    instruments: list[Terms]


@dataclass
class Unit(Documented):
    plate: str
    role: str
    """What it is in its combination: a single vehicle, the tractor, a trailer."""
    status: Status


@dataclass
class Reason(Documented):
    text: str
    """One sentence in the language asked for."""
    article: str | None
    instrument: str | None


@dataclass
class Permit(Documented):
    number: str | None
    """None for a person's permit that is not in force."""
    service: Service
    status: Status
    valid_from: date | None
    valid_until: date | None
    """Last day, included."""
    capacity: int | None
    """Seated passengers of the whole combination."""
    max_speed_kmh: int | None
    itinerary: str | None
    reasons: list[Reason]


@dataclass
class ListSeen(Documented):
    source: str
    as_of: date


@dataclass
class Elsewhere(Documented):
    municipality: str
    status: Status


@dataclass
class Verdict(Documented):
    """What the list of a town says of a vehicle or permit on a day; ``not_found`` accuses nobody."""

    query: str
    """The plate or number as it was read."""
    municipality: str
    on: date
    computed_at: datetime
    status: Status
    sentence: str
    """The verdict in the language asked for, word for word as on the page."""
    units: list[Unit]
    """One for each vehicle of a combination."""
    permits: list[Permit]
    lists: list[ListSeen]
    """Which lists were consulted, and of which day they are."""
    elsewhere: list[Elsewhere]
    limits: list[Reason]
    """Why an authorised vehicle may not take people at the stop, hour or for the service asked about."""


@dataclass
class Stop(Documented):
    code: str
    name: str
    kind: StopKind
    latitude: float
    longitude: float
    accessible: bool | None


@dataclass
class DepartureTold(Documented):
    at: datetime
    itinerary: str
    way: str
    approximate: bool


@dataclass
class Itinerary(Documented):
    code: str
    name: str
    service: Service | None
    status: ItineraryStatus
    sentence: str
    ends: list[Stop]
    fare: str | None
    """In reais, as 25.00."""
    duration_minutes: int | None
    valid_from: date | None
    valid_until: date | None
    expired: bool
    next_departure: DepartureTold | None


@dataclass
class BarringRule(Documented):
    text: str
    article: str


@dataclass
class RuleText(BarringRule):
    instrument: str


@dataclass
class ServiceBoarding(Documented):
    service: Service
    boarding: BoardingKind | None
    of_bill: bool
    rules: list[RuleText]


@dataclass
class ItineraryList(Documented):
    municipality: str
    on: date
    computed_at: datetime
    as_of: date | None
    """Day of the newest list that was imported."""
    itineraries: list[Itinerary]
    services: list[ServiceBoarding]


@dataclass
class ItineraryShort(Documented):
    code: str
    status: ItineraryStatus


@dataclass
class NearbyStop(Stop):
    metres: int
    walking_minutes: int
    direction: Direction
    way_there: str
    itineraries: list[ItineraryShort]
    next_departure: DepartureTold | None
    sentence: str


@dataclass
class Match(Documented):
    kind: Literal["stop", "itinerary", "place"]
    code: str
    name: str
    latitude: float | None
    longitude: float | None


@dataclass
class StopList(Documented):
    municipality: str
    computed_at: datetime
    matches: list[Match]
    """What the words may mean, best first."""
    stops: list[NearbyStop] | list[Stop]
    """The nearest first where a position or a place was given; else the list by name."""
    total: int


@dataclass
class RideTold(DepartureTold):
    arrives_at: datetime | None
    """At the stop given as ``to``."""
    arrival_approximate: bool


@dataclass
class DepartureList(Documented):
    municipality: str
    at: datetime
    departures: list[RideTold]
    last_today: DepartureTold | None
    """The last of the running day of service, gone or to come."""
    next_day: DepartureTold | None
    """The first of the next day with service, when today has none left."""
    expired_on: date | None
    """Last day of the timetable, where that is over."""
    barred_by: list[BarringRule]
    """What forbids getting on or off at one of the two stops, where there is no ride for that."""
    sentence: str


SHAPES: tuple[type, ...] = (Error, TermsList, Verdict, ItineraryList, StopList, DepartureList)


def other_schemas(ref_template: str) -> dict[str, Any]:
    _, schemas = TypeAdapter.json_schemas(
        [(shape.__name__, "serialization", TypeAdapter(shape)) for shape in SHAPES],
        by_alias=True,
        ref_template=ref_template,
    )
    return schemas["$defs"]  # type: ignore[no-any-return]
