"""Gzip for what a thin line has to carry; never for a page that may hold a secret beside what was typed (BREACH)."""

import gzip
from functools import lru_cache

from flask import Flask, Response, request
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from portal.pages.privacy import confidential, session_used
from portal.pages.vary import vary_on

_MIN_BYTES = 500
_TYPES = ("text/", "application/json", "application/geo+json", "image/svg+xml", "application/manifest+json")


def accepts_gzip() -> bool:
    """Whether this browser reads gzip."""
    return _speaks_gzip(request.headers.get("Accept-Encoding", ""))


@lru_cache(maxsize=256)
def _speaks_gzip(accepted: str) -> bool:
    # Few browsers, many requests: the same header is not read twice.
    return parse_accept_header(accepted, Accept)["gzip"] > 0


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
        if accepts_gzip() and not confidential() and not session_used():
            content = response.get_data()
            if len(content) >= _MIN_BYTES:
                response.set_data(gzip.compress(content, 5, mtime=0))
                response.content_encoding = "gzip"
        return response
