from datetime import date

import pytest

import portal.config
from portal.services.demonstration import Case, Subject, keep_cases
from portal.services.unit_of_work import unit_of_work
from portal.web import create_app

CASES = [
    Case(Subject.VEHICLE, "expired", "caraguatatuba-sp", query="ZZF6A61", status="expired"),
    Case(
        Subject.COMPLAINT, "overdue", "caraguatatuba-sp", protocol="7K3M-9QXT-4B2C", access_key="a b c d e f"
    ),
    Case(Subject.STAFF, "clerk", "caraguatatuba-sp", login="cadastro", password="demonstracao"),
]


@pytest.fixture
def demonstration(environment, monkeypatch):
    monkeypatch.setenv("DEMONSTRATION", "true")
    portal.config.settings.cache_clear()


class TestCases:
    def test_each_has_its_link_and_what_to_write_to_the_bot(self, demonstration, client):
        with unit_of_work(writes=True) as session:
            keep_cases(session, CASES, loaded_on=date(2026, 11, 30))

        page = client.get("/demonstracao").text

        assert "/caraguatatuba-sp/verificar?q=ZZF6A61" in page
        assert "/verificar ZZF6A61" in page
        assert "/acompanhar 7K3M-9QXT-4B2C a b c d e f" in page
        assert "cadastro" in page

    def test_there_is_no_such_page_on_a_real_portal(self, client):
        assert client.get("/demonstracao").status_code == 404


class TestTheBand:
    def test_a_demonstration_says_so_on_every_page(self, demonstration, database):
        client = create_app().test_client()

        for path in ("/", "/caraguatatuba-sp/", "/sobre", "/nada"):
            assert "Demonstração" in client.get(path).text

    def test_a_real_site_does_not(self, client):
        assert "Demonstração" not in client.get("/").text
