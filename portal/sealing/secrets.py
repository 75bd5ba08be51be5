"""Secrets the portal itself may read again for a while: the key not yet kept, the ticket of an opened case."""

from base64 import urlsafe_b64encode
from datetime import datetime

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def encrypt(plaintext: str, secret: str, *, purpose: str, now: datetime) -> bytes:
    """``plaintext`` under a key derived from the portal's ``secret`` for one purpose."""
    return _fernet(secret, purpose).encrypt_at_time(plaintext.encode(), int(now.timestamp()))


def decrypt(box: bytes, secret: str, *, purpose: str, now: datetime, minutes: int) -> str | None:
    """What was encrypted at most ``minutes`` ago; None when it is older, changed or of another purpose."""
    try:
        return (
            _fernet(secret, purpose)
            .decrypt_at_time(box, ttl=minutes * 60, current_time=int(now.timestamp()))
            .decode()
        )
    except InvalidToken:
        return None


def decrypt_kept(box: bytes, secret: str, *, purpose: str) -> str | None:
    """What was encrypted, however long ago; None when it was changed, or another secret did it."""
    try:
        return _fernet(secret, purpose).decrypt(box).decode()
    except InvalidToken:
        return None


def _fernet(secret: str, purpose: str) -> Fernet:
    derived = HKDF(SHA256(), 32, salt=None, info=f"embarque-legal/{purpose}".encode()).derive(secret.encode())
    return Fernet(urlsafe_b64encode(derived))
