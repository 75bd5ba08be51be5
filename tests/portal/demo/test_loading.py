from datetime import UTC, datetime

import pytest

from portal.demo import load_demonstration
from portal.domain.complaints import ComplaintStatus
from portal.domain.permits import Status
from portal.regulations import catalogue
from portal.services.complaints.tracking import track
from portal.services.demonstration import Subject, list_cases
from portal.services.unit_of_work import unit_of_work
from portal.services.verdicts.verification import verify_permit
from portal.storage.complaints import find_by_protocol

DAYS = {
    "an ordinary day": datetime(2026, 11, 30, 15, tzinfo=UTC),
    "the last day of the year": datetime(2026, 12, 31, 15, tzinfo=UTC),
    "the first day of the year": datetime(2027, 1, 1, 15, tzinfo=UTC),
    "a leap day": datetime(2028, 2, 29, 15, tzinfo=UTC),
    "an hour between two days": datetime(2027, 1, 1, 3, 30, tzinfo=UTC),  # still 31 December on the plateau
}


@pytest.fixture(params=DAYS.values(), ids=DAYS.keys())
def loaded(request, keys, database):
    load_demonstration(now=request.param)
    return request.param


class TestTheDemonstration:
    def test_every_status_is_found_whenever_it_is_loaded(self, loaded):
        with unit_of_work() as session:
            vehicles = [case for case in list_cases(session) if case.subject is Subject.VEHICLE]
            found = {case.code: _status(session, case, loaded) for case in vehicles}

        assert found == {case.code: case.status for case in vehicles}
        assert set(found.values()) == set(Status)

    def test_a_complaint_stands_in_every_state(self, loaded):
        with unit_of_work(writes=True) as session:
            complaints = [case for case in list_cases(session) if case.subject is Subject.COMPLAINT]
            found = {
                case.code: track(session, case.protocol, case.access_key, now=loaded) for case in complaints
            }

        assert {case.code: case.status for case in complaints} == {
            code: view.status for code, view in found.items()
        }
        assert {view.status for view in found.values()} == set(ComplaintStatus)
        assert found["overdue"].next_date < loaded.date()
        assert found["extended"].extended
        assert found["extended"].next_date > loaded.date()
        assert found["in_english"].language == "en"
        assert len(found["anonymous_dialogue"].messages) == 3

    def test_the_merged_complaint_leads_to_the_other(self, loaded):
        with unit_of_work() as session:
            by_code = {case.code: case for case in list_cases(session) if case.subject is Subject.COMPLAINT}
            merged, other = (
                find_by_protocol(session, by_code[code].protocol) for code in ("merged", "in_review")
            )
            assert merged.merged_into == other.id


def _status(session, case, now):
    today = now.astimezone(catalogue.municipality(case.municipality).zone).date()
    return verify_permit(session, case.municipality, case.query, on=today, now=now).status
