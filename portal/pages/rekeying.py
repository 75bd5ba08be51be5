"""The keys of a site, and those of ``portal keys rotate`` while it runs."""

from collections.abc import Callable
from pathlib import Path

from flask import Flask

from portal.config import Watch


def take_keys(app: Flask, secrets: tuple[str, ...]) -> None:
    """Sign with the first of ``secrets``; what the others signed counts still."""
    app.config.update(
        SECRETS=secrets,
        SECRET_KEY=secrets[0],
        SECRET_KEY_FALLBACKS=list(secrets[1:]),
        WTF_CSRF_SECRET_KEY=list(reversed(secrets)),  # Flask-WTF signs with the last
    )


def follow_keys(app: Flask, take: Callable[[], None], *further: Path) -> None:
    """Call ``take`` before the next request once the files of settings, or a ``further`` one, were written anew."""
    watch = Watch(*further)

    @app.before_request
    def _look() -> None:
        if watch.changed():
            take()
