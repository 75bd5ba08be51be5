"""Following a complaint on the web, by protocol and access key."""

from flask import Blueprint, Response, make_response, redirect, request, url_for
from flask_wtf.csrf import CSRFError

from portal import clock
from portal.domain.errors import FormExpired, PortalError, TicketExpired, WrongPair
from portal.domain.protocols import read_protocol
from portal.pages.downloads import hand_out
from portal.pages.fragments import render
from portal.pages.headers import from_this_site
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.services import tracking
from portal.services.tracking import CaseView
from portal.services.unit_of_work import unit_of_work
from portal.web.complaints.forms import set_secret_cookie
from portal.web.complaints.presenting import case_rows, case_timeline, state_of_case
from portal.wording.problems import problem_sentence

blueprint = Blueprint("tracking", __name__)

CASE_COOKIE = "case"
PATH = "/acompanhar"


@blueprint.get(PATH)
def case() -> Response:
    """The case this browser has opened, or the two fields that open one.

    ``protocolo`` may stand in the address, the key never; opening the address changes nothing.
    """
    ticket = request.cookies.get(CASE_COOKIE, "")
    wanted = request.args.get("protocolo", "")
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
    protocol = request.form.get("protocol", "")
    with unit_of_work(writes=True) as session:  # a wrong pair is counted, so the unit is committed either way
        found = tracking.track(session, protocol, request.form.get("access_key", ""), now=clock.now())
    if isinstance(found, WrongPair):
        response = _form(protocol, found)
        if found.wait:
            response.headers["Retry-After"] = str(found.wait)
        return response
    return _remember(_to_case(), found)


@blueprint.post(f"{PATH}/mensagem")
def write() -> Response:
    """The citizen writes; a text that is refused comes back whole."""
    ticket, text = request.cookies.get(CASE_COOKIE, ""), request.form.get("text", "")
    now = clock.now()
    try:
        with unit_of_work(writes=True) as session:
            return _remember(_to_case(), tracking.add_message(session, ticket, text, now=now))
    except TicketExpired as expired:
        return _forget(_form("", expired))
    except PortalError as error:
        problem = error
    with unit_of_work() as session:
        return _case_page(tracking.reopen(session, ticket, now=now), problem=problem, text=text)


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
    return hand_out(file.data, file.media_type, file.name)


@blueprint.errorhandler(CSRFError)
def form_expired(_error: CSRFError) -> Response:
    """The page comes back with what was written; a second press sends it."""
    if request.endpoint == "tracking.write":
        try:
            with unit_of_work() as session:
                found = tracking.reopen(session, request.cookies.get(CASE_COOKIE, ""), now=clock.now())
            return _case_page(found, problem=FormExpired(), text=request.form.get("text", ""))
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


def _case_page(found: CaseView, *, problem: PortalError | None = None, text: str = "") -> Response:
    _ = current_translator()
    town = catalogue.municipality(found.municipality)
    now = clock.now()
    response = render(
        "complaints/case.html",
        fragment="case",
        status=problem.status if problem else 200,
        case=found,
        here=town,
        state=state_of_case(found, town.civil_day(now), _),
        timeline=case_timeline(found, town, _),
        rows=case_rows(found, _),
        problem=problem_sentence(problem, _) if problem else "",
        text=text,
    )
    return _remember(response, found)


def _to_case() -> Response:
    return make_response(redirect(url_for("tracking.case"), 303))


def _remember(response: Response, found: CaseView) -> Response:
    set_secret_cookie(response, CASE_COOKIE, found.ticket, max_age=tracking.TICKET_MINUTES * 60, path=PATH)
    return response


def _forget(response: Response) -> Response:
    response.delete_cookie(CASE_COOKIE, path=PATH)
    return response
