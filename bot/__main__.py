"""``python -m bot``: the Telegram bot, with the worker in the same process; ``--console``: the same in a terminal."""

import argparse
import asyncio
import contextlib
import logging
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from urllib.parse import urlsplit

from pydantic import ValidationError
from telegram.error import InvalidToken, TelegramError

from bot.application import build_application, introduce
from bot.console import converse
from bot.context import BotApplication
from bot.delivery import sender
from bot.inbox import Inbox
from bot.polling import KINDS, poll
from bot.threads import prepare_threads
from bot.webhook import webhook_server
from portal.config import Settings, settings, worker_settings
from portal.services.messages.telegram import CHANNEL
from portal.services.unit_of_work import limit_statements
from portal.worker import opener, senders_of, work

log = logging.getLogger("bot")

STATEMENT_SECONDS = 10
"""A statement that takes longer is given up, and the person is told to try again."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bot", description=__doc__)
    parser.add_argument("--console", action="store_true", help="hold the conversation in this terminal")
    chosen = parser.parse_args(arguments)
    quiet_logs()
    try:
        configured = settings()
    except ValidationError as error:
        missing = ", ".join(sorted(str(each["loc"][0]).upper() for each in error.errors()))
        print(f"Settings are missing: {missing}. `make run` once makes them.", file=sys.stderr)  # noqa: T201
        return 2
    if chosen.console:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(converse(configured))
        return 0
    if not configured.telegram_bot_token:
        print("TELEGRAM_BOT_TOKEN is missing. `python -m bot --console` needs none.", file=sys.stderr)  # noqa: T201
        return 2
    try:
        asyncio.run(serve(configured))
    except InvalidToken:
        print("Telegram does not know this TELEGRAM_BOT_TOKEN.", file=sys.stderr)  # noqa: T201
        return 2
    return 0


def quiet_logs() -> None:
    """What is logged of other libraries: warnings alone, as at lower levels they write addresses with the token."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    for name in ("httpx", "httpcore", "telegram", "tornado"):
        logging.getLogger(name).setLevel(logging.WARNING)


async def serve(
    configured: Settings,
    *,
    stop: asyncio.Event | None = None,
    started: Callable[[Inbox], None] = lambda inbox: None,
) -> None:
    """Answer people until SIGTERM, SIGINT or ``stop``; ``started`` is called once people can write."""
    ending = stop or asyncio.Event()
    loop = asyncio.get_running_loop()
    if stop is None:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, ending.set)
    limit_statements(STATEMENT_SECONDS)
    prepare_threads()
    application = build_application(configured)
    async with application, _worker(application):
        inbox = Inbox(application, alone=not configured.telegram_webhook_url)
        await inbox.resume()
        try:
            await introduce(application)
        except InvalidToken:
            raise
        except TelegramError as error:  # the menu of commands can wait; people cannot
            log.warning("the commands could not be registered: %s", type(error).__name__)
        started(inbox)
        if configured.telegram_webhook_url:
            await _listen(configured, application, inbox, ending)
        else:
            await application.bot.delete_webhook()
            log.info("polling for updates of @%s", application.bot.username)
            await poll(application, inbox, ending)
        await inbox.stop()


async def _listen(
    configured: Settings, application: BotApplication, inbox: Inbox, stop: asyncio.Event
) -> None:
    assert configured.telegram_webhook_url
    secret = (
        configured.telegram_webhook_secret.get_secret_value() if configured.telegram_webhook_secret else ""
    )
    path = urlsplit(configured.telegram_webhook_url).path or "/"
    server = webhook_server(inbox, path=path, secret=secret)
    server.listen(configured.telegram_webhook_port, address=configured.host)
    await application.bot.set_webhook(
        configured.telegram_webhook_url, secret_token=secret, allowed_updates=KINDS
    )
    log.info("listening for updates at %s port %s", configured.host, configured.telegram_webhook_port)
    await stop.wait()
    server.stop()
    await server.close_all_connections()


@contextlib.asynccontextmanager
async def _worker(application: BotApplication) -> AsyncIterator[None]:
    """The worker in a thread, so that there is one sender towards Telegram; it needs the notice key."""
    try:
        configured = worker_settings()
    except ValidationError:
        log.warning("NOTICE_PRIVATE_KEY is missing: receipts and notices wait for a process that has it")
        yield
        return
    stop = threading.Event()
    send = {**senders_of(configured), CHANNEL: sender(application.bot, asyncio.get_running_loop())}
    working = threading.Thread(
        target=work, args=(stop,), kwargs={"senders": send, "open_box": opener(configured)}
    )
    working.start()
    try:
        yield
    finally:
        stop.set()
        await asyncio.to_thread(working.join)


if __name__ == "__main__":
    sys.exit(main())
