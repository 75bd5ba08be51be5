"""What the proof of a look-up says: what was asked of a town, when, and what its list of which day answered.

The proof is its code: nothing of a look-up is stored, so that nobody can read here who asked about what. Around fifty
letters and digits, of the alphabet that protocols are written in, as people may type it from paper.
"""

import unicodedata
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from portal.domain.permits import Status
from portal.domain.plates import is_plate
from portal.domain.protocols import ALPHABET

VERSION = 1
SEAL = 12
"""Bytes of its HMAC."""
MOST_LISTS, LONGEST_ASKED = 7, 40
_EPOCH = date(2000, 1, 1)
_READ_AS = str.maketrans("ILOUZ", "110V2")
_HEAD = 12
_GROUP = 4

STATUSES = {
    Status.AUTHORIZED: 1, Status.RENEWAL_PENDING: 2, Status.NOT_YET_VALID: 3, Status.EXPIRED: 4, Status.BARRED: 5,
    Status.SUSPENDED: 6, Status.CANCELLED: 7, Status.REVOKED: 8, Status.NOT_IN_FORCE: 9, Status.NOT_FOUND: 10,
    Status.UNKNOWN: 11, Status.NOT_REGULATED: 12,
}  # fmt: skip
"""Written into proofs that people keep: a number is never given to another status."""
_BY_NUMBER = {number: status for status, number in STATUSES.items()}


@dataclass(frozen=True, slots=True)
class ListAsked:
    """A list that answered."""

    as_of: date
    platform: bool
    """One that a platform delivers; False is the municipality's own."""
    stale: bool


@dataclass(frozen=True, slots=True)
class LookUp:
    town: int
    """Number of the municipality at the national institute of statistics."""
    asked: str
    """A plate or a permit number, as it was read."""
    on: date
    """The civil day that was asked about."""
    at: datetime
    """When it was answered, to the second."""
    status: Status
    limited: bool
    """Authorised, but not there, then or for that."""
    lists: tuple[ListAsked, ...]


def pack(look_up: LookUp, key: int) -> bytes:
    """What is sealed; ``key`` is one byte that tells one key from another."""
    plate = is_plate(look_up.asked)
    asked = look_up.asked.encode()[:LONGEST_ASKED]
    lists = look_up.lists[:MOST_LISTS]
    head = (
        VERSION << 4 | look_up.limited << 3 | len(lists),
        key,
        *look_up.town.to_bytes(3),
        *int(look_up.at.timestamp()).to_bytes(4),
        *(look_up.on - _EPOCH).days.to_bytes(2),
        STATUSES[look_up.status],
    )
    told = b"".join(
        bytes([one.platform << 7 | one.stale << 6]) + (one.as_of - _EPOCH).days.to_bytes(2) for one in lists
    )
    return bytes(head) + told + (b"" if plate else bytes([len(asked)])) + asked


def unpack(content: bytes) -> LookUp | None:
    """The look-up; None for what is none."""
    try:
        count, limited = content[0] & 7, bool(content[0] & 8)
        if content[0] >> 4 != VERSION:
            return None
        lists = tuple(
            ListAsked(_day(content[at + 1 : at + 3]), bool(content[at] & 128), bool(content[at] & 64))
            for at in range(_HEAD, _HEAD + 3 * count, 3)
        )
        rest = content[_HEAD + 3 * count :]
        asked = rest if len(rest) == 7 and is_plate(rest.decode()) else rest[1:]
        return LookUp(
            town=int.from_bytes(content[2:5]),
            asked=asked.decode(),
            on=_day(content[9:11]),
            at=datetime.fromtimestamp(int.from_bytes(content[5:9]), UTC),
            status=_BY_NUMBER[content[11]],
            limited=limited,
            lists=lists,
        )
    except (IndexError, KeyError, ValueError, OverflowError):
        return None


def key_byte(content: bytes) -> int:
    return content[1] if len(content) > _HEAD else -1


def write_code(data: bytes) -> str:
    """Bytes in groups of four letters and digits."""
    number, letters = int.from_bytes(data), []
    for _position in range(_length(len(data))):
        number, digit = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[digit])
    text = "".join(reversed(letters))
    return "-".join(text[at : at + _GROUP] for at in range(0, len(text), _GROUP))


def read_code(typed: str) -> bytes | None:
    """What `write_code` wrote, in any case, spacing and look-alike; None for anything else."""
    folded = unicodedata.normalize("NFKD", typed[:400]).upper().translate(_READ_AS)
    letters = "".join(letter for letter in folded if letter in ALPHABET)
    size = next((size for size in range(_HEAD, 120) if _length(size) == len(letters)), None)
    if size is None:
        return None
    number = 0
    for letter in letters:
        number = number * len(ALPHABET) + ALPHABET.index(letter)
    return number.to_bytes(size) if number < 256**size else None


def _length(size: int) -> int:
    length, most = 0, 256**size
    while len(ALPHABET) ** length < most:
        length += 1
    return length


def _day(data: bytes) -> date:
    return _EPOCH + timedelta(int.from_bytes(data))
