"""A town that no line of code knows works on every surface."""

import json
from datetime import UTC, date, datetime

import pytest
from click.testing import CliRunner

from portal import clock
from portal.cli import main
from portal.domain.permits import EventKind
from portal.services.unit_of_work import unit_of_work
from tests.factories.made_up import LAW, SLUG, only_exemplo
from tests.factories.permits import happened, put_list, put_permit

NOW = datetime(2030, 6, 2, 3, 0, tzinfo=UTC)  # 1 June there, 2 June in Brasília


@pytest.fixture(autouse=True)
def exemplo(monkeypatch, database):
    monkeypatch.setattr(clock, "now", lambda: NOW)
    with only_exemplo():
        with unit_of_work(writes=True) as session:
            put_list(session, SLUG, as_of=date(2030, 6, 1))
            told = {"permit_type": "wagon", "year": None}
            put_permit(session, SLUG, plate="BRA2E19", number="1", issued=date(2030, 4, 10), **told)
            put_permit(
                session,
                SLUG,
                plate="BRA3E19",
                number="2",
                issued=date(2030, 4, 10),
                also=(happened(EventKind.SUSPENSION, date(2030, 5, 1), date(2030, 5, 10)),),
                **told,
            )
        yield


def run(*words):
    answer = CliRunner().invoke(main, [*words, "--json"])
    assert answer.exit_code == 0, answer.output
    return json.loads(answer.output)


class TestVerdicts:
    def test_the_term_with_its_grace_and_the_day_of_its_own_zone(self, client):
        body = client.get(f"/api/v1/{SLUG}/verify?q=BRA2E19").get_json()

        assert body["on"] == "2030-06-01"
        assert body["status"] == "authorized"
        assert body["permits"][0]["valid_until"] == "2031-10-15"

    def test_a_suspension_that_only_a_course_ends(self, client):
        assert client.get(f"/api/v1/{SLUG}/verify?q=BRA3E19").get_json()["status"] == "suspended"

    def test_page_and_command_line_agree(self, client):
        page = client.get(f"/{SLUG}/verificar?q=BRA2E19").text

        assert "Há um sino." in page
        assert run("verify", SLUG, "BRA2E19")["status"] == "authorized"


class TestTheLaw:
    def test_at_the_command_line(self):
        fine = run("rules", "fine", LAW, "a 1", "--repeat")

        assert (fine["penalties"][0]["amount"], fine["penalties"][0]["unit"]) == (22.5, "UFEX")
        assert run("rules", "authority", LAW, "inspection")["name"] == "Guarda de Exemplo"
        assert run("rules", "validity", LAW, "wagon", "--issued", "2030-04-10")["valid_until"] == "2031-10-15"
        assert (
            run("rules", "deadline", LAW, "answer_to_bell", "--from", "2030-06-03")["until"] == "2030-06-06"
        )
        assert run("rules", "vehicle-age", LAW, "wagon", "--year", "2027")["allowed"] is True
        assert run("rules", "vehicle-age", LAW, "wagon", "--year", "2026")["allowed"] is False

    def test_its_own_target_is_labelled_as_its_own(self, client):
        told = run("rules", "category", LAW, "crash")

        assert told["procedures"][0]["target_hours"] == 6
        assert "Meta da própria prefeitura" in client.get(f"/{SLUG}/direitos/recreativo").text

    @pytest.mark.parametrize(
        ("language", "sentence"),
        [("pt-BR", "Há um sino."), ("en", "There is a bell."), ("es", "Hay una campana.")],
    )
    def test_on_its_rights_page(self, client, language, sentence):
        page = client.get(f"/{SLUG}/direitos/recreativo?lang={language}").text

        assert sentence in page
        assert "Andar sem sino" in page
        assert 'id="A-01"' in page

    def test_past_its_known_text(self, client):
        assert "30/06/2031" in client.get(f"/{SLUG}/direitos/recreativo?on=2031-07-01&lang=pt-BR").text


class TestTheRest:
    @pytest.mark.parametrize(
        "path", ["/", f"/{SLUG}/", f"/{SLUG}/itinerarios", f"/{SLUG}/pontos", f"/{SLUG}/manifestacoes/nova"]
    )
    def test_has_its_page(self, client, path):
        answer = client.get(path, follow_redirects=True)

        assert answer.status_code == 200
        assert "Exemplo" in answer.text
