from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

from portal import clock
from portal.cli import main
from portal.services.unit_of_work import unit_of_work
from tests.factories.permits import put_list, put_permit

TOWN = "caraguatatuba-sp"
NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)


@pytest.fixture(autouse=True)
def town(database, monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: NOW)
    with unit_of_work(writes=True) as session:
        put_list(session)
        put_permit(session, number="2026/0001", plate="BRA1A11")


def run(*arguments, code=0):
    result = CliRunner().invoke(main, ["permit", *arguments])
    assert result.exit_code == code, result.output
    return result.output


def test_what_is_recorded_is_shown_and_verified():
    told = run("record", TOWN, "2026/1", "suspension", "--on", "2026-11-20", "--until", "2026-11-25",
               "--act", "Portaria 7/2026", "--act-date", "2026-11-19")  # fmt: skip

    assert "Autorização suspensa" in told
    assert "Suspensão" in told
    assert "Portaria 7/2026" in told
    verified = CliRunner().invoke(main, ["verify", TOWN, "BRA1A11"])
    assert "suspensa" in verified.output


def test_an_event_is_also_called_as_registers_call_it():
    run("record", TOWN, "BRA1A11", "vistoria_reprovada", "--on", "30/11/2026", "--unit", "1")

    assert "Reprovado em vistoria" in run("show", TOWN, "2026/1")


def test_a_vehicle_is_changed():
    run(
        "record", TOWN, "2026/1", "vehicle_change", "--on", "2026-11-30", "--unit", "1", "--plate", "bra-7a77"
    )

    assert "BRA7A77" in run("show", TOWN, "2026/1")
    assert "BRA1A11" in run("show", TOWN, "2026/1", "--on", "2026-11-29")


def test_the_register_is_shown_as_it_was_known():
    run("record", TOWN, "2026/1", "revocation", "--on", "2026-11-20")

    assert "cassada" in run("show", TOWN, "2026/1", "--on", "2026-11-25")
    assert "cassada" not in run("show", TOWN, "2026/1", "--on", "2026-11-25", "--known-at", "2026-11-25")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("2026/77", "revocation", "--on", "2026-11-30"), "Não há autorização"),
        (("2026/1", "release", "--on", "2026-11-30"), "Não há suspensão"),
        (("2026/1", "revocation", "--on", "30 de nov"), "não é uma data"),
        (("2026/1", "vehicle_change", "--on", "2026-11-30", "--plate", "XX"), "não é uma placa"),
    ],
)
def test_what_cannot_be_is_said_in_words(arguments, words):
    assert words in run("record", TOWN, *arguments, code=1)


def test_an_unknown_town_is_said():
    assert "município" in run("show", "nowhere-xx", "2026/1", code=1)


class TestTypingOne:
    def test_it_is_shown_and_verified(self):
        told = run("create", TOWN, "2026/41", "--service", "recreativo", "--year", "2026", "--issued", "10/01/2026",
                   "--act", "Portaria 7/2026", "--vehicle", "BRA4A41,trator",
                   "--vehicle", "bra-4a42,reboque,20,2019")  # fmt: skip

        for words in ("2026/41", "Autorizado", "BRA4A42", "Portaria 7/2026", "Autorização criada"):
            assert words in told
        assert "Autorizado" in CliRunner().invoke(main, ["verify", TOWN, "BRA4A42"]).output

    def test_each_fault_is_said_with_its_column(self):
        result = CliRunner().invoke(
            main,
            [
                "permit",
                "create",
                TOWN,
                "x",
                "--service",
                "recreativo",
                "--issued",
                "31/02/2026",
                "--vehicle",
                "x",
            ],
        )

        assert result.exit_code == 1
        assert "Campo numero: “•••” não serve de número" in result.output

    def test_a_number_that_is_there_already(self):
        told = run("create", TOWN, "2026/0001", "--service", "recreativo", "--year", "2026",
                   "--vehicle", "BRA4A41", code=1)  # fmt: skip

        assert "já está no cadastro" in told
