"""What one row, or group of rows, of a register's file says of a permit, before it is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from portal.domain.permits import EventKind, HolderKind, PermitEvent, Service, VehicleUnit


@dataclass(frozen=True, slots=True)
class RegisterEntry:
    """A permit as a list tells it, with its vehicles and acts."""

    service: Service
    permit_type: str
    number: str
    number_key: str
    holder_kind: HolderKind
    units: tuple[VehicleUnit, ...]
    events: tuple[PermitEvent, ...] = ()
    year: int | None = None
    trade_name: str | None = None
    itinerary: str | None = None
    max_speed_kmh: int | None = None
    paper_valid_from: date | None = None
    paper_valid_until: date | None = None
    line: int = 0
    """The first line of the file that tells of it."""
    told_kinds: tuple[EventKind, ...] = ()
    """Kinds of act that the file tells of: for these it replaces what was known; of the others it is silent."""

    @property
    def identity(self) -> tuple[str, str, str, int]:
        return (self.service, self.permit_type, self.number_key, self.year or 0)


@dataclass(frozen=True, slots=True)
class RowProblem:
    """What is wrong with one cell, row or file; ``code`` is worded by ``portal.wording.register_import``."""

    code: str
    line: int | None = None
    column: str | None = None
    """As the file calls it."""
    value: str | None = None
    """What stood there, without anybody's CPF."""
    file: str = ""
    refuses: bool = True
    """False for what is only said, such as a doubled row or what contradicts the law."""
    article: str | None = None
    instrument: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    """For what contradicts the law: the numbers and days of both sides."""
