"""Secrets of a machine."""

import time
from pathlib import Path

import click

from portal.cli.problems import problems_said
from portal.config import LOOK_EVERY, state_folder
from portal.i18n import SOURCE, translator
from portal.regulations import catalogue
from portal.sealing.folder import (
    SecretsExist,
    add_audit_key,
    add_card_keys,
    add_municipalities,
    add_receipt_key,
    make_folder,
    rotate_card_key,
)
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
    """Give what joined since FOLDER was made its key: municipalities, cards, receipts and the audit log."""
    towns = [town.slug for town in catalogue.municipalities()]
    add_audit_key(folder)
    add_receipt_key(folder)
    add_card_keys(folder, towns)
    added = add_municipalities(folder, towns)
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


@keys.command("rotate-cards")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.argument("municipality", metavar="SLUG")
@click.option(
    "--disown-old",
    is_flag=True,
    help="For a key that fell into other hands: every card printed so far is unknown from now on.",
)
def rotate_cards(folder: Path, municipality: str, disown_old: bool) -> None:
    """Sign the permit cards of SLUG with a new key; cards that were printed stay good."""
    with problems_said(translator(SOURCE)):
        slug = catalogue.municipality(municipality).slug
    rotate_card_key(folder, slug, disown=disown_old)
    told = "unknown: print them anew" if disown_old else "as good as before"
    click.echo(f"{slug}: a new key. Cards printed so far are {told}.")
