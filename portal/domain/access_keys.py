"""The access key: six everyday Portuguese words, 66 bits, typed loosely, stored only under a keyed hash."""

import hashlib
import hmac
import secrets
import unicodedata
from functools import lru_cache

from mnemonic import Mnemonic

WORDS = 6


@lru_cache
def word_list() -> tuple[str, ...]:
    """The 2,048 Portuguese words of BIP 39: no accents, four to eight letters."""
    return tuple(Mnemonic("portuguese").wordlist)


def new_access_key() -> str:
    """Six random words with a space between."""
    return " ".join(secrets.choice(word_list()) for _ in range(WORDS))


def fold(typed: str) -> str:
    """The letters alone, whatever the case, accents and separators: ``Maçã-Rio`` is ``macario``."""
    letters = unicodedata.normalize("NFKD", typed[:1000]).casefold()
    return "".join(letter for letter in letters if "a" <= letter <= "z")


def keyed_hash(access_key: str, protocol: str, pepper: bytes) -> bytes:
    """What is stored of an access key: useless without the pepper, and different for each protocol."""
    return hmac.new(pepper, f"access key\0{protocol}\0{fold(access_key)}".encode(), hashlib.sha256).digest()
