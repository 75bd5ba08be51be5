"""What in a register contradicts the law is told to the clerk, with its article. Today is 30 November 2026."""

from datetime import date

import pytest

from portal.domain.permits import EventKind, HolderKind, Service
from portal.services.register.law import list_alerts
from portal.services.register.permits import Keeper
from tests.factories.permits import happened, put_permit, unit

TOWN, ELSEWHERE = "caraguatatuba-sp", "chapada-dos-guimaraes-mt"
TODAY = date(2026, 11, 30)
REVOKED = happened(EventKind.REVOCATION, date(2026, 6, 1))
OF_A_DRIVER = {
    "service": Service.RIDE_HAILING,
    "permit_type": "driver",
    "holder_kind": HolderKind.NATURAL_PERSON,
    "year": None,
}


def alerts(session, town=TOWN, on=TODAY):
    page = list_alerts(session, Keeper(town, "staff:7"), on=on)
    return [(one.number, one.reason.code, one.reason.article) for one in page.alerts]


class TestOnePermit:
    @pytest.mark.parametrize(
        ("told", "code", "article"),
        [
            ({"max_speed_kmh": 51}, "speed_above_law", "art. 11, § 2º"),
            ({"paper_valid_until": date(2027, 1, 1)}, "paper_beyond_law", "art. 8º"),
            ({"issued": date(2027, 1, 1)}, "never_valid", "art. 8º"),
        ],
    )
    def test_beyond_the_norm_is_told_with_its_article(self, session, told, code, article):
        put_permit(session, number="2026/0001", **told)

        assert alerts(session) == [("2026/0001", code, article)]

    @pytest.mark.parametrize("told", [{"max_speed_kmh": 50}, {"paper_valid_until": date(2026, 12, 31)}, {}])
    def test_at_the_limit_nothing_is_told(self, session, told):
        put_permit(session, **told)

        assert alerts(session) == []

    @pytest.mark.parametrize(
        ("car", "on", "codes"),
        [
            ({"model_year": 2016}, date(2026, 12, 31), []),
            ({"model_year": 2016}, date(2027, 1, 1), ["vehicle_too_old"]),
            ({"capacity": 6}, TODAY, []),
            ({"capacity": 7}, TODAY, ["too_many_seats"]),
        ],
    )
    def test_a_car_of_chapada_on_both_sides_of_each_limit(self, session, car, on, codes):
        put_permit(session, ELSEWHERE, units=(unit("BRA1A11", **({"capacity": 4} | car)),), **OF_A_DRIVER)

        assert [code for _number, code, _article in alerts(session, ELSEWHERE, on)] == codes

    def test_a_second_car_of_one_driver(self, session):
        cars = (unit("BRA1A11", 1, capacity=4), unit("BRA1A12", 2, capacity=4))
        put_permit(session, ELSEWHERE, number="7", units=cars, **OF_A_DRIVER)

        assert alerts(session, ELSEWHERE) == [("7", "too_many_vehicles", "art. 12, § 1º")]


class TestAfterARevocation:
    """Art. 22: in the year of the revoked permit its holder stays out; the clerk sees the vehicle come back."""

    def test_a_vehicle_that_came_back_is_told_in_either_form_of_its_plate(self, session):
        put_permit(session, number="2026/0007", plate="BRA1111", also=(REVOKED,))
        put_permit(session, number="2026/0008", plate="BRA1B11", issued=date(2026, 8, 3))

        assert alerts(session) == [("2026/0008", "barred_holder", "art. 22")]

    @pytest.mark.parametrize("issued", [date(2026, 5, 31), date(2027, 1, 1)])
    def test_one_issued_before_it_or_after_the_bar_is_not(self, session, issued):
        put_permit(session, number="2026/0007", plate="BRA1A11", also=(REVOKED,))
        put_permit(session, number=f"{issued.year}/0008", year=issued.year, plate="BRA1A11", issued=issued)

        assert alerts(session, on=max(TODAY, issued)) == []

    def test_a_trailer_that_was_thrown_out_leaves_the_others_free(self, session):
        train = (unit("BRA1A11", 1, "tractor"), unit("BRA1A12", 2, "trailer"))
        alone = happened(EventKind.REVOCATION, date(2026, 6, 1), unit=2)
        put_permit(session, number="2026/0007", units=train, also=(alone,))
        put_permit(session, number="2026/0008", plate="BRA1A11", issued=date(2026, 8, 3))

        assert alerts(session) == []
