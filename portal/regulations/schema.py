"""What a file of an instrument may hold, and nothing else: an unknown key is an error.

Everything that a text says stands with its article and with the days between which that wording was
in force; where a file leaves them out they are those of the instrument.
"""

from datetime import date
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from portal.domain.permits import Service
from portal.regulations.penalties import Group, Infraction, Measure, Scale
from portal.regulations.permit_types import PermitType
from portal.regulations.tables import Dated, FiscalUnit, Identifier, Quantity, Table, Words


class InstrumentKind(StrEnum):
    DECREE = "decree"
    LAW = "law"
    BILL = "bill"


class Amendment(Table):
    title: str
    kind: InstrumentKind
    number: str
    dated: date | None = None
    """None where the text gives a year alone."""
    year: int
    note: Words | None = None


class Reading(Table):
    """Two readings of one provision: which one the data takes, and why."""

    id: Identifier
    article: str
    question: Words
    taken: Words
    because: Words


class Matter(StrEnum):
    """What somebody decides; a new matter is a new kind, worded in ``portal.wording.rights``."""

    LICENSING = "licensing"
    INSPECTION = "inspection"
    UNAUTHORISED_TRANSPORT = "unauthorised_transport"
    IMMEDIATE_PROCEDURE = "immediate_procedure"
    VEHICLE_INSPECTION = "vehicle_inspection"
    NOTIFICATION = "notification"
    JUDGMENT = "judgment"
    APPEAL = "appeal"
    PLATFORM_LIST = "platform_list"
    LOST_PROPERTY = "lost_property"
    SUGGESTIONS_AND_REPORTS = "suggestions_and_reports"
    FEES = "fees"
    TAXES = "taxes"


class Authority(Dated):
    matter: Matter
    name: str
    short: str | None = None


class Deadline(Dated):
    what: Identifier
    words: Words
    amount: int
    counted_in: Literal["calendar", "business", "months", "hours"]
    start: Identifier
    """What it runs from: ``notice``, ``decision``, ``infraction`` …"""
    backwards: bool = False
    """True for a time that must lie before its start, such as a renewal before the last day."""


class AgeCount(StrEnum):
    MODEL_YEAR = "model_year"
    """From the model year, which closes on 31 December."""
    MANUFACTURE_YEAR = "manufacture_year"
    """From the year of manufacture; the text says no more, so whole calendar years are counted."""


class VehicleLimit(Dated):
    vehicle_type: Identifier
    max_age_years: int | None = None
    age_counted_from: AgeCount | None = None
    max_people: int | None = None
    """Driver included."""
    max_seats: int | None = None
    """As the text says, without saying whether the driver counts."""
    doors: int | None = None
    air_conditioning: bool | None = None
    inspection_every_months: int | None = None
    inspection_every_months_once_older: int | None = None
    once_older_from_age: int | None = None
    """The first age, in calendar years, at which the second interval holds."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if self.max_age_years is not None and self.age_counted_from is None:
            raise ValueError("an age limit needs age_counted_from")
        return self


class RequirementKind(StrEnum):
    DISPLAY = "display"
    TICKET = "ticket"
    CAPACITY = "capacity"
    SPEED = "speed"
    BOARDING = "boarding"
    VEHICLE = "vehicle"
    DRIVER = "driver"
    DOCUMENT = "document"
    PLATFORM = "platform"
    APPLICATION = "application"
    CONDUCT = "conduct"
    ACCESSIBILITY = "accessibility"


class Requirement(Dated):
    """Something the text asks for, in plain words; ``check`` marks what a passenger can see on the spot."""

    what: Identifier
    kind: RequirementKind
    words: Words
    where: Words | None = None
    """Where it is displayed or sold."""
    form: Words | None = None
    """What it must look like or hold."""
    check: bool = False
    permit: Identifier | None = None
    """Only for this type of permit; None is all of the instrument."""
    fee: Quantity | None = None
    """What it costs, where it is a fee; without any measure the text leaves the amount to somebody else."""


class CardKind(StrEnum):
    SHEET = "sheet"
    STICKER = "sticker"
    SEAL = "seal"


class CardField(StrEnum):
    """What is printed on a card, beside its code, its number of issue and the municipality."""

    AUTHORITY = "authority"
    CAPACITY = "capacity"
    HOLDER = "holder"
    """A company's trade name; a person's name never stands on a card."""
    ITINERARY = "itinerary"
    NUMBER = "number"
    OMBUDSMAN_PHONE = "ombudsman_phone"
    PLATES = "plates"
    SPEED = "speed"
    VALIDITY = "validity"


class CardSize(Table):
    id: Identifier
    width_mm: Annotated[int, Field(gt=30, le=420)]
    height_mm: Annotated[int, Field(gt=30, le=420)]


class CardLayout(Dated):
    """What a permit looks like where it is displayed: the sheet on board, the sticker, the seal."""

    id: Identifier
    kind: CardKind
    name: Words
    display: Identifier
    """The requirement that says where it is displayed."""
    permit: Identifier | None = None
    """Only for this type of permit; None is every type of the instrument that is about a vehicle or its driver."""
    one_vehicle: bool
    """Whether a vehicle has its own, or one stands for every vehicle of the permit."""
    sizes: Annotated[tuple[CardSize, ...], Field(min_length=1)]
    prints: Annotated[tuple[CardField, ...], Field(min_length=1)]
    """In the order in which they are printed; the first is the largest."""


class BoardingKind(StrEnum):
    ONLY_AT_ENDS = "only_at_ends"
    BY_APP_ONLY = "by_app_only"
    CLOSED_GROUP = "closed_group"
    """Passengers of a list drawn up before the journey."""
    NOT_AT = "not_at"


class BoardingRule(Dated):
    kind: BoardingKind
    words: Words


class Provision(Table):
    """What an instrument says of a kind of complaint; a file names only those of which it says something."""

    category: Identifier
    infractions: tuple[str, ...] = ()
    articles: tuple[str, ...] = ()
    condition: Words | None = None
    matter: Matter | None = None
    """Whose authority it goes to, when it is not the general inspection."""


class Procedure(Dated):
    """What makes the authority act at once."""

    id: Identifier
    words: Words
    text: str
    """Verbatim."""
    categories: tuple[Identifier, ...] = ()


class Instrument(Table):
    id: str
    municipality: str
    kind: InstrumentKind
    title: str
    number: str | None = None
    """As the text gives it; None where it gives none."""
    dated: date
    dated_as_printed: str
    service: Service
    about: Words
    in_force_from: date
    """For a bill the day on it: its rows are dated, though it is not in force on any."""
    in_force_until: date | None = None
    in_force_reading: Identifier | None = None
    text_known_from: date
    text_known_until: date | None = None
    """Past it the last wording is applied and said to be the last one known."""
    text_known_note: Words | None = None
    amendments: tuple[Amendment, ...] = ()
    readings: tuple[Reading, ...] = ()
    units: tuple[FiscalUnit, ...] = ()
    permits: tuple[PermitType, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    cards: tuple[CardLayout, ...] = ()
    boarding: tuple[BoardingRule, ...] = ()
    vehicle_limits: tuple[VehicleLimit, ...] = ()
    authorities: tuple[Authority, ...] = ()
    deadlines: tuple[Deadline, ...] = ()
    procedures: tuple[Procedure, ...] = ()
    scales: tuple[Scale, ...] = ()
    groups: tuple[Group, ...] = ()
    infractions: tuple[Infraction, ...] = ()
    measures: tuple[Measure, ...] = ()
    provisions: tuple[Provision, ...] = ()

    @property
    def is_bill(self) -> bool:
        return self.kind is InstrumentKind.BILL

    def in_force(self, on: date) -> bool:
        """Whether it binds anybody on a day; a bill never does."""
        return (
            not self.is_bill
            and self.in_force_from <= on
            and (self.in_force_until is None or on <= self.in_force_until)
        )

    def text_known(self, on: date) -> bool:
        return self.text_known_from <= on and (self.text_known_until is None or on <= self.text_known_until)
