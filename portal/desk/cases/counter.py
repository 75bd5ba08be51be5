"""A complaint taken by telephone, letter or at the counter: all questions on one page, then the printed receipt."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from flask import Blueprint, current_app, make_response, redirect, request, session, url_for
from werkzeug.wrappers import Response

from portal import clock
from portal.desk.cases.presenting import local
from portal.desk.sign_in.views import member
from portal.domain.complaints import Identity
from portal.domain.days import iso_day
from portal.domain.errors import AnswerMissing, DraftGone, FileRefused, NotAllowed, PortalError
from portal.domain.questionnaire import Raw, options_of, parse_answer, question
from portal.files.reading import ReadFile, read_file
from portal.i18n import LANGUAGES, Translator, translator
from portal.pages.fragments import render
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.services import casework
from portal.services.casework import CHANNELS
from portal.services.complaints import filing, intake
from portal.services.complaints.filing import Receipt
from portal.services.complaints.stored_files import storing
from portal.services.itineraries.showing import list_stops
from portal.services.unit_of_work import unit_of_work
from portal.wording.complaints import due_sentence, honest_sentence, key_sentence
from portal.wording.desk import channel_word, language_name
from portal.wording.problems import problem_sentence
from portal.wording.questionnaire import option_hint, option_label

blueprint = Blueprint("counter", __name__, url_prefix="/mesa/atendimento")

KEPT = "counter_receipt"
"""Where this browser's session keeps the way to the last receipt."""
FIELDS = {
    "what": ("option",),
    "vehicle": ("text",),
    "where": ("stop", "text"),
    "when": ("date", "time"),
    "story": ("text",),
    "identity": ("option", "name", "email", "phone"),
}
"""What the page asks of each question; the form's names are ``vehicle.text`` and the like."""


@blueprint.get("/")
def show_form() -> Response:
    _only_who_may()
    return _page({})


@blueprint.post("/")
def take() -> Response:
    """File it, or say what is wrong beside each question with everything still written."""
    _only_who_may()
    staff, now = member(), clock.now()
    raw = _answers()
    problems: dict[str, PortalError] = {}
    received_on = _day("received", problems)
    photos = _photos(problems)
    asked = question("identity")
    who: Raw = {"option": "anonymous", **_fields("identity")}
    if not raw.get("what"):
        problems["what"] = AnswerMissing("what")
    answers = {**raw, "identity": who}
    problems = casework.read_answers(staff, answers, received_on=received_on, now=now) | problems
    channel, language = request.form.get("channel", ""), request.form.get("language", "")
    if channel not in CHANNELS:
        problems["channel"] = AnswerMissing("channel")
    if problems:
        return _page(problems)
    identity = parse_answer(asked, who, intake.circumstances(staff.municipality, now=now))
    assert isinstance(identity, Identity)
    try:
        with storing(photos, staff.municipality) as stored, unit_of_work(writes=True) as opened:
            for refused in stored.refused:
                raise refused
            taken = casework.take_complaint(
                opened,
                staff,
                raw,
                identity,
                channel=channel,
                language=language if language in LANGUAGES else "pt_BR",
                photos=stored.taken,
                received_on=received_on,
                now=now,
            )
    except FileRefused as refused:
        return _page({"photos": refused})
    except PortalError as error:
        return _page({"identity": error})
    session[KEPT] = taken.token
    return redirect(url_for("counter.receipt"), 303)


@blueprint.get("/recibo")
def receipt() -> Response:
    """The receipt to print and hand over, in the person's language; its key is shown until it was handed over."""
    _only_who_may()
    found = _kept()
    _ = translator(found.language)
    return render(
        "desk/cases/receipt.html",
        fragment="receipt",
        receipt=found,
        citizen=_,
        sentences=_sentences(found, _),
        tracking=_tracking_address(),
    )


@blueprint.get("/recibo.pdf")
def receipt_file() -> Response:
    _only_who_may()
    found = _kept()
    _ = translator(found.language)
    from portal.documents.receipt import receipt_pdf  # large, and rarely asked for

    response = make_response(
        receipt_pdf(
            ombudsman=_ombudsman(),
            protocol=found.protocol,
            access_key=found.access_key,
            sentences=_sentences(found, _),
            address=_tracking_address(),
            at=local(found.filed_at, found.municipality),
            _=_,
        )
    )
    response.mimetype = "application/pdf"
    response.headers.set("Content-Disposition", "attachment", filename=f"{found.protocol}.pdf")
    return response


@blueprint.post("/recibo")
def hand_over() -> Response:
    """The person has it: from here on nobody can show the key again."""
    _only_who_may()
    found = _kept()
    with unit_of_work(writes=True) as opened:
        filing.keep_key(opened, session.pop(KEPT, ""))
    return redirect(url_for("cases.show_case", protocol=found.protocol), 303)


def _only_who_may() -> None:
    if not member().may_route:
        raise NotAllowed


def _kept() -> Receipt:
    with unit_of_work() as opened:
        found = filing.receipt_of(opened, session.get(KEPT, ""), now=clock.now())
    if found.municipality != member().municipality:
        raise DraftGone
    return found


def _ombudsman() -> str:
    town = catalogue.municipality(member().municipality)
    return f"{town.ombudsman.name} · {town.name} – {town.state}"


def _sentences(found: Receipt, _: Translator) -> tuple[str, ...]:
    due = due_sentence(found.due_on, found.due_article, _)
    return (key_sentence(_), due) if found.access_key else (due,)


def _tracking_address() -> str:
    return f"{current_app.config['SETTINGS'].public_url.rstrip('/')}/acompanhar"


def _fields(question_id: str) -> dict[str, str]:
    return {
        name: said.strip()
        for name in FIELDS[question_id]
        if (said := request.form.get(f"{question_id}.{name}", "")).strip()
    }


def _answers() -> dict[str, Raw]:
    """What was answered; a question without a word is skipped."""
    told: dict[str, Raw] = {}
    for question_id in FIELDS:
        said = _fields(question_id)
        if question_id == "identity" or not said:
            continue
        told[question_id] = {"option": "earlier", **said} if question_id == "when" else said
    return told


def _day(name: str, problems: dict[str, PortalError]) -> date | None:
    text = request.form.get(name, "").strip()
    if not text:
        return None
    try:
        return iso_day(text)
    except PortalError as problem:
        problems[name] = problem
        return None


def _photos(problems: dict[str, PortalError]) -> list[ReadFile]:
    taken = []
    for file in request.files.getlist("photos"):
        if file.filename:
            try:
                taken.append(read_file(file.filename, file.read()))
            except FileRefused as refused:
                problems["photos"] = refused
    return taken


def _page(problems: Mapping[str, PortalError]) -> Response:
    _, staff, now = current_translator(), member(), clock.now()
    around = intake.circumstances(staff.municipality, now=now)
    what, identity = question("what"), question("identity")
    with unit_of_work() as opened:
        stops = list_stops(opened, staff.municipality).stops
    said: dict[str, Any] = dict(request.form.items())
    return render(
        "desk/cases/counter.html",
        fragment="counter",
        status=422 if problems else 200,
        said=said,
        problems={name: problem_sentence(problem, _) for name, problem in problems.items()},
        channels=[(one, channel_word(one, _)) for one in CHANNELS],
        languages_spoken=[(one, language_name(one, _)) for one in LANGUAGES],
        categories=sorted(
            ((one, option_label(what, one, _)) for one in options_of(what, around)),
            key=lambda pair: pair[1].casefold(),
        ),
        stops=stops,
        modes=[
            (one, option_label(identity, one, _), option_hint(identity, one, _)) for one in identity.options
        ],
        identity_taken=filing.takes_identity(staff.municipality),
        honest=honest_sentence(_),
        today=catalogue.today_in(staff.municipality),
    )
