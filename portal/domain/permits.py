"""Permits, their vehicles and what happened to them, as the register tells it."""

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum


class Service(StrEnum):
    """Kinds of service, as addresses name them."""

    RECREATIONAL = "recreativo"
    RIDE_HAILING = "aplicativo"
    TOURISM = "turismo"


class HolderKind(StrEnum):
    COMPANY = "company"
    NATURAL_PERSON = "natural_person"


class Status(StrEnum):
    """What a look-up answers. The first eight run from best to worst."""

    AUTHORIZED = "authorized"
    RENEWAL_PENDING = "renewal_pending"
    NOT_YET_VALID = "not_yet_valid"
    EXPIRED = "expired"
    BARRED = "barred"
    SUSPENDED = "suspended"
    CANCELLED = "cancelled"
    REVOKED = "revoked"
    NOT_IN_FORCE = "not_in_force"
    """The public answer for a person's permit, whatever the cause: never a sanction."""
    NOT_FOUND = "not_found"
    UNKNOWN = "unknown"
    """The list cannot be consulted, or a platform's list is older than the law lets it be."""
    NOT_REGULATED = "not_regulated"


class EventKind(StrEnum):
    REQUEST = "request"
    PAYMENT = "payment"
    ISSUE = "issue"
    RENEWAL_REQUEST = "renewal_request"
    INSPECTION_FAILED = "inspection_failed"
    INSPECTION_PASSED = "inspection_passed"
    SUSPENSION = "suspension"
    RELEASE = "release"
    REVOCATION = "revocation"
    CANCELLATION = "cancellation"
    VEHICLE_CHANGE = "vehicle_change"


@dataclass(frozen=True, slots=True)
class PermitEvent:
    """One act on a permit. ``unit`` is the position of the vehicle it concerns; None is the whole permit."""

    kind: EventKind
    on: date
    until: date | None = None
    """For a suspension: its last day, when the act states one."""
    unit: int | None = None
    act_number: str | None = None
    act_date: date | None = None
    by_desk: bool = field(default=False, compare=False)
    """Recorded by a clerk at the desk: a list that is silent about it never takes it back."""


@dataclass(frozen=True, slots=True)
class VehicleUnit:
    """One vehicle of a permit; a recreational combination has a tractor and trailers, each with its plate."""

    position: int
    """1 for the tractor or the only vehicle, then the trailers in order."""
    role: str
    """``vehicle``, ``tractor`` or ``trailer``."""
    plate: str
    plate_key: str
    """Folds the old and the Mercosul plate of one vehicle together."""
    vehicle_type: str | None = None
    model_year: int | None = None
    capacity: int | None = None
    """Seated passengers of this vehicle."""
    valid_from: date | None = None
    valid_until: date | None = None
    """Last day on which this vehicle belongs to the permit; None while it does."""


@dataclass(frozen=True, slots=True)
class Permit:
    """A permit as the register shows it on the day asked about; its status is derived from its events."""

    id: int
    municipality: str
    service: Service
    permit_type: str
    number: str
    holder_kind: HolderKind
    units: tuple[VehicleUnit, ...]
    events: tuple[PermitEvent, ...]
    year: int | None = None
    """The calendar year the permit is for, where the term needs one."""
    trade_name: str | None = None
    """Only of a company; an old sole trader's registered name is a person's name and never stands here."""
    itinerary: str | None = None
    """Code of the itinerary that the permit names."""
    max_speed_kmh: int | None = None
    paper_valid_from: date | None = None
    paper_valid_until: date | None = None
    """The dates printed on the paper; where they disagree with the law the earlier end counts."""
    renewal_of: int | None = None

    def first(self, kind: EventKind) -> PermitEvent | None:
        return next((event for event in self.events if event.kind is kind), None)
