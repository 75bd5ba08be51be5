"""What the worker sends to a chat: a receipt that its handler could not, and the news a person asked for."""

import asyncio
from collections.abc import Callable
from concurrent.futures import TimeoutError as TooSlow
from datetime import timedelta

from telegram import Bot
from telegram.error import BadRequest, Forbidden, NetworkError, RetryAfter

from bot.cases import receipt_message
from bot.replies import split
from portal.config import settings
from portal.delivery import TryLater, Undeliverable
from portal.i18n import translator
from portal.services import telegram as conversation
from portal.services.outbox import Delivery
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
        chat_id, text = _message(delivery, opened)
        sending = asyncio.run_coroutine_threadsafe(_send(bot, chat_id, text), loop)
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


def _message(delivery: Delivery, opened: bytes) -> tuple[int, str]:
    if delivery.payload.get("what") == "receipt":
        chat_id, receipt = conversation.read_receipt(opened)
        return chat_id, receipt_message(receipt, translator(receipt.language))
    _ = translator(str(delivery.payload["language"]))
    protocol = str(delivery.payload["protocol"])
    return int(opened), news_text(protocol, f"{settings().public_url}/acompanhar", _)


async def _send(bot: Bot, chat_id: int, text: str) -> None:
    for page in split(text):
        await bot.send_message(chat_id, page)
