"""One line a request: what was asked and how it went, without the query, and nothing of a person's case."""

import time

import structlog
from flask import Flask, Response, g, request

from portal.pages.privacy import confidential

_SILENT = {"static", "vendor", "favicon", "health.health"}


def log_access(app: Flask) -> None:
    log = structlog.get_logger("portal.access").bind()  # once: to bind costs more than to write a line

    @app.before_request
    def _start() -> None:
        g.started = time.perf_counter()

    @app.after_request
    def _line(response: Response) -> Response:
        if request.endpoint not in _SILENT and not confidential():
            elapsed = time.perf_counter() - g.get("started", time.perf_counter())
            log.info(
                "request",
                method=request.method,
                # An address nobody serves may hold anything a person pasted.
                path=request.path if request.url_rule and response.status_code != 404 else "unknown",
                status=response.status_code,
                ms=round(elapsed * 1000, 1),
            )
        return response
