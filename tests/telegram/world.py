"""Telegram as the bot sees it, in memory: chats, messages, files and the updates nobody has fetched yet.

Two doors lead in: `server.py` speaks HTTP to the real application, `direct.py` is a request object without
sockets. A `Person` is somebody with a phone: what they do becomes an update, and what the bot says is read back.
"""

import itertools
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from portal import clock

TOKEN = "123456:not-a-token-of-anybody"
BOT = {"id": 123456, "is_bot": True, "first_name": "Embarque Legal", "username": "embarque_teste_bot"}
SILENCE = 0
"""In place of a status: no answer comes."""
PATIENCE = 60
"""Seconds after which a test fails that waits for the bot."""


@dataclass
class Call:
    method: str
    params: dict[str, Any]
    files: dict[str, bytes]


@dataclass
class Fault:
    """What Telegram answers instead, a number of times."""

    method: str
    status: int
    times: int = 1
    retry_after: int | None = None
    chat_id: int | None = None


@dataclass
class World:
    token: str = TOKEN
    calls: list[Call] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    webhook: dict[str, Any] = field(default_factory=dict)
    settle: Callable[[int], None] = lambda update_id: None
    """Waits until the bot has dealt with everything; each door gives its own."""

    def __post_init__(self) -> None:
        self.changed = threading.Condition()
        self.closed = False
        self.messages: dict[int, list[dict[str, Any]]] = {}
        self.files: dict[str, bytes] = {}
        self.updates: list[dict[str, Any]] = []
        self.acknowledged = 0
        self._ids = itertools.count(100)
        self._message_ids = itertools.count(1)
        self._people = itertools.count(7_000_000_001)

    def person(self, name: str = "Ana", language: str | None = "pt-br") -> "Person":
        return Person(self, next(self._people), name, language)

    def fail(self, method: str, status: int, **more: Any) -> None:
        self.faults.append(Fault(method, status, **more))

    def push(self, update: dict[str, Any], update_id: int | None = None) -> int:
        """Queue an update for the bot, by default under the next id."""
        with self.changed:
            number = update_id if update_id is not None else next(self._ids)
            self.updates.append({"update_id": number, **update})
            self.changed.notify_all()
        return number

    def sent(self, method: str) -> list[Call]:
        return [call for call in self.calls if call.method == method]

    def wait_until(self, met: Callable[[], Any]) -> None:
        with self.changed:
            assert self.changed.wait_for(met, PATIENCE), "the bot did not get there in time"

    def close(self) -> None:
        with self.changed:
            self.closed = True
            self.changed.notify_all()

    def waits(self, update_id: int) -> bool:
        """Whether the bot has yet to take an update."""
        return any(update["update_id"] == update_id for update in self.updates)

    def next_to_post(self) -> dict[str, Any] | None:
        """The next update for the webhook, once there are both; None when this world ends."""
        with self.changed:
            self.changed.wait_for(lambda: self.closed or (self.updates and self.webhook.get("url")))
            return None if self.closed else self.updates[0]

    def taken(self, update: dict[str, Any]) -> None:
        with self.changed:
            self.updates.remove(update)
            self.changed.notify_all()

    def pause(self, seconds: float) -> None:
        """Let a while pass, less when this world ends."""
        with self.changed:
            self.changed.wait_for(lambda: self.closed, seconds)

    # --- The Bot API -----------------------------------------------------------------------------

    def call(
        self, method: str, params: dict[str, Any], files: dict[str, bytes]
    ) -> tuple[int, dict[str, Any]]:
        """Answer one call: an HTTP status and the JSON body."""
        if method == "getUpdates":
            return self._get_updates(params)
        with self.changed:
            if fault := self._fault(method, params):
                return self._refuse(fault)
            handler = getattr(self, f"_{method}", None)
            if handler is None:
                return 404, {"ok": False, "error_code": 404, "description": f"Not Found: {method}"}
            self.calls.append(Call(method, params, files))
            try:
                result = handler(params, files)
            except BadCall as error:
                return 400, {"ok": False, "error_code": 400, "description": f"Bad Request: {error}"}
            finally:
                self.changed.notify_all()
        return 200, {"ok": True, "result": result}

    def download(self, path: str) -> bytes | None:
        return self.files.get(path.removeprefix("files/"))

    def _fault(self, method: str, params: dict[str, Any]) -> Fault | None:
        for fault in self.faults:
            if fault.method == method and fault.times and fault.chat_id in (None, params.get("chat_id")):
                fault.times -= 1
                self.changed.notify_all()
                return fault
        return None

    def _refuse(self, fault: Fault) -> tuple[int, dict[str, Any]]:
        words = {403: "Forbidden: bot was blocked by the user", 429: "Too Many Requests"}
        body: dict[str, Any] = {"ok": False, "error_code": fault.status}
        body["description"] = words.get(fault.status, "Internal Server Error")
        if fault.retry_after:
            body["parameters"] = {"retry_after": fault.retry_after}
        return fault.status, body

    def _get_updates(self, params: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        offset = int(params.get("offset") or 0)
        with self.changed:
            if fault := self._fault("getUpdates", params):
                return self._refuse(fault)
            self.acknowledged = max(self.acknowledged, offset)
            self.updates = [update for update in self.updates if update["update_id"] >= offset]
            self.changed.notify_all()
            self.changed.wait_for(lambda: self.updates or self.closed, float(params.get("timeout") or 0))
            batch = sorted(self.updates, key=lambda update: update["update_id"])
            return 200, {"ok": True, "result": batch[: int(params.get("limit") or 100)]}

    def _getMe(self, params: Any, files: Any) -> dict[str, Any]:
        return BOT | {"can_join_groups": True, "can_read_all_group_messages": False}

    def _sendMessage(self, params: dict[str, Any], files: Any) -> dict[str, Any]:
        text = params.get("text", "")
        if not text.strip():
            raise BadCall("message text is empty")
        if len(text.encode("utf-16-le")) // 2 > 4096:
            raise BadCall("message is too long")
        return self._keep(params, text=text)

    def _sendPhoto(self, params: dict[str, Any], files: dict[str, bytes]) -> dict[str, Any]:
        return self._keep(params, photo=[self._photo(self._upload("photo", params, files))])

    def _sendDocument(self, params: dict[str, Any], files: dict[str, bytes]) -> dict[str, Any]:
        file_id = self._upload("document", params, files)
        return self._keep(params, document={"file_id": file_id, "file_unique_id": file_id})

    def _sendLocation(self, params: dict[str, Any], files: Any) -> dict[str, Any]:
        place = {name: float(params[name]) for name in ("latitude", "longitude")}
        return self._keep(params, location=place)

    def _sendVenue(self, params: dict[str, Any], files: Any) -> dict[str, Any]:
        place = {name: float(params[name]) for name in ("latitude", "longitude")}
        venue = {"location": place, "title": params["title"], "address": params["address"]}
        return self._keep(params, location=place, venue=venue)

    def _editMessageText(self, params: dict[str, Any], files: Any) -> dict[str, Any]:
        message = self._find(params)
        markup = params.get("reply_markup")
        if (message.get("text"), message.get("reply_markup")) == (params["text"], markup):
            raise BadCall("message is not modified")
        message["text"] = params["text"]
        message["reply_markup"] = markup
        return message

    def _editMessageReplyMarkup(self, params: dict[str, Any], files: Any) -> dict[str, Any]:
        message = self._find(params)
        if message.get("reply_markup") == params.get("reply_markup"):
            raise BadCall("message is not modified")
        message["reply_markup"] = params.get("reply_markup")
        return message

    def _deleteMessage(self, params: dict[str, Any], files: Any) -> bool:
        message = self._find(params)
        self.messages[message["chat"]["id"]].remove(message)
        return True

    def _deleteMessages(self, params: dict[str, Any], files: Any) -> bool:
        """Telegram passes over what is not of this chat, or is older than two days."""
        wanted = set(params["message_ids"])
        assert 1 <= len(wanted) <= 100
        kept = self.messages.get(params["chat_id"], [])
        self.messages[params["chat_id"]] = [
            each for each in kept if each["message_id"] not in wanted or each["date"] < _now() - 48 * 3600
        ]
        return True

    def _getFile(self, params: dict[str, Any], files: Any) -> dict[str, Any]:
        content = self.files.get(params["file_id"])
        if content is None:
            raise BadCall("file is not available")
        if len(content) > 20 * 1024 * 1024:
            raise BadCall("file is too big")
        name = params["file_id"]
        return {
            "file_id": name, "file_unique_id": name, "file_size": len(content), "file_path": f"files/{name}"
        }  # fmt: skip

    def _setWebhook(self, params: dict[str, Any], files: Any) -> bool:
        self.webhook = dict(params)
        return True

    def _deleteWebhook(self, params: Any, files: Any) -> bool:
        self.webhook = {}
        return True

    def _nod(self, params: Any, files: Any) -> bool:
        return True

    _answerInlineQuery = _answerCallbackQuery = _sendChatAction = _setMyCommands = _nod
    _setMyDescription = _setMyShortDescription = _setChatMenuButton = _nod

    def _upload(self, name: str, params: dict[str, Any], files: dict[str, bytes]) -> str:
        value = str(params.get(name, ""))
        content = files.get(value.removeprefix("attach://") or name, files.get(name))
        if content is None:
            return value
        return self.add_file(content)

    def add_file(self, content: bytes) -> str:
        file_id = f"file{len(self.files) + 1}"
        self.files[file_id] = content
        return file_id

    def _photo(self, file_id: str) -> dict[str, Any]:
        return {"file_id": file_id, "file_unique_id": file_id, "width": 1280, "height": 960}

    def _keep(self, params: dict[str, Any], **content: Any) -> dict[str, Any]:
        for row in (params.get("reply_markup") or {}).get("inline_keyboard", ()):
            for button in row:
                size = len(button.get("callback_data", "").encode())
                if size > 64 or ("callback_data" in button and not size):
                    raise BadCall("BUTTON_DATA_INVALID")
        message = {
            "message_id": next(self._message_ids),
            "date": _now(),
            "chat": {"id": params["chat_id"], "type": "private"},
            "from": BOT,
            **content,
        }
        for name in ("caption", "reply_markup"):
            if name in params:
                message[name] = params[name]
        if quoted := (params.get("reply_parameters") or {}).get("message_id"):
            known = self.messages.get(params["chat_id"], ())
            found = [each for each in known if each["message_id"] == quoted]
            if not found and not params["reply_parameters"].get("allow_sending_without_reply"):
                raise BadCall("message to be replied not found")
            message |= {"reply_to_message": found[0]} if found else {}
        self.messages.setdefault(params["chat_id"], []).append(message)
        # Telegram shows a reply keyboard in the chat but does not hand it back with the message.
        if "inline_keyboard" in message.get("reply_markup", {}):
            return message
        return {name: value for name, value in message.items() if name != "reply_markup"}

    def _find(self, params: dict[str, Any]) -> dict[str, Any]:
        for message in self.messages.get(params["chat_id"], ()):
            if message["message_id"] == params["message_id"]:
                return message
        raise BadCall("message not found")

    def keep_from_person(self, message: dict[str, Any]) -> dict[str, Any]:
        with self.changed:
            message = {"message_id": next(self._message_ids), "date": _now(), **message}
            self.messages.setdefault(message["chat"]["id"], []).append(message)
        return message


def _now() -> int:
    return int(clock.now().timestamp())


class BadCall(Exception):
    """A call that Telegram refuses with 400."""


@dataclass
class Said:
    """A message of the bot, as the person sees it."""

    raw: dict[str, Any]

    @property
    def text(self) -> str:
        return str(self.raw.get("text") or self.raw.get("caption") or "")

    @property
    def inline(self) -> list[dict[str, Any]]:
        rows = (self.raw.get("reply_markup") or {}).get("inline_keyboard", ())
        return [button for row in rows for button in row]

    @property
    def buttons(self) -> list[str]:
        """The labels under this message, of whichever kind of keyboard."""
        rows = (self.raw.get("reply_markup") or {}).get("keyboard", ())
        plain = [button if isinstance(button, str) else button["text"] for row in rows for button in row]
        return [button["text"] for button in self.inline] + plain

    def __contains__(self, words: str) -> bool:
        return words in self.text


@dataclass
class Person:
    world: World
    id: int
    name: str
    language: str | None

    @property
    def chat(self) -> dict[str, Any]:
        return {"id": self.id, "type": "private", "first_name": self.name}

    @property
    def user(self) -> dict[str, Any]:
        user = {"id": self.id, "is_bot": False, "first_name": self.name}
        return user | ({"language_code": self.language} if self.language else {})

    # --- What the person does ---------------------------------------------------------------------

    def says(self, text: str, **more: Any) -> Said:
        entities = []
        if text.startswith("/"):
            length = len(text.split()[0])
            entities = [{"type": "bot_command", "offset": 0, "length": length}]
        return self._sends(text=text, **({"entities": entities} if entities else {}), **more)

    def replies(self, text: str) -> Said:
        """Write what the last message asked for: a forced reply quotes it by itself."""
        asked = self.last_message.raw
        assert asked["reply_markup"]["force_reply"]
        quoted = {name: value for name, value in asked.items() if name != "reply_markup"}
        return self.says(text, reply_to_message=quoted)

    def replies_with(
        self,
        kind: str,
        content: bytes,
        *,
        caption: str | None = None,
        size: int | None = None,
        on: Said | None = None,
    ) -> Said:
        """Send a ``voice``, ``video`` or ``document`` in reply to what the last message asked for."""
        asked = (on or self.last_message).raw
        assert asked["reply_markup"]["force_reply"]
        quoted = {name: value for name, value in asked.items() if name != "reply_markup"}
        file_id = self.world.add_file(content)
        file = {
            "file_id": file_id,
            "file_unique_id": file_id,
            "file_size": len(content) if size is None else size,
        }
        shape = {"duration": 1, "width": 64, "height": 48} if kind != "document" else {}
        more = {"caption": caption} if caption else {}
        return self._sends(reply_to_message=quoted, **{kind: file | shape}, **more)

    def presses(self, label: str, *, on: Said | None = None) -> Said:
        """Press the newest button with this label, or one that holds these words."""
        for said in [on] if on else reversed(self.messages):
            for exact in (True, False):
                for button in said.inline:
                    if button["text"] == label or (
                        not exact and label.casefold() in button["text"].casefold()
                    ):
                        return self.presses_data(button["callback_data"], said)
            for plain in said.buttons:
                if plain == label:
                    return self.says(label)
        shown = [said.buttons for said in self.messages[-3:]]
        raise AssertionError(f"no button “{label}”; the last messages show {shown}")

    def presses_data(self, data: str, on: Said | None = None, update_id: int | None = None) -> Said:
        message = (on or self.last_message).raw
        query = {"id": str(len(self.world.calls)), "from": self.user, "chat_instance": "1", "data": data}
        return self._does({"callback_query": query | {"message": _inline_only(message)}}, update_id)

    def sends_location(self, latitude: float, longitude: float) -> Said:
        return self._sends(location={"latitude": latitude, "longitude": longitude})

    def shares_live(self, latitude: float, longitude: float, error_m: float | None = None) -> Said:
        place = {"latitude": latitude, "longitude": longitude, "live_period": 900}
        return self._sends(location=place | _given(horizontal_accuracy=error_m))

    def moves(self, latitude: float, longitude: float, error_m: float | None = None) -> Said:
        """The live location shared last, somewhere else now."""
        return self._edits_live(
            {"latitude": latitude, "longitude": longitude, "live_period": 900}
            | _given(horizontal_accuracy=error_m)
        )

    def stops_sharing(self) -> Said:
        own = self._own("location")
        return self._edits_live({name: own["location"][name] for name in ("latitude", "longitude")})

    def _edits_live(self, place: dict[str, Any]) -> Said:
        own = self._own("location")
        own["location"] = place
        return self._does({"edited_message": own | {"edit_date": int(time.time())}})

    def _own(self, kind: str) -> dict[str, Any]:
        return [m for m in self.world.messages[self.id] if m["from"]["id"] == self.id and kind in m][-1]

    def sends_photo(self, content: bytes, caption: str | None = None, **more: Any) -> Said:
        photo = self.world._photo(self.world.add_file(content))
        return self._sends(photo=[photo | {"file_size": len(content)}], **_given(caption=caption), **more)

    def sends_document(
        self, content: bytes, name: str = "foto.jpg", mime: str = "image/jpeg", size: int | None = None
    ) -> Said:
        file_id = self.world.add_file(content)
        size = len(content) if size is None else size
        document = {"file_id": file_id, "file_unique_id": file_id, "file_name": name, "mime_type": mime}
        return self._sends(document=document | {"file_size": size})

    def sends_voice(self, seconds: int = 3, content: bytes = b"OggS") -> Said:
        file_id = self.world.add_file(content)
        return self._sends(voice={"file_id": file_id, "file_unique_id": file_id, "duration": seconds})

    def sends_film(self, content: bytes, kind: str = "video", size: int | None = None) -> Said:
        """A ``video``, or a round ``video_note``."""
        file_id = self.world.add_file(content)
        film = {"file_id": file_id, "file_unique_id": file_id, "duration": 1, "width": 64, "height": 48}
        size = len(content) if size is None else size
        return self._sends(**{kind: film | {"length": 64, "file_size": size}})

    def sends_audio(self, content: bytes, name: str = "som.mp3") -> Said:
        file_id = self.world.add_file(content)
        audio = {"file_id": file_id, "file_unique_id": file_id, "duration": 1, "file_name": name}
        return self._sends(audio=audio | {"file_size": len(content)})

    def sends_sticker(self) -> Said:
        sticker = {"file_id": "s", "file_unique_id": "s", "type": "regular", "width": 512, "height": 512}
        return self._sends(sticker=sticker | {"is_animated": False, "is_video": False, "emoji": "🚌"})

    def sends_contact(self) -> Said:
        return self._sends(contact={"phone_number": "+550000000000", "first_name": "Bia"})

    def sends_poll(self) -> Said:
        poll = {"id": "1", "question": "?", "options": [], "total_voter_count": 0, "is_closed": False}
        kind = {"is_anonymous": True, "type": "regular", "allows_multiple_answers": False}
        return self._sends(poll=poll | kind | {"allows_revoting": False, "members_only": False})

    def asks_inline(self, text: str) -> list[dict[str, Any]]:
        """Write the bot's name and a text in some chat; what may be shared there."""
        self._does({"inline_query": {"id": "1", "from": self.user, "query": text, "offset": ""}})
        answered = self.world.sent("answerInlineQuery")[-1]
        return list(answered.params["results"])

    def edits(self, text: str) -> Said:
        """Edit the last message this person wrote."""
        own = [m for m in self.world.messages[self.id] if m["from"]["id"] == self.id and "text" in m][-1]
        own["text"] = text
        return self._does({"edited_message": own | {"edit_date": int(time.time())}})

    def repeats(self, update_id: int, text: str) -> Said:
        """The same update under the same id: what Telegram does when it missed our acknowledgement."""
        return self._does({"message": self._message(text=text)}, update_id)

    def blocks(self) -> Said:
        member = {"user": BOT, "status": "member"}
        change = {"chat": self.chat, "from": self.user, "date": int(time.time()), "old_chat_member": member}
        return self._does(
            {"my_chat_member": change | {"new_chat_member": member | {"status": "kicked", "until_date": 0}}}
        )

    # --- What the person sees -----------------------------------------------------------------------

    @property
    def messages(self) -> list[Said]:
        with self.world.changed:
            kept = list(self.world.messages.get(self.id, ()))
        return [Said(message) for message in kept if message["from"]["id"] == BOT["id"]]

    @property
    def last_message(self) -> Said:
        assert self.messages, "the bot has said nothing"
        return self.messages[-1]

    @property
    def since(self) -> list[Said]:
        """What the bot has said after this person's last action."""
        return [said for said in self.messages if said.raw["message_id"] > self._mark]

    def read(self) -> str:
        """All the bot has said since this person's last action."""
        return "\n\n".join(said.text for said in self.since)

    @property
    def toast(self) -> str:
        """The words of the last answer to a button, shown on top of the screen."""
        calls = self.world.sent("answerCallbackQuery")
        return str(calls[-1].params.get("text") or "") if calls else ""

    _mark: int = 0

    def _message(self, **content: Any) -> dict[str, Any]:
        return self.world.keep_from_person({"from": self.user, "chat": self.chat, **content})

    def _sends(self, **content: Any) -> Said:
        return self._does({"message": self._message(**content)})

    def _does(self, update: dict[str, Any], update_id: int | None = None) -> Said:
        self._mark = max([m["message_id"] for m in self.world.messages.get(self.id, ())], default=0)
        number = self.world.push(json.loads(json.dumps(update)), update_id)
        self.world.settle(number)
        kept = self.messages
        return kept[-1] if kept else Said({})


def _inline_only(message: dict[str, Any]) -> dict[str, Any]:
    markup = message.get("reply_markup") or {}
    return (
        message if "inline_keyboard" in markup else {k: v for k, v in message.items() if k != "reply_markup"}
    )


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
