import re
from datetime import UTC, date, datetime

import pytest

from portal import clock
from portal.regulations import catalogue
from portal.services.unit_of_work import unit_of_work
from portal.web.rights.presenting import Anchors, anchor_of
from tests.factories.permits import put_list, put_permit

PAGES = [
    f"/{town.slug}/direitos/{service.value}"
    for town in catalogue.municipalities()
    for service in town.services
]
TRAIN = "/caraguatatuba-sp/direitos/recreativo"
SAO_JOAO = "/sao-joao-da-boa-vista-sp/direitos/aplicativo"
BILL = "/santa-rita-pb/direitos/turismo"


@pytest.fixture(autouse=True)
def today(monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 30, 15, tzinfo=UTC))


@pytest.fixture
def page(client):
    def get(path, status=200, **headers):
        answer = client.get(path, headers=headers)
        assert answer.status_code == status
        return " ".join(answer.get_data(as_text=True).replace("\xa0", " ").split())

    return get


class TestEveryPage:
    @pytest.mark.parametrize("path", PAGES)
    @pytest.mark.parametrize("language", ["pt-BR", "en", "es"])
    def test_stands_in_every_language_and_names_nothing_twice(self, page, path, language):
        text = page(f"{path}?lang={language}&imprimir=1")
        names = re.findall(r'id="([^"]+)"', text)

        assert len(names) == len(set(names))
        assert all(target in names for target in re.findall(r'href="#([^"]+)"', text))
        assert "{'" not in text
        assert "None" not in text

    @pytest.mark.parametrize("path", PAGES)
    def test_every_infraction_of_the_day_is_there(self, page, path):
        _, slug, _, service = path.split("/")
        law = next(one for one in catalogue.instruments_of(slug) if one.service == service)
        on = date(2026, 11, 30)
        text = page(path)

        for row in law.infractions:
            if law.is_bill or row.in_force(on):
                assert f'id="{row.code}"' in text

    def test_official_text_is_marked_as_portuguese(self, page):
        text = page(f"{TRAIN}?lang=en")

        assert '<span lang="pt-BR">Transportar passageiros nas partes externas do veículo</span>' in text
        assert "Nobody rides on the outside of the vehicle." in text

    def test_htmx_gets_the_part_alone(self, page):
        assert "<html" not in page(TRAIN, **{"HX-Request": "true"})


class TestWhatItSays:
    def test_what_to_check_comes_with_its_article(self, page):
        text = page(TRAIN)

        assert "A autorização está afixada dentro do veículo" in text
        assert 'id="art-11-p-1">art. 11, § 1º' in text

    def test_a_penalty_common_to_a_group_is_said_once_and_another_at_its_row(self, page):
        text = page(TRAIN)

        assert text.count("multa de 100 VRM") == 1
        assert "500 vezes a tarifa" in text

    def test_a_row_whose_repetition_is_blank_says_so(self, page):
        text = page(SAO_JOAO)

        assert text.count("O texto nada diz da repetição desta infração.") == 1
        assert (
            text.index('id="IV-01"') < text.index("O texto nada diz da repetição") < text.index('id="IV-02"')
        )

    def test_a_bill_is_shown_as_a_bill(self, page):
        text = page(BILL)

        assert "Projeto de lei: ainda não vale" in text
        assert "não autoriza nem pune ninguém" in text
        assert "em vigor desde" not in text

    def test_past_the_known_text_it_says_until_when_the_text_is_known(self, page):
        assert "Conhecemos o texto até 05/11/2025" in page(SAO_JOAO)
        assert "Conhecemos o texto até" not in page(f"{SAO_JOAO}?on=2025-11-05")

    def test_readings_are_told_and_linked(self, page):
        text = page(TRAIN)

        assert 'href="#leitura-year_of_revoked_permit"' in text
        assert "No ano a que a autorização cassada se referia" in text

    def test_hours_that_no_text_fixes_are_not_made_up(self, page):
        assert "não fixa quantas horas" in page("/caraguatatuba-sp/direitos/aplicativo")

    def test_a_duty_that_was_revoked_is_said_beside_its_row(self, page):
        assert "O dever foi revogado: Decreto nº 1.333/2020" in page("/caraguatatuba-sp/direitos/aplicativo")


class TestAnotherDay:
    def test_the_wording_is_that_of_the_day(self, page):
        before, after = page(f"{SAO_JOAO}?on=2024-05-01"), page(f"{SAO_JOAO}?on=2024-05-02")

        assert "R$ 100,00" in before
        assert "multa de 25 UFS" in after
        assert "No máximo 5 pessoas" in before
        assert "No máximo 7 pessoas" in after

    def test_before_the_law_it_says_so(self, page):
        assert "Não estava em vigor em 21/09/2025: vale desde 22/09/2025." in page(f"{TRAIN}?on=2025-09-21")

    @pytest.mark.parametrize("on", ["0001-01-01", "2019-06-16", "9999-12-31"])
    def test_any_day_has_an_answer(self, page, on):
        assert page(f"{TRAIN}?on={on}")

    def test_what_is_no_date_is_said_and_today_shown(self, page):
        text = page(f"{TRAIN}?on=ontem", status=422)

        assert "“ontem” não é uma data" in text
        assert "O que vale em 30/11/2026." in text


class TestTheWayThere:
    @pytest.mark.parametrize(
        "path",
        ["/caraguatatuba-sp/direitos/turismo", "/caraguatatuba-sp/direitos/x", "/nada-xx/direitos/turismo"],
    )
    def test_what_is_not_offered_is_not_found(self, page, path):
        page(path, status=404)

    def test_the_town_leads_there(self, page):
        assert f'href="{TRAIN}"' in page("/caraguatatuba-sp/")

    def test_a_verdict_leads_to_the_article_it_cites(self, page, database):
        with unit_of_work(writes=True) as session:
            put_list(session)
            put_permit(session, plate="BRA2E19", number="2026/0001")

        text = page("/caraguatatuba-sp/verificar?q=BRA2E19")

        assert f'href="{TRAIN}#art-8"' in text
        assert 'id="art-8"' in page(TRAIN)


class TestAnchors:
    @pytest.mark.parametrize(
        ("article", "name"),
        [
            ("art. 8º", "art-8"),
            ("art. 11, § 1º", "art-11-p-1"),
            ("art. 15, III", "art-15-iii"),
            ("Anexo Único, II.01", "anexo-unico-ii-01"),
        ],
    )
    def test_an_article_has_a_name(self, article, name):
        assert anchor_of(article) == name

    def test_the_first_that_cites_it_bears_it(self):
        anchors = Anchors()

        assert (anchors.claim("art. 8º"), anchors.claim("art. 8º")) == ("art-8", "")
