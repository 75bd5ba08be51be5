"""The shell of both sites, the portal and the desk."""

from flask import Flask
from htmx_flask import Htmx
from jinja2 import Template
from jinja2.environment import TemplateModule
from jinja2.runtime import Context
from werkzeug.middleware.proxy_fix import ProxyFix

from portal.config import Settings
from portal.pages import TEMPLATES
from portal.pages.access_log import log_access
from portal.pages.assets import serve_assets
from portal.pages.compression import compress_answers
from portal.pages.errors import answer_errors
from portal.pages.headers import protect
from portal.pages.languages import current_translator, speak_languages
from portal.pages.logs import write_logs
from portal.wording.services import service_name


class _Component(Template):
    """A template whose macros are imported once, and not compared with each context anew: all see the same globals."""

    def _get_default_module(self, ctx: Context | None = None) -> TemplateModule:
        if self._module is None:
            self._module = self.make_module()
        return self._module


def make_site(import_name: str, settings: Settings, *, confidential: bool = False) -> Flask:
    """A Flask app with our templates, languages, assets, headers and error pages, and no page of its own.

    ``confidential`` says that every page of it is about people's cases (the desk): nothing cached, nothing logged.
    """
    app = Flask(import_name, template_folder=str(TEMPLATES), static_folder=None)
    app.jinja_env.template_class = _Component
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.config.update(SECRET_KEY=settings.secret_key.get_secret_value(), SETTINGS=settings)
    Htmx(app)
    if count := settings.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=count, x_proto=count, x_host=count)  # type: ignore[method-assign]
    # Flask runs these hooks backwards: the language first, then headers, then compression, the log last.
    write_logs()
    log_access(app)
    compress_answers(app)
    protect(app, settings, confidential_app=confidential)
    speak_languages(app)
    serve_assets(app)
    answer_errors(app)

    app.jinja_env.filters["service_name"] = lambda service: service_name(service, current_translator())

    @app.context_processor
    def _shell() -> dict[str, object]:
        return {"settings": settings, "town": None, "towns": ()}

    return app
