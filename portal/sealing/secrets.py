"""Secrets the portal itself may read again for a while: the key not yet kept, the ticket of an opened case."""

from base64 import urlsafe_b64encode
from collections.abc import Iterator
from datetime import datetime

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

Secrets = str | tuple[str, ...]
"""A secret, or several of which the first is the present one and the others are of before a rotation."""


def newest(secret: Secrets) -> str:
    return secret if isinstance(secret, str) else secret[0]


def each(secret: Secrets) -> tuple[str, ...]:
    return (secret,) if isinstance(secret, str) else secret


def encrypt(plaintext: str, secret: Secrets, *, purpose: str, now: datetime) -> bytes:
    """``plaintext`` under a key derived from the portal's ``secret`` for one purpose."""
    return _fernet(newest(secret), purpose).encrypt_at_time(plaintext.encode(), int(now.timestamp()))


def decrypt(box: bytes, secret: Secrets, *, purpose: str, now: datetime, minutes: int) -> str | None:
    """What was encrypted at most ``minutes`` ago; None when it is older, changed or of another purpose."""
    for cipher in _ciphers(secret, purpose):
        try:
            found = cipher.decrypt_at_time(box, ttl=minutes * 60, current_time=int(now.timestamp()))
        except InvalidToken:
            continue
        return found.decode()
    return None


def decrypt_kept(box: bytes, secret: Secrets, *, purpose: str) -> str | None:
    """What was encrypted, however long ago; None when it was changed, or another secret did it."""
    for cipher in _ciphers(secret, purpose):
        try:
            return cipher.decrypt(box).decode()
        except InvalidToken:
            continue
    return None


def _ciphers(secret: Secrets, purpose: str) -> Iterator[Fernet]:
    return (_fernet(one, purpose) for one in each(secret))


def _fernet(secret: str, purpose: str) -> Fernet:
    derived = HKDF(SHA256(), 32, salt=None, info=f"embarque-legal/{purpose}".encode()).derive(secret.encode())
    return Fernet(urlsafe_b64encode(derived))
