from datetime import UTC, datetime, timedelta

import pytest

from portal.config import settings
from portal.files.store import file_store
from portal.services import housekeeping
from portal.services.complaints import intake
from portal.services.complaints.stored_files import sweep_files
from portal.services.unit_of_work import unit_of_work
from portal.storage.drafts import EvidenceRow
from tests.factories.complaints import put_complaint
from tests.factories.evidence import put_evidence
from tests.portal.services.complaints.test_intake import NOW, TOWN, a_photo


def start(now=None):
    for chore in housekeeping.AT_START:
        chore(now or datetime.now(UTC))


@pytest.fixture
def store(database):
    return file_store(settings().files_url)


class TestStartingAfterAKill:
    def test_a_file_of_this_hour_is_perhaps_on_its_way(self, store):
        store.put("0" * 32, b"orphan")
        assert sweep_files(now=datetime.now(UTC)).orphans == 0
        assert sweep_files(now=datetime.now(UTC) + timedelta(hours=2)).orphans == 1

    def test_a_file_without_a_row_goes_however_old(self, store):
        store.put("0" * 32, b"orphan")
        start(datetime.now(UTC) + timedelta(days=30))
        assert list(store.names()) == []

    def test_half_of_a_file_goes(self, store, environment):
        store.put("0" * 32, b"orphan")
        whole = next(environment.joinpath("files").rglob("0" * 32))
        whole.rename(whole.with_suffix(".partial"))
        start(datetime.now(UTC) + timedelta(hours=2))
        assert list(store.names()) == []

    def test_what_a_row_names_stays(self, store):
        with unit_of_work(writes=True) as session:
            put_evidence(session, put_complaint(session))
        start(datetime.now(UTC) + timedelta(days=30))
        assert len(list(store.names())) == 1

    def test_a_row_without_its_file_goes_with_a_draft_and_stays_with_a_complaint(self, store):
        with unit_of_work(writes=True) as session:
            draft = intake.start_draft(session, municipality=TOWN, channel="web", language="pt_BR", now=NOW)
            intake.attach(session, draft.token, a_photo(), now=NOW)
            put_evidence(session, put_complaint(session), added_at=NOW)
        for name, _put_at in list(store.names()):
            store.delete(name)
        assert sweep_files(now=NOW + timedelta(hours=2), everything=True).lost == 2
        with unit_of_work() as session:
            [left] = session.query(EvidenceRow)
            assert left.complaint_id is not None
