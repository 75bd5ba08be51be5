"""A staff member's own account: password, authenticator's recovery codes, the browsers signed in."""

from flask import Blueprint, current_app, flash, redirect, request, session, url_for
from werkzeug.wrappers import Response

from portal import clock
from portal.desk.sign_in.views import let_in, member, too_many_or
from portal.domain.errors import PasswordTooShort
from portal.pages.fragments import render
from portal.pages.languages import current_translator
from portal.services.people import second_factor, staff
from portal.services.unit_of_work import unit_of_work
from portal.wording.problems import problem_sentence

blueprint = Blueprint("account", __name__, url_prefix="/mesa/conta")


@blueprint.get("/")
def show() -> Response:
    return _page()


@blueprint.post("/senha")
def change_password() -> Response:
    """A new password, for whoever knows the present one; every other browser is signed out."""
    who, now, _ = member(), clock.now(), current_translator()
    with unit_of_work(writes=True) as opened:
        attempt = staff.begin_sign_in(opened, who.login, now=now, network=f"signed in {who.id}")
    if not attempt.check(request.form.get("present", "")):
        problem, status, headers = too_many_or(attempt.blocked_until, _("A senha atual não confere."))
        response = _page("present", problem, status)
        response.headers.update(headers)
        return response
    try:
        with unit_of_work(writes=True) as opened:
            staff.pass_password(opened, attempt)
            staff.change_password(
                opened, who.login, request.form.get("password", ""), now=now, by=staff.actor(who)
            )
            token = staff.open_session(opened, who, now=now)
    except PasswordTooShort as short:
        return _page("password", problem_sentence(short, _), short.status)
    response = let_in(who, token, redirect(url_for("account.show"), 303))
    flash(_("A senha foi trocada. Os outros navegadores saíram da mesa."))
    return response


@blueprint.post("/codigos")
def renew_codes() -> Response:
    """Fresh recovery codes, for whoever shows a code; those from before open nothing any more."""
    who, now, secret = member(), clock.now(), current_app.config["SECRETS"]
    with unit_of_work(writes=True) as opened:
        tried = second_factor.try_code(
            opened,
            who,
            request.form.get("code", ""),
            place=f"browser signed in {who.id}",
            secret=secret,
            now=now,
        )
        codes = second_factor.new_recovery_codes(opened, who, secret=secret, now=now) if tried.by else ()
    if codes:
        return render(
            "desk/recovery_codes.html", fragment="codes", codes=codes, wanted=url_for("account.show")
        )
    _ = current_translator()
    sentence = _("Esse código não vale. Espere o próximo e digite de novo.")
    problem, status, headers = too_many_or(tried.blocked_until, sentence)
    response = _page("code", problem, status)
    response.headers.update(headers)
    return response


@blueprint.post("/sair-de-todos")
def sign_out_everywhere() -> Response:
    with unit_of_work(writes=True) as opened:
        staff.sign_out_everywhere(opened, member(), now=clock.now())
    session.clear()
    _ = current_translator()
    flash(_("Você saiu de todos os navegadores."))
    return redirect(url_for("sign_in.show_form"), 303)


def _page(field: str = "", problem: str = "", status: int = 200) -> Response:
    who = member()
    with unit_of_work() as opened:
        sessions = staff.sessions_open(opened, who, now=clock.now())
        enrolled = second_factor.has_authenticator(opened, who)
        codes_left = second_factor.recovery_codes_left(opened, who)
    return render(
        "desk/account.html",
        fragment="account",
        field=field,
        problem=problem,
        sessions=sessions,
        enrolled=enrolled,
        codes_left=codes_left,
        fewest=staff.MIN_PASSWORD,
        status=status,
    )
