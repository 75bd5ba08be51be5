"""The shell of both sites, the portal and the desk."""

from collections.abc import Callable, MutableMapping
from functools import cached_property
from typing import Any

from flask import Flask, Request, Response
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from flask.templating import Environment
from htmx_flask.requests import HtmxHeaders
from jinja2 import Template
from jinja2.environment import TemplateModule
from jinja2.runtime import Context
from werkzeug.middleware.proxy_fix import ProxyFix

from portal.config import Settings
from portal.domain.deep_links import payload
from portal.domain.texts import capitalize_first
from portal.pages import TEMPLATES
from portal.pages.access_log import log_access
from portal.pages.assets import serve_assets
from portal.pages.compression import compress_answers
from portal.pages.errors import answer_errors
from portal.pages.headers import protect
from portal.pages.kept import keep_parts
from portal.pages.languages import current_translator, speak_languages
from portal.pages.limits import limit_requests
from portal.pages.logs import write_logs
from portal.wording.services import service_name


class _Sessions(SecureCookieSessionInterface):
    """A request without the session's cookie has an empty session: no key is derived to read nothing."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        if not request.cookies.get(self.get_cookie_name(app)):
            return self.session_class()
        return super().open_session(app, request)

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        if session or session.accessed:
            super().save_session(app, session, response)


class _Templates(Environment):
    """No template of ours has globals of its own, so that all share one plain dictionary: a ChainMap of two is
    searched at every import of a macro and copied at every page."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return super().make_globals(d) if d else self.globals


class _Request(Request):
    @cached_property
    def htmx(self) -> HtmxHeaders:
        """What htmx says of this request; read when asked for, as only pages ask."""
        return HtmxHeaders(self.headers)


class _Site(Flask):
    jinja_environment = _Templates
    request_class = _Request
    session_interface = _Sessions()

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        # No view or hook of ours is a coroutine: Flask would look at each of a dozen for every request.
        return func


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
    app = _Site(import_name, template_folder=str(TEMPLATES), static_folder=None)
    app.jinja_env.template_class = _Component
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.config.update(SECRET_KEY=settings.secret_key.get_secret_value(), SETTINGS=settings)
    if count := settings.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=count, x_proto=count, x_host=count)  # type: ignore[method-assign]
    # Flask runs these hooks backwards: the language first, then headers, then compression, the log last.
    write_logs()
    log_access(app)
    limit_requests(app, settings)
    compress_answers(app)
    protect(app, settings, confidential_app=confidential)
    speak_languages(app)
    keep_parts(app)
    serve_assets(app)
    answer_errors(app)

    app.jinja_env.filters["capitalize_first"] = capitalize_first
    app.jinja_env.filters["service_name"] = lambda service: service_name(service, current_translator())

    @app.context_processor
    def _shell() -> dict[str, object]:
        return {"settings": settings, "town": None, "towns": ()}

    app.jinja_env.globals["bot_address"] = _bot_address(settings.telegram_bot_name)

    return app


def _bot_address(name: str | None) -> Callable[..., str | None]:
    """``bot_address("s", town=3510500, what="praca")``: where the chat shows the same; None without a bot."""

    def bot_address(kind: str, *, town: int | None = None, what: str | None = None) -> str | None:
        return f"https://t.me/{name}?start={payload(kind, town=town, what=what)}" if name else None

    return bot_address
