import pytest

from portal.domain.errors import NothingHere, UnreadablePosition
from portal.i18n import translator
from portal.services.itineraries.routes import distance_from_route, error_of
from portal.wording.itineraries import distance_from_route_sentence
from tests.factories.feeds import FEED, TOWN, bring_in, bring_in_orla, zip_of

SHAPES = """shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence
H,-23.6200,-45.4100,1
H,-23.6200,-45.4000,2
H,-23.6300,-45.4000,3
"""


@pytest.fixture
def along_streets(session, tmp_path):
    """A line that goes east for a kilometre and then south."""
    trips = "\n".join(
        line + (",shape_id" if number == 0 else ",H")
        for number, line in enumerate(FEED["trips.txt"].strip().split("\n"))
    )
    feed = FEED | {"trips.txt": trips + "\n", "shapes.txt": SHAPES}
    return bring_in(session, "gtfs", zip_of(tmp_path / "feed.zip", feed))


@pytest.fixture
def between_stops(session, tmp_path):
    return bring_in_orla(session, tmp_path / "orla")


def told(session, code, latitude, longitude):
    return distance_from_route(session, TOWN, code, latitude, longitude)


def said(route, error_m):
    return distance_from_route_sentence(route, error_m, translator("pt_BR"))


class TestAlongAPublishedShape:
    @pytest.mark.parametrize(
        ("latitude", "longitude", "metres"),
        [
            (-23.6200, -45.4050, 0),
            (-23.6205, -45.4050, 56),
            (-23.6250, -45.4050, 509),
            (-23.6200, -45.4110, 102),
        ],
        ids=["on it", "across the street", "on the straight line between its ends", "before its beginning"],
    )
    def test_the_nearest_place_of_the_line_counts(self, session, along_streets, latitude, longitude, metres):
        found = told(session, "R1", latitude, longitude)

        assert found.metres == pytest.approx(metres, abs=3)
        assert found.drawn

    def test_below_the_error_nothing_is_said_of_leaving_it(self, session, along_streets):
        route = told(session, "R1", -23.6250, -45.4050)

        assert "margem de erro" in said(route, 600)
        assert "510 m" in said(route, 20)


class TestBetweenStopsAlone:
    def test_the_nearest_stop_counts_and_the_sentence_says_so(self, session, between_stops):
        route = told(session, "orla", -23.6200, -45.4110)

        assert (round(route.metres), route.drawn) == (102, False)
        assert "não foi publicado" in said(route, 20)


class TestTheErrorOfADevice:
    @pytest.mark.parametrize(("accuracy", "error"), [(None, 50), (0, 50), (3, 20), (35.4, 35), (900, 900)])
    def test_is_what_it_says_within_reason(self, accuracy, error):
        assert error_of(accuracy) == error


class TestWhatCannotBeTold:
    def test_a_place_that_is_none(self, session, between_stops):
        with pytest.raises(UnreadablePosition):
            told(session, "orla", 0, 0)

    def test_an_itinerary_that_is_none(self, session, between_stops):
        with pytest.raises(NothingHere):
            told(session, "nada", -23.62, -45.40)
