"""Asking a unit: whom the law names on the day of the fact, what goes to it, and its clock inside the complaint's."""

from datetime import UTC, date, datetime, timedelta

import pytest

from portal.domain.errors import CaseChanged, ExtensionRefused, NothingHere, ReasonMissing, UnitMissing
from portal.domain.redaction import MASK
from portal.services import casework
from portal.services.people.audit import history_of
from portal.storage.complaints import ComplaintMessageRow
from tests.factories.complaints import put_complaint
from tests.portal.services.casework.conftest import FILED, NOW, TODAY, TOWN

SAO_JOAO = "sao-joao-da-boa-vista-sp"
SANTA_RITA = "santa-rita-pb"


def asked(session, staff, case, **told):
    return casework.forward_case(session, staff, case.protocol, "Fiscalização", now=NOW, **told)


def requests(session, staff, case, today=TODAY):
    return casework.read_case(session, staff, case.protocol, today=today).requests


class TestWhomTheLawNames:
    def test_the_competent_one_stands_first_with_its_article(self, session, ana):
        case = put_complaint(session, category="noise", service="recreativo", filed_at=FILED)

        prepared = casework.prepare_forwarding(session, ana, case.protocol)

        first = prepared.competent[0]
        assert "Fiscalização" in first.name
        assert (first.matter, first.article) == ("inspection", "art. 24")

    def test_it_is_the_law_in_force_on_the_day_of_the_fact(self, session):
        from tests.portal.services.casework.conftest import member_of

        ana = member_of(session, SAO_JOAO)
        told = {"municipality": SAO_JOAO, "category": "unauthorised_transport", "service": "aplicativo"}

        def named(day):
            case = put_complaint(
                session, **told, facts={"when": {"kind": "at", "date": day, "time": None}}, filed_at=FILED
            )
            return [one.name for one in casework.prepare_forwarding(session, ana, case.protocol).competent]

        assert named("2024-06-01") != named("2025-06-01")

    def test_where_no_law_is_in_force_nobody_is_named_and_it_stays_with_the_ombudsman(self, session):
        from tests.portal.services.casework.conftest import member_of

        ana = member_of(session, SANTA_RITA)
        case = put_complaint(session, municipality=SANTA_RITA, category="noise", filed_at=FILED)

        prepared = casework.prepare_forwarding(session, ana, case.protocol)
        assert prepared.competent == ()

        casework.forward_case(session, ana, case.protocol, "Quem a ouvidoria achar certo", now=NOW)
        (request,) = requests(session, ana, case)
        assert (request.unit, request.article) == ("Quem a ouvidoria achar certo", None)


class TestTheCopy:
    STORY = "Liguei (12) 99999-9999. Placa BRA2E19; o ABC1D23 viu. Meu CPF é 123.456.789-09, meu CPF: 12345678909."

    def test_what_tells_the_author_is_masked_and_the_vehicle_stays(self, session, ana):
        case = put_complaint(session, story=self.STORY, filed_at=FILED)

        asked(session, ana, case)

        (request,) = requests(session, ana, case)
        assert request.copy.count(MASK) == 4
        assert "BRA2E19" in request.copy

    def test_what_somebody_writes_into_it_is_masked_again(self, session, ana, case):
        asked(session, ana, case, copy="Mandou de maria@example.org", question="Falar com 12 99999-9999?")

        (request,) = requests(session, ana, case)
        assert "example" not in request.copy
        assert "99999" not in (request.question or "")

    def test_what_the_citizen_added_goes_along(self, session, ana, case):
        session.add(ComplaintMessageRow(complaint_id=case.id, at=NOW, sender="citizen", text="Foi às 14:30."))
        session.flush()

        assert "Foi às 14:30." in casework.prepare_forwarding(session, ana, case.protocol).copy

    def test_no_file_goes_by_itself(self, session, ana, case):
        asked(session, ana, case)

        assert requests(session, ana, case)[0].files == ()

    def test_a_file_of_another_complaint_does_not_go(self, session, ana, case):
        with pytest.raises(NothingHere):
            asked(session, ana, case, files=["somebody-elses"])

    def test_a_unit_is_named(self, session, ana, case):
        with pytest.raises(UnitMissing):
            casework.forward_case(session, ana, case.protocol, " ", now=NOW)


class TestItsClock:
    """Asked on 10 March: 20 days end on 30 March, one day before the complaint's own 31 March."""

    def test_it_has_twenty_days(self, session, ana, case):
        asked(session, ana, case)

        (request,) = requests(session, ana, case)
        assert (request.due_on, request.days_left) == (date(2030, 3, 30), 20)

    def test_never_more_than_what_is_left_of_the_complaint(self, session, ana, case):
        casework.forward_case(session, ana, case.protocol, "X", now=FILED + timedelta(days=15))

        assert requests(session, ana, case)[0].due_on == case.due_on == date(2030, 3, 31)

    def test_an_extended_complaint_gives_the_unit_its_whole_time_back(self, session, ana, case):
        at = FILED + timedelta(days=15)
        casework.forward_case(session, ana, case.protocol, "X", now=at)

        casework.extend_deadline(session, ana, case.protocol, "Falta o laudo.", now=at)

        assert requests(session, ana, case)[0].due_on == date(2030, 4, 5)

    def test_twenty_more_once_inside_the_extended_sixty(self, session, ana, case):
        number = asked(session, ana, case)
        casework.extend_deadline(session, ana, case.protocol, "Falta o laudo.", now=NOW)

        due = casework.extend_unit(session, ana, case.protocol, number, "Vistoria marcada.", now=NOW)

        assert due == date(2030, 4, 19)
        with pytest.raises(ExtensionRefused) as refused:
            casework.extend_unit(session, ana, case.protocol, number, "De novo.", now=NOW)
        assert refused.value.why == "extended"

    def test_a_reason_is_needed(self, session, ana, case):
        number = asked(session, ana, case)

        with pytest.raises(ReasonMissing):
            casework.extend_unit(session, ana, case.protocol, number, " ", now=NOW)

    def test_the_day_after_its_last_is_too_late(self, session, ana, case):
        number = asked(session, ana, case)

        with pytest.raises(ExtensionRefused) as refused:
            casework.extend_unit(
                session, ana, case.protocol, number, "Tarde.", now=datetime(2030, 3, 31, 15, tzinfo=UTC)
            )
        assert refused.value.why == "over"

    def test_without_time_left_in_the_complaint_there_is_none_to_give(self, session, ana, case):
        at = FILED + timedelta(days=15)
        number = casework.forward_case(session, ana, case.protocol, "X", now=at)

        with pytest.raises(ExtensionRefused) as refused:
            casework.extend_unit(session, ana, case.protocol, number, "Vistoria.", now=at)
        assert refused.value.why == "capped"

    def test_the_inbox_counts_it(self, session, ana, case):
        asked(session, ana, case)

        (line,) = casework.list_cases(session, ana, today=TODAY).lines
        assert (line.unit_due_on, line.unit_days_left) == (date(2030, 3, 30), 20)


class TestItsReply:
    def test_the_complaint_is_in_review_again_once_all_have_answered(self, session, ana, case):
        first = asked(session, ana, case)
        second = casework.forward_case(session, ana, case.protocol, "Outro órgão", now=NOW)

        casework.record_reply(session, ana, case.protocol, first, "Fomos ao local.", now=NOW)
        assert case.status == "forwarded"
        casework.record_reply(session, ana, case.protocol, second, "Nada consta.", now=NOW)

        assert case.status == "in_review"
        assert [one.answer for one in requests(session, ana, case)] == ["Fomos ao local.", "Nada consta."]
        assert casework.list_cases(session, ana, today=TODAY).lines[0].unit_due_on is None

    def test_twice_is_refused(self, session, ana, case):
        number = asked(session, ana, case)
        casework.record_reply(session, ana, case.protocol, number, "Fomos.", now=NOW)

        with pytest.raises(NothingHere):
            casework.record_reply(session, ana, case.protocol, number, "Fomos.", now=NOW)

    def test_each_step_stands_in_the_audit_chain(self, session, ana, case):
        number = asked(session, ana, case)
        casework.record_reply(session, ana, case.protocol, number, "Fomos.", now=NOW)

        told = [entry.action for entry in history_of(session, TOWN, f"complaint:{case.id}")]
        assert told == ["case.forwarded", "case.unit_answered"]

    def test_a_page_that_showed_less_is_told(self, session, ana, case):
        seen = casework.read_case(session, ana, case.protocol, today=TODAY).seen
        asked(session, ana, case)

        with pytest.raises(CaseChanged):
            asked(session, ana, case, seen=seen)
