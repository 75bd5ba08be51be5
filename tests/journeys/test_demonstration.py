"""What the demonstration tells people to write to the bot is understood there, and its links lead somewhere."""

import pytest

from portal import clock
from portal.config import settings
from portal.demo import load_demonstration
from portal.services.demonstration import Subject, list_cases
from portal.services.unit_of_work import unit_of_work
from portal.wording.demonstration import case_address, case_bot_phrase
from tests.telegram.driving import answering_at_once
from tests.telegram.world import World

ITINERARIES = {
    "ORLA": "Rodoviária – Martim de Sá",
    "NOITE": "noturno",
    "FERIADO": "só feriados",
    "BRAVA": "Praia Brava",
    "MORRO": "Morro Santo Antônio",
    "USINA": "Roteiro da Usina",
}


@pytest.fixture
def cases(keys, database):
    load_demonstration(now=clock.now())
    with unit_of_work() as session:
        return list_cases(session)


class TestTheListOfCases:
    def test_every_phrase_is_understood_by_the_bot(self, cases):
        world = World()
        with answering_at_once(settings(), world):
            for case in cases:
                if phrase := case_bot_phrase(case):
                    person = world.person()
                    person.says(phrase)
                    said = person.read() + " ".join(person.last_message.buttons)
                    assert _wanted(case) in said, phrase

    def test_every_link_leads_to_a_page(self, cases, client):
        for case in cases:
            if address := case_address(case):
                assert client.get(address).status_code == 200, address


def _wanted(case):
    match case.subject:
        case Subject.VEHICLE:
            return case.query
        case Subject.ITINERARY:
            return ITINERARIES[case.itinerary]
        case _:
            return case.protocol
