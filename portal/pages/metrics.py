"""Figures of a site for Prometheus: how many requests of which route, how they went, how long they took.

Labels are routes, methods and statuses of ours: nothing of a person, and no more series than there are routes. Each
process writes to files in PROMETHEUS_MULTIPROC_DIR, and ``portal metrics`` adds them up and serves them on a port of
its own; without that setting nothing is counted.
"""

import os
import time
from typing import Any

import structlog

from portal.pages.exchange import Answer, Asked, Finisher

SETTING = "PROMETHEUS_MULTIPROC_DIR"
"""As the library reads it: a folder that is emptied when the machine starts."""
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_METHODS = {"GET", "HEAD", "POST"}


def count_requests(site: str) -> Finisher | None:
    """Counts every answer of ``site`` (``portal`` or ``desk``); None where nobody asked for figures."""
    folder = os.environ.get(SETTING)
    if not folder:
        return None
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:  # a town is served without figures rather than not at all
        structlog.get_logger("portal.metrics").warning("no_figures", why=type(error).__name__)
        return None
    from prometheus_client import Counter, Histogram  # it decides by the setting as it is imported

    requests, seconds = _instruments(Counter, Histogram)

    def count(answer: Answer, asked: Asked) -> None:
        route = asked.endpoint or "unknown"
        method = asked.method if asked.method in _METHODS else "other"
        requests.labels(site, route, method, str(answer.status_code)).inc()
        seconds.labels(site, route).observe(time.perf_counter() - asked.started)

    return count


def _instruments(counter: type, histogram: type) -> tuple[Any, Any]:
    """Once a process, which may hold several apps in a test."""
    if not _made:
        _made.append(
            counter("embarque_requests", "Requests answered.", ["site", "route", "method", "status"])
        )
        _made.append(
            histogram("embarque_request_seconds", "Time to an answer.", ["site", "route"], buckets=SECONDS)
        )
    return _made[0], _made[1]


_made: list[Any] = []
