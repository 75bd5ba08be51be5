"""Packing for what a thin line has to carry, done here so that a town needs no proxy to have it.

Never for a page that may hold a secret beside what was typed: who can make a browser ask for such a page again and
again, and see how long the answers are, learns the secret from them (BREACH). Secrets are the token of a form, a
draft, a protocol, a key. The pages that reflect what was typed and are packed, the verdict above all, hold none of
these: their forms begin a complaint without a token (``from_this_site``) and never read the session, which is what
is asked below; whatever stands under ``/manifestacoes`` or ``/acompanhar``, and all of the desk, travels unpacked.
"""

import gzip
from functools import lru_cache

from flask import Flask, Response, request
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from portal.pages.privacy import confidential, session_used
from portal.pages.vary import vary_on

_MIN_BYTES = 500
_TYPES = ("text/", "application/json", "application/geo+json", "image/svg+xml", "application/manifest+json")


def accepted(coding: str) -> bool:
    """Whether this browser reads a content coding, such as ``gzip``."""
    return _is_among(coding, request.headers.get("Accept-Encoding", ""))


@lru_cache(maxsize=256)
def _is_among(coding: str, header: str) -> bool:
    # Few browsers, many requests: the same header is not read twice.
    return parse_accept_header(header, Accept)[coding] > 0


def compress_answers(app: Flask) -> None:
    @app.after_request
    def _compress(response: Response) -> Response:
        if (
            response.direct_passthrough
            or response.is_streamed
            or response.content_encoding
            or not (response.mimetype or "").startswith(_TYPES)
        ):
            return response
        vary_on(response, "Accept-Encoding")
        # A page with a form token has used the session.
        if accepted("gzip") and not confidential() and not session_used():
            content = response.get_data()
            if len(content) >= _MIN_BYTES:
                response.set_data(gzip.compress(content, 5, mtime=0))
                response.content_encoding = "gzip"
        return response
