"""Signing in and out. Every page of the desk asks for it, but for those marked `open_to_all`."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, TypeVar

from flask import Blueprint, Flask, current_app, flash, make_response, redirect, request, session, url_for
from flask_login import LoginManager, UserMixin, current_user, login_user
from werkzeug.wrappers import Response

from portal import clock
from portal.domain.staff import StaffMember
from portal.pages.errors import alert
from portal.pages.fragments import asks_for_fragment, render
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.services import staff
from portal.services.unit_of_work import unit_of_work
from portal.wording.desk import role_word

IDLE = timedelta(minutes=60)
"""Without a request for this long, the browser is signed out: somebody left it open on a counter."""

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
            "staff_role": role_word(here.role, current_translator()),
            "town": catalogue.municipality(here.municipality),
        }


def _idle_sentence() -> str:
    return current_translator()("A sessão terminou por falta de uso. Entre de novo.")


def _to_sign_in() -> Response:
    if written := request.form.get("text"):
        # An answer may take more than an hour to write: it comes back with the door, and is not sent by it.
        if asks_for_fragment():
            return alert(401, current_translator()("Entrar na mesa da ouvidoria"), _idle_sentence())
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
    """Sign in with login and password; an unknown login and a wrong password are one and the same answer."""
    _ = current_translator()
    login, password = request.form.get("login", ""), request.form.get("password", "")
    wanted = _local(request.form.get("next", ""))
    now = clock.now()
    with unit_of_work(writes=True) as opened:
        attempt = staff.begin_sign_in(opened, login, now=now)
    if attempt.check(password):
        assert attempt.member is not None
        with unit_of_work(writes=True) as opened:
            token = staff.finish_sign_in(opened, attempt, now=now)
        session.clear()  # whatever stood in a cookie that somebody else may have planted
        login_user(SignedIn(attempt.member, token))
        session["seen"] = int(now.timestamp())
        return redirect(wanted or url_for("cases.show_list"), 303)
    if attempt.blocked_until is None:
        problem, status = _("Usuário ou senha não conferem."), 422
    else:
        minutes = max(1, -int((now - attempt.blocked_until).total_seconds() // 60))
        problem, status = (
            _.ngettext(
                "Muitas tentativas. Espere %(minutes)s minuto.",
                "Muitas tentativas. Espere %(minutes)s minutos.",
                minutes,
            )
            % {"minutes": minutes},
            429,
        )
    return render(
        "desk/sign_in.html",
        fragment="form",
        login=login,
        next=wanted,
        problem=problem,
        written=request.form.get("written", ""),
        status=status,
    )


@blueprint.post("/sair")
def sign_out() -> Response:
    signed_in: SignedIn = current_user
    with unit_of_work(writes=True) as opened:
        staff.sign_out(opened, signed_in.token)
    session.clear()
    flash(current_translator()("Você saiu."))
    return redirect(url_for("sign_in.show_form"), 303)


def _local(address: str) -> str:
    """The address if it lies within the desk, and nothing otherwise: nobody is sent elsewhere from here."""
    inside = address.startswith(f"{current_app.config['SESSION_COOKIE_PATH']}") and address.isprintable()
    return address if inside and "\\" not in address and "//" not in address else ""
