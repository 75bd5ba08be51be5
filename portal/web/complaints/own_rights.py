"""What the holder of a key decides and asks for: consent to tell the identity, and a copy of what is held."""

import json
from dataclasses import dataclass

from flask import Blueprint, Response, make_response, redirect, request, url_for

from portal import clock
from portal.i18n import Translator
from portal.services.complaints import disclosures, own_data
from portal.services.complaints.disclosures import IdentityRequest, State
from portal.services.complaints.own_data import DataRequest
from portal.services.complaints.tracking import CaseView
from portal.services.unit_of_work import unit_of_work
from portal.wording.disclosures import consent_question

CASE_COOKIE, PATH = "case", "/acompanhar"

blueprint = Blueprint("own_rights", __name__, url_prefix=PATH)


@dataclass(frozen=True, slots=True)
class OwnRights:
    questions: tuple[tuple[IdentityRequest, str], ...]
    """Those that can still be decided on, each in words."""
    data: DataRequest | None


def rights_of(case: CaseView, _: Translator) -> OwnRights:
    """What the page of an opened case asks and offers."""
    with unit_of_work() as session:
        asked = disclosures.requests_of_ticket(session, case.ticket, now=clock.now())
        data = own_data.request_of_ticket(session, case.ticket, now=clock.now())
    open_ones = tuple((one, consent_question(one, _)) for one in asked if one.state is not State.TOLD)
    return OwnRights(open_ones, data)


@blueprint.post("/identidade/<int(max=2147483647):number>")
def decide(number: int) -> Response:
    """Say yes or no to a request; anything but a clear yes is a no."""
    with unit_of_work(writes=True) as session:
        disclosures.decide(session, _ticket(), number, request.form.get("answer") == "yes", now=clock.now())
    return _to_case()


@blueprint.post("/dados")
def ask() -> Response:
    with unit_of_work(writes=True) as session:
        own_data.ask(session, _ticket(), now=clock.now())
    return _to_case()


@blueprint.get("/dados")
def download() -> Response:
    """Everything held under the protocol, as a file, once the desk has answered the request."""
    with unit_of_work() as session:
        held = own_data.export(session, _ticket(), now=clock.now())
    response = make_response(json.dumps(held, ensure_ascii=False, indent=2) + "\n")
    response.mimetype = "application/json"
    response.headers.set("Content-Disposition", "attachment", filename=f"{held['protocol']}.json")
    response.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response


def _ticket() -> str:
    return request.cookies.get(CASE_COOKIE, "")


def _to_case() -> Response:
    return make_response(redirect(url_for("tracking.case"), 303))
