"""The clerk's forms of stops, itineraries and departures. ``caio`` keeps them, ``ana`` reads, ``davi`` does neither."""

import pytest

MATRIZ = {"codigo": "matriz", "nome": "Praça da Matriz", "latitude": "-23,62", "longitude": "-45,41"}


@pytest.fixture
def caio(sign_in):
    return sign_in("caio")


class TestTheForms:
    def test_a_stop_is_created_and_changed(self, caio):
        made = caio.post("/mesa/itinerarios/pontos/nova", data=MATRIZ)
        assert made.status_code == 303

        page = caio.get(made.location).text
        assert "Praça da Matriz" in page
        assert "Criado por Caio" in page
        caio.post(made.location, data=MATRIZ | {"nome": "Praça Nova"})

        assert "Nome: Praça da Matriz, agora Praça Nova" in caio.get(made.location).text
        assert "Praça Nova" in caio.get("/mesa/itinerarios/pontos").text

    def test_what_is_refused_comes_back_filled_beside_its_box(self, caio):
        answer = caio.post("/mesa/itinerarios/pontos/nova", data=MATRIZ | {"latitude": "23,62"})

        assert answer.status_code == 422
        assert 'id="latitude-error"' in answer.text
        assert "falta o sinal de menos" in answer.text
        assert 'value="Praça da Matriz"' in answer.text

    def test_an_end_is_recorded(self, caio):
        made = caio.post("/mesa/itinerarios/pontos/nova", data=MATRIZ)

        assert caio.post(f"{made.location}/fim", data={"ultimo_dia": "nunca"}).status_code == 422
        assert caio.post(f"{made.location}/fim", data={"ultimo_dia": "2030-03-01"}).status_code == 303
        assert "Terminou em" in caio.get("/mesa/itinerarios/pontos").text

    @pytest.mark.parametrize("table", ["", "pontos", "partidas", "itinerarios/nova", "partidas/nova"])
    def test_every_page_opens_on_an_empty_town(self, caio, table):
        assert caio.get(f"/mesa/itinerarios/{table}").status_code == 200


class TestWhoMay:
    def test_the_ombudsman_reads_without_buttons(self, ana):
        page = ana.get("/mesa/itinerarios/pontos")

        assert page.status_code == 200
        assert "Novo ponto" not in page.text
        assert ana.post("/mesa/itinerarios/pontos/nova", data=MATRIZ).status_code == 403

    def test_the_inspector_does_not_enter(self, sign_in):
        assert sign_in("davi").get("/mesa/itinerarios/").status_code == 403

    def test_nobody_enters_without_signing_in(self, desk):
        assert desk.test_client().get("/mesa/itinerarios/").status_code in (302, 303)
