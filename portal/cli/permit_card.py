"""`portal permit card`: cards of a permit at the command line, as the desk makes them."""

from pathlib import Path

import click

from portal import clock
from portal.cli.problems import problems_said
from portal.config import settings
from portal.documents.card import card_pdf
from portal.domain.errors import CardRefused
from portal.i18n import SOURCE, translator
from portal.regulations import catalogue
from portal.sealing.signing import SigningKey, signing_key
from portal.services.cards import making
from portal.services.cards.making import Card
from portal.services.register import permits as register
from portal.services.unit_of_work import unit_of_work
from portal.wording.cards import missing_fields


@click.group()
def card() -> None:
    """Cards of one permit, with a code that opens its verdict: make, print again, take back."""


@card.command("list")
@click.argument("municipality", metavar="SLUG")
@click.argument("number")
def list_(municipality: str, number: str) -> None:
    """Every card that permit NUMBER had, the newest first."""
    with problems_said(translator(SOURCE)), unit_of_work() as session:
        keeper = register.keeper_at(municipality)
        permit = register.permit_by_number(session, keeper, number)
        found = making.list_cards(session, keeper, permit)
    for one in found:
        click.echo(_line(one))


@card.command()
@click.argument("municipality", metavar="SLUG")
@click.argument("number")
@click.option("--layout", help="Which of the instrument's cards; its first by default.")
@click.option("--unit", type=int, help="Position of the vehicle, where each has its own card.")
def make(municipality: str, number: str, layout: str | None, unit: int | None) -> None:
    """Make a card for permit NUMBER; the one it had is replaced."""
    with problems_said(translator(SOURCE)), unit_of_work(writes=True) as session:
        keeper = register.keeper_at(municipality)
        _key(municipality)
        permit = register.permit_by_number(session, keeper, number)
        made = making.make_card(session, keeper, permit, layout=layout, unit=unit, now=clock.now())
    click.echo(_line(made))


@card.command("print")
@click.argument("municipality", metavar="SLUG")
@click.argument("number")
@click.argument("card_id", metavar="CARD", type=int)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--size", help="One of the layout's sizes, such as a5; its first by default.")
def print_(municipality: str, number: str, card_id: int, file: Path, size: str | None) -> None:
    """Write CARD, as `list` numbers it, into FILE, a PDF as large as it is to be cut."""
    now, _ = clock.now(), translator(SOURCE)
    with problems_said(_), unit_of_work(writes=True) as session:
        keeper = register.keeper_at(municipality)
        permit = register.permit_by_number(session, keeper, number)
        sign = _key(municipality).sign
        sheet = making.print_card(session, keeper, permit, card_id, sign=sign, now=now)
    at = now.astimezone(catalogue.municipality(municipality).zone)
    file.write_bytes(card_pdf(sheet, public_url=settings().public_url, size=size, at=at, _=_))
    for missing in missing_fields(sheet, _):
        click.echo(f"left blank, to be written by hand: {missing}", err=True)
    click.echo(file)


@card.command()
@click.argument("municipality", metavar="SLUG")
@click.argument("number")
@click.argument("card_id", metavar="CARD", type=int)
def revoke(municipality: str, number: str, card_id: int) -> None:
    """Take CARD back, as `list` numbers it: lost, stolen, damaged. Whoever scans it is told so."""
    with problems_said(translator(SOURCE)), unit_of_work(writes=True) as session:
        keeper = register.keeper_at(municipality)
        permit = register.permit_by_number(session, keeper, number)
        ended = making.revoke_card(session, keeper, permit, card_id, now=clock.now())
    click.echo(_line(ended))


def _key(municipality: str) -> SigningKey:
    key = signing_key(municipality)
    if key is None:
        raise CardRefused("no_key")
    return key


def _line(card: Card) -> str:
    state = card.ended or "in use"
    return "\t".join(
        (str(card.id), f"#{card.issue}", card.layout, card.plate or "every vehicle", state, card.name)
    )
