"""How often somebody may ask: counted for all processes together in Redis, or in each by itself.

While Redis is away every process counts by itself and nobody waits for it: one line in the log says so, another that
it is back. It is asked again every few seconds by one request.
"""

import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import Any

import structlog
from limits import RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import Storage
from limits.strategies import MovingWindowRateLimiter

log = structlog.get_logger("portal.limiting")

MINUTE = 60.0
"""Seconds that what somebody asked is counted."""

ASK_AGAIN = 5.0
"""Seconds between two attempts to reach a Redis that was away."""


@dataclass(frozen=True, slots=True)
class Limit:
    name: str
    """Tells counters apart: the same key may be counted for several things."""
    per_minute: int


class Limiter:
    """Counters that slide over the last minute. Safe for threads."""

    def __init__(self, redis_url: str | None = None, *, timeout: float = 0.25) -> None:
        """``redis_url``: ``redis://host:6379/0``, ``rediss://…`` or ``redis+unix:///path``; None counts in this
        process. ``timeout``: seconds that a request waits for Redis, once, before it is counted here."""
        self._here = _Here()
        self._shared = MovingWindowRateLimiter(_redis(redis_url, timeout)) if redis_url else None
        self._lock = threading.Lock()
        self._away_until: float | None = None

    def seconds_to_wait(self, limit: Limit, key: str) -> int:
        """Count one more; 0 when it is within the limit, else the seconds after which it is worth trying again.

        ``key`` stands in Redis as it is: nothing that tells who somebody is.
        """
        if self._shared is not None and self._may_ask():
            item = RateLimitItemPerMinute(limit.per_minute)
            try:
                waiting = _count(self._shared, item, limit.name, key)
            except StorageError as error:
                self._note_away(error)
            else:
                self._note_back()
                return waiting
        return self._here.seconds_to_wait(limit, key)

    def shares(self) -> bool:
        """Whether Redis answers now; False without one."""
        return self._shared is not None and self._shared.storage.check()

    def _may_ask(self) -> bool:
        if self._away_until is None:
            return True
        with self._lock:
            now = time.monotonic()
            if self._away_until is None or now < self._away_until:
                return self._away_until is None
            self._away_until = now + ASK_AGAIN  # the others go on by themselves while this one looks
            return True

    def _note_away(self, error: StorageError) -> None:
        with self._lock:
            first, self._away_until = self._away_until is None, time.monotonic() + ASK_AGAIN
        if first:
            # Its text may hold the address with a password.
            log.warning("redis_away", why=type(error.storage_error).__name__, counting="in this process")

    def _note_back(self) -> None:
        if self._away_until is None:
            return
        with self._lock:
            back, self._away_until = self._away_until is not None, None
        if back:
            log.info("redis_back", counting="for all processes")


class _Here:
    """The same window in this process alone.

    The store that ``limits`` has for it starts a thread a hundred times a second, which looks through the counters of
    everybody: under load that takes longer than the answers.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: dict[tuple[str, str], deque[float]] = {}
        self._swept = time.monotonic()

    def seconds_to_wait(self, limit: Limit, key: str) -> int:
        now = time.monotonic()
        with self._lock:
            if now - self._swept > MINUTE:
                self._swept = now
                self._asked = {one: times for one, times in self._asked.items() if now - times[-1] < MINUTE}
            times = self._asked.setdefault((limit.name, key), deque())
            while times and now - times[0] >= MINUTE:
                times.popleft()
            if len(times) < limit.per_minute:
                times.append(now)
                return 0
            return max(1, round(times[0] + MINUTE - now)) if times else int(MINUTE)


def _count(strategy: MovingWindowRateLimiter, item: RateLimitItemPerMinute, name: str, key: str) -> int:
    if strategy.hit(item, name, key):
        return 0
    return max(1, round(strategy.get_window_stats(item, name, key).reset_time - time.time()))


def _redis(url: str, timeout: float) -> Storage:
    try:
        from limits.storage import RedisStorage
        from redis.backoff import NoBackoff
        from redis.retry import Retry
    except ImportError as missing:  # pragma: no cover
        raise ValueError(
            "REDIS_URL: needs the extra “scale” (pip install embarque-legal[scale])"
        ) from missing
    once: dict[str, Any] = {"retry": Retry(NoBackoff(), 0)}
    return RedisStorage(
        url,
        key_prefix="embarque",
        wrap_exceptions=True,
        socket_timeout=timeout,
        socket_connect_timeout=timeout,
        **once,
    )
