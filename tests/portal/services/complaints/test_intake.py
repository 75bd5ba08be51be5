import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from threading import Barrier

import pytest
from PIL import Image
from sqlalchemy import select

from portal.config import settings
from portal.domain.access_keys import fold, keyed_hash
from portal.domain.complaints import Identity, IdentityMode
from portal.domain.errors import AnswerMissing, DraftGone, FileRefused, IdentityNotTaken
from portal.domain.evidence import FILE_LIMIT
from portal.domain.protocols import is_protocol
from portal.files.reading import read_file
from portal.files.store import file_store
from portal.sealing.opening import open_sealed
from portal.services.complaints.filing import file_complaint, keep_key, receipt_of
from portal.services.complaints.intake import (
    answer,
    attach,
    detach,
    discard,
    go_back,
    go_to,
    read_draft,
    skip,
    start_draft,
    sweep_drafts,
)
from portal.services.complaints.stored_files import forget_unnamed, store_file
from portal.services.unit_of_work import unit_of_work
from portal.storage.complaints import (
    ComplaintEventRow,
    ComplaintRow,
    NoticeAddressRow,
    SealedIdentityRow,
    identity_record,
    notice_record,
)
from portal.storage.drafts import DraftRow, EvidenceRow

TOWN = "caraguatatuba-sp"
NOW = datetime(2026, 11, 30, 17, 2, tzinfo=UTC)  # 14:02 in the town
ANONYMOUS = Identity(IdentityMode.ANONYMOUS)

pytestmark = pytest.mark.usefixtures("ombudsman_keys")


def a_draft(session, *, channel="web", prefill=None, town=TOWN):
    return start_draft(
        session, municipality=town, channel=channel, language="pt_BR", now=NOW, prefill=prefill
    )


def answered(session, **answers):
    """A draft that only lacks the identity; every question not given is skipped."""
    draft = a_draft(session, channel=answers.pop("channel", "web"), town=answers.pop("town", TOWN))
    given = {"what": "overcrowding", **answers}
    while draft.question.id != "identity":
        asked = draft.question.id
        if asked in given:
            draft = answer(session, draft.token, asked, given[asked], now=NOW)
        else:
            draft = skip(session, draft.token, asked, now=NOW)
    if "story" in given:
        draft = answer(session, draft.token, "story", given["story"], now=NOW)
    return draft


def a_photo(name="IMG_1.jpg"):
    out = BytesIO()
    Image.new("RGB", (40, 30), "navy").save(out, "JPEG")
    return store_file(read_file(name, out.getvalue()), TOWN)


class TestAnsweringQuestions:
    def test_asks_in_order_and_counts_the_steps(self, session):
        draft = a_draft(session)
        seen = [(draft.question.id, draft.step)]
        while draft.question.id != "identity":
            raw = {"what": "overcrowding"}.get(draft.question.id)
            draft = (
                answer(session, draft.token, draft.question.id, raw, now=NOW)
                if raw
                else skip(session, draft.token, draft.question.id, now=NOW)
            )
            seen.append((draft.question.id, draft.step))
        assert seen == [
            ("what", 1), ("vehicle", 2), ("where", 3), ("when", 4), ("identity", 5),
        ]  # fmt: skip

    def test_a_prefilled_fact_is_not_asked_again(self, session):
        draft = a_draft(session, prefill={"vehicle": "ABC1D23", "what": "overcrowding", "when": "nonsense"})
        assert draft.question.id == "where"
        assert draft.answers["vehicle"] == {"kind": "typed", "text": "ABC1D23", "as": "plate"}

    def test_going_back_keeps_the_answer_until_another_is_given(self, session):
        draft = a_draft(session)
        answer(session, draft.token, "what", "overcrowding", now=NOW)
        draft = go_back(session, draft.token, now=NOW)
        assert draft.question.id == "what"
        assert draft.answers["what"]["category"] == "overcrowding"
        assert answer(session, draft.token, "what", "rudeness", now=NOW).question.id == "vehicle"

    def test_a_change_from_the_last_page_returns_to_it(self, session):
        draft = answered(session)
        draft = go_to(session, draft.token, "when", now=NOW)
        assert draft.question.id == "when"
        assert answer(session, draft.token, "when", "now", now=NOW).question.id == "identity"

    def test_a_draft_survives_a_week_and_is_swept_after_ten_days(self, session):
        draft = a_draft(session)
        attach(session, draft.token, a_photo(), now=NOW)
        assert read_draft(session, draft.token, now=NOW + timedelta(days=7)).files
        with pytest.raises(DraftGone):
            read_draft(session, draft.token, now=NOW + timedelta(days=10))
        assert sweep_drafts(session, now=NOW + timedelta(days=10)) == 1
        session.commit()
        assert session.scalars(select(EvidenceRow)).all() == []
        assert list(file_store(settings().files_url).names()) == []


class TestPhotos:
    def test_the_eleventh_is_refused_and_the_ten_stay(self, session):
        draft = a_draft(session)
        for _number in range(FILE_LIMIT):
            draft = attach(session, draft.token, a_photo(), now=NOW)
        with pytest.raises(FileRefused) as refused:
            attach(session, draft.token, a_photo(), now=NOW)
        assert (refused.value.why, refused.value.limit) == ("too_many", FILE_LIMIT)
        assert len(read_draft(session, draft.token, now=NOW).files) == FILE_LIMIT

    def test_one_taken_out_leaves_the_disk_with_the_commit(self, session):
        draft = attach(session, a_draft(session).token, a_photo(), now=NOW)
        store = file_store(settings().files_url)
        detach(session, draft.token, draft.files[0].token, now=NOW)
        assert len(list(store.names())) == 1
        session.commit()
        assert list(store.names()) == []

    def test_a_transaction_that_fails_leaves_no_file(self, session):
        draft = a_draft(session)
        session.commit()
        photo = a_photo()
        attach(session, draft.token, photo, now=NOW)
        session.rollback()
        forget_unnamed([photo])
        assert list(file_store(settings().files_url).names()) == []

    def test_throwing_the_draft_away_throws_them_away(self, session):
        draft = attach(session, a_draft(session).token, a_photo(), now=NOW)
        discard(session, draft.token)
        session.commit()
        assert list(file_store(settings().files_url).names()) == []


class TestFiling:
    def test_a_complaint_needs_no_typing(self, session):
        receipt = file_complaint(session, answered(session).token, ANONYMOUS, now=NOW)
        assert is_protocol(receipt.protocol)
        assert len(receipt.access_key.split()) == 6
        assert receipt.due_on == date(2026, 12, 30)
        assert receipt.due_article

    def test_the_last_hour_of_a_day_counts_for_the_towns_own_day(self, session):
        at_night = datetime(2026, 11, 16, 2, 30, tzinfo=UTC)  # 23:30 of the 15th there
        receipt = file_complaint(session, answered(session).token, ANONYMOUS, now=at_night)
        assert receipt.due_on == date(2026, 12, 15)

    def test_pressing_twice_files_once_and_gives_the_same_receipt(self, session):
        token = answered(session).token
        first = file_complaint(session, token, ANONYMOUS, now=NOW)
        second = file_complaint(session, token, ANONYMOUS, now=NOW + timedelta(seconds=1))
        assert second == first
        assert len(session.scalars(select(ComplaintRow)).all()) == 1

    def test_says_which_question_is_open(self, session):
        with pytest.raises(AnswerMissing) as missing:
            file_complaint(session, a_draft(session).token, ANONYMOUS, now=NOW)
        assert missing.value.question == "what"

    def test_keeps_facts_kind_and_the_step_taken(self, session):
        draft = answered(session, vehicle="abc-1d23", where={"text": "Praça"}, when="now", story="Lotado 🚂")
        file_complaint(session, draft.token, ANONYMOUS, now=NOW)
        row = session.scalars(select(ComplaintRow)).one()
        assert (row.kind, row.category, row.status) == ("denuncia", "overcrowding", "registered")
        assert row.plate_key == "ABC1323"
        assert row.facts["where"] == {"kind": "typed", "text": "Praça"}
        assert row.facts["when"] == {"kind": "at", "date": "2026-11-30", "time": "14:02"}
        assert row.story == "Lotado 🚂"
        [event] = session.scalars(select(ComplaintEventRow)).all()
        assert (event.status, event.actor) == ("registered", "citizen")

    def test_photos_go_along_under_names_that_tell_nothing(self, session):
        draft = answered(session)
        attach(session, draft.token, a_photo("Maria da Silva.jpg"), now=NOW)
        receipt = file_complaint(session, draft.token, ANONYMOUS, now=NOW)
        [file] = session.scalars(select(EvidenceRow)).all()
        assert (file.name, file.draft_id, receipt.photos) == ("foto-1.jpg", None, 1)

    def test_a_draft_that_never_was_cannot_be_filed(self, session):
        with pytest.raises(DraftGone):
            file_complaint(session, "made-up", ANONYMOUS, now=NOW)


class TestFilingAtTheSameInstant:
    def test_a_click_and_a_key_together_file_once(self, database):
        with unit_of_work(writes=True) as session:
            token = answered(session).token
        start = Barrier(4)

        def press(_number):
            start.wait()
            with unit_of_work(writes=True) as session:
                return file_complaint(session, token, ANONYMOUS, now=NOW)

        with ThreadPoolExecutor(4) as people:
            receipts = list(people.map(press, range(4)))
        assert len(set(receipts)) == 1
        with unit_of_work() as session:
            assert len(session.scalars(select(ComplaintRow)).all()) == 1


class TestWhatTheRegisterSaid:
    def test_is_kept_as_of_the_day_of_the_event(self, session):
        draft = answered(session, vehicle="BRA9Z99", when="28/11/2026")
        file_complaint(session, draft.token, ANONYMOUS, now=NOW)
        snapshot = session.scalars(select(ComplaintRow)).one().snapshot
        assert (snapshot["asked"], snapshot["on"]) == ("BRA9Z99", "2026-11-28")
        assert snapshot["status"] in ("not_found", "unknown")
        assert json.loads(json.dumps(snapshot)) == snapshot

    @pytest.mark.parametrize("vehicle", ["none", "um trenzinho azul", "AB 123 CD"])
    def test_without_a_plate_there_is_none(self, session, vehicle):
        file_complaint(session, answered(session, vehicle=vehicle).token, ANONYMOUS, now=NOW)
        assert session.scalars(select(ComplaintRow)).one().snapshot is None


class TestTheAccessKey:
    def test_only_its_keyed_hash_is_in_the_complaint(self, session):
        receipt = file_complaint(session, answered(session).token, ANONYMOUS, now=NOW)
        row = session.scalars(select(ComplaintRow)).one()
        pepper = settings().access_key_pepper.get_secret_value().encode()
        assert row.access_key_hash == keyed_hash(receipt.access_key.upper(), receipt.protocol, pepper)

    def test_is_shown_again_for_an_hour(self, session):
        token = answered(session).token
        receipt = file_complaint(session, token, ANONYMOUS, now=NOW)
        assert receipt_of(session, token, now=NOW + timedelta(minutes=59)) == receipt
        with pytest.raises(DraftGone):
            receipt_of(session, token, now=NOW + timedelta(minutes=60))

    def test_is_erased_once_kept(self, session):
        token = answered(session).token
        receipt = file_complaint(session, token, ANONYMOUS, now=NOW)
        keep_key(session, token)
        again = receipt_of(session, token, now=NOW)
        assert (again.protocol, again.access_key) == (receipt.protocol, None)
        assert session.scalars(select(DraftRow)).one().access_key_box is None

    def test_stands_nowhere_readable(self, session):
        receipt = file_complaint(session, answered(session).token, ANONYMOUS, now=NOW)
        box = session.scalars(select(DraftRow)).one().access_key_box
        assert fold(receipt.access_key).encode() not in box


class TestWhoComplains:
    def test_an_identity_is_sealed_to_the_ombudsman_and_stands_nowhere_else(self, session, opening_keys):
        identity = Identity(IdentityMode.SEALED, name="Nome Inventado", email="a@example.org")
        receipt = file_complaint(session, answered(session).token, identity, now=NOW)
        row = session.scalars(select(SealedIdentityRow)).one()
        opened = open_sealed(row.box, opening_keys["identity"], record=identity_record(receipt.protocol))
        assert json.loads(opened)["name"] == "Nome Inventado"
        address = session.scalars(select(NoticeAddressRow)).one()
        record = notice_record(receipt.protocol, "mail")
        assert open_sealed(address.box, opening_keys["notice"], record=record) == b"a@example.org"

    def test_an_anonymous_complaint_leaves_no_box(self, session):
        file_complaint(session, answered(session).token, ANONYMOUS, now=NOW)
        assert session.scalars(select(SealedIdentityRow)).all() == []
        assert session.scalars(select(NoticeAddressRow)).all() == []

    def test_is_never_an_answer_of_the_draft(self, session):
        draft = answered(session)
        with pytest.raises(ValueError, match="never"):
            answer(session, draft.token, "identity", "anonymous", now=NOW)

    def test_a_town_without_a_key_takes_anonymous_complaints_only(self, session):
        draft = answered(session, town="santa-rita-pb")
        with pytest.raises(IdentityNotTaken):
            file_complaint(session, draft.token, Identity(IdentityMode.OPEN, name="N"), now=NOW)
        assert file_complaint(session, draft.token, ANONYMOUS, now=NOW).protocol

    def test_an_anonymous_draft_of_telegram_goes_whole_as_it_is_filed(self, session):
        token = answered(session, channel="telegram").token
        first = file_complaint(session, token, ANONYMOUS, now=NOW)
        assert session.scalars(select(DraftRow)).all() == []
        again = file_complaint(session, token, ANONYMOUS, now=NOW)
        assert (again.protocol, again.access_key) == (first.protocol, None)
