"""Telegram without sockets: a request object that hands every call of the bot to a `World`."""

import json
from typing import Any

from telegram.error import TimedOut
from telegram.request import BaseRequest, RequestData

from tests.telegram.world import SILENCE, World


class DirectRequest(BaseRequest):
    def __init__(self, world: World) -> None:
        self.world = world

    @property
    def read_timeout(self) -> float | None:
        return 5

    async def initialize(self) -> None:
        """Nothing to open."""

    async def shutdown(self) -> None:
        """Nothing to close."""

    async def do_request(
        self, url: str, method: str, request_data: RequestData | None = None, *timeouts: Any, **more: Any
    ) -> tuple[int, bytes]:
        if "/file/" in url:
            content = self.world.download(url.rsplit("/", 2)[-1])
            return (200, content) if content is not None else (404, b"{}")
        params = dict(request_data.parameters) if request_data else {}
        uploads = (request_data.multipart_data or {}) if request_data else {}
        files = {name: part[1] for name, part in uploads.items()}
        status, body = self.world.call(url.rsplit("/", 1)[-1], params, files)
        if status == SILENCE:
            raise TimedOut
        return status, json.dumps(body).encode()
