"""What every answer says to the browser: what it may load, keep, tell others; and how much a request may send."""

from collections.abc import Callable
from functools import wraps

from flask import Flask, Response, request
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError, CSRFProtect
from secure import (
    ContentSecurityPolicy,
    CrossOriginOpenerPolicy,
    PermissionsPolicy,
    ReferrerPolicy,
    Secure,
    StrictTransportSecurity,
    XContentTypeOptions,
    XFrameOptions,
)

from portal.config import Settings
from portal.domain.evidence import LARGEST_UPLOAD, MEGABYTE
from portal.pages.languages import explicit_language
from portal.pages.privacy import confidential, session_used

LARGEST_REQUEST = LARGEST_UPLOAD + MEGABYTE
"""The files of ``portal.domain.evidence``, and the form around them."""
LARGEST_FORM = 500_000
"""Bytes of everything in a form that is not a file."""
SHARED_FOR = "public, max-age=60"
PRIVATE = "private, no-cache"
SECRET = "no-store"  # noqa: S105


csrf = CSRFProtect()

View = Callable[..., ResponseReturnValue]


def from_this_site(view: View) -> View:
    """Let a POST in without a token when the browser does not say that another site sent it.

    For what acts in nobody's name, such as beginning a complaint: a token would cost every page that
    offers it a session, and with that its compression.
    """

    @wraps(view)
    def checked(*args: object, **given: object) -> ResponseReturnValue:
        if request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
            raise CSRFError
        return view(*args, **given)

    return csrf.exempt(checked)  # type: ignore[no-any-return]


def protect(app: Flask, settings: Settings, *, confidential_app: bool = False) -> None:
    """Set limits, cookies, CSRF protection and headers; ``confidential_app`` keeps every answer out of caches."""
    https = settings.public_url.startswith("https:")
    app.config.update(
        CONFIDENTIAL=confidential_app,
        MAX_CONTENT_LENGTH=LARGEST_REQUEST,
        MAX_FORM_MEMORY_SIZE=LARGEST_FORM,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=https,
        # The token lasts as long as the session: a form left open over lunch is not an attack.
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_CHECK_DEFAULT=False,  # see _refuse_forged
        # Our own Referrer-Policy forbids the Referer that the strict check asks for.
        WTF_CSRF_SSL_STRICT=False,
    )

    @app.before_request
    def _limit() -> None:
        # MAX_FORM_MEMORY_SIZE reaches multipart forms alone; any other body is read whole.
        if not request.environ.get("CONTENT_TYPE", "").lower().startswith("multipart/form-data"):
            request.max_content_length = LARGEST_FORM

    csrf.init_app(app)

    @app.before_request
    def _refuse_forged() -> None:
        # As Flask-WTF does by itself, but the method first: it looks for exemptions before it sees that it is a GET.
        if app.config["WTF_CSRF_ENABLED"] and request.method in app.config["WTF_CSRF_METHODS"]:
            csrf.protect(apply_exemptions=True)

    policy = _policy(https).header_items()  # written out once, not for every answer

    @app.after_request
    def _headers(response: Response) -> Response:
        own = response.headers.get("Content-Security-Policy")  # a download allows itself nothing at all
        response.headers.extend(policy)
        if own:
            response.headers["Content-Security-Policy"] = own
        if confidential():
            response.headers["Cache-Control"] = SECRET
        elif "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = _cache_policy(response)
        return response


def _cache_policy(response: Response) -> str:
    """Only an answer that anybody would get alike may be shared: its language stands in the address."""
    shared = (
        request.method in ("GET", "HEAD")
        and response.status_code == 200
        and bool(explicit_language())
        and "Set-Cookie" not in response.headers
        and "cookie" not in {name.lower() for name in response.vary}
        and not session_used()
    )
    return SHARED_FOR if shared else PRIVATE


def _policy(https: bool) -> Secure:
    return Secure(
        csp=ContentSecurityPolicy()
        .default_src("'self'")
        .img_src("'self'", "data:", "blob:")
        .object_src("'none'")
        .base_uri("'none'")
        .form_action("'self'")
        .frame_ancestors("'none'"),
        referrer=ReferrerPolicy().no_referrer(),
        permissions=PermissionsPolicy()
        .geolocation("self")
        .camera("self")
        .microphone()
        .payment()
        .usb()
        .browsing_topics(),
        xcto=XContentTypeOptions().nosniff(),
        xfo=XFrameOptions().deny(),
        coop=CrossOriginOpenerPolicy().same_origin(),
        hsts=StrictTransportSecurity().max_age(31536000) if https else None,
    )
