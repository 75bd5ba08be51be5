from datetime import UTC, datetime

import pytest

from bot.timetables import stop_text
from portal.i18n import translator
from portal.services.itineraries.showing import show_stop
from portal.services.unit_of_work import unit_of_work
from tests.factories.feeds import TOWN, bring_in_orla


@pytest.fixture
def text(database, tmp_path):
    with unit_of_work(writes=True) as session:
        bring_in_orla(session, tmp_path / "orla")

    def text(*moment):
        with unit_of_work() as session:
            return stop_text(
                show_stop(session, TOWN, "matriz", at=datetime(*moment, tzinfo=UTC)), translator("pt")
            )

    return text


class TestAStop:
    def test_says_when_the_last_one_leaves(self, text):
        assert "Última saída de hoje: 00:15, já em 01/12/2026." in text(2026, 11, 30, 15)

    def test_says_of_which_itinerary_the_timetable_is_over(self, text):
        assert "Estes horários valiam até 31/12/2026" in text(2027, 1, 1, 15)
