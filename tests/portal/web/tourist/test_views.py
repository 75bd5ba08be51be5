import re

import pytest

from portal.services.unit_of_work import unit_of_work
from tests.factories.feeds import bring_in_orla
from tests.factories.permits import put_list, put_permit

TOWN = "/caraguatatuba-sp"
CARD = f"{TOWN}/mostrar?q=BRA2E19"


@pytest.fixture(autouse=True)
def filled(database, tmp_path):
    with unit_of_work(writes=True) as session:
        put_list(session)
        put_permit(session, plate="BRA2E19", itinerary="orla")
        bring_in_orla(session, tmp_path / "orla")


def headline(page):
    return re.sub(r"<[^>]+>", "", page.split("<h1", 1)[1].split(">", 1)[1].split("</h1>")[0]).strip()


class TestACardAboutAVehicle:
    def test_says_one_sentence_in_portuguese_whatever_the_person_reads(self, client):
        page = client.get(f"{CARD}&lang=en").text

        assert headline(page) == "Mostre a autorização da prefeitura, por favor."
        assert '<html lang="en">' in page
        assert '<div class="show" lang="pt-BR">' in page

    def test_leads_to_no_foot_of_the_page_as_it_has_none(self, client):
        assert "#footer" not in client.get(CARD).text
        assert 'id="footer"' in client.get(TOWN + "/").text

    def test_has_the_plate_on_it(self, client):
        assert "placa B R A 2 E 1 9" in client.get(CARD).text

    def test_translates_for_who_does_not_read_it_and_for_nobody_else(self, client):
        assert "show__translation" in client.get(f"{CARD}&lang=es").text
        assert "show__translation" not in client.get(f"{CARD}&lang=pt-BR").text

    def test_tells_an_officer_the_verdict_word_for_word(self, client):
        page = client.get(f"{TOWN}/mostrar?q=ZZX0A00&frase=agente&lang=en").text

        assert "Não encontramos a placa ZZX0A00 nas autorizações de Caraguatatuba" in page
        assert "Isso, sozinho, não prova que falte autorização." in page

    def test_leads_back_and_to_the_other_sentences(self, client):
        page = client.get(f"{CARD}&lang=en").text

        assert f'href="{TOWN}/verificar?q=BRA2E19&amp;lang=en"' in page
        assert f'href="{TOWN}/mostrar?frase=preco&amp;q=BRA2E19&amp;lang=en"' in page

    def test_loads_nothing_that_a_sentence_does_not_need(self, client):
        assert "<form" not in client.get(CARD).text

    def test_of_what_is_no_vehicle_is_refused_in_words(self, client):
        assert client.get(f"{TOWN}/mostrar?q=X").status_code == 422


class TestACardAtAStop:
    def test_asks_whether_the_vehicle_leaves_from_there(self, client):
        page = client.get(f"{TOWN}/pontos/matriz/mostrar?lang=es").text

        assert headline(page) == "Este veículo sai deste ponto?"
        assert 'class="show__subject"' in page

    def test_of_no_stop_is_not_found(self, client):
        assert client.get(f"{TOWN}/pontos/nada/mostrar").status_code == 404


class TestTheWayToTheCards:
    @pytest.mark.parametrize("page", [f"{TOWN}/verificar?q=BRA2E19", f"{TOWN}/pontos/matriz?"])
    def test_stands_where_somebody_reads_another_language(self, client, page):
        assert "/mostrar" in client.get(f"{page}&lang=en").text
        assert "/mostrar" not in client.get(f"{page}&lang=pt-BR").text
