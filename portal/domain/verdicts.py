"""The verdict: a pure function of permits, vehicles, instrument and date.

Page, message, JSON and command line only render a `Verdict`; none of them decides anything.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from portal.domain.permits import HolderKind, Service, Status


@dataclass(frozen=True, slots=True)
class Reason:
    """One statement behind a status: ``code`` is worded by ``portal.wording.verdicts``, ``data`` fills its gaps."""

    code: str
    article: str | None = None
    """As the instrument writes it, such as ``art. 8``."""
    instrument: str | None = None
    """Identifier of the instrument in the catalogue."""
    data: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UnitFinding:
    """One vehicle: its best status among the permits it stands in."""

    plate: str
    role: str
    status: Status


@dataclass(frozen=True, slots=True)
class PermitFinding:
    number: str | None
    """None for a person's permit that is not in force: neither its number nor its dates are told."""
    service: Service
    permit_type: str
    holder_kind: HolderKind
    status: Status
    valid_from: date | None
    valid_until: date | None
    capacity: int | None
    """Seated passengers of the whole combination."""
    max_speed_kmh: int | None
    itinerary: str | None
    units: tuple[UnitFinding, ...]
    trade_name: str | None
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class ListSeen:
    """A list that was consulted: whose it is, of which day, and whether it is older than the law lets it be."""

    source: str
    """The name it was imported under; people read ``portal.wording.verdicts.list_sentences``."""
    kind: str
    """``register`` (the municipality's own) or ``platform``."""
    as_of: date
    stale: bool = False
    service: Service | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    query: str
    """As the person typed it."""
    asked: str
    """As it was read: ``ABC1D23`` or a permit number."""
    is_plate: bool
    municipality: str
    on: date
    computed_at: datetime
    status: Status
    units: tuple[UnitFinding, ...] = ()
    permits: tuple[PermitFinding, ...] = ()
    lists: tuple[ListSeen, ...] = ()
    elsewhere: tuple[tuple[str, Status], ...] = ()
    """Other municipalities where this plate has a permit, each with its status there."""
    notes: tuple[Reason, ...] = ()
    """What is said beside the status: the twin plate, folded look-alike letters, a plate outside the permit."""
    checks: tuple[Reason, ...] = ()
    """What the passenger can check on the spot: displays on board, number of seats, speed, tickets."""
    near_misses: tuple[str, ...] = ()
    """Other readings of the typed text; never a hint at which plates exist."""
    limits: tuple[Reason, ...] = ()
    """Why a vehicle that is authorised may not take people here, now or for this; green is without any."""

    @property
    def checked_under(self) -> tuple[str | None, ...]:
        """The instruments that ``checks`` come from: with town and day they say which checks those are."""
        return tuple(dict.fromkeys(check.instrument for check in self.checks))
