"""Logs as JSON lines: what happened, where and when, without the values a traceback could show."""

import structlog


def write_logs() -> None:
    """One JSON object a line on the standard output, for this process."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ]
    )
