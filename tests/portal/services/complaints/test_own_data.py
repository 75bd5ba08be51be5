from datetime import timedelta

import pytest

from portal.domain.errors import NotAllowed, NothingHere, TicketExpired
from portal.domain.staff import Role
from portal.services.complaints import own_data
from portal.services.complaints.tracking import issue_ticket
from portal.services.people.audit import history_of
from portal.storage.complaints import ComplaintMessageRow, SealedIdentityRow
from tests.factories.complaints import put_complaint
from tests.portal.services.complaints.test_disclosures import NOW, TOWN, staff


@pytest.fixture(autouse=True)
def _environment(environment):
    """The secret that tickets are made with."""


@pytest.fixture
def ana(session):
    return staff(session)


@pytest.fixture
def case(session):
    row = put_complaint(session, identity_mode="sealed", story="O motorista corria.")
    session.add(SealedIdentityRow(complaint_id=row.id, key_id="k", box=b"Fulana", sealed_at=NOW))
    session.add(ComplaintMessageRow(complaint_id=row.id, at=NOW, sender="citizen", text="Mais uma coisa."))
    session.flush()
    return row


@pytest.fixture
def ticket(case):
    return issue_ticket(case.protocol, now=NOW)


class TestAskingForOnesOwnData:
    def test_the_desk_finds_the_request(self, session, ana, case, ticket):
        own_data.ask(session, ticket, now=NOW)

        assert [one.protocol for one in own_data.waiting_requests(session, ana)] == [case.protocol]

    def test_pressing_twice_is_one_request(self, session, ana, ticket):
        own_data.ask(session, ticket, now=NOW)
        own_data.ask(session, ticket, now=NOW)

        assert len(own_data.waiting_requests(session, ana)) == 1

    def test_it_is_handed_out_only_once_the_desk_has_answered(self, session, ana, case, ticket):
        own_data.ask(session, ticket, now=NOW)
        with pytest.raises(NothingHere):
            own_data.export(session, ticket, now=NOW)

        own_data.answer(session, ana, case.protocol, now=NOW)

        held = own_data.export(session, ticket, now=NOW)
        assert held["story"] == "O motorista corria."
        assert [message["text"] for message in held["messages"]] == ["Mais uma coisa."]
        assert [event["what"] for event in held["events"]] == ["data_asked", "data_ready"]
        assert held["identity"]["sealed_at"] == NOW.isoformat()
        assert "Fulana" not in str(held)

    def test_the_answer_is_recorded(self, session, ana, case, ticket):
        own_data.ask(session, ticket, now=NOW)
        own_data.answer(session, ana, case.protocol, now=NOW)

        (entry,) = history_of(session, TOWN, f"complaint:{case.id}")
        assert (entry.action, entry.actor) == ("data.delivered", f"staff:{ana.id}")
        assert own_data.waiting_requests(session, ana) == ()

    def test_what_nobody_asked_for_is_not_answered(self, session, ana, case):
        with pytest.raises(NothingHere):
            own_data.answer(session, ana, case.protocol, now=NOW)

    def test_without_the_key_there_is_nothing(self, session, ana, case, ticket):
        own_data.ask(session, ticket, now=NOW)
        own_data.answer(session, ana, case.protocol, now=NOW)

        with pytest.raises(TicketExpired):
            own_data.export(session, "a-ticket", now=NOW)
        with pytest.raises(TicketExpired):
            own_data.export(session, ticket, now=NOW + timedelta(minutes=61))

    @pytest.mark.parametrize("role", [Role.INSPECTOR, Role.CLERK, Role.AUDITOR])
    def test_nobody_but_the_ombudsman_answers(self, session, case, ticket, role):
        own_data.ask(session, ticket, now=NOW)
        other = staff(session, role)

        with pytest.raises(NotAllowed):
            own_data.waiting_requests(session, other)
        with pytest.raises(NotAllowed):
            own_data.answer(session, other, case.protocol, now=NOW)

    def test_another_town_sees_none(self, session, case, ticket):
        own_data.ask(session, ticket, now=NOW)
        stranger = staff(session, town="chapada-dos-guimaraes-mt")

        assert own_data.waiting_requests(session, stranger) == ()
        with pytest.raises(NothingHere):
            own_data.answer(session, stranger, case.protocol, now=NOW)
