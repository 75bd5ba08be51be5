"""Which answers are one person's: those leave no trace in caches and logs, and are not compressed."""

from flask import current_app, request
from flask.globals import request_ctx

_SECRET_SEGMENTS = {"manifestacoes", "acompanhar", "mesa"}


def confidential() -> bool:
    """Whether this request is about a person's own case, or the app as a whole is (the desk)."""
    return bool(current_app.config.get("CONFIDENTIAL")) or not _SECRET_SEGMENTS.isdisjoint(
        request.path.split("/")
    )


def session_used() -> bool:
    """Whether the answer depends on the session; a form's CSRF token does, for one."""
    opened = request_ctx._session  # asking through `flask.session` would itself count as a use
    return opened is not None and opened.accessed
