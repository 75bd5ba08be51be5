"""Patience towards Telegram: its limits are kept, and a call that failed on the way is made again."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from telegram.error import BadRequest, NetworkError
from telegram.ext import AIORateLimiter

JSON = dict[str, Any]
Answer = bool | JSON | list[JSON]


class PatientLimiter(AIORateLimiter):
    """The library's limiter, which waits as long as a 429 asks for; a 5xx or a broken line is retried here."""

    def __init__(self, *, pauses: tuple[float, ...] = (0.5, 2, 5)) -> None:
        super().__init__(max_retries=3)
        self._pauses = pauses

    async def process_request(
        self,
        callback: Callable[..., Coroutine[Any, Any, Answer]],
        args: Any,
        kwargs: dict[str, Any],
        endpoint: str,
        data: dict[str, Any],
        rate_limit_args: int | None,
    ) -> Answer:
        for pause in self._pauses:
            try:
                return await super().process_request(callback, args, kwargs, endpoint, data, rate_limit_args)
            except BadRequest:  # a NetworkError to the library, but it will be refused again
                raise
            except NetworkError:
                await asyncio.sleep(pause)
        return await super().process_request(callback, args, kwargs, endpoint, data, rate_limit_args)
