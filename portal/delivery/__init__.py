"""Senders towards the outside. Each sends one message or raises; the worker decides what becomes of it."""

from datetime import timedelta


class Undeliverable(Exception):
    """Trying again will not help: no such address, the person blocked us, a malformed message."""


class TryLater(Exception):
    """The other side asks for a pause of ``wait``."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__()
        self.wait = wait
