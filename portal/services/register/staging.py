"""What a file tells, brought to the stage: a stretch of permits at a time, compared with the law on the way."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import Any

from portal.domain.batches import batches
from portal.domain.names import fold
from portal.domain.permits import EventKind, HolderKind, Service
from portal.domain.registers import RowProblem
from portal.importing.permit_acts import ToldAct
from portal.importing.register_rows import ATTRIBUTES, Identity, RowGroup, ToldEvent, ToldUnit
from portal.importing.register_table import Problems, TownTypes
from portal.regulations import catalogue
from portal.services.register import law as register_law
from portal.services.short_writes import Unit, writing
from portal.storage import staging

REGISTER, PLATFORM = "register", "platform"
OWN_REGISTER = "Cadastro municipal"
"""How the municipality's own list is named where the clerk names none; people read it in a verdict."""
STRETCH = 4_000
"""Permits that are written to the stage in one transaction."""

Rows = list[list[Any]]
_BITS = [(name, 1 << at) for at, name in enumerate(ATTRIBUTES)]


@dataclass(frozen=True, slots=True)
class ImportOrder:
    """What to bring in, and how."""

    municipality: str
    as_of: date
    """The day that the list describes."""
    service: Service | None = None
    """The service of rows that name none."""
    kind: str = REGISTER
    source: str = OWN_REGISTER
    dry_run: bool = False
    skip_bad_rows: bool = False
    retire_missing: bool = False
    """Permits of the same source and service that the list no longer names were there until the day before it."""
    run_by: str = "cli"
    """As the audit chain names people: ``staff:7``, ``cli``."""


def town_types(municipality: str, on: date, service: Service | None) -> TownTypes:
    """The types of permit that a town's instruments know on a day, those of a bill included."""
    known = catalogue.permit_types(municipality, on)
    types: dict[Service, str] = {}
    for _, permit in known:
        types.setdefault(permit.service, permit.id)
    return TownTypes(
        type_of_service=types,
        holder_of_type={(permit.service, permit.id): permit.holder for _, permit in known},
        type_names={fold(permit.name.pt): permit.id for _, permit in known},
        service=service,
    )


class Stage:
    """Writes what a file tells to the stage, a stretch at a time."""

    def __init__(
        self, run_id: int, order: ImportOrder, types: TownTypes, problems: Problems, unit: Unit
    ) -> None:
        self.run_id = run_id
        self.order = order
        self.types = types
        self.problems = problems
        self.unit = unit
        self.entry = 0
        self._told: dict[tuple[str, ...], int] = {}
        self._doubts = {
            (Service(doubt.service), doubt.permit_type): doubt
            for doubt in register_law.doubts_of(order.municipality, order.as_of)
        }

    def write_groups(self, groups: Iterable[RowGroup]) -> None:
        unread = iter(groups)
        while (rows := self._rows(islice(unread, STRETCH)))[0]:
            with writing(self.unit) as session:
                staging.stage(session, *rows)

    def _rows(self, groups: Iterable[RowGroup]) -> tuple[Rows, Rows, Rows]:
        """Permits, vehicles and acts as the stage keeps them; a group is let go before the next one is read."""
        permits: Rows = []
        units: Rows = []
        events: Rows = []
        run_id = self.run_id
        for group in groups:
            self.entry += 1
            entry = self.entry
            broken = group.broken or not group.units
            permits.append([run_id, entry, *self._permit(group), "broken" if broken else "added"])
            for at, unit in enumerate(group.units):
                units.append([run_id, entry, at, *unit])
            told = group.events if len(group.events) < 2 else sorted(group.events, key=_by_day)
            for at, (kind, on, until, unit_of, number, act_day) in enumerate(told):
                # Plain text: the driver asks of everything else how to write it down.
                events.append([run_id, entry, at, str(kind), unit_of, number, act_day, on, until])
            if not broken:
                self._compare_with_law(group)
        return permits, units, events

    def _permit(self, group: RowGroup) -> Sequence[Any]:
        service, permit_type, number_key, year = group.identity
        values = group.values
        holder = values.get("holder_kind") or self.types.holder_of_type[service, permit_type]
        names = tuple(values)
        if names not in self._told:
            self._told[names] = sum(bit for name, bit in _BITS if name in names)
        return (
            group.line,
            str(service),
            permit_type,
            group.number,
            number_key,
            year,
            str(holder),
            None if holder is HolderKind.NATURAL_PERSON else values.get("trade_name"),
            values.get("itinerary"),
            values.get("max_speed_kmh"),
            values.get("paper_valid_from"),
            values.get("paper_valid_until"),
            self._told[names],
            values.get("central", False),
        )

    def _compare_with_law(self, group: RowGroup) -> None:
        issued = paid = None
        for event in group.events:
            if event.kind is EventKind.ISSUE:
                issued = event.on
            elif event.kind is EventKind.PAYMENT:
                paid = event.on
        service, permit_type, _key, year = group.identity
        paper, speed = group.values.get("paper_valid_until"), group.values.get("max_speed_kmh")
        doubt = self._doubts.get((service, permit_type))
        if doubt is not None and not doubt.worth_a_look(year, issued, paper, speed, group.units):
            return
        facts = register_law.Facts(
            service=service,
            permit_type=permit_type,
            year=year or None,
            issued=issued,
            paid=paid,
            paper_until=paper,
            max_speed_kmh=speed,
            vehicles=tuple(
                (one.plate, one.vehicle_type, one.model_year, one.capacity) for one in group.units
            ),
        )
        for reason in register_law.contradictions(self.order.municipality, facts, self.order.as_of):
            self._warn(reason.code, group.line, reason.article, reason.instrument, reason.data)

    def _warn(
        self, code: str, line: int | None, article: str | None, instrument: str | None, data: Any
    ) -> None:
        told = {name: one.isoformat() if isinstance(one, date) else one for name, one in data.items()}
        self.problems.add(
            RowProblem(code, line, refuses=False, article=article, instrument=instrument, data=told)
        )

    def join_pieces(self, refuse: Callable[..., None]) -> None:
        """Put together the permits whose rows stand apart in the file."""
        with self.unit() as session:
            doubled = staging.doubled_identities(session, self.run_id)
        for some in batches(doubled, staging.BATCH):
            with self.unit() as session:
                found = staging.entries_of(session, self.run_id, some)
                entries = [row.entry for rows in found.values() for row in rows]
                units, events = staging.parts_of(session, self.run_id, entries)
            joined: list[RowGroup] = []
            for rows in found.values():
                whole, *rest = (_group(row, units, events) for row in rows)
                for other in rest:
                    whole.absorb(other, refuse)
                joined.append(whole)
            rows_of = self._rows(sorted(joined, key=lambda group: group.line))
            with writing(self.unit) as session:
                staging.drop_entries(session, self.run_id, entries)
                staging.stage(session, *rows_of)

    def write_acts(self, acts: Iterable[ToldAct], refuse: Callable[..., None]) -> None:
        """Add the acts of a second file to the permits they are about."""
        for some in batches(acts, staging.BATCH):
            with self.unit() as session:
                found = staging.entries_of(session, self.run_id, [act.identity for act in some])
                entries = {identity: rows[0].entry for identity, rows in found.items()}
                units, held = staging.parts_of(session, self.run_id, list(entries.values()))
            fresh: Rows = []
            broken: set[int] = set()
            known = {entry: {_event(row) for row in rows} for entry, rows in held.items()}
            for act in some:
                entry = entries.get(act.identity)
                if entry is None:
                    if act.event is not None:
                        refuse("event_without_permit", act.line, "numero", act.identity.number_key)
                    continue
                event = self._placed(act, units.get(entry, ()), refuse)
                if event is None:
                    broken.add(entry)
                elif event not in known.setdefault(entry, set()):
                    known[entry].add(event)
                    fresh.append(
                        [self.run_id, entry, 1000 + act.line, event.kind, event.unit, event.act_number,
                         event.act_date, event.on, event.until]
                    )  # fmt: skip
            with writing(self.unit) as session:
                staging.stage(session, [], [], fresh)
                staging.break_entries(session, self.run_id, broken)

    def _placed(self, act: ToldAct, units: Iterable[Any], refuse: Callable[..., None]) -> ToldEvent | None:
        """The act with the place of its vehicle; None when it was refused, or its plate is not in the permit."""
        if act.event is None or act.plate is None:
            return act.event
        position = next((unit.position for unit in units if unit.plate == act.plate), None)
        if position is None:
            refuse("plate_not_in_permit", act.line, "placa", act.plate)
            return None
        return act.event._replace(unit=position)

    def count_caps(self) -> None:
        """Warn of every permit beyond a cap that the data can show: the region's, or drivers of one vehicle."""
        town, on = self.order.municipality, self.order.as_of
        for _, permit in catalogue.permit_types(town, on):
            for of, count in (
                (register_law.CENTRAL, staging.central_permits),
                (register_law.DRIVERS, staging.permits_of_one_plate),
            ):
                cap = register_law.cap_of(town, permit.id, of, on)
                if cap is None:
                    continue
                most, article, instrument = cap
                with self.unit() as session:
                    beyond = count(session, self.run_id, permit.service, permit.id, most)
                for line, told in beyond:
                    self._warn(f"beyond_{of}", line, article, instrument, {"told": told, "law": most})


def _group(row: Any, units: dict[int, list[Any]], events: dict[int, list[Any]]) -> RowGroup:
    """A piece as it was read, out of the stage."""
    values = {
        name: HolderKind(row.holder_kind) if name == "holder_kind" else getattr(row, name)
        for at, name in enumerate(ATTRIBUTES)
        if row.told & 1 << at
    }
    return RowGroup(
        Identity(Service(row.service), row.permit_type, row.number_key, row.year),
        row.line,
        row.number,
        values,
        [ToldUnit(*(getattr(one, name) for name in ToldUnit._fields)) for one in units.get(row.entry, ())],
        [_event(one) for one in events.get(row.entry, ())],
        broken=row.action == "broken",
    )


def _event(row: Any) -> ToldEvent:
    return ToldEvent(
        EventKind(row.kind), row.valid_from, row.valid_until, row.unit, row.act_number, row.act_date
    )


def _by_day(event: ToldEvent) -> date:
    return event.on
