from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import update

from portal.domain.errors import NothingHere, UnreadablePosition
from portal.domain.geo import Direction
from portal.domain.itineraries import ItineraryStatus, StopKind
from portal.domain.permits import EventKind, Service
from portal.regulations.schema import BoardingKind
from portal.services.itineraries.showing import (
    list_itineraries,
    list_stops,
    nearest_boarding_points,
    show_itinerary,
    show_stop,
)
from portal.storage.itineraries import StopRow
from tests.factories.feeds import FEED, ITINERARIOS, TOWN, bring_in, bring_in_orla, zip_of
from tests.factories.permits import happened, put_permit, unit

MONDAY = date(2026, 11, 30)
NOON = datetime(2026, 11, 30, 15, 0, tzinfo=UTC)
"""Twelve o'clock in Caraguatatuba."""


@pytest.fixture
def orla(session, tmp_path):
    return bring_in_orla(session, tmp_path / "orla")


class TestAnItinerary:
    def test_shows_its_ends_price_and_next_departures(self, session, orla):
        view = show_itinerary(session, TOWN, "orla", at=NOON)

        assert [end.name for end in view.summary.ends] == ["Praça da Matriz", "Mirante do Camaroeiro"]
        assert (view.summary.fare_centavos, view.summary.duration_minutes) == (2500, 30)
        assert [f"{each.at:%d %H:%M}" for each in view.outlook.next] == ["30 12:00", "01 00:15"]
        assert f"{view.outlook.last_today.at:%d %H:%M}" == "01 00:15"

    def test_its_ways_leave_from_their_own_ends(self, session, orla):
        outbound, inbound = show_itinerary(session, TOWN, "orla", at=NOON).ways

        assert (outbound.stops[0].code, inbound.stops[0].code) == ("matriz", "mirante")
        assert f"{inbound.outlook.next_day.at:%d %H:%M}" == "01 11:00"

    def test_boarding_is_allowed_at_the_two_ends_alone_by_the_decree(self, session, orla):
        view = show_itinerary(session, TOWN, "orla", at=NOON)

        assert view.boarding.kind is BoardingKind.ONLY_AT_ENDS
        assert "art. 4" in view.boarding.rules[0].article
        assert [stop.kind for stop in view.ways[0].stops] == [
            StopKind.BOARDING_POINT,
            StopKind.STOP,
            StopKind.BOARDING_POINT,
        ]

    def test_the_end_of_another_itinerary_on_its_way_is_no_place_to_board_it(self, session, tmp_path):
        bring_in_orla(
            session,
            tmp_path / "two",
            itinerarios=ITINERARIOS + "curto;Trenzinho curto;;;matriz > praia;;10,00;10;;\n",
            partidas="itinerario;dias;horarios\norla;todos;10:00\ncurto;todos;12:00\n",
        )

        orla = show_itinerary(session, TOWN, "orla", at=NOON)
        praia = show_stop(session, TOWN, "praia", at=NOON)

        assert orla.ways[0].stops[1].kind is StopKind.STOP
        assert praia.stop.kind is StopKind.BOARDING_POINT
        assert praia.outlook.next == ()

    def test_runs_on_a_holiday_as_its_table_says(self, session, orla):
        christmas = show_itinerary(session, TOWN, "orla", at=datetime(2026, 12, 25, 12, tzinfo=UTC))

        assert christmas.holiday
        assert [f"{each.at:%d %H:%M}" for each in christmas.ways[0].outlook.next] == ["25 15:00"]

    def test_a_holiday_is_pointed_out_only_where_the_table_does_not_speak_of_it(self, session, tmp_path):
        christmas = datetime(2026, 12, 25, 12, tzinfo=UTC)
        days = "itinerario;dias;horarios\norla;{};10:00\n"

        bring_in_orla(session, tmp_path / "a", partidas=days.format("seg-sex"))
        assert show_itinerary(session, TOWN, "orla", at=christmas).holiday

        bring_in_orla(session, tmp_path / "b", partidas=days.format("seg-sex menos feriados"))
        assert show_itinerary(session, TOWN, "orla", at=christmas).holiday is None

    def test_an_expired_timetable_says_so_and_shows_the_last_week_it_knew(self, session, orla):
        view = show_itinerary(session, TOWN, "orla", at=datetime(2027, 2, 1, 12, tzinfo=UTC))

        assert view.summary.expired
        assert (view.outlook.next, view.outlook.next_day) == ((), None)
        assert any(group.departures for group in view.week)

    def test_of_another_town_is_not_here(self, session, orla):
        with pytest.raises(NothingHere):
            show_itinerary(session, "santa-rita-pb", "orla", at=NOON)


class TestAuthorised:
    def status(self, session, on=MONDAY):
        [itinerary] = list_itineraries(session, TOWN, on=on).itineraries
        return itinerary.status

    def test_only_while_a_permit_in_force_names_it(self, session, orla):
        assert self.status(session) is ItineraryStatus.NOT_IN_FORCE

        put_permit(session, itinerary="orla", year=2026, trade_name="Trenzinho Inventado")

        assert self.status(session) is ItineraryStatus.AUTHORIZED
        assert self.status(session, date(2026, 12, 31)) is ItineraryStatus.AUTHORIZED
        assert self.status(session, date(2027, 1, 1)) is ItineraryStatus.NOT_IN_FORCE

    def test_not_by_a_permit_that_is_suspended(self, session, orla):
        put_permit(session, itinerary="orla", also=(happened(EventKind.SUSPENSION, date(2026, 11, 20)),))

        assert self.status(session) is ItineraryStatus.NOT_IN_FORCE

    def test_not_by_a_permit_whose_holder_is_kept_out(self, session, orla):
        """Caraguatatuba, art. 22: the revoked permit named another itinerary, or none."""
        vehicle = {"plate": "BRA2E19", "trade_name": "Trenzinho Inventado"}
        revoked = happened(EventKind.REVOCATION, date(2026, 6, 1))
        put_permit(session, number="2026/0001", also=(revoked,), **vehicle)
        put_permit(session, number="2026/0002", itinerary="orla", issued=date(2026, 8, 3), **vehicle)

        assert self.status(session) is ItineraryStatus.NOT_IN_FORCE

    def test_a_barred_trailer_takes_its_seats_along(self, session, orla):
        put_permit(
            session,
            itinerary="orla",
            number="2026/0007",
            units=(unit("BRA3E19", 1, "tractor", capacity=10), unit("BRA4E19", 2, "trailer", capacity=24)),
            also=(happened(EventKind.INSPECTION_FAILED, date(2026, 11, 3), unit=2),),
        )

        [permit] = show_itinerary(session, TOWN, "orla", at=NOON).permits
        assert (permit.number, permit.capacity) == ("2026/0007", 10)

    def test_a_plate_stands_nowhere(self, session, orla):
        put_permit(session, itinerary="orla", plate="BRA9Z99")

        assert "BRA9Z99" not in repr(show_itinerary(session, TOWN, "orla", at=NOON))

    def test_a_bus_line_is_never_called_recreational(self, session, tmp_path):
        bring_in(session, "gtfs", zip_of(tmp_path / "f.zip", FEED))
        put_permit(session, itinerary="R1")

        [line] = list_itineraries(session, TOWN, on=MONDAY).itineraries
        assert (line.service, line.status) == (None, ItineraryStatus.NOT_OURS)
        assert line.operator == "Viação Inventada"

    def test_what_follows_a_bill_is_marked_so(self, session, tmp_path):
        bring_in_orla_in_santa_rita = {"municipality": "santa-rita-pb", "service": Service.TOURISM}
        bring_in(session, "gtfs", zip_of(tmp_path / "f.zip", FEED), **bring_in_orla_in_santa_rita)

        listed = list_itineraries(session, "santa-rita-pb", on=MONDAY)
        assert [each.status for each in listed.itineraries] == [ItineraryStatus.OF_BILL]

    @pytest.mark.parametrize("town", ["chapada-dos-guimaraes-mt", "sao-joao-da-boa-vista-sp"])
    def test_elsewhere_boarding_is_by_the_application_alone(self, session, town):
        listed = list_itineraries(session, town, on=MONDAY)

        assert listed.itineraries == ()
        assert listed.only_by_app == (Service.RIDE_HAILING,)


class TestStops:
    def test_by_name(self, session, orla):
        listed = list_stops(session, TOWN)

        assert [stop.code for stop in listed.stops] == ["praia", "mirante", "matriz"]

    def test_what_leaves_from_one(self, session, orla):
        view = show_stop(session, TOWN, "mirante", at=NOON)

        assert [each.code for each in view.itineraries] == ["orla"]
        assert f"{view.outlook.next_day.at:%d %H:%M}" == "01 11:00"

    def test_nothing_leaves_where_nobody_may_board(self, session, orla):
        assert show_stop(session, TOWN, "praia", at=NOON).outlook.next == ()


class TestNearest:
    def test_with_distance_minutes_direction_and_next_departure(self, session, orla):
        nearest, other = nearest_boarding_points(session, -23.6210, -45.4100, at=NOON)

        assert (nearest.stop.code, nearest.metres, nearest.minutes) == ("matriz", 111, 2)
        assert nearest.direction is Direction.NORTH
        assert f"{nearest.next.at:%H:%M}" == "12:00"
        assert other.stop.code == "mirante"

    def test_the_last_day_of_a_stop_ends_at_midnight_in_the_town(self, session, orla):
        """Not three hours before, when it is midnight in Greenwich."""
        session.execute(update(StopRow).values(valid_until=date(2026, 12, 31)))
        last_minute = datetime(2027, 1, 1, 2, 59, tzinfo=UTC)

        def found(at):
            return len(nearest_boarding_points(session, -23.62, -45.41, at=at))

        assert (found(last_minute), found(last_minute + timedelta(minutes=1))) == (2, 0)

    def test_where_nobody_may_board_is_not_among_them(self, session, orla):
        found = nearest_boarding_points(session, -23.6250, -45.4050, at=NOON)

        assert "praia" not in [each.stop.code for each in found]

    def test_from_another_town_far_away_none_is_near(self, session, orla):
        assert nearest_boarding_points(session, -7.1, -34.9, at=NOON) == ()

    @pytest.mark.parametrize("pair", [(0, 0), (-123, -45)])
    def test_what_can_be_no_place(self, session, orla, pair):
        with pytest.raises(UnreadablePosition):
            nearest_boarding_points(session, *pair, at=NOON)
