"""Packing for what a thin line has to carry, done here so that a town needs no proxy to have it.

Never for a page that may hold a secret beside what was typed: who can make a browser ask for such a page again and
again, and see how long the answers are, learns the secret from them (BREACH). Secrets are the token of a form, a
draft, a protocol, a key. The pages that reflect what was typed and are packed, the verdict above all, hold none of
these: their forms begin a complaint without a token (``from_this_site``) and never read the session, which is what
is asked below; whatever stands under ``/manifestacoes`` or ``/acompanhar``, and all of the desk, travels unpacked.
"""

import gzip
from functools import lru_cache

from flask import Request
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from portal.pages.exchange import Answer, Asked

_MIN_BYTES = 500
_TYPES = ("text/", "application/json", "application/geo+json", "image/svg+xml", "application/manifest+json")


def accepts(request: Request, coding: str) -> bool:
    """Whether this browser reads a content coding, such as ``gzip``."""
    return _is_among(coding, request.environ.get("HTTP_ACCEPT_ENCODING", ""))


@lru_cache(maxsize=256)
def _is_among(coding: str, header: str) -> bool:
    # Few browsers, many requests: the same header is not read twice.
    return parse_accept_header(header, Accept)[coding] > 0


def compress(answer: Answer, asked: Asked) -> None:
    """Compress what is worth it, for a browser that reads it."""
    if (
        answer.direct_passthrough
        or answer.is_streamed
        or "Content-Encoding" in answer.headers
        or not (answer.mimetype or "").startswith(_TYPES)
    ):
        return
    asked.depends_on.append("Accept-Encoding")
    if answer.status_code == 304:
        return
    # A page with a form token has used the session.
    if accepts(asked, "gzip") and not asked.confidential and not asked.session_used:
        content = answer.get_data()
        if len(content) >= _MIN_BYTES:
            answer.set_data(gzip.compress(content, 5, mtime=0))
            answer.content_encoding = "gzip"
