"""What a file of the catalogue may hold, and nothing else: an unknown key is an error.

Everything that a text says stands with its article and with the days between which that wording was
in force; where a file leaves them out they are those of the instrument.
"""

from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, ValidationInfo, model_validator

from portal.domain.complaints import ComplaintKind
from portal.domain.permits import HolderKind, Service
from portal.domain.rules import BarKind, DayKind, SuspensionEnd, TermKind

Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]


def _plain(number: Decimal) -> int | float:
    return int(number) if number == number.to_integral_value() else float(number)


Number = Annotated[Decimal, PlainSerializer(_plain, return_type=int | float, when_used="json")]
"""Exact inside, and in JSON the number that a text prints: 60, not "60" nor 60.0."""


class Table(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        str_strip_whitespace=True,
        str_min_length=1,
        use_attribute_docstrings=True,
    )


class Words(Table):
    """A plain sentence of the folder's own; the official text is Portuguese alone and never stands here."""

    pt: str
    en: str
    es: str

    def said(self, language: str) -> str:
        """The sentence in a language of ``portal.i18n``: ``pt_BR``, ``en`` or ``es``."""
        return {"en": self.en, "es": self.es}.get(language, self.pt)


class Dated(Table):
    article: str
    """As it is cited: ``art. 15, II``."""
    in_force_from: date
    in_force_until: date | None = None
    """Last day of this wording; None while no later one is known."""
    reading: Identifier | None = None
    """The reading that was taken where the text allows two."""

    @model_validator(mode="before")
    @classmethod
    def _dated_as_the_file(cls, raw: Any, info: ValidationInfo) -> Any:
        """A row without dates has those of its instrument, so that a file only dates what was amended."""
        since = (info.context or {}).get("since")
        if isinstance(raw, dict) and since is not None:
            return {"in_force_from": since, **raw}
        return raw

    def in_force(self, on: date) -> bool:
        return self.in_force_from <= on and (self.in_force_until is None or on <= self.in_force_until)


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


class FiscalUnit(Table):
    id: str
    name: Words


class Quantity(Table):
    """A penalty's measure: exact (``amount``), up to a ceiling (``at_most``), or a range (with ``min``).

    With none of the three the text leaves it undetermined.
    """

    amount: Number | None = None
    min: Number | None = None
    at_most: Number | None = None
    unit: str | None = None
    """A fiscal unit of the instrument, ``BRL``, or ``days``, ``business_days``, ``months``, ``years``."""

    @model_validator(mode="after")
    def _measured(self) -> Self:
        if self.amount is not None and (self.min is not None or self.at_most is not None):
            raise ValueError("either an amount, or a ceiling with an optional minimum")
        if self.min is not None and self.at_most is None:
            raise ValueError("a minimum needs its ceiling")
        if any(value is not None for value in (self.amount, self.at_most)) and self.unit is None:
            raise ValueError("a measure needs its unit")
        return self


class PenaltyKind(StrEnum):
    WARNING = "warning"
    FINE = "fine"
    DAILY_FINE = "daily_fine"
    SUSPENSION = "suspension"
    IMMEDIATE_SUSPENSION = "immediate_suspension"
    REVOCATION = "revocation"
    EXCLUSION = "exclusion"
    BARRED_FROM_SERVICE = "barred_from_service"
    SEIZURE = "seizure"
    RETENTION = "retention"
    REMOVAL = "removal"
    CANCELLATION = "cancellation"


class Penalty(Quantity):
    kind: PenaltyKind
    scale: Identifier | None = None
    """A scale of fines of the instrument, whose amount changes with the date."""
    article: str | None = None
    """Only where it differs from that of the infraction or group."""


class Repeat(Table):
    """What a repetition brings."""

    multiplier: Number | None = None
    penalties: tuple[Penalty, ...] = ()
    adds: tuple[Penalty, ...] = ()
    """Beside the first penalty, not instead of it."""
    counts: Literal["same_infraction", "same_group", "any_infraction"] | None = None
    """Which earlier infraction makes it one; None where the text does not say."""
    window_months: int | None = None
    """Counted as the article says; None where the text states no window."""
    article: str
    reading: Identifier | None = None


class Scale(Dated, Quantity):
    """A named fine, such as *multa leve*."""

    id: Identifier


class Severity(StrEnum):
    PRIMARY = "primary"
    LIGHT = "light"
    MEDIUM = "medium"
    SERIOUS = "serious"
    VERY_SERIOUS = "very_serious"


class Group(Table):
    id: str
    name: str
    """As the text writes it."""
    severity: Severity | None = None
    article: str
    penalties: tuple[Penalty, ...] = ()
    repeat: Repeat | None = None
    reading: Identifier | None = None


class Revoked(Table):
    """The duty that an infraction punishes was revoked, though the annex still lists it."""

    by: str
    article: str
    dated: date | None = None
    year: int


class Infraction(Dated):
    printed_code: str | None = None
    """As printed, slips and all; None where the row stands without its code."""
    code: str
    """Group and two-digit number (``II-05``), or article, item and letter (``29-III``, ``35-I-b``)."""
    text: str
    """Verbatim."""
    group: str
    severity: Severity | None = None
    penalties: tuple[Penalty, ...] | None = None
    """None takes those of the group."""
    repeat: Repeat | None = None
    duty_revoked: Revoked | None = None


class Measure(Dated):
    """Grounds on which a permit or record is suspended, revoked, a vehicle seized, beyond the infractions."""

    id: Identifier
    on_whom: Literal["permit", "driver", "vehicle", "platform", "anyone"]
    penalties: tuple[Penalty, ...]
    words: Words
    text: str
    """Verbatim."""
    ends: SuspensionEnd | None = None


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


class BoardingKind(StrEnum):
    ONLY_AT_ENDS = "only_at_ends"
    BY_APP_ONLY = "by_app_only"
    CLOSED_GROUP = "closed_group"
    """Passengers of a list drawn up before the journey."""
    NOT_AT = "not_at"


class BoardingRule(Dated):
    kind: BoardingKind
    words: Words


class TermRule(Dated):
    kind: TermKind
    months: int | None = None
    grace_days: int = 0

    @model_validator(mode="after")
    def _long_enough(self) -> Self:
        if (self.kind is TermKind.MONTHS_FROM_ISSUE) != (self.months is not None):
            raise ValueError("months belong to months_from_issue, and only to it")
        return self


class SuspensionRule(Dated):
    ends_by: SuspensionEnd
    max_days: int | None = None
    counted_in: DayKind | None = None


class RevocationRule(Dated):
    bar: BarKind
    months: int | None = None
    bar_article: str | None = None
    """Where the bar stands in another article than the revocation."""

    @model_validator(mode="after")
    def _long_enough(self) -> Self:
        if (self.bar is BarKind.MONTHS) != (self.months is not None):
            raise ValueError("months belong to the bar of that kind, and only to it")
        return self


class InspectionRule(Dated):
    failed_bars: bool
    every_months: int | None = None
    mend_days: int | None = None
    """Calendar days to put right what was found."""


class MonthDay(Table):
    month: Annotated[int, Field(ge=1, le=12)]
    day: Annotated[int, Field(ge=1, le=31)]


class RenewalRule(Dated):
    days_before: int | None = None
    counted_in: DayKind = DayKind.CALENDAR
    window_from: MonthDay | None = None
    window_until: MonthDay | None = None


class PlatformListRule(Dated):
    every_days: int | None = None
    business_day_of_next_month: int | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.every_days is None) == (self.business_day_of_next_month is None):
            raise ValueError("either every_days or business_day_of_next_month")
        return self


class SpeedRule(Dated):
    kmh: int


class Cap(Dated):
    """How many permits, vehicles or drivers there may be."""

    of: Identifier
    at_most: int
    words: Words


class PermitType(Table):
    id: Identifier
    name: Words
    service: Service
    holder: HolderKind
    about: Literal["vehicle", "person", "company"]
    """What a look-up by plate finds it through."""
    needs: tuple[Identifier, ...] = ()
    needs_article: str | None = None
    term: tuple[TermRule, ...]
    suspension: tuple[SuspensionRule, ...] = ()
    revocation: tuple[RevocationRule, ...] = ()
    inspection: tuple[InspectionRule, ...] = ()
    renewal: tuple[RenewalRule, ...] = ()
    platform_list: tuple[PlatformListRule, ...] = ()
    max_speed: tuple[SpeedRule, ...] = ()
    caps: tuple[Cap, ...] = ()


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


class Fact(StrEnum):
    VEHICLE = "vehicle"
    PLACE = "place"
    TIME = "time"


class Category(Table):
    """A kind of complaint shared by all towns; ``portal.wording.categories`` says it in words."""

    id: Identifier
    kind: ComplaintKind
    needs: tuple[Fact, ...] = ()
    """Facts that are asked for; none is ever required."""
    fast_lane: bool = False
    """Somebody is in danger or was harmed: the case stands on top of the desk's list."""
    services: tuple[Service, ...] = tuple(Service)
    unauthorised: bool = False
    """Belongs to the door "Denunciar transporte sem autorização"."""


class CategoriesFile(Table):
    categories: tuple[Category, ...]


class Holiday(Dated):
    """A day without work: fixed (``month``, ``day``), or so many days from Easter Sunday."""

    name: str
    month: int | None = None
    day: int | None = None
    from_easter: int | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        fixed = self.month is not None and self.day is not None
        if fixed == (self.from_easter is not None):
            raise ValueError("either month and day, or from_easter")
        return self


class AnswerRule(Dated):
    what: Literal["ombudsman", "unit"]
    days: int
    extension_days: int
    counted_in: DayKind
    rolls_to_business_day: bool = False


class DismissalGround(Dated):
    """A legal ground on which a complaint may be archived; its author reads the words and the article."""

    id: Identifier
    words: Words


class FederalFile(Table):
    holidays: tuple[Holiday, ...]
    answer: tuple[AnswerRule, ...]
    dismissals: tuple[DismissalGround, ...] = ()


class Ombudsman(Table):
    name: str
    phone: str | None = None
    email: str | None = None
    url: str | None = None
    hours: str | None = None


class Tiles(Table):
    """Where the portal fetches map tiles for a town; without it the map draws lines and stops alone."""

    address: Annotated[str, Field(pattern=r"^https?://[^{}\s]*\{z\}[^{}\s]*\{x\}[^{}\s]*\{y\}[^{}\s]*$")]
    """With ``{z}``, ``{x}`` and ``{y}`` in the place of zoom, column and row."""
    credit: str
    """Who made the map, as its licence asks to be told."""


class Target(Table):
    """A time that the municipality itself promises for a procedure; no law sets it, and it is labelled so."""

    instrument: str
    procedure: Identifier
    hours: Annotated[int, Field(gt=0)]
    said_in: str
    """Where the municipality promises it."""


class SilenceRule(Dated):
    """An act of the municipality's own on a complaint whose author does not reply to what was asked.

    Without one nothing stops the clock and nothing is archived for silence.
    """

    act: str
    """Its title and number, as it is cited."""
    days: Annotated[int, Field(gt=0)]
    """Calendar days for the reply."""
    archives: bool
    """Whether the complaint is archived once they are over."""
    pauses: bool
    """Whether the time for the answer stands still meanwhile."""
    words: Words
    """Why it was archived, as its author reads it."""


class MunicipalityFile(Table):
    name: str
    state: Annotated[str, Field(pattern=r"^[A-Z]{2}$")]
    ibge_code: Annotated[int, Field(ge=1000000, le=9999999)]
    zone: str
    latitude: Annotated[float, Field(ge=-90, le=90)]
    longitude: Annotated[float, Field(ge=-180, le=180)]
    services: tuple[Service, ...]
    accent: Annotated[str, Field(pattern=r"^[a-z]+(-[a-z0-9]+)*$")]
    """A colour token of the design system."""
    ombudsman: Ombudsman
    holidays: tuple[Holiday, ...] = ()
    holidays_note: Words | None = None
    targets: tuple[Target, ...] = ()
    silence: tuple[SilenceRule, ...] = ()
    dismissals: tuple[DismissalGround, ...] = ()
    tiles: Tiles | None = None
