"""Logs as JSON lines: what happened, where and when, without the values a traceback could show."""

import json
from datetime import UTC, datetime

import orjson
import structlog
from structlog.typing import EventDict, WrappedLogger

_with_traceback = structlog.processors.ExceptionRenderer()


def _line(logger: WrappedLogger, level: str, event: EventDict) -> str:
    """The event as one line. A chain of processors would call a dozen functions for each request."""
    event["level"] = level
    event["timestamp"] = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    if "exc_info" in event:
        event = _with_traceback(logger, level, event)
    try:
        return orjson.dumps(event, default=repr).decode()
    except TypeError:  # half a character, as in the name of a broken file
        return json.dumps(event, default=repr)


_PROCESSORS: list[structlog.typing.Processor] = [_line]
"""One list for good: a logger that was bound once keeps the list it was bound to."""


def write_logs() -> None:
    """One JSON object a line on the standard output, for this process."""
    structlog.configure(processors=_PROCESSORS)
