"""Nobody asks so often that others wait: more than a person ever needs is answered 429, with when to come back.

Whoever reaches the portal from its own machine is not counted: there it is either somebody at work on it, or a proxy
whose word on addresses is not taken (``PROXIES``), behind which everybody would be one.
"""

import hashlib
import hmac
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

from flask import Flask, current_app
from werkzeug.exceptions import TooManyRequests

from portal import clock
from portal.config import Settings
from portal.limiting import Limit, Limiter
from portal.pages.exchange import asked

_NOT_COUNTED = {"static", "vendor", "favicon", "health.health", "health.alive", "health.ready"}


def limit_requests(app: Flask, settings: Settings) -> None:
    """Count look-ups and what is sent, each by itself, by where they come from."""
    reads = Limit("read", settings.reads_per_minute)
    writes = Limit("write", settings.writes_per_minute)
    limiter = Limiter(
        settings.redis_url.get_secret_value() if settings.redis_url else None, timeout=settings.redis_timeout
    )
    secret = settings.secret_key.get_secret_value().encode()
    app.extensions["limiter"] = limiter

    @app.before_request
    def _count() -> None:
        request = asked()
        address = request.remote_addr
        limit = reads if request.method in ("GET", "HEAD", "OPTIONS") else writes
        if not limit.per_minute or not address or request.endpoint in _NOT_COUNTED:
            return
        whose = source_of(address)
        if whose is None:
            return
        if wait := limiter.seconds_to_wait(limit, daily_name(whose, secret)):
            raise TooManyRequests(retry_after=wait)


def limit_cards() -> None:
    """Count one more code of a card, by where it comes from: nobody tries them out, and nobody walks through them.

    Raises:
        TooManyRequests: more than anybody scans.
    """
    configured: Settings = current_app.config["SETTINGS"]
    whose = source_of(asked().remote_addr or "")
    if whose is None or not configured.cards_per_minute:
        return
    limiter: Limiter = current_app.extensions["limiter"]
    name = daily_name(whose, configured.secret_key.get_secret_value().encode())
    if wait := limiter.seconds_to_wait(Limit("card", configured.cards_per_minute), name):
        raise TooManyRequests(retry_after=wait)


@lru_cache(maxsize=4096)  # a page and what it loads come from one address
def source_of(address: str) -> str | None:
    """Whom an address stands for: an IPv6 subscriber has a network of 64 bits; None for this very machine."""
    try:
        found = ip_address(address)
    except ValueError:
        return None
    if isinstance(found, IPv6Address) and found.ipv4_mapped:
        found = found.ipv4_mapped
    if found.is_loopback:
        return None
    return found.exploded[:19] if isinstance(found, IPv6Address) else str(found)


def daily_name(whose: str, secret: bytes) -> str:
    """A name for a source that nobody turns back into an address, and another one tomorrow."""
    today = clock.now().date().isoformat()
    return hmac.new(secret, f"limit\0{today}\0{whose}".encode(), hashlib.sha256).hexdigest()[:24]
