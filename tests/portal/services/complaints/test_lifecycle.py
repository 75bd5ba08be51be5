"""Random walks through the lifecycle on the services: citizen, ombudsman and the passing of days."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.orm import Session

from portal.domain.complaints import ComplaintStatus, Identity, IdentityMode, Rating, Sender
from portal.domain.errors import ExtensionRefused, StepIncomplete, StepNotAllowed
from portal.domain.lifecycle import ENDED, STEPS, Move
from portal.i18n import LANGUAGES, translator
from portal.services import casework as desk
from portal.services.complaints import filing, intake, lifecycle, tracking
from portal.services.complaints.tracking import CaseView
from portal.storage.complaints import ComplaintRow, events_of, find_by_protocol
from portal.wording.complaints import case_sentence, case_status_word
from tests.factories.made_up import SLUG, only_exemplo
from tests.portal.services.casework.conftest import member_of

S = ComplaintStatus
START = datetime(2030, 6, 3, 15, tzinfo=UTC)
COAST = "caraguatatuba-sp"

pytestmark = pytest.mark.usefixtures("ombudsman_keys")


class Walk:
    """One complaint, whoever acts on it, and the day it is."""

    def __init__(self, session: Session, town: str) -> None:
        self.session, self.now = session, START
        self.staff = member_of(session, town)
        self.receipt, self.other = self.file(town), self.file(town)

    def file(self, town: str) -> filing.Receipt:
        draft = intake.start_draft(self.session, municipality=town, channel="web", language="es", now=START)
        draft = intake.answer(self.session, draft.token, "what", "overcrowding", now=START)
        while draft.question.skippable:
            draft = intake.skip(self.session, draft.token, draft.question.id, now=START)
        return filing.file_complaint(self.session, draft.token, Identity(IdentityMode.ANONYMOUS), now=START)

    @property
    def row(self) -> ComplaintRow:
        row = find_by_protocol(self.session, self.receipt.protocol)
        assert row
        return row

    @property
    def status(self) -> ComplaintStatus:
        return S(self.row.status)

    def seen(self) -> CaseView:
        """The complaint as its author sees it, opened with the key."""
        assert self.receipt.access_key
        case = tracking.track(self.session, self.receipt.protocol, self.receipt.access_key, now=self.now)
        assert isinstance(case, CaseView)
        return case

    def act(self, name: str) -> None:
        """Try one action; what the table forbids is refused in words and changes nothing."""
        before = (self.row.status, len(events_of(self.session, self.row.id)))
        try:
            ACTIONS[name](self)
        except (StepNotAllowed, ExtensionRefused):
            assert (self.row.status, len(events_of(self.session, self.row.id))) == before

    def pass_days(self, days: int) -> None:
        self.now += timedelta(days)
        lifecycle.let_time_pass(self.session, now=self.now)


def _author(service: Callable[..., object], *texts: object) -> Callable[[Walk], object]:
    return lambda walk: service(walk.session, walk.seen().ticket, *texts, now=walk.now)


def _desk(service: Callable[..., object], *texts: str) -> Callable[[Walk], object]:
    return lambda walk: service(walk.session, walk.staff, walk.receipt.protocol, *texts, now=walk.now)


ACTIONS: dict[str, Callable[[Walk], object]] = {
    "author writes": _author(tracking.add_message, "Era azul."),
    "author withdraws": _author(tracking.withdraw, "Resolvido."),
    "author asks for a review": _author(tracking.request_review, "Faltou o troco."),
    "author is content": _author(tracking.rate, Rating.RESOLVED),
    "author is not content": _author(tracking.rate, Rating.NOT_RESOLVED),
    "desk reviews": _desk(desk.start_review),
    "desk asks": _desk(desk.ask_citizen, "Onde foi?"),
    "desk forwards": _desk(desk.forward_case, "Secretaria de Mobilidade"),
    "desk answers": _desk(desk.answer_case, "Feito."),
    "desk extends": _desk(desk.extend_deadline, "Falta o laudo."),
    "desk closes": _desk(desk.close_case),
    "desk dismisses": lambda walk: desk.dismiss_case(
        walk.session,
        walk.staff,
        walk.receipt.protocol,
        desk.grounds_of(walk.row.municipality, on=walk.now.date())[0].id,
        "Não é transporte.",
        now=walk.now,
    ),
    "desk merges": lambda walk: desk.merge_case(
        walk.session,
        walk.staff,
        walk.receipt.protocol,
        walk.other.protocol,
        reason="É o mesmo fato.",
        now=walk.now,
    ),
    "a day passes": lambda walk: walk.pass_days(1),
    "a fortnight passes": lambda walk: walk.pass_days(15),
    "a month passes": lambda walk: walk.pass_days(31),
}


@contextmanager
def rolled_back(session: Session) -> Iterator[None]:
    nested = session.begin_nested()
    try:
        yield
    finally:
        nested.rollback()
        session.expunge_all()


def check(walk: Walk) -> None:
    """In every state its author sees a next date, or that this is the end; in every language."""
    case = walk.seen()
    today = case.filed_at.date()
    if case.status in ENDED:
        assert (case.next_date, case.moves, case.can_write) == (None, frozenset(), False)
    elif case.status in (S.ANSWERED, S.DISMISSED):
        assert case.next_date is not None or Move.REQUEST_REVIEW not in case.moves
    else:
        assert case.next_date is not None
        assert case.next_date > today
    for language in LANGUAGES:
        _ = translator(language)
        sentence = case_sentence(case, _)
        assert sentence
        assert "%" not in sentence
        if case.next_date:
            assert _.date(case.next_date) in sentence
        assert case_status_word(case.status, _)
    states = [event.status for event in case.events if event.kind == "step"]
    assert states[0] is S.REGISTERED
    assert all(after in STEPS[before] for before, after in pairwise(states))


class TestARandomWalk:
    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(actions=st.lists(st.sampled_from(sorted(ACTIONS)), max_size=14))
    @pytest.mark.parametrize("with_an_act", [False, True])
    def test_leaves_the_author_a_next_date_or_an_end(self, session, with_an_act, actions):
        with rolled_back(session), only_exemplo() if with_an_act else nullcontext():
            walk = Walk(session, SLUG if with_an_act else COAST)
            check(walk)
            for action in actions:
                walk.act(action)
                check(walk)

    def test_reaches_every_state_and_no_other(self, session):
        """Breadth first from a new complaint, each state once: what is reached is the design, no more and no less."""
        ways: dict[ComplaintStatus, tuple[str, ...]] = {S.REGISTERED: ()}
        edge = [S.REGISTERED]
        while edge:
            state = edge.pop(0)
            with rolled_back(session):
                walk = Walk(session, COAST)
                for step in ways[state]:
                    walk.act(step)
                there = walk.now
                for action in sorted(ACTIONS):
                    with rolled_back(session):
                        walk.act(action)
                        check(walk)
                        if walk.status not in ways:
                            ways[walk.status] = (*ways[state], action)
                            edge.append(walk.status)
                    walk.now = there
        assert set(ways) == set(S)


class TestSilence:
    def test_archives_nothing_where_no_act_says_so(self, session):
        walk = Walk(session, COAST)
        walk.act("desk asks")
        due = walk.seen().due_on
        walk.pass_days(400)
        case = walk.seen()
        assert (case.status, case.due_on, case.paused_days) == (S.AWAITING_CITIZEN, due, 0)

    def test_archives_after_the_days_of_the_act_with_a_reason_that_can_be_contested(self, session):
        with only_exemplo():
            walk = Walk(session, SLUG)
            walk.act("desk asks")
            assert walk.seen().reply_by == (START + timedelta(20)).date()
            walk.pass_days(20)
            assert walk.status is S.AWAITING_CITIZEN
            walk.pass_days(1)
            case = walk.seen()
            assert case.status is S.DISMISSED
            assert "art. 7" in (case.events[-1].reason or "")
            assert case.events[-1].actor is Sender.TIME
            walk.act("author asks for a review")
            assert walk.status is S.REVIEW_REQUESTED

    def test_a_pause_is_counted_and_seen(self, session):
        with only_exemplo():
            walk = Walk(session, SLUG)
            walk.pass_days(10)
            walk.act("desk asks")
            due = walk.seen().due_on
            walk.pass_days(17)
            walk.act("author writes")
            case = walk.seen()
            assert (case.status, case.paused_days) == (S.IN_REVIEW, 17)
            assert case.due_on == due + timedelta(17)


class TestAReview:
    def test_starts_a_clock_of_its_own_that_may_be_extended_again(self, session):
        walk = Walk(session, COAST)
        walk.act("desk extends")
        walk.act("desk answers")
        walk.pass_days(9)
        walk.act("author asks for a review")
        case = walk.seen()
        assert (case.due_on, case.extended) == ((START + timedelta(9 + 30)).date(), False)
        assert case.events[-1].reason == "Faltou o troco."
        walk.act("desk extends")
        assert walk.seen().due_on == (START + timedelta(9 + 60)).date()

    def test_is_not_asked_for_twice(self, session):
        walk = Walk(session, COAST)
        for action in ("desk answers", "author asks for a review", "desk answers"):
            walk.act(action)
        assert Move.REQUEST_REVIEW not in walk.seen().moves

    def test_comes_too_late_the_day_after(self, session):
        walk = Walk(session, COAST)
        walk.act("desk answers")
        walk.pass_days(31)
        assert walk.status is S.CLOSED
        with pytest.raises(StepNotAllowed):
            tracking.request_review(session, walk.seen().ticket, "Faltou.", now=walk.now)


class TestWhatAStepNeeds:
    def test_is_named_when_it_is_missing(self, session):
        walk = Walk(session, COAST)
        with pytest.raises(StepIncomplete) as incomplete:
            lifecycle.take(session, walk.row, Move.DISMISS, Sender.OMBUDSMAN, now=walk.now)
        assert incomplete.value.missing == ("ground",)
