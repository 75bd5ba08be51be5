import zipfile
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

from portal import clock
from portal.cli import main
from portal.services.itineraries.places import list_places
from portal.services.itineraries.showing import list_itineraries
from portal.services.unit_of_work import unit_of_work
from tests.factories.feeds import FEED, PLACES, TABLES, TOWN, folder_of, zip_of

NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)


@pytest.fixture
def run(database, monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: NOW)

    def running(*words):
        answer = CliRunner().invoke(main, ["import", *map(str, words), "--municipality", TOWN])
        return answer.exit_code, answer.output

    return running


def codes():
    with unit_of_work() as session:
        return [each.code for each in list_itineraries(session, TOWN, on=NOW.date()).itineraries]


def test_a_feed(run, tmp_path):
    status, said = run("gtfs", zip_of(tmp_path / "f.zip", FEED))

    assert (status, codes()) == (0, ["R1"])
    assert "Importado:" in said


def test_the_same_again(run, tmp_path):
    feed = zip_of(tmp_path / "f.zip", FEED)
    run("gtfs", feed)

    assert "nada mudou" in run("gtfs", feed)[1]


def test_a_dry_run(run, tmp_path):
    status, said = run("gtfs", zip_of(tmp_path / "f.zip", FEED), "--dry-run")

    assert (status, codes()) == (0, [])
    assert "nada foi gravado" in said


def test_a_broken_feed_is_refused_with_file_line_field_and_reason(run, tmp_path):
    broken = FEED | {"stop_times.txt": FEED["stop_times.txt"].replace("S3,3", "S9,3")}

    status, said = run("gtfs", folder_of(tmp_path / "f", broken))

    assert (status, codes()) == (1, [])
    assert "stop_times.txt, linha 4, campo stop_id: “S9” não existe na outra tabela." in said


def test_the_clerks_tables_and_places(run, tmp_path):
    assert run("itineraries", folder_of(tmp_path / "mesa", TABLES), "--service", "recreativo")[0] == 0
    assert run("places", folder_of(tmp_path / "lugares", {"lugares.csv": PLACES}) / "lugares.csv")[0] == 0

    assert codes() == ["orla"]
    with unit_of_work() as session:
        assert [place.name for place in list_places(session, TOWN)] == ["Centro", "Massaguaçu"]


def test_the_intercity_lines_of_the_state(run, shared):
    assert run("lines", shared / "data/linhas/pontos_dos_autos.csv")[0] == 0

    assert "8300-A" in codes()


def test_a_town_that_is_not_served(database, tmp_path):
    feed = zip_of(tmp_path / "f.zip", FEED)

    answer = CliRunner().invoke(main, ["import", "gtfs", str(feed), "--municipality", "nenhures-sp"])

    assert answer.exit_code == 1
    assert "Não atendemos nenhum município chamado “nenhures-sp”." in answer.output


def test_what_was_imported_is_exported(run, tmp_path):
    run("gtfs", zip_of(tmp_path / "f.zip", FEED))
    to = tmp_path / "out.zip"

    answer = CliRunner().invoke(main, ["export", "gtfs", str(to), "--municipality", TOWN])

    assert answer.exit_code == 0, answer.output
    assert "itinerários 1, pontos 3, viagens 3" in answer.output
    with zipfile.ZipFile(to) as archive:
        assert "R1" in archive.read("routes.txt").decode()


def test_nothing_to_export(run, tmp_path):
    answer = CliRunner().invoke(main, ["export", "gtfs", str(tmp_path / "out.zip"), "--municipality", TOWN])

    assert answer.exit_code == 1
    assert list(tmp_path.glob("out*")) == []
