from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from portal.domain.geo import Direction
from portal.domain.itineraries import ItineraryStatus, StopKind
from portal.i18n import translator
from portal.wording.itineraries import (
    away_sentence,
    days_words,
    direction_words,
    distance_words,
    duration_words,
    fare_words,
    itinerary_status_sentence,
    itinerary_status_word,
    stop_kind_sentence,
)

_ = translator("pt_BR")
MONDAY = date(2026, 11, 30)


def days(*numbers):
    return [MONDAY + timedelta(number) for number in numbers]


class TestDays:
    @pytest.mark.parametrize(
        ("ahead", "said"),
        [
            (range(7), "Todos os dias"),
            (range(5), "Segunda-feira a sexta-feira"),
            ((5, 6), "Sábado e domingo"),
            ((0, 2, 4), "Segunda-feira, quarta-feira e sexta-feira"),
        ],
    )
    def test_are_said_as_a_range_where_they_follow_each_other(self, ahead, said):
        assert days_words(days(*ahead), _) == said

    def test_a_range_cut_by_the_start_of_the_week_is_one(self):
        thursday = [MONDAY + timedelta(n) for n in (3, 4, 7, 8, 9)]

        assert days_words(thursday, _) == "Segunda-feira a sexta-feira"


@pytest.mark.parametrize(("metres", "said"), [(4, "10 m"), (304, "300 m"), (999, "1 km"), (1234, "1,2 km")])
def test_distances(metres, said):
    assert distance_words(metres, _) == said


@pytest.mark.parametrize(("minutes", "said"), [(1, "1 minuto"), (40, "40 minutos"), (125, "2 h 5 min")])
def test_durations(minutes, said):
    assert duration_words(minutes, _) == said


def test_prices():
    assert fare_words(0, _) == "Grátis"
    assert fare_words(2550, _).replace("\xa0", " ") == "R$ 25,50"


def test_every_status_direction_and_kind_is_worded():
    for status in ItineraryStatus:
        assert itinerary_status_word(status, _)
        assert itinerary_status_sentence(status, _).endswith(".")
    assert len({direction_words(direction, _) for direction in Direction}) == 8
    assert len({stop_kind_sentence(kind, _) for kind in StopKind}) == 2


class TestADeviceOnAnotherClock:
    @pytest.mark.parametrize(
        ("zone", "said"),
        [
            ("America/Sao_Paulo", "(UTC−3)"),
            ("America/Cuiaba", "(UTC−4)"),
            ("UTC", "(UTC+0)"),
            ("Asia/Kolkata", "(UTC+5:30)"),
        ],
    )
    def test_is_told_whose_hours_these_are_and_their_zone(self, zone, said):
        noon = datetime(2026, 11, 30, 12, tzinfo=ZoneInfo(zone))

        assert said in away_sentence("Vila", noon, _)
