"""What a posted question says: the draft it belongs to, its fields."""

from flask import Response, current_app, request
from itsdangerous import BadSignature, URLSafeSerializer

DRAFT_COOKIE = "draft"
_TEN_DAYS = 10 * 24 * 3600
FIELDS = ("option", "text", "stop", "line", "date", "time", "name", "email", "phone")


def signed(token: str) -> str:
    """The draft's token for a hidden field, so that a form outlives its cookie."""
    return _signer().dumps(token)


def posted_token() -> str:
    """The token of the form's draft; empty where the page began a new one, whatever the cookie still says."""
    try:
        return str(_signer().loads(request.form.get("draft", "")))
    except BadSignature:
        return ""


def posted_answer() -> dict[str, str]:
    """The fields of an answer, as ``parse_answer`` reads them."""
    raw = {field: request.form[field] for field in FIELDS if field in request.form}
    if request.form.get("lat") or request.form.get("lon"):
        raw.update(latitude=request.form.get("lat", ""), longitude=request.form.get("lon", ""))
    return raw


def remember_draft(response: Response, token: str) -> Response:
    """Let this browser, and no address, lead back to the draft."""
    set_secret_cookie(response, DRAFT_COOKIE, token, max_age=_TEN_DAYS)
    return response


def set_secret_cookie(response: Response, name: str, value: str, *, max_age: int, path: str = "/") -> None:
    response.set_cookie(
        name,
        value,
        max_age=max_age,
        path=path,
        httponly=True,
        samesite="Lax",
        secure=current_app.config["SESSION_COOKIE_SECURE"],
    )


def _signer() -> URLSafeSerializer:
    oldest_first = list(reversed(current_app.config["SECRETS"]))  # it signs with the last
    return URLSafeSerializer(oldest_first, salt="draft of a complaint")
