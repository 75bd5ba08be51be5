"""The shell of both sites, the portal and the desk."""

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Request, Response
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import RequestRedirect

from portal.config import Settings
from portal.domain.deep_links import payload
from portal.domain.texts import capitalize_first
from portal.pages import TEMPLATES
from portal.pages.access_log import access_log
from portal.pages.assets import serve_assets
from portal.pages.compression import compress
from portal.pages.errors import answer_errors
from portal.pages.exchange import Answer, Asked, Finisher, asked
from portal.pages.headers import protect, trusted_hosts
from portal.pages.kept import keep_parts
from portal.pages.languages import speak_languages
from portal.pages.limits import limit_requests
from portal.pages.logs import write_logs
from portal.pages.metrics import count_requests
from portal.pages.rekeying import take_keys
from portal.pages.spoken import Component, Spoken, SpokenTemplates
from portal.pages.vary import joined
from portal.wording.services import service_name


class _Sessions(SecureCookieSessionInterface):
    """A request without the session's cookie has an empty session: no key is derived to read nothing."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        if not request.cookie(self.get_cookie_name(app)):  # type: ignore[attr-defined]
            opened: SecureCookieSession | None = self.session_class()
        else:
            opened = super().open_session(app, request)
        request.opened_session = opened  # type: ignore[attr-defined]  # of portal.pages.exchange.Asked
        return opened

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        if session or session.accessed:
            super().save_session(app, session, response)


class Site(Flask):
    jinja_environment = SpokenTemplates
    request_class = Asked
    response_class = Answer
    session_interface = _Sessions()
    finishers: Sequence[Finisher] = ()
    """What every answer goes through, in this order."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        # No view or hook of ours is a coroutine: Flask would look at each of a dozen for every request.
        return func

    def handle_http_exception(self, e: HTTPException) -> HTTPException | ResponseReturnValue:
        if not isinstance(e, RequestRedirect):
            return super().handle_http_exception(e)
        # To the same place under its proper address: within this site, whatever name was asked for.
        parts = urlsplit(e.new_url)
        path = "/" + parts.path.lstrip("/\\")
        return Response(status=e.code, headers={"Location": f"{path}?{parts.query}" if parts.query else path})

    def process_response(self, response: Response) -> Response:
        answer: Answer = super().process_response(response)  # type: ignore[assignment]  # see response_class
        request = asked()
        for finish in self.finishers:
            finish(answer, request)
        if request.depends_on:
            told = answer.headers.pop("Vary", "") if "Vary" in answer.headers else ""
            answer.added = (*answer.added, ("Vary", joined(told, tuple(request.depends_on))))
        return answer


def make_site(import_name: str, settings: Settings, *, confidential: bool = False) -> Site:
    """A Flask app with our templates, languages, assets, headers and error pages, and no page of its own.

    ``confidential`` says that every page of it is about people's cases (the desk): nothing cached, nothing logged.
    """
    app = Site(import_name, template_folder=str(TEMPLATES), static_folder=None)
    app.jinja_env.template_class = Component
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.config.update(
        SETTINGS=settings,
        TRUSTED_HOSTS=trusted_hosts(settings.public_url, settings.hosts),
    )
    if count := settings.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=count, x_proto=count, x_host=count)  # type: ignore[method-assign]
    take_keys(app, settings.secrets)
    write_logs()
    limit_requests(app, settings)
    app.finishers = (
        speak_languages(app),
        protect(app, settings, confidential_app=confidential),
        compress,
        access_log(),
        *filter(None, [count_requests("desk" if confidential else "portal")]),
    )
    keep_parts(app)
    serve_assets(app)
    answer_errors(app)

    app.jinja_env.filters["capitalize_first"] = capitalize_first
    app.jinja_env.filters["spelled"] = " ".join
    app.jinja_env.filters["service_name"] = Spoken(service_name)

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
