"""Secrets of a machine."""

import time
from pathlib import Path

import click

from portal.config import LOOK_EVERY, state_folder
from portal.regulations import catalogue
from portal.sealing.folder import SecretsExist, add_audit_key, add_municipalities, make_folder
from portal.sealing.rotation import KeyKind, NoSuchKey
from portal.sealing.rotation import rotate as rotate_key


@click.group()
def keys() -> None:
    """Secrets of one machine: session keys, the pepper of access keys, sealing keys."""


@keys.command("new")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def new(folder: Path) -> None:
    """Make FOLDER with one file of settings for each process; never overwrites."""
    try:
        make_folder(folder, (town.slug for town in catalogue.municipalities()))
    except SecretsExist as found:
        raise click.ClickException(
            f"{found} exists: new keys would lock away what the old ones sealed"
        ) from None
    click.echo(
        f"Made {folder}. Keep a copy of identity_private_keys.json where only the ombudsman reaches it."
    )


@keys.command("add")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
def add(folder: Path) -> None:
    """Give what joined since FOLDER was made its key: municipalities, and the audit log."""
    add_audit_key(folder)
    added = add_municipalities(folder, (town.slug for town in catalogue.municipalities()))
    click.echo("\n".join(added) or "Every municipality has its key.")


@keys.command("rotate")
@click.argument("kind", type=click.Choice([kind.value for kind in KeyKind]))
@click.option(
    "--folder", type=click.Path(path_type=Path, file_okay=False, exists=True), help="Where the keys lie."
)
@click.option("--municipality", metavar="SLUG", help="With identity: of this one alone.")
@click.option(
    "--wait",
    type=click.FloatRange(0),
    default=2 * LOOK_EVERY,
    show_default=True,
    help="Seconds until every process knows the new key, before it is used.",
)
def rotate(kind: str, folder: Path | None, municipality: str | None, wait: float) -> None:
    """Put a new key in the place of the present one, while everything runs; what the old ones closed opens still."""
    try:
        for name in rotate_key(folder or state_folder(), KeyKind(kind), municipality=municipality):
            click.echo(f"Known: {name}")
            time.sleep(wait)
    except NoSuchKey as missing:
        raise click.ClickException(f"no key to put another in the place of: {missing}") from None
    click.echo(
        "In use. A process that is given its settings by the environment (EnvironmentFile) takes it when restarted."
    )
    if kind == KeyKind.IDENTITY:
        click.echo("Keep a copy of identity_private_keys.json where only the ombudsman reaches it.")
