"""What a register's rows tell, put together: the vehicles and acts of one permit, and what they contradict."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from portal.domain.permits import EventKind, HolderKind, Service


class Identity(NamedTuple):
    """What makes a permit that permit, in one town."""

    service: Service
    permit_type: str
    number_key: str
    year: int
    """0 where none is told."""


class ToldUnit(NamedTuple):
    """A vehicle as its row tells it."""

    line: int
    position: int
    told_position: bool
    role: str
    plate: str
    plate_key: str
    vehicle_type: str | None
    model_year: int | None
    capacity: int | None
    valid_from: date | None
    valid_until: date | None


class ToldEvent(NamedTuple):
    kind: EventKind
    on: date
    until: date | None = None
    unit: int | None = None
    act_number: str | None = None
    act_date: date | None = None


ATTRIBUTES: Mapping[str, str] = {
    "itinerary": "itinerario",
    "max_speed_kmh": "velocidade_max",
    "paper_valid_from": "validade_de",
    "paper_valid_until": "validade_ate",
    "holder_kind": "titular_tipo",
    "trade_name": "nome_fantasia",
    "central": "regiao",
}
"""What rows of one permit may leave out, but may not contradict each other in; and the column that tells it."""


@dataclass(slots=True)
class RowGroup:
    """Rows of one permit that stand together in the file."""

    identity: Identity
    line: int
    number: str
    values: dict[str, Any]
    """Each of `ATTRIBUTES` that was told, with its first value."""
    units: list[ToldUnit] = field(default_factory=list)
    events: list[ToldEvent] = field(default_factory=list)
    broken: bool = False
    """One of its rows was refused: half a combination is never published."""

    def take(
        self,
        unit: ToldUnit,
        values: Mapping[str, Any],
        whole: Sequence[ToldEvent],
        of_unit: Sequence[ToldEvent],
        refuse: Callable[..., None],
    ) -> None:
        """Add a row; ``refuse`` is told what does not fit, and the whole permit is broken by it."""
        if self.broken:
            return
        if not self.units and not self.values:
            self._begin(unit, values, whole, of_unit)
            return
        for name, value in values.items():
            if self.values.setdefault(name, value) != value:
                self.broken = True
                refuse("contradicts_permit", unit.line, ATTRIBUTES[name])
                return
        same = next((held for held in self.units if held.plate == unit.plate), None)
        if same is not None:
            self._take_again(same, unit, refuse)
            return
        position = unit.position or max((held.position for held in self.units), default=0) + 1
        if any(held.position == position for held in self.units):
            self.broken = True
            refuse("position_taken", unit.line, "posicao", str(position))
            return
        self.units.append(unit._replace(position=position) if position != unit.position else unit)
        if whole:
            self.events += [event for event in whole if event not in self.events]
        self.events += [event._replace(unit=position) for event in of_unit]

    def _begin(
        self,
        unit: ToldUnit,
        values: Mapping[str, Any],
        whole: Sequence[ToldEvent],
        of_unit: Sequence[ToldEvent],
    ) -> None:
        """The first row, which nothing can contradict."""
        self.values = dict(values)
        position = unit.position or 1
        self.units.append(unit if unit.position else unit._replace(position=1))
        self.events += [*whole, *(event._replace(unit=position) for event in of_unit)]

    def _take_again(self, held: ToldUnit, unit: ToldUnit, refuse: Callable[..., None]) -> None:
        """A vehicle that was told before: twice the same is only said."""
        if held[3:] != unit[3:] or (unit.told_position and unit.position != held.position):
            self.broken = True
            refuse("two_of_one_plate", unit.line, "placa", unit.plate)
        else:
            refuse("doubled_row", unit.line, "placa", unit.plate, refuses=False)

    def absorb(self, other: "RowGroup", refuse: Callable[..., None]) -> None:
        """Take the rows of the same permit that stand elsewhere in the file."""
        self.broken = self.broken or other.broken
        for at, unit in enumerate(other.units):
            own = [event._replace(unit=None) for event in other.events if event.unit == unit.position]
            whole = [event for event in other.events if event.unit is None] if at == 0 else []
            if any(event.kind is EventKind.ISSUE for event in self.events):
                whole = [event for event in whole if event.kind is not EventKind.ISSUE]
            told = unit if unit.told_position else unit._replace(position=0)
            self.take(told, other.values if at == 0 else {}, whole, own, refuse)

    @property
    def holder_told(self) -> HolderKind | None:
        return self.values.get("holder_kind")
