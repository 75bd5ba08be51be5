"""Names inside an instrument must lead somewhere: groups, scales, units, readings, permits, categories."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from portal.regulations.files import Location, describe
from portal.regulations.schema import Instrument
from portal.regulations.tables import Dated

TIME_AND_MONEY = frozenset({"BRL", "days", "business_days", "months", "years"})


def broken_references(path: Path, instrument: Instrument, categories: frozenset[str]) -> list[str]:
    """Every fault of ``instrument`` that no single table shows, worded with its line and key."""
    units = TIME_AND_MONEY | {unit.id for unit in instrument.units}
    named = {
        "group": {group.id for group in instrument.groups},
        "scale": {scale.id for scale in instrument.scales},
        "unit": units,
        "reading": {reading.id for reading in instrument.readings},
        "in_force_reading": {reading.id for reading in instrument.readings},
        "permit": {permit.id for permit in instrument.permits},
        "display": {row.what for row in instrument.requirements},
        "needs": {permit.id for permit in instrument.permits},
        "infractions": {infraction.code for infraction in instrument.infractions},
        "category": categories,
        "categories": categories,
        "matter": {authority.matter for authority in instrument.authorities},
    }
    found = []
    for location, key, value in _values(instrument, ()):
        values = value if isinstance(value, tuple) else (value,)
        for one in values:
            if key in named and isinstance(one, str) and one not in named[key]:
                found.append(describe(path, location, f"{one!r} is not defined in this file"))
    found += _closed_before_opened(path, instrument)
    found += _overlapping(path, instrument)
    return found


def _values(model: BaseModel, at: Location) -> Iterator[tuple[Location, str, Any]]:
    for name in type(model).model_fields:
        value = getattr(model, name)
        here = (*at, name)
        if isinstance(value, BaseModel):
            yield from _values(value, here)
        elif isinstance(value, tuple) and value and isinstance(value[0], BaseModel):
            for position, row in enumerate(value):
                yield from _values(row, (*here, position))
        else:
            yield here, name, value


def _closed_before_opened(path: Path, instrument: Instrument) -> Iterator[str]:
    for location, row in _dated(instrument, ()):
        if row.in_force_until is not None and row.in_force_until < row.in_force_from:
            yield describe(path, (*location, "in_force_until"), "ends before it begins")


def _dated(model: BaseModel, at: Location) -> Iterator[tuple[Location, Dated]]:
    if isinstance(model, Dated):
        yield at, model
    for name in type(model).model_fields:
        value = getattr(model, name)
        if isinstance(value, tuple):
            for position, row in enumerate(value):
                if isinstance(row, BaseModel):
                    yield from _dated(row, (*at, name, position))


def _overlapping(path: Path, instrument: Instrument) -> Iterator[str]:
    """Two wordings of one provision on the same day would make the answer depend on their order."""
    for table, key in (
        ("infractions", "code"),
        ("scales", "id"),
        ("authorities", "matter"),
        ("requirements", "what"),
        ("vehicle_limits", "vehicle_type"),
        ("deadlines", "what"),
        ("measures", "id"),
        ("procedures", "id"),
    ):
        rows = getattr(instrument, table)
        for position, row in enumerate(rows):
            for other in rows[:position]:
                if getattr(row, key) == getattr(other, key) and _meet(row, other):
                    yield describe(
                        path, (table, position, key), f"{getattr(row, key)!r} has two wordings on one day"
                    )
    doubled = Counter(permit.id for permit in instrument.permits)
    for position, permit in enumerate(instrument.permits):
        if doubled[permit.id] > 1:
            yield describe(path, ("permits", position, "id"), f"{permit.id!r} stands twice")


def _meet(one: Dated, other: Dated) -> bool:
    return (one.in_force_until is None or other.in_force_from <= one.in_force_until) and (
        other.in_force_until is None or one.in_force_from <= other.in_force_until
    )
