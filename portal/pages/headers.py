"""What every answer says to the browser: what it may load, keep, tell others; and how much a request may send."""

import hashlib
from collections.abc import Callable
from functools import wraps
from urllib.parse import urlsplit

from flask import Flask, current_app, request
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

from portal.config import Settings, in_production
from portal.domain.evidence import LARGEST_UPLOAD, MEGABYTE
from portal.pages.exchange import LARGEST_FORM, Answer, Asked, Finisher

LARGEST_REQUEST = LARGEST_UPLOAD + MEGABYTE
"""The files of ``portal.domain.evidence``, and the form around them."""
SHARED_FOR = "public, max-age=60"
PRIVATE = "private, no-cache"
SECRET = "no-store"  # noqa: S105


class _Protection(CSRFProtect):  # type: ignore[misc]
    def protect(self, apply_exemptions: bool = False) -> None:
        # Flask-WTF looks for exemptions before it sees that there is nothing to refuse.
        if request.method in current_app.config["WTF_CSRF_METHODS"]:
            super().protect(apply_exemptions)


csrf = _Protection()

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


def trusted_hosts(url: str, others: str) -> list[str] | None:
    """The names a site served at ``url`` answers to, and this very machine's; None, for any, where it is tried out.

    ``others`` are further names with commas between. A proxy that hands on whatever name was asked for would let a
    stranger choose the name in caches and links.
    """
    if not in_production(url):
        return None
    named = [name.strip() for name in others.split(",") if name.strip()]
    return [urlsplit(url).hostname or "", *named, "127.0.0.1", "localhost"]


def protect(app: Flask, settings: Settings, *, confidential_app: bool = False) -> Finisher:
    """Set limits, cookies and CSRF protection; what is returned sets the headers of every answer.

    ``confidential_app`` keeps every answer out of caches.
    """
    https = in_production(settings.public_url)
    app.config.update(
        CONFIDENTIAL=confidential_app,
        MAX_CONTENT_LENGTH=LARGEST_REQUEST,
        MAX_FORM_MEMORY_SIZE=LARGEST_FORM,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=https,
        # The token lasts as long as the session: a form left open over lunch is not an attack.
        WTF_CSRF_TIME_LIMIT=None,
        # Our own Referrer-Policy forbids the Referer that the strict check asks for.
        WTF_CSRF_SSL_STRICT=False,
    )

    csrf.init_app(app)
    policy = tuple(_policy(https).header_items())  # written out once, not for every answer

    def finish(answer: Answer, asked: Asked) -> None:
        answer.policy = policy
        if asked.confidential:
            answer.headers["Cache-Control"] = SECRET
        elif "Cache-Control" not in answer.headers:
            shared = _may_be_shared(answer, asked)
            answer.added = (*answer.added, ("Cache-Control", SHARED_FOR if shared else PRIVATE))
            if shared and answer.is_sequence and "ETag" not in answer.headers:
                # Of what it says, not of its bytes: weak, as the same page also travels compressed.
                answer.set_etag(hashlib.blake2b(answer.get_data(), digest_size=12).hexdigest(), weak=True)
                answer.make_conditional(asked)

    return finish


def _may_be_shared(answer: Answer, asked: Asked) -> bool:
    """Only an answer that anybody would get alike may be shared: its language stands in the address."""
    return (
        asked.explicit_language is not None
        and asked.method in ("GET", "HEAD")
        and answer.status_code == 200
        and "Set-Cookie" not in answer.headers
        and "Cookie" not in asked.depends_on
        and "cookie" not in answer.headers.get("Vary", "").lower()
        and not asked.session_used
    )


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
