"""What is told of itineraries and stops, shape by shape: pages, JSON and bot show the same."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

from portal.domain.geo import Direction
from portal.domain.itineraries import ItineraryStatus, StopKind
from portal.domain.permits import Service
from portal.domain.timetable import DayGroup, Departure, Outlook
from portal.regulations.municipalities import Municipality
from portal.regulations.schema import BoardingKind, BoardingRule, Requirement

SOON = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody looks for among stops and itineraries; nothing is left out by default."""

    service: Service | None = None
    accessible: bool = False
    """Only what is known to be accessible."""
    running: bool = False
    """Only where something leaves within ``SOON``."""

    @property
    def narrows(self) -> bool:
        """Whether anything may be left out."""
        return self != EVERYTHING


EVERYTHING = Wanted()


@dataclass(frozen=True, slots=True)
class StopSummary:
    municipality: str
    code: str
    name: str
    latitude: float
    longitude: float
    kind: StopKind
    accessible: bool | None = None
    reference: str | None = None


@dataclass(frozen=True, slots=True)
class PermitOnRoute:
    """A permit in force that names an itinerary: number and capacity, never a plate."""

    number: str
    valid_until: date | None
    capacity: int | None
    """Seated passengers of the vehicles that may work."""
    max_speed_kmh: int | None
    trade_name: str | None


@dataclass(frozen=True, slots=True)
class ItinerarySummary:
    municipality: str
    code: str
    name: str
    """In Portuguese; ``name_in`` gives the others."""
    service: Service | None
    """None for a bus line."""
    status: ItineraryStatus
    ends: tuple[StopSummary, ...] = ()
    """One for a round trip, otherwise the two ends."""
    fare_centavos: int | None = None
    duration_minutes: int | None = None
    valid_from: date | None = None
    valid_until: date | None = None
    expired: bool = False
    """The timetable was valid until a day that is over."""
    operator: str | None = None
    accessible: bool | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    next: Departure | None = None

    def name_in(self, language: str) -> str:
        return self.names.get(language.split("_")[0], self.name)


@dataclass(frozen=True, slots=True)
class BoardingOfService:
    """Where boarding is allowed in one service, as its instrument says on a day."""

    service: Service
    kind: BoardingKind | None
    rules: tuple[BoardingRule, ...] = ()
    of_bill: bool = False
    instrument: str | None = None
    tickets: tuple[Requirement, ...] = ()


@dataclass(frozen=True, slots=True)
class ItineraryList:
    municipality: Municipality
    itineraries: tuple[ItinerarySummary, ...]
    services: tuple[BoardingOfService, ...]
    as_of: date | None = None
    """The day of the oldest list shown."""

    @property
    def only_by_app(self) -> tuple[Service, ...]:
        """Services whose vehicles are boarded through the application alone."""
        return tuple(each.service for each in self.services if each.kind is BoardingKind.BY_APP_ONLY)


@dataclass(frozen=True, slots=True)
class WayView:
    way: str
    stops: tuple[StopSummary, ...]
    outlook: Outlook
    headsign: str | None = None


@dataclass(frozen=True, slots=True)
class ItineraryView:
    municipality: Municipality
    summary: ItinerarySummary
    ways: tuple[WayView, ...]
    outlook: Outlook
    week: tuple[DayGroup, ...]
    """Seven days from today; of an expired timetable the last seven that it knew."""
    has_timetable: bool
    boarding: BoardingOfService | None
    permits: tuple[PermitOnRoute, ...]
    as_of: date
    source: str
    holiday: str | None = None
    """Today's holiday, where the timetable does not say what holidays change."""
    shapes: Mapping[str, tuple[tuple[float, float], ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StopList:
    municipality: Municipality
    stops: tuple[StopSummary, ...]
    total: int
    page: int = 1
    pages: int = 1


@dataclass(frozen=True, slots=True)
class StopView:
    municipality: Municipality
    stop: StopSummary
    itineraries: tuple[ItinerarySummary, ...]
    outlook: Outlook
    has_timetable: bool
    as_of: date
    source: str
    holiday: str | None = None
    boarding: tuple[BoardingRule, ...] = ()
    """Where boarding is allowed in the services that pass here."""

    def route_name(self, code: str, language: str) -> str:
        return next((each.name_in(language) for each in self.itineraries if each.code == code), code)

    def status_of(self, code: str) -> ItineraryStatus | None:
        return next((each.status for each in self.itineraries if each.code == code), None)


@dataclass(frozen=True, slots=True)
class NearbyStop:
    stop: StopSummary
    metres: int
    minutes: int
    """On foot, streets allowed for."""
    direction: Direction
    itineraries: tuple[ItinerarySummary, ...]
    next: Departure | None = None

    @property
    def next_status(self) -> ItineraryStatus | None:
        """What the itinerary of the next departure rests on today."""
        code = self.next.itinerary if self.next else None
        return next((each.status for each in self.itineraries if each.code == code), None)
