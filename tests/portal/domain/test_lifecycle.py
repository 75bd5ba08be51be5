"""The one table of transitions. Answered on 1 March 2030: a review can be asked for until 31 March."""

from datetime import date, timedelta

import pytest

from portal.domain.complaints import ComplaintStatus, Sender
from portal.domain.errors import StepIncomplete, StepNotAllowed
from portal.domain.lifecycle import (
    CLOCK_RUNS,
    CONDITIONS,
    ENDED,
    FIRST,
    LIFECYCLE,
    STEPS,
    Move,
    Need,
    Standing,
    moves,
    next_day,
    settles_on,
    transition,
    way,
)

S, M = ComplaintStatus, Move
CITIZEN, OMBUDSMAN, TIME = Sender.CITIZEN, Sender.OMBUDSMAN, Sender.TIME
DAY = date(2030, 3, 1)
GIVEN = frozenset(Need) - CONDITIONS


def case(status: S, *, reviews: int = 0, silent_until: date | None = None) -> Standing:
    answered = status in (S.ANSWERED, S.DISMISSED)
    return Standing(status, settles_on(DAY) if answered else None, reviews, silent_until)


class TestTheTable:
    def test_every_state_has_its_row(self):
        assert set(STEPS) == set(S)

    def test_every_state_is_reached(self):
        reached, edge = {FIRST}, {FIRST}
        while edge:
            edge = {after for state in edge for after in STEPS[state]} - reached
            reached |= edge
        assert reached == set(S)

    def test_one_row_answers_each_move_of_each_person(self):
        for state in S:
            rows = [(row.move, row.who) for row in LIFECYCLE if state in row.start]
            assert len(rows) == len(set(rows))

    def test_an_end_leads_nowhere(self):
        assert all(not STEPS[state] for state in ENDED)

    def test_an_author_may_take_back_whatever_is_owed_an_answer(self):
        assert {state for state in S if M.WITHDRAW in moves(case(state), CITIZEN, DAY)} == CLOCK_RUNS


class TestWhoMayDoWhat:
    def test_only_the_ombudsman_answers(self):
        for who in (CITIZEN, TIME):
            with pytest.raises(StepNotAllowed):
                transition(case(S.IN_REVIEW), M.ANSWER, who, DAY, GIVEN)

    def test_an_answer_needs_its_words_and_a_dismissal_its_ground(self):
        for move, need in (
            (M.ANSWER, "text"),
            (M.DISMISS, "ground"),
            (M.FORWARD, "unit"),
            (M.MERGE, "other_case"),
        ):
            with pytest.raises(StepIncomplete) as incomplete:
                transition(case(S.IN_REVIEW), move, OMBUDSMAN, DAY, ())
            assert incomplete.value.missing == (need,)

    def test_whoever_answers_a_new_complaint_has_reviewed_it(self):
        assert way(case(S.REGISTERED), M.ANSWER, OMBUDSMAN, DAY) == (M.START_REVIEW, M.ANSWER)
        assert way(case(S.FORWARDED), M.MERGE, OMBUDSMAN, DAY) == (M.RESUME, M.MERGE)
        assert way(case(S.CLOSED), M.ANSWER, OMBUDSMAN, DAY) == ()


class TestAReview:
    def test_can_be_asked_for_on_the_last_day_and_not_after(self):
        last = date(2030, 3, 31)
        for status in (S.ANSWERED, S.DISMISSED):
            assert M.REQUEST_REVIEW in moves(case(status), CITIZEN, last)
            assert M.REQUEST_REVIEW not in moves(case(status), CITIZEN, last + timedelta(1))

    def test_can_be_asked_for_once(self):
        assert M.REQUEST_REVIEW not in moves(case(S.ANSWERED, reviews=1), CITIZEN, DAY)

    def test_keeps_the_case_open_until_then(self):
        for who in (OMBUDSMAN, TIME):
            assert M.CLOSE not in moves(case(S.ANSWERED), who, date(2030, 3, 31))
            assert M.CLOSE in moves(case(S.ANSWERED), who, date(2030, 4, 1))


class TestSilence:
    def test_archives_nothing_unless_an_act_of_the_town_says_so(self):
        assert moves(case(S.AWAITING_CITIZEN), TIME, date(2040, 1, 1)) == frozenset()

    def test_archives_the_day_after_the_time_of_that_act(self):
        waiting = case(S.AWAITING_CITIZEN, silent_until=date(2030, 3, 11))
        assert moves(waiting, TIME, date(2030, 3, 11)) == frozenset()
        assert moves(waiting, TIME, date(2030, 3, 12)) == {M.DISMISS}


class TestTheNextDay:
    @pytest.mark.parametrize("status", sorted(CLOCK_RUNS))
    def test_is_that_of_the_answer_while_one_is_owed(self, status):
        assert next_day(case(status), date(2030, 3, 31), DAY) == date(2030, 3, 31)

    def test_is_that_of_the_reply_where_silence_archives(self):
        waiting = case(S.AWAITING_CITIZEN, silent_until=date(2030, 3, 11))
        assert next_day(waiting, date(2030, 3, 31), DAY) == date(2030, 3, 11)

    def test_is_the_last_to_ask_for_a_review_once_answered(self):
        assert next_day(case(S.ANSWERED), DAY, DAY) == date(2030, 3, 31)
        assert next_day(case(S.DISMISSED), DAY, date(2030, 4, 1)) is None

    @pytest.mark.parametrize("status", sorted(ENDED))
    def test_is_none_at_an_end(self, status):
        assert next_day(case(status), DAY, DAY) is None
