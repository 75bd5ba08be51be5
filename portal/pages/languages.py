"""The language of a request: explicit ``?lang=``, then the cookie, then what the browser accepts."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any
from urllib.parse import quote_plus

from flask import Flask, current_app, g, has_request_context
from jinja2 import pass_eval_context
from jinja2.nodes import EvalContext
from markupsafe import Markup
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from portal.config import Settings
from portal.i18n import LANGUAGES, PSEUDO, SOURCE, Translator, language_of, negotiate, translator
from portal.pages.exchange import Answer, Asked, Finisher, asked

COOKIE = "lang"
A_YEAR = 365 * 24 * 3600
_LANGUAGE_TAGS = tuple(translator(language).tag for language in LANGUAGES)
_BARE = ("static", "vendor", "tiles.tile", "feed.gtfs")
"""Endpoints that speak no language."""


def current_translator() -> Translator:
    """The translator of this request; a view passes it on to ``portal.wording``."""
    request = asked()
    return request.translator or _translator_of(request)


def _translator_of(request: Asked) -> Translator:
    wished = request.said.get("lang")
    request.explicit_language = _offered(wished)
    accepted = _tags(request.environ.get("HTTP_ACCEPT_LANGUAGE", ""))
    chosen = request.explicit_language or _offered(request.cookie(COOKIE))
    found = request.translator = translator(chosen or negotiate(accepted=accepted))
    return found


def speak(language: str) -> None:
    """Answer this request in a language that neither its address nor a cookie is to tell."""
    request = asked()
    request.translator, request.explicit_language = translator(language), None


def _offered(tag: str | None) -> str | None:
    """The language that a tag asks for here; the pseudo-language is offered to developers alone."""
    if tag == PSEUDO:
        return PSEUDO if current_app.config["SETTINGS"].development else None
    return language_of(tag)


@lru_cache(maxsize=256)
def _tags(accepted: str) -> tuple[str, ...]:
    # Few browsers, many requests: the same header is not read twice.
    return tuple(parse_accept_header(accepted, LanguageAccept).values())


@pass_eval_context
def _gettext(context: EvalContext, message: str, **gaps: object) -> str:
    """``_`` in templates: what Jinja's own would answer, without its two calls through the context."""
    if not gaps and context.autoescape:
        return _without_gaps(current_translator(), message)
    said = current_translator().gettext(message)
    return (Markup(said) if context.autoescape else said) % gaps  # noqa: S704  # gaps are escaped, messages are ours


@lru_cache(maxsize=4096)
def _without_gaps(speaker: Translator, message: str) -> Markup:
    return Markup(speaker.gettext(message)) % {}  # noqa: S704  # our own message, written by no visitor


def explicit_language() -> str:
    """The tag of a language asked for in the address (``pt-BR``, ``en``, ``es``), or nothing."""
    request = asked()
    spoken = request.translator or _translator_of(request)
    return spoken.tag if request.explicit_language else ""


def address(path: str, **query: str) -> str:
    """An address of this site, in the language that the present address asks for."""
    if language := explicit_language():
        query.setdefault("lang", language)
    return f"{path}?{_encoded(query.items())}" if query else path


def here_in_any_language() -> str:
    """The present address, query and all, up to the tag of the language that it would be in."""
    request = asked()
    query = [(name, value) for name, value in request.args.items(multi=True) if name != "lang"]
    return f"{request.path}?{_encoded([*query, ('lang', '')])}"


def _encoded(query: Iterable[tuple[str, str]]) -> str:
    """As ``urlencode``; nearly every query is a plate, and has nothing to quote."""
    return "&".join(
        [
            f"{name}={value if value.isascii() and value.isalnum() else quote_plus(value)}"
            for name, value in query
        ]
    )


def in_language(tag: str) -> str:
    """The present address, query and all, in another language."""
    here: str | None = g.get("here")
    if here is None:  # three links of a page and as many in its head
        here = g.here = here_in_any_language()
    return here + tag


def speak_languages(app: Flask) -> Finisher:
    """Give templates ``_``, ``ngettext`` and ``translator``, and keep an explicit language in every link.

    What is returned tells each answer its language, and lets the browser remember one that was asked for.
    """
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        lambda message: current_translator().gettext(message),
        lambda singular, plural, n: current_translator().ngettext(singular, plural, n),
        newstyle=True,
    )
    # Globals, not context: macros imported from components see these too.
    app.jinja_env.globals.update(
        _=_gettext,
        address=address,
        explicit_language=explicit_language,
        reads_portuguese=lambda: current_translator().language == SOURCE,
    )

    @app.context_processor
    def _languages() -> dict[str, Any]:
        return {
            "translator": current_translator(),
            "languages": _LANGUAGE_TAGS,
            "in_language": in_language,
        }

    @app.url_defaults
    def _keep_language(endpoint: str, values: dict[str, Any]) -> None:
        if has_request_context() and endpoint not in _BARE and (language := explicit_language()):
            values.setdefault("lang", language)

    def finish(answer: Answer, asked: Asked) -> None:
        if asked.endpoint in _BARE:
            return
        spoken = asked.translator or _translator_of(asked)
        answer.added = (*answer.added, ("Content-Language", spoken.tag))
        if asked.explicit_language is None:
            asked.depends_on += ("Accept-Language", "Cookie")
        elif _offered(asked.cookie(COOKIE)) != asked.explicit_language:
            configured: Settings = app.config["SETTINGS"]
            answer.set_cookie(
                COOKIE,
                spoken.tag,
                max_age=A_YEAR,
                secure=configured.public_url.startswith("https:"),
                httponly=True,
                samesite="Lax",
            )

    return finish
