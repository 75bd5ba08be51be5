"""What permits of one vehicle or one holder mean for each other."""

from datetime import date

import pytest

from portal.domain.companions import standings_of
from portal.domain.permits import EventKind, HolderKind, Permit, PermitEvent, Service, Status, VehicleUnit
from portal.domain.plates import plate_key
from portal.domain.rules import PermitRules, Source, Term, TermKind

ISSUED, ON = date(2026, 3, 2), date(2026, 6, 1)
PERMISSION, LICENCE = "permission", "licence"


def rules(kind, needs):
    source = Source("law", "art. 1º")
    term = Term(TermKind.MONTHS_FROM_ISSUE, source, months=12 if kind == LICENCE else 24)
    return PermitRules(
        municipality="exemplo-sp",
        instrument="law",
        service=Service.TOURISM,
        permit_type=kind,
        holder_kind=HolderKind.COMPANY,
        in_force=True,
        term=term,
        needs=(needs,),
        needs_article="art. 2º",
    )


RULES = {PERMISSION: rules(PERMISSION, LICENCE), LICENCE: rules(LICENCE, PERMISSION)}


def permit(number, kind, *plates, name="Passeios do Vale", events=()):
    return Permit(
        id=number,
        municipality="exemplo-sp",
        service=Service.TOURISM,
        permit_type=kind,
        number=str(number),
        holder_kind=HolderKind.COMPANY,
        units=tuple(VehicleUnit(at, "vehicle", p, plate_key(p)) for at, p in enumerate(plates, 1)),
        events=(PermitEvent(EventKind.ISSUE, ISSUED), *events),
        trade_name=name,
    )


def worth(*permits, beside=(), on=ON):
    return [found.status for found in standings_of(permits, RULES, on, beside=beside)]


class TestPapersThatGoTogether:
    def test_both_in_force_are_both_worth_something(self):
        both = permit(1, PERMISSION, "BRA2E19"), permit(2, LICENCE, "BRA2E19")

        assert worth(*both) == [Status.AUTHORIZED, Status.AUTHORIZED]

    @pytest.mark.parametrize("kind", [PERMISSION, LICENCE])
    def test_one_alone_does_not_count_yet_and_names_the_other(self, kind):
        (found,) = standings_of([permit(1, kind, "BRA2E19")], RULES, ON)

        assert found.status is Status.NOT_YET_VALID
        assert [(one.code, one.article, one.data["need"]) for one in found.reasons] == [
            ("needs_other", "art. 2º", RULES[kind].needs[0])
        ]

    def test_the_one_that_was_not_asked_for_counts_too(self):
        licence = permit(2, LICENCE, "BRA2E19")

        assert worth(licence, beside=[permit(1, PERMISSION)]) == [Status.AUTHORIZED]

    def test_a_permission_without_vehicles_serves_those_of_its_holder_alone(self):
        licence = permit(2, LICENCE, "BRA2E19", name="Outra Empresa")

        assert worth(licence, beside=[permit(1, PERMISSION)]) == [Status.NOT_YET_VALID]

    def test_one_that_lists_vehicles_serves_those_alone(self):
        licence = permit(2, LICENCE, "BRA2E19")

        assert worth(licence, beside=[permit(1, PERMISSION, "BRA3E19")]) == [Status.NOT_YET_VALID]

    def test_a_permission_without_vehicles_needs_one_licence_of_its_holder(self):
        permission = permit(1, PERMISSION)

        assert worth(permission) == [Status.NOT_YET_VALID]
        assert worth(permission, beside=[permit(2, LICENCE, "BRA2E19")]) == [Status.AUTHORIZED]

    @pytest.mark.parametrize(
        ("kind", "status"),
        [(EventKind.SUSPENSION, Status.SUSPENDED), (EventKind.REVOCATION, Status.REVOKED)],
    )
    def test_the_licence_is_worth_no_more_than_the_permission(self, kind, status):
        stopped = permit(1, PERMISSION, "BRA2E19", events=(PermitEvent(kind, ON),))
        licence = permit(2, LICENCE, "BRA2E19")

        assert worth(licence, beside=[stopped]) == [status]
        assert worth(licence, beside=[stopped], on=date(2026, 5, 31)) == [Status.AUTHORIZED]

    def test_the_shorter_term_ends_both_to_the_day(self):
        both = permit(1, PERMISSION, "BRA2E19"), permit(2, LICENCE, "BRA2E19")

        assert worth(*both, on=date(2027, 3, 2)) == [Status.AUTHORIZED, Status.AUTHORIZED]
        assert worth(*both, on=date(2027, 3, 3)) == [Status.EXPIRED, Status.EXPIRED]

    def test_each_vehicle_is_judged_by_its_own_licence(self):
        permission = permit(1, PERMISSION, "BRA2E19", "BRA3E19")
        (found,) = standings_of([permission], RULES, ON, beside=[permit(2, LICENCE, "BRA2E19")])

        assert [status for _, status in found.units] == [Status.AUTHORIZED, Status.NOT_YET_VALID]
