"""What one row, or group of rows, of a register's file says of a permit, before it is stored."""

from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from portal.domain.permits import EventKind, HolderKind, PermitEvent, Service, VehicleUnit

_DATES = ("paper_valid_from", "paper_valid_until")


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
    """False for what is only said, such as a doubled row."""


def to_json(entry: RegisterEntry) -> dict[str, Any]:
    """An entry as plain values, for the staging table."""
    return _plain(asdict(entry))  # type: ignore[no-any-return]


def from_json(content: dict[str, Any]) -> RegisterEntry:
    values = dict(content)
    for name in _DATES:
        values[name] = _day(values[name])
    values["service"] = Service(values["service"])
    values["holder_kind"] = HolderKind(values["holder_kind"])
    values["told_kinds"] = tuple(EventKind(kind) for kind in values["told_kinds"])
    values["units"] = tuple(
        VehicleUnit(**unit | {name: _day(unit[name]) for name in ("valid_from", "valid_until")})
        for unit in values["units"]
    )
    values["events"] = tuple(
        PermitEvent(
            **event
            | {"kind": EventKind(event["kind"])}
            | {name: _day(event[name]) for name in ("on", "until", "act_date")}
        )
        for event in values["events"]
    )
    return RegisterEntry(**values)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value.isoformat() if isinstance(value, date) else value


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
