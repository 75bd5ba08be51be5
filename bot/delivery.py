"""What the worker sends to a chat: a receipt that its handler could not, and the news a person asked for."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import TimeoutError as TooSlow
from datetime import timedelta
from typing import Any

from telegram import Bot
from telegram.error import BadRequest, Forbidden, NetworkError, RetryAfter

from bot.cases import in_the_chat, send_receipt
from bot.replies import split
from portal import clock
from portal.config import settings
from portal.delivery import TryLater, Undeliverable
from portal.i18n import translator
from portal.services.messages import telegram as conversation
from portal.services.messages.outbox import Delivery
from portal.services.unit_of_work import unit_of_work
from portal.wording.notices import news_text

PATIENCE = 60
"""Seconds that one delivery may take, well within the worker's claim on its row."""


def sender(bot: Bot, loop: asyncio.AbstractEventLoop) -> Callable[[Delivery, bytes | None], None]:
    """A sender for the worker, which runs in a thread, through the bot, which runs in ``loop``.

    A chat that blocked the bot gets no more news: its subscriptions end, and the cases stay as they are.
    """

    def send(delivery: Delivery, opened: bytes | None) -> None:
        if opened is None:
            raise Undeliverable
        chat_id, work = _work(bot, delivery, opened)
        sending = asyncio.run_coroutine_threadsafe(work, loop)
        try:
            sending.result(PATIENCE)
        except Forbidden:
            with unit_of_work(writes=True) as session:
                conversation.stop_notices(session, chat_id)
            raise Undeliverable from None
        except RetryAfter as error:
            wait = error.retry_after
            raise TryLater(wait if isinstance(wait, timedelta) else timedelta(seconds=wait)) from None
        except BadRequest:
            raise Undeliverable from None
        except (NetworkError, TooSlow):
            sending.cancel()
            raise

    return send


def _work(bot: Bot, delivery: Delivery, opened: bytes) -> tuple[int, Coroutine[Any, Any, None]]:
    """The chat, and what is sent there."""
    what = delivery.payload.get("what")
    if what == "receipt":
        chat_id, receipt = conversation.read_receipt(opened)
        return chat_id, send_receipt(bot, chat_id, receipt, translator(receipt.language))
    if what == "reminder":
        chat_id = int(opened)
        return chat_id, _send(bot, chat_id, _reminder(chat_id))
    _ = translator(str(delivery.payload["language"]))
    protocol = str(delivery.payload["protocol"])
    chat_id = int(opened)
    text = "\n\n".join([news_text(protocol, f"{settings().public_url}/acompanhar", _), in_the_chat(_)])
    return chat_id, _send(bot, chat_id, text)


def _reminder(chat_id: int) -> str:
    """The one reminder of a complaint that was begun; raises where none is due, or not yet."""
    with unit_of_work() as session:
        due = conversation.reminder_due(session, chat_id, now=clock.now())
    if due is None:
        raise Undeliverable
    language, wait = due
    if wait:
        raise TryLater(wait)
    _ = translator(language)
    return _(
        "Você começou uma manifestação e ela não foi enviada. /reclamar continua de onde parou; "
        "/cancelar apaga as respostas. Este é o único lembrete."
    )


async def _send(bot: Bot, chat_id: int, text: str) -> None:
    for page in split(text):
        await bot.send_message(chat_id, page)
