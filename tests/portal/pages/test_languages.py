import pytest


def language(response):
    return response.headers["Content-Language"]


class TestWhichLanguageAPageSpeaks:
    def test_the_address_comes_first(self, client):
        client.set_cookie("lang", "es")

        response = client.get("/sobre?lang=en", headers={"Accept-Language": "pt-BR"})

        assert language(response) == "en"
        assert '<html lang="en">' in response.text

    def test_then_what_was_chosen_before(self, client):
        client.get("/sobre?lang=es")

        assert language(client.get("/sobre", headers={"Accept-Language": "en"})) == "es"

    def test_then_what_the_browser_accepts(self, client):
        assert language(client.get("/sobre", headers={"Accept-Language": "fr, en;q=0.8"})) == "en"

    @pytest.mark.parametrize("tag", ["pt", "pt-PT", "pt-BR"])
    def test_every_portuguese_is_portuguese(self, client, tag):
        assert language(client.get("/sobre", headers={"Accept-Language": tag})) == "pt-BR"

    def test_a_language_we_do_not_speak_falls_back_to_portuguese(self, client):
        assert language(client.get("/sobre", headers={"Accept-Language": "fr"})) == "pt-BR"

    def test_an_unknown_choice_changes_nothing_and_is_not_remembered(self, client):
        response = client.get("/sobre?lang=xx", headers={"Accept-Language": "en"})

        assert language(response) == "en"
        assert "Set-Cookie" not in response.headers


class TestSwitching:
    def test_one_tap_keeps_the_address_and_the_query(self, client):
        page = client.get("/sobre?q=BRA2E19&on=2026-11-30").text

        assert 'href="/sobre?q=BRA2E19&amp;on=2026-11-30&amp;lang=es" lang="es"' in page

    def test_an_explicit_language_stays_in_every_link(self, client):
        page = client.get("/sobre?lang=en").text

        assert 'href="/acompanhar?lang=en"' in page
        assert 'href="/caraguatatuba-sp/?lang=en"' in page

    def test_and_in_the_search_box(self, client):
        assert '<input type="hidden" name="lang" value="en">' in client.get("/?lang=en").text
        assert 'name="lang"' not in client.get("/").text


class TestWhatSearchEnginesAreTold:
    def test_the_page_names_its_other_languages_and_the_one_for_everybody_else(self, client):
        page = client.get("/caraguatatuba-sp/pontos?perto=Centro").text

        for tag in ("pt-BR", "en", "es"):
            assert f'hreflang="{tag}" href="http://127.0.0.1:8000/caraguatatuba-sp/pontos?lang={tag}"' in page
        assert 'hreflang="x-default" href="http://127.0.0.1:8000/caraguatatuba-sp/pontos">' in page

    @pytest.mark.parametrize(
        ("query", "own"), [("", ""), ("?lang=en", "?lang=en"), ("?lang=pt", "?lang=pt-BR")]
    )
    def test_a_page_is_itself_in_the_language_of_its_address(self, client, query, own):
        page = client.get(f"/sobre{query}").text

        assert f'<link rel="canonical" href="http://127.0.0.1:8000/sobre{own}">' in page

    @pytest.mark.parametrize(
        "path", ["/verificar?q=BRA2E19", "/caraguatatuba-sp/manifestacoes/nova", "/nada"]
    )
    def test_what_they_may_not_show_names_none(self, client, path):
        page = client.get(path).text

        assert 'rel="canonical"' not in page
        assert 'rel="alternate"' not in page
