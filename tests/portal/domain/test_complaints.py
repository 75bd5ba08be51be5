import pytest

from portal.domain.complaints import STEPS, ComplaintStatus, step
from portal.domain.errors import StepNotAllowed

S = ComplaintStatus


class TestTheStates:
    def test_every_state_has_its_row(self):
        assert set(STEPS) == set(S)

    def test_every_state_is_reached(self):
        reached, edge = {S.REGISTERED}, {S.REGISTERED}
        while edge:
            edge = {after for state in edge for after in STEPS[state]} - reached
            reached |= edge
        assert reached == set(S)

    def test_an_answer_can_be_reviewed_and_a_closed_case_not_reopened(self):
        assert step(S.ANSWERED, S.REVIEW_REQUESTED) is S.REVIEW_REQUESTED
        with pytest.raises(StepNotAllowed):
            step(S.CLOSED, S.IN_REVIEW)
