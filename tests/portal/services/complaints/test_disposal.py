from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from portal.domain.complaints import EventKind
from portal.domain.errors import PortalError
from portal.regulations import catalogue
from portal.services.complaints.disposal import dispose
from portal.services.complaints.tracking import track
from portal.services.people.audit import history_of
from portal.storage.complaints import (
    ComplaintEventRow,
    ComplaintMessageRow,
    ComplaintRow,
    SealedIdentityRow,
    events_of,
)
from portal.storage.drafts import EvidenceRow
from tests.factories.complaints import put_complaint

TOWN, ELSEWHERE = "exemplo-ac", "caraguatatuba-sp"
TOWNS = Path(__file__).parents[3] / "factories" / "towns"
ENDED = datetime(2031, 3, 10, 15, 0, tzinfo=UTC)
LAST_DAY = datetime(2036, 3, 10, 15, 0, tzinfo=UTC)
"""Sixty months later, which the town's table says."""
AFTER = LAST_DAY + timedelta(days=1)


@pytest.fixture(autouse=True)
def towns(environment):
    with catalogue.reading_from(catalogue.DATA, TOWNS):
        yield


def ended(session, status="closed", town=TOWN, **told):
    row = put_complaint(
        session, municipality=town, status=status, story="Um relato.", closed_at=ENDED, **told
    )
    session.add(ComplaintEventRow(complaint_id=row.id, at=ENDED, status=status, actor="time", reason="Fim."))
    session.add(SealedIdentityRow(complaint_id=row.id, key_id="k", box=b"-", sealed_at=ENDED))
    told = ComplaintMessageRow(
        complaint_id=row.id, at=ENDED - timedelta(days=9), sender="citizen", text="Oi."
    )
    session.add(told)
    session.flush()
    return row


class TestTheEndOfKeeping:
    @pytest.mark.parametrize(("now", "count"), [(LAST_DAY, 0), (AFTER, 1)])
    def test_the_last_day_of_the_table_still_keeps(self, session, now, count):
        ended(session)

        assert len(dispose(session, TOWN, now=now).erased) == count

    def test_what_was_told_and_who_told_it_are_gone(self, session):
        row = ended(session, plate_key="BRA2E19")
        dispose(session, TOWN, now=AFTER)

        assert (row.story, row.facts, row.snapshot, row.plate_key) == (None, {}, None, None)
        assert "relato" not in row.search_text
        assert session.scalars(select(ComplaintMessageRow)).all() == []
        assert session.scalars(select(SealedIdentityRow)).all() == []
        assert [event.reason for event in events_of(session, row.id)] == [None]

    def test_what_is_counted_stays(self, session):
        row = ended(session)
        dispose(session, TOWN, now=AFTER)

        kept = session.get(ComplaintRow, row.id)
        assert (kept.kind, kept.category, kept.status) == ("denuncia", "overcrowding", "closed")
        assert [entry.action for entry in history_of(session, TOWN, f"complaint:{row.id}")] == ["case.erased"]

    def test_its_key_opens_nothing_any_more(self, session):
        row = ended(session)
        dispose(session, TOWN, now=AFTER)

        assert isinstance(track(session, row.protocol, "seis palavras", now=AFTER), PortalError)

    def test_it_is_erased_once(self, session):
        ended(session)
        dispose(session, TOWN, now=AFTER)

        assert dispose(session, TOWN, now=AFTER).erased == ()

    @pytest.mark.parametrize("status", ["registered", "in_review", "answered", "merged", "forwarded"])
    def test_what_has_not_ended_is_kept_however_old(self, session, status):
        ended(session, status=status)

        assert dispose(session, TOWN, now=AFTER).erased == ()

    def test_a_dry_run_changes_nothing(self, session):
        row = ended(session)

        assert dispose(session, TOWN, now=AFTER, dry_run=True).erased == (row.protocol,)
        assert row.story == "Um relato."

    def test_a_town_that_cites_no_table_erases_nothing(self, session):
        row = ended(session, town=ELSEWHERE)

        told = dispose(session, ELSEWHERE, now=AFTER + timedelta(days=9999))

        assert (told.rule, told.erased, row.story) == (None, (), "Um relato.")


class TestNewFacts:
    """The day before disposal something new comes."""

    @pytest.fixture(params=["message", "file", "merged"])
    def row(self, session, request):
        row, day_before = ended(session, status="dismissed"), LAST_DAY - timedelta(days=1)
        match request.param:
            case "message":
                fact = ComplaintMessageRow(complaint_id=row.id, at=day_before, sender="citizen", text="Mais.")
            case "file":
                fact = EvidenceRow(
                    token="t", stored_as="0" * 32, name="foto-1.jpg", kind="photo", media_type="image/jpeg", size=1,
                    width=1, height=1, mismatches=[], added_at=day_before, complaint_id=row.id,
                )  # fmt: skip
            case "merged":
                put_complaint(
                    session, municipality=TOWN, status="merged", merged_into=row.id, filed_at=day_before
                )
                return row
        session.add(fact)
        session.flush()
        return row

    def test_put_it_off_by_the_whole_time(self, session, row):
        told = dispose(session, TOWN, now=AFTER)

        assert told.erased == ()
        assert told.put_off == ((row.protocol, date(2041, 3, 9)),)
        assert row.story == "Um relato."

    def test_are_told_once_to_who_wrote(self, session, row):
        dispose(session, TOWN, now=AFTER)
        dispose(session, TOWN, now=AFTER + timedelta(days=1))

        told = [event for event in events_of(session, row.id) if event.kind == EventKind.DISPOSAL_PUT_OFF]
        assert len(told) == 1
        assert "2041" in told[0].reason

    def test_only_put_it_off(self, session, row):
        later = datetime(2041, 3, 10, 15, 0, tzinfo=UTC)

        assert dispose(session, TOWN, now=later).erased == (row.protocol,)
