import pytest

from portal.services.itineraries.places import find_places
from tests.factories.feeds import PLACES, TOWN, bring_in, bring_in_orla, folder_of


class TestFinding:
    @pytest.fixture(autouse=True)
    def places(self, session, tmp_path):
        bring_in_orla(session, tmp_path / "orla")
        bring_in(session, "places", folder_of(tmp_path, {"lugares.csv": PLACES}) / "lugares.csv")

    @pytest.mark.parametrize(
        "typed", ["praca da matriz", "PRAÇA DA MATRIZ", "pça matriz", "matriz", "matris"]
    )
    def test_a_point_however_it_is_written(self, session, typed):
        assert find_places(session, TOWN, typed)[0].code == "matriz"

    def test_names_typed_on_apple_devices_arrive_decomposed(self, session):
        assert find_places(session, TOWN, "Prac\u0327a")[0].code == "matriz"

    def test_a_neighbourhood(self, session):
        [found] = find_places(session, TOWN, "massaguacu")

        assert (found.target, found.latitude) == ("place", -23.581)

    @pytest.mark.parametrize("typed", ["xyz", "", "!!!", "a" * 500])
    def test_what_is_not_there(self, session, typed):
        assert find_places(session, TOWN, typed) == ()

    @pytest.mark.parametrize(
        "typed", ["martiz", "camaroero", "camarueiro mirnate", "massguacu", "mirante camarroeiiro"]
    )
    def test_with_one_slip_or_two_in_a_long_word(self, session, typed):
        found = find_places(session, TOWN, typed)

        assert found[0].by_slip
        assert found[0].name.split()[0] in {"Praça", "Mirante", "Massaguaçu"}

    def test_two_slips_in_a_short_word_make_another_word(self, session):
        assert find_places(session, TOWN, "mtrx") == ()

    def test_of_two_words_as_near_both_are_offered(self, session, tmp_path):
        lines = "nome,tipo,latitude,longitude\nRua Canoas,rua,-23.6,-45.4\nRua Canoar,rua,-23.6,-45.4\n"
        bring_in(session, "places", folder_of(tmp_path / "two", {"l.csv": lines}) / "l.csv")

        assert {each.name for each in find_places(session, TOWN, "canoat")} == {"Rua Canoas", "Rua Canoar"}

    def test_an_itinerary_in_another_language(self, session):
        assert find_places(session, TOWN, "seafront")[0].code == "orla"

    def test_only_in_the_town_asked_about(self, session):
        assert find_places(session, "santa-rita-pb", "matriz") == ()
