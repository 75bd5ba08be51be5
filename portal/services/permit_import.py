"""Bring a register of permits in: staged in short transactions, compared, then shown in one short step.

Readers and complaints go on meanwhile. A file with a refused row changes nothing, unless the clerk says to
leave such rows out; the same file twice changes nothing. Nothing is kept of the file itself.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from portal.domain.batches import batches
from portal.domain.names import fold
from portal.domain.permits import EventKind, HolderKind, Service
from portal.domain.registers import RowProblem
from portal.importing.permit_acts import ActsReader, ToldAct
from portal.importing.permits import RegisterReader
from portal.importing.register_cells import safe_file_name
from portal.importing.register_rows import ATTRIBUTES, Identity, RowGroup, ToldEvent, ToldUnit
from portal.importing.register_table import Mapped, Problems, TownTypes, digest_of, read_mapping
from portal.regulations import catalogue
from portal.services import publications, register_law
from portal.services.register import keeper_at
from portal.services.unit_of_work import unit_of_work
from portal.storage import runs, staging

REGISTER, PLATFORM = "register", "platform"
OWN_REGISTER = "Cadastro municipal"
"""How the municipality's own list is named where the clerk names none; people read it in a verdict."""
STRETCH = 4_000
"""Permits that are written to the stage in one transaction."""

Unit = Callable[..., AbstractContextManager[Session]]
"""Opens a unit of work: ``unit(writes=True)``."""
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


@dataclass(frozen=True, slots=True)
class PermitImportReport:
    outcome: str
    """``merged``, ``unchanged``, ``refused`` or ``dry_run``."""
    file_name: str
    rows_read: int
    rows_refused: int
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    missing: int = 0
    """Permits of the same source and service that the list no longer names."""
    retired: int = 0
    problems: tuple[RowProblem, ...] = ()
    """The first few hundred refusals and as many warnings."""
    warnings: int = 0
    columns_ignored: tuple[str, ...] = field(default=())
    missing_numbers: tuple[str, ...] = ()
    retirement_withheld: bool = False
    """Rows were left out, so that a permit that seems to be missing may only be unreadable."""


def import_permits(
    path: Path,
    order: ImportOrder,
    *,
    now: datetime,
    mapping: Path | None = None,
    events: Path | None = None,
    unit: Unit = unit_of_work,
) -> PermitImportReport:
    """Read ``path`` and publish it in the register of a town, at once.

    Raises:
        UnknownMunicipality: no such town.
        BrokenMapping: the mapping file cannot be read.
    """
    keeper = keeper_at(order.municipality, order.run_by or "cli")
    digest = _digest(path, order, mapping, events)
    with unit() as session:
        if not order.dry_run and runs.merged_run_of(session, order.municipality, digest):
            return PermitImportReport("unchanged", safe_file_name(path.name), rows_read=0, rows_refused=0)
    run_id = _stage(path, order, digest, now=now, mapping=mapping, events=events, unit=unit)
    with unit() as session:
        report = publications.read_publication(session, keeper, run_id)
    refused = report.state == "refused" or (report.rows_refused > 0 and not order.skip_bad_rows)
    withheld = order.retire_missing and report.rows_refused > 0
    if order.dry_run:
        publications.forget_run(keeper.municipality, run_id, unit=unit)
    elif refused:
        publications.refuse(keeper, run_id, now=now, unit=unit)
    else:
        report = publications.publish(
            keeper,
            run_id,
            skip_bad_rows=order.skip_bad_rows,
            retire_missing=order.retire_missing,
            now=now,
            unit=unit,
        )
    outcome = "refused" if refused else "dry_run" if order.dry_run else "merged"
    would_retire = order.retire_missing and not withheld and not refused
    return PermitImportReport(
        outcome=outcome,
        file_name=path.name,
        rows_read=report.rows_read,
        rows_refused=report.rows_refused,
        added=report.added,
        changed=report.changed,
        unchanged=report.unchanged,
        missing=report.missing,
        retired=report.missing if would_retire else 0,
        problems=report.problems,
        warnings=report.warnings,
        columns_ignored=report.columns_ignored,
        missing_numbers=report.missing_numbers,
        retirement_withheld=withheld,
    )


def stage_register(
    path: Path,
    order: ImportOrder,
    *,
    now: datetime,
    mapping: Path | None = None,
    events: Path | None = None,
    unit: Unit = unit_of_work,
) -> int:
    """Read a file whole, keep what it tells beside the register, and compare the two; answers the reading's id.

    Its state is ``staged``, or ``refused`` when nothing can be published of it at all. Raises as `import_permits`.
    """
    digest = _digest(path, order, mapping, events)
    return _stage(path, order, digest, now=now, mapping=mapping, events=events, unit=unit)


def _stage(
    path: Path,
    order: ImportOrder,
    digest: str,
    *,
    now: datetime,
    mapping: Path | None,
    events: Path | None,
    unit: Unit,
) -> int:
    town = catalogue.municipality(order.municipality)
    mapped = read_mapping(mapping) if mapping else Mapped()
    types = town_types(town.slug, order.as_of, order.service)
    problems = Problems()
    with publications.writing(unit) as session:
        run_id = runs.add_run(
            session,
            municipality=town.slug,
            service=order.service,
            kind=order.kind,
            source=order.source,
            as_of=order.as_of,
            file_name=safe_file_name(path.name),
            file_digest=digest,
            run_by=order.run_by or "cli",
            state="staging",
            started_at=now,
        )
    reader = RegisterReader(path, mapped, types, problems, as_of=order.as_of, with_acts=events is not None)
    stage = _Stage(run_id, order, types, problems, unit)
    stage.write_groups(reader.groups())
    stage.join_pieces(reader.refuse)
    if events is not None and not problems.whole_file:
        acts = ActsReader(events, mapped, types, problems)
        stage.write_acts(acts.acts(), acts.refuse)
    stage.count_caps()
    _finish(stage, reader)
    return run_id


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


def _digest(path: Path, order: ImportOrder, mapping: Path | None, events: Path | None) -> str:
    return digest_of(path, mapping, events, order.service, order.kind, order.source)


class _Stage:
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
            with publications.writing(self.unit) as session:
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
            with publications.writing(self.unit) as session:
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
            with publications.writing(self.unit) as session:
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


def _finish(stage: _Stage, reader: RegisterReader) -> None:
    """Write down what was found, and compare the stage with the register."""
    problems, run_id, unit = stage.problems, stage.run_id, stage.unit
    ordered = sorted(problems.kept, key=lambda one: (one.file not in ("", reader.path.name), one.line or 0))
    told = {
        "rows_read": reader.rows_read,
        "rows_refused": problems.refusals,
        "warnings": problems.warnings,
        "columns_ignored": reader.ignored,
        "told_kinds": [str(kind) for kind in reader.told_kinds],
    }
    with publications.writing(unit) as session:
        runs.keep_problems(
            session, run_id, ordered, events_file=lambda one: one.file not in ("", reader.path.name)
        )
        runs.update_run(session, run_id, **told)
    if problems.whole_file:
        publications.clear_stage(run_id, unit=unit)
        with publications.writing(unit) as session:
            runs.update_run(session, run_id, state="refused")
        return
    publications.compare_stage(stage.order.municipality, run_id, unit=unit)
    with publications.writing(unit) as session:
        runs.update_run(session, run_id, state="staged")


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
