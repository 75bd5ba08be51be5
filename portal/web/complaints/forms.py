"""What a posted question says: the draft it belongs to, its fields, its photos."""

from dataclasses import dataclass

from flask import Response, current_app, request
from itsdangerous import BadSignature, URLSafeSerializer

from portal.domain.errors import PhotoRefused
from portal.domain.questionnaire import PHOTO_LIMIT
from portal.files.photos import Photo, clean_name, read_photo

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


@dataclass(frozen=True, slots=True)
class PostedPhotos:
    taken: tuple[Photo, ...]
    refused: tuple[PhotoRefused, ...]


def posted_photos() -> PostedPhotos:
    """Each file that was sent, read or refused by itself; an empty field is no file.

    No more are opened than a complaint may have: a request can hold a thousand small files of many pixels.
    """
    taken: list[Photo] = []
    refused: list[PhotoRefused] = []
    sent = [file for file in request.files.getlist("photos") if file.filename]
    if len(sent) > PHOTO_LIMIT:
        refused.append(
            PhotoRefused(clean_name(sent[PHOTO_LIMIT].filename or ""), "too_many", limit=PHOTO_LIMIT)
        )
    for file in sent[:PHOTO_LIMIT]:
        assert file.filename
        try:
            taken.append(read_photo(file.filename, file.read()))
        except PhotoRefused as problem:
            refused.append(problem)
    return PostedPhotos(tuple(taken), tuple(refused))


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
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt="draft of a complaint")
