"""The desk's use cases. Filed on 1 March 2030: due on 31 March (day 30), extended to 30 April (day 60)."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import select

from portal.domain.complaints import ComplaintStatus, EventKind, IdentityMode, Sender
from portal.domain.errors import (
    EmptyMessage,
    ExtensionRefused,
    IdentityNotHere,
    NotAllowed,
    NothingHere,
    ReasonMissing,
    StepNotAllowed,
    TextTooLong,
    UnitMissing,
)
from portal.domain.lifecycle import Move, Need
from portal.domain.staff import Role
from portal.sealing.boxes import UnreadableBox, seal
from portal.sealing.keys import PublicKey, new_key_pair
from portal.sealing.opening import open_sealed, private_key
from portal.services import casework as desk
from portal.services.casework import ANSWER_LIMIT, PAGE, Action, Show
from portal.services.complaints import lifecycle
from portal.services.people.audit import fingerprint, history_of, verify_chain
from portal.storage.complaints import (
    ComplaintMessageRow,
    ComplaintRow,
    NoticeAddressRow,
    SealedIdentityRow,
    identity_record,
)
from portal.storage.outbox import OutboxRow
from tests.factories.complaints import put_complaint
from tests.portal.services.casework.conftest import FILED, NOW, TODAY, TOWN, member_of


def messages(session):
    return session.scalars(select(ComplaintMessageRow)).all()


def outbox(session):
    return session.scalars(select(OutboxRow).order_by(OutboxRow.id)).all()


def statuses(session, ana, case):
    return [str(event.status) for event in desk.read_case(session, ana, case.protocol, today=TODAY).events]


class TestTheList:
    def test_what_is_due_first_stands_in_front(self, session, ana):
        later = put_complaint(session, due_on=date(2030, 4, 2))
        sooner = put_complaint(session, due_on=date(2030, 3, 12))
        overdue = put_complaint(session, due_on=date(2030, 3, 9))

        lines = desk.list_cases(session, ana, today=TODAY).lines

        assert [line.protocol for line in lines] == [overdue.protocol, sooner.protocol, later.protocol]
        assert [line.days_left for line in lines] == [-1, 2, 23]

    def test_somebody_in_danger_stands_behind_what_is_overdue_alone(self, session, ana):
        today = put_complaint(session, due_on=TODAY)
        overdue = put_complaint(session, due_on=date(2030, 3, 9))
        danger = put_complaint(session, due_on=date(2030, 4, 9), fast_lane=True)

        lines = desk.list_cases(session, ana, today=TODAY).lines
        urgent = desk.list_cases(session, ana, today=TODAY, show=Show.URGENT).lines

        assert [line.protocol for line in lines] == [overdue.protocol, danger.protocol, today.protocol]
        assert [line.protocol for line in urgent] == [danger.protocol]

    def test_the_last_day_is_not_overdue(self, session, ana, case):
        overdue = desk.list_cases(session, ana, today=case.due_on, show=Show.OVERDUE)
        day_after = desk.list_cases(session, ana, today=case.due_on + timedelta(1), show=Show.OVERDUE)

        assert (len(overdue.lines), len(day_after.lines)) == (0, 1)

    def test_what_is_answered_is_only_among_all(self, session, ana):
        put_complaint(session, status="answered", due_on=date(2030, 3, 9))

        counts = desk.list_cases(session, ana, today=TODAY).counts
        (line,) = desk.list_cases(session, ana, today=TODAY, show=Show.ALL).lines

        assert counts == {one: int(one is Show.ALL) for one in Show}
        assert line.days_left is None

    @pytest.mark.parametrize(
        ("asked", "given", "length"), [(1, 1, PAGE), (2, 2, 3), (9, 2, 3), (-4, 1, PAGE)]
    )
    def test_pages(self, session, ana, asked, given, length):
        for _ in range(PAGE + 3):
            put_complaint(session)

        page = desk.list_cases(session, ana, today=TODAY, page=asked)

        assert (page.page, page.pages, len(page.lines)) == (given, 2, length)


class TestAnswering:
    def test_a_new_complaint_is_reviewed_and_answered_in_one_go(self, session, ana, case):
        desk.answer_case(session, ana, case.protocol, " Fomos ao local. ", now=NOW)

        assert statuses(session, ana, case) == ["in_review", "answered"]
        (answer,) = messages(session)
        assert (answer.text, answer.is_answer, answer.sender) == ("Fomos ao local.", True, Sender.OMBUDSMAN)

    @pytest.mark.parametrize("text", ["", "   ", "\u200b\u200b", "...."])
    def test_an_empty_answer_is_refused(self, session, ana, case, text):
        with pytest.raises(EmptyMessage):
            desk.answer_case(session, ana, case.protocol, text, now=NOW)
        assert case.status == "registered"

    def test_too_long_an_answer_is_refused(self, session, ana, case):
        with pytest.raises(TextTooLong):
            desk.answer_case(session, ana, case.protocol, "a" * (ANSWER_LIMIT + 1), now=NOW)

    def test_a_second_answer_is_refused(self, session, ana, case):
        desk.answer_case(session, ana, case.protocol, "Primeira.", now=NOW)

        with pytest.raises(StepNotAllowed):
            desk.answer_case(session, ana, case.protocol, "Segunda.", now=NOW)
        assert len(messages(session)) == 1

    def test_an_answer_after_a_review_was_asked_for(self, session, ana):
        case = put_complaint(session, status="review_requested")

        desk.answer_case(session, ana, case.protocol, "De novo.", now=NOW)

        assert statuses(session, ana, case) == ["in_review", "answered"]

    def test_an_overdue_complaint_can_still_be_answered(self, session, ana, case):
        desk.answer_case(session, ana, case.protocol, "Tarde.", now=FILED + timedelta(days=90))

        assert case.status == "answered"

    def test_who_left_an_address_is_told_that_there_is_news(self, session, ana, case):
        session.add(
            NoticeAddressRow(
                complaint_id=case.id, channel="mail", key_id="k", box=b"sealed address", lookup=b"l"
            )
        )
        session.flush()

        desk.answer_case(session, ana, case.protocol, "Pronto: multamos.", now=NOW)

        (row,) = outbox(session)
        assert (row.kind, row.sealed) == ("mail", b"sealed address")
        assert row.payload == {"notice": "news", "protocol": case.protocol, "language": case.language}

    def test_who_left_none_is_not(self, session, ana, case):
        desk.answer_case(session, ana, case.protocol, "Pronto.", now=NOW)

        assert outbox(session) == []


class TestExtending:
    @pytest.fixture
    def day_30(self):
        return datetime(2030, 3, 31, 23, 0, tzinfo=UTC)  # 20h in São Paulo

    def test_day_30_is_in_time(self, session, ana, case, day_30):
        due = desk.extend_deadline(session, ana, case.protocol, "Falta o laudo da vistoria.", now=day_30)

        assert due == case.due_on == date(2030, 4, 30)
        (event,) = desk.read_case(session, ana, case.protocol, today=TODAY).events
        assert (event.kind, event.reason) == (EventKind.EXTENSION, "Falta o laudo da vistoria.")
        assert event.status is ComplaintStatus.REGISTERED

    def test_day_31_is_too_late(self, session, ana, case, day_30):
        with pytest.raises(ExtensionRefused) as refused:
            desk.extend_deadline(
                session, ana, case.protocol, "Falta o laudo.", now=day_30 + timedelta(days=1)
            )
        assert refused.value.why == "over"
        assert case.due_on == date(2030, 3, 31)

    def test_the_day_ends_at_midnight_in_the_municipality(self, session, ana, case):
        still_day_30 = datetime(2030, 4, 1, 2, 59, tzinfo=UTC)
        day_31 = datetime(2030, 4, 1, 3, 0, tzinfo=UTC)

        with pytest.raises(ExtensionRefused):
            desk.extend_deadline(session, ana, case.protocol, "Falta o laudo.", now=day_31)
        assert desk.extend_deadline(session, ana, case.protocol, "Falta o laudo.", now=still_day_30)

    @pytest.mark.parametrize("reason", ["", "  ", "\u200b", "..."])
    def test_a_reason_is_needed(self, session, ana, case, reason):
        with pytest.raises(ReasonMissing):
            desk.extend_deadline(session, ana, case.protocol, reason, now=NOW)

    def test_only_once(self, session, ana, case):
        desk.extend_deadline(session, ana, case.protocol, "Falta o laudo.", now=NOW)

        with pytest.raises(ExtensionRefused) as refused:
            desk.extend_deadline(session, ana, case.protocol, "Falta outro.", now=NOW)
        assert refused.value.why == "extended"

    def test_each_extension_is_news_also_after_a_review(self, session, ana, case):
        session.add(NoticeAddressRow(complaint_id=case.id, channel="mail", key_id="k", box=b"b", lookup=b"l"))
        session.flush()
        desk.extend_deadline(session, ana, case.protocol, "Falta o laudo.", now=NOW)
        desk.answer_case(session, ana, case.protocol, "Pronto.", now=NOW)
        lifecycle.take(
            session, case, Move.REQUEST_REVIEW, Sender.CITIZEN, now=NOW, given=[Need.TEXT], reason="Faltou."
        )

        desk.extend_deadline(session, ana, case.protocol, "Falta o outro.", now=NOW)

        assert len(outbox(session)) == 3

    def test_what_is_answered_has_no_time_to_extend(self, session, ana, case):
        desk.answer_case(session, ana, case.protocol, "Pronto.", now=NOW)

        with pytest.raises(ExtensionRefused) as refused:
            desk.extend_deadline(session, ana, case.protocol, "Falta o laudo.", now=NOW)
        assert refused.value.why == "stopped"


class TestOtherSteps:
    def test_asking_the_citizen(self, session, ana, case):
        desk.ask_citizen(session, ana, case.protocol, "Em que ponto foi?", now=NOW)

        assert case.status == "awaiting_citizen"
        (question,) = messages(session)
        assert (question.text, question.is_answer) == ("Em que ponto foi?", False)
        assert case.due_on == date(2030, 3, 31)  # the clock goes on

    def test_asking_again_before_they_reply(self, session, ana, case):
        desk.ask_citizen(session, ana, case.protocol, "Em que ponto?", now=NOW)
        desk.ask_citizen(session, ana, case.protocol, "E a que horas?", now=NOW)

        assert statuses(session, ana, case) == [
            "in_review",
            "awaiting_citizen",
            "in_review",
            "awaiting_citizen",
        ]

    def test_forwarding_names_the_unit(self, session, ana, case):
        desk.forward_case(session, ana, case.protocol, " Secretaria de  Mobilidade ", now=NOW)

        assert case.status == "forwarded"
        event = desk.read_case(session, ana, case.protocol, today=TODAY).events[-1]
        assert event.reason == "Secretaria de Mobilidade"

    def test_forwarding_to_nobody_is_refused(self, session, ana, case):
        with pytest.raises(UnitMissing):
            desk.forward_case(session, ana, case.protocol, "  ", now=NOW)

    def test_closing_forgets_the_addresses(self, session, ana, case):
        session.add(NoticeAddressRow(complaint_id=case.id, channel="mail", key_id="k", box=b"b", lookup=b"l"))
        desk.answer_case(session, ana, case.protocol, "Pronto.", now=NOW)
        with pytest.raises(StepNotAllowed):  # their author may still ask for a review
            desk.close_case(session, ana, case.protocol, now=NOW + timedelta(30))

        desk.close_case(session, ana, case.protocol, now=NOW + timedelta(31))

        assert (case.status, case.closed_at) == ("closed", NOW + timedelta(31))
        assert session.scalars(select(NoticeAddressRow)).all() == []

    def test_an_unanswered_complaint_cannot_be_closed(self, session, ana, case):
        with pytest.raises(StepNotAllowed):
            desk.close_case(session, ana, case.protocol, now=NOW)

    def test_every_step_stands_in_the_audit_chain(self, session, ana, case):
        desk.start_review(session, ana, case.protocol, now=NOW)
        desk.extend_deadline(session, ana, case.protocol, "Falta o laudo.", now=NOW)
        desk.answer_case(session, ana, case.protocol, "Pronto.", now=NOW)

        entries = history_of(session, TOWN, f"complaint:{case.id}")
        assert [(entry.actor, entry.action) for entry in entries] == [
            (f"staff:{ana.id}", "case.review_started"),
            (f"staff:{ana.id}", "case.deadline_extended"),
            (f"staff:{ana.id}", "case.answered"),
        ]
        assert verify_chain(session, TOWN) is None


class TestIdentity:
    @pytest.fixture
    def pair(self):
        return new_key_pair()

    @pytest.fixture
    def sealed(self, session, case, pair):
        public = PublicKey(pair.id, private_key(pair.private).public_key())
        told = json.dumps({"name": "Maria", "email": "maria@example.org", "phone": None}).encode()
        box = seal(told, public, record=identity_record(case.protocol))
        case.identity_mode = "sealed"
        session.add(SealedIdentityRow(complaint_id=case.id, key_id=pair.id, box=box, sealed_at=FILED))
        session.flush()
        return case

    @pytest.fixture
    def open_box(self, pair):
        return lambda box, record: open_sealed(box, {pair.id: private_key(pair.private)}, record=record)

    def test_the_ombudsman_opens_it_with_a_reason_that_is_logged(self, session, ana, sealed, open_box):
        identity = desk.open_identity(
            session, ana, sealed.protocol, "Ofício 12/2030", open_box=open_box, now=NOW
        )

        assert (identity.mode, identity.name, identity.email) == (
            IdentityMode.SEALED,
            "Maria",
            "maria@example.org",
        )
        (entry,) = history_of(session, TOWN, f"complaint:{sealed.id}")
        assert (entry.action, entry.reason) == ("identity.opened", fingerprint("Ofício 12/2030"))

    def test_without_a_reason_it_stays_sealed(self, session, ana, sealed, open_box):
        with pytest.raises(ReasonMissing):
            desk.open_identity(session, ana, sealed.protocol, " ", open_box=open_box, now=NOW)

    def test_one_told_from_the_start_needs_no_reason(self, session, ana, sealed, open_box):
        sealed.identity_mode = "open"

        told = desk.told_identity(session, ana, sealed.protocol, open_box=open_box)
        assert told is not None
        assert told.name == "Maria"

    def test_who_stood_back_sees_it_no_more(self, session, ana, sealed, open_box):
        sealed.identity_mode = "open"
        rui = member_of(session, TOWN, name="Rui")
        desk.recuse(session, ana, sealed.protocol, rui.id, "É minha prima.", now=NOW)

        assert desk.told_identity(session, ana, sealed.protocol, open_box=open_box) is None
        assert desk.told_identity(session, rui, sealed.protocol, open_box=open_box)

    def test_a_clerk_cannot(self, session, clerk, sealed, open_box):
        with pytest.raises(NotAllowed):
            desk.open_identity(session, clerk, sealed.protocol, "Curiosidade", open_box=open_box, now=NOW)

    def test_another_towns_keys_do_not_open_it(self, session, ana, sealed):
        def no_key(box, record):
            raise UnreadableBox

        with pytest.raises(IdentityNotHere) as refused:
            desk.open_identity(session, ana, sealed.protocol, "Ofício", open_box=no_key, now=NOW)
        assert refused.value.why == "key"

    def test_an_anonymous_complaint_has_none(self, session, ana, case, open_box):
        with pytest.raises(IdentityNotHere) as refused:
            desk.open_identity(session, ana, case.protocol, "Ofício", open_box=open_box, now=NOW)
        assert refused.value.why == "anonymous"


class TestTenancy:
    """Another municipality's complaint does not exist here, whatever one tries."""

    def test_it_is_not_in_the_list(self, session, stranger, case):
        for show in Show:
            page = desk.list_cases(session, stranger, today=TODAY, show=show)
            assert (page.lines, page.counts[show]) == ((), 0)

    @pytest.mark.parametrize(
        "try_it",
        [
            lambda session, staff, protocol: desk.read_case(session, staff, protocol, today=TODAY),
            lambda session, staff, protocol: desk.evidence_of_case(session, staff, protocol, "token"),
            lambda session, staff, protocol: desk.start_review(session, staff, protocol, now=NOW),
            lambda session, staff, protocol: desk.answer_case(session, staff, protocol, "Oi.", now=NOW),
            lambda session, staff, protocol: desk.ask_citizen(session, staff, protocol, "Oi?", now=NOW),
            lambda session, staff, protocol: desk.forward_case(session, staff, protocol, "X", now=NOW),
            lambda session, staff, protocol: desk.extend_deadline(session, staff, protocol, "X", now=NOW),
            lambda session, staff, protocol: desk.close_case(session, staff, protocol, now=NOW),
            lambda session, staff, protocol: desk.open_identity(
                session, staff, protocol, "X", open_box=lambda box, record: b"{}", now=NOW
            ),
        ],
    )
    def test_nothing_reaches_across(self, session, stranger, case, try_it):
        before = session.get(ComplaintRow, case.id).status

        with pytest.raises(NothingHere):
            try_it(session, stranger, case.protocol)

        assert session.get(ComplaintRow, case.id).status == before
        assert history_of(session, TOWN, f"complaint:{case.id}") == ()


class TestWhatCanBeDone:
    def test_an_ombudsman_with_a_new_complaint(self, session, ana, case):
        assert desk.read_case(session, ana, case.protocol, today=TODAY).actions == {
            Action.REVIEW,
            Action.ANSWER,
            Action.ASK,
            Action.FORWARD,
            Action.EXTEND,
            Action.DISMISS,
            Action.MERGE,
            Action.RECUSE,
        }

    @pytest.mark.parametrize("role", [Role.CLERK, Role.AUDITOR])
    def test_the_register_and_the_log_need_no_complaint(self, session, case, role):
        other = member_of(session, TOWN, role)

        with pytest.raises(NotAllowed):
            desk.read_case(session, other, case.protocol, today=TODAY)
        with pytest.raises(NotAllowed):
            desk.list_cases(session, other, today=TODAY)

    def test_an_inspector_only_reads(self, session, case):
        inspector = member_of(session, TOWN, Role.INSPECTOR)

        assert desk.read_case(session, inspector, case.protocol, today=TODAY).actions == frozenset()

    def test_what_is_answered_can_be_closed_once_no_review_can_be_asked_for(self, session, ana, case):
        desk.answer_case(session, ana, case.protocol, "Pronto.", now=NOW)

        later = TODAY + timedelta(31)
        assert desk.read_case(session, ana, case.protocol, today=TODAY).actions == frozenset()
        assert desk.read_case(session, ana, case.protocol, today=later).actions == {Action.CLOSE}

    def test_a_protocol_is_read_in_any_spelling(self, session, ana, case):
        typed = case.protocol.replace("-", " ").lower()

        assert desk.read_case(session, ana, typed, today=TODAY).line.protocol == case.protocol
