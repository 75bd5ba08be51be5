"""What a clerk typed into a form: kept as it was, and read into what the services take."""

from dataclasses import dataclass, field
from datetime import date

from werkzeug.datastructures import MultiDict

from portal.domain.acts import NewVehicle
from portal.domain.days import read_day
from portal.domain.errors import ActRefused
from portal.domain.permits import EventKind, PermitEvent
from portal.domain.plates import read_plate
from portal.importing.register_cells import read_number
from portal.importing.typed_permit import UNIT_COLUMNS, WHOLE_COLUMNS
from portal.services.register.new_permits import MOST_VEHICLES

RECORDED = tuple(kind for kind in EventKind if kind is not EventKind.VEHICLE_CHANGE)
LONGEST = 200
"""Characters of a field that come back."""


@dataclass(slots=True)
class Filled:
    """A form that was sent and could not be taken: refilled, with what is wrong and where."""

    form: str = ""
    """``act``, ``vehicle`` or ``strike:41``."""
    values: dict[str, str] = field(default_factory=dict)
    problem: str = ""
    field: str = ""
    status: int = 200

    def value(self, form: str, name: str, default: str = "") -> str:
        return self.values.get(name, default) if form == self.form else default

    def error(self, form: str, name: str) -> str:
        return self.problem if form == self.form and name == self.field else ""


def kept(form: MultiDict[str, str]) -> dict[str, str]:
    return {name: value[:LONGEST] for name, value in form.items() if name != "csrf_token"}


def read_act(form: MultiDict[str, str]) -> PermitEvent:
    """The act of a form; raises ``ActRefused`` with the field at fault."""
    try:
        kind = EventKind(form.get("kind", ""))
    except ValueError:
        raise ActRefused("unknown_act", "kind") from None
    return PermitEvent(
        kind,
        _needed_day(form, "on"),
        _day(form, "until"),
        _number(form, "unit", 1, 99),
        form.get("act_number", "") or None,
        _day(form, "act_date"),
    )


@dataclass(frozen=True, slots=True)
class VehicleChange:
    on: date
    leaves: int | None
    joins: NewVehicle | None
    act_number: str | None
    act_date: date | None


def read_vehicle_change(form: MultiDict[str, str]) -> VehicleChange:
    """A change of vehicle; raises as `read_act`."""
    text = form.get("plate", "").strip()
    plate = read_plate(text) if text else None
    if text and plate is None:
        raise ActRefused("not_a_plate", "plate", text=text[:40])
    role = form.get("role", "")
    joins = None
    if plate is not None:
        joins = NewVehicle(
            plate,
            role if role in ("vehicle", "tractor", "trailer") else None,
            model_year=_number(form, "model_year", 1900, 2100),
            capacity=_number(form, "capacity", 0, 500),
        )
    return VehicleChange(
        _needed_day(form, "on"),
        _number(form, "leaves", 1, 99),
        joins,
        form.get("act_number", "") or None,
        _day(form, "act_date"),
    )


@dataclass(frozen=True, slots=True)
class TypedPermit:
    """A permit as the clerk typed it: cells by the names that columns of a file have."""

    whole: dict[str, str]
    units: list[dict[str, str]]


def read_permit(form: MultiDict[str, str]) -> TypedPermit:
    """The cells of a form, unread; boxes of vehicles that say nothing are passed over."""

    def cell(name: str) -> str:
        return " ".join(form.get(name, "").split())[:LONGEST]

    whole = {name: cell(name) for name in WHOLE_COLUMNS}
    service, _slash, permit_type = cell("tipo").partition("/")
    whole |= {"servico": service, "tipo": permit_type}
    units = [
        {name: cell(f"{name}-{number}") for name in UNIT_COLUMNS} for number in range(1, MOST_VEHICLES + 1)
    ]
    # A box in the middle may be empty; what is wrong is then still said beside the box that it is about.
    last = max((at for at, unit in enumerate(units, 1) if any(unit.values())), default=1)
    return TypedPermit(whole, units[:last])


def _needed_day(form: MultiDict[str, str], name: str) -> date:
    day = _day(form, name)
    if day is None:
        raise ActRefused("no_day", name)
    return day


def _day(form: MultiDict[str, str], name: str) -> date | None:
    text = form.get(name, "").strip()
    if not text:
        return None
    day = read_day(text)
    if day is None:
        raise ActRefused("not_a_day", name, text=text[:40])
    return day


def _number(form: MultiDict[str, str], name: str, least: int, most: int) -> int | None:
    text = form.get(name, "").strip()
    if not text:
        return None
    number = read_number(text)
    if number is None or number != int(number) or not least <= number <= most:
        raise ActRefused("not_a_number", name, text=text[:40])
    return int(number)
