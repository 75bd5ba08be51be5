"""What a card says to whoever scans it: genuine or not, still in use or not, and what its permit is worth now."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from portal.domain.cards import CardFacts, CardState, find_token, host_in, looks_like_card
from portal.domain.errors import CardUnknown, CodeElsewhere
from portal.domain.permits import HolderKind, Status
from portal.domain.plates import plate_key, read_plate
from portal.domain.verdicts import Verdict
from portal.regulations import catalogue
from portal.sealing.cards import CardKeys, ForgedCard, check_card
from portal.services.verdicts.verification import verify_own, verify_permit
from portal.storage import cards as store
from portal.storage.cards import PermitCardRow


@dataclass(frozen=True, slots=True)
class OpenedCard:
    """A genuine card, and what it is worth."""

    name: str
    municipality: str
    state: CardState
    issue: int
    plates: tuple[str, ...]
    """To compare with the vehicle: its own, or every one of the permit; none that a person's permit would tell."""
    of_a_person: bool
    verdict: Verdict
    """Of the card's own permit."""

    def names(self, plate: str) -> bool:
        """Whether a plate is one of the card's, before or after a change of plates."""
        return plate_key(plate) in {plate_key(one) for one in self.plates}

    @property
    def asked(self) -> str:
        """What to look up instead where the card is not to be trusted."""
        return self.plates[0] if self.plates else self.verdict.asked


def token_in(text: str, *, host: str) -> str | None:
    """The code of a card in a scanned or typed text; None where it is something else.

    Args:
        host: of this portal. A code that leads to another one is a copy of the page it shows.

    Raises:
        CardUnknown: the address of a card, but no code.
        CodeElsewhere: a card's code in an address that is not ours.
    """
    if not looks_like_card(text):
        return None
    other = host_in(text)
    if other is not None and other != host.lower():
        raise CodeElsewhere(other[:80])
    token = find_token(text)
    if token is None:
        raise CardUnknown
    return token


def open_card(session: Session, token: str, *, keys: CardKeys, now: datetime) -> OpenedCard:
    """What the code of a card says now; a forged one says nothing.

    Raises:
        CardUnknown: nobody here signed it, or the town keeps nothing of such a card.
    """
    towns: Mapping[int, str] = {town.ibge_code: town.slug for town in catalogue.municipalities()}
    try:
        slug, facts = check_card(token, keys, towns)
    except ForgedCard:
        raise CardUnknown from None
    row = store.card_by_name(session, facts.card)
    if row is None or not _agree(row, slug, facts):
        raise CardUnknown
    return _opened(session, row, now)


def open_named(session: Session, name: str, *, now: datetime) -> OpenedCard:
    """The card of a name that nobody guesses: how the chat follows a link of our own page.

    Raises:
        CardUnknown: there is none.
    """
    row = store.card_by_name(session, name.upper()[:13])
    if row is None:
        raise CardUnknown
    return _opened(session, row, now)


def compare(card: OpenedCard, typed: str) -> bool | None:
    """Whether the plate that somebody reads on the vehicle is the card's; None where it is no plate."""
    plate = read_plate(typed)
    return None if plate is None else card.names(plate)


def _agree(row: PermitCardRow, slug: str, facts: CardFacts) -> bool:
    return (row.municipality, row.plate_key or None, row.issue) == (slug, facts.plate_key, facts.issue)


def _opened(session: Session, row: PermitCardRow, now: datetime) -> OpenedCard:
    town = catalogue.municipality(row.municipality)
    on = town.civil_day(now)
    verdict = verify_own(session, town.slug, row.permit_id, row.plate or None, on=on, now=now)
    person = any(one.holder_kind is HolderKind.NATURAL_PERSON for one in verdict.permits)
    plates = (row.plate,) if row.plate else tuple(unit.plate for unit in verdict.units)
    return OpenedCard(
        name=row.card,
        municipality=town.slug,
        state=_state(row, verdict, lambda: verify_permit(session, town.slug, plates[0], on=on, now=now)),
        issue=row.issue,
        plates=plates,
        of_a_person=person,
        verdict=verdict,
    )


def _state(row: PermitCardRow, verdict: Verdict, by_plate: Callable[[], Verdict]) -> CardState:
    """``by_plate`` tells what the vehicle is worth by any permit of its own."""
    if row.ended is not None:
        return CardState(row.ended)
    if row.plate and verdict.status in (Status.NOT_FOUND, Status.UNKNOWN):
        return CardState.LEFT
    # Of a person's permit no more is told than whether it is in force; another driver's of the same car is no renewal.
    over = (Status.EXPIRED, Status.RENEWAL_PENDING, Status.CANCELLED)
    if verdict.status in over and (row.plate or verdict.units) and by_plate().status is Status.AUTHORIZED:
        return CardState.RENEWED
    return CardState.CURRENT
