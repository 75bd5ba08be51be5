"""Secrets of a machine."""

from pathlib import Path

import click

from portal.regulations import catalogue
from portal.sealing.folder import SecretsExist, add_audit_key, add_municipalities, make_folder


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
