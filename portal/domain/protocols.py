"""Protocol numbers: random, with a check character, never sequential, typed loosely.

Eleven characters of an alphabet of 31 (54 bits) and one that checks them, in three groups: ``7K3M-9QXT-4B2C``.
"""

import secrets
import unicodedata

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXY"
"""Without I, L, O, U and Z, which are read as 1, 1, 0, V and 2. A prime number of them: see ``check_character``."""
_LENGTH = 12
_READ_AS = str.maketrans("ILOUZ", "110V2")


def new_protocol() -> str:
    """A protocol nobody can guess from another."""
    body = "".join(secrets.choice(ALPHABET) for _ in range(_LENGTH - 1))
    return _grouped(body + check_character(body))


def check_character(body: str) -> str:
    """The last character. As 31 is prime, one wrong character or two swapped neighbours are always noticed."""
    total = sum(weight * ALPHABET.index(letter) for weight, letter in enumerate(body, start=2))
    return ALPHABET[total % len(ALPHABET)]


def read_protocol(typed: str) -> str:
    """The protocol as stored, from any case, spacing and look-alike; what is not one comes back folded as it is."""
    folded = unicodedata.normalize("NFKD", typed).upper().translate(_READ_AS)
    return _grouped("".join(letter for letter in folded if letter in ALPHABET)[: 4 * _LENGTH])


def is_protocol(typed: str) -> bool:
    """Whether the text has the form and check character of a protocol; says nothing of whether one exists."""
    letters = read_protocol(typed).replace("-", "")
    return len(letters) == _LENGTH and check_character(letters[:-1]) == letters[-1]


def _grouped(letters: str) -> str:
    return "-".join(letters[i : i + 4] for i in range(0, len(letters), 4))
