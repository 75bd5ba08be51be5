"""Files of a posted question, and what they suggest: shown once to the person, kept by their own browser alone."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from flask import Response, request
from sqlalchemy.orm import Session

from portal.config import settings
from portal.domain.errors import FileRefused, PortalError
from portal.domain.evidence import FILE_LIMIT, LARGEST_FILE
from portal.domain.questionnaire import questions_for
from portal.files.reading import ReadFile, clean_name, read_file
from portal.i18n import Translator
from portal.regulations.municipalities import Municipality
from portal.sealing.secrets import decrypt, encrypt
from portal.services.complaints import intake
from portal.services.complaints.evidence import suggestion
from portal.services.complaints.intake import Draft
from portal.services.complaints.stored_files import StoredFile
from portal.web.complaints.forms import set_secret_cookie
from portal.wording.evidence import moment_offer, place_offer

FIELD = "photos"
SUGGESTION_COOKIE = "suggestion"
SUGGESTION_MINUTES = 60
_PURPOSE = "suggestion of a file"


@dataclass(frozen=True, slots=True)
class PostedFiles:
    taken: tuple[ReadFile, ...]
    refused: tuple[FileRefused, ...]


def posted_files() -> PostedFiles:
    """Each file that was sent, read or refused by itself; an empty field is no file.

    No more are opened than a complaint may have: a request can hold a thousand small files of many pixels.
    """
    taken: list[ReadFile] = []
    refused: list[FileRefused] = []
    sent = [file for file in request.files.getlist(FIELD) if file.filename]
    if len(sent) > FILE_LIMIT:
        refused.append(FileRefused(clean_name(sent[FILE_LIMIT].filename or ""), "too_many", limit=FILE_LIMIT))
    for file in sent[:FILE_LIMIT]:
        assert file.filename
        try:
            # A byte more than the longest video tells that it is too long.
            taken.append(read_file(file.filename, file.stream.read(LARGEST_FILE + 1)))
        except FileRefused as problem:
            refused.append(problem)
    return PostedFiles(tuple(taken), tuple(refused))


def attach_files(
    session: Session, draft: Draft, files: Sequence[StoredFile], *, now: datetime
) -> tuple[Draft, list[PortalError]]:
    """Keep what can be kept; what cannot is told file by file, and the rest stays."""
    problems: list[PortalError] = []
    for file in files:
        try:
            draft = intake.attach(session, draft.token, file, now=now)
        except FileRefused as refused:
            problems.append(refused)
    return draft, problems


@dataclass(frozen=True, slots=True)
class Offer:
    """What a file said, as the fields of an answer that one tap gives."""

    question: str
    sentence: str
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Told:
    """What the files just sent said: answers to confirm, or that they said nothing."""

    offers: tuple[Offer, ...]
    nothing: bool


def remember_told(
    response: Response, files: Sequence[ReadFile], draft: Draft, town: Municipality, *, now: datetime
) -> Response:
    """Let this browser hold, sealed with the portal's key, what its own files said; the portal keeps none of it."""
    if not files:
        return response
    found = [suggestion(file, town, now=now) for file in files]
    moment = next((one.moment for one in found if one.moment), None)
    position = next((one.position for one in found if one.position), None)
    held = {"of": draft.token, "moment": moment.isoformat() if moment else None, "position": position}
    box = encrypt(json.dumps(held), settings().secrets, purpose=_PURPOSE, now=now)
    set_secret_cookie(
        response, SUGGESTION_COOKIE, box.decode(), max_age=SUGGESTION_MINUTES * 60, path=_path(town)
    )
    return response


def forget_told(response: Response, town: Municipality) -> Response:
    response.delete_cookie(SUGGESTION_COOKIE, path=_path(town))
    return response


def told_by_files(draft: Draft | None, town: Municipality, _: Translator, *, now: datetime) -> Told | None:
    """What the files of this draft said a while ago; None when there is nothing to tell the person."""
    box = request.cookies.get(SUGGESTION_COOKIE, "")
    if not box or draft is None or not draft.files:
        return None
    found = decrypt(box.encode(), settings().secrets, purpose=_PURPOSE, now=now, minutes=SUGGESTION_MINUTES)
    held = json.loads(found) if found else {}
    if held.get("of") != draft.token:
        return None
    asked = {one.id for one in questions_for(draft.answers)}
    offers = []
    if held["moment"] and "when" in asked:
        moment = datetime.fromisoformat(held["moment"]).astimezone(town.zone)
        fields = {"date": moment.date().isoformat(), "time": moment.strftime("%H:%M")}
        if draft.answers.get("when") != {"kind": "at", **fields}:
            offers.append(Offer("when", moment_offer(moment, _), {"option": "earlier", **fields}))
    if held["position"] and "where" in asked:
        latitude, longitude = held["position"]
        told = {"kind": "position", "latitude": latitude, "longitude": longitude}
        if draft.answers.get("where") != told:
            offers.append(Offer("where", place_offer(_), {"lat": str(latitude), "lon": str(longitude)}))
    nothing = not held["moment"] and not held["position"]
    return Told(tuple(offers), nothing) if offers or nothing else None


def _path(town: Municipality) -> str:
    return f"/{town.slug}/manifestacoes"
