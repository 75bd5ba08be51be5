"""Links of pages and codes: `/start` with what they carry."""

import pytest

from portal.domain.deep_links import payload
from tests.bot.handlers.test_complaints import begin
from tests.bot.town import PLATE

pytestmark = pytest.mark.usefixtures("at_two")
TOWN = 3510500


class TestALinkFromAPage:
    @pytest.mark.parametrize("carried", [payload("v", what=PLATE), PLATE, "bra-1d23"])
    def test_of_a_verdict_verifies_the_vehicle(self, ana, carried):
        assert "autorizado em Caraguatatuba" in ana.says(f"/start {carried}")

    def test_of_a_permit_number_finds_it_with_a_hyphen_for_its_slash(self, ana):
        ana.says(f"/start {payload('v', what='2026/0001')}")
        assert "Caraguatatuba" in ana.read()

    def test_of_a_stop_shows_the_stop(self, ana):
        ana.says(f"/start {payload('s', town=TOWN, what='praca')}")
        assert "15:00" in ana.read()

    def test_of_an_itinerary_shows_the_itinerary(self, ana):
        assert "Centro – Praia" in ana.says(f"/start {payload('i', town=TOWN, what='centro-praia')}")

    def test_of_a_town_lists_it_and_remembers_it(self, ana):
        ana.says(f"/start {payload('t', town=TOWN)}")
        assert "Itinerários e pontos em Caraguatatuba" in ana.read()
        ana.says("/reclamar")
        assert "Caraguatatuba" in ana.since[0].text

    def test_of_the_tracking_page_asks_for_protocol_and_key(self, ana):
        assert "seis palavras" in ana.says(f"/start {payload('a')}")

    def test_of_the_door_for_unauthorised_transport_opens_it(self, ana):
        assert "Qual veículo?" in ana.says(f"/start {payload('r', town=TOWN)}")

    def test_to_complain_opens_the_questionnaire(self, ana):
        assert "O que aconteceu?" in ana.says(f"/start {payload('c', town=TOWN)}")

    @pytest.mark.parametrize("carried", ["s_3510500_gone", "s_9999999_x", "S_3510500_0000000000000000"])
    def test_to_what_is_gone_says_so(self, ana, carried):
        ana.says(f"/start {carried}")
        assert ana.since
        assert "Algo deu errado" not in ana.read()

    @pytest.mark.parametrize("carried", ["nada", "v_", "' OR 1=1", "x" * 64, "%00"])
    def test_of_another_greets(self, ana, carried):
        assert "Olá!" in ana.says(f"/start {carried}")

    def test_in_the_middle_of_a_complaint_loses_nothing(self, ana):
        begin(ana)
        ana.presses("Veículo lotado")
        ana.says(f"/start {payload('v', what=PLATE)}")
        assert "autorizado" in ana.since[0].text
        assert "Qual veículo?" in ana.last_message
        ana.says(f"/start {payload('s', town=TOWN, what='praca')}")
        assert "Qual veículo?" in ana.last_message
        ana.says("/start")
        assert "começada" in ana.last_message
