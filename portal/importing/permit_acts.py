"""The second file of a register: what happened to its permits, one act a row (``EVENT_COLUMNS``)."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from portal.importing.permits import (
    Identity,
    Mapped,
    Problems,
    Table,
    ToldEvent,
    TownTypes,
    act_number,
    choice,
    day,
    is_left_out,
    number_at_once,
    permit_number,
    plate,
    whole_number,
)
from portal.importing.register_cells import plate_at_once
from portal.importing.register_columns import EVENT_COLUMNS, EVENTS, SERVICES


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
        who = what = None
        for line in self.rows():
            if who is None or what is None:
                who = self.plan(
                    {
                        "servico": choice(SERVICES, "unknown_service"),
                        "tipo": self.permit_type,
                        "numero": permit_number,
                        "ano": whole_number(1950, 2100),
                    },
                    unlike={"numero": number_at_once},
                )
                what = self.plan(
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
            told = self.read(line, who)
            identity = self.identity(line, told) if told is not None else None
            if identity is None:
                continue
            found = self.read(line, what)
            for name in ("evento", "data"):
                if found is not None and name not in found:
                    self.refuse("missing_value", line.number, name)
                    found = None
            if found is not None and "ate" in found and found["ate"] < found["data"]:
                self.refuse("ends_before_start", line.number, "ate")
                found = None
            if found is None:
                yield ToldAct(line.number, identity, None)
                continue
            number = found.get("ato")
            if is_left_out(number):
                number = None
                self.refuse("act_left_out", line.number, "ato", refuses=False)
            event = ToldEvent(
                found["evento"], found["data"], found.get("ate"), None, number, found.get("ato_data")
            )
            yield ToldAct(line.number, identity, event, found["placa"][0] if "placa" in found else None)
