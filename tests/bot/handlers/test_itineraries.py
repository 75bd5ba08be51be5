import pytest

from tests.bot.town import SQUARE

pytestmark = pytest.mark.usefixtures("at_two")


class TestALocation:
    def test_gives_the_nearest_boarding_points_with_the_next_departure(self, ana):
        ana.sends_location(-23.6210, -45.4120)
        assert "1. Praça Doutor Cândido Mota – Ponto Turístico Nº 2" in ana.last_message
        assert "Próxima saída às 15:00." in ana.last_message

    def test_far_from_every_town_says_so(self, ana):
        ana.sends_location(-3.1, -60.0)
        assert "Não há ponto de embarque perto daí" in ana.last_message

    @pytest.mark.parametrize(
        "typed", ["-23.6210, -45.4120", "-23,6210; -45,4120", "/pontos -23.6210 -45.4120"]
    )
    def test_may_be_pasted_from_a_map(self, ana, typed):
        assert "1. Praça Doutor Cândido Mota" in ana.says(typed)

    @pytest.mark.parametrize("place", [(0.0, 0.0), (91.0, 10.0)])
    def test_that_can_be_no_place_is_told(self, ana, place):
        assert ana.sends_location(*place).text

    def test_teaches_the_bot_the_town(self, ana):
        ana.sends_location(*SQUARE)
        ana.says("/reclamar")
        assert "Caraguatatuba" in ana.since[0].text


class TestTheName:
    @pytest.mark.parametrize("typed", ["Indaiá", "indaia", "INDAIÁ", "/pontos indaiá"])
    def test_of_a_neighbourhood_gives_the_points_around_it(self, ana, typed):
        ana.says(typed)
        assert "Perto de Indaiá:" in ana.read()
        assert "1. Praça" in ana.last_message

    @pytest.mark.parametrize(
        "typed", ["candido mota", "praça doutor cândido", "pça candido mota", "/pontos CANDIDO MOTA"]
    )
    def test_of_the_only_stop_called_so_goes_straight_to_it(self, ana, typed):
        ana.says(typed)
        assert "15:00" in ana.read()

    def test_with_a_slip_is_asked_about_first(self, ana):
        assert "Você quis dizer" in ana.says("candidp mota")
        ana.presses("Praça Doutor Cândido")
        assert "15:00" in ana.read()

    @pytest.mark.parametrize(("language", "name"), [("en", "Downtown – Beach"), ("es", "Centro – Playa")])
    def test_of_an_itinerary_is_read_and_said_in_the_persons_language(self, ana, language, name):
        ana.language = language
        for typed in (name, "Centro – Praia"):
            ana.says(f"/pontos {typed}")
            assert name in ana.last_message

    def test_nobody_knows_offers_the_list(self, ana):
        ana.says("/pontos xyz")
        assert "Caraguatatuba – SP" in ana.last_message.buttons


class TestTheButtons:
    def test_ask_for_the_location_with_one_tap(self, ana):
        ana.says("/pontos")
        assert "Enviar minha localização" in ana.since[0].buttons

    def test_lead_from_town_to_itinerary_to_stop_and_map(self, ana, bot):
        ana.says("/pontos")
        ana.presses("Caraguatatuba")
        assert "Só se embarca ou desembarca" in ana.read() or "art." in ana.read()
        ana.presses("Centro – Praia")
        assert "Itinerário autorizado" in ana.last_message
        assert "Próxima saída às 15:00." in ana.last_message
        ana.presses("Praça Doutor")
        assert bot.sent("sendLocation")[-1].params["latitude"] == pytest.approx(SQUARE[0])

    def test_long_names_with_marks_are_shown_whole_and_cut_on_buttons_only(self, ana):
        ana.sends_location(*SQUARE)
        assert "Terminal_Norte (A) *Praia*" in ana.last_message
        ana.presses("Terminal_Norte (A)")
        assert "Terminal_Norte (A) *Praia*" in ana.read()

    def test_a_stop_that_is_gone_is_told(self, ana):
        ana.sends_location(*SQUARE)
        ana.presses_data("stop|3510500|no-such-stop", ana.last_message)
        assert ana.since

    def test_a_town_served_no_more_is_told(self, ana):
        ana.sends_location(*SQUARE)
        ana.presses_data("list|1", ana.last_message)
        assert ana.since


def test_from_a_stop_to_another_tells_departure_and_arrival(ana):
    ana.sends_location(*SQUARE)
    ana.presses("Praça Doutor Cândido")
    ana.presses("→ ")
    assert ana.last_message.text.startswith("De Praça Doutor Cândido")
    assert "15:00" in ana.last_message.text
    assert ana.last_message.buttons[0].startswith("📍 Praça")


class TestReservedCharacters:
    """Of names and of what people write: shown as they stand, and no message is refused."""

    TYPED = "linha_1 *centro* [x](y) 10.5! <b>&amp; \\ ~\\|{}`"

    def test_in_the_name_of_a_stop(self, ana, bot):
        ana.says("Terminal_Norte (A)")
        assert "📍 Terminal_Norte (A) *Praia*" in ana.read()
        assert not any("parse_mode" in call.params for call in bot.calls)

    @pytest.mark.parametrize("before", ["", "/pontos ", "/verificar "])
    def test_in_what_is_looked_for(self, ana, caplog, before):
        ana.says(before + self.TYPED)
        assert ana.since
        assert "Algo deu errado" not in ana.read()
        assert [record for record in caplog.records if record.levelname == "ERROR"] == []

    def test_in_the_place_of_a_complaint(self, ana):
        ana.says("/reclamar")
        for press in ("Caraguatatuba", "Veículo lotado", "Pular"):
            ana.presses(press)
        ana.says(self.TYPED)
        ana.presses("Pular")
        assert self.TYPED in ana.last_message
