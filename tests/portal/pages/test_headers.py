import gzip

import pytest
from flask import Flask, render_template_string
from pydantic import SecretStr
from structlog.testing import capture_logs

from portal.config import settings
from portal.pages.headers import from_this_site
from portal.web import create_app

KEYS = {
    "secret_key": SecretStr("Zk3vQ9xT7mW1pL5rN8sB2dF6hJ4gC0yU-1"),
    "access_key_pepper": SecretStr("Zk3vQ9xT7mW1pL5rN8sB2dF6hJ4gC0yU-2"),
}
"""Such as a site that people reach has: it does not start with those of the other tests."""


@pytest.fixture
def app(app: Flask) -> Flask:
    """With a form on it, as other subjects have them."""

    @app.get("/form")
    @app.get("/acompanhar/form")
    def form() -> str:
        return render_template_string(
            '{% extends "base.html" %}{% block content %}{{ csrf_token() }}{% endblock %}'
        )

    return app


class TestWhatABrowserMayDo:
    def test_a_page_loads_from_this_site_alone(self, client):
        headers = client.get("/").headers

        assert "default-src 'self'" in headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "geolocation=(self)" in headers["Permissions-Policy"]
        assert "microphone=()" in headers["Permissions-Policy"]

    def test_errors_say_so_too(self, client):
        assert "default-src 'self'" in client.get("/nada").headers["Content-Security-Policy"]


class TestWhatACacheMayKeep:
    def test_an_answer_in_a_language_of_its_address_may_be_shared(self, client):
        client.set_cookie("lang", "en")

        response = client.get("/sobre?lang=en")

        assert response.headers["Cache-Control"] == "public, max-age=60"
        assert "cookie" not in response.headers["Vary"].lower()

    def test_and_is_not_sent_again_to_who_has_it(self, client):
        client.set_cookie("lang", "en")
        had = client.get("/sobre?lang=en")

        again = client.get("/sobre?lang=en", headers={"If-None-Match": had.headers["ETag"]})

        assert again.status_code == 304
        assert again.data == b""
        assert again.headers["Cache-Control"] == "public, max-age=60"
        assert "Content-Security-Policy" in again.headers
        assert had.headers["ETag"].startswith("W/")

    def test_nobody_is_spared_an_answer_of_their_own(self, client):
        assert "ETag" not in client.get("/sobre").headers

    def test_not_while_it_sets_a_cookie(self, client):
        response = client.get("/sobre?lang=en")

        assert "Set-Cookie" in response.headers
        assert response.headers["Cache-Control"] == "private, no-cache"

    def test_not_when_the_language_was_guessed(self, client):
        response = client.get("/sobre")

        assert response.headers["Cache-Control"] == "private, no-cache"
        assert {"Accept-Language", "Cookie"} <= set(response.vary.as_set(preserve_casing=True))

    def test_not_with_a_form_on_it(self, client):
        client.set_cookie("lang", "en")

        assert client.get("/form?lang=en").headers["Cache-Control"] == "private, no-cache"

    def test_not_when_it_knows_the_last_town(self, client):
        client.set_cookie("lang", "en")

        assert client.get("/?lang=en").headers["Cache-Control"] == "private, no-cache"

    @pytest.mark.parametrize(
        "path", ["/acompanhar?lang=en", "/caraguatatuba-sp/manifestacoes/nova?lang=en", "/acompanhar/form"]
    )
    def test_a_case_is_never_stored(self, client, path):
        assert client.get(path).headers["Cache-Control"] == "no-store"


class TestCompression:
    def test_pages_travel_compressed(self, client):
        response = client.get("/sobre", headers={"Accept-Encoding": "gzip"})

        assert response.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in response.headers["Vary"]
        assert gzip.decompress(response.data).startswith(b"<!doctype html>")

    def test_not_to_a_browser_that_does_not_ask(self, client):
        assert "Content-Encoding" not in client.get("/sobre").headers

    @pytest.mark.parametrize("path", ["/form", "/acompanhar/form"])
    def test_not_beside_a_secret(self, client, path):
        assert "Content-Encoding" not in client.get(path, headers={"Accept-Encoding": "gzip"}).headers


class TestCookies:
    def test_are_secure_where_the_site_is(self, database):
        given = settings().model_copy(update={"public_url": "https://embarque.example", **KEYS})
        client = create_app(given).test_client()

        response = client.get("/sobre?lang=en", base_url="https://embarque.example")

        assert "Secure" in response.headers["Set-Cookie"]
        assert "HttpOnly" in response.headers["Set-Cookie"]
        assert "SameSite=Lax" in response.headers["Set-Cookie"]
        assert "max-age" in response.headers["Strict-Transport-Security"]

    def test_a_form_needs_its_token_and_no_referer(self, database):
        given = settings().model_copy(update={"public_url": "https://embarque.example", **KEYS})
        app = create_app(given)
        app.add_url_rule("/form", "form", lambda: render_template_string("{{ csrf_token() }}"))
        app.add_url_rule("/form", "sent", lambda: "kept", methods=["POST"])
        client = app.test_client()
        secure = {"base_url": "https://embarque.example"}
        token = client.get("/form", **secure).text

        assert client.post("/form", **secure).status_code == 400
        assert (
            client.post("/form", data={"csrf_token": token}, headers={"Origin": "null"}, **secure).text
            == "kept"
        )
        assert client.post("/form", headers={"X-CSRFToken": token}, **secure).text == "kept"


class TestAPostWithoutAToken:
    @pytest.fixture
    def client(self, database):
        app = create_app(settings())
        app.add_url_rule("/begin", "begin", from_this_site(lambda: "begun"), methods=["POST"])
        return app.test_client()

    def test_is_let_in_from_this_site_and_from_browsers_that_do_not_say(self, client):
        assert client.post("/begin", headers={"Sec-Fetch-Site": "same-origin"}).text == "begun"
        assert client.post("/begin").text == "begun"

    @pytest.mark.parametrize("where", ["cross-site", "same-site"])
    def test_is_refused_from_anywhere_else(self, client, where):
        assert client.post("/begin", headers={"Sec-Fetch-Site": where}).status_code == 400


class TestTheAccessLog:
    def test_drops_the_query(self, client):
        with capture_logs() as lines:
            client.get("/sobre?q=BRA2E19")

        assert [line["path"] for line in lines] == ["/sobre"]
        assert "BRA2E19" not in repr(lines)

    def test_says_nothing_of_a_case(self, client):
        with capture_logs() as lines:
            client.get("/acompanhar/form")
            client.get("/caraguatatuba-sp/manifestacoes/nova")

        assert lines == []

    def test_does_not_repeat_an_address_nobody_serves(self, client):
        with capture_logs() as lines:
            client.get("/BRA2E19")

        assert "BRA2E19" not in repr(lines)
