from datetime import date

import pytest

from portal.domain.permits import Service
from portal.domain.verdicts import ListSeen
from portal.i18n import translator
from portal.wording.verdict_card import list_sentences

DAY = date(2026, 11, 28)


def register(service: Service) -> ListSeen:
    return ListSeen("Cadastro municipal", "register", DAY, service=service)


TRAINS, CARS = register(Service.RECREATIONAL), register(Service.RIDE_HAILING)
PLATFORM = ListSeen("Pé na Estrada", "platform", DAY, stale=True, service=Service.RIDE_HAILING)


class TestTheListsConsulted:
    @pytest.mark.parametrize(
        ("language", "said"),
        [
            ("pt_BR", "Cadastro municipal, lista de 28/11/2026"),
            ("en", "Municipal register, list of 28 Nov 2026"),
            ("es", "Registro municipal, lista del 28/11/2026"),
        ],
    )
    def test_a_register_that_stands_alone_is_only_named(self, language, said):
        assert list_sentences([TRAINS], translator(language)) == (said,)

    def test_registers_side_by_side_are_told_apart_by_their_service(self):
        assert list_sentences([TRAINS, CARS], translator("en")) == (
            "Municipal register of recreational transport, list of 28 Nov 2026",
            "Municipal register of ride-hailing, list of 28 Nov 2026",
        )

    def test_a_platform_keeps_its_name(self):
        assert list_sentences([PLATFORM], translator("es")) == (
            "Pé na Estrada, lista del 28/11/2026 (atrasada)",
        )

    def test_what_would_be_said_twice_is_said_once(self):
        assert len(list_sentences([PLATFORM, TRAINS, PLATFORM], translator("pt_BR"))) == 2
