"""The same conversation in a terminal: what is typed becomes an update, what the bot sends is printed.

Only the road to Telegram is replaced, so the handlers, the inbox and the drafts are those of the real bot.
"""

import asyncio
import itertools
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, TextIO

from telegram.request import BaseRequest, RequestData

from bot.application import build_application
from bot.inbox import Inbox
from portal import clock
from portal.config import Settings
from portal.i18n import Translator, negotiate, translator

TOKEN = "1:terminal"  # noqa: S105  # nobody is asked whether it is right
CHAT = {"id": 1, "type": "private", "first_name": "Terminal"}
GROUP = {"id": -1, "type": "group", "title": "Terminal"}
BOT = {"id": 1, "is_bot": True, "first_name": "Embarque Legal", "username": "terminal"}


class Terminal(BaseRequest):
    """Answers the bot's calls as Telegram would, and shows them."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._messages = itertools.count(1)
        self.buttons: list[dict[str, Any]] = []
        """Those of the last answer, all its messages together; the numbers that a person types count from 1."""
        self.under: list[dict[str, Any]] = []
        """The message under which each of them hangs."""
        self.answered: dict[str, Any] | None = None
        """The message that the next text is a reply to, where the bot has asked for one."""
        self.fresh = True
        """True from a typed line to the first button that answers it."""
        self.chat = CHAT
        """Where the person writes: to the bot alone or, after /grupo, in a group."""

    @property
    def read_timeout(self) -> float | None:
        return None

    async def initialize(self) -> None:
        """Nothing to open."""

    async def shutdown(self) -> None:
        """Nothing to close."""

    async def do_request(
        self, url: str, method: str, request_data: RequestData | None = None, *timeouts: Any, **more: Any
    ) -> tuple[int, bytes]:
        _, name = url.rsplit("/", 1)
        if "/file/" in url:
            return 200, await asyncio.to_thread(_content, Path(url.split("/file/", 1)[1].split("/", 1)[1]))
        result = self._answer(name, request_data.parameters if request_data else {})
        return 200, json.dumps({"ok": True, "result": result}).encode()

    def _answer(self, name: str, params: dict[str, Any]) -> Any:
        match name:
            case "getMe":
                return BOT
            case "sendMessage" | "sendDocument" | "sendPhoto":
                return self._show(params)
            case "getFile":
                return {"file_id": "f", "file_unique_id": "f", "file_path": params["file_id"]}
            case "answerCallbackQuery":
                if params.get("text"):
                    self._write(f"({params['text']})")
            case "editMessageReplyMarkup" if params.get("reply_markup"):
                self._show_buttons(params, _message(params["message_id"], "…", params["reply_markup"]))
        return True

    def _show(self, params: dict[str, Any]) -> dict[str, Any]:
        text = params.get("text") or params.get("caption") or ""
        markup = params.get("reply_markup") or {}
        message = _message(next(self._messages), text, markup)
        self.answered = message if markup.get("force_reply") else None
        self._write(text)
        self._show_buttons(params, message)
        self._write("")
        return message

    def _show_buttons(self, params: dict[str, Any], message: dict[str, Any]) -> None:
        markup = params.get("reply_markup") or {}
        shown = [button for row in markup.get("inline_keyboard", ()) for button in row]
        if shown and self.fresh:
            self.buttons, self.under, self.fresh = [], [], False
        for button in shown:
            self.buttons.append(button)
            self.under.append(message)
            address = f" {button['url']}" if "url" in button else ""
            self._write(f"  [{len(self.buttons)}] {button['text']}{address}")


async def converse(
    settings: Settings, *, typed: TextIO = sys.stdin, write: Callable[[str], None] = print
) -> None:
    """Hold the conversation until the input ends."""
    language = os.environ.get("LANG", "pt").split(".")[0]
    _ = translator(negotiate(language))
    terminal = Terminal(write)
    application = build_application(settings, token=TOKEN, request=terminal)
    async with application:
        inbox = Inbox(application)
        await inbox.resume()
        write(
            _(
                "Escreva como no Telegram. Um número aperta o botão; /local -23.62,-45.41 envia uma localização; "
                "/foto caminho.jpg envia uma foto; /editar texto edita a mensagem; /grupo entra num grupo e sai dele; "
                "Ctrl+D sai."
            )
        )
        write("")
        # Never a number used in an earlier conversation: the inbox would know it as a repetition.
        updates = itertools.count(time.time_ns() // 1_000_000)
        async for line in _lines(typed):
            if not typed.isatty():
                write(f"> {line}")
            terminal.fresh = True
            if update := _update(line, terminal, language, _, write):
                await inbox.receive([{"update_id": next(updates), **update}])
                await inbox.idle()


def _update(
    line: str, terminal: Terminal, language: str, _: Translator, write: Callable[[str], None]
) -> dict[str, Any] | None:
    """The update that a typed line stands for; None when there is nothing to send."""
    person = {
        "id": CHAT["id"],
        "is_bot": False,
        "first_name": "Terminal",
        "language_code": language.replace("_", "-"),
    }
    message: dict[str, Any] = {"message_id": 0, "date": _now(), "chat": terminal.chat, "from": person}
    number = line.strip("[] ")
    if number.isascii() and number.isdigit() and 1 <= int(number) <= len(terminal.buttons):
        button = terminal.buttons[int(number) - 1]
        if "callback_data" not in button:
            write(str(button.get("url")))
            return None
        under = terminal.under[int(number) - 1]
        query = {"id": "1", "from": person, "chat_instance": "1", "message": under | {"chat": terminal.chat}}
        return {"callback_query": query | {"data": button["callback_data"]}}
    quoted = {"reply_to_message": terminal.answered} if terminal.answered else {}
    word, _space, rest = line.partition(" ")
    if word == "/local":
        try:
            latitude, longitude = (float(part) for part in rest.replace(";", ",").split(","))
        except ValueError:
            write(_("Escreva /local latitude,longitude, como em /local -23.62,-45.41."))
            return None
        return {"message": message | {"location": {"latitude": latitude, "longitude": longitude}}}
    if word == "/foto":
        path = Path(rest).expanduser()
        if not path.is_file():
            write(_("Não encontro o arquivo “%(path)s”.") % {"path": rest})
            return None
        size = path.stat().st_size
        document = {
            "file_id": str(path.resolve()),
            "file_unique_id": "f",
            "file_name": path.name,
            "file_size": size,
        }
        return {"message": message | {"document": document} | quoted}
    if not line.strip():
        return None
    if word == "/grupo":
        terminal.chat = CHAT if terminal.chat is GROUP else GROUP
        write(_("Agora em grupo.") if terminal.chat is GROUP else _("Agora em particular."))
        return None
    if word == "/editar":
        return {"edited_message": message | {"edit_date": _now(), "text": rest}} if rest else None
    command = (
        {"entities": [{"type": "bot_command", "offset": 0, "length": len(word)}]} if line[0] == "/" else {}
    )
    return {"message": message | {"text": line} | quoted | command}


def _message(number: int, text: str, markup: dict[str, Any]) -> dict[str, Any]:
    """A message of the bot's as Telegram hands it back, with the buttons that hang under it."""
    message = {"message_id": number, "date": _now(), "chat": CHAT, "from": BOT, "text": text}
    return message | ({"reply_markup": markup} if "inline_keyboard" in markup else {})


def _now() -> int:
    return int(clock.now().timestamp())


async def _lines(typed: TextIO) -> AsyncIterator[str]:
    while line := await asyncio.to_thread(typed.readline):
        yield line.rstrip("\n")


def _content(path: Path) -> bytes:
    return path.read_bytes()
