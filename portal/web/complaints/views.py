"""The complaint on the web: one question a page, a receipt. The order is the domain's, the words are the wording's."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import (
    Blueprint,
    Response,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_wtf.csrf import CSRFError
from sqlalchemy.orm import Session

from portal import clock
from portal.config import Settings
from portal.domain.complaints import Identity
from portal.domain.errors import DraftGone, FormExpired, PortalError, UnknownOption
from portal.domain.questionnaire import (
    KIND,
    Kind,
    Question,
    can_go_to,
    evidence_meter,
    next_question,
    parse_answer,
    previous_question,
    progress,
    question,
    questions_for,
)
from portal.pages.fragments import render
from portal.pages.headers import from_this_site
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.services.complaints import filing, intake, naming
from portal.services.complaints.intake import Draft
from portal.services.complaints.stored_files import storing
from portal.services.itineraries.answers import StopSummary
from portal.services.itineraries.showing import list_stops
from portal.services.unit_of_work import unit_of_work
from portal.web.complaints.files import attach_files, posted_files, remember_told, told_by_files
from portal.web.complaints.forms import (
    DRAFT_COOKIE,
    posted_answer,
    posted_token,
    remember_draft,
    signed,
)
from portal.web.complaints.presenting import (
    by_field,
    choices,
    first_field,
    identity_table,
    kinds,
    offers,
    review_rows,
    shown_values,
)
from portal.wording.complaints import (
    contact_sentence,
    demonstration_sentence,
    due_sentence,
    emergency_sentence,
    honest_sentence,
    key_sentence,
    receipt_text,
)
from portal.wording.evidence import bystanders_sentence, cleaning_sentence, kinds_sentence, sealed_sentence
from portal.wording.problems import problem_sentence
from portal.wording.questionnaire import (
    beyond_sentences,
    meter_sentence,
    question_hint,
    question_title,
    skip_label,
    urgent_sentences,
)

blueprint = Blueprint("complaints", __name__)

STOPS_SHOWN = 12
"""With more stops than this the place is typed: a list of hundreds helps nobody."""
TOLD_AT = ("photos", "where", "when", "identity")
"""The questions beside which stands what a file said of when and where."""
PREFILLS = {"what": ("what", "option"), "vehicle": ("vehicle", "text"), "stop": ("where", "stop")}
"""What another page may hand over, and the question and field that take it."""


@blueprint.get("/<slug:municipality>/manifestacoes/nova")
def ask(municipality: str) -> Response:
    """The question that comes next, or with ``pergunta=`` one that was answered; reading writes nothing.

    Before the first answer there is no draft; ``what=`` and ``stop=`` say what is known already.
    """
    catalogue.municipality(municipality)
    with unit_of_work() as session:
        draft = _draft(session, municipality, request.cookies.get(DRAFT_COOKIE, ""))
        if draft and draft.filed:
            draft = None  # a new complaint; the receipt of the last one stays at its own address
        known = _known(request.args, "what", "stop")  # never a plate: addresses are remembered
        if draft and known:  # a door was chosen anew: the half-written one must not swallow it
            draft = None
        answers = draft.answers if draft else _answers(session, municipality, known)
        asked = _asked(draft, answers)
        return _page(session, municipality, draft, answers, asked, known=known)


@blueprint.post("/<slug:municipality>/manifestacoes/iniciar")
@from_this_site
def begin(municipality: str) -> Response:
    """Start from a verdict or a stop, with what is known there: a plate goes by POST, never in the address."""
    now = clock.now()
    catalogue.municipality(municipality)
    with unit_of_work(writes=True) as session:
        draft = intake.start_draft(
            session,
            municipality=municipality,
            channel="web",
            language=current_translator().language,
            now=now,
            prefill=_raw(_known(request.form)) | _written_away(request.form),
        )
    return remember_draft(_to_question(draft), draft.token)


@blueprint.post("/<slug:municipality>/manifestacoes/nova")
def take_answer(municipality: str) -> Response:
    """Take one answer and redirect to the next question; what is wrong comes back with everything typed."""
    now = clock.now()
    catalogue.municipality(municipality)
    asked = question(request.form.get("question", "what"))
    if "switch" in request.form:
        return _keep(municipality, asked, None)
    if asked.kind is Kind.IDENTITY:
        return _file(municipality, asked)
    if asked.kind is Kind.FILES:
        return _take_files(municipality, asked)
    problem: PortalError
    with unit_of_work(writes=True) as session:
        draft = _writable(session, municipality)
        if draft.filed:
            return _to_receipt(municipality)
        try:
            if request.form.get("option") == "skip":
                draft = intake.skip(session, draft.token, asked.id, now=now)
            else:
                draft = intake.answer(session, draft.token, asked.id, posted_answer(), now=now)
            return remember_draft(_to_question(draft), draft.token)
        except PortalError as error:
            problem = error
        response = _page(session, municipality, draft, draft.answers, asked, problems=[problem], typed=True)
        return remember_draft(response, draft.token)


def _take_files(municipality: str, asked: Question) -> Response:
    """Keep the files that can be kept and say of each other one what is wrong with it."""
    now = clock.now()
    town = catalogue.municipality(municipality)
    files = posted_files()  # opened and stored before the transaction: their time must not hold the lock
    with storing(files.taken, municipality) as stored, unit_of_work(writes=True) as session:
        draft = _writable(session, municipality)
        if draft.filed:
            return _to_receipt(municipality)
        if going := request.form.get("remove"):
            draft = intake.detach(session, draft.token, going, now=now)
        draft, problems = attach_files(session, draft, stored.taken, now=now)
        problems = [*files.refused, *stored.refused, *problems]
        if problems:
            response = _page(session, municipality, draft, draft.answers, asked, problems=problems)
        elif request.form.get("option") in ("done", "skip"):
            draft = intake.answer(session, draft.token, asked.id, "done", now=now)
            response = _to_question(draft)
        else:
            response = _to_question(draft, asked)
    return remember_told(remember_draft(response, draft.token), files.taken, draft, town, now=now)


def _file(municipality: str, asked: Question) -> Response:
    """Send: the identity is sealed in the transaction that files, and stands nowhere before or after."""
    now = clock.now()
    with unit_of_work(writes=True) as session:
        draft = _draft(session, municipality, posted_token())
        if draft is None:
            raise DraftGone
        try:
            identity = parse_answer(asked, posted_answer(), intake.circumstances(municipality, now=now))
            assert isinstance(identity, Identity)
            if not draft.filed:
                _speak(session, draft)
            filing.file_complaint(session, draft.token, identity, now=now)
        except PortalError as problem:
            missing = next_question(draft.answers)
            if missing.kind is not Kind.IDENTITY:
                asked = missing
            response = _page(
                session, municipality, draft, draft.answers, asked, problems=[problem], typed=True
            )
            return remember_draft(response, draft.token)
    return remember_draft(_to_receipt(municipality), draft.token)


@blueprint.errorhandler(CSRFError)
def form_expired(_error: CSRFError) -> Response:
    """The page comes back with text and photos and one plain sentence; a second press sends it once.

    The hidden field alone leads to the draft, and only this person's page holds it. Another site's form is not
    answered in kind: it could plant a draft of its own to be filled in here.
    """
    municipality = (request.view_args or {})["municipality"]
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return make_response(redirect(url_for("complaints.ask", municipality=municipality), 303))
    if request.endpoint != "complaints.take_answer":
        return _to_receipt(municipality)
    try:
        asked = question(request.form.get("question", "what"))
    except UnknownOption:  # no form of ours; what is raised while an error is answered, nobody would answer
        return make_response(redirect(url_for("complaints.ask", municipality=municipality), 303))
    return _keep(municipality, asked, FormExpired())


def _keep(municipality: str, asked: Question, problem: PortalError | None) -> Response:
    """The same question again with all that was typed and chosen; nothing is answered by it."""
    now = clock.now()
    files = posted_files()
    problems: list[PortalError] = [problem] if problem else []
    with storing(files.taken, municipality) as stored, unit_of_work(writes=bool(files.taken)) as session:
        token = posted_token()
        draft = _draft(session, municipality, token)
        if draft and draft.filed:
            return _to_receipt(municipality)
        if files.taken and draft is None and not problem:
            draft = _writable(session, municipality)
        if draft is not None:
            draft, unkept = attach_files(session, draft, stored.taken, now=now)
            problems += unkept
        problems += (*files.refused, *stored.refused)
        if request.form.get("refused") and not problem:  # an error was on screen: it is said again
            try:
                parse_answer(asked, posted_answer(), intake.circumstances(municipality, now=now))
            except PortalError as still:
                problems.append(still)
        known = {} if draft else _known(request.form, prefix="known_")
        answers = draft.answers if draft else _answers(session, municipality, known)
        response = _page(
            session, municipality, draft, answers, asked, problems=problems, known=known, typed=True
        )
        return remember_draft(response, draft.token) if draft else response


@blueprint.get("/<slug:municipality>/manifestacoes/recibo")
def receipt(municipality: str) -> Response:
    """The receipt, for the browser that filed and for an hour; to everyone else it says where to go."""
    found = _receipt(municipality)
    if found is None:
        return make_response(render_template("complaints/no_receipt.html"), 404)
    _ = current_translator()
    return render(
        "complaints/receipt.html",
        fragment="receipt",
        receipt=found,
        text=_receipt_text(found),
        urgent=urgent_sentences(municipality, found.category, found.filed_at.date(), _),
        beyond=beyond_sentences(municipality, {"here": {"kind": found.here}}, _),
        due=due_sentence(found.due_on, found.due_article, _),
        keep=key_sentence(_),
        demonstration=demonstration_sentence(_),
    )


@blueprint.post("/<slug:municipality>/manifestacoes/recibo")
def keep_key(municipality: str) -> Response:
    """ "I have kept it": from here on nobody can show the key again."""
    with unit_of_work(writes=True) as session:
        filing.keep_key(session, request.cookies.get(DRAFT_COOKIE, ""))
    return _to_receipt(municipality)


@blueprint.get("/<slug:municipality>/manifestacoes/recibo.txt")
def receipt_file(municipality: str) -> Response:
    """The receipt as a text file to keep."""
    found = _receipt(municipality)
    if found is None:
        raise DraftGone
    response = make_response(_receipt_text(found))
    response.mimetype = "text/plain"
    response.headers["Content-Disposition"] = f'attachment; filename="{found.protocol}.txt"'
    return response


def _receipt(municipality: str) -> filing.Receipt | None:
    catalogue.municipality(municipality)
    try:
        with unit_of_work() as session:
            found = filing.receipt_of(session, request.cookies.get(DRAFT_COOKIE, ""), now=clock.now())
    except DraftGone:
        return None
    return found if found.municipality == municipality else None


def _receipt_text(found: filing.Receipt) -> str:
    configured: Settings = current_app.config[
        "SETTINGS"
    ]  # the receipt outlives the name this request came by
    address = configured.public_url.rstrip("/") + url_for("tracking.case")
    return receipt_text(
        found.protocol, found.access_key, found.due_on, found.due_article, address, current_translator()
    )


def _page(
    session: Session,
    municipality: str,
    draft: Draft | None,
    answers: Mapping[str, Any],
    asked: Question,
    *,
    problems: Sequence[PortalError] = (),
    known: Mapping[str, str] | None = None,
    typed: bool = False,
) -> Response:
    """One question, with what stands in its fields: what was just typed, or the answer given before."""
    _ = current_translator()
    now = clock.now()
    here = catalogue.municipality(municipality)
    around = intake.circumstances(municipality, now=now)
    step, steps = progress(answers, asked)
    before = previous_question(answers, asked)
    stops: tuple[StopSummary, ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    pins: list[tuple[str, float, float]] = []
    if asked.kind is Kind.PLACE:
        listed = list_stops(session, municipality)
        stops = listed.stops if listed.total <= STOPS_SHOWN else ()
        pins = [(stop.name, stop.latitude, stop.longitude) for stop in listed.stops]
    elif asked.kind is Kind.VEHICLE:
        lines = naming.lines_of(session, municipality, now=now)
    last = asked.kind is Kind.IDENTITY
    meter = draft.meter if draft else evidence_meter(answers, 0)
    category = (answers.get("what") or {}).get("category", "")
    said = [(first_field(asked, problem), problem_sentence(problem, _)) for problem in problems]
    response = render(
        "complaints/question.html",
        fragment="question",
        status=422 if problems else 200,
        here=here,
        draft=draft,
        draft_field=signed(draft.token) if draft else "",
        asked=asked,
        title=question_title(asked, _, category=category),
        hint=question_hint(asked, _, category=category),
        skip_label=skip_label(asked, _),
        step=step,
        steps=steps,
        back=_address(municipality, before) if draft and before and can_go_to(answers, before.id) else None,
        first=asked.id == questions_for({})[0].id or not draft,
        known=known or {},
        choices=choices(asked, around, _),
        values=posted_answer() if typed else shown_values(asked, answers.get(asked.id)),
        problems=said,
        wrong=by_field(said),
        stops=stops,
        told=told_by_files(draft, here, _, now=now) if asked.id in TOLD_AT else None,
        about_files=(kinds_sentence(_), cleaning_sentence(_), bystanders_sentence(_)),
        sealed_sentence=lambda name: sealed_sentence(name, _),
        pins=pins,
        lines=lines if len(lines) <= STOPS_SHOWN else (),
        last=last,
        urgent=urgent_sentences(municipality, category, here.civil_day(now), _),
        emergency=emergency_sentence(_),
        honest=honest_sentence(_),
        today=here.civil_day(now),
        rows=review_rows(answers, draft, lambda one: _address(municipality, one), _) if last else (),
        offers=offers(answers, draft, lambda one: _address(municipality, one), _) if last else (),
        kinds=kinds(answers, _) if last else (),
        kind_question=KIND,
        meter=meter,
        meter_said=meter_sentence(meter, _),
        beyond=beyond_sentences(municipality, answers, _) if last else (),
        contact_hint=contact_sentence(_),
        table=identity_table(_) if last else (),
        identity_taken=asked.kind is not Kind.IDENTITY or filing.takes_identity(municipality),
    )
    if problems:
        response.headers["HX-Push-Url"] = "false"  # the address goes on naming the question that is shown
    return response


def _asked(draft: Draft | None, answers: Mapping[str, Any]) -> Question:
    """The question of the address when it was answered or is next, otherwise the next one."""
    following = next_question(answers)
    wanted = request.args.get("pergunta", "")
    if draft and can_go_to(answers, wanted):
        return question(wanted)
    return following


def _known(given: Mapping[str, str], *names: str, prefix: str = "") -> dict[str, str]:
    """What another page, or an earlier form of this one, says is known: ``what``, ``vehicle``, ``stop``."""
    return {name: given[prefix + name][:300] for name in names or PREFILLS if given.get(prefix + name)}


def _raw(known: Mapping[str, str]) -> dict[str, dict[str, str]]:
    return {PREFILLS[name][0]: {PREFILLS[name][1]: value} for name, value in known.items()}


def _written_away(given: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """What was written without internet, on the page of the town that a browser kept; see ``portal.web.offline``."""
    told = {
        "where": {"text": given.get("place", "")},
        "when": {"option": "earlier", "date": given.get("date", ""), "time": given.get("time", "")},
        "story": {"text": given.get("story", "")},
    }
    first = {"where": "place", "when": "date", "story": "story"}
    return {asked: raw for asked, raw in told.items() if given.get(first[asked])}


def _answers(session: Session, municipality: str, known: Mapping[str, str]) -> Mapping[str, Any]:
    return intake.read_prefill(session, municipality, _raw(known), now=clock.now()) if known else {}


def _draft(session: Session, municipality: str, token: str) -> Draft | None:
    if not token:
        return None
    try:
        draft = intake.read_draft(session, token, now=clock.now())
    except DraftGone:
        return None
    return draft if draft.municipality == municipality else None


def _writable(session: Session, municipality: str) -> Draft:
    """The draft of the form, or a new one: an answer that was typed is never thrown away."""
    now = clock.now()
    draft = _draft(session, municipality, posted_token())
    if draft is None:
        return intake.start_draft(
            session,
            municipality=municipality,
            channel="web",
            language=current_translator().language,
            now=now,
            prefill=_raw(_known(request.form, prefix="known_")),
        )
    return draft if draft.filed else _speak(session, draft)


def _speak(session: Session, draft: Draft) -> Draft:
    """The answer will come in the language in which the person last wrote."""
    language = current_translator().language
    if draft.language == language:
        return draft
    return intake.set_language(session, draft.token, language, now=clock.now())


def _address(municipality: str, asked: Question) -> str:
    return url_for("complaints.ask", municipality=municipality, pergunta=asked.id)


def _to_question(draft: Draft, asked: Question | None = None) -> Response:
    return make_response(redirect(_address(draft.municipality, asked or draft.question), 303))


def _to_receipt(municipality: str) -> Response:
    return make_response(redirect(url_for("complaints.receipt", municipality=municipality), 303))
