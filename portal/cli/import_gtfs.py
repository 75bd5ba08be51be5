"""``portal import gtfs``, ``itineraries``, ``lines`` and ``places``: where itineraries come from."""

import sys
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any, Protocol

import click

from portal import clock
from portal.cli.problems import problems_said
from portal.domain.geo import Box
from portal.domain.permits import Service
from portal.i18n import SOURCE, translator
from portal.importing.gtfs import read_gtfs
from portal.importing.lines import ARTESP_COLUMNS, read_lines
from portal.importing.sources import Report
from portal.importing.tables import read_places, read_tables
from portal.regulations.catalogue import municipality as find_municipality
from portal.regulations.catalogue import today_in
from portal.regulations.states import state_of
from portal.services.itineraries.itinerary_import import FileRead, ImportReport, import_file
from portal.wording.imports import count_words, source_problem_sentence


class Read(Protocol):
    def __call__(self, path: Path, report: Report, *, within: Box | None) -> tuple[Any, str]: ...


def _common(command: Callable[..., None]) -> Callable[..., None]:
    for option in (
        click.argument("file", type=click.Path(exists=True, path_type=Path)),
        click.option("--municipality", required=True, help="Slug: name and state, such as exemplo-sp."),
        click.option(
            "--feed", help="Which source of the municipality this is; a new import replaces its last."
        ),
        click.option("--as-of", type=click.DateTime(["%Y-%m-%d"]), help="Day of the list; today by default."),
        click.option("--dry-run", is_flag=True, help="Say what would change, and change nothing."),
    ):
        command = option(command)
    return command


_service = click.option(
    "--service",
    type=click.Choice([service.value for service in Service]),
    help="Whose itineraries these are; leave it out for bus lines.",
)


@click.command()
@_common
@_service
def gtfs(file: Path, service: str | None, **options: Any) -> None:
    """A GTFS Schedule feed: a zip, or the folder of one."""
    _run("gtfs", file, read_gtfs, service=service, **options)


@click.command()
@_common
@_service
def itineraries(file: Path, service: str | None, **options: Any) -> None:
    """A folder or zip with pontos.csv, itinerarios.csv and partidas.csv.

    \b
    pontos.csv       codigo, nome, latitude, longitude [acessivel, referencia, embarque]
    itinerarios.csv  codigo, nome, pontos "P1 > P2 > P3"
                     [volta, nome_en, nome_es, tarifa, duracao_min, valido_de, valido_ate, acessivel]
    partidas.csv     itinerario, dias, horarios [sentido, de, ate, exceto, inclui]
    """
    _run("tables", file, read_tables, service=service, **options)


@click.command()
@_common
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="FIELD=NAME",
    help=f"Where the file calls a column otherwise. Fields: {', '.join(ARTESP_COLUMNS)}.",
)
def lines(file: Path, municipality: str, columns: tuple[str, ...], **options: Any) -> None:
    """A register of intercity lines, one row a stop: those that serve the municipality."""
    mapping = dict(ARTESP_COLUMNS)
    for column in columns:
        field, _, name = column.partition("=")
        if field not in mapping or not name:
            raise click.BadParameter(column, param_hint="--column")
        mapping[field] = name

    def read(path: Path, report: Report, *, within: Box | None) -> tuple[Any, str]:
        town = find_municipality(municipality).name
        return read_lines(path, report, town=town, columns=mapping, within=within)

    _run("lines", file, read, municipality=municipality, **options)


@click.command()
@_common
def places(file: Path, **options: Any) -> None:
    """A CSV of neighbourhoods and sights: nome, tipo, latitude, longitude."""
    _run("places", file, read_places, **options)


def _run(
    kind: str,
    file: Path,
    read: Read,
    *,
    municipality: str,
    feed: str | None,
    as_of: datetime | None,
    dry_run: bool,
    service: str | None = None,
) -> None:
    report = Report()
    with problems_said(translator(SOURCE)):
        day: date = as_of.date() if as_of else today_in(municipality)
        parsed, digest = read(file, report, within=state_of(municipality))
        told = import_file(
            FileRead(kind, file.name, digest, parsed, tuple(report.problems), report.left_out),
            municipality=municipality,
            service=Service(service) if service else None,
            feed=feed,
            as_of=day,
            now=clock.now(),
            dry_run=dry_run,
        )
    _say(told)
    sys.exit(1 if told.outcome == "refused" else 0)


def _say(told: ImportReport) -> None:
    _ = translator(SOURCE)
    for problem in told.problems:
        click.echo(source_problem_sentence(problem, _), err=problem.fatal)
    if told.problems_left_out:
        click.echo(_("Avisos iguais a esses, não repetidos: %(n)s.") % {"n": told.problems_left_out})
    outcome = {
        "merged": _("Importado: %(counts)s."),
        "unchanged": _("O arquivo é o mesmo da última vez: nada mudou. %(counts)s."),
        "dry_run": _("Ensaio, nada foi gravado: %(counts)s."),
        "refused": _("Recusado: nada mudou."),
    }[told.outcome]
    click.echo(outcome % {"counts": ", ".join(count_words(what, n, _) for what, n in told.counts.items())})
