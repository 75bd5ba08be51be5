import json
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

from portal import clock
from portal.cli import main
from portal.services.unit_of_work import unit_of_work
from tests.factories.permits import put_list, put_permit


@pytest.fixture
def run(database, monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 30, 15, tzinfo=UTC))
    with unit_of_work(writes=True) as session:
        put_list(session)
        put_permit(session, plate="BRA2E19", number="2026/0001")
    return lambda *words: CliRunner().invoke(main, ["verify", *words])


class TestVerifyingAtTheCommandLine:
    def test_the_sentence_comes_with_its_reasons_and_list(self, run):
        answer = run("caraguatatuba-sp", "bra-2e19")

        assert answer.exit_code == 0
        assert answer.output.startswith("Autorizado · Caraguatatuba")
        assert "art. 8º" in answer.output
        assert "28/11/2026" in answer.output

    def test_json_is_that_of_the_address(self, run, client):
        said = json.loads(run("caraguatatuba-sp", "BRA2E19", "--on", "2026-11-30", "--json").output)
        served = client.get("/api/v1/caraguatatuba-sp/verify?q=BRA2E19&on=2026-11-30").get_json()

        assert said == served

    def test_every_town_answers_as_a_list(self, run):
        assert len(json.loads(run("todos", "BRA2E19", "--json").output)) == 4

    def test_another_day_may_be_long_ago(self, run):
        answer = run("caraguatatuba-sp", "BRA2E19", "--on", "2020-01-01")

        assert answer.exit_code == 0
        assert "Sem norma em vigor" in answer.output

    @pytest.mark.parametrize(
        "words",
        [
            ("caraguatatuba-sp", "ABC123"),
            ("nada-xx", "BRA2E19"),
            ("caraguatatuba-sp", "BRA2E19", "--on", "x"),
        ],
    )
    def test_what_goes_wrong_is_said_in_words(self, run, words):
        answer = run(*words)

        assert answer.exit_code == 1
        assert answer.output.startswith("Error: ")
        assert "error" in json.loads(run(*words, "--json").output)
