"""A type of permit as a file of the catalogue says it: its term, suspension, revocation, renewal and caps."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from portal.domain.permits import HolderKind, Service
from portal.domain.rules import BarKind, DayKind, SuspensionEnd, TermKind
from portal.regulations.tables import Dated, Identifier, Table, Words


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
