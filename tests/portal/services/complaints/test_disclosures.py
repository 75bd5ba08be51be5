import json
from datetime import UTC, datetime, timedelta

import pytest

from portal.domain.complaints import EventKind
from portal.domain.errors import (
    ConsentMissing,
    IdentityNotHere,
    NotAllowed,
    NothingHere,
    OrderNumberMissing,
    ReasonMissing,
    RecipientMissing,
    StepNotAllowed,
    TicketExpired,
)
from portal.domain.staff import Role, StaffMember
from portal.services.complaints import disclosures
from portal.services.complaints.disclosures import State
from portal.services.complaints.tracking import issue_ticket
from portal.services.people.audit import history_of
from portal.services.people.staff import add_staff
from portal.storage.complaints import SealedIdentityRow, events_of
from tests.factories.complaints import put_complaint

NOW = datetime(2030, 3, 10, 12, 0, tzinfo=UTC)
TOWN = "caraguatatuba-sp"
TOLD = {"name": "Fulana de Tal", "email": "fulana@example.org", "phone": None}
UNIT, WHY = "Secretaria de Mobilidade", "Para o depoimento no processo."


def open_box(box: bytes, _record: str) -> bytes:
    return box


@pytest.fixture(autouse=True)
def _environment(environment):
    """The secret that tickets are made with."""


def staff(session, role=Role.OMBUDSMAN, town=TOWN) -> StaffMember:
    return add_staff(
        session,
        municipality=town,
        login=f"{role}.{town}",
        name=role,
        role=role,
        password="cavalo correto bateria",
        now=NOW,
    )


@pytest.fixture
def ana(session):
    return staff(session)


@pytest.fixture
def case(session):
    row = put_complaint(session, identity_mode="sealed")
    box = json.dumps(TOLD).encode()
    session.add(SealedIdentityRow(complaint_id=row.id, key_id="k", box=box, sealed_at=NOW))
    session.flush()
    return row


@pytest.fixture
def ticket(case):
    return issue_ticket(case.protocol, now=NOW)


def ask(session, ana, case):
    return disclosures.ask_consent(session, ana, case.protocol, UNIT, WHY, now=NOW)


def tell(session, who, case, request):
    return disclosures.tell_with_consent(session, who, case.protocol, request.id, open_box=open_box, now=NOW)


def by_order(session, who, case, *, order="0001234-56.2030.8.26.0126", to="2ª Vara", why="Instrução."):
    return disclosures.tell_by_order(session, who, case.protocol, to, order, why, open_box=open_box, now=NOW)


def told(session, case):
    return [(event.kind, event.reason) for event in events_of(session, case.id)]


class TestConsent:
    def test_without_an_answer_it_stays_with_the_ombudsman(self, session, ana, case):
        request = ask(session, ana, case)

        with pytest.raises(ConsentMissing, match="asked"):
            tell(session, ana, case, request)

    def test_a_no_keeps_it_there(self, session, ana, case, ticket):
        request = ask(session, ana, case)
        disclosures.decide(session, ticket, request.id, False, now=NOW)

        with pytest.raises(ConsentMissing, match="refused"):
            tell(session, ana, case, request)

    def test_a_yes_lets_it_be_told_once(self, session, ana, case, ticket):
        request = ask(session, ana, case)
        disclosures.decide(session, ticket, request.id, True, now=NOW)

        assert tell(session, ana, case, request).name == "Fulana de Tal"
        with pytest.raises(ConsentMissing, match="told"):
            tell(session, ana, case, request)

    def test_the_person_may_think_again_until_it_is_told(self, session, ana, case, ticket):
        request = ask(session, ana, case)
        for answer in (True, False, True):
            disclosures.decide(session, ticket, request.id, answer, now=NOW)
        disclosures.decide(session, ticket, request.id, False, now=NOW)
        with pytest.raises(ConsentMissing):
            tell(session, ana, case, request)

        disclosures.decide(session, ticket, request.id, True, now=NOW)
        tell(session, ana, case, request)
        with pytest.raises(StepNotAllowed):
            disclosures.decide(session, ticket, request.id, False, now=NOW)

    def test_every_step_stands_in_what_the_person_reads(self, session, ana, case, ticket):
        request = ask(session, ana, case)
        disclosures.decide(session, ticket, request.id, True, now=NOW)
        tell(session, ana, case, request)

        assert told(session, case) == [
            (EventKind.CONSENT_ASKED, f"{UNIT}: {WHY}"),
            (EventKind.CONSENT_GIVEN, UNIT),
            (EventKind.IDENTITY_TOLD, UNIT),
        ]
        (read,) = disclosures.requests_of_ticket(session, ticket, now=NOW)
        assert (read.recipient, read.state, read.decided_at) == (UNIT, State.TOLD, NOW)

    def test_the_log_names_the_request_and_no_word_of_it(self, session, ana, case, ticket):
        request = ask(session, ana, case)
        disclosures.decide(session, ticket, request.id, True, now=NOW)
        tell(session, ana, case, request)

        entries = history_of(session, TOWN, f"complaint:{case.id}")
        assert [entry.action for entry in entries] == ["identity.consent_asked", "identity.disclosed"]
        assert all(entry.reason.startswith(f"disclosure:{request.id} hmac:") for entry in entries)

    def test_another_case_decides_nothing_of_this_one(self, session, ana, case):
        request = ask(session, ana, case)
        other = put_complaint(session, identity_mode="sealed")

        with pytest.raises(NothingHere):
            disclosures.decide(session, issue_ticket(other.protocol, now=NOW), request.id, True, now=NOW)
        with pytest.raises(NothingHere):
            tell(session, ana, other, request)

    def test_an_hour_after_the_key_was_shown_it_is_asked_for_again(self, session, ana, case, ticket):
        request = ask(session, ana, case)

        with pytest.raises(TicketExpired):
            disclosures.decide(session, ticket, request.id, True, now=NOW + timedelta(minutes=61))

    def test_nobody_is_asked_for_what_is_not_there(self, session, ana):
        anonymous = put_complaint(session)

        with pytest.raises(IdentityNotHere):
            ask(session, ana, anonymous)

    def test_a_case_that_has_ended_is_not_asked_any_more(self, session, ana, case):
        case.status = "withdrawn"

        with pytest.raises(StepNotAllowed):
            ask(session, ana, case)

    @pytest.mark.parametrize(
        ("to", "why", "error"), [(" ", WHY, RecipientMissing), (UNIT, "", ReasonMissing)]
    )
    def test_to_whom_and_why_are_said(self, session, ana, case, to, why, error):
        with pytest.raises(error):
            disclosures.ask_consent(session, ana, case.protocol, to, why, now=NOW)


class TestAnOrderOfACourt:
    def test_it_needs_no_consent_and_the_person_reads_its_number(self, session, ana, case):
        assert by_order(session, ana, case).email == "fulana@example.org"

        assert told(session, case) == [
            (EventKind.IDENTITY_ORDERED, "2ª Vara · 0001234-56.2030.8.26.0126 · Instrução.")
        ]

    @pytest.mark.parametrize("order", ["", "  ", "urgente", "\u200b"])
    def test_without_a_number_there_is_no_order(self, session, ana, case, order):
        with pytest.raises(OrderNumberMissing):
            by_order(session, ana, case, order=order)

        assert told(session, case) == []

    def test_a_consent_asked_for_is_not_an_order(self, session, ana, case, ticket):
        request = ask(session, ana, case)
        by_order(session, ana, case)

        with pytest.raises(ConsentMissing):
            tell(session, ana, case, request)


class TestWhoever:
    @pytest.mark.parametrize("role", [Role.INSPECTOR, Role.CLERK, Role.AUDITOR])
    def test_is_not_the_ombudsman_gets_nothing(self, session, ana, case, ticket, role):
        request = ask(session, ana, case)
        disclosures.decide(session, ticket, request.id, True, now=NOW)
        other = staff(session, role)

        for attempt in (
            lambda: ask(session, other, case),
            lambda: tell(session, other, case, request),
            lambda: by_order(session, other, case),
        ):
            with pytest.raises(NotAllowed):
                attempt()

    def test_is_of_another_town_finds_nothing(self, session, ana, case):
        request = ask(session, ana, case)
        stranger = staff(session, town="chapada-dos-guimaraes-mt")

        for attempt in (
            lambda: tell(session, stranger, case, request),
            lambda: by_order(session, stranger, case),
            lambda: disclosures.requests_of_case(session, stranger, case.protocol),
        ):
            with pytest.raises(NothingHere):
                attempt()
