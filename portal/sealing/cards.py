"""Whether a card's code is one of ours: with public keys alone, the old ones too, so that printed cards stay good."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256, Hash

from portal.domain.cards import CONTENT, KEY_IDS, SIGNATURE, CardFacts, read_letters, unpack
from portal.sealing.keys import read_card_keys

PURPOSE = b"embarque-legal/card/"
"""Signed before the content: a signature for anything else is none for a card."""


@dataclass(frozen=True, slots=True)
class CardKey:
    id: int
    key: Ed25519PublicKey


CardKeys = Mapping[str, Sequence[CardKey]]
"""By the municipality's slug; the newest first."""


class ForgedCard(ValueError):
    """No key of the town signed this."""


def check_card(token: str, keys: CardKeys, towns: Mapping[int, str]) -> tuple[str, CardFacts]:
    """The town's slug and what its card says.

    Args:
        towns: slug of each municipality by its number.

    Raises:
        ForgedCard: nothing that a key of that town signed; not a word of it is to be told.
    """
    try:
        data = read_letters(token, CONTENT + SIGNATURE)
    except ValueError as error:
        raise ForgedCard from error
    content, signature = data[:CONTENT], data[CONTENT:]
    read = unpack(content)
    if read is None or read[0].town not in towns:
        raise ForgedCard
    facts, key_id = read
    slug = towns[facts.town]
    for one in keys.get(slug, ()):
        if one.id != key_id:
            continue
        try:
            one.key.verify(signature, PURPOSE + content)
        except InvalidSignature:
            continue
        return slug, facts
    raise ForgedCard


def key_id_of(public: bytes) -> int:
    """Twelve bits that name a key inside a code; two keys that share them are both tried."""
    digest = Hash(SHA256())
    digest.update(public)
    return int.from_bytes(digest.finalize()[:2]) % KEY_IDS


def card_keys(path: Path) -> CardKeys:
    """The public keys of every town, read anew when the file changed: a rotation needs no restart."""
    return _card_keys(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _card_keys(path: Path, _changed: int) -> CardKeys:
    return {
        slug: tuple(CardKey(key_id_of(one), Ed25519PublicKey.from_public_bytes(one)) for one in public)
        for slug, public in read_card_keys(path).items()
    }
