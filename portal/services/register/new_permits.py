"""A permit that a clerk enters by hand: checked as a row of a file is, and in the register at once."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from sqlalchemy.orm import Session

from portal.domain.acts import FIRST_YEAR, YEARS_AHEAD
from portal.domain.errors import PermitRefused
from portal.domain.permits import HolderKind, PermitEvent, VehicleUnit
from portal.domain.registers import RegisterEntry, RowProblem
from portal.importing.register_rows import RowGroup
from portal.importing.register_table import Problems, TownTypes
from portal.importing.typed_permit import TypedReader
from portal.regulations import catalogue
from portal.services.people import audit
from portal.services.register.permits import Keeper, begin_change
from portal.services.register.staging import OWN_REGISTER, town_types
from portal.storage import registers

MOST_VEHICLES = 8
"""Vehicles that one permit typed by hand may have: a tractor and its carriages."""
HAPPENED = ("pedido", "pagamento", "emissao", "ato_data")
"""Days of what happened: none can be still to come."""


def create_permit(
    session: Session,
    keeper: Keeper,
    whole: Mapping[str, str],
    units: Sequence[Mapping[str, str]],
    *,
    now: datetime,
) -> int:
    """Put a permit into the register, as the clerk typed it; answers its id.

    Args:
        whole: cells by the names of `portal.importing.typed_permit.WHOLE_COLUMNS`.
        units: the cells of each vehicle, by ``UNIT_COLUMNS``, in their order.

    Raises:
        NotAllowed: this keeper only reads.
        PermitRefused: with every fault that was found, and the permit that bears the number already.
    """
    at = begin_change(session, keeper, now=now)  # locked first: two clerks may type the same permit
    today = catalogue.municipality(keeper.municipality).civil_day(now)
    types = town_types(keeper.municipality, today, None)
    problems = Problems()
    reader = TypedReader(whole, units, types, problems, as_of=today)
    group = reader.permit()
    if group is None and not any(unit.get("placa") for unit in units):
        problems.add(RowProblem("missing_value", 1, "placa"))
    if group is not None:
        _check_days(group, today, problems)
    if problems.kept or group is None or group.broken:
        raise PermitRefused(tuple(problems.kept))
    entry = _entry(group, types)
    standing = registers.permit_of(session, keeper.municipality, entry)
    if standing is not None and standing.known:
        told = RowProblem("permit_exists", None, "numero", entry.number)
        raise PermitRefused((told,), standing.permit_id)
    permit_id = registers.add_typed(
        session, keeper.municipality, entry, standing, source=OWN_REGISTER, now=at
    )
    audit.record(
        session,
        keeper.municipality,
        actor=keeper.actor,
        action="permit.created",
        subject=f"permit:{permit_id}",
        at=at,
    )
    return permit_id


def _check_days(group: RowGroup, today: date, problems: Problems) -> None:
    for event in group.events:
        name = next(name for name, kind in _COLUMN_OF if kind == event.kind)
        for column, day in ((name, event.on), ("ato_data", event.act_date)):
            if day is not None and day > today:
                problems.add(RowProblem("in_future", 1, column, data={"day": day.isoformat()}))
            elif day is not None and day.year < FIRST_YEAR:
                problems.add(RowProblem("far", 1, column, data={"day": day.isoformat()}))
    since, until = group.values.get("paper_valid_from"), group.values.get("paper_valid_until")
    if since and until and until < since:
        problems.add(RowProblem("ends_before_start", 1, "validade_ate"))
    for column, day in (("validade_de", since), ("validade_ate", until)):
        if day is not None and not FIRST_YEAR <= day.year <= today.year + 20:
            problems.add(RowProblem("far", 1, column, data={"day": day.isoformat()}))
    year = group.identity.year
    if year > today.year + YEARS_AHEAD:
        problems.add(RowProblem("no_number", 1, "ano", str(year)))


_COLUMN_OF = (("pedido", "request"), ("pagamento", "payment"), ("emissao", "issue"))


def _entry(group: RowGroup, types: TownTypes) -> RegisterEntry:
    service, permit_type, number_key, year = group.identity
    values = group.values
    holder = values.get("holder_kind") or types.holder_of_type[service, permit_type]
    return RegisterEntry(
        service=service,
        permit_type=permit_type,
        number=group.number,
        number_key=number_key,
        holder_kind=holder,
        units=tuple(
            VehicleUnit(
                position=unit.position,
                role=unit.role,
                plate=unit.plate,
                plate_key=unit.plate_key,
                vehicle_type=unit.vehicle_type,
                model_year=unit.model_year,
                capacity=unit.capacity,
            )
            for unit in group.units
        ),
        events=tuple(
            PermitEvent(act.kind, act.on, act.until, act.unit, act.act_number, act.act_date, by_desk=True)
            for act in group.events
        ),
        year=year or None,
        trade_name=None if holder is HolderKind.NATURAL_PERSON else values.get("trade_name"),
        itinerary=values.get("itinerary"),
        max_speed_kmh=values.get("max_speed_kmh"),
        paper_valid_from=values.get("paper_valid_from"),
        paper_valid_until=values.get("paper_valid_until"),
    )
