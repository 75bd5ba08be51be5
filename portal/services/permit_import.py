"""Bring a register of permits in: staged in short transactions, compared, then merged in one short one.

Readers and complaints go on meanwhile. A file with a refused row changes nothing, unless the clerk says to
leave such rows out; the same file twice changes nothing.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path

from sqlalchemy.orm import Session

from portal.domain.names import fold
from portal.domain.permits import Service
from portal.domain.registers import RegisterEntry, RowProblem
from portal.importing.permits import Mapped, RegisterFile, TownTypes, digest_of, read_mapping, read_register
from portal.regulations import catalogue
from portal.services.unit_of_work import unit_of_work
from portal.storage import registers as store

REGISTER, PLATFORM = "register", "platform"
OWN_REGISTER = "Cadastro municipal"
"""How the municipality's own list is named where the clerk names none; people read it in a verdict."""

Unit = Callable[..., AbstractContextManager[Session]]
"""Opens a unit of work: ``unit(writes=True)``."""


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
    """Permits of the same source that the list no longer names were there until the day before it."""
    run_by: str = ""


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
    retired: int = 0
    problems: tuple[RowProblem, ...] = ()
    columns_ignored: tuple[str, ...] = field(default=())
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
    """Read ``path`` and merge it into the register of a town.

    Raises:
        UnknownMunicipality: no such town.
        BrokenMapping: the mapping file cannot be read.
    """
    catalogue.municipality(order.municipality)
    mapped = read_mapping(mapping) if mapping else Mapped()
    digest = digest_of(path, mapping, events, order.service, order.kind, order.source)
    with unit() as session:
        if store.merged_run_of(session, order.municipality, digest) and not order.dry_run:
            return PermitImportReport("unchanged", path.name, rows_read=0, rows_refused=0)
    read = read_register(
        path,
        town=town_types(order.municipality, order.as_of, order.service),
        as_of=order.as_of,
        mapped=mapped,
        events=events,
        digest=digest,
    )
    whole_file = any(problem.refuses and problem.line is None for problem in read.problems)
    if read.refused and (whole_file or not order.skip_bad_rows):
        if not order.dry_run:
            with unit(writes=True) as session:
                store.record_run(session, _run(read, order, path, now), state="refused", finished_at=now)
        return _report("refused", path, read)
    withheld = order.retire_missing and read.refused
    order = replace(order, retire_missing=order.retire_missing and not withheld)
    if order.dry_run:
        with unit() as session:
            changes = _compare(session, read.entries, order)
        return _report("dry_run", path, read, changes, withheld=withheld)
    changes = _stage_and_merge(read, order, path, now, unit)
    return _report("merged", path, read, changes, withheld=withheld)


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


def _compare(session: Session, entries: Sequence[RegisterEntry], order: ImportOrder) -> store.Changes:
    return store.compare(
        session,
        order.municipality,
        entries,
        source=order.source,
        as_of=order.as_of,
        retire_missing=order.retire_missing,
        own_register=order.kind == REGISTER,
    )


def _stage_and_merge(
    read: RegisterFile, order: ImportOrder, path: Path, now: datetime, unit: Unit
) -> store.Changes:
    with unit(writes=True) as session:
        run_id = store.record_run(session, _run(read, order, path, now), state="staged")
    for start in range(0, len(read.entries), store.BATCH):
        with unit(writes=True) as session:
            store.stage(session, run_id, read.entries[start : start + store.BATCH])
    with unit() as session:
        before = store.last_merge(session, order.municipality)
        changes = _compare(session, list(store.staged(session, run_id)), order)
    with unit(writes=True) as session:
        if store.last_merge(session, order.municipality) != before:
            # Another list was merged since we compared: what we found out no longer holds.
            changes = _compare(session, list(store.staged(session, run_id)), order)
        store.merge(session, order.municipality, changes, source=order.source, as_of=order.as_of, now=now)
        services = {entry.service for entry in read.entries} or ({order.service} if order.service else set())
        for service in sorted(services):
            store.record_list(
                session,
                order.municipality,
                service=service,
                kind=order.kind,
                source=order.source,
                as_of=order.as_of,
                now=now,
                run_id=run_id,
            )
        store.finish_run(session, run_id, changes, finished_at=now)
    with unit(writes=True) as session:
        store.clear_stage(session, run_id)
    return changes


def _run(read: RegisterFile, order: ImportOrder, path: Path, now: datetime) -> dict[str, object]:
    return {
        "municipality": order.municipality,
        "service": order.service,
        "source": order.source,
        "as_of": order.as_of,
        "file_name": path.name[:200],
        "file_digest": read.digest,
        "run_by": order.run_by,
        "started_at": now,
        "rows_read": read.rows_read,
        "rows_refused": read.rows_refused,
    }


def _report(
    outcome: str,
    path: Path,
    read: RegisterFile,
    changes: store.Changes | None = None,
    *,
    withheld: bool = False,
) -> PermitImportReport:
    found = changes or store.Changes()
    return PermitImportReport(
        outcome=outcome,
        file_name=path.name,
        rows_read=read.rows_read,
        rows_refused=read.rows_refused,
        added=len(found.added),
        changed=len(found.changed),
        unchanged=found.unchanged,
        retired=len(found.retired),
        problems=read.problems,
        columns_ignored=read.columns_ignored,
        retirement_withheld=withheld,
    )
