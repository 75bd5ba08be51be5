"""The second file of a register: what happened to its permits, one act a row (``EVENT_COLUMNS``)."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from portal.importing.register_cells import (
    act_number,
    choice,
    day,
    is_left_out,
    number_at_once,
    permit_number,
    plate,
    plate_at_once,
    whole_number,
)
from portal.importing.register_columns import EVENT_COLUMNS, EVENTS, SERVICES
from portal.importing.register_rows import Identity, ToldEvent
from portal.importing.register_table import Column, Mapped, Problems, Table, TownTypes, Unreadable
from portal.importing.sheets import Line


@dataclass(frozen=True, slots=True)
class ToldAct:
    """A row that names a permit; its vehicle still by plate."""

    line: int
    identity: Identity
    event: ToldEvent | None
    """None for a row that was refused: the permit it is about cannot be published."""
    plate: str | None = None


class ActsReader(Table):
    """Reads a file of acts; the values that a mapping gives to every row count here too."""

    columns = EVENT_COLUMNS
    required = ("numero", "evento", "data")

    def __init__(self, path: Path, mapped: Mapped, town: TownTypes, problems: Problems) -> None:
        known = {name: value for name, value in mapped.values.items() if name in EVENT_COLUMNS}
        super().__init__(path, Mapped({}, known), town, problems)

    def acts(self) -> Iterator[ToldAct]:
        for line, _named, identity, row in self.identified(lambda: (self._plan_who(), self._plan_what())):
            if isinstance(row, Unreadable):
                yield ToldAct(line.number, identity, None)
            else:
                yield self._act(line, identity, row)

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
        return self.plan(
            {
                "evento": choice(EVENTS, "unknown_event"),
                "data": day,
                "ate": day,
                "placa": plate,
                "ato": act_number,
                "ato_data": day,
            },
            unlike={"placa": plate_at_once},
        )

    def _act(self, line: Line, identity: Identity, row: tuple[Any, ...]) -> ToldAct:
        kind, on, until, plate_told, number, act_date = row
        for name, value in (("evento", kind), ("data", on)):
            if value is None:
                self.refuse("missing_value", line.number, name)
                return ToldAct(line.number, identity, None)
        if until is not None and until < on:
            self.refuse("ends_before_start", line.number, "ate")
            return ToldAct(line.number, identity, None)
        if is_left_out(number):
            number = None
            self.refuse("act_left_out", line.number, "ato", refuses=False)
        event = ToldEvent(kind, on, until, None, number, act_date)
        return ToldAct(line.number, identity, event, plate_told[0] if plate_told else None)
