"""A Bot API server on this machine, for journeys that drive the real application over HTTP."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.wrappers import Request, Response

from bot.webhook import SECRET_HEADER
from tests.telegram.world import World


@contextmanager
def bot_api(world: World) -> Iterator[str]:
    """Serve ``world``; gives the address that takes the place of https://api.telegram.org."""

    @Request.application
    def answer(request: Request) -> Response:
        kind, *rest = request.path.strip("/").split("/", 2)
        if kind == "file":
            content = world.download(rest[-1])
            return Response(content or b"", 200 if content is not None else 404)
        if kind != f"bot{world.token}":
            return _json({"ok": False, "error_code": 401, "description": "Unauthorized"}, 401)
        status, body = world.call(rest[0], _params(request), _files(request))
        return _json(body, status)

    server = make_server("127.0.0.1", 0, answer, threaded=True, request_handler=_Silent)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    posting = threading.Thread(target=_post_updates, args=(world,))
    thread.start()
    posting.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        world.close()
        posting.join()
        server.shutdown()
        thread.join()
        server.server_close()


def _post_updates(world: World) -> None:
    """Post what people do to the webhook, one after the other and again until it is taken, as Telegram does."""
    while update := world.next_to_post():
        headers = {"Content-Type": "application/json", SECRET_HEADER: world.webhook.get("secret_token", "")}
        try:
            httpx.post(world.webhook["url"], content=json.dumps(update), headers=headers).raise_for_status()
        except httpx.HTTPError:
            world.pause(0.05)
        else:
            world.taken(update)


class _Silent(WSGIRequestHandler):
    def log(self, type: str, message: str, *args: Any) -> None:
        """Say nothing: the test's own output is what counts."""


def _params(request: Request) -> dict[str, Any]:
    given = request.get_json() if request.is_json else {**request.args, **request.form}
    return {name: _value(name, value) for name, value in given.items()}


def _value(name: str, value: Any) -> Any:
    if name in ("text", "caption", "file_id", "callback_query_id", "secret_token", "url"):
        return value
    try:
        return json.loads(value)
    except (TypeError, ValueError):
        return value


def _files(request: Request) -> dict[str, bytes]:
    return {name: upload.read() for name, upload in request.files.items()}


def _json(body: Any, status: int) -> Response:
    return Response(json.dumps(body), status, mimetype="application/json")
