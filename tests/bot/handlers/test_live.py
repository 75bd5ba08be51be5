"""A live location against the published route: a fact with its error, and never an accusation within it."""

import pytest

from tests.bot.handlers.test_complaints import begin
from tests.bot.town import SQUARE

pytestmark = pytest.mark.usefixtures("at_two")
BESIDE = (-23.6240, -45.4110)
"""About 215 m east of the drawn route."""


class TestOnTheRoute:
    def test_within_the_error_says_so_and_offers_no_complaint(self, ana):
        ana.shares_live(*SQUARE)
        assert "margem de erro" in ana.last_message
        assert not any("ouvidoria" in each for each in ana.last_message.buttons)

    def test_a_small_distance_is_within_a_large_error(self, ana):
        ana.shares_live(*BESIDE, error_m=400)
        assert "margem de erro" in ana.last_message


class TestBesideIt:
    def test_the_distance_and_its_error_are_told(self, ana):
        ana.shares_live(*BESIDE, error_m=30)
        assert "cerca de 210 m (± 30 m) do roteiro publicado de “Centro – Praia”" in ana.last_message

    def test_nobody_is_accused(self, ana):
        ana.shares_live(*BESIDE, error_m=30)
        assert "Obras e desvios podem explicar" in ana.last_message
        ana.presses("Avise a ouvidoria")
        assert ana.since


class TestMoving:
    def test_edits_the_one_answer_in_place(self, ana, bot):
        ana.shares_live(*SQUARE)
        said = len(ana.messages)
        for north in range(1, 8):
            ana.moves(SQUARE[0] - north / 2000, SQUARE[1] + north / 2000, error_m=10)
        assert len(ana.messages) == said
        assert "do roteiro publicado" in ana.last_message
        assert len({call.params["message_id"] for call in bot.sent("editMessageText")}) == 1

    def test_the_same_place_twice_is_no_error(self, ana, caplog):
        ana.shares_live(*SQUARE)
        ana.moves(*SQUARE)
        ana.moves(*SQUARE)
        assert "margem de erro" in ana.last_message
        assert caplog.records == []

    def test_ends_with_the_sharing_and_nothing_of_the_way_is_kept(self, ana):
        ana.shares_live(*SQUARE)
        ana.stops_sharing()
        assert "terminou" in ana.last_message
        ana.moves(*BESIDE)
        assert "terminou" in ana.last_message

    def test_away_from_every_town_says_so(self, ana):
        ana.shares_live(*SQUARE)
        ana.moves(-3.1, -60.0)
        assert "não há roteiro" in ana.last_message

    def test_an_edited_location_that_nobody_follows_is_ignored(self, ana):
        ana.sends_location(*SQUARE)
        said = len(ana.messages)
        ana.moves(*BESIDE)
        assert len(ana.messages) == said


class TestElsewhere:
    def test_where_no_route_is_published_the_nearest_points_are_told(self, ana):
        ana.shares_live(-3.1, -60.0)
        assert "Não há ponto de embarque perto daí" in ana.last_message

    def test_in_a_complaint_it_answers_where(self, ana):
        begin(ana)
        ana.presses("Veículo lotado")
        ana.says("pular")
        ana.shares_live(*SQUARE)
        assert "Quando foi?" in ana.last_message
