"""Cards of permits, signed with a key of the test's own."""

from datetime import datetime
from pathlib import Path

from portal.sealing.folder import rotate_card_key
from portal.sealing.signing import read_signing_key
from portal.services.cards.making import Card, facts_of, make_card
from portal.services.register.permits import keeper_at, permit_by_number
from portal.services.unit_of_work import unit_of_work
from portal.storage.cards import card_by_name

TOWN = "caraguatatuba-sp"


def card_keys_in(folder: Path, *towns: str) -> Path:
    """Give towns a key for their cards, in the folder of a test's own portal; answers the file of private keys."""
    public = folder / "public.json"
    (folder / "public_keys.json").write_text(public.read_text() if public.exists() else "{}")
    for town in towns or (TOWN,):
        rotate_card_key(folder, town)
    public.write_text((folder / "public_keys.json").read_text())
    return folder / "card_private_keys.json"


def put_card(
    number: str, *, now: datetime, town: str = TOWN, layout: str | None = None, unit: int | None = None
) -> Card:
    """A card of a permit, made as the command line makes it."""
    with unit_of_work(writes=True) as session:
        keeper = keeper_at(town)
        permit = permit_by_number(session, keeper, number)
        return make_card(session, keeper, permit, layout=layout, unit=unit, now=now)


def token_of(card: Card, file: Path, town: str = TOWN) -> str:
    """What its code holds, signed as it is when the card is printed."""
    key = read_signing_key(file, town)
    assert key
    with unit_of_work() as session:
        row = card_by_name(session, card.name)
        assert row
        return key.sign(facts_of(row))
