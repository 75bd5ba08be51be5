"""What the catalogue answers, shape by shape: the command line and the addresses show the same.

Every answer names the instrument and the day, says whether what it tells binds anybody on that day, and for
which days the text is known. The descriptions below travel into the published schemas.
"""

from dataclasses import dataclass
from datetime import date
from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field

from portal.domain.complaints import ComplaintKind
from portal.domain.deadlines import AnswerTime
from portal.domain.permits import HolderKind, Service
from portal.domain.rules import TermKind
from portal.regulations.penalties import PenaltyKind, Revoked, Scale, Severity
from portal.regulations.permit_types import (
    Cap,
    InspectionRule,
    PlatformListRule,
    RenewalRule,
    RevocationRule,
    SpeedRule,
    SuspensionRule,
    TermRule,
)
from portal.regulations.schema import (
    AgeCount,
    Amendment,
    Authority,
    BoardingRule,
    Deadline,
    InstrumentKind,
    Provision,
    Reading,
    Requirement,
    RequirementKind,
    VehicleLimit,
)
from portal.regulations.tables import FiscalUnit, Number, Quantity, Words

From = Annotated[date | None, Field(serialization_alias="from")]


class Documented:
    """The sentences beside the fields become the descriptions of the schema."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(use_attribute_docstrings=True)


@dataclass(frozen=True, kw_only=True)
class Known(Documented):
    """The days for which the wording of the instrument is known, both included."""

    from_: From
    until: date | None
    """None while no later change is known of."""


@dataclass(frozen=True, kw_only=True)
class Answer(Documented):
    instrument: str
    """Identifier of the instrument in the catalogue."""
    on: date
    """The civil day asked about, in the municipality's own zone."""
    in_force: bool
    """Whether what is answered binds anybody on that day; never true of a bill."""
    bill: bool
    """A bill was proposed and is no law: it authorises and punishes nobody."""
    text_known: Known
    within_known_text: bool
    """False where the day lies outside the days for which the text is known: the nearest wording is told."""


@dataclass(frozen=True, kw_only=True)
class PenaltyTold(Documented):
    """Exact (``amount``), up to a ceiling (``at_most``), or a range (with ``min``); else left undetermined."""

    kind: PenaltyKind
    amount: Number | None
    at_most: Number | None
    min: Number | None
    unit: str | None
    """A fiscal unit of the instrument, ``BRL``, or ``days``, ``business_days``, ``months``, ``years``."""
    article: str
    reading: str | None
    """Of the amount, where the text leaves it open."""


@dataclass(frozen=True, kw_only=True)
class RepeatTold(Documented):
    """What a repetition brings."""

    penalties: tuple[PenaltyTold, ...]
    """All that is due the second time, not only what is added."""
    counts: str | None
    """Which earlier infraction makes it one: ``same_infraction``, ``same_group`` or ``any_infraction``."""
    window_months: int | None
    """Within which the earlier one counts; None where the text states no window."""
    article: str
    reading: str | None


@dataclass(frozen=True, kw_only=True)
class ProcedureTold(Documented):
    """What makes the authority act at once."""

    id: str
    words: Words
    text: str
    """The official text, verbatim, in Portuguese."""
    article: str
    categories: tuple[str, ...]
    """Kinds of complaint that may start it."""
    target_hours: int | None
    """The municipality's own target, which no law sets; None where it promises none."""
    target_said_in: str | None
    in_force_from: date
    in_force_until: date | None


@dataclass(frozen=True, kw_only=True)
class GroupTold(Documented):
    """A group of infractions, and what they cost where their own row says nothing else."""

    id: str
    name: str
    """As the text writes it, in Portuguese."""
    severity: Severity | None
    penalties: tuple[PenaltyTold, ...]
    repeat: RepeatTold | None
    article: str
    reading: str | None


@dataclass(frozen=True, kw_only=True)
class InfractionTold(Documented):
    code: str
    """Group and two-digit number (``II-05``), or article, item and letter (``29-III``, ``35-I-b``)."""
    printed_code: str | None
    """As printed, slips and all; None where the row stands without its code."""
    text: str
    """The official text, verbatim, in Portuguese."""
    group: str
    severity: Severity | None
    penalties: tuple[PenaltyTold, ...]
    repeat: RepeatTold | None
    """None where the text says nothing of a repetition."""
    in_force: bool
    in_force_from: date
    in_force_until: date | None
    """Last day of this wording; None while no later one is known."""
    article: str
    duty_revoked: Revoked | None
    """The duty that this row punishes was revoked, though the row still stands."""
    reading: str | None
    """Identifier of the reading that was taken where two are possible (see ``readings`` of the instrument)."""


@dataclass(frozen=True, kw_only=True)
class InfractionList(Answer):
    infractions: tuple[InfractionTold, ...]


@dataclass(frozen=True, kw_only=True)
class FineTold(InfractionTold, Answer):
    """What an infraction costs; ``penalties`` is empty on a day on which the row does not stand."""

    repeated: bool
    """Whether the penalties are those of a repetition."""


@dataclass(frozen=True, kw_only=True)
class ValidityTold(Answer):
    permit_type: str
    issued: date
    paid: date | None
    year: int | None
    """The year the permit is for, where it was given."""
    kind: TermKind
    months: int | None
    grace_days: int
    """Days by which the text itself prolongs the validity; already counted in ``valid_until``."""
    valid_from: date | None
    valid_until: date | None
    """Last day, included; None where the text states no term."""
    ever_valid: bool
    """False where the last day lies before the first, as for a permit issued after its year."""
    renewal_until: date | None
    """Last day on which renewal is asked for in time; None where the text sets none."""
    renewal_article: str | None
    needs: tuple[str, ...]
    """Permit types that must be in force beside this one."""
    needs_article: str | None
    article: str
    reading: str | None


@dataclass(frozen=True, kw_only=True)
class AuthorityTold(Answer):
    """Who decides a matter; ``name`` is None where the text names nobody on that day."""

    matter: str
    name: str | None
    short: str | None
    article: str | None
    in_force_from: date | None
    in_force_until: date | None
    reading: str | None


@dataclass(frozen=True, kw_only=True)
class VehicleAgeTold(Answer):
    """Whether a vehicle of a year is still young enough, and the other limits of its type."""

    vehicle_type: str
    year: int
    max_age_years: int | None
    """None where the text sets no age."""
    age_counted_from: AgeCount | None
    age_years: int
    """Calendar years between the vehicle's year and the day asked about."""
    last_day: date | None
    """The last day on which it is not too old."""
    allowed: bool | None
    """None where the text sets no age."""
    max_people: int | None
    max_seats: int | None
    doors: int | None
    air_conditioning: bool | None
    inspection_every_months: int | None
    """How often a vehicle of this age is inspected; None where the text does not say."""
    article: str | None
    reading: str | None


@dataclass(frozen=True, kw_only=True)
class DeadlineTold(Answer):
    """Until when something may be done; ``until`` is None where the text sets no time."""

    what: str
    from_: From
    until: date | None
    amount: int | None
    counted_in: str | None
    """``calendar`` or ``business`` days, ``months`` or ``hours``."""
    start: str | None
    """What it runs from: ``notice``, ``decision`` …"""
    backwards: bool
    """True for a time that ends before the day it is counted from, such as a renewal."""
    words: Words | None
    """The rule in plain words."""
    calendar_note: Words | None
    """Which holidays entered the count, where business days are counted."""
    article: str | None
    reading: str | None


@dataclass(frozen=True, kw_only=True)
class RequirementTold(Answer):
    """What the text asks for; ``words`` is None where it says nothing of this on that day."""

    what: str
    kind: RequirementKind | None
    words: Words | None
    where: Words | None
    form: Words | None
    check: bool
    """Whether a passenger can see it on the spot."""
    permit: str | None
    fee: Quantity | None
    """What it costs, where it is a fee; without any measure the text leaves the amount to somebody else."""
    article: str | None
    in_force_from: date | None
    in_force_until: date | None
    reading: str | None


@dataclass(frozen=True, kw_only=True)
class CategoryTold(Answer):
    """What the instrument says of a kind of complaint. Where it says nothing the ombudsman still takes it."""

    category: str
    complaint_kind: ComplaintKind
    stated: bool
    """False where the instrument has no provision of it."""
    infractions: tuple[InfractionTold, ...]
    articles: tuple[str, ...]
    condition: Words | None
    matter: str | None
    authority: str | None
    authority_article: str | None
    procedures: tuple[ProcedureTold, ...]
    """What makes the authority act at once."""
    reaches_ombudsman: bool = True


@dataclass(frozen=True, kw_only=True)
class Terms(Answer):
    """The identifiers by which the instrument is asked."""

    municipality: str
    kind: InstrumentKind
    title: str
    service: Service
    permit_types: tuple[str, ...]
    vehicle_types: tuple[str, ...]
    matters: tuple[str, ...]
    requirements: tuple[str, ...]
    deadlines: tuple[str, ...]
    categories: tuple[str, ...]
    """Those of which the instrument says something; every shared category may be asked about."""
    codes: tuple[str, ...]
    """Of infractions, on any day."""
    units: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class PermitTypeTold(Documented):
    """A type of permit with the rules that stand on the day; None where the text has no such rule."""

    id: str
    name: Words
    service: Service
    holder: HolderKind
    about: str
    """What a look-up by plate finds it through: ``vehicle``, ``person`` or ``company``."""
    needs: tuple[str, ...]
    needs_article: str | None
    term: TermRule | None
    suspension: SuspensionRule | None
    revocation: RevocationRule | None
    inspection: InspectionRule | None
    renewal: RenewalRule | None
    platform_list: PlatformListRule | None
    max_speed: SpeedRule | None
    caps: tuple[Cap, ...]


@dataclass(frozen=True, kw_only=True)
class MeasureTold(Documented):
    """Suspension, revocation, seizure and the like, beyond the list of infractions."""

    id: str
    on_whom: str
    words: Words
    penalties: tuple[PenaltyTold, ...]
    text: str
    """The official text, verbatim, in Portuguese."""
    article: str
    ends: str | None
    in_force_from: date
    in_force_until: date | None
    reading: str | None


@dataclass(frozen=True, kw_only=True)
class InstrumentTold(Answer):
    """A whole instrument as it stands on a day."""

    municipality: str
    kind: InstrumentKind
    title: str
    number: str | None
    """As the text gives it; None where it gives none."""
    dated: date
    dated_as_printed: str
    service: Service
    about: Words
    in_force_from: date
    in_force_until: date | None
    in_force_reading: str | None
    text_known_note: Words | None
    amendments: tuple[Amendment, ...]
    readings: tuple[Reading, ...]
    units: tuple[FiscalUnit, ...]
    permits: tuple[PermitTypeTold, ...]
    requirements: tuple[Requirement, ...]
    boarding: tuple[BoardingRule, ...]
    vehicle_limits: tuple[VehicleLimit, ...]
    authorities: tuple[Authority, ...]
    deadlines: tuple[Deadline, ...]
    procedures: tuple[ProcedureTold, ...]
    scales: tuple[Scale, ...]
    groups: tuple[GroupTold, ...]
    infractions: tuple[InfractionTold, ...]
    measures: tuple[MeasureTold, ...]
    provisions: tuple[Provision, ...]


@dataclass(frozen=True, kw_only=True)
class Rights:
    """What the page of a service shows; ``law`` is None where no instrument is known."""

    municipality: str
    service: Service
    on: date
    law: InstrumentTold | None
    categories: tuple[CategoryTold, ...]
    """Every kind of complaint that makes sense for the service, in the order of the questionnaire."""
    answer: AnswerTime | None
    """The ombudsman's own clock, by federal law."""
