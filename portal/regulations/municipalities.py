"""The towns served: what a person needs to know of one before any law is asked."""

from dataclasses import dataclass, field
from datetime import date, datetime
from zoneinfo import ZoneInfo

from portal.domain.permits import Service
from portal.regulations.calendar import holidays_of
from portal.regulations.shared_files import (
    DismissalGround,
    Holiday,
    Ombudsman,
    Privacy,
    SilenceRule,
    Target,
    Tiles,
)
from portal.regulations.tables import Words


@dataclass(frozen=True, slots=True)
class Municipality:
    slug: str
    name: str
    state: str
    """Two letters."""
    ibge_code: int
    zone: ZoneInfo
    latitude: float
    """Of its seat, in degrees."""
    longitude: float
    services: tuple[Service, ...]
    """Those a passenger can ask about here, whether an instrument in force rules them or not."""
    accent: str
    """Its own colour, ``#rrggbb``: the stripe below the heading of its pages."""
    ombudsman: Ombudsman
    holidays_note: Words | None = None
    targets: tuple[Target, ...] = ()
    """Times that it promises of its own accord, where no law sets one."""
    silence: tuple[SilenceRule, ...] = ()
    """Its acts on complaints whose author does not reply."""
    dismissals: tuple[DismissalGround, ...] = ()
    """Grounds for a dismissal in its own law, beside the federal ones."""
    privacy: Privacy = field(default_factory=Privacy)
    """Who answers for data protection, what is handled and why, and how long it is kept."""
    tiles: Tiles | None = None
    holiday_rules: tuple[tuple[Holiday, ...], ...] = field(default=(), repr=False, compare=False)
    """National rules, then the municipality's own."""
    _years: dict[int, dict[date, str]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def holidays(self, year: int) -> dict[date, str]:
        """Days without work, each with its name."""
        if year not in self._years:
            self._years[year] = holidays_of(year, *self.holiday_rules)
        return self._years[year]

    def civil_day(self, moment: datetime) -> date:
        """The day it is here at an instant."""
        return moment.astimezone(self.zone).date()

    def is_holiday(self, day: date) -> bool:
        return day in self.holidays(day.year)
