"""One file by the browser for a complaint begun in a chat: what is too big for a bot to fetch."""

from flask import Blueprint, Response, make_response, redirect, render_template, url_for

from portal import clock
from portal.domain.errors import FileRefused, PortalError, UploadLinkSpent
from portal.pages.fragments import render
from portal.pages.headers import from_this_site
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.services.complaints import intake
from portal.services.complaints.intake import Upload
from portal.services.complaints.stored_files import storing
from portal.services.unit_of_work import unit_of_work
from portal.web.complaints.files import posted_files
from portal.wording.evidence import bystanders_sentence, cleaning_sentence, files_kept, kinds_sentence
from portal.wording.problems import problem_sentence

blueprint = Blueprint("uploads", __name__)


@blueprint.get("/<slug:municipality>/manifestacoes/arquivo/<token>")
def show(municipality: str, token: str) -> Response:
    """The form for one file. Opening it changes nothing: a messenger's preview may do so before the person."""
    catalogue.municipality(municipality)
    with unit_of_work() as session:
        upload = intake.read_upload(session, token, now=clock.now())
    return _page(_here(upload, municipality), token)


@blueprint.post("/<slug:municipality>/manifestacoes/arquivo/<token>")
@from_this_site
def send(municipality: str, token: str) -> Response:
    """Keep the file; the link is spent once something was kept. A file that is refused may be followed by another."""
    catalogue.municipality(municipality)
    now = clock.now()
    with unit_of_work() as session:  # nobody's file is opened without a link
        upload = _here(intake.read_upload(session, token, now=now), municipality)
    files = posted_files()
    problem: PortalError | None = files.refused[0] if files.refused else None
    if not files.taken:
        return _page(upload, token, problem=problem or FileRefused("", "none"))
    try:
        with storing(files.taken[:1], municipality) as stored:
            for refused in stored.refused:
                raise refused
            with unit_of_work(writes=True) as session:
                intake.send_upload(session, token, stored.taken[0], now=now)
    except FileRefused as refused:
        return _page(upload, token, problem=refused)
    return make_response(redirect(url_for("uploads.received", municipality=municipality), 303))


@blueprint.get("/<slug:municipality>/manifestacoes/arquivo-recebido")
def received(municipality: str) -> Response:
    """Back to the chat. The page knows nothing of the draft, so that it may stay open on a borrowed device."""
    return make_response(
        render_template("complaints/upload_received.html", here=catalogue.municipality(municipality))
    )


def _here(upload: Upload, municipality: str) -> Upload:
    if upload.municipality != municipality:
        raise UploadLinkSpent
    return upload


def _page(upload: Upload, token: str, *, problem: PortalError | None = None) -> Response:
    _ = current_translator()
    return render(
        "complaints/upload.html",
        fragment="upload",
        status=422 if problem else 200,
        action=url_for("uploads.send", municipality=upload.municipality, token=token),
        here=catalogue.municipality(upload.municipality),
        problem=problem_sentence(problem, _) if problem else "",
        kept=files_kept(upload.files, _) if upload.files else "",
        about_files=(kinds_sentence(_), cleaning_sentence(_), bystanders_sentence(_)),
    )
