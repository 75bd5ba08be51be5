"""A register of permits as a clerk keeps it: one row a vehicle, with what happened to the permit in columns.

`COLUMNS` are the headings understood, in any order and spelling; a mapping file (TOML) names those of a file
that calls them otherwise, under ``[columns]``, and values that stand for every row, under ``[values]``.
A second file may tell the acts, one a row (`portal.importing.permit_acts`).

Nothing about a person leaves this module: columns of names and documents are not read, a person's permit
carries no name, words are told back to nobody, and a row with a run of eleven digits, which may be a CPF, is
refused. Rows are read a few thousand at a time, and memory holds no more of them, however long the file.
"""

from collections.abc import Iterator
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from portal.domain.permits import EventKind, HolderKind
from portal.importing.register_cells import (
    act_number,
    choice,
    day,
    is_left_out,
    itinerary,
    nothing,
    number_at_once,
    permit_number,
    plate,
    plate_at_once,
    trade_name,
    whole_number,
)
from portal.importing.register_columns import (
    COLUMNS,
    HOLDERS,
    OF_UNIT,
    REGIONS,
    ROLES,
    SERVICES,
    VEHICLE_TYPES,
    WHOLE,
)
from portal.importing.register_rows import ATTRIBUTES, RowGroup, ToldEvent, ToldUnit
from portal.importing.register_table import Column, Mapped, Problems, Table, TownTypes, Unreadable
from portal.importing.sheets import Line, column_name


class RegisterReader(Table):
    """Reads a register; `groups` yields what it tells, `told_kinds` says of which acts it tells at all."""

    columns = COLUMNS

    def __init__(
        self, path: Path, mapped: Mapped, town: TownTypes, problems: Problems, *, as_of: date, with_acts: bool
    ) -> None:
        super().__init__(path, mapped, town, problems)
        self.required = ["numero", "placa"] + (["servico"] if town.service is None else [])
        self.as_of = as_of
        self.with_acts = with_acts

    @cached_property
    def told_kinds(self) -> tuple[EventKind, ...]:
        """Asked for once the header was read."""
        if self.with_acts:
            return tuple(EventKind)
        return tuple(kind for name, kind in {**WHOLE, **OF_UNIT}.items() if name in self.headings)

    def groups(self) -> Iterator[RowGroup]:
        """Permits in the order of the file; rows of one permit that stand apart come as several groups."""
        group: RowGroup | None = None
        for line, named, identity, row in self.identified(lambda: (self._plan_who(), self._plan_what())):
            if group is None or group.identity != identity:
                if group is not None:
                    yield self._finished(group)
                group = RowGroup(identity, line.number, named[2][0], {})
            if isinstance(row, Unreadable):
                group.broken = True
            else:
                self._take(line, row, group)
        if group is not None:
            yield self._finished(group)

    def _plan_who(self) -> list[Column]:
        return self.plan(
            {
                "servico": choice(SERVICES, "unknown_service"),
                "tipo": self.permit_type,
                "numero": permit_number,
                "ano": whole_number(1950, 2100),
            },
            unlike={"numero": number_at_once},
        )

    def _plan_what(self) -> list[Column]:
        plan = self.plan(
            {
                "placa": plate,
                "posicao": whole_number(1, 20),
                "papel": choice(ROLES, "unknown_role"),
                "tipo_veiculo": lambda text: VEHICLE_TYPES.get(column_name(text)),
                "ano_modelo": whole_number(1900, 2100),
                "lotacao": whole_number(0, 500),
                "placa_desde": day,
                "placa_ate": day,
                "titular_tipo": choice(HOLDERS, "unknown_holder"),
                "itinerario": itinerary,
                "velocidade_max": whole_number(1, 130),
                "validade_de": day,
                "validade_ate": day,
                "regiao": choice(REGIONS, "unknown_region"),
                "nome_fantasia": trade_name,
                "ato": act_number,
                "ato_data": day,
                "suspensao_ate": day,
                **dict.fromkeys((*WHOLE, *OF_UNIT), day),
            },
            unlike={"placa": plate_at_once, "nome_fantasia": nothing, "ato": nothing},
        )
        # What the file has no column for, and the mapping no value, need not be looked for in any row.
        told = {column.name: at for at, column in enumerate(plan) if column.at >= 0 or column.known[""]}
        self._attributes = [(name, told[title]) for name, title in ATTRIBUTES.items() if title in told]
        self._whole = [(kind, told[title]) for title, kind in WHOLE.items() if title in told]
        self._of_unit = [(kind, told[title]) for title, kind in OF_UNIT.items() if title in told]
        return plan

    def _take(self, line: Line, row: tuple[Any, ...], group: RowGroup) -> None:
        plate_told, position, role, kind, model_year, capacity, since, until = row[:8]
        if plate_told is None:
            self.refuse("missing_value", line.number, "placa")
            group.broken = True
            return
        values = {name: row[at] for name, at in self._attributes if row[at] is not None}
        if "trade_name" in values or "itinerary" in values:
            self._leave_names_out(line, group, values)
        whole = [ToldEvent(kind, row[at]) for kind, at in self._whole if row[at] is not None]
        act, act_date, suspended_until = row[15:18]
        if whole and not self._complete(line, whole, act, act_date, suspended_until):
            group.broken = True
            return
        of_unit = [ToldEvent(kind, row[at]) for kind, at in self._of_unit if row[at] is not None]
        if act is not None and is_left_out(act):
            self.refuse("act_left_out", line.number, "ato", refuses=False)
        unit = ToldUnit(
            line.number,
            position or 0,
            position is not None,
            role or "vehicle",
            plate_told[0],
            plate_told[1],
            kind,
            model_year,
            capacity,
            since,
            until,
        )
        group.take(unit, values, whole, of_unit, self.refuse)

    def _leave_names_out(self, line: Line, group: RowGroup, values: dict[str, Any]) -> None:
        holder = values.get("holder_kind") or self.town.holder_of_type[group.identity[:2]]
        if holder == HolderKind.NATURAL_PERSON:
            values.pop("trade_name", None)  # whatever a person is called stays in the file
        for name in ("trade_name", "itinerary"):
            if is_left_out(values.get(name)):
                del values[name]
                code = "name_left_out" if name == "trade_name" else "itinerary_left_out"
                self.refuse(code, line.number, ATTRIBUTES[name], refuses=False)

    def _complete(
        self,
        line: Line,
        whole: list[ToldEvent],
        act: Any,
        act_date: date | None,
        suspended_until: date | None,
    ) -> bool:
        """Give the suspension its end and the issue its act; False when the end comes first."""
        if act is None and act_date is None and suspended_until is None:
            return True
        for at, event in enumerate(whole):
            if event.kind is EventKind.ISSUE:
                number = None if is_left_out(act) else act
                whole[at] = event._replace(act_number=number, act_date=act_date)
            elif event.kind is EventKind.SUSPENSION and suspended_until is not None:
                if suspended_until < event.on:
                    self.refuse("ends_before_start", line.number, "suspensao_ate")
                    return False
                whole[at] = event._replace(until=suspended_until)
        return True

    def _finished(self, group: RowGroup) -> RowGroup:
        if group.holder_told is HolderKind.NATURAL_PERSON:
            group.values.pop("trade_name", None)
        if EventKind.ISSUE not in self.told_kinds and not group.broken:
            # A list of permits that tells no day of issue still says that they were issued by its own day.
            since = group.values.get("paper_valid_from")
            issued = since if since is not None and since < self.as_of else self.as_of
            group.events.append(ToldEvent(EventKind.ISSUE, issued))
        return group
