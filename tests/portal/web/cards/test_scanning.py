"""A code read from a photo, and from what the camera of a browser saw."""

import io
from datetime import UTC, datetime

import pytest
import segno
from PIL import Image

from portal import clock

NOW = datetime(2026, 11, 30, 15, 0, tzinfo=UTC)
HERE = "http://127.0.0.1:8000"


@pytest.fixture(autouse=True)
def _now(monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: NOW)


def photo(text: str) -> bytes:
    """The code askew on grey, as a telephone sees it."""
    drawn = io.BytesIO()
    segno.make_qr(text, error="m").save(drawn, kind="png", scale=8, border=4)
    picture = Image.new("RGB", (1600, 1200), (120, 118, 110))
    picture.paste(
        Image.open(drawn).convert("RGB").rotate(7, expand=True, fillcolor=(120, 118, 110)), (300, 150)
    )
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=70)
    return out.getvalue()


def sent(client, data: bytes):
    return client.post(
        "/ler", data={"photo": (io.BytesIO(data), "foto.jpg")}, content_type="multipart/form-data"
    )


class TestAPhoto:
    def test_of_a_card_leads_to_it(self, client):
        token = "A" * 129
        answer = sent(client, photo(f"HTTP://127.0.0.1:8000/V/{token}"))

        assert (answer.status_code, answer.headers["Location"]) == (303, f"/v/{token}")

    def test_without_a_code_is_said_to_have_none(self, client):
        blank = io.BytesIO()
        Image.new("RGB", (800, 600), "white").save(blank, "JPEG")
        for data in (blank.getvalue(), b"", b"not a picture at all"):
            answer = sent(client, data)
            assert answer.status_code == 422
            assert 'name="photo"' in answer.text

    def test_of_a_code_that_leads_elsewhere_is_not_followed(self, client):
        answer = sent(client, photo("https://embarque.example/v/ABC"))

        assert answer.status_code == 422
        assert "embarque.example" in answer.text


class TestWhatACameraRead:
    @pytest.mark.parametrize(
        ("text", "where"),
        [
            (f"{HERE}/caraguatatuba-sp/pontos/matriz", "/caraguatatuba-sp/pontos/matriz"),
            (f"{HERE}//falso.example/x", "/falso.example/x"),
            ("placa BRA1D23", "/verificar?q=BRA1D23"),
        ],
    )
    def test_leads_to_the_page_of_this_portal(self, client, text, where):
        answer = client.get("/ler", query_string={"q": text})

        assert (answer.status_code, answer.headers["Location"]) == (303, where)

    @pytest.mark.parametrize(
        "text", ["https://falso.example/verificar?q=BRA1D23", f"{HERE}.falso.example/v/x"]
    )
    def test_never_to_another_address(self, client, text):
        answer = client.get("/ler", query_string={"q": text})

        assert answer.status_code == 422
        assert "Location" not in answer.headers


class TestTheButton:
    @pytest.mark.parametrize("page", ["/", "/caraguatatuba-sp/", "/verificar"])
    def test_stands_where_one_asks_about_a_vehicle(self, client, page):
        assert 'href="/ler"' in client.get(page).text

    def test_leads_to_a_form_that_works_without_a_script(self, client):
        told = client.get("/ler").text

        assert 'enctype="multipart/form-data"' in told
        assert 'capture="environment"' in told
        assert "hidden" in told.partition("data-scan=")[2][:40]
