"""Gzip for what a thin line has to carry; never for a page that may hold a secret beside what was typed (BREACH)."""

import gzip

from flask import Flask, Response, request

from portal.pages.privacy import confidential, session_used

_MIN_BYTES = 500
_TYPES = ("text/", "application/json", "application/geo+json", "image/svg+xml", "application/manifest+json")


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
        response.vary.add("Accept-Encoding")
        # A page with a form token has used the session.
        if request.accept_encodings["gzip"] > 0 and not confidential() and not session_used():
            content = response.get_data()
            if len(content) >= _MIN_BYTES:
                response.set_data(gzip.compress(content, 5, mtime=0))
                response.content_encoding = "gzip"
        return response
