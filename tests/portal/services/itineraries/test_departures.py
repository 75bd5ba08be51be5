from datetime import UTC, datetime

import pytest

from portal.domain.errors import NothingHere
from portal.services.itineraries.departures import destinations, next_leaving
from tests.factories.feeds import FEED, ITINERARIOS, TOWN, bring_in, bring_in_orla, zip_of

MONDAY = datetime(2026, 11, 30, 12, 30, tzinfo=UTC)
"""Half past nine in Caraguatatuba."""


@pytest.fixture
def line(session, tmp_path):
    bring_in(session, "gtfs", zip_of(tmp_path / "f.zip", FEED))


def times(found):
    return [f"{ride.departure.at:%d %H:%M}" for ride in found.rides]


class TestLeaving:
    def test_from_a_stop(self, session, line):
        found = next_leaving(session, TOWN, stop="S1", at=MONDAY, limit=2)

        assert times(found) == ["30 10:00", "01 10:00"]

    def test_of_an_itinerary_both_ways(self, session, line):
        found = next_leaving(session, TOWN, itinerary="R1", at=MONDAY, limit=2)

        assert times(found) == ["30 10:00", "01 00:10"]

    def test_between_two_stops_with_the_arrival(self, session, line):
        found = next_leaving(session, TOWN, stop="S1", to="S3", at=MONDAY, limit=1)

        [ride] = found.rides
        assert (f"{ride.arrives:%H:%M}", ride.arrives_about) == ("10:20", False)

    def test_the_arrival_on_the_way_is_about_right(self, session, line):
        [ride] = next_leaving(session, TOWN, stop="S1", to="S2", at=MONDAY, limit=1).rides

        assert ride.arrives_about

    def test_there_is_no_ride_backwards(self, session, line):
        assert times(next_leaving(session, TOWN, stop="S2", to="S1", at=MONDAY)) == []

    @pytest.mark.parametrize(
        ("stop", "to"), [("matriz", "praia"), ("praia", "mirante"), ("mirante", "praia"), ("praia", "matriz")]
    )
    def test_of_a_tour_none_is_from_or_to_a_stop_between_its_ends_and_the_article_says_why(
        self, session, tmp_path, stop, to
    ):
        bring_in_orla(session, tmp_path / "orla")

        found = next_leaving(session, TOWN, stop=stop, to=to, at=MONDAY)

        assert found.rides == ()
        assert (found.outlook.next, found.outlook.next_day) == ((), None)
        assert [rule.article for rule in found.barred] == ["art. 4º e art. 13, VII"]

    def test_of_a_tour_is_from_end_to_end(self, session, tmp_path):
        bring_in_orla(session, tmp_path / "orla")

        found = next_leaving(session, TOWN, stop="matriz", to="mirante", at=MONDAY, limit=1)

        assert times(found) == ["30 10:00"]
        assert found.barred == ()

    def test_after_midnight_it_is_still_yesterdays_last(self, session, line):
        night = datetime(2026, 12, 1, 3, 5, tzinfo=UTC)

        found = next_leaving(session, TOWN, stop="S3", to="S1", at=night, limit=1)

        [ride] = found.rides
        assert (f"{ride.departure.at:%d %H:%M}", f"{ride.arrives:%H:%M}") == ("01 00:10", "00:30")
        assert ride.departure.service_day.day == 30

    def test_none_today_says_when_the_next_is(self, session, line):
        sunday = datetime(2026, 12, 6, 15, tzinfo=UTC)

        found = next_leaving(session, TOWN, stop="S1", at=sunday)

        assert found.outlook.next == ()
        assert f"{found.outlook.next_day.at:%d %H:%M}" == "07 10:00"

    def test_a_timetable_that_is_over_says_so(self, session, tmp_path):
        bring_in_orla(session, tmp_path / "orla")

        found = next_leaving(session, TOWN, itinerary="orla", at=datetime(2027, 2, 1, 12, tzinfo=UTC))

        assert found.rides == ()
        assert f"{found.expired_on:%d/%m/%Y}" == "31/12/2026"

    @pytest.mark.parametrize("asked", [{"stop": "X"}, {"stop": "S1", "to": "X"}, {"itinerary": "X"}, {}])
    def test_what_does_not_exist(self, session, line, asked):
        with pytest.raises(NothingHere):
            next_leaving(session, TOWN, at=MONDAY, **asked)


class TestDestinations:
    def codes(self, session, stop):
        return [each.code for each in destinations(session, TOWN, stop, at=MONDAY)]

    def test_of_a_line_are_the_stops_that_come_later_by_name(self, session, line):
        assert self.codes(session, "S1") == ["S2", "S3"]
        assert self.codes(session, "S3") == ["S1"]

    def test_of_a_tour_are_its_other_end_alone(self, session, tmp_path):
        bring_in_orla(session, tmp_path / "orla")

        assert self.codes(session, "matriz") == ["mirante"]

    def test_are_none_where_nobody_may_board(self, session, tmp_path):
        bring_in_orla(session, tmp_path / "orla")

        assert self.codes(session, "praia") == []

    def test_of_a_round_trip_are_none(self, session, tmp_path):
        tour = ITINERARIOS.replace("matriz > praia > mirante;sim", "matriz > praia > matriz;")
        departures = "itinerario;sentido;dias;horarios\norla;ida;seg-sex;10:00\n"
        bring_in_orla(session, tmp_path / "orla", itinerarios=tour, partidas=departures)

        assert self.codes(session, "matriz") == []

    def test_of_what_does_not_exist(self, session, line):
        with pytest.raises(NothingHere):
            destinations(session, TOWN, "X", at=MONDAY)
