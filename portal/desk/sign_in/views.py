"""Signing in and out. Every page of the desk asks for it, but for those marked `open_to_all`.

After the password comes the code of an authenticator, where the role needs one: see `second_factor.py`.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from math import ceil
from typing import Any, TypeVar

from flask import Blueprint, Flask, current_app, flash, make_response, redirect, request, session, url_for
from flask_login import LoginManager, UserMixin, current_user, login_user
from werkzeug.wrappers import Response

from portal import clock
from portal.desk.sign_in.roles import HOME, who_may
from portal.domain.errors import NotAllowed
from portal.domain.staff import StaffMember
from portal.pages.errors import alert
from portal.pages.fragments import asks_for_fragment, render
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.services.people import staff
from portal.services.unit_of_work import unit_of_work
from portal.wording.desk import role_word

IDLE = timedelta(minutes=60)
"""Without a request for this long, the browser is signed out: somebody left it open on a counter."""

BROWSER_COOKIE = "desk_browser"
PENDING = "pending"
"""In the session between password and code: who, from where, since when, and where they wanted to go."""

blueprint = Blueprint("sign_in", __name__, url_prefix="/mesa")

V = TypeVar("V", bound=Callable[..., Any])


def open_to_all(view: V) -> V:
    """Mark a view that asks for no sign-in; every other one does."""
    view.open_to_all = True  # type: ignore[attr-defined]
    return view


class SignedIn(UserMixin):  # type: ignore[misc]  # Flask-Login has no types
    """Who sits at the desk: the member, and the token of this browser's session."""

    def __init__(self, member: StaffMember, token: str) -> None:
        self.member, self.token = member, token

    def get_id(self) -> str:
        return self.token


def member() -> StaffMember:
    """The staff member of this request, in a view that asks for sign-in."""
    signed_in: SignedIn = current_user
    return signed_in.member


def ask_for_sign_in(app: Flask) -> None:
    """Let nobody in who has not signed in, and nobody stay who has gone away."""
    manager = LoginManager(app)
    manager.session_protection = None  # the default keeps a digest of address and browser

    @manager.user_loader  # type: ignore[untyped-decorator]
    def _load(token: str) -> SignedIn | None:
        with unit_of_work() as opened:
            found = staff.staff_of_session(opened, token, now=clock.now())
        return SignedIn(found, token) if found else None

    @app.before_request
    def _guard() -> Response | None:
        view = app.view_functions.get(request.endpoint or "")
        if view is None or getattr(view, "open_to_all", False) or request.endpoint in ("static", "vendor"):
            return None
        now = int(clock.now().timestamp())
        if "seen" in session and now - session["seen"] > IDLE.total_seconds():
            session.clear()
            if request.method != "POST":
                flash(_idle_sentence())
        elif current_user.is_authenticated:
            role = member().role
            if role not in who_may(request.endpoint or "", request.method):
                if request.endpoint == "cases.show_list":  # the desk's front door
                    return redirect(url_for(HOME[role]))
                raise NotAllowed
            if now - session.get("seen", 0) > 60:  # not with every request: each one would send a cookie
                session["seen"] = now
            return None
        return _to_sign_in()

    @app.context_processor
    def _staff() -> dict[str, object]:
        view = app.view_functions.get(request.endpoint or "")
        if view is None or getattr(view, "open_to_all", False) or not current_user.is_authenticated:
            return {"staff": None}
        here = member()
        return {
            "staff": here,
            "staff_home": url_for(HOME[here.role]),
            "staff_role": role_word(here.role, current_translator()),
            "town": catalogue.municipality(here.municipality),
        }


def _idle_sentence() -> str:
    _ = current_translator()
    return _("A sessão terminou por falta de uso. Entre de novo.")


def _to_sign_in() -> Response:
    if written := request.form.get("text"):
        # An answer may take more than an hour to write: it comes back with the door, and is not sent by it.
        if asks_for_fragment():
            _ = current_translator()
            return alert(401, _("Entrar na mesa da ouvidoria"), _idle_sentence())
        protocol = (request.view_args or {}).get("protocol")
        case = url_for("cases.show_case", protocol=protocol) if protocol else url_for("cases.show_list")
        return render(
            "desk/sign_in.html",
            fragment="form",
            next=case,
            problem=_idle_sentence(),
            written=written,
            status=401,
        )
    wanted = request.full_path.rstrip("?") if request.method == "GET" else url_for("cases.show_list")
    address = url_for("sign_in.show_form", next=wanted)
    if request.headers.get("HX-Request") == "true":
        response = make_response("", 401)
        response.headers["HX-Redirect"] = address
        return response
    return redirect(address, 303)


@blueprint.get("/entrar")
@open_to_all
def show_form() -> Response:
    return render("desk/sign_in.html", fragment="form", next=_local(request.args.get("next", "")))


@blueprint.post("/entrar")
@open_to_all
def sign_in() -> Response:
    """Check login and password; an unknown login and a wrong password are one and the same answer."""
    login, password = request.form.get("login", ""), request.form.get("password", "")
    wanted = _local(request.form.get("next", ""))
    now, secret = clock.now(), current_app.config["SECRETS"]
    browser = staff.read_browser(request.cookies.get(BROWSER_COOKIE, ""), secret=secret, now=now)
    with unit_of_work(writes=True) as opened:
        attempt = staff.begin_sign_in(
            opened, login, now=now, network=request.remote_addr or "", browser=browser
        )
    if attempt.check(password):
        assert attempt.member is not None
        session.clear()  # whatever stood in a cookie that somebody else may have planted
        if attempt.has_authenticator or attempt.member.role in current_app.config["SECOND_FACTOR"]:
            with unit_of_work(writes=True) as opened:
                staff.pass_password(opened, attempt)
            session[PENDING] = [attempt.member.id, attempt.place, int(now.timestamp()), wanted]
            step = "second_factor.ask" if attempt.has_authenticator else "second_factor.offer"
            return redirect(url_for(step), 303)
        with unit_of_work(writes=True) as opened:
            token = staff.finish_sign_in(opened, attempt, now=now)
        return let_in(attempt.member, token, redirect(wanted or url_for(HOME[attempt.member.role]), 303))
    _ = current_translator()
    problem, status, headers = too_many_or(attempt.blocked_until, _("Usuário ou senha não conferem."))
    response = render(
        "desk/sign_in.html",
        fragment="form",
        login=login,
        next=wanted,
        problem=problem,
        written=request.form.get("written", ""),
        status=status,
    )
    response.headers.update(headers)
    return response


def let_in(who: StaffMember, token: str, response: Response) -> Response:
    """Put the session's token into the cookie, and remember the browser for the next time."""
    now, secret = clock.now(), current_app.config["SECRETS"]
    with unit_of_work() as opened:
        browser = staff.remember_browser(opened, who, secret=secret, now=now)
    session.clear()
    login_user(SignedIn(who, token))
    session["seen"] = int(now.timestamp())
    response.set_cookie(
        BROWSER_COOKIE,
        browser,
        max_age=int(staff.BROWSER_KNOWN.total_seconds()),
        path=url_for("sign_in.show_form"),
        secure=current_app.config["SESSION_COOKIE_SECURE"],
        httponly=True,
        samesite="Strict",
    )
    return response


def too_many_or(blocked_until: datetime | None, problem: str) -> tuple[str, int, dict[str, str]]:
    """The sentence, status and headers of a try that failed: wrong, or too soon after many others."""
    if blocked_until is None:
        return problem, 422, {}
    _ = current_translator()
    seconds = max(1, ceil((blocked_until - clock.now()).total_seconds()))
    minutes = ceil(seconds / 60)
    sentence = _.ngettext(
        "Muitas tentativas. Espere %(minutes)s minuto.",
        "Muitas tentativas. Espere %(minutes)s minutos.",
        minutes,
    )
    return sentence % {"minutes": minutes}, 429, {"Retry-After": str(seconds)}


@blueprint.post("/sair")
def sign_out() -> Response:
    signed_in: SignedIn = current_user
    with unit_of_work(writes=True) as opened:
        staff.sign_out(opened, signed_in.token)
    session.clear()
    _ = current_translator()
    flash(_("Você saiu."))
    return redirect(url_for("sign_in.show_form"), 303)


def _local(address: str) -> str:
    """The address if it lies within the desk, and nothing otherwise: nobody is sent elsewhere from here."""
    inside = address.startswith(f"{current_app.config['SESSION_COOKIE_PATH']}") and address.isprintable()
    return address if inside and "\\" not in address and "//" not in address else ""
