from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from portal import clock
from portal.cli import main
from portal.regulations import catalogue
from portal.services.unit_of_work import unit_of_work
from portal.storage.complaints import ComplaintEventRow, find_by_protocol
from tests.factories.complaints import put_complaint

ENDED = datetime(2031, 3, 10, 15, 0, tzinfo=UTC)


@pytest.fixture
def protocol(database, monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: datetime(2040, 1, 2, 12, 0, tzinfo=UTC))
    with unit_of_work(writes=True) as session:
        row = put_complaint(session, municipality="exemplo-ac", status="closed", story="Um relato.")
        session.add(ComplaintEventRow(complaint_id=row.id, at=ENDED, status="closed", actor="time"))
        protocol = row.protocol
    with catalogue.reading_from(catalogue.DATA, Path(__file__).parents[2] / "factories" / "towns"):
        yield protocol


def story(protocol):
    with unit_of_work() as session:
        return find_by_protocol(session, protocol).story


def purge(*words):
    answer = CliRunner().invoke(main, ["purge", *words])
    assert answer.exit_code == 0, answer.output
    return answer.output


class TestPurging:
    def test_a_dry_run_says_what_it_would_erase(self, protocol):
        said = purge("--dry-run")

        assert "exemplo-ac: would erase 1, put off 0, kept 0" in said
        assert "Tabela de Temporalidade, Portaria nº 5/2030, item 3.2: 60 months" in said
        assert protocol in said
        assert story(protocol) == "Um relato."

    def test_then_it_is_erased(self, protocol):
        assert "exemplo-ac: erased 1" in purge("--municipality", "exemplo-ac")

        assert story(protocol) is None

    def test_it_is_off_for_a_town_that_cites_no_table(self, protocol):
        assert "caraguatatuba-sp: off, its file cites no retention table" in purge()
