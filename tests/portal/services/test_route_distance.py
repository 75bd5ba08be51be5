from datetime import UTC, datetime

import pytest

from portal.domain.errors import NothingHere, UnreadablePosition
from portal.i18n import translator
from portal.services.route_distance import distance_from_route
from portal.wording.itineraries import route_distance_sentence
from tests.factories.feeds import FEED, TOWN, bring_in, bring_in_orla, zip_of

NOON = datetime(2026, 11, 30, 15, tzinfo=UTC)
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


def told(session, code, latitude, longitude, error_m=20.0):
    return distance_from_route(session, TOWN, code, latitude, longitude, error_m=error_m, at=NOON)


class TestAlongAPublishedShape:
    @pytest.mark.parametrize(
        ("latitude", "longitude", "metres", "on_route"),
        [
            (-23.6200, -45.4050, 0, True),
            (-23.6205, -45.4050, 56, True),
            (-23.6207, -45.4050, 78, False),
            (-23.6250, -45.4050, 509, False),
        ],
        ids=["on it", "across the street", "a block away", "on the straight line between its ends"],
    )
    def test_the_nearest_place_of_the_line_counts(
        self, session, along_streets, latitude, longitude, metres, on_route
    ):
        found = told(session, "R1", latitude, longitude)

        assert found.metres == pytest.approx(metres, abs=3)
        assert (found.on_route, found.rough) == (on_route, False)

    def test_below_the_error_of_the_device_nothing_is_said_of_leaving_it(self, session, along_streets):
        found = told(session, "R1", -23.6250, -45.4050, error_m=600)

        assert found.on_route
        assert "sobre o itinerário publicado" in route_distance_sentence(found, translator("pt_BR"))

    def test_a_device_that_tells_no_error_is_given_the_usual_one(self, session, along_streets):
        assert told(session, "R1", -23.6200, -45.4050, error_m=None).error_m == 100

    def test_a_distance_is_told_with_its_error_and_without_a_verdict(self, session, along_streets):
        said = route_distance_sentence(told(session, "R1", -23.6250, -45.4050), translator("pt_BR"))

        assert "510 m" in said
        assert "20 m" in said
        assert "Pode haver desvio" in said


class TestBetweenStopsAlone:
    def test_a_straight_line_proves_nothing(self, session, between_stops):
        found = told(session, "orla", -23.6200, -45.4000)

        assert (found.rough, found.on_route) == (True, False)
        assert "não diz se houve desvio" in route_distance_sentence(found, translator("pt_BR"))


class TestWhatCannotBeTold:
    def test_a_place_that_is_none(self, session, between_stops):
        with pytest.raises(UnreadablePosition):
            told(session, "orla", 0, 0)

    def test_an_itinerary_that_is_none(self, session, between_stops):
        with pytest.raises(NothingHere):
            told(session, "nada", -23.62, -45.40)
