"""Following a complaint on the web, by protocol and access key."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from flask import Blueprint, Response, make_response, redirect, request, url_for
from flask_wtf.csrf import CSRFError
from sqlalchemy.orm import Session

from portal import clock
from portal.domain.complaints import Rating
from portal.domain.errors import (
    DraftGone,
    EmptyMessage,
    FileRefused,
    FormExpired,
    PortalError,
    TextTooLong,
    TicketExpired,
    WrongPair,
)
from portal.domain.evidence import FILE_LIMIT
from portal.domain.protocols import read_protocol
from portal.pages.downloads import hand_out
from portal.pages.fragments import render
from portal.pages.headers import from_this_site
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.services.complaints import filing, tracking
from portal.services.complaints.stored_files import Stored, storing
from portal.services.complaints.tracking import CaseView
from portal.services.unit_of_work import unit_of_work
from portal.web.complaints.files import posted_files
from portal.web.complaints.forms import DRAFT_COOKIE, set_secret_cookie
from portal.web.complaints.own_rights import rights_of
from portal.web.complaints.presenting import (
    by_field,
    case_rows,
    case_timeline,
    identity_table,
    ratings,
    state_of_case,
)
from portal.wording.complaints import pause_sentence, rating_question, review_hint, withdraw_hint
from portal.wording.problems import problem_sentence

blueprint = Blueprint("tracking", __name__)

CASE_COOKIE = "case"
PATH = "/acompanhar"

Problem = tuple[str, PortalError]
"""What was refused, and the field it stood in."""


@blueprint.get(PATH)
def case() -> Response:
    """The case this browser has opened, or the two fields that open one.

    ``protocolo`` may stand in the address, the key never; opening the address changes nothing. ``recibo`` stands for
    the protocol of the receipt that this browser still has: the list of visited addresses is not told it.
    """
    ticket = request.cookies.get(CASE_COOKIE, "")
    wanted = _just_filed() if "recibo" in request.args else request.args.get("protocolo", "")
    if ticket:
        try:
            with unit_of_work() as session:
                found = tracking.reopen(session, ticket, now=clock.now())
            if not wanted or read_protocol(wanted) == found.protocol:
                return _case_page(found)
        except TicketExpired:
            return _forget(_form(wanted, TicketExpired()))
    return _form(wanted)


@blueprint.post(PATH)
def open_case() -> Response:
    if "switch" in request.form:  # another language, with a half-written message
        return _kept_words()
    protocol = request.form.get("protocol", "")
    with unit_of_work(writes=True) as session:  # a wrong pair is counted, so the unit is committed either way
        found = tracking.track(session, protocol, request.form.get("access_key", ""), now=clock.now())
    if isinstance(found, WrongPair):
        response = _form(protocol, found)
        if found.wait:
            response.headers["Retry-After"] = str(found.wait)
        return response
    return _remember(_to_case(), found)


def _kept_words() -> Response:
    try:
        with unit_of_work() as session:
            found = tracking.reopen(session, request.cookies.get(CASE_COOKIE, ""), now=clock.now())
    except TicketExpired as expired:
        return _forget(_form("", expired))
    # A message goes when its button is pressed, and so do its files: a browser alone cannot be handed them back.
    chosen = any(file.filename for file in request.files.getlist("photos"))
    problems: list[Problem] = [("photos", FileRefused("", "not_sent"))] if chosen else []
    return _case_page(found, problems, {"text": request.form.get("text", "")})


@blueprint.post(f"{PATH}/mensagem")
def write() -> Response:
    """The citizen writes, and adds files if they like; what is refused does not take the rest along."""
    text, files = request.form.get("text", ""), posted_files()
    written = {"text": text}
    problems: list[Problem] = [("photos", refused) for refused in files.refused]
    try:
        with unit_of_work() as session:
            town = tracking.municipality_of(session, request.cookies.get(CASE_COOKIE, ""), now=clock.now())
    except TicketExpired as expired:
        return _forget(_form("", expired))
    with storing(files.taken, town) as stored:
        problems += [("photos", refused) for refused in stored.refused]
        return _act(_tell(text, stored, written, problems), written, problems)


def _tell(
    text: str, stored: Stored, written: dict[str, str], problems: list[Problem]
) -> Callable[[Session, str], CaseView]:
    def tell(session: Session, ticket: str) -> CaseView:
        now = clock.now()
        found = tracking.reopen(session, ticket, now=now)
        for file in stored.taken:
            try:
                found = tracking.add_evidence(session, ticket, file, now=now)
            except FileRefused as refused:
                problems.append(("photos", refused))
        if text.strip() or not (stored.taken or problems):
            try:
                found = tracking.add_message(session, ticket, text, now=now)
                written["text"] = ""  # sent: it must not stand there to be sent again
            except (EmptyMessage, TextTooLong) as refused:
                problems.insert(0, ("text", refused))
        return found

    return tell


@blueprint.post(f"{PATH}/avaliacao")
def rate() -> Response:
    """One tap about the answer; another tap changes it."""
    try:
        rating = Rating(request.form.get("rating", ""))
    except ValueError:
        return _to_case()
    return _act(lambda session, ticket: tracking.rate(session, ticket, rating, now=clock.now()))


@blueprint.post(f"{PATH}/revisao")
def request_review() -> Response:
    text = request.form.get("review", "")
    return _act(
        lambda session, ticket: tracking.request_review(session, ticket, text, now=clock.now()),
        {"review": text},
    )


@blueprint.post(f"{PATH}/retirada")
def withdraw() -> Response:
    text = request.form.get("reason", "")
    return _act(
        lambda session, ticket: tracking.withdraw(session, ticket, text, now=clock.now()), {"reason": text}
    )


def _act(
    act: Callable[[Session, str], CaseView],
    written: Mapping[str, str] = MappingProxyType({}),
    problems: Sequence[Problem] = (),
) -> Response:
    """Do something with the case this browser has opened; what is refused comes back with what was written.

    ``written`` is the field of the form and its text; ``problems`` are filled by ``act`` with what it refuses
    while it does the rest, such as one photo among others.
    """
    ticket = request.cookies.get(CASE_COOKIE, "")
    try:
        with unit_of_work(writes=True) as session:
            found = act(session, ticket)
    except TicketExpired as expired:
        return _forget(_form("", expired))
    except PortalError as error:
        problems = [(next(iter(written), ""), error)]
        with unit_of_work() as session:
            found = tracking.reopen(session, ticket, now=clock.now())
    if problems:
        return _case_page(found, problems, written)
    return _remember(_to_case(), found)


@blueprint.post(f"{PATH}/sair")
@from_this_site
def leave() -> Response:
    """Close the case in this browser: on a borrowed telephone the next person finds nothing."""
    return _forget(_to_case())


@blueprint.get(f"{PATH}/arquivos/<token>")
def photo(token: str) -> Response:
    """One's own file, as a download that no browser opens in place."""
    with unit_of_work() as session:
        file = tracking.evidence(session, request.cookies.get(CASE_COOKIE, ""), token, now=clock.now())
    return hand_out(file.read(), file.media_type, file.name)


@blueprint.errorhandler(CSRFError)
def form_expired(_error: CSRFError) -> Response:
    """The page comes back with what was written; a second press sends it."""
    written = {field: request.form[field] for field in ("text", "review", "reason") if field in request.form}
    if request.endpoint != "tracking.open_case":
        try:
            with unit_of_work() as session:
                found = tracking.reopen(session, request.cookies.get(CASE_COOKIE, ""), now=clock.now())
            return _case_page(found, [(next(iter(written), ""), FormExpired())], written)
        except TicketExpired as expired:
            return _form("", expired)
    return _form(request.form.get("protocol", ""), FormExpired())


def _form(protocol: str, problem: PortalError | None = None) -> Response:
    _ = current_translator()
    return render(
        "complaints/track.html",
        fragment="track",
        status=problem.status if problem else 200,
        protocol=protocol[:60],
        problem=problem_sentence(problem, _) if problem else "",
    )


def _case_page(
    found: CaseView, problems: Sequence[Problem] = (), written: Mapping[str, str] = MappingProxyType({})
) -> Response:
    """The case; ``problems`` name the fields that were refused, ``written`` what stood in them."""
    _ = current_translator()
    town = catalogue.municipality(found.municipality)
    said = [(field, problem_sentence(problem, _)) for field, problem in problems]
    response = render(
        "complaints/case.html",
        fragment="case",
        status=problems[0][1].status if problems else 200,
        case=found,
        here=town,
        state=state_of_case(found, _),
        pause=pause_sentence(found.paused_days, _),
        ratings=ratings(_),
        table=identity_table(_, found.identity_mode),
        asks_rating=rating_question(_),
        review_hint=review_hint(_),
        withdraw_hint=withdraw_hint(_),
        can_add=found.can_write and len(found.files) < FILE_LIMIT,
        timeline=case_timeline(found, town, _),
        rows=case_rows(found, _),
        rights=rights_of(found, _),
        problems=said,
        refused=by_field(said),
        written=written,
    )
    return _remember(response, found)


def _just_filed() -> str:
    try:
        with unit_of_work() as session:
            return filing.receipt_of(session, request.cookies.get(DRAFT_COOKIE, ""), now=clock.now()).protocol
    except DraftGone:
        return ""


def _to_case() -> Response:
    return make_response(redirect(url_for("tracking.case"), 303))


def _remember(response: Response, found: CaseView) -> Response:
    set_secret_cookie(response, CASE_COOKIE, found.ticket, max_age=tracking.TICKET_MINUTES * 60, path=PATH)
    return response


def _forget(response: Response) -> Response:
    response.delete_cookie(CASE_COOKIE, path=PATH)
    return response
