from html import unescape

import pytest
from flask import Flask, abort, request
from structlog.testing import capture_logs

from portal.config import settings
from portal.domain.errors import UnreadableDate
from portal.domain.evidence import LARGEST_UPLOAD
from portal.i18n import LANGUAGES, translator
from portal.pages.errors import http_sentence
from portal.pages.headers import MEGABYTE
from portal.web import create_app

PLATE = "BRA2E19"


@pytest.fixture
def app(app: Flask) -> Flask:
    @app.get("/date")
    @app.get("/api/v1/date")
    def date() -> str:
        raise UnreadableDate("31/02")

    @app.get("/breaks")
    @app.get("/acompanhar/breaks")
    def breaks() -> str:
        raise RuntimeError(f"the secret of {PLATE}")

    @app.post("/sends")
    def sends() -> str:
        return request.form.get("story", "")

    app.config["PROPAGATE_EXCEPTIONS"] = False
    return app


class TestAnError:
    def test_is_a_page_in_the_language_of_the_person(self, client):
        response = client.get("/date")

        assert response.status_code == 422
        assert "“31/02” não é uma data" in response.text
        assert "<h1>" in response.text

    def test_is_a_fragment_beside_what_was_typed(self, client):
        response = client.get("/date", headers={"HX-Request": "true"})

        assert response.status_code == 422
        assert response.headers["HX-Retarget"] == "#alert"
        assert "<html" not in response.text
        assert "“31/02” não é uma data" in response.text

    def test_is_json_for_a_machine(self, client):
        response = client.get("/api/v1/date")

        assert response.status_code == 422
        assert response.json == {
            "error": {
                "code": "unreadable_date",
                "message": "“31/02” não é uma data. Escreva como 2026-11-30.",
            }
        }

    @pytest.mark.parametrize("whole", ["HX-Boosted", "HX-History-Restore-Request"])
    def test_is_a_whole_page_for_a_link_that_htmx_follows_and_for_the_back_button(self, client, whole):
        response = client.get("/date", headers={"HX-Request": "true", whole: "true"})

        assert "<html" in response.text
        assert whole in response.vary


class TestPagesOfOurOwn:
    def test_an_unknown_town_names_those_served(self, client):
        response = client.get("/atlantida-sp/")

        assert response.status_code == 404
        assert "“atlantida-sp”" in response.text
        assert "São João da Boa Vista" in response.text

    def test_an_unknown_page_offers_the_box(self, client):
        response = client.get("/nada")

        assert response.status_code == 404
        assert 'name="q"' in response.text

    def test_an_unknown_address_of_the_api_is_json(self, client):
        assert client.get("/api/v1/nada").json["error"]["code"] == "not_found"

    def test_a_wrong_method_says_which_are_right(self, client):
        response = client.post("/sobre")

        assert response.status_code == 405
        assert "GET" in response.headers["Allow"]

    def test_too_much_text_is_told_with_the_limit(self, client):
        response = client.post("/sends", data={"story": "a" * 10_000_000})

        assert response.status_code == 413
        assert f"{LARGEST_UPLOAD // MEGABYTE} MB" in response.text

    def test_a_long_account_still_passes(self, client):
        assert client.post("/sends", data={"story": "a" * 4_001}).status_code == 200

    def test_a_redirect_is_no_error(self, client):
        response = client.get("/caraguatatuba-sp")

        assert response.status_code == 308
        assert response.headers["Location"].endswith("/caraguatatuba-sp/")


FRAMEWORK = [400, 403, 404, 405, 408, 413, 414, 415, 429, 500, 503]
"""What Flask, Werkzeug and Flask-WTF answer by themselves, each in English."""


class TestWhatAFrameworkRefuses:
    @pytest.fixture
    def app(self, app: Flask) -> Flask:
        @app.get("/refuses/<int:status>")
        @app.get("/api/v1/refuses/<int:status>")
        def refuses(status: int) -> str:
            abort(status)

        return app

    @pytest.mark.parametrize("status", FRAMEWORK)
    @pytest.mark.parametrize("tag", ["pt-BR", "en", "es"])
    def test_is_told_in_the_language_of_the_person_in_every_shape(self, client, status, tag):
        title, sentence = http_sentence(status, translator(tag.replace("-", "_")))
        address = f"/refuses/{status}?lang={tag}"

        page = client.get(address)
        fragment = client.get(address, headers={"HX-Request": "true"})
        machine = client.get(f"/api/v1{address}")

        assert {page.status_code, fragment.status_code, machine.status_code} == {status}
        assert f'<html lang="{tag}">' in page.text
        assert title in unescape(page.text)
        assert sentence in unescape(page.text)
        assert sentence in unescape(fragment.text)
        assert machine.json["error"]["message"] == sentence

    def test_has_words_of_its_own_in_each_language(self):
        told = [http_sentence(404, translator(language)) for language in LANGUAGES]
        assert len(set(told)) == len(LANGUAGES)

    @pytest.mark.parametrize(
        ("tag", "title"), [("en", "The form has expired"), ("es", "El formulario venció")]
    )
    def test_a_form_that_expired_too(self, client, app, tag, title):
        app.config["WTF_CSRF_ENABLED"] = True
        app.add_url_rule("/asks", "asks", lambda: "", methods=["POST"])

        assert title in client.post(f"/asks?lang={tag}").text


class TestAFault:
    def test_says_that_it_is_ours_and_nothing_else(self, client):
        with capture_logs() as lines:
            response = client.get("/breaks?q=BRA2E19")

        assert response.status_code == 500
        assert "Algo falhou do nosso lado" in response.text
        assert "secret" not in response.text
        assert {"event": "unhandled", "route": "/breaks"}.items() <= lines[0].items()

    def test_in_a_case_is_logged_without_its_address(self, client):
        with capture_logs() as lines:
            assert client.get("/acompanhar/breaks").status_code == 500

        assert [line["route"] for line in lines] == ["confidential"]
        assert "BRA2E19" not in repr(lines)


class TestAnExpiredForm:
    @pytest.fixture
    def client(self, database):
        app = create_app(settings())
        app.add_url_rule("/sends", "sends", lambda: request.form.get("story", ""), methods=["POST"])
        return app.test_client()

    def test_gives_back_what_was_written(self, client):
        response = client.post(
            "/sends",
            data={"story": "Parou fora do ponto", "password": "segredo"},
            headers={"Sec-Fetch-Site": "same-origin"},
        )

        assert response.status_code == 400
        assert "Parou fora do ponto" in response.text
        assert "segredo" not in response.text
        assert "Enviar de novo" in response.text

    def test_never_to_the_form_of_another_site(self, client):
        response = client.post(
            "/sends", data={"story": "Parou fora do ponto"}, headers={"Sec-Fetch-Site": "cross-site"}
        )

        assert response.status_code == 400
        assert "Parou fora do ponto" not in response.text
