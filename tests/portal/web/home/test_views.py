import pytest


class TestTheFrontDoor:
    def test_asks_for_one_thing_and_searches_every_town(self, client):
        page = client.get("/").text

        assert 'action="/verificar"' in page
        assert page.count('name="q"') == 1

    def test_has_a_door_of_its_own_for_transport_without_authorisation(self, client):
        assert 'href="/denunciar"' in client.get("/").text
        assert "what=unauthorised_transport" in client.get("/denunciar").text

    def test_lists_the_towns_the_last_one_visited_first(self, client):
        client.get("/santa-rita-pb/")

        page = client.get("/").text

        assert page.index("/santa-rita-pb/") < page.index("/caraguatatuba-sp/")
        assert page.count('href="/santa-rita-pb/"') == 1


class TestATownsDoor:
    def test_searches_that_town(self, client):
        page = client.get("/caraguatatuba-sp/").text

        assert 'action="/caraguatatuba-sp/verificar"' in page
        assert "Transporte recreativo" in page

    def test_says_what_the_law_says_and_cites_it(self, client):
        page = client.get("/caraguatatuba-sp/").text

        assert "Decreto de 22 de setembro de 2025" in page

    def test_speaks_of_its_services_in_the_language_of_the_person(self, client):
        assert "Regulates recreational passenger transport" in client.get("/caraguatatuba-sp/?lang=en").text


@pytest.mark.parametrize("path", ["/ouvidoria", "/itinerarios"])
def test_what_needs_a_town_asks_for_it(client, path):
    page = client.get(path).text

    assert page.count('class="door"') == 4


def test_look_ups_and_cases_stay_out_of_search_engines(client):
    assert "Disallow: /*/manifestacoes/" in client.get("/robots.txt").text
