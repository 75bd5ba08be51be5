"""A complaint by telephone, letter or at the counter: the same questions and receipt, the channel recorded."""

from datetime import date

import pytest

from portal.domain.complaints import Identity, IdentityMode
from portal.domain.errors import MomentInFuture, NotAllowed, UnknownOption
from portal.domain.staff import Role
from portal.services import casework
from portal.services.complaints import tracking
from portal.services.people.audit import history_of
from portal.storage.complaints import find_by_protocol, identity_record
from tests.portal.services.casework.conftest import NOW, TODAY, TOWN, member_of

pytestmark = pytest.mark.usefixtures("keys")
ANONYMOUS = Identity(IdentityMode.ANONYMOUS)
ANSWERS = {"what": {"option": "overcrowding"}, "vehicle": {"text": "BRA2E19"}, "story": {"text": "Lotado."}}


def take(session, staff, answers=ANSWERS, identity=ANONYMOUS, **told):
    told = {"channel": "phone", "language": "es", "now": NOW, **told}
    return casework.take_complaint(session, staff, answers, identity, **told)


class TestTaking:
    @pytest.mark.parametrize("channel", ["phone", "letter", "counter"])
    def test_it_is_a_complaint_like_any_other_with_its_channel(self, session, ana, channel):
        receipt = take(session, ana, channel=channel).receipt

        case = casework.read_case(session, ana, receipt.protocol, today=TODAY)
        assert (case.channel, case.story, case.line.vehicle) == (channel, "Lotado.", "BRA2E19")
        assert case.line.language == "es"
        assert (receipt.due_on, case.line.due_on) == (date(2030, 4, 9), date(2030, 4, 9))

    def test_the_receipts_key_opens_it(self, session, ana):
        receipt = take(session, ana).receipt

        assert isinstance(
            tracking.track(session, receipt.protocol, receipt.access_key, now=NOW), tracking.CaseView
        )

    def test_who_took_it_is_recorded_and_is_not_its_author(self, session, ana):
        receipt = take(session, ana).receipt

        row = find_by_protocol(session, receipt.protocol)
        assert [e.action for e in history_of(session, TOWN, f"complaint:{row.id}")] == ["case.taken_at_desk"]
        case = casework.read_case(session, ana, receipt.protocol, today=TODAY)
        assert [(event.status, event.by) for event in case.events] == [("registered", None)]
        assert [(act.kind, act.by) for act in case.acts] == [("taken", "Ana")]

    def test_a_letter_counts_from_the_day_it_came_in(self, session, ana):
        receipt = take(session, ana, channel="letter", received_on=date(2030, 3, 4)).receipt

        assert receipt.due_on == date(2030, 4, 3)
        assert receipt.filed_at.astimezone().date() <= date(2030, 3, 5)

    def test_an_identity_is_sealed_as_everywhere(self, session, ana):
        from portal.storage.cases import sealed_identity

        told = Identity(IdentityMode.SEALED, name="Maria", email="maria@example.org")
        receipt = take(session, ana, identity=told).receipt

        row = find_by_protocol(session, receipt.protocol)
        assert b"Maria" not in sealed_identity(session, row.id).box
        assert identity_record(row.protocol)

    def test_what_was_not_said_is_skipped(self, session, ana):
        receipt = take(session, ana, {"what": {"option": "overcrowding"}}).receipt

        case = casework.read_case(session, ana, receipt.protocol, today=TODAY)
        assert case.facts["vehicle"] == {"kind": "unknown"}

    @pytest.mark.parametrize("channel", ["web", "telegram", ""])
    def test_no_other_channel_is_pretended(self, session, ana, channel):
        with pytest.raises(NotAllowed):
            take(session, ana, channel=channel)

    @pytest.mark.parametrize("role", [Role.INSPECTOR, Role.CLERK, Role.AUDITOR])
    def test_nobody_else_takes_one(self, session, role):
        with pytest.raises(NotAllowed):
            take(session, member_of(session, TOWN, role))


class TestWhatIsWrong:
    def test_each_question_has_its_own_problem(self, ana):
        problems = casework.read_answers(
            ana,
            {
                "what": {"option": "no_such"},
                "when": {"option": "earlier", "date": "2031-01-01"},
                "story": {"text": "Foi assim."},
            },
            received_on=date(2030, 3, 11),
            now=NOW,
        )

        assert {name: type(problem) for name, problem in problems.items()} == {
            "what": UnknownOption,
            "when": MomentInFuture,
            "received": MomentInFuture,
        }
