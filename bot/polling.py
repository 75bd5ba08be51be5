"""Fetching updates from Telegram: asked for, stored, and only then acknowledged."""

import asyncio
import json
import logging
from typing import Any
from urllib.parse import urlencode

from sqlalchemy.exc import SQLAlchemyError
from telegram.error import InvalidToken, RetryAfter, TelegramError
from telegram.request import BaseRequest, HTTPXRequest

from bot.context import BotApplication
from bot.inbox import Inbox

log = logging.getLogger(__name__)

KINDS = ("message", "edited_message", "callback_query", "inline_query", "my_chat_member")
"""Kinds of update the bot has an answer to; Telegram sends no others."""
LONGEST_WAIT = 30.0


async def poll(
    application: BotApplication,
    inbox: Inbox,
    stop: asyncio.Event,
    *,
    wait: int = 25,
    first_pause: float = 1,
    request: BaseRequest | None = None,
) -> None:
    """Fetch updates until ``stop`` is set.

    The next request acknowledges what this one brought, so it is made only after the updates are in the
    inbox. ``wait`` is how many seconds Telegram may hold a request open; ``first_pause`` how many pass after a
    failure, then twice as many each time.

    Raises:
        InvalidToken: Telegram does not know the bot's token.
    """
    own = request or HTTPXRequest(connection_pool_size=1)
    offset, pause = 0, first_pause
    async with own:
        while not stop.is_set():
            await inbox.room()
            try:
                updates = await _unless(stop, _fetch(own, application.bot.base_url, offset, wait))
                if updates:
                    await inbox.receive(updates)
                    offset = updates[-1]["update_id"] + 1
                pause = first_pause
                continue
            except InvalidToken:
                raise
            except RetryAfter as error:
                asked = error.retry_after
                pause = asked if isinstance(asked, int) else asked.total_seconds()
            except (TelegramError, SQLAlchemyError) as error:
                log.warning("updates could not be fetched or stored: %s", type(error).__name__)
            await _unless(stop, asyncio.sleep(pause))
            pause = min(pause * 2, LONGEST_WAIT)


async def _fetch(request: BaseRequest, base: str, offset: int, wait: int) -> list[dict[str, Any]]:
    """Updates as Telegram wrote them: the library's own method would stumble over a kind it does not know."""
    query = urlencode({"offset": offset, "timeout": wait, "allowed_updates": json.dumps(KINDS)})
    answer = await request.retrieve(f"{base}/getUpdates?{query}", read_timeout=wait + 10)
    result: list[dict[str, Any]] = json.loads(answer)["result"]
    return result


async def _unless(stop: asyncio.Event, work: Any) -> Any:
    """The outcome of ``work``, or None as soon as ``stop`` is set."""
    working, stopping = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        for task in (working, stopping):
            if not task.done():
                task.cancel()
