"""Itineraries, their stops and what a feed or a clerk's table says of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from portal.domain.permits import Service
from portal.domain.timetable import Calendar, Frequency


class Way(StrEnum):
    OUTBOUND = "outbound"
    INBOUND = "inbound"


class StopKind(StrEnum):
    BOARDING_POINT = "boarding_point"
    STOP = "stop"
    """The vehicle passes or pauses here, but nobody may board."""


class ItineraryStatus(StrEnum):
    AUTHORIZED = "authorized"
    """A permit in force names this itinerary."""
    NOT_IN_FORCE = "not_in_force"
    """No permit in force names it on the day asked about."""
    OF_BILL = "of_bill"
    """Described after a bill, which authorises nobody."""
    NOT_OURS = "not_ours"
    """A bus line: no instrument of this portal authorises it, and none is needed."""


class Sheet(StrEnum):
    """The tables that a clerk keeps, in files or at the desk."""

    STOPS = "stops"
    ITINERARIES = "itineraries"
    DEPARTURES = "departures"


@dataclass(frozen=True, slots=True)
class ClerkRow:
    """One row of a clerk's table: its filled cells by column, as they were written."""

    cells: Mapping[str, str]
    entry: int | None = None
    """Which row the desk knows it as; None out of a file."""


@dataclass(frozen=True, slots=True)
class ParsedStop:
    code: str
    name: str
    latitude: float
    longitude: float
    accessible: bool | None = None
    kind: StopKind | None = None
    """None: the two ends board, or every stop, as the law of the service says."""
    reference: str | None = None
    """What to look for: beside the church, platform 2."""
    valid_until: date | None = None
    """The last day on which anything stops here, where an end is known."""


@dataclass(frozen=True, slots=True)
class ParsedCall:
    """One stop of one trip; seconds count from noon of the service day minus twelve hours."""

    stop: str
    arrives: int | None
    departs: int | None
    boarding: bool = True
    approximate: bool = False
    """Not in the source: lies between two times that are."""


@dataclass(frozen=True, slots=True)
class ParsedTrip:
    code: str
    calendar: str
    way: Way
    calls: tuple[ParsedCall, ...]
    headsign: str | None = None
    frequencies: tuple[Frequency, ...] = ()
    accessible: bool | None = None


@dataclass(frozen=True, slots=True)
class ParsedItinerary:
    code: str
    name: str
    trips: tuple[ParsedTrip, ...] = ()
    ways: Mapping[Way, tuple[str, ...]] = field(default_factory=dict)
    """Stop codes in their order, for each way that is travelled."""
    shapes: Mapping[Way, tuple[tuple[float, float], ...]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    """The name in other languages: ``{"en": …, "es": …}``."""
    operator: str | None = None
    """Who runs a bus line; of an authorised itinerary the company is read from the permit."""
    fare_centavos: int | None = None
    duration_minutes: int | None = None
    zone: str | None = None
    """The time zone of the timetable, where the feed states one."""
    valid_from: date | None = None
    valid_until: date | None = None
    accessible: bool | None = None
    route_type: int | None = None
    """The kind of vehicle as GTFS numbers it: 3 is a bus, 4 a ferry."""


@dataclass(frozen=True, slots=True)
class ParsedTimetable:
    """A whole feed, ready to be staged: everything a source says, and nothing of where it is kept."""

    stops: tuple[ParsedStop, ...]
    itineraries: tuple[ParsedItinerary, ...]
    calendars: Mapping[str, Calendar] = field(default_factory=dict)
    clerk_rows: Mapping[str, tuple["ClerkRow", ...]] = field(default_factory=dict)
    """By ``Sheet``, where the source is a clerk's tables: kept, so that the desk goes on from them."""


@dataclass(frozen=True, slots=True)
class ParsedPlace:
    """A neighbourhood or a sight, to say where one is."""

    name: str
    kind: str
    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True)
class SourceProblem:
    """One thing wrong with an imported file; ``code`` is worded by ``portal.wording.imports``."""

    code: str
    file: str
    line: int | None = None
    field: str | None = None
    value: str | None = None
    fatal: bool = True
    """False: the import goes on without this row, or with a guess that is said."""


def service_of(text: str | None) -> Service | None:
    """The service of an itinerary; None for a bus line."""
    return Service(text) if text else None
