from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from portal.domain.complaints import ComplaintStatus, Identity, IdentityMode
from portal.domain.errors import (
    EmptyMessage,
    NothingHere,
    StepNotAllowed,
    TextTooLong,
    TicketExpired,
    WrongPair,
)
from portal.domain.protocols import new_protocol
from portal.services.complaints.filing import file_complaint
from portal.services.complaints.intake import answer, attach, skip, start_draft
from portal.services.complaints.tracking import (
    CaseView,
    add_evidence,
    add_message,
    evidence,
    reopen,
    sweep_attempts,
    track,
)
from portal.storage.complaints import AttemptRow, ComplaintMessageRow, ComplaintRow
from tests.portal.services.complaints.test_intake import NOW, a_photo

pytestmark = pytest.mark.usefixtures("ombudsman_keys")


@pytest.fixture
def receipt(session):
    """Of a complaint with one photo and nothing else."""
    draft = start_draft(session, municipality="caraguatatuba-sp", channel="web", language="en", now=NOW)
    attach(session, draft.token, a_photo(), now=NOW)
    draft = answer(session, draft.token, "what", "overcrowding", now=NOW)
    while draft.question.skippable:
        draft = skip(session, draft.token, draft.question.id, now=NOW)
    return file_complaint(session, draft.token, Identity(IdentityMode.ANONYMOUS), now=NOW)


def opened(session, receipt, *, now=NOW):
    case = track(session, receipt.protocol, receipt.access_key, now=now)
    assert isinstance(case, CaseView)
    return case


class TestTheRightPair:
    def test_shows_state_next_date_and_what_was_told(self, session, receipt):
        case = opened(session, receipt)
        assert case.status is ComplaintStatus.REGISTERED
        assert case.next_date == receipt.due_on
        assert [event.status for event in case.events] == ["registered"]
        assert (case.category, len(case.files), case.language) == ("overcrowding", 1, "en")

    @pytest.mark.parametrize("typed", ["upper", "hyphens", "run together", "accents", "extra spaces"])
    def test_however_it_is_typed(self, session, receipt, typed):
        key, protocol = receipt.access_key, receipt.protocol
        pair = {
            "upper": (protocol.lower(), key.upper()),
            "hyphens": (protocol.replace("-", " "), key.replace(" ", "-")),
            "run together": (protocol.replace("-", ""), key.replace(" ", "")),
            "accents": (protocol.replace("0", "o").replace("1", "l"), key.replace("a", "á")),
            "extra spaces": (f"  {protocol} ", f"\n {key.replace(' ', ',  ')}. "),
        }[typed]
        assert isinstance(track(session, *pair, now=NOW), CaseView)

    def test_is_let_in_whatever_a_prankster_tried(self, session, receipt):
        for _ in range(50):
            track(session, receipt.protocol, "seis palavras que não são estas", now=NOW)
        assert opened(session, receipt).protocol == receipt.protocol


class TestAWrongPair:
    def test_reads_the_same_for_a_protocol_that_exists_and_one_that_does_not(self, session, receipt):
        answers = [
            [track(session, protocol, "uma chave qualquer", now=NOW) for _ in range(8)]
            for protocol in (receipt.protocol, new_protocol())
        ]
        told = [[(type(answer), answer.wait, answer.status) for answer in each] for each in answers]
        assert told[0] == told[1]
        assert [wait for _type, wait, _status in told[0]] == [0, 0, 0, 0, 0, 2, 4, 8]

    def test_asks_for_patience_and_forgets_after_a_while(self, session, receipt):
        for _ in range(20):
            last = track(session, receipt.protocol, "errada", now=NOW)
        assert (last.wait, last.status) == (60, 429)
        later = NOW + timedelta(minutes=16)
        assert track(session, receipt.protocol, "errada", now=later).wait == 0
        assert sweep_attempts(session, now=later + timedelta(hours=1)) == 1

    def test_leaves_no_protocol_in_the_counters(self, session, receipt):
        track(session, receipt.protocol, "errada", now=NOW)
        assert receipt.protocol.encode() not in session.scalars(select(AttemptRow)).one().protocol_hash

    @pytest.mark.parametrize("protocol", ["", "\x00", "\ud800", "a" * 100_000, "' OR 1=1 --"])
    def test_takes_any_text(self, session, protocol):
        assert isinstance(track(session, protocol, protocol, now=NOW), WrongPair)


class TestTheTicket:
    def test_opens_the_case_for_an_hour_without_the_key(self, session, receipt):
        ticket = opened(session, receipt).ticket
        assert reopen(session, ticket, now=NOW + timedelta(minutes=59)).protocol == receipt.protocol
        with pytest.raises(TicketExpired):
            reopen(session, ticket, now=NOW + timedelta(minutes=61))

    def test_tells_nothing_and_cannot_be_made_up(self, session, receipt):
        assert receipt.protocol not in opened(session, receipt).ticket
        with pytest.raises(TicketExpired):
            reopen(session, receipt.protocol, now=NOW)


class TestWriting:
    def test_a_message_is_kept_clean_and_shown(self, session, receipt):
        case = add_message(session, opened(session, receipt).ticket, " Era azul\x00 🚂\u202e ", now=NOW)
        assert [(message.sender, message.text) for message in case.messages] == [("citizen", "Era azul 🚂")]

    def test_a_reply_that_was_asked_for_goes_back_to_review(self, session, receipt):
        session.scalars(select(ComplaintRow)).one().status = "awaiting_citizen"
        case = add_message(session, opened(session, receipt).ticket, "Foi às 10h", now=NOW)
        assert case.status is ComplaintStatus.IN_REVIEW
        assert case.events[-1].actor == "citizen"

    @pytest.mark.parametrize(
        ("text", "error"), [("\u200b", EmptyMessage), ("....", EmptyMessage), ("a" * 4001, TextTooLong)]
    )
    def test_nothing_and_too_much_are_told(self, session, receipt, text, error):
        with pytest.raises(error):
            add_message(session, opened(session, receipt).ticket, text, now=NOW)

    def test_an_ended_case_takes_no_more(self, session, receipt):
        session.scalars(select(ComplaintRow)).one().status = "closed"
        case = opened(session, receipt)
        assert (case.can_write, case.next_date) == (False, None)
        with pytest.raises(StepNotAllowed):
            add_message(session, case.ticket, "Mais", now=NOW)


class TestReading:
    def test_the_ombudsmans_answer(self, session, receipt):
        row = session.scalars(select(ComplaintRow)).one()
        row.status = "answered"
        session.add(
            ComplaintMessageRow(
                complaint_id=row.id, at=NOW, sender="ombudsman", text="Fiscalizamos.", is_answer=True
            )
        )
        case = opened(session, receipt)
        assert (case.answer.text, case.next_date) == ("Fiscalizamos.", None)

    def test_ones_own_photo_and_no_other(self, session, receipt):
        case = opened(session, receipt)
        file = evidence(session, case.ticket, case.files[0].token, now=NOW)
        assert (file.name, file.media_type, file.read()[:3]) == ("foto-1.jpg", "image/jpeg", b"\xff\xd8\xff")
        with pytest.raises(NothingHere):
            evidence(session, case.ticket, "another", now=datetime(2026, 11, 30, 17, 3, tzinfo=UTC))


class TestAFileThatComesLater:
    def test_answers_what_was_asked(self, session, receipt):
        case = opened(session, receipt)
        [row] = session.scalars(select(ComplaintRow))
        row.status = ComplaintStatus.AWAITING_CITIZEN
        case = add_evidence(session, case.ticket, a_photo(), now=NOW)
        assert case.status is ComplaintStatus.IN_REVIEW

    def test_is_kept_once_however_often_it_is_sent(self, session, receipt):
        case = opened(session, receipt)
        later = NOW + timedelta(hours=1)
        ticket = opened(session, receipt, now=later).ticket
        for _press in range(2):
            case = add_evidence(session, ticket, a_photo(), now=later)
            case = add_message(session, ticket, "Era esta.", now=later + timedelta(seconds=2))
        assert (len(case.files), [one.text for one in case.messages]) == (2, ["Era esta."])

    def test_may_come_again_on_another_day(self, session, receipt):
        for day in (1, 2):
            now = NOW + timedelta(days=day)
            case = add_message(
                session, opened(session, receipt, now=now).ticket, "Voltou a acontecer.", now=now
            )
        assert len(case.messages) == 2
