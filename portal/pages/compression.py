"""Gzip for what a thin line has to carry; never for a page that may hold a secret beside what was typed (BREACH)."""

import gzip
from functools import lru_cache

from flask import Request
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from portal.pages.exchange import Answer, Asked

_MIN_BYTES = 500
_TYPES = ("text/", "application/json", "application/geo+json", "image/svg+xml", "application/manifest+json")


def accepts_gzip(request: Request) -> bool:
    """Whether this browser reads gzip."""
    return _speaks_gzip(request.environ.get("HTTP_ACCEPT_ENCODING", ""))


@lru_cache(maxsize=256)
def _speaks_gzip(accepted: str) -> bool:
    # Few browsers, many requests: the same header is not read twice.
    return parse_accept_header(accepted, Accept)["gzip"] > 0


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
    # A page with a form token has used the session.
    if accepts_gzip(asked) and not asked.confidential and not asked.session_used:
        content = answer.get_data()
        if len(content) >= _MIN_BYTES:
            answer.set_data(gzip.compress(content, 5, mtime=0))
            answer.content_encoding = "gzip"
