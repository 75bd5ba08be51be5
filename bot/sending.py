"""Patience towards Telegram: its limits are kept, and a call that failed on the way is made again.

Every message of a process, of a handler's or the worker's, goes through here.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any

from aiolimiter import AsyncLimiter
from telegram.error import BadRequest, NetworkError
from telegram.ext import AIORateLimiter

JSON = dict[str, Any]
Answer = bool | JSON | list[JSON]

OVERALL_A_SECOND = 30
"""Messages a second that Telegram takes of one bot, all its processes together."""
IN_ONE_CHAT = (30, 30.0)
"""Messages to one person in as many seconds: one a second, with room for an answer of several messages."""
MOST_CHATS = 5_000
"""Chats whose pace is remembered; one that has been silent for longer is within it anyway."""


class PatientLimiter(AIORateLimiter):
    """The library's limiter, which also waits as long as a 429 asks for; a 5xx or a broken line is retried here.

    Groups have the library's own limit of twenty messages a minute.
    """

    def __init__(
        self,
        *,
        pauses: tuple[float, ...] = (0.5, 2, 5),
        processes: int = 1,
        overall: float = OVERALL_A_SECOND,
        in_one_chat: tuple[float, float] = IN_ONE_CHAT,
    ) -> None:
        super().__init__(max_retries=3, overall_max_rate=max(1.0, overall / processes))
        self._pauses, self._in_one_chat = pauses, in_one_chat
        self._chats: OrderedDict[int, AsyncLimiter] = OrderedDict()

    async def process_request(
        self,
        callback: Callable[..., Coroutine[Any, Any, Answer]],
        args: Any,
        kwargs: dict[str, Any],
        endpoint: str,
        data: dict[str, Any],
        rate_limit_args: int | None,
    ) -> Answer:
        chat = data.get("chat_id")
        if isinstance(chat, int) and chat > 0 and endpoint.startswith(("send", "edit")):
            await self._pace(chat).acquire()
        for pause in self._pauses:
            try:
                return await super().process_request(callback, args, kwargs, endpoint, data, rate_limit_args)
            except BadRequest:  # a NetworkError to the library, but it will be refused again
                raise
            except NetworkError:
                await asyncio.sleep(pause)
        return await super().process_request(callback, args, kwargs, endpoint, data, rate_limit_args)

    def _pace(self, chat: int) -> AsyncLimiter:
        pace = self._chats.setdefault(chat, AsyncLimiter(*self._in_one_chat))
        self._chats.move_to_end(chat)
        while len(self._chats) > MOST_CHATS:
            self._chats.popitem(last=False)
        return pace
