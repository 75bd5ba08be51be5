"""`portal rules`: is the catalogue sound, what does it hold, and what does it answer?"""

from datetime import date, datetime
from pathlib import Path

import click

from portal.cli import rule_answers
from portal.regulations import catalogue
from portal.regulations.files import BrokenFile
from portal.regulations.schema import Instrument


@click.group()
def rules() -> None:
    """The law as data."""


for _command in rule_answers.COMMANDS:
    rules.add_command(_command)


@rules.command()
@click.argument("folders", nargs=-1, type=click.Path(exists=True, file_okay=False, path_type=Path))
def check(folders: tuple[Path, ...]) -> None:
    """Check every file of the catalogue, or of other FOLDERS; names file, line and key of each fault."""
    read = catalogue.Catalogue(*folders) if folders else catalogue.current()
    try:
        read.check()
    except BrokenFile as error:
        for fault in error.faults:
            click.echo(fault, err=True)
        raise SystemExit(1) from error
    towns, instruments = len(read.municipalities), len(read.instruments)
    click.echo(
        f"{towns} municipalities, {instruments} instruments, {len(read.categories)} categories: sound."
    )


@rules.command("list")
@click.option(
    "--on", "on", type=click.DateTime(["%Y-%m-%d"]), help="Day asked about; today where none is given."
)
def list_rules(on: datetime | None) -> None:
    """List municipalities, their instruments and whether each is in force."""
    for town in catalogue.municipalities():
        day = on.date() if on else catalogue.today_in(town)
        click.echo(f"{town.slug}  {town.name} ({town.state}), {town.zone.key}")
        for instrument in catalogue.instruments_of(town.slug):
            click.echo(f"  {instrument.id}\n    {instrument.title}; {_standing(instrument, day)}")
            for permit in instrument.permits:
                click.echo(f"    {permit.id}: {permit.name.pt}")
            click.echo(f"    {len(instrument.infractions)} infraction wordings")


def _standing(instrument: Instrument, day: date) -> str:
    if instrument.is_bill:
        return "a bill, in force nowhere"
    standing = f"in force since {instrument.in_force_from}" if instrument.in_force(day) else "not in force"
    if not instrument.text_known(day):
        standing += f"; text known from {instrument.text_known_from} until {instrument.text_known_until}"
    return standing
