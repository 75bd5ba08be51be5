"""The page about the state of the service, for the people who run it."""

from datetime import date

from portal.domain.permits import Service
from portal.i18n import translator
from portal.services.oversight import ListAge
from portal.wording.oversight import list_words

STATE = "/mesa/estado/"


class TestTheStateOfTheService:
    def test_is_found_in_the_menu_by_whoever_may_see_it(self, ana):
        assert f'href="{STATE}"' in ana.get("/mesa/").text
        page = ana.get(STATE)
        assert page.status_code == 200
        assert f'href="{STATE}" aria-current="true"' in page.text

    def test_calls_no_list_by_a_name_of_the_code(self):
        places = ListAge(Service.RECREATIONAL, "itineraries", "places", date(2030, 3, 1), 9)
        assert list_words(places, translator("pt_BR")) == "Nomes de lugares"
