import ast
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from portal import clock
from portal.cli import main
from portal.domain.errors import UnknownMunicipality
from portal.domain.permits import HolderKind, Service
from portal.domain.rules import SuspensionEnd, TermKind
from portal.domain.terms import span_from
from portal.regulations import catalogue
from portal.regulations.calendar import easter
from portal.regulations.files import BrokenFile
from portal.regulations.provisions import infraction, penalties_of

TOWN = """
name = "Exemplo"
state = "AC"
ibge_code = 1200013
zone = "America/Rio_Branco"
latitude = -9.97
longitude = -67.81
services = ["recreativo", "turismo"]
accent = "#41b9d3"

[ombudsman]
name = "Ouvidoria de Exemplo"
phone = "0000"

[[holidays]]
name = "Aniversário de Exemplo"
month = 8
day = 14
article = "Lei Municipal 1/1990"
in_force_from = 1990-01-01
"""
INSTRUMENT = """
kind = "law"
title = "Lei nº 0.000/2030"
dated = 2030-03-01
dated_as_printed = "1º de março de 2030"
service = "recreativo"
in_force_from = 2030-03-01
text_known_from = 2030-03-01
text_known_until = 2031-06-30
about = { pt = "Lei inventada.", en = "A made-up law.", es = "Ley inventada." }

[[units]]
id = "UFEX"
name = { pt = "unidade de Exemplo", en = "unit of Exemplo", es = "unidad de Exemplo" }

[[permits]]
id = "wagon"
name = { pt = "Carroça", en = "Wagon", es = "Carro" }
service = "recreativo"
holder = "company"
about = "vehicle"

[[permits.term]]
kind = "months_from_issue"
months = 6
article = "art. 2º"
in_force_until = 2030-12-31

[[permits.term]]
kind = "months_from_issue"
months = 18
article = "art. 2º"
in_force_from = 2031-01-01

[[permits.suspension]]
ends_by = "course"
article = "art. 3º"

[[requirements]]
what = "bell"
kind = "display"
check = true
article = "art. 4º"
words = { pt = "Há um sino.", en = "There is a bell.", es = "Hay una campana." }

[[authorities]]
matter = "inspection"
name = "Guarda de Exemplo"
article = "art. 5º"

[[groups]]
id = "A"
name = "Grupo A"
article = "art. 6º"
penalties = [{ kind = "fine", amount = 7, unit = "UFEX" }]
repeat = { multiplier = 3, article = "art. 7º" }

[[infractions]]
printed_code = "A 1"
code = "A-01"
group = "A"
article = "Anexo"
text = "Andar sem sino"

[[provisions]]
category = "permit_not_shown"
infractions = ["A-01"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A municipality made up as data only."""
    town = tmp_path / "exemplo-ac"
    town.mkdir()
    (town / "municipality.toml").write_text(TOWN, encoding="utf-8")
    (town / "exemplo-ac_carrocas_lei-2030.toml").write_text(INSTRUMENT, encoding="utf-8")
    return tmp_path


class TestTheTownsServed:
    def test_each_has_its_own_zone_and_seat(self):
        zones = {town.slug: town.zone.key for town in catalogue.municipalities()}

        assert zones == {
            "caraguatatuba-sp": "America/Sao_Paulo",
            "chapada-dos-guimaraes-mt": "America/Cuiaba",
            "santa-rita-pb": "America/Fortaleza",
            "sao-joao-da-boa-vista-sp": "America/Sao_Paulo",
        }

    def test_the_day_turns_an_hour_later_in_mato_grosso(self, monkeypatch):
        monkeypatch.setattr(clock, "now", lambda: datetime(2027, 1, 1, 3, 30, tzinfo=UTC))

        assert catalogue.today_in("caraguatatuba-sp") == date(2027, 1, 1)
        assert catalogue.today_in("chapada-dos-guimaraes-mt") == date(2026, 12, 31)

    def test_an_unknown_one_is_said_to_be_unknown(self):
        with pytest.raises(UnknownMunicipality):
            catalogue.municipality("atlantida-sp")
        with pytest.raises(UnknownMunicipality):
            catalogue.services_of("atlantida-sp", date(2026, 11, 30))

    def test_holidays_are_told_by_rule(self):
        holidays = catalogue.municipality("caraguatatuba-sp").holidays(2026)

        assert holidays[date(2026, 4, 3)] == "Sexta-feira da Paixão"
        assert date(2026, 11, 20) in holidays
        assert date(2022, 11, 20) not in catalogue.municipality("caraguatatuba-sp").holidays(2022)

    @pytest.mark.parametrize(
        "day", [date(2024, 3, 31), date(2025, 4, 20), date(2026, 4, 5), date(2038, 4, 25)]
    )
    def test_easter_moves(self, day):
        assert easter(day.year) == day


class TestAService:
    def test_is_ruled_from_the_day_of_its_decree(self):
        before, after = date(2025, 9, 21), date(2025, 9, 22)

        assert not catalogue.service_rules("caraguatatuba-sp", Service.RECREATIONAL, before).in_force
        assert catalogue.service_rules("caraguatatuba-sp", Service.RECREATIONAL, after).in_force

    def test_of_a_bill_is_ruled_by_nothing(self):
        found = catalogue.service_rules("santa-rita-pb", Service.TOURISM, date(2026, 11, 30))

        assert found.instrument is not None
        assert found.instrument.is_bill
        assert not found.in_force
        assert catalogue.checks("santa-rita-pb", Service.TOURISM, date(2026, 11, 30)) == ()

    def test_that_a_town_does_not_know_has_no_instrument(self):
        found = catalogue.service_rules("santa-rita-pb", Service.RECREATIONAL, date(2026, 11, 30))

        assert found.instrument is None

    def test_past_the_known_text_is_ruled_by_its_last_wording(self):
        on = date(2026, 11, 30)
        found = catalogue.service_rules("sao-joao-da-boa-vista-sp", Service.RIDE_HAILING, on)

        assert found.in_force
        assert found.instrument is not None
        assert not found.instrument.text_known(on)
        assert catalogue.permit_rules("sao-joao-da-boa-vista-sp", "driver", on).in_force

    def test_of_an_unknown_type_is_a_mistake_of_the_caller(self):
        with pytest.raises(KeyError):
            catalogue.permit_rules("caraguatatuba-sp", "submarine", date(2026, 11, 30))


class TestWhatAPassengerCanCheck:
    def test_is_said_in_three_languages_with_its_article(self):
        for town in catalogue.municipalities():
            for service in town.services:
                for reason in catalogue.checks(town.slug, service, date(2026, 11, 30)):
                    assert reason.code == "check"
                    assert reason.article
                    assert len({reason.data[language] for language in ("pt_BR", "en", "es")}) == 3

    def test_depends_on_the_day(self):
        def sentences(on: date) -> set[object]:
            found = catalogue.checks("sao-joao-da-boa-vista-sp", Service.RIDE_HAILING, on)
            return {reason.data["en"] for reason in found}

        assert "At most five people ride, driver included." in sentences(date(2024, 5, 1))
        assert "At most seven people ride, driver included." in sentences(date(2024, 5, 2))


class TestAMunicipalityMadeUpAsData:
    def test_works_like_any_other(self, folder):
        with catalogue.reading_from(folder):
            town = catalogue.municipality("exemplo-ac")
            rules = catalogue.permit_rules("exemplo-ac", "wagon", date(2030, 5, 1))

            assert [one.slug for one in catalogue.municipalities()] == ["exemplo-ac"]
            assert town.is_holiday(date(2030, 8, 14))
            assert rules.in_force
            assert rules.holder_kind is HolderKind.COMPANY
            assert rules.term.kind is TermKind.MONTHS_FROM_ISSUE
            assert span_from(rules.term, issued=date(2030, 5, 1)).valid_until == date(2030, 11, 1)
            assert rules.suspension
            assert rules.suspension.ends_by is SuspensionEnd.COURSE
            (check,) = catalogue.checks("exemplo-ac", Service.RECREATIONAL, date(2030, 5, 1))
            assert check.data["en"] == "There is a bell."
            assert any(
                here.id == "permit_not_shown" and here.provisions
                for here in catalogue.categories("exemplo-ac")
            )
        with pytest.raises(UnknownMunicipality):
            catalogue.municipality("exemplo-ac")

    def test_an_amended_term_holds_from_its_day(self, folder):
        with catalogue.reading_from(folder):
            lengths = [
                catalogue.permit_rules("exemplo-ac", "wagon", day).term.months
                for day in (date(2030, 2, 28), date(2030, 12, 31), date(2031, 1, 1), date(2032, 1, 1))
            ]
            before = catalogue.permit_rules("exemplo-ac", "wagon", date(2030, 2, 28))

        assert lengths == [6, 6, 18, 18]
        assert not before.in_force

    def test_fines_count_in_its_own_unit(self, folder):
        with catalogue.reading_from(folder):
            law = catalogue.instrument("exemplo-ac_carrocas_lei-2030")
            row = infraction(law, "A-01", date(2030, 5, 1))
            assert row
            (once,) = penalties_of(law, row, date(2030, 5, 1))
            (again,) = penalties_of(law, row, date(2030, 5, 1), repeat=True)

        assert (once.amount, once.unit) == (7, "UFEX")
        assert again.amount == 21


class TestABrokenFile:
    @pytest.mark.parametrize(
        ("written", "instead", "told"),
        [
            ("months = 18", 'months = "many"', "permits[1].term[2].months"),
            ('unit = "UFEX" }]', 'unit = "UFXE" }]', "groups[1].penalties[1].unit: 'UFXE' is not defined"),
            ('group = "A"', 'group = "B"', "infractions[1].group: 'B' is not defined"),
            ('infractions = ["A-01"]', 'infractions = ["A-02"]', "provisions[1].infractions: 'A-02'"),
            ('category = "permit_not_shown"', 'category = "boredom"', "provisions[1].category: 'boredom'"),
            ('ends_by = "course"', 'ends_by = "prayer"', "permits[1].suspension[1].ends_by"),
            ("in_force_until = 2030-12-31", "in_force_until = 2030-02-28", "ends before it begins"),
            ('kind = "display"', 'kind = "display"\ncolour = "red"', "requirements[1].colour"),
            ('article = "art. 4º"\n', "", "requirements[1].article"),
            ('kind = "law"', "kind = law", "line 2"),
        ],
    )
    def test_names_the_line_and_the_key(self, folder, written, instead, told):
        path = folder / "exemplo-ac" / "exemplo-ac_carrocas_lei-2030.toml"
        assert written in INSTRUMENT
        path.write_text(INSTRUMENT.replace(written, instead), encoding="utf-8")

        outcome = CliRunner().invoke(main, ["rules", "check", str(folder)])

        assert outcome.exit_code == 1
        assert told in outcome.output
        assert f"exemplo-ac/{path.name}" in outcome.output

    def test_tells_the_line_itself(self, folder):
        path = folder / "exemplo-ac" / "exemplo-ac_carrocas_lei-2030.toml"
        text = INSTRUMENT.replace("months = 18", 'months = "many"')
        path.write_text(text, encoding="utf-8")
        line = text.splitlines().index('months = "many"') + 1

        with pytest.raises(BrokenFile, match=rf"\.toml:{line}: "):
            catalogue.Catalogue(folder).check()

    def test_an_unknown_zone_is_a_fault_too(self, folder):
        path = folder / "exemplo-ac" / "municipality.toml"
        path.write_text(TOWN.replace("Rio_Branco", "Atlantis"), encoding="utf-8")

        with pytest.raises(BrokenFile, match=r"municipality\.toml:5: zone"):
            catalogue.Catalogue(folder).check()

    @pytest.mark.parametrize("colour", ["sea", "#41B9D3", "#0f3d4c", "#006400"])
    def test_a_colour_that_nobody_would_see_is_refused(self, folder, colour):
        (folder / "exemplo-ac" / "municipality.toml").write_text(TOWN.replace("#41b9d3", colour))

        with pytest.raises(BrokenFile, match=r"municipality\.toml:\d+: accent"):
            catalogue.Catalogue(folder).check()

    def test_two_wordings_on_one_day_are_refused(self, folder):
        path = folder / "exemplo-ac" / "exemplo-ac_carrocas_lei-2030.toml"
        doubled = '\n[[infractions]]\ncode = "A-01"\ngroup = "A"\narticle = "Anexo"\ntext = "Outra"\n'
        path.write_text(INSTRUMENT + doubled, encoding="utf-8")

        with pytest.raises(BrokenFile, match="two wordings on one day"):
            catalogue.Catalogue(folder).check()

    def test_every_fault_is_told_at_once(self, folder):
        path = folder / "exemplo-ac" / "exemplo-ac_carrocas_lei-2030.toml"
        path.write_text(
            INSTRUMENT.replace("months = 18", 'months = "x"').replace("check = true", 'check = "x"')
        )

        with pytest.raises(BrokenFile) as caught:
            catalogue.Catalogue(folder).check()

        assert len(caught.value.faults) == 2


class TestTheCommands:
    def test_check_passes_on_the_catalogue_itself(self):
        outcome = CliRunner().invoke(main, ["rules", "check"])

        assert outcome.exit_code == 0
        assert outcome.output.startswith("4 municipalities, 5 instruments")

    def test_list_says_what_is_in_force_on_a_day(self):
        outcome = CliRunner().invoke(main, ["rules", "list", "--on", "2025-09-21"])

        assert outcome.exit_code == 0
        recreational = outcome.output.split("caraguatatuba-sp_transporte-recreativo_decreto-2025")[1]
        assert "not in force" in recreational.splitlines()[1]
        assert "a bill, in force nowhere" in outcome.output


def code_of(path: Path) -> str:
    """A file as it runs: Python without docstrings and comments, where a town may serve as an example."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return text
    spoken = [
        node.value.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    names = (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
    return "\n".join(value for value in names if isinstance(value, str) and value not in spoken)


class TestMunicipalitiesAreDataAlone:
    def test_no_code_names_one(self):
        root = Path(catalogue.__file__).parents[2]
        slugs = [town.slug for town in catalogue.municipalities()]
        files = [
            path
            for folder in ("portal", "bot", "templates")
            for path in (root / folder).rglob("*")
            if path.suffix in {".py", ".html", ".js", ".css", ".txt"}
            and not path.is_relative_to(root / "portal" / "demo")
        ]

        naming = [path.relative_to(root) for path in files if any(slug in code_of(path) for slug in slugs)]

        assert len(files) > 50
        assert naming == []


class TestHowFastItAnswers:
    def test_a_rule_asked_again_is_the_same_object(self):
        on = date(2026, 11, 30)

        assert catalogue.permit_rules("caraguatatuba-sp", "recreational", on) is catalogue.permit_rules(
            "caraguatatuba-sp", "recreational", on
        )
        assert catalogue.permit_rules("caraguatatuba-sp", "recreational", on + timedelta(1)) == (
            catalogue.permit_rules("caraguatatuba-sp", "recreational", on)
        )
