"""A request and its answer, as every hook of ours sees them: what several ask is found out once."""

import time
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from flask import Request, Response, current_app, request
from flask.helpers import _split_blueprint_path
from flask.sessions import SessionMixin
from htmx_flask.requests import HtmxHeaders

from portal.i18n import Translator

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

_SECRET_SEGMENTS = {"manifestacoes", "acompanhar", "mesa"}

LARGEST_FORM = 500_000
"""Bytes of everything in a form that is not a file."""


class Asked(Request):
    """The request, with what is known of it by now."""

    translator: Translator | None = None
    """Of this request: see ``portal.pages.languages.current_translator``."""
    explicit_language: str | None = None
    """The language that the address asks for; known once ``translator`` is."""
    opened_session: SessionMixin | None = None

    def __init__(self, environ: "WSGIEnvironment", *given: Any) -> None:
        super().__init__(environ, *given)
        self.started = time.perf_counter()
        self.depends_on: list[str] = []
        """Request headers, beside those that the answer names itself, that the answer depends on: its ``Vary``."""
        self._confidential: bool | None = None
        self._htmx: HtmxHeaders | None = None
        self._said: dict[str, str] | None = None
        self._number: str | None = None

    @property
    def number(self) -> str:
        """Of this request, in its answer and in every line of the log about it: random, and of nobody."""
        if self._number is None:
            self._number = token_hex(8)
        return self._number

    @property
    def said(self) -> dict[str, str]:
        """What the address says after its question mark, the first of each name."""
        # In Werkzeug's own dictionary to ask for what is not there makes an error, words and all, and throws it away.
        if self._said is None:
            self._said = self.args.to_dict()
        return self._said

    def cookie(self, name: str) -> str | None:
        """A cookie by its name; most requests bring none at all."""
        return self.cookies.get(name) if "HTTP_COOKIE" in self.environ else None

    @property
    def blueprints(self) -> list[str]:
        """As Flask's own, which takes the endpoint apart for each of its hooks anew."""
        return _blueprints(self.endpoint or "")

    @property
    def htmx(self) -> HtmxHeaders:
        """What htmx says of this request; read when asked for, as only pages ask."""
        if self._htmx is None:
            self._htmx = HtmxHeaders(self.headers)
        return self._htmx

    @property
    def confidential(self) -> bool:
        """Whether this is about a person's own case, or the app as a whole is (the desk)."""
        if self._confidential is None:
            self._confidential = bool(
                current_app.config.get("CONFIDENTIAL")
            ) or not _SECRET_SEGMENTS.isdisjoint(self.path.split("/"))
        return self._confidential

    @property
    def session_used(self) -> bool:
        """Whether the answer depends on the session; a form's CSRF token does, for one."""
        # Asking through `flask.session` would itself count as a use.
        return self.opened_session is not None and self.opened_session.accessed

    @property
    def max_content_length(self) -> int | None:
        """MAX_CONTENT_LENGTH for files; less for any other body, which is read whole into memory."""
        # MAX_FORM_MEMORY_SIZE reaches multipart forms alone.
        if not self.environ.get("CONTENT_TYPE", "").lower().startswith("multipart/form-data"):
            return LARGEST_FORM
        return super().max_content_length

    @max_content_length.setter
    def max_content_length(self, value: int | None) -> None:
        self._max_content_length = value


@lru_cache(maxsize=1000)
def _blueprints(endpoint: str) -> list[str]:
    name = endpoint.rpartition(".")[0]
    return _split_blueprint_path(name) if name else []


def asked() -> Asked:
    """The present request itself: through its proxy each attribute costs more than most answers to it."""
    return request._get_current_object()  # type: ignore[attr-defined,no-any-return]


class Answer(Response):
    """The answer; what is alike on many is added as it leaves."""

    policy: Sequence[tuple[str, str]] = ()
    """Headers of every answer of the site; one that an answer sets by itself stands in its place."""
    added: Sequence[tuple[str, str]] = ()
    """Headers of this one that came last, likewise: to set one in Werkzeug's list is to look through all of it."""

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        headers = list(self.headers)
        own = {name for name, _ in headers}
        added = [pair for pair in (*self.added, *self.policy) if pair[0] not in own]
        if (
            environ["REQUEST_METHOD"] == "GET"
            and self._status_code == 200
            and type(self.response) is list
            and "Content-Length" in own
            and own.isdisjoint(_ADDRESSES)
            and not self._on_close
        ):
            # A whole page leaves as it is. Werkzeug would copy its headers, look through them for addresses to mend
            # and count the body anew: more calls than all hooks of ours together.
            start_response(self.status, headers + added)
            return self.response
        body, status, headers = self.get_wsgi_response(environ)
        start_response(status, headers + added)
        return body


_ADDRESSES = frozenset({"Location", "Content-Location"})

Finisher = Callable[[Answer, Asked], None]
"""The last word of a subject on every answer, such as its language or its headers."""
