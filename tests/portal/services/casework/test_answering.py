"""Dismissing, merging and standing back; two people on one complaint."""

from datetime import date

import pytest

from portal.domain.errors import (
    CannotMerge,
    CaseChanged,
    ColleagueMissing,
    GroundMissing,
    NotAllowed,
    NothingHere,
    ReasonMissing,
    StoodBack,
)
from portal.domain.staff import Role
from portal.services import casework
from portal.services.casework import Action, Seen
from portal.services.people.audit import history_of
from portal.storage.complaints import messages_of
from tests.factories.complaints import put_complaint
from tests.portal.services.casework.conftest import ELSEWHERE, NOW, TODAY, TOWN, member_of


def read(session, staff, case):
    return casework.read_case(session, staff, case.protocol, today=TODAY)


class TestDismissing:
    @pytest.mark.parametrize(
        ("language", "words"),
        [
            ("pt_BR", "O relato não trata de serviço público"),
            ("en", "not about a public service"),
            ("es", "no trata"),
        ],
    )
    def test_the_citizen_reads_ground_article_and_facts_in_their_language(
        self, session, ana, language, words
    ):
        case = put_complaint(session, language=language)

        casework.dismiss_case(session, ana, case.protocol, "not_a_public_service", "É sobre o mar.", now=NOW)

        assert case.status == "dismissed"
        reason = read(session, ana, case).events[-1].reason
        assert words in reason
        assert "art. 2º, V" in reason
        assert "É sobre o mar." in reason

    def test_a_ground_of_the_list_is_needed(self, session, ana, case):
        with pytest.raises(GroundMissing):
            casework.dismiss_case(session, ana, case.protocol, "because", "Não quero.", now=NOW)
        assert case.status == "registered"

    def test_so_are_the_facts(self, session, ana, case):
        with pytest.raises(ReasonMissing):
            casework.dismiss_case(session, ana, case.protocol, "object_gone", " ", now=NOW)

    def test_only_the_ombudsman_does_it(self, session, clerk, case):
        with pytest.raises(NotAllowed):
            casework.dismiss_case(session, clerk, case.protocol, "object_gone", "Foi feito.", now=NOW)

    def test_every_ground_has_its_article(self):
        grounds = casework.grounds_of(TOWN, on=TODAY)

        assert len(grounds) >= 4
        assert all("Lei" in ground.article for ground in grounds)


class TestMerging:
    @pytest.fixture
    def other(self, session):
        return put_complaint(session, due_on=date(2030, 4, 5), language="en")

    def merge(self, session, staff, case, other, **told):
        casework.merge_case(
            session, staff, case.protocol, other.protocol, reason="É o mesmo fato.", now=NOW, **told
        )

    def test_its_author_keeps_their_own_date(self, session, ana, case, other):
        self.merge(session, ana, case, other)

        told = read(session, ana, case)
        assert (told.line.status, told.merged_into, told.line.due_on) == (
            "merged",
            other.protocol,
            date(2030, 3, 31),
        )
        assert told.line.days_left == 21
        assert [one.protocol for one in read(session, ana, other).merged] == [case.protocol]

    def test_the_author_never_reads_the_other_protocol(self, session, ana, case, other):
        self.merge(session, ana, case, other)

        assert all(other.protocol not in (event.reason or "") for event in read(session, ana, case).events)

    def test_both_are_answered_at_once_when_both_are_marked(self, session, ana, case, other):
        self.merge(session, ana, case, other)

        casework.answer_case(session, ana, other.protocol, "Fomos ao local.", now=NOW, also=[case.protocol])

        assert (case.status, other.status) == ("answered", "answered")
        for row in (case, other):
            assert [message.text for message in messages_of(session, row.id)] == ["Fomos ao local."]

    def test_whoever_is_left_out_is_still_owed_an_answer(self, session, ana, case, other):
        self.merge(session, ana, case, other)
        casework.answer_case(session, ana, other.protocol, "Fomos ao local.", now=NOW)

        assert read(session, ana, case).line.days_left == 21
        casework.answer_case(session, ana, case.protocol, "Fomos.", now=NOW)
        assert case.status == "answered"

    def test_one_that_was_never_merged_is_not_answered_along(self, session, ana, case, other):
        with pytest.raises(CannotMerge):
            casework.answer_case(session, ana, other.protocol, "Fomos.", now=NOW, also=[case.protocol])

    def test_who_stood_back_from_one_does_not_answer_it_along(self, session, ana, case, other):
        rui = member_of(session, TOWN, name="Rui")
        self.merge(session, ana, case, other)
        casework.recuse(session, ana, case.protocol, rui.id, "É minha prima.", now=NOW)

        with pytest.raises(StoodBack):
            casework.answer_case(session, ana, other.protocol, "Fomos.", now=NOW, also=[case.protocol])

        casework.answer_case(session, rui, other.protocol, "Fomos.", now=NOW, also=[case.protocol] * 2)
        assert len(messages_of(session, case.id)) == 1

    def test_told_apart_again(self, session, ana, case, other):
        self.merge(session, ana, case, other)

        casework.start_review(session, ana, case.protocol, now=NOW)

        assert (case.status, case.merged_into) == ("in_review", None)

    def test_what_cannot_be(self, session, ana, case, other):
        third = put_complaint(session)
        ended = put_complaint(session, status="answered")
        elsewhere = put_complaint(session, municipality=ELSEWHERE)
        self.merge(session, ana, case, other)

        for one, into, why in (
            (third, third, "itself"),
            (third, ended, "ended"),
            (third, elsewhere, "unknown"),
            (third, case, "merged"),
            (other, third, "leads"),
        ):
            with pytest.raises(CannotMerge) as refused:
                self.merge(session, ana, one, into)
            assert refused.value.why == why


class TestStandingBack:
    @pytest.fixture
    def bruno(self, session):
        return member_of(session, TOWN, name="Bruno")

    def test_it_goes_to_another_and_is_recorded(self, session, ana, bruno, case):
        casework.recuse(session, ana, case.protocol, bruno.id, "O motorista é meu irmão.", now=NOW)

        told = read(session, bruno, case)
        assert told.line.assigned_to == "Bruno"
        (act,) = told.acts
        assert (act.kind, act.by, act.to, act.text) == ("recused", "Ana", "Bruno", "O motorista é meu irmão.")
        (entry,) = history_of(session, TOWN, f"complaint:{case.id}")
        assert entry.action == "case.recused"

    def test_the_citizen_reads_nothing_of_it(self, session, ana, bruno, case):
        casework.recuse(session, ana, case.protocol, bruno.id, "É meu irmão.", now=NOW)

        assert read(session, bruno, case).events == ()

    def test_no_further_step_is_taken_by_who_stood_back(self, session, ana, bruno, case):
        casework.recuse(session, ana, case.protocol, bruno.id, "É meu irmão.", now=NOW)

        assert read(session, ana, case).actions == frozenset()
        with pytest.raises(StoodBack):
            casework.answer_case(session, ana, case.protocol, "Pronto.", now=NOW)
        with pytest.raises(StoodBack):
            casework.open_identity(session, ana, case.protocol, "x", open_box=lambda *_: b"", now=NOW)
        assert Action.ANSWER in read(session, bruno, case).actions

    def test_it_does_not_come_back(self, session, ana, bruno, case):
        casework.recuse(session, ana, case.protocol, bruno.id, "É meu irmão.", now=NOW)

        assert casework.colleagues_of(session, bruno, case.protocol) == ()

    @pytest.mark.parametrize("to", ["nobody", "stranger", "inspector", "oneself"])
    def test_only_a_colleague_who_can_work_on_it_takes_it(self, session, ana, case, to):
        member = {
            "nobody": lambda: 0,
            "stranger": lambda: member_of(session, ELSEWHERE).id,
            "inspector": lambda: member_of(session, TOWN, Role.INSPECTOR, "Davi").id,
            "oneself": lambda: ana.id,
        }[to]()

        with pytest.raises(ColleagueMissing):
            casework.recuse(session, ana, case.protocol, member, "É meu irmão.", now=NOW)

    def test_a_reason_is_needed(self, session, ana, bruno, case):
        with pytest.raises(ReasonMissing):
            casework.recuse(session, ana, case.protocol, bruno.id, " ", now=NOW)


class TestTwoPeople:
    """The second is told, and nothing of the first is overwritten."""

    @pytest.mark.parametrize(
        "meanwhile",
        [
            lambda session, ana, case: casework.ask_citizen(session, ana, case.protocol, "Onde?", now=NOW),
            lambda session, ana, case: casework.extend_deadline(
                session, ana, case.protocol, "Laudo.", now=NOW
            ),
            lambda session, ana, case: casework.forward_case(session, ana, case.protocol, "X", now=NOW),
            lambda session, ana, case: casework.start_review(session, ana, case.protocol, now=NOW),
        ],
    )
    def test_whatever_happened_meanwhile(self, session, ana, case, meanwhile):
        seen = read(session, ana, case).seen
        meanwhile(session, ana, case)
        status = case.status

        with pytest.raises(CaseChanged):
            casework.answer_case(session, ana, case.protocol, "Pronto.", now=NOW, seen=seen)
        assert (case.status, [m for m in messages_of(session, case.id) if m.is_answer]) == (status, [])

    def test_who_has_seen_it_goes_on(self, session, ana, case):
        casework.ask_citizen(session, ana, case.protocol, "Onde?", now=NOW)

        casework.answer_case(
            session, ana, case.protocol, "Pronto.", now=NOW, seen=read(session, ana, case).seen
        )
        assert case.status == "answered"

    def test_another_towns_complaint_does_not_exist_here(self, session, stranger, case):
        for act in (
            lambda: casework.dismiss_case(session, stranger, case.protocol, "object_gone", "x", now=NOW),
            lambda: casework.merge_case(session, stranger, case.protocol, "x", reason="x", now=NOW),
            lambda: casework.recuse(session, stranger, case.protocol, 1, "x", now=NOW),
            lambda: casework.record_reply(session, stranger, case.protocol, 1, "x", now=NOW),
            lambda: casework.extend_unit(session, stranger, case.protocol, 1, "x", now=NOW),
            lambda: casework.prepare_forwarding(session, stranger, case.protocol),
        ):
            with pytest.raises(NothingHere):
                act()

    @pytest.mark.parametrize("text", ["", "1.2", "a.b.c", "1.2.3.4", "9999999999.1.1", "-1.0.0"])
    def test_what_is_no_count_is_none(self, text):
        assert Seen.read(text) is None

    def test_a_count_is_read_back(self):
        assert Seen.read(str(Seen(3, 2, 1))) == Seen(3, 2, 1)
