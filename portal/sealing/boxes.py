"""Sealing (HPKE, RFC 9180): who holds only the public key can write a box, and never read it again.

A box is a version byte, the length of the key's id and the id, then what HPKE made. The record it belongs to is
bound into it: moved to another row, it does not open.
"""

from dataclasses import dataclass

from cryptography.hazmat.primitives import hpke

from portal.sealing.keys import PublicKey

VERSION = 1
SUITE = hpke.Suite(hpke.KEM.X25519, hpke.KDF.HKDF_SHA256, hpke.AEAD.AES_256_GCM)


@dataclass(frozen=True, slots=True)
class Header:
    version: int
    key_id: str
    sealed: bytes
    """What HPKE made."""


class UnreadableBox(ValueError):
    """Not a box, or one of a version, key or record that is not at hand."""


def seal(plaintext: bytes, public: PublicKey, *, record: str) -> bytes:
    """A box of ``plaintext`` for the holder of the private key.

    ``record`` names table, column and row, such as ``complaint.identity/7K3M-9QXT-4B2C``.
    """
    key_id = public.id.encode()
    sealed = SUITE.encrypt(plaintext, public.key, info=box_info(record))
    return bytes([VERSION, len(key_id)]) + key_id + sealed


def read_header(box: bytes) -> Header:
    """Which key a box asks for; raises ``UnreadableBox``."""
    if len(box) < 2 or box[0] != VERSION or len(box) < 2 + box[1]:
        raise UnreadableBox("not a box of this version")
    end = 2 + box[1]
    try:
        return Header(version=box[0], key_id=box[2:end].decode(), sealed=box[end:])
    except UnicodeDecodeError:
        raise UnreadableBox("its key has no readable name") from None


def box_info(record: str) -> bytes:
    """HPKE's ``info`` argument: the library has no ``aad`` yet, so the record is bound here."""
    return f"embarque-legal/{VERSION}/{record}".encode()
