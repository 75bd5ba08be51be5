"""The public portal. It can write an identity but never read one."""

import os

from flask import Flask
from htmx_flask import Htmx

from portal.config import Settings, refuse_private_keys, settings
from portal.pages import TEMPLATES
from portal.pages.languages import speak_languages
from portal.web.health.views import blueprint as health


def create_app(given: Settings | None = None) -> Flask:
    """The WSGI application; ``given`` settings serve the tests, otherwise the environment is read."""
    refuse_private_keys(os.environ)
    configured = given or settings()
    app = Flask(__name__, template_folder=str(TEMPLATES), static_folder=None)
    app.config.update(SECRET_KEY=configured.secret_key.get_secret_value(), SETTINGS=configured)
    Htmx(app)
    speak_languages(app)
    app.register_blueprint(health)
    return app
