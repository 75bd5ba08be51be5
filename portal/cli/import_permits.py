"""`portal import permits`: the clerk's register, from the file that the clerk has."""

import gc
from datetime import datetime
from pathlib import Path

import click

from portal import clock
from portal.cli.problems import problems_said
from portal.domain.permits import Service
from portal.domain.verdicts import Reason
from portal.i18n import SOURCE, translator
from portal.importing.register_table import BrokenMapping
from portal.regulations.catalogue import today_in
from portal.services.register.permit_import import PermitImportReport, import_permits
from portal.services.register.staging import OWN_REGISTER, PLATFORM, REGISTER, ImportOrder
from portal.wording.reasons import citation
from portal.wording.register_import import missing_sentence, row_problem_sentence

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("file", type=_FILE)
@click.option("--municipality", required=True, help="Slug, such as exemplo-sp.")
@click.option("--service", type=click.Choice([s.value for s in Service]), help="Of rows that name none.")
@click.option("--map", "mapping", type=_FILE, help="TOML that names the columns of this file.")
@click.option("--events", type=_FILE, help="A second file with the acts, one a row.")
@click.option("--kind", type=click.Choice([REGISTER, PLATFORM]), default=REGISTER, show_default=True)
@click.option("--source", default=OWN_REGISTER, show_default=True, help="The list's name, as people read it.")
@click.option("--as-of", type=click.DateTime(["%Y-%m-%d"]), help="Day of the list; today by default.")
@click.option("--dry-run", is_flag=True, help="Say what would change, and change nothing.")
@click.option("--skip-bad-rows", is_flag=True, help="Leave permits with a refused row as they stand.")
@click.option("--retire-missing", is_flag=True, help="End the permits that this list no longer names.")
def permits(
    file: Path,
    municipality: str,
    service: str | None,
    mapping: Path | None,
    events: Path | None,
    kind: str,
    source: str,
    as_of: datetime | None,
    dry_run: bool,
    skip_bad_rows: bool,
    retire_missing: bool,
) -> None:
    """A register of permits: CSV or XLSX, one row a vehicle, with columns such as numero, placa, emissao.

    A file with a refused row changes nothing, unless --skip-bad-rows; the same file twice changes nothing.
    """
    # The catalogue and the modules stay, and rows are gone as soon as they are written: looking through them all
    # again and again, as Python does every 700 objects, costs a quarter of the time.
    gc.freeze()
    gc.set_threshold(100_000)
    with problems_said(translator(SOURCE)):
        order = ImportOrder(
            municipality=municipality,
            as_of=as_of.date() if as_of else today_in(municipality),
            service=Service(service) if service else None,
            kind=kind,
            source=source,
            dry_run=dry_run,
            skip_bad_rows=skip_bad_rows,
            retire_missing=retire_missing,
        )
        try:
            report = import_permits(file, order, now=clock.now(), mapping=mapping, events=events)
        except BrokenMapping as problem:
            raise click.ClickException(f"{mapping.name if mapping else ''}: {problem}") from problem
    _say(report)
    raise SystemExit(1 if report.outcome == "refused" else 0)


def _say(report: PermitImportReport) -> None:
    _ = translator(SOURCE)
    for problem in report.problems:
        sentence = row_problem_sentence(problem, _)
        if problem.code == "missing_column" and problem.column == "servico":
            sentence = _("%(file)s: a planilha não diz o serviço de cada linha: diga-o com --service.") % {
                "file": problem.file
            }
        cited = citation(Reason("", problem.article, problem.instrument), _) if problem.article else ""
        click.echo(f"{sentence} ({cited})" if cited else sentence, err=problem.refuses)
    said = sum(problem.line is not None for problem in report.problems)
    if (rest := report.rows_refused + report.warnings - said) > 0:
        click.echo(_("E mais %(count)s.") % {"count": _.number(rest)})
    if report.columns_ignored:
        click.echo(_("Colunas não lidas: %(names)s.") % {"names": ", ".join(report.columns_ignored)})
    if report.missing:
        click.echo(missing_sentence(report.missing, _))
        click.echo("  " + ", ".join(report.missing_numbers))
    if report.retirement_withheld:
        click.echo(_("Nenhuma autorização foi encerrada, porque há linhas recusadas."))
    counts = {
        "rows": report.rows_read,
        "refused": report.rows_refused,
        "added": report.added,
        "changed": report.changed,
        "unchanged": report.unchanged,
        "retired": report.retired,
    }
    match report.outcome:
        case "merged":
            told = _(
                "Importado: %(rows)s linhas lidas, %(refused)s recusadas; autorizações: %(added)s novas, "
                "%(changed)s mudadas, %(unchanged)s iguais, %(retired)s encerradas."
            )
        case "dry_run":
            told = _(
                "Ensaio, nada foi gravado: %(rows)s linhas lidas, %(refused)s recusadas; autorizações: "
                "%(added)s novas, %(changed)s mudadas, %(unchanged)s iguais, %(retired)s encerradas."
            )
        case "unchanged":
            told = _("O arquivo é o mesmo da última vez: nada mudou.")
        case _other if report.rows_read:
            told = _("Recusado, nada mudou: %(refused)s de %(rows)s linhas têm problemas.")
        case _other:
            told = _("Recusado, nada mudou: nenhuma linha foi lida.")
    click.echo(told % counts)
