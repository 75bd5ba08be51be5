"""``portal export gtfs``: a municipality's timetable for the journey planners of others."""

from pathlib import Path

import click

from portal.cli.problems import problems_said
from portal.config import settings
from portal.i18n import SOURCE, translator
from portal.regulations.catalogue import today_in
from portal.services.itineraries.itinerary_export import export_gtfs
from portal.services.unit_of_work import unit_of_work


@click.group("export")
def export_group() -> None:
    """Hand out what the portal knows, in the formats of its field."""


@export_group.command()
@click.option("--municipality", required=True, help="Slug: name and state, such as exemplo-sp.")
@click.option("--feed", help="One source of the municipality instead of all.")
@click.argument("file", type=click.Path(dir_okay=False, writable=True, path_type=Path))
def gtfs(municipality: str, feed: str | None, file: Path) -> None:
    """A GTFS Schedule feed: a zip."""
    _ = translator(SOURCE)
    with problems_said(_):
        address = f"{settings().public_url.rstrip('/')}/{municipality}/itinerarios"
        day = today_in(municipality)
        part = file.with_name(f"{file.name}.part")
        try:
            with part.open("wb") as to, unit_of_work() as session:
                written = export_gtfs(session, municipality, to, address=address, on=day, feed=feed)
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)
    click.echo(
        _("Exportado: itinerários %(itineraries)s, pontos %(stops)s, viagens %(trips)s.")
        % {"itineraries": written.itineraries, "stops": written.stops, "trips": written.trips}
    )
    if written.without_departures:
        codes = ", ".join(written.without_departures[:20])
        click.echo(_("Sem partidas, ficaram de fora: %(codes)s.") % {"codes": codes})
    if written.of_other_zones:
        codes = ", ".join(written.of_other_zones[:20])
        click.echo(_("De outro fuso horário, ficaram de fora: %(codes)s.") % {"codes": codes})
