"""Opening boxes: only the desk (identities) and the worker (delivery addresses) import this module."""

import json
from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from portal.sealing.boxes import SUITE, UnreadableBox, box_info, read_header

PrivateKeys = Mapping[str, X25519PrivateKey]
"""By key id: a box says which one it was sealed to, so that old boxes open after a rotation."""


def open_sealed(box: bytes, keys: PrivateKeys, *, record: str) -> bytes:
    """What was sealed; raises ``UnreadableBox`` for a key we do not hold, another record or a changed box."""
    header = read_header(box)
    if header.key_id not in keys:
        raise UnreadableBox(f"no key {header.key_id}")
    try:
        return SUITE.decrypt(header.sealed, keys[header.key_id], info=box_info(record))
    except (InvalidTag, ValueError) as error:
        raise UnreadableBox("the box belongs to another record or was changed") from error


def read_identity_keys(path: Path) -> dict[str, PrivateKeys]:
    """The identity keys of each municipality, from ``DeskSettings.identity_private_keys``."""
    given = json.loads(path.read_text())
    return {
        slug: {entry["id"]: private_key(entry["key"]) for entry in entries} for slug, entries in given.items()
    }


def read_notice_keys(setting: str) -> PrivateKeys:
    """The worker's keys, from ``WorkerSettings.notice_private_key``: ``id:base64``, older ones after a comma."""
    pairs = (entry.strip().partition(":") for entry in setting.split(","))
    return {key_id: private_key(encoded) for key_id, _colon, encoded in pairs}


def private_key(encoded: str) -> X25519PrivateKey:
    """A private key from base64 of its 32 bytes."""
    return X25519PrivateKey.from_private_bytes(b64decode(encoded))
