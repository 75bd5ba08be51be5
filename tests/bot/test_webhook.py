import asyncio
import json
from contextlib import suppress

import httpx
import pytest

from bot.application import build_application
from bot.inbox import Inbox
from bot.webhook import LARGEST, SECRET_HEADER, webhook_server
from portal.config import settings
from tests.bot.town import PLATE
from tests.telegram.direct import DirectRequest

pytestmark = pytest.mark.usefixtures("at_two", "database", "keys")
RIGHT = {SECRET_HEADER: "right-secret"}


def post(world, body: bytes, headers: dict[str, str], times: int = 1) -> list[int]:
    """Post a body to a running webhook; the status of each answer, once everything has been handled."""

    async def story() -> list[int]:
        application = build_application(settings(), token=world.token, request=DirectRequest(world))
        async with application, httpx.AsyncClient() as client:
            inbox = Inbox(application)
            server = webhook_server(inbox, path="/hook", secret="right-secret")
            server.listen(0, address="127.0.0.1")
            [socket] = server._sockets.values()
            address = f"http://127.0.0.1:{socket.getsockname()[1]}/hook"
            posts = [client.post(address, content=body, headers=headers) for _ in range(times)]
            try:
                answers = await asyncio.gather(*posts)
                await inbox.idle()
            finally:
                server.stop()
                await server.close_all_connections()
            return [answer.status_code for answer in answers]

    return asyncio.run(story())


def update(world, number: int = 1) -> bytes:
    person = world.person("Ana")
    return json.dumps({"update_id": number, "message": person._message(text=PLATE)}).encode()


class TestWhoIsListenedTo:
    @pytest.mark.parametrize("headers", [{}, {SECRET_HEADER: ""}, {SECRET_HEADER: "wrong"}])
    def test_nobody_without_the_secret(self, world, headers):
        assert post(world, update(world), headers) == [403]
        assert world.sent("sendMessage") == []

    def test_telegram_is(self, world):
        assert post(world, update(world), RIGHT) == [200]
        assert len(world.sent("sendMessage")) == 1

    def test_a_webhook_without_a_secret_does_not_start(self, world):
        with pytest.raises(ValueError, match="TELEGRAM_WEBHOOK_SECRET"):
            webhook_server(None, path="/hook", secret="")


class TestWhatIsPosted:
    @pytest.mark.parametrize("body", [b"{", b"[]", b'{"update_id": "x"}', b"\xff"])
    def test_malformed_has_no_effect(self, world, body):
        assert post(world, body, RIGHT) == [400]
        assert world.sent("sendMessage") == []

    def test_five_megabytes_are_refused(self, world):
        with suppress(httpx.TransportError):  # the connection may be closed while the body is on its way
            assert post(world, b"x" * 5 * LARGEST, RIGHT) == [413]
        assert world.sent("sendMessage") == []

    def test_what_is_none_of_our_business_is_taken_and_not_answered(self, world):
        ana = world.person("Ana")
        channel = {"id": -1009, "type": "channel", "title": "c"}
        member = {"user": ana.user, "status": "member"}
        change = {"chat": ana.chat, "from": ana.user, "date": 0, "old_chat_member": member}
        reaction = {"chat": ana.chat, "message_id": 1, "date": 0, "user": ana.user}
        for number, content in enumerate(
            (
                {"channel_post": {"message_id": 1, "date": 0, "chat": channel, "text": PLATE}},
                {"edited_channel_post": {"message_id": 1, "date": 0, "chat": channel, "edit_date": 1}},
                {"message_reaction": reaction | {"old_reaction": [], "new_reaction": []}},
                {"chat_member": change | {"new_chat_member": member}},
                {"my_chat_member": change | {"new_chat_member": member}},
                {"a_kind_of_tomorrow": {"chat": ana.chat}},
            ),
            start=1,
        ):
            body = json.dumps({"update_id": number, **content}).encode()
            assert post(world, body, RIGHT) == [200]
        assert [call.method for call in world.calls if call.method != "getMe"] == []

    def test_the_same_update_again_after_a_restart_is_answered_once(self, world):
        body = update(world)
        assert post(world, body, RIGHT, times=2) == [200] * 2
        assert post(world, body, RIGHT) == [200], "by a process that has just started"
        assert len(world.sent("sendMessage")) == 1

    def test_the_same_update_several_times_at_once_is_answered_once(self, world):
        assert post(world, update(world), RIGHT, times=4) == [200] * 4
        assert len(world.sent("sendMessage")) == 1
