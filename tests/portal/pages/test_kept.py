"""Parts that are rendered once say what they would say if they were rendered anew."""

import re

import pytest
from flask import Response, render_template_string

from portal.pages.vary import vary_on
from portal.regulations import catalogue

PART = '{% call kept_part("part", town) %}{{ count() }} {{ _("Voltar") }}{% endcall %}'


@pytest.fixture
def shown(app):
    """Renders the part for a town and a language, and tells how often it was rendered so far."""
    times = iter(range(1, 100))

    def show(town: str, lang: str = "") -> str:
        with app.test_request_context(f"/?lang={lang}" if lang else "/"):
            return render_template_string(PART, town=town, count=lambda: next(times))

    return show


class TestAKeptPart:
    def test_is_rendered_once(self, shown):
        assert shown("one") == shown("one") == "1 Voltar"

    def test_is_another_for_another_key(self, shown):
        assert (shown("one"), shown("two")) == ("1 Voltar", "2 Voltar")

    def test_is_another_in_another_language(self, shown):
        assert shown("one") == "1 Voltar"
        assert shown("one", lang="es") == "2 Volver"

    def test_is_another_under_another_law(self, shown):
        shown("one")
        with catalogue.reading_from(catalogue.DATA):
            assert shown("one").startswith("2 ")

    def test_follows_its_template_while_somebody_works_on_it(self, app, shown):
        app.debug = True

        assert (shown("one"), shown("one")) == ("1 Voltar", "2 Voltar")


class TestTheFrameOfAPage:
    def test_holds_nothing_of_the_last_look_up(self, client):
        first = client.get("/caraguatatuba-sp/verificar?q=BRA2E19&on=2026-01-02").text
        second = client.get("/caraguatatuba-sp/verificar?q=BRA1A23").text

        assert "BRA2E19" in first
        assert "BRA2E19" not in second
        assert "2026-01-02" not in second

    def test_says_what_the_whole_page_says(self, client, app):
        address = "/caraguatatuba-sp/verificar?q=BRA2E19&lang=en"
        client.get("/caraguatatuba-sp/verificar?q=BRA1A23&lang=en")
        kept = client.get(address).text
        app.debug = True

        assert _without_time(client.get(address).text) == _without_time(kept)

    def test_is_another_in_another_town_and_language(self, client):
        for address, said in (
            ("/caraguatatuba-sp/verificar?q=BRA2E19", "Caraguatatuba"),
            ("/verificar?q=BRA2E19", "Este transporte"),
            ("/caraguatatuba-sp/verificar?q=BRA2E19&lang=en", 'lang="en"'),
        ):
            assert said in client.get(address).text

    def test_escapes_what_was_typed_in_the_links_to_other_languages(self, client):
        page = client.get("/caraguatatuba-sp/verificar?q=%22%3E%3Cscript%3E").text

        assert "<script>" not in page
        assert "q=%22%3E%3Cscript%3E&amp;lang=es" in page


def _without_time(page: str) -> str:
    return re.sub(r"\d\d:\d\d", "", page)


class TestWhatAnAnswerDependsOn:
    def test_is_told_once_each(self):
        response = Response()
        vary_on(response, "Cookie", "HX-Request")
        vary_on(response, "cookie", "Accept-Language")

        assert response.headers.getlist("Vary") == ["Cookie, HX-Request, Accept-Language"]
