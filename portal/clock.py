"""The only clock. Tests freeze `now`; nothing else asks the machine for the time."""

from datetime import UTC, datetime


def now() -> datetime:
    """The present instant, in UTC."""
    return datetime.now(UTC)
