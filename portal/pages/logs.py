"""Logs as JSON lines: what happened, where and when, without the values a traceback could show."""

import json

import structlog

_encoder = json.JSONEncoder(ensure_ascii=False, default=repr)  # json.dumps would make one for each line

_PROCESSORS: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
    structlog.processors.JSONRenderer(serializer=lambda event, **_options: _encoder.encode(event)),
]
"""One list for good: a logger that was bound once keeps the list it was bound to."""


def write_logs() -> None:
    """One JSON object a line on the standard output, for this process."""
    structlog.configure(processors=_PROCESSORS)
