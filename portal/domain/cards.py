"""What the code on a permit's card carries: which card of which town, for which vehicle, the how-manieth.

Nineteen bytes and a signature of sixty-four, written in 129 letters and digits: so a QR code stays in its smallest
alphabet, and nothing at the end of an address is taken for a full stop. Whoever signs and checks is
``portal.sealing``; this module knows the form alone.
"""

import re
import secrets
from dataclasses import dataclass
from enum import StrEnum

from portal.domain.plates import is_plate

VERSION = 1
SIGNATURE = 64
"""Bytes of a signature by Ed25519."""
_HEAD, _CARD, _TOWN, _PLATE, _ISSUE = 2, 8, 3, 4, 2
CONTENT = _HEAD + _CARD + _TOWN + _PLATE + _ISSUE
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_FIFTH = _DIGITS
KEY_IDS = 1 << 12
MOST_ISSUES = (1 << 8 * _ISSUE) - 1


def _length(bytes_: int) -> int:
    """How many letters and digits write so many bytes."""
    length, most = 0, 256**bytes_
    while 36**length < most:
        length += 1
    return length


LETTERS = _length(CONTENT + SIGNATURE)
CARD_LETTERS = _length(_CARD)
_TOKEN = re.compile(rf"(?<![0-9A-Za-z])[0-9A-Za-z]{{{LETTERS}}}(?![0-9A-Za-z])")
_ADDRESS = re.compile(r"^(?:https?://)?[^/\s]+/v/", re.IGNORECASE)


class CardState(StrEnum):
    """What became of a card whose signature is good."""

    CURRENT = "current"
    REPLACED = "replaced"
    """Another card was made in its place."""
    REVOKED = "revoked"
    """Taken back: lost, stolen, damaged."""
    RENEWED = "renewed"
    """Its permit ended, and another one of the same vehicle is in force."""
    LEFT = "left"
    """Its vehicle stands in the permit no longer."""


@dataclass(frozen=True, slots=True)
class CardFacts:
    """What is signed."""

    card: str
    """The card's own random name: 13 letters and digits, which no other card and no permit tells."""
    town: int
    """Number of the municipality at the national institute of statistics."""
    plate_key: str | None
    """Of its one vehicle; None where it stands for every vehicle of the permit."""
    issue: int
    """1 for the first card of a permit or vehicle, 2 for the one that replaced it."""


def new_card_name() -> str:
    """Sixty-four random bits: nobody guesses one card from another."""
    return write_letters(secrets.token_bytes(_CARD))


def pack(facts: CardFacts, key_id: int) -> bytes:
    """What is signed, as bytes; ``key_id`` is the key's, of twelve bits."""
    return b"".join(
        (
            (VERSION << 12 | key_id).to_bytes(_HEAD),
            read_letters(facts.card, _CARD),
            facts.town.to_bytes(_TOWN),
            _plate_number(facts.plate_key).to_bytes(_PLATE),
            facts.issue.to_bytes(_ISSUE),
        )
    )


def unpack(content: bytes) -> tuple[CardFacts, int] | None:
    """The facts and the id of the key; None for what no card of ours says."""
    head = int.from_bytes(content[:_HEAD])
    at = _HEAD
    fields = []
    for size in (_CARD, _TOWN, _PLATE, _ISSUE):
        fields.append(content[at : at + size])
        at += size
    plate = int.from_bytes(fields[2])
    if len(content) != CONTENT or head >> 12 != VERSION or plate > _PLATES:
        return None
    facts = CardFacts(
        write_letters(fields[0]), int.from_bytes(fields[1]), _plate_of(plate), int.from_bytes(fields[3])
    )
    return facts, head & (KEY_IDS - 1)


def write_letters(data: bytes) -> str:
    """Bytes as capital letters and digits, always as many for as many bytes."""
    number, letters = int.from_bytes(data), []
    for _position in range(_length(len(data))):
        number, digit = divmod(number, 36)
        letters.append(_DIGITS[digit])
    return "".join(reversed(letters))


def read_letters(text: str, size: int) -> bytes:
    """What `write_letters` wrote, in capitals or not; raises ``ValueError`` for anything else."""
    if len(text) != _length(size) or not (text.isascii() and text.isalnum()):
        raise ValueError("not so many letters and digits")
    try:
        return int(text, 36).to_bytes(size)
    except OverflowError:
        raise ValueError("more than so many bytes") from None


def find_token(text: str) -> str | None:
    """The code of a card in what was scanned, typed or sent: alone, in an address or in a sentence."""
    found = _TOKEN.search(text)
    return found[0].upper() if found else None


def looks_like_card(text: str) -> bool:
    """Whether a text is the address on a card, or was one before somebody changed it."""
    return find_token(text) is not None or _ADDRESS.match(text.strip()) is not None


def host_in(text: str) -> str | None:
    """The host of the address in a scanned text, in small letters; None where there is no address."""
    found = re.search(r"https?://([^/\s?#]+)", text, re.IGNORECASE)
    return found[1].lower() if found else None


_PLATES = 26**3 * 10 * 36 * 100


def _plate_number(plate: str | None) -> int:
    if plate is None:
        return 0
    if not is_plate(plate):
        raise ValueError("not a plate")
    number = 0
    for letter in plate[:3]:
        number = number * 26 + ord(letter) - ord("A")
    return 1 + ((number * 10 + int(plate[3])) * 36 + _FIFTH.index(plate[4])) * 100 + int(plate[5:])


def _plate_of(number: int) -> str | None:
    if number == 0:
        return None
    number, last = divmod(number - 1, 100)
    number, fifth = divmod(number, 36)
    number, fourth = divmod(number, 10)
    letters = []
    for _position in range(3):
        number, letter = divmod(number, 26)
        letters.append(chr(ord("A") + letter))
    return "".join(reversed(letters)) + f"{fourth}{_FIFTH[fifth]}{last:02d}"
