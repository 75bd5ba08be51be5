"""Each instrument against its own text: complete, verbatim, and nothing that the text does not say."""

import re
from collections import Counter
from datetime import date

import pytest

from portal.domain.complaints import ComplaintKind
from portal.regulations import catalogue
from portal.regulations.provisions import infractions_on
from portal.regulations.schema import Instrument, InstrumentKind

RECREATIONAL = "caraguatatuba-sp_transporte-recreativo_decreto-2025"
APPS_CARAGUATATUBA = "caraguatatuba-sp_aplicativos_decreto-2020"
CHAPADA = "chapada-dos-guimaraes-mt_aplicativos_decreto-06-2026"
SANTA_RITA = "santa-rita-pb_transporte-turistico_projeto-de-lei-99-2023"
SAO_JOAO = "sao-joao-da-boa-vista-sp_aplicativos_lei-4508-2019"
ALL = [RECREATIONAL, APPS_CARAGUATATUBA, CHAPADA, SANTA_RITA, SAO_JOAO]


def counts(identifier: str, on: date) -> Counter[str]:
    return Counter(row.group for row in infractions_on(catalogue.instrument(identifier), on))


def flat(text: str) -> str:
    """White space and page furniture of the source told apart from its words."""
    text = re.sub(r"ESTADO DA PARAÍBA\nMUNICÍPIO DE SANTA RITA\nAv\. .*\nPágina \d+ de 20\.\n", "", text)
    return " ".join(text.split())


@pytest.fixture(params=ALL)
def instrument(request: pytest.FixtureRequest) -> Instrument:
    return catalogue.instrument(request.param)


class TestTheAnnexesAreComplete:
    def test_recreational(self):
        assert counts(RECREATIONAL, date(2026, 11, 30)) == {"I": 6, "II": 28, "III": 6}

    def test_apps_of_caraguatatuba(self):
        assert counts(APPS_CARAGUATATUBA, date(2026, 11, 30)) == {"I": 11, "II": 4, "III": 6, "IV": 5, "V": 8}

    def test_chapada(self):
        assert counts(CHAPADA, date(2026, 11, 30)) == {"leve": 2, "media": 1, "grave": 3, "gravissima": 2}

    def test_santa_rita_on_whatever_day(self):
        for day in (date(2020, 1, 1), date(2026, 11, 30)):
            assert counts(SANTA_RITA, day) == {"I": 9, "II": 9, "III": 11, "IV": 10}

    def test_sao_joao_before_and_after_the_row_that_was_revoked(self):
        before = {"I": 7, "II": 9, "III": 12, "IV": 9, "V": 9, "VI": 12}

        assert counts(SAO_JOAO, date(2024, 12, 10)) == before
        assert counts(SAO_JOAO, date(2024, 12, 11)) == before | {"II": 8}
        assert counts(SAO_JOAO, date(2026, 11, 30)) == before | {"II": 8}

    def test_no_law_punished_before_its_day(self):
        assert counts(CHAPADA, date(2026, 1, 6)) == {}
        assert counts(RECREATIONAL, date(2025, 9, 21)) == {}

    def test_codes_are_normalised_and_numbered_without_a_gap(self, instrument):
        if instrument.id in (CHAPADA, SANTA_RITA):
            return  # these have no annex
        numbers: dict[str, list[int]] = {}
        for code in dict.fromkeys(row.code for row in instrument.infractions):
            group, number = code.rsplit("-", 1)
            assert len(number) == 2
            numbers.setdefault(group, []).append(int(number))

        assert all(found == list(range(1, len(found) + 1)) for found in numbers.values())


class TestEveryText:
    def test_is_verbatim(self, instrument, shared):
        source = flat((shared / "seeds" / f"{instrument.id}.txt").read_text(encoding="utf-8"))

        quoted = [*instrument.infractions, *instrument.measures, *instrument.procedures]
        assert [row.article for row in quoted if flat(row.text) not in source] == []

    def test_prints_its_codes_as_the_source_does(self, instrument, shared):
        source = (shared / "seeds" / f"{instrument.id}.txt").read_text(encoding="utf-8")

        assert [row.code for row in instrument.infractions if (row.printed_code or "") not in source] == []

    def test_has_the_date_that_is_printed_on_it(self, instrument, shared):
        source = flat((shared / "seeds" / f"{instrument.id}.txt").read_text(encoding="utf-8")).casefold()
        printed = instrument.dated_as_printed.casefold()

        assert printed in source or printed.removeprefix("chapada dos guimarães, ") in source

    def test_every_article_cited_exists(self, instrument, shared):
        source = flat((shared / "seeds" / f"{instrument.id}.txt").read_text(encoding="utf-8"))
        written = {int(number) for number in re.findall(r"Art\. ?(\d+)", source)}
        cited = {
            int(number)
            for row in _rows_with_articles(instrument)
            for number in re.findall(r"\bart\. (\d+)", row)
        }

        assert cited <= written


def _rows_with_articles(instrument: Instrument) -> list[str]:
    found = [
        *(row.article for row in instrument.requirements),
        *(row.article for row in instrument.authorities),
        *(row.article for row in instrument.deadlines),
        *(row.article for row in instrument.measures),
        *(row.article for row in instrument.groups),
        *(article for row in instrument.provisions for article in row.articles),
    ]
    for permit in instrument.permits:
        for rows in (permit.term, permit.suspension, permit.revocation, permit.renewal, permit.inspection):
            found += [row.article for row in rows]
    return found


class TestWhatEachInstrumentIs:
    def test_one_is_a_bill_and_one_a_law(self):
        kinds = {identifier: catalogue.instrument(identifier).kind for identifier in ALL}

        assert kinds == {
            RECREATIONAL: InstrumentKind.DECREE,
            APPS_CARAGUATATUBA: InstrumentKind.DECREE,
            CHAPADA: InstrumentKind.DECREE,
            SANTA_RITA: InstrumentKind.BILL,
            SAO_JOAO: InstrumentKind.LAW,
        }

    def test_no_number_is_invented(self):
        numbers = {identifier: catalogue.instrument(identifier).number for identifier in ALL}

        assert numbers[RECREATIONAL] is None
        assert numbers[APPS_CARAGUATATUBA] is None
        assert numbers[CHAPADA] == "06/2026"
        assert numbers[SANTA_RITA] == "99"
        assert numbers[SAO_JOAO] == "4.508"

    def test_no_day_of_an_amendment_is_invented(self):
        assert [one.dated for one in catalogue.instrument(APPS_CARAGUATATUBA).amendments] == [None, None]
        assert [one.dated for one in catalogue.instrument(SAO_JOAO).amendments] == [
            date(2024, 5, 2),
            date(2024, 12, 11),
            date(2025, 5, 29),
        ]

    def test_the_page_of_sao_joao_knows_its_text_for_five_months(self):
        law = catalogue.instrument(SAO_JOAO)

        known = [
            law.text_known(day)
            for day in (date(2025, 5, 28), date(2025, 5, 29), date(2025, 11, 5), date(2025, 11, 6))
        ]
        assert known == [False, True, True, False]

    def test_every_reading_is_used_or_stands_for_itself(self, instrument):
        identifiers = [reading.id for reading in instrument.readings]

        assert len(set(identifiers)) == len(identifiers)
        assert instrument.in_force_reading in identifiers


class TestKindsOfComplaint:
    def test_there_is_a_door_for_unauthorised_transport_in_every_town(self):
        for town in catalogue.municipalities():
            assert any(here.category.unauthorised for here in catalogue.categories(town.slug))

    def test_every_instrument_says_who_looks_into_it(self, instrument):
        provision = next(one for one in instrument.provisions if one.category == "unauthorised_transport")

        assert provision.matter == "unauthorised_transport"

    def test_some_are_of_each_kind_of_the_federal_law(self):
        assert {category.kind for category in catalogue.current().categories} == set(ComplaintKind)

    def test_what_no_instrument_mentions_is_still_a_kind_of_complaint(self):
        here = next(one for one in catalogue.categories("chapada-dos-guimaraes-mt") if one.id == "weapon")

        assert here.provisions == ()
