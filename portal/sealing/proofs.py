"""The HMAC under the proof of a look-up: its key is the portal's own, and signs nothing else.

The public process has no private key, and needs none here: it alone gives these proofs, and it alone checks them.
"""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field

from portal.config import Settings
from portal.domain.look_ups import SEAL, LookUp, key_byte, pack, read_code, unpack, write_code

PURPOSE = b"embarque-legal/look-up/"


@dataclass(frozen=True, slots=True)
class ProofKey:
    id: str
    secret: bytes = field(repr=False)

    @property
    def byte(self) -> int:
        return hashlib.sha256(self.id.encode()).digest()[0]


class ForgedProof(ValueError):
    """This portal never gave such a proof, or it was changed."""


def proof_keys(settings: Settings) -> tuple[ProofKey, ...]:
    """The keys of ``RECEIPT_KEY``, the one in use first; none where it is not set.

    Raises:
        ValueError: a key without an id or a secret.
    """
    if settings.receipt_key is None:
        return ()
    pairs = [part.partition(":") for part in settings.receipt_key.get_secret_value().split(",")]
    if any(not identifier or not secret for identifier, _colon, secret in pairs):
        raise ValueError("RECEIPT_KEY: each key is id:secret")
    return tuple(ProofKey(identifier.strip(), secret.encode()) for identifier, _colon, secret in pairs)


def write_proof(look_up: LookUp, keys: Sequence[ProofKey]) -> str:
    """The code of a proof, under the key in use."""
    content = pack(look_up, keys[0].byte)
    return write_code(content + _seal(content, keys[0]))


def read_proof(code: str, keys: Sequence[ProofKey]) -> LookUp:
    """The look-up that a code proves; raises ``ForgedProof``."""
    data = read_code(code)
    if data is None or len(data) <= SEAL:
        raise ForgedProof
    content, seal = data[:-SEAL], data[-SEAL:]
    if not any(
        key.byte == key_byte(content) and hmac.compare_digest(seal, _seal(content, key)) for key in keys
    ):
        raise ForgedProof
    look_up = unpack(content)
    if look_up is None:
        raise ForgedProof
    return look_up


def _seal(content: bytes, key: ProofKey) -> bytes:
    return hmac.new(key.secret, PURPOSE + content, hashlib.sha256).digest()[:SEAL]
