"""The ombudsman's question whether an identity may be told, answered in the chat."""

import re
from datetime import timedelta

import pytest

from portal import clock
from portal.domain.staff import Role
from portal.services.complaints import disclosures
from portal.services.people import staff
from portal.services.unit_of_work import unit_of_work
from portal.storage.disclosures import IdentityRequestRow
from tests.bot.handlers.test_complaints import answer_all, rows
from tests.bot.town import NOW, TOWN

pytestmark = pytest.mark.usefixtures("at_two")


@pytest.fixture
def pair(ana):
    """Protocol and key of a complaint of Ana's whose identity is sealed and may be asked for."""
    answer_all(ana)
    ana.presses("Com identidade protegida")
    ana.says("Maria Exemplo, maria@example.org")
    found = re.search(r"Protocolo: (\S+)\nChave de acesso: ([^\n]+)", ana.read())
    assert found
    with unit_of_work(writes=True) as session:
        member = staff.add_staff(
            session, municipality=TOWN, login="o", name="O", role=Role.OMBUDSMAN, password="x" * 20, now=NOW
        )
        disclosures.ask_consent(session, member, found[1], "Secretaria de Exemplo", "Para ouvir.", now=NOW)
    return found.groups()


def state():
    [row] = rows(IdentityRequestRow)
    return row.state


class TestTheQuestion:
    def test_comes_under_the_case_with_to_whom_and_why(self, ana, pair):
        ana.says(" ".join(pair))

        assert "Secretaria de Exemplo" in ana.last_message
        assert "Para ouvir." in ana.last_message
        assert ana.last_message.buttons == ["Autorizo", "Não autorizo"]

    @pytest.mark.parametrize(("label", "kept"), [("Autorizo", "granted"), ("Não autorizo", "refused")])
    def test_one_tap_answers_it(self, ana, pair, label, kept):
        ana.says(" ".join(pair))
        ana.presses(label)

        assert state() == kept

    def test_once_answered_it_is_not_asked_again(self, ana, pair):
        ana.says(" ".join(pair))
        ana.presses("Autorizo")
        ana.says(" ".join(pair))

        assert "Secretaria de Exemplo pede" not in ana.read()
        assert "Autorizo" not in ana.last_message.buttons

    def test_a_button_that_was_made_up_decides_nothing(self, ana, pair):
        ana.presses_data(f"consent|yes|1|{pair[0]}")

        assert state() == "asked"

    def test_nor_does_one_of_hours_ago(self, ana, pair, monkeypatch):
        ana.says(" ".join(pair))
        monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(hours=2))
        ana.presses("Autorizo")

        assert state() == "asked"
