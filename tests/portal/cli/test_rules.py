import json
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from portal import clock
from portal.cli import main

RECREATIONAL = "caraguatatuba-sp_transporte-recreativo_decreto-2025"
APPS = "caraguatatuba-sp_aplicativos_decreto-2020"
CHAPADA = "chapada-dos-guimaraes-mt_aplicativos_decreto-06-2026"
SANTA_RITA = "santa-rita-pb_transporte-turistico_projeto-de-lei-99-2023"
SAO_JOAO = "sao-joao-da-boa-vista-sp_aplicativos_lei-4508-2019"


@pytest.fixture(autouse=True)
def today(monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 30, 15, tzinfo=UTC))


def run(*words):
    return CliRunner().invoke(main, ["rules", *words])


def told(*words):
    answer = run(*words, "--json")
    assert answer.exit_code == 0, answer.output
    return json.loads(answer.output)


class TestEveryAnswer:
    @pytest.mark.parametrize(
        "words",
        [
            ("show", RECREATIONAL),
            ("infractions", RECREATIONAL),
            ("fine", RECREATIONAL, "II-05"),
            ("validity", RECREATIONAL, "recreational", "--issued", "2026-03-01", "--year", "2026"),
            ("authority", RECREATIONAL, "appeal"),
            ("vehicle-age", RECREATIONAL, "recreational", "--year", "1990"),
            ("deadline", RECREATIONAL, "defence"),
            ("requirement", RECREATIONAL, "permit_display"),
            ("category", RECREATIONAL, "outside_stop"),
            ("terms", RECREATIONAL),
        ],
        ids=lambda words: words[0],
    )
    def test_says_instrument_day_force_and_known_text(self, words):
        body = told(*words)

        assert body["instrument"] == RECREATIONAL
        assert body["in_force"] is True
        assert body["text_known"] == {"from": "2025-09-22", "until": None}
        assert body["on"] == ("2026-03-01" if words[0] == "validity" else "2026-11-30")
        assert run(*words).exit_code == 0

    @pytest.mark.parametrize(("on", "force"), [("2025-09-21", False), ("2025-09-22", True)])
    def test_a_decree_binds_from_its_first_day(self, on, force):
        assert told("authority", RECREATIONAL, "appeal", "--on", on)["in_force"] is force

    @pytest.mark.parametrize(
        ("on", "known"),
        [("2025-05-28", False), ("2025-05-29", True), ("2025-11-05", True), ("2025-11-06", False)],
    )
    def test_the_days_of_the_known_text_are_flagged_on_both_sides(self, on, known):
        body = told("infractions", SAO_JOAO, "--on", on)

        assert body["within_known_text"] is known
        assert body["in_force"] is True
        assert body["infractions"]

    @pytest.mark.parametrize("on", ["2019-01-01", "2026-11-30", "2040-01-01"])
    def test_a_bill_is_listed_at_every_date_and_binds_on_none(self, on):
        body = told("infractions", SANTA_RITA, "--on", on)

        assert body["bill"] is True
        assert body["in_force"] is False
        assert len(body["infractions"]) == 39
        assert not any(row["in_force"] for row in body["infractions"])
        assert "projeto de lei" in run("infractions", SANTA_RITA, "--on", on).output


class TestTheSchema:
    def test_show_follows_it(self):
        schema = json.loads(run("schema").output)

        for instrument in (RECREATIONAL, APPS, CHAPADA, SANTA_RITA, SAO_JOAO):
            Draft202012Validator(schema).validate(told("show", instrument, "--on", "2024-12-11"))


class TestInfractionsAndFines:
    def test_a_row_has_its_printed_code_penalties_and_repetition(self):
        row = next(one for one in told("infractions", APPS)["infractions"] if one["code"] == "III-02")

        assert row == {
            "code": "III-02",
            "printed_code": "III- 02",
            "text": "Conduzir veículo em más condições de funcionamento, conservação ou de segurança",
            "group": "III",
            "severity": "medium",
            "penalties": [
                {
                    "kind": "fine",
                    "amount": 60,
                    "at_most": None,
                    "min": None,
                    "unit": "VRM",
                    "article": "art. 21, II",
                    "reading": None,
                }
            ],
            "repeat": {
                "penalties": [
                    {
                        "kind": "fine",
                        "amount": 120,
                        "at_most": None,
                        "min": None,
                        "unit": "VRM",
                        "article": "art. 22",
                        "reading": None,
                    }
                ],
                "counts": "same_infraction",
                "window_months": 6,
                "article": "art. 22",
                "reading": None,
            },
            "in_force": True,
            "in_force_from": "2020-07-17",
            "in_force_until": None,
            "article": "Anexo I, Grupo III",
            "duty_revoked": None,
            "reading": None,
        }

    @pytest.mark.parametrize(
        ("instrument", "typed", "code"),
        [
            (RECREATIONAL, "III – 01", "III-01"),
            (RECREATIONAL, "lll-01", "III-01"),
            (RECREATIONAL, "lll–02", "III-02"),
            (RECREATIONAL, "ii 5", "II-05"),
            (RECREATIONAL, "II05", "II-05"),
            (RECREATIONAL, "Grupo II, 05", "II-05"),
            (APPS, "I -01", "I-01"),
            (APPS, "III- 05", "III-05"),
            (SAO_JOAO, "II.01", "II-01"),
            (CHAPADA, "art. 29, III", "29-III"),
            (CHAPADA, "29iii", "29-III"),
            (CHAPADA, "30", "30"),
            (SANTA_RITA, "art. 35, I, b", "35-I-b"),
            (SANTA_RITA, "35 - I - B)", "35-I-b"),
        ],
    )
    def test_a_code_is_read_as_people_write_it(self, instrument, typed, code):
        assert told("fine", instrument, typed)["code"] == code

    def test_a_repetition_costs_what_the_text_says(self):
        first, again = told("fine", APPS, "II-01"), told("fine", APPS, "II-01", "--repeat")

        assert (first["repeated"], first["penalties"][0]["amount"]) == (False, 40)
        assert (again["repeated"], again["penalties"][0]["amount"]) == (True, 80)

    def test_a_repetition_says_within_which_window_or_that_the_text_says_nothing(self):
        assert "De novo em até 6 meses" in run("fine", APPS, "II-01", "--repeat").output
        assert "nada diz da repetição" in run("fine", RECREATIONAL, "I-01", "--repeat").output

    @pytest.mark.parametrize(
        ("instrument", "code", "on", "readings"),
        [
            (SAO_JOAO, "II-02", "2024-05-01", ["corrigidos todo ano", "O que conta como reincidência"]),
            (SAO_JOAO, "II-02", "2024-05-02", ["O que é a UFS?", "O que conta como reincidência"]),
            (APPS, "III-05", "2026-01-10", ["sem o código", "Nenhum artigo liga um grupo a uma natureza"]),
        ],
    )
    def test_every_reading_that_the_amount_rests_on_is_told(self, instrument, code, on, readings):
        said = run("fine", instrument, code, "--on", on).output

        assert [words for words in readings if words not in said] == []

    @pytest.mark.parametrize(("on", "force", "fines"), [("2024-12-10", True, 1), ("2024-12-11", False, 0)])
    def test_a_repealed_row_costs_nothing_from_its_repeal_on(self, on, force, fines):
        body = told("fine", SAO_JOAO, "II-08", "--on", on)

        assert (body["in_force"], len(body["penalties"])) == (force, fines)
        assert body["in_force_until"] == "2024-12-10"


class TestWhatTheTextDoesNotSay:
    def test_a_term_that_another_text_has_is_answered_with_nothing(self):
        assert told("deadline", APPS, "defence")["until"] is None
        assert told("deadline", APPS, "defence")["reading"] == "defence_without_time"
        assert told("authority", SAO_JOAO, "notification", "--on", "2024-12-11")["name"] is None
        assert told("requirement", RECREATIONAL, "passenger_list")["words"] is None

    def test_a_vehicle_without_an_age_limit_is_neither_allowed_nor_refused(self):
        body = told("vehicle-age", RECREATIONAL, "recreational", "--year", "1990")

        assert (body["max_age_years"], body["allowed"]) == (None, None)
        assert body["inspection_every_months"] == 12

    def test_a_kind_of_complaint_without_a_provision_still_reaches_the_ombudsman(self):
        body = told("category", RECREATIONAL, "lost_property")

        assert (body["stated"], body["reaches_ombudsman"]) == (False, True)


class TestMistakes:
    @pytest.mark.parametrize(
        ("words", "named"),
        [
            (("show", "nada"), RECREATIONAL),
            (("fine", RECREATIONAL, "IX-99"), "II-05"),
            (("fine", RECREATIONAL, ""), "II-05"),
            (("authority", RECREATIONAL, "nada"), "appeal"),
            (("vehicle-age", RECREATIONAL, "nada", "--year", "1990"), "recreational"),
            (("deadline", RECREATIONAL, "nada"), "defence"),
            (("requirement", RECREATIONAL, "nada"), "permit_display"),
            (("category", RECREATIONAL, "nada"), "outside_stop"),
            (("validity", RECREATIONAL, "nada", "--issued", "2026-01-01"), "recreational"),
        ],
    )
    def test_an_unknown_word_is_answered_with_the_known_ones(self, words, named):
        answer = run(*words)

        assert answer.exit_code == 1
        assert named in answer.output
        assert named in json.loads(run(*words, "--json").output)["error"]["message"]

    @pytest.mark.parametrize(
        "words",
        [
            ("infractions", RECREATIONAL, "--on", "30/11/2026"),
            ("vehicle-age", RECREATIONAL, "recreational", "--year", "20"),
            ("validity", RECREATIONAL, "recreational", "--issued", "ontem"),
        ],
    )
    def test_what_cannot_be_read_is_said(self, words):
        answer = run(*words)

        assert answer.exit_code == 1
        assert "Traceback" not in answer.output
        assert "“" in answer.output

    def test_a_missing_option_is_a_mistake_of_use(self):
        assert run("validity", RECREATIONAL, "recreational").exit_code == 2
