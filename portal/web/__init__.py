"""The public portal. It can write an identity but never read one."""

from flask import Flask

from portal.config import Settings, settings
from portal.pages.site import make_site


def create_app(given: Settings | None = None) -> Flask:
    """The WSGI application; ``given`` settings serve the tests, otherwise the environment is read."""
    app = make_site(__name__, given or settings())
    return app
