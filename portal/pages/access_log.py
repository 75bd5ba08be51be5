"""One line a request: what was asked and how it went, without the query, and nothing of a person's case."""

import time

import structlog

from portal.pages.exchange import Answer, Asked, Finisher

_UNNAMED = {"cards.open_code", "receipts.show", "receipts.show_pdf"}
"""Whose address is itself what was looked up: of those the log has the form alone."""
_SILENT = {"static", "vendor", "favicon", "health.health", "health.alive", "health.ready"}


def access_log() -> Finisher:
    """Writes the line of every answer, last of all."""
    log = structlog.get_logger("portal.access").bind()  # once: to bind costs more than to write a line

    def write_line(answer: Answer, asked: Asked) -> None:
        answer.added = (*answer.added, ("X-Request-Id", asked.number))
        if asked.endpoint in _SILENT or asked.confidential:
            return
        status = answer.status_code
        log.info(
            "request",
            request=asked.number,
            method=asked.method,
            path=_path(asked, status),
            status=status,
            ms=round((time.perf_counter() - asked.started) * 1000, 1),
        )

    return write_line


def _path(asked: Asked, status: int) -> str:
    """An address nobody serves may hold anything a person pasted."""
    if asked.url_rule and asked.endpoint in _UNNAMED:
        return asked.url_rule.rule
    return asked.path if asked.url_rule and status != 404 else "unknown"
