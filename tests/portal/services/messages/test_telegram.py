from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from portal.domain.complaints import Identity, IdentityMode
from portal.domain.errors import DraftGone, NothingHere
from portal.sealing.opening import open_sealed
from portal.services.complaints import intake
from portal.services.messages.telegram import (
    drop_draft,
    file_from_chat,
    forget_chat,
    forget_handled,
    known,
    mark_handled,
    mark_worked,
    read_chat,
    read_receipt,
    remember,
    start_draft,
    stop_notices,
    store_updates,
    subscribe,
    updates_waiting,
)
from portal.storage.complaints import NoticeAddressRow
from portal.storage.drafts import DraftRow
from portal.storage.outbox import OutboxRow
from portal.storage.telegram import TelegramChatRow, TelegramUpdateRow

TOWN = "caraguatatuba-sp"
NOW = datetime(2026, 11, 30, 17, 2, tzinfo=UTC)
ANA, BIA = 7_000_000_001, 7_000_000_002
ANONYMOUS = Identity(IdentityMode.ANONYMOUS)

pytestmark = pytest.mark.usefixtures("ombudsman_keys")


def update(number: int, chat: int = ANA, text: str = "segredo") -> dict[str, object]:
    return {"update_id": number, "message": {"chat": {"id": chat}, "from": {"id": chat}, "text": text}}


def a_finished_draft(session, chat: int = ANA) -> None:
    draft = start_draft(session, chat, municipality=TOWN, language="en", prefill={"what": "praise"}, now=NOW)
    while draft.question.id != "identity":
        draft = intake.skip(session, draft.token, draft.question.id, now=NOW)


class TestTheInbox:
    def test_takes_an_update_once(self, session):
        assert [stored.update_id for stored in store_updates(session, [update(1), update(2)], now=NOW)] == [
            1,
            2,
        ]
        assert [stored.update_id for stored in store_updates(session, [update(2), update(3)], now=NOW)] == [3]

    def test_keeps_the_updates_of_a_chat_in_one_lane(self, session):
        stored = store_updates(session, [update(1), update(2, BIA), update(3)], now=NOW)
        assert stored[0].lane == stored[2].lane != stored[1].lane

    @pytest.mark.parametrize(
        "body",
        [
            {"callback_query": {"from": {"id": ANA}, "message": {"chat": {"id": ANA}}}},
            {"edited_message": {"chat": {"id": ANA}}},
            {"my_chat_member": {"chat": {"id": ANA}, "from": {"id": ANA}}},
            {"inline_query": {"from": {"id": ANA}}},
        ],
    )
    def test_knows_the_chat_of_every_kind_of_update(self, session, body):
        lanes = {
            stored.lane for stored in store_updates(session, [update(1), {"update_id": 2, **body}], now=NOW)
        }
        assert len(lanes) == 1

    def test_gives_back_what_was_not_handled_in_order(self, session):
        store_updates(session, [update(1), update(2), update(3)], now=NOW)
        mark_handled(session, 2, now=NOW)
        assert [waiting.update_id for waiting in updates_waiting(session)] == [1, 3]

    def test_notes_an_effect_once(self, session):
        store_updates(session, [update(1)], now=NOW)
        assert mark_worked(session, 1, now=NOW)
        assert not mark_worked(session, 1, now=NOW)

    def test_forgets_the_keys_that_telegram_cannot_repeat(self, session):
        store_updates(session, [update(1)], now=NOW)
        mark_handled(session, 1, now=NOW)
        forget_handled(session, now=NOW + timedelta(days=29))
        assert known(session, 1)
        forget_handled(session, now=NOW + timedelta(days=31))
        assert not known(session, 1)


class TestWhatIsRememberedOfAChat:
    def test_starts_empty_and_changes_field_by_field(self, session):
        assert read_chat(session, ANA).language is None
        remember(session, ANA, {"language": "es"})
        remember(session, ANA, {"municipality": TOWN})
        chat = read_chat(session, ANA)
        assert (chat.language, chat.municipality) == ("es", TOWN)

    def test_is_not_found_by_the_number_of_the_chat(self, session):
        remember(session, ANA, {"language": "es"})
        [row] = session.scalars(select(TelegramChatRow))
        assert str(ANA) not in row.chat_key

    def test_is_erased_whole_with_the_draft_not_sent(self, session):
        a_finished_draft(session)
        store_updates(session, [update(1)], now=NOW)
        mark_worked(session, 1, now=NOW)
        forget_chat(session, ANA)
        assert session.scalars(select(TelegramChatRow)).all() == []
        assert session.scalars(select(DraftRow)).all() == []
        assert session.scalars(select(TelegramUpdateRow.body)).all() == [None]

    def test_a_new_draft_takes_the_place_of_the_old(self, session):
        a_finished_draft(session)
        a_finished_draft(session)
        assert len(session.scalars(select(DraftRow)).all()) == 1

    def test_a_draft_is_dropped_once(self, session):
        a_finished_draft(session)
        assert drop_draft(session, ANA)
        assert not drop_draft(session, ANA)


class TestFilingFromAChat:
    def test_erases_link_draft_and_bodies_in_the_same_transaction(self, session):
        a_finished_draft(session)
        store_updates(session, [update(1), update(2, BIA)], now=NOW)
        mark_worked(session, 1, now=NOW)

        file_from_chat(session, ANA, ANONYMOUS, now=NOW)

        assert read_chat(session, ANA).draft is None
        assert session.scalars(select(DraftRow)).all() == []
        bodies = {row.lane: row.body for row in session.scalars(select(TelegramUpdateRow))}
        assert bodies[None] is None
        assert sum(body is not None for body in bodies.values()) == 1, "of another chat"

    def test_leaves_one_receipt_sealed_for_an_hour(self, session, opening_keys):
        a_finished_draft(session)
        filed = file_from_chat(session, ANA, ANONYMOUS, now=NOW)
        [row] = session.scalars(select(OutboxRow))
        assert row.id == filed.delivery
        assert row.expires_at == NOW + timedelta(minutes=60)
        assert row.due_at > NOW
        opened = open_sealed(row.sealed, opening_keys["notice"], record=row.record)
        assert read_receipt(opened) == (ANA, filed.receipt)

    def test_twice_is_once(self, session):
        a_finished_draft(session)
        file_from_chat(session, ANA, ANONYMOUS, now=NOW)
        with pytest.raises(DraftGone):
            file_from_chat(session, ANA, ANONYMOUS, now=NOW)

    def test_makes_no_notice_address(self, session):
        a_finished_draft(session)
        file_from_chat(session, ANA, ANONYMOUS, now=NOW)
        assert session.scalars(select(NoticeAddressRow)).all() == []


class TestNews:
    @pytest.fixture
    def protocol(self, session) -> str:
        a_finished_draft(session)
        return file_from_chat(session, ANA, ANONYMOUS, now=NOW).receipt.protocol

    def test_are_subscribed_once_and_ended_whole(self, session, protocol):
        assert subscribe(session, ANA, protocol)
        assert not subscribe(session, ANA, protocol)
        assert subscribe(session, BIA, protocol)
        assert stop_notices(session, ANA) == 1
        assert stop_notices(session, ANA) == 0

    def test_of_no_complaint_are_none(self, session):
        with pytest.raises(NothingHere):
            subscribe(session, ANA, "0000-0000-0000")
