"""A town that no line of code knows works in the chat."""

from datetime import UTC, date, datetime

import pytest

from portal import clock
from portal.domain.permits import Service
from portal.services.unit_of_work import unit_of_work
from tests.factories.made_up import SLUG, only_exemplo
from tests.factories.permits import put_list, put_permit


@pytest.fixture
def exemplo(monkeypatch, database):
    monkeypatch.setattr(clock, "now", lambda: datetime(2030, 6, 1, 15, tzinfo=UTC))
    with only_exemplo():
        with unit_of_work(writes=True) as session:
            put_list(session, SLUG, as_of=date(2030, 6, 1))
            put_permit(
                session,
                SLUG,
                plate="BRA2E19",
                number="1",
                permit_type="wagon",
                year=None,
                issued=date(2030, 4, 10),
            )
        yield


def test_a_plate_is_answered_with_its_law(exemplo, ana):
    ana.says("/verificar BRA2E19")

    assert "Exemplo" in ana.read()
    assert "15/10/2031" in ana.read()


def test_the_questionnaire_has_its_kinds_of_complaint(exemplo, ana):
    ana.says("/reclamar")
    ana.presses("Exemplo")

    assert "Veículo lotado além do permitido" in ana.last_message.buttons


def test_papers_that_go_together_are_judged_in_the_chat_too(exemplo, ana):
    with unit_of_work(writes=True) as session:
        put_permit(
            session,
            SLUG,
            plate="BRA4E19",
            number="90",
            service=Service.TOURISM,
            permit_type="carriage",
            year=2030,
            issued=date(2030, 2, 10),
        )
    ana.says("BRA4E19")

    assert "também é preciso “Licença da cocheira”" in ana.read()
