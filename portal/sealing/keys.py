"""Public keys: one of each municipality's ombudsman (identity), one of the worker (notice), those of its cards.

The file of public keys is JSON: ``{"identity": {slug: {"id": "…", "key": base64}}, "notice": {"id": "…", "key": …},
"cards": {slug: [{"key": base64}, …]}}``, the newest of a town's card keys first.
A file of private keys, which only the desk reads, is ``{slug: [{"id", "key"}, …]}``, the newest first.
"""

import json
import secrets
from base64 import b64decode, b64encode
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey


@dataclass(frozen=True, slots=True)
class PublicKey:
    id: str
    key: X25519PublicKey


@dataclass(frozen=True, slots=True)
class PublicKeys:
    identity: dict[str, PublicKey]
    """By the municipality's slug; without one, only anonymous complaints can be taken there."""
    notice: PublicKey | None


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A new pair, each half in base64 of its 32 bytes."""

    id: str
    public: str
    private: str

    def __repr__(self) -> str:
        return f"KeyPair({self.id})"


def new_key_pair() -> KeyPair:
    private = X25519PrivateKey.generate()
    return KeyPair(
        id=secrets.token_hex(4),
        public=b64encode(private.public_key().public_bytes_raw()).decode(),
        private=b64encode(private.private_bytes_raw()).decode(),
    )


def read_public_keys(path: Path) -> PublicKeys:
    """The keys in the file that ``Settings.public_keys`` names: read anew each time, as keys change while we run."""
    return _read(path.read_text())


@lru_cache(maxsize=2)
def _read(text: str) -> PublicKeys:
    given: dict[str, Any] = json.loads(text)
    notice = given.get("notice")
    return PublicKeys(
        identity={slug: _public_key(entry) for slug, entry in given.get("identity", {}).items()},
        notice=_public_key(notice) if notice else None,
    )


def read_card_keys(path: Path) -> dict[str, tuple[bytes, ...]]:
    """The public keys that signed a town's cards, 32 bytes each, the newest first."""
    given: dict[str, Any] = json.loads(path.read_text())
    return {
        slug: tuple(b64decode(entry["key"]) for entry in entries)
        for slug, entries in given.get("cards", {}).items()
    }


def _public_key(entry: dict[str, str]) -> PublicKey:
    return PublicKey(id=entry["id"], key=X25519PublicKey.from_public_bytes(b64decode(entry["key"])))
