"""What is told of a vehicle on the day before, the day and the day after whatever changes it."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from portal.domain.judging import judge
from portal.domain.permits import EventKind, HolderKind, Permit, PermitEvent, Service, Status, VehicleUnit
from portal.domain.plates import identify, plate_key
from portal.regulations import catalogue

CARAGUATATUBA = "caraguatatuba-sp"
SAO_JOAO = "sao-joao-da-boa-vista-sp"
CHAPADA = "chapada-dos-guimaraes-mt"
NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)
A_DAY = timedelta(1)

AUTHORIZED, EXPIRED, REVOKED = Status.AUTHORIZED, Status.EXPIRED, Status.REVOKED
BARRED, SUSPENDED, CANCELLED = Status.BARRED, Status.SUSPENDED, Status.CANCELLED
NOT_YET_VALID, NOT_IN_FORCE = Status.NOT_YET_VALID, Status.NOT_IN_FORCE
RENEWAL_PENDING, NOT_FOUND = Status.RENEWAL_PENDING, Status.NOT_FOUND


def act(kind, on, until=None, unit=None):
    return PermitEvent(kind, on, until, unit)


def vehicle(plate, position=1, role="vehicle", **days):
    return VehicleUnit(position, role, plate, plate_key(plate), capacity=20, **days)


def train(number, *also, year=2026, issued=None, units=None, **more):
    """A recreational permit of Caraguatatuba for a calendar year, issued in December before."""
    issued = issued or date(year - 1, 12, 10)
    return Permit(
        id=int(number),
        municipality=CARAGUATATUBA,
        service=Service.RECREATIONAL,
        permit_type="recreational",
        number=str(number),
        holder_kind=HolderKind.COMPANY,
        units=units or (vehicle("BRA2E19"),),
        events=tuple(sorted((act(EventKind.ISSUE, issued), *also), key=lambda each: each.on)),
        year=year,
        **more,
    )


def car(number, *also, town=SAO_JOAO, issued=date(2026, 3, 2)):
    """A driver's permit: 12 months in São João, until the end of the year in Chapada."""
    return Permit(
        id=int(number),
        municipality=town,
        service=Service.RIDE_HAILING,
        permit_type="driver",
        number=str(number),
        holder_kind=HolderKind.NATURAL_PERSON,
        units=(vehicle("BRA2E19"),),
        events=tuple(sorted((act(EventKind.ISSUE, issued), *also), key=lambda each: each.on)),
    )


def told(on, *permits, query="BRA2E19"):
    town = permits[0].municipality
    return judge(
        permits,
        query=identify(query),
        municipality=town,
        on=on,
        computed_at=NOW,
        rules={
            one.id: catalogue.permit_rules(town, one.id, on) for _, one in catalogue.permit_types(town, on)
        },
        lists=(),
    )


def around(day, *permits, query="BRA2E19"):
    """The status on the day before, the day and the day after."""
    return [told(day + step * A_DAY, *permits, query=query).status for step in (-1, 0, 1)]


class TestRenewals:
    def test_from_one_year_to_the_next_without_a_gap(self):
        permits = train(1, year=2025), train(2, year=2026)

        assert around(date(2026, 1, 1), *permits) == [AUTHORIZED, AUTHORIZED, AUTHORIZED]
        assert [p.number for p in told(date(2025, 12, 31), *permits).permits] == ["1", "2"]
        assert [p.number for p in told(date(2026, 1, 1), *permits).permits] == ["2"]

    def test_a_gap_is_a_gap(self):
        permits = train(1, year=2025), train(2, year=2026, issued=date(2026, 1, 20))

        assert around(date(2025, 12, 31), *permits) == [AUTHORIZED, AUTHORIZED, NOT_YET_VALID]
        assert around(date(2026, 1, 20), *permits) == [NOT_YET_VALID, AUTHORIZED, AUTHORIZED]

    def test_in_a_gap_a_renewal_asked_for_in_time_is_said(self):
        asked = act(EventKind.RENEWAL_REQUEST, date(2025, 12, 1))
        permits = train(1, asked, year=2025), train(2, year=2026, issued=date(2026, 1, 20))

        assert around(date(2026, 1, 1), *permits) == [AUTHORIZED, RENEWAL_PENDING, RENEWAL_PENDING]
        assert around(date(2026, 1, 20), *permits) == [RENEWAL_PENDING, AUTHORIZED, AUTHORIZED]

    @pytest.mark.parametrize(
        ("end", "status"), [(EventKind.REVOCATION, REVOKED), (EventKind.CANCELLATION, CANCELLED)]
    )
    def test_a_renewal_that_began_before_the_old_one_ended_is_what_counts_after(self, end, status):
        old = train(1, paper_valid_until=date(2026, 3, 1))
        new = train(2, act(end, date(2026, 6, 1)), issued=date(2026, 2, 20))

        assert around(date(2026, 3, 1), old, new) == [AUTHORIZED, AUTHORIZED, AUTHORIZED]
        assert around(date(2026, 6, 1), old, new) == [AUTHORIZED, status, status]

    def test_in_the_overlap_one_that_is_in_force_is_enough(self):
        old = train(1, paper_valid_until=date(2026, 3, 1))
        new = train(2, act(EventKind.SUSPENSION, date(2026, 2, 25)), issued=date(2026, 2, 20))

        assert around(date(2026, 3, 1), old, new) == [AUTHORIZED, AUTHORIZED, SUSPENDED]

    def test_a_request_of_last_year_that_nobody_granted_hides_nothing(self):
        asked = replace(train(1, year=2025), events=(act(EventKind.REQUEST, date(2025, 3, 1)),))
        revoked = train(2, act(EventKind.REVOCATION, date(2026, 6, 1)))

        assert around(date(2026, 6, 1), asked, revoked) == [AUTHORIZED, REVOKED, REVOKED]

    def test_a_request_counts_until_the_year_it_is_for_is_over(self):
        asked = replace(train(1, year=2025), events=(act(EventKind.REQUEST, date(2025, 3, 1)),))

        assert around(date(2025, 12, 31), asked) == [NOT_YET_VALID, NOT_YET_VALID, EXPIRED]
        reason = told(date(2026, 1, 1), asked).permits[0].reasons[0]
        assert (reason.code, reason.data["until"]) == ("request_over", date(2025, 12, 31))

    def test_a_renewal_of_a_yearly_permit_is_for_the_next_year_alone(self):
        asked = act(EventKind.RENEWAL_REQUEST, date(2024, 11, 20))

        assert around(date(2025, 12, 31), train(1, asked, year=2024)) == [
            RENEWAL_PENDING,
            RENEWAL_PENDING,
            EXPIRED,
        ]

    def test_the_earlier_end_of_paper_and_law_counts_to_the_day(self):
        assert around(date(2026, 10, 31), train(1, paper_valid_until=date(2026, 10, 31))) == [
            AUTHORIZED,
            AUTHORIZED,
            EXPIRED,
        ]
        longer = train(1, paper_valid_until=date(2027, 2, 28))
        assert around(date(2026, 12, 31), longer) == [AUTHORIZED, AUTHORIZED, EXPIRED]
        (said,) = [one for one in told(date(2026, 5, 4), longer).permits[0].reasons if "law" in one.data]
        assert (said.data["law"], said.data["paper"]) == (date(2026, 12, 31), date(2027, 2, 28))


class TestARevocationAndItsBar:
    """Caraguatatuba, art. 22: not in the year that the revoked permit was for."""

    REVOCATION = act(EventKind.REVOCATION, date(2026, 6, 1))

    def test_counts_from_its_day(self):
        assert around(date(2026, 6, 1), train(1, self.REVOCATION)) == [AUTHORIZED, REVOKED, REVOKED]

    def test_the_same_company_is_kept_out_for_the_rest_of_that_year_whatever_was_issued(self):
        old = train(1, self.REVOCATION, trade_name="Trenzinho Alegria")
        new = train(2, issued=date(2026, 8, 3), trade_name="TRENZINHO ALEGRIA")

        assert told(date(2026, 8, 3), old, new).status is REVOKED
        (bar,) = [
            r for p in told(date(2026, 8, 3), old, new).permits for r in p.reasons if r.code == "revoked_bar"
        ]
        assert (bar.article, bar.data["until"]) == ("art. 22", date(2026, 12, 31))

    def test_in_the_next_year_it_may_be_back(self):
        old = train(1, self.REVOCATION, trade_name="Trenzinho Alegria")
        new = train(2, year=2027, issued=date(2026, 12, 10), trade_name="Trenzinho Alegria")

        assert around(date(2027, 1, 1), old, new) == [NOT_YET_VALID, AUTHORIZED, AUTHORIZED]

    def test_a_vehicle_that_somebody_else_runs_is_not_kept_out(self):
        old = train(1, self.REVOCATION, trade_name="Trenzinho Alegria")
        sold = train(2, issued=date(2026, 8, 3), trade_name="Trem da Praia")

        assert around(date(2026, 8, 3), old, sold) == [NOT_YET_VALID, AUTHORIZED, AUTHORIZED]

    def test_a_permit_held_since_before_is_not_a_return(self):
        old = train(1, self.REVOCATION, trade_name="Trenzinho Alegria")
        beside = train(2, issued=date(2026, 2, 2), trade_name="Trenzinho Alegria")

        assert around(date(2026, 6, 1), old, beside) == [AUTHORIZED, AUTHORIZED, AUTHORIZED]

    @pytest.mark.parametrize("town", [SAO_JOAO, CHAPADA])
    def test_where_the_text_bars_nobody_a_new_permit_counts_from_its_day(self, town):
        """São João, art. 14, and Chapada, art. 27: the driver's revocation has no time in the text."""
        old, new = car(1, self.REVOCATION, town=town), car(2, town=town, issued=date(2026, 8, 3))

        assert around(date(2026, 6, 1), old) == [AUTHORIZED, NOT_IN_FORCE, NOT_IN_FORCE]
        assert around(date(2026, 8, 3), old, new) == [NOT_IN_FORCE, AUTHORIZED, AUTHORIZED]


class TestHowASuspensionEnds:
    SUSPENDED_UNTIL = date(2026, 5, 18)

    def suspension(self, unit=None):
        return act(EventKind.SUSPENSION, date(2026, 5, 4), self.SUSPENDED_UNTIL, unit)

    def test_in_caraguatatuba_by_release_alone(self):
        released = act(EventKind.RELEASE, date(2026, 5, 25))

        assert around(date(2026, 5, 4), train(1, self.suspension())) == [AUTHORIZED, SUSPENDED, SUSPENDED]
        assert around(self.SUSPENDED_UNTIL, train(1, self.suspension())) == [SUSPENDED] * 3
        permit = train(1, self.suspension(), released)
        assert around(date(2026, 5, 25), permit) == [SUSPENDED, AUTHORIZED, AUTHORIZED]

    def test_in_sao_joao_on_the_day_after_its_last(self):
        permit = car(1, self.suspension())

        assert around(date(2026, 5, 4), permit) == [AUTHORIZED, NOT_IN_FORCE, NOT_IN_FORCE]
        assert around(self.SUSPENDED_UNTIL, permit) == [NOT_IN_FORCE, NOT_IN_FORCE, AUTHORIZED]

    def test_of_one_vehicle_the_others_may_go_on_but_the_combination_may_not(self):
        units = vehicle("BRA2E19", 1, "tractor"), vehicle("BRA3E19", 2, "trailer")
        verdict = told(date(2026, 5, 4), train(1, self.suspension(unit=2), units=units))

        assert verdict.status is SUSPENDED
        assert [(one.plate, one.status) for one in verdict.units] == [
            ("BRA2E19", AUTHORIZED),
            ("BRA3E19", SUSPENDED),
        ]

    def test_it_does_not_outlive_the_permit(self):
        assert around(date(2026, 12, 31), train(1, self.suspension())) == [SUSPENDED, SUSPENDED, EXPIRED]


class TestASubstitutedVehicle:
    CHANGED = date(2026, 7, 1)

    def permit(self, *also):
        return train(
            1,
            *also,
            units=(
                vehicle("BRA2E19", 1, valid_until=self.CHANGED - A_DAY),
                vehicle("BRA3E19", 1, valid_from=self.CHANGED),
            ),
        )

    def test_the_old_one_works_until_the_day_before_and_the_new_one_from_the_day(self):
        permit = self.permit()

        assert around(self.CHANGED, permit, query="BRA2E19")[0] is AUTHORIZED
        assert AUTHORIZED not in around(self.CHANGED, permit, query="BRA2E19")[1:]
        assert AUTHORIZED not in around(self.CHANGED, permit, query="BRA3E19")[:1]
        assert around(self.CHANGED, permit, query="BRA3E19")[1:] == [AUTHORIZED, AUTHORIZED]

    def test_who_left_and_who_joins_is_said_with_the_day(self):
        (left,) = [one for one in told(self.CHANGED, self.permit()).notes if one.code == "left_permit"]
        before = told(self.CHANGED - A_DAY, self.permit(), query="BRA3E19")
        (joins,) = [one for one in before.notes if one.code == "joins_permit"]

        assert (left.data["on"], joins.data["on"]) == (self.CHANGED - A_DAY, self.CHANGED)

    def test_the_inspection_that_the_old_one_failed_is_not_the_new_ones(self):
        failed = act(EventKind.INSPECTION_FAILED, date(2026, 6, 10), unit=1)
        permit = self.permit(failed)

        assert around(date(2026, 6, 10), permit) == [AUTHORIZED, BARRED, BARRED]
        assert told(self.CHANGED, permit, query="BRA3E19").status is AUTHORIZED

    def test_by_number_only_the_vehicle_of_the_day_is_shown(self):
        plates = [
            [unit.plate for unit in told(day, self.permit(), query="1").units]
            for day in (self.CHANGED - A_DAY, self.CHANGED)
        ]

        assert plates == [["BRA2E19"], ["BRA3E19"]]


class TestACombination:
    UNITS = (
        vehicle("BRA2E19", 1, "tractor"),
        vehicle("BRA3E19", 2, "trailer"),
        vehicle("BRA4E19", 3, "trailer"),
    )

    @pytest.mark.parametrize("query", ["BRA2E19", "BRA3E19", "BRA4E19", "1"])
    def test_one_trailer_that_failed_keeps_all_from_leaving_until_it_passes(self, query):
        permit = train(
            1,
            act(EventKind.INSPECTION_FAILED, date(2026, 6, 10), unit=3),
            act(EventKind.INSPECTION_PASSED, date(2026, 6, 12), unit=3),
            units=self.UNITS,
        )

        assert around(date(2026, 6, 10), permit, query=query) == [AUTHORIZED, BARRED, BARRED]
        assert around(date(2026, 6, 12), permit, query=query) == [BARRED, AUTHORIZED, AUTHORIZED]

    def test_a_vehicle_counts_with_the_best_of_its_permits(self):
        revoked = train(1, act(EventKind.REVOCATION, date(2026, 6, 1)), units=self.UNITS)
        alone = train(2, issued=date(2026, 7, 1))

        assert around(date(2026, 7, 1), revoked, alone) == [NOT_YET_VALID, AUTHORIZED, AUTHORIZED]
        assert told(date(2026, 7, 1), revoked, query="BRA3E19").status is REVOKED


class TestTwins:
    @pytest.mark.parametrize(("listed", "asked"), [("BRA2E19", "BRA2419"), ("BRA2419", "BRA2E19")])
    def test_the_old_and_the_new_plate_of_one_vehicle_have_one_status_and_a_note(self, listed, asked):
        permit = train(1, units=(vehicle(listed),))

        assert around(date(2026, 12, 31), permit, query=asked) == [AUTHORIZED, AUTHORIZED, EXPIRED]
        assert "twin" in {note.code for note in told(date(2026, 5, 4), permit, query=asked).notes}
        assert "twin" not in {note.code for note in told(date(2026, 5, 4), permit, query=listed).notes}

    def test_a_combination_that_changed_its_plates_is_told_as_listed(self):
        units = vehicle("BRA2419", 1, "tractor"), vehicle("BRA3E19", 2, "trailer")
        verdict = told(date(2026, 5, 4), train(1, units=units), query="BRA2E19")

        assert [unit.plate for unit in verdict.units] == ["BRA2419", "BRA3E19"]
