"""Updates that Telegram posts to us: for many people, behind the proxy, in place of polling."""

import hmac
import json
import logging
from typing import Any

from sqlalchemy.exc import SQLAlchemyError
from tornado.httpserver import HTTPServer
from tornado.web import Application, RequestHandler, stream_request_body

from bot.inbox import Inbox

log = logging.getLogger(__name__)

LARGEST = 1024 * 1024
"""Bytes of one update; Telegram's own are a few thousand."""
SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105  # the header's name


@stream_request_body
class UpdateHandler(RequestHandler):
    """Takes one update; 200 says that it is in the inbox, so Telegram repeats whatever we did not store."""

    def initialize(self, inbox: Inbox, secret: str) -> None:
        self._inbox, self._secret, self._body = inbox, secret, bytearray()

    def prepare(self) -> None:
        """Refuse before the body is read."""
        given = self.request.headers.get(SECRET_HEADER, "")
        if not hmac.compare_digest(given.encode(), self._secret.encode()):
            self._refuse(403)

    def data_received(self, chunk: bytes) -> None:
        if not self._finished:
            self._body += chunk
            if len(self._body) > LARGEST:
                self._body.clear()
                self._refuse(413)

    def _refuse(self, status: int) -> None:
        self.set_status(status)
        self.finish()

    async def post(self) -> None:
        try:
            update = json.loads(self._body)
            known = isinstance(update, dict) and isinstance(update.get("update_id"), int)
        except ValueError:
            known = False
        if not known:
            self.set_status(400)
            return
        try:
            await self._inbox.receive([update])
        except SQLAlchemyError as error:
            log.error("an update could not be stored: %s", type(error).__name__)
            self.set_status(503)

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        self.finish()


def webhook_server(inbox: Inbox, *, path: str, secret: str) -> HTTPServer:
    """A server that takes updates at ``path``; the caller listens and stops.

    ``secret`` is what Telegram was told to send along; without it nobody is listened to. Of a body larger than
    `LARGEST` no more than that is kept.
    """
    if not secret:
        raise ValueError("a webhook needs TELEGRAM_WEBHOOK_SECRET: without it anybody could post an update")
    application = Application(
        [(path, UpdateHandler, {"inbox": inbox, "secret": secret})], log_function=_silence
    )
    return HTTPServer(application, max_body_size=100 * LARGEST)


def _silence(handler: RequestHandler) -> None:
    """No access log: an address and an hour would say who wrote when."""
