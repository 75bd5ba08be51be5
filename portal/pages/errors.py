"""What goes wrong, said once and answered as it was asked: page, fragment for htmx, or JSON."""

import sys
import traceback
from types import TracebackType

import structlog
from flask import Flask, Response, make_response, render_template, request
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoFreeConnection
from werkzeug.exceptions import HTTPException, SecurityError

from portal.domain.errors import PortalError
from portal.domain.evidence import LARGEST_UPLOAD, MEGABYTE
from portal.domain.questionnaire import STORY_LIMIT
from portal.i18n import Translator
from portal.pages.exchange import asked
from portal.pages.fragments import asks_for_fragment, vary_by_asker
from portal.pages.languages import current_translator
from portal.pages.privacy import confidential
from portal.wording.problems import problem_sentence

log = structlog.get_logger("portal.errors")

_ExcInfo = tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]
_NEVER_ECHOED = {"csrf_token", "password", "access_key", "key", "chave", "senha", "code", "lang"}


def http_sentence(status: int, _: Translator) -> tuple[str, str]:
    """A title and one sentence for a status that no `PortalError` stands behind."""
    match status:
        case 404:
            return _("Página não encontrada"), _("Confira o endereço, ou comece de novo por aqui.")
        case 405:
            return _("Este endereço não aceita esse pedido"), _("Volte e use os botões da página.")
        case 403:
            return _("Isto não está aberto para você"), _("Volte e tente por outro caminho.")
        case 415:
            return _("Não sabemos ler o que foi enviado"), _("Volte e use os botões da página.")
        case 413:
            return _("O envio é grande demais"), _(
                "O limite é de %(limit)s MB no total, e o texto cabe em %(characters)s caracteres. "
                "Volte e envie menos arquivos de cada vez."
            ) % {"limit": _.number(LARGEST_UPLOAD // MEGABYTE), "characters": _.number(STORY_LIMIT)}
        case 429:
            return _("Muitos pedidos em pouco tempo"), _("Espere um minuto e tente de novo.")
        case 500 | 502 | 503:
            return _("Algo falhou do nosso lado"), _(
                "Nada foi registrado neste passo. Tente de novo daqui a pouco."
            )
        case _:
            return _("Não entendemos o pedido"), _("Volte e tente de novo.")


_CODES = {
    400: "bad_request",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "unsupported_media_type",
    429: "too_many_requests",
    500: "internal_error",
}


def answer_errors(app: Flask) -> None:
    """Every error in the person's language, with its status, in the shape that was asked for."""

    @app.errorhandler(PortalError)
    def _portal_error(error: PortalError) -> Response:
        _ = current_translator()
        sentence = problem_sentence(error, _)
        title = _("Página não encontrada") if error.status == 404 else _("Não foi possível continuar")
        return _answer(error.status, error.code, title, sentence, problem=error)

    @app.errorhandler(CSRFError)
    def _expired_form(_error: CSRFError) -> Response:
        _ = current_translator()
        title = _("O formulário expirou")
        sentence = _("Por segurança, é preciso enviar de novo. O que você escreveu está aqui.")
        typed = _typed()
        if not typed:
            sentence = _("Por segurança, volte à página anterior e envie de novo.")
        return _answer(400, "expired_form", title, sentence, typed=typed)

    @app.errorhandler(OperationalError)
    @app.errorhandler(InterfaceError)
    @app.errorhandler(NoFreeConnection)
    def _database_away(error: Exception) -> Response:
        # Away, full or too busy: nobody knows whether the last word was heard, and whatever is sent may be sent again.
        app.log_exception(sys.exc_info())
        _ = current_translator()
        title = _("O sistema não respondeu a tempo")
        typed = _typed()
        sentence = (
            _("O que você escreveu está aqui. Espere um pouco e envie de novo: nada é registrado duas vezes.")
            if typed
            else _("Espere um pouco e tente de novo.")
        )
        response = _answer(503, "database_away", title, sentence, typed=typed)
        response.headers["Retry-After"] = "30"
        return response

    @app.errorhandler(HTTPException)
    def _http_error(error: HTTPException) -> Response:
        if isinstance(
            error, SecurityError
        ):  # asked under a name that is not ours: no page of ours can be built on it
            return Response("host\n", status=400, mimetype="text/plain")
        if error.response is not None or (error.code or 500) < 400:
            return make_response(error.get_response(request.environ))
        status = error.code or 500
        if status == 413:
            _read_to_the_end()
        title, sentence = http_sentence(status, current_translator())
        response = _answer(status, _CODES.get(status, "bad_request"), title, sentence)
        for name, value in error.get_headers(request.environ):
            if name in ("Allow", "Retry-After"):
                response.headers[name] = value
        return response

    def _log_exception(exc_info: _ExcInfo) -> None:
        # The route and never the address: that may hold a plate or a case. Frames and never their values; and
        # in a case not even the message, which may quote what the person wrote.
        kind, error, frames = exc_info
        log.error(
            "unhandled",
            request=asked().number,
            method=request.method,
            route="confidential" if confidential() else str(request.url_rule),
            error=kind.__name__ if kind else "",
            message="" if confidential() else str(error),
            frames="".join(traceback.format_tb(frames)),
        )

    app.log_exception = _log_exception  # type: ignore[method-assign]


def _typed() -> list[tuple[str, str]]:
    """What stood in a form of this very site, to be sent again; its origin is told by the browser."""
    if request.method != "POST" or request.headers.get("Sec-Fetch-Site") != "same-origin":
        return []
    return [(name, value) for name, value in request.form.items(multi=True) if name not in _NEVER_ECHOED]


READ_TO_THE_END = 4 * LARGEST_UPLOAD
"""Bytes of what is too big that are still taken off the line, and thrown away."""


def _read_to_the_end() -> None:
    """Let a browser finish sending: one that is cut off shows a lost connection in place of our page."""
    body, left = request.environ["wsgi.input"], min(request.content_length or 0, READ_TO_THE_END)
    while left > 0 and (part := body.read(min(left, 1 << 18))):
        left -= len(part)


def error_body(code: str, message: str) -> dict[str, dict[str, str]]:
    """The JSON of an error, everywhere the same."""
    return {"error": {"code": code, "message": message}}


def _answer(status: int, code: str, title: str, sentence: str, **context: object) -> Response:
    if request.path.startswith("/api/"):
        response = make_response(error_body(code, sentence), status)
        return response
    if asks_for_fragment():
        return vary_by_asker(alert(status, title, sentence))
    page = render_template("errors/problem.html", title=title, sentence=sentence, status=status, **context)
    return vary_by_asker(make_response(page, status))


def alert(status: int, title: str, sentence: str) -> Response:
    """What htmx shows beside what the person was doing, never in its place: what they typed stays."""
    response = make_response(render_template("errors/alert.html", title=title, sentence=sentence), status)
    response.headers["HX-Retarget"] = "#alert"
    response.headers["HX-Reswap"] = "innerHTML"
    response.headers["HX-Push-Url"] = "false"
    return response
