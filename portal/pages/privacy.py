"""Which answers are one person's: those leave no trace in caches and logs, and are not compressed."""

from portal.pages.exchange import asked


def confidential() -> bool:
    """Whether this request is about a person's own case, or the app as a whole is (the desk)."""
    return asked().confidential
