"""``portal purge``: erase what a municipality's retention table says is over."""

import click

from portal import clock
from portal.regulations import catalogue
from portal.services.complaints.disposal import dispose
from portal.services.housekeeping import forget_erased
from portal.services.unit_of_work import unit_of_work


@click.command()
@click.option("--municipality", metavar="SLUG", help="All of them by default.")
@click.option("--dry-run", is_flag=True, help="Tell what would be erased, and change nothing.")
def purge(municipality: str | None, dry_run: bool) -> None:
    """Erase the content of complaints kept long enough; off until a town's file cites its retention table."""
    slugs = [municipality] if municipality else [town.slug for town in catalogue.municipalities()]
    for slug in slugs:
        with unit_of_work(writes=not dry_run) as session:
            told = dispose(session, slug, now=clock.now(), dry_run=dry_run)
        if told.rule is None:
            click.echo(f"{slug}: off, its file cites no retention table")
            continue
        would = "would erase" if dry_run else "erased"
        click.echo(
            f"{slug}: {would} {len(told.erased)}, put off {len(told.put_off)}, kept {told.kept} "
            f"({told.rule.act}, {told.rule.article}: {told.rule.months} months)"
        )
        for protocol in told.erased:
            click.echo(f"  {protocol}")
        for protocol, until in told.put_off:
            click.echo(f"  {protocol} put off until {until.isoformat()}: new facts came")
    if not dry_run:
        forget_erased()
