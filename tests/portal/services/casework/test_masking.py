"""What an inspector reads of a complaint: the facts, and nothing that tells who wrote it."""

import pytest

from portal.domain.complaints import Sender
from portal.domain.redaction import MASK
from portal.domain.staff import Role
from portal.services import casework
from portal.services.casework import Filters
from portal.storage.casework import CaseActRow, UnitRequestRow
from portal.storage.complaints import ComplaintEventRow, ComplaintMessageRow
from tests.factories.complaints import put_complaint
from tests.portal.services.casework.conftest import FILED, TODAY, TOWN, member_of

PHONE, MAIL, CPF = "(12) 99744-1029", "lia@example.org", "529.982.247-25"
TOLD = f"Sou a Lia, {PHONE}, {MAIL}, CPF {CPF}. O BRA2E19 fugiu do RIO2A18."
SECRETS = (PHONE, MAIL, CPF, "RIO2A18")


@pytest.fixture
def davi(session):
    return member_of(session, TOWN, Role.INSPECTOR, "Davi")


@pytest.fixture
def told(session, ana):
    """Everything that can be written in a complaint tells who its author is."""
    case = put_complaint(
        session,
        filed_at=FILED,
        story=TOLD,
        facts={
            "vehicle": {"kind": "typed", "text": "BRA2E19", "as": "plate"},
            "where": {"kind": "typed", "text": f"Em frente de casa, {PHONE}"},
            "when": {"kind": "at", "date": "2030-02-28", "time": "14:30"},
        },
    )
    session.add_all([
        ComplaintMessageRow(complaint_id=case.id, at=FILED, sender=Sender.CITIZEN, text=TOLD, is_answer=False),
        ComplaintEventRow(
            complaint_id=case.id, at=FILED, kind="step", status="in_review", actor="citizen", reason=TOLD
        ),
        CaseActRow(complaint_id=case.id, at=FILED, kind="recused", staff_id=ana.id, text=TOLD),
        UnitRequestRow(
            complaint_id=case.id, unit="Trânsito", question=TOLD, copy="-", files=[], asked_at=FILED,
            asked_by=ana.id, due_on=TODAY, extension_reason=TOLD, answer=TOLD, answered_at=FILED,
        ),
    ])  # fmt: skip
    session.flush()
    return case


def read(session, staff, case):
    return casework.read_case(session, staff, case.protocol, today=TODAY)


class TestReading:
    def test_nothing_that_was_written_tells_an_inspector_who_wrote_it(self, session, davi, told):
        shown = repr(read(session, davi, told))

        assert [one for one in SECRETS if one in shown] == []
        assert shown.count(MASK) > len(SECRETS)

    def test_the_facts_stay_readable(self, session, davi, told):
        case = read(session, davi, told)

        assert case.story
        assert "BRA2E19" in case.story
        assert "fugiu" in case.story
        assert case.facts["vehicle"]["text"] == "BRA2E19"
        assert case.facts["when"] == told.facts["when"]

    def test_the_ombudsman_reads_it_whole(self, session, ana, told):
        case = read(session, ana, told)

        assert (case.story, case.facts) == (TOLD, told.facts)

    def test_the_protocol_it_is_read_together_with_is_no_text_of_anybodys(self, session, davi, ana, told):
        session.add(
            CaseActRow(
                complaint_id=told.id, at=FILED, kind="received_merged", staff_id=ana.id, text="1234-5678-9ABC"
            )
        )

        assert read(session, davi, told).acts[-1].text == "1234-5678-9ABC"


class TestSearching:
    """A search must not spell out what is masked."""

    def found(self, session, staff, typed):
        return casework.list_cases(session, staff, today=TODAY, filters=Filters(search=typed)).lines

    @pytest.mark.parametrize(
        "typed", [PHONE, "12997441029", "997", "1029", MAIL, "@example", CPF, "BRA2E19 997"]
    )
    def test_an_inspector_finds_nobody_by_telephone_mail_or_cpf(self, session, davi, told, typed):
        page = casework.list_cases(session, davi, today=TODAY, filters=Filters(search=typed))

        assert (page.lines, page.found, page.not_searched) == ((), 0, True)

    @pytest.mark.parametrize("typed", ["bra-2e19", "fugiu", "casa"])
    def test_a_plate_and_words_find_it(self, session, davi, told, typed):
        assert [one.protocol for one in self.found(session, davi, typed)] == [told.protocol]

    def test_so_does_its_protocol(self, session, davi, told):
        assert [one.protocol for one in self.found(session, davi, told.protocol.lower())] == [told.protocol]

    def test_the_ombudsman_searches_for_anything(self, session, ana, told):
        assert [one.protocol for one in self.found(session, ana, "99744")] == [told.protocol]

    def test_a_vehicle_told_in_words_is_masked_in_the_list(self, session, davi, ana):
        put_complaint(session, facts={"vehicle": {"kind": "typed", "text": f"A van da Lia, {MAIL}"}})

        assert MAIL in str(casework.list_cases(session, ana, today=TODAY).lines[0].vehicle)
        assert casework.list_cases(session, davi, today=TODAY).lines[0].vehicle == f"A van da Lia, {MASK}"
