import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import BytesIO

import pytest
from PIL import Image

from portal.regulations import catalogue
from portal.regulations.catalogue import DATA
from portal.web.itineraries.tiles import Shelf

TOWN = "caraguatatuba-sp"
NEAR = f"/{TOWN}/mapa/12/1531/2322"
"""The seat of Caraguatatuba."""


def png() -> bytes:
    made = BytesIO()
    Image.new("RGB", (256, 256), "teal").save(made, "PNG")
    return made.getvalue()


class Server(HTTPServer):
    """A map server on a socket of its own; ``answer`` is what it sends next."""

    answer: tuple[int, str, bytes] = (200, "image/png", b"")

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, dict[str, str]]] = []


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append((self.path, dict(self.headers)))
        status, kind, body = self.server.answer
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        pass


@pytest.fixture
def map_server():
    server = Server()
    server.answer = (200, "image/png", png())
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def configured(map_server, tmp_path):
    """Caraguatatuba with the address of the map server in its folder."""
    for file in DATA.rglob("*"):
        if file.is_file():
            to = tmp_path / "data" / file.relative_to(DATA)
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(file.read_bytes())
    with (tmp_path / "data" / TOWN / "municipality.toml").open("a") as file:
        file.write(
            f'\n[tiles]\naddress = "http://127.0.0.1:{map_server.server_port}/{{z}}/{{x}}/{{y}}.png"\n'
            'credit = "Mapa inventado"\n'
        )
    with catalogue.reading_from(tmp_path / "data"):
        yield map_server


class TestATile:
    def test_comes_through_the_portal_and_may_be_kept(self, configured, client):
        answer = client.get(NEAR)

        assert (answer.status_code, answer.mimetype, answer.data) == (200, "image/png", png())
        assert answer.headers["Cache-Control"] == "public, max-age=604800"
        assert [path for path, _ in configured.asked] == ["/12/1531/2322.png"]

    def test_tells_the_map_server_nothing_of_who_asks(self, configured, client):
        client.get(
            NEAR, headers={"User-Agent": "Um telefone", "Referer": "http://x/y", "Cookie": "lang=pt-BR"}
        )
        [(_, headers)] = configured.asked

        assert headers["User-Agent"] == "Embarque-Legal"
        assert not {"Referer", "Cookie", "X-Forwarded-For"} & headers.keys()

    def test_is_fetched_once_for_everybody(self, configured, client):
        client.get(NEAR)
        client.get(NEAR)

        assert len(configured.asked) == 1

    @pytest.mark.parametrize(
        "address",
        [
            f"/{TOWN}/mapa/12/0/0",
            f"/{TOWN}/mapa/8/95/145",
            f"/{TOWN}/mapa/19/196000/297000",
            f"/{TOWN}/mapa/12/999999999999/2322",
            f"/{TOWN}/mapa/12/-1/2322",
            f"/{TOWN}/mapa/12/1531/../../etc",
            "/chapada-dos-guimaraes-mt/mapa/12/1531/2322",
        ],
    )
    def test_from_elsewhere_is_not_fetched(self, configured, client, address):
        assert client.get(address).status_code == 404
        assert configured.asked == []

    @pytest.mark.parametrize(
        "answer",
        [
            (500, "image/png", b""),
            (302, "image/png", b""),
            (200, "image/png", b"<html>not a map</html>"),
            (200, "image/png", b"\x89PNG\r\n\x1a\n" + bytes(400_000)),
        ],
        ids=["fault", "sent elsewhere", "a page", "too large"],
    )
    def test_that_is_none_is_empty_ground_and_not_kept(self, configured, client, answer):
        configured.answer = answer
        told = client.get(NEAR)

        assert told.status_code == 404
        assert told.headers["Cache-Control"] == "no-store"
        configured.answer = (200, "image/png", png())
        assert client.get(NEAR).status_code == 200

    def test_of_a_server_that_is_gone_is_empty_ground(self, configured, client):
        configured.shutdown()
        configured.server_close()

        assert client.get(NEAR).status_code == 404


class TestATownWithoutTiles:
    def test_has_none(self, client):
        assert client.get(NEAR).status_code == 404


class TestTheShelf:
    def test_the_tile_not_asked_for_longest_gives_way(self):
        shelf = Shelf(2)
        shelf.put("a", (b"a", "image/png"))
        shelf.put("b", (b"b", "image/png"))
        shelf.get("a")
        shelf.put("c", (b"c", "image/png"))

        assert [bool(shelf.get(one)) for one in "abc"] == [True, False, True]
