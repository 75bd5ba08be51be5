"""What a complaint's page brings together: the law of the day of the fact, and what looks like it."""

from datetime import timedelta

from portal.services import casework
from tests.factories.complaints import put_complaint
from tests.portal.services.casework.conftest import ELSEWHERE, FILED, TODAY

SAO_JOAO = "sao-joao-da-boa-vista-sp"


def facts(stop=None, at=None, plate=None):
    told = {}
    if stop:
        told["where"] = {"kind": "stop", "code": stop, "name": stop.title()}
    if at:
        told["when"] = {"kind": "at", "date": at[:10], "time": at[11:] or None}
    if plate:
        told["vehicle"] = {"kind": "typed", "text": plate}
    return told


def read(session, staff, case):
    return casework.read_case(session, staff, case.protocol, today=TODAY)


class TestTheLaw:
    def test_the_categorys_provisions_with_their_fines(self, session, ana):
        case = put_complaint(session, category="noise", service="recreativo", filed_at=FILED)

        (law,) = read(session, ana, case).provisions

        assert law.stated
        assert [one.code for one in law.infractions] == ["I-06", "II-02"]
        assert all(penalty.amount for one in law.infractions for penalty in one.penalties)

    def test_of_the_day_of_the_fact_not_of_filing(self, session, ana):
        """Before the decree there was no law of this service, so that none is told."""
        case = put_complaint(
            session, category="noise", service="recreativo", facts=facts(at="2010-01-05"), filed_at=FILED
        )

        told = read(session, ana, case)
        assert (told.event_day.year, told.provisions) == (2010, ())

    def test_of_every_service_it_may_be_about_while_none_is_known(self, session, ana):
        case = put_complaint(session, category="rudeness", service=None, filed_at=FILED)

        assert len(read(session, ana, case).provisions) == 2


class TestWhatLooksLikeIt:
    def test_the_same_vehicle_whenever(self, session, ana):
        old = put_complaint(session, plate_key="BRA2419", filed_at=FILED - timedelta(days=400))
        case = put_complaint(session, plate_key="BRA2419", filed_at=FILED)

        (one,) = read(session, ana, case).similar
        assert (one.line.protocol, one.same) == (old.protocol, {"vehicle"})

    def test_the_same_stop_about_the_same_time(self, session, ana):
        near = put_complaint(session, facts=facts("matriz"), filed_at=FILED - timedelta(days=59))
        put_complaint(session, facts=facts("matriz"), filed_at=FILED - timedelta(days=61))
        put_complaint(session, facts=facts("orla"), filed_at=FILED)
        case = put_complaint(session, facts=facts("matriz"), filed_at=FILED)

        (one,) = read(session, ana, case).similar
        assert (one.line.protocol, one.same) == (near.protocol, {"stop"})

    def test_the_same_hour_and_subject(self, session, ana):
        same = put_complaint(session, facts=facts(at="2030-02-28T14:50"), filed_at=FILED)
        put_complaint(session, facts=facts(at="2030-02-28T16:30"), filed_at=FILED)
        put_complaint(session, facts=facts(at="2030-02-28T14:40"), category="noise", filed_at=FILED)
        case = put_complaint(session, facts=facts(at="2030-02-28T14:30"), filed_at=FILED)

        (one,) = read(session, ana, case).similar
        assert (one.line.protocol, one.same) == (same.protocol, {"hour"})

    def test_what_is_most_alike_stands_first(self, session, ana):
        put_complaint(session, facts=facts("matriz"), filed_at=FILED)
        most = put_complaint(
            session,
            plate_key="BRA2419",
            facts=facts("matriz", "2030-02-28T14:30"),
            filed_at=FILED - timedelta(days=3),
        )
        case = put_complaint(
            session, plate_key="BRA2419", facts=facts("matriz", "2030-02-28T14:00"), filed_at=FILED
        )

        first = read(session, ana, case).similar[0]
        assert (first.line.protocol, first.same) == (most.protocol, {"vehicle", "stop", "hour"})

    def test_nothing_of_another_town(self, session, ana):
        put_complaint(session, municipality=ELSEWHERE, plate_key="BRA2419", facts=facts("matriz"))
        case = put_complaint(session, plate_key="BRA2419", facts=facts("matriz"))

        assert read(session, ana, case).similar == ()
