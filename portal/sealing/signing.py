"""Signing cards: only the desk and the command line import this module."""

import json
from base64 import b64decode, b64encode
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from portal.config import card_settings
from portal.domain.cards import CardFacts, pack, write_letters
from portal.sealing.cards import PURPOSE, key_id_of


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A town's own key for its cards."""

    private: Ed25519PrivateKey

    def sign(self, facts: CardFacts) -> str:
        """The code of a card; the same card under the same key has the same code."""
        content = pack(facts, key_id_of(self.private.public_key().public_bytes_raw()))
        return write_letters(content + self.private.sign(PURPOSE + content))


def read_signing_key(path: Path, municipality: str) -> SigningKey | None:
    """The newest key of a town, from ``CardSettings.card_private_keys``; None where it has none."""
    entries = json.loads(path.read_text()).get(municipality)
    if not entries:
        return None
    return SigningKey(Ed25519PrivateKey.from_private_bytes(b64decode(entries[0]["key"])))


def signing_key(municipality: str) -> SigningKey | None:
    """The newest key of a town, as the settings of desk and command line name it; None where it has none."""
    file = card_settings().card_private_keys
    return read_signing_key(file, municipality) if file and file.exists() else None


def new_signing_pair() -> tuple[str, str]:
    """Private and public half of a new key, each in base64 of its 32 bytes."""
    private = Ed25519PrivateKey.generate()
    return (
        b64encode(private.private_bytes_raw()).decode(),
        b64encode(private.public_key().public_bytes_raw()).decode(),
    )
