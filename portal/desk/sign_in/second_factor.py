"""After the password: the code of an authenticator, or enrolling one at the first sign-in."""

from dataclasses import dataclass
from datetime import timedelta

import segno
from flask import Blueprint, current_app, redirect, request, session, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from portal import clock
from portal.desk.sign_in.roles import HOME
from portal.desk.sign_in.views import PENDING, let_in, open_to_all, too_many_or
from portal.domain.staff import StaffMember
from portal.pages.fragments import render
from portal.pages.languages import current_translator
from portal.services.people import second_factor, staff
from portal.services.people.second_factor import Enrolment
from portal.services.unit_of_work import unit_of_work

PATIENCE = timedelta(minutes=15)
"""How long after the password the code may come."""

blueprint = Blueprint("second_factor", __name__, url_prefix="/mesa/entrar")


@dataclass(frozen=True, slots=True)
class _Pending:
    member: StaffMember
    place: str
    wanted: str


@blueprint.get("/codigo")
@open_to_all
def ask() -> Response:
    return _code_form() if _pending() else _to_password()


@blueprint.post("/codigo")
@open_to_all
def check() -> Response:
    """Let in with a code of the authenticator or a recovery code; each is taken once."""
    pending = _pending()
    if pending is None:
        return _to_password()
    now, token = clock.now(), ""
    with unit_of_work(writes=True) as opened:
        tried = second_factor.try_code(
            opened,
            pending.member,
            request.form.get("code", ""),
            place=pending.place,
            secret=current_app.config["SECRETS"],
            now=now,
        )
        if tried.by:
            token = staff.open_session(opened, pending.member, now=now, by=tried.by)
    if token:
        # Whoever used a recovery code has one fewer, and perhaps no authenticator: their account says so.
        home = url_for("account.show") if tried.by == "recovery" else url_for(HOME[pending.member.role])
        return let_in(pending.member, token, redirect(pending.wanted or home, 303))
    _ = current_translator()
    sentence = _("Esse código não vale. Espere o próximo e digite de novo.")
    problem, status, headers = too_many_or(tried.blocked_until, sentence)
    response = _code_form(problem, status)
    response.headers.update(headers)
    return response


@blueprint.get("/autenticador")
@open_to_all
def offer() -> Response:
    pending = _pending()
    if pending is None or _is_enrolled(pending.member):
        return _to_password()
    offered = second_factor.offer_authenticator(
        pending.member, secret=current_app.config["SECRETS"], now=clock.now()
    )
    return _enrolment_form(offered)


@blueprint.post("/autenticador")
@open_to_all
def enrol() -> Response:
    """Keep the authenticator that shows a right code, sign in, and show the recovery codes: this once."""
    pending = _pending()
    if pending is None or _is_enrolled(pending.member):
        return _to_password()
    now, secret = clock.now(), current_app.config["SECRETS"]
    ticket = request.form.get("ticket", "")
    with unit_of_work(writes=True) as opened:
        codes = second_factor.enrol(
            opened, pending.member, ticket, request.form.get("code", ""), secret=secret, now=now
        )
        token = staff.open_session(opened, pending.member, now=now, by="code") if codes else ""
    if codes is None:
        _ = current_translator()
        problem = _("O código não confere. Digite o que o aplicativo mostra agora.")
        return _enrolment_form(
            second_factor.offered_again(pending.member, ticket, secret=secret, now=now), problem
        )
    wanted = pending.wanted or url_for(HOME[pending.member.role])
    return let_in(
        pending.member,
        token,
        render("desk/recovery_codes.html", fragment="codes", codes=codes, wanted=wanted),
    )


def drawn(address: str) -> Markup:
    """A QR code as SVG for the page itself, on white whatever the colours around it."""
    return Markup(segno.make(address, error="m").svg_inline(scale=4, border=4, light="#fff"))  # noqa: S704


def _pending() -> _Pending | None:
    """Who has shown the password in this browser a moment ago."""
    member_id, place, since, wanted = session.get(PENDING) or (0, "", 0, "")
    if clock.now().timestamp() - since > PATIENCE.total_seconds():
        session.pop(PENDING, None)
        return None
    with unit_of_work() as opened:
        member = staff.member_of_id(opened, member_id)
    return _Pending(member, place, wanted) if member else None


def _is_enrolled(member: StaffMember) -> bool:
    with unit_of_work() as opened:
        return second_factor.has_authenticator(opened, member)


def _to_password() -> Response:
    return redirect(url_for("sign_in.show_form"), 303)


def _code_form(problem: str = "", status: int = 200) -> Response:
    return render("desk/second_factor.html", fragment="form", problem=problem, status=status)


def _enrolment_form(offered: Enrolment, problem: str = "") -> Response:
    return render(
        "desk/enrol.html",
        fragment="form",
        offered=offered,
        picture=drawn(offered.address),
        problem=problem,
        status=422 if problem else 200,
    )
