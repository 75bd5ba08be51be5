from datetime import UTC, datetime
from pathlib import Path

import pytest

from portal import clock
from portal.config import settings
from portal.domain.permits import Status
from portal.regulations import catalogue
from portal.web import create_app

TOWNS = Path(__file__).parents[3] / "factories" / "towns"


@pytest.mark.parametrize("path", ["/sobre", "/privacidade", "/acessibilidade"])
def test_says_it_on_a_page_of_its_own(client, path):
    assert client.get(path).status_code == 200


class TestThePrivacyOfATown:
    @pytest.mark.parametrize(
        ("lang", "said"), [("pt-BR", "Apagamos o relato"), ("en", "We erase"), ("es", "Borramos")]
    )
    def test_is_told_from_its_own_file(self, client, lang, said, monkeypatch):
        monkeypatch.setattr(clock, "now", lambda: datetime(2031, 5, 1, 12, 0, tzinfo=UTC))
        with catalogue.reading_from(catalogue.DATA, TOWNS):
            page = client.get(f"/exemplo-ac/privacidade?lang={lang}").text

        assert said in page
        assert "Tabela de Temporalidade, Portaria nº 5/2030, item 3.2" in page
        assert "dados@exemplo.example" in page
        assert "Lei nº 9/2030, art. 4" in page

    def test_says_so_where_no_retention_table_and_no_officer_are_known(self, client):
        page = client.get("/caraguatatuba-sp/privacidade").text

        assert "nenhuma manifestação é eliminada" in page
        assert "não consta dos textos que conhecemos" in page
        assert "Lei 13.608/2018, art. 4º-B" in page

    def test_an_unknown_town_has_none(self, client):
        assert client.get("/atlantida-xx/privacidade").status_code == 404


class TestTheComponents:
    def test_are_shown_in_every_state_to_a_developer(self, database):
        given = settings().model_copy(update={"development": True})

        page = create_app(given).test_client().get("/_components").text

        assert all(f"verdict--{status}" in page for status in Status)

    def test_and_to_nobody_else(self, client):
        assert client.get("/_components").status_code == 404
