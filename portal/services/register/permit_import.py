"""Bring a register of permits in: staged in short transactions, compared, then shown in one short step.

Readers and complaints go on meanwhile. A file with a refused row changes nothing, unless the clerk says to
leave such rows out; the same file twice changes nothing. Nothing is kept of the file itself.
"""

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from portal.domain.registers import RowProblem
from portal.importing.permit_acts import ActsReader
from portal.importing.permits import RegisterReader
from portal.importing.register_cells import safe_file_name
from portal.importing.register_table import Mapped, Problems, digest_of, read_mapping
from portal.regulations import catalogue
from portal.services.register import publications
from portal.services.register.permits import keeper_at
from portal.services.register.staging import (
    ImportOrder,
    Stage,
    town_types,
)
from portal.services.short_writes import Unit, writing
from portal.services.unit_of_work import unit_of_work
from portal.storage import runs


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
    with writing(unit) as session:
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
    stage = Stage(run_id, order, types, problems, unit)
    stage.write_groups(reader.groups())
    stage.join_pieces(reader.refuse)
    if events is not None and not problems.whole_file:
        acts = ActsReader(events, mapped, types, problems)
        stage.write_acts(acts.acts(), acts.refuse)
    stage.count_caps()
    _finish(stage, reader)
    return run_id


def _digest(path: Path, order: ImportOrder, mapping: Path | None, events: Path | None) -> str:
    return digest_of(path, mapping, events, order.service, order.kind, order.source)


def _finish(stage: Stage, reader: RegisterReader) -> None:
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
    with writing(unit) as session:
        runs.keep_problems(
            session, run_id, ordered, events_file=lambda one: one.file not in ("", reader.path.name)
        )
        runs.update_run(session, run_id, **told)
    if problems.whole_file:
        publications.clear_stage(run_id, unit=unit)
        with writing(unit) as session:
            runs.update_run(session, run_id, state="refused")
        return
    publications.compare_stage(stage.order.municipality, run_id, unit=unit)
    with writing(unit) as session:
        runs.update_run(session, run_id, state="staged")
