from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from portal.domain.errors import DateOutOfReach, UnknownMunicipality, UnreadableDate, UnreadableQuery
from portal.domain.permits import EventKind, HolderKind, Service, Status
from portal.services.verdicts.verification import public_day, verify_everywhere, verify_permit
from tests.factories.permits import RECREATIONAL, happened, put_list, put_permit, unit

NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)
TODAY = date(2026, 11, 30)


def ask(session, query, on=TODAY, municipality=RECREATIONAL, **more):
    return verify_permit(session, municipality, query, on=on, now=NOW, **more)


def codes(reasons):
    return {reason.code for reason in reasons}


class TestTheTermOfAPermit:
    def test_a_permit_in_force_is_authorised_and_says_the_article(self, session):
        put_list(session)
        put_permit(session, plate="BRA2E19", number="2026/0001")

        verdict = ask(session, "bra-2e19")

        assert verdict.status is Status.AUTHORIZED
        assert verdict.asked == "BRA2E19"
        (permit,) = verdict.permits
        assert (permit.valid_from, permit.valid_until) == (date(2026, 1, 1), date(2026, 12, 31))
        assert permit.reasons[0].article == "art. 8º"
        assert permit.capacity == 20
        assert permit.max_speed_kmh == 50
        assert verdict.lists[0].as_of == date(2026, 11, 28)

    def test_the_last_day_of_the_year_still_counts_and_the_next_does_not(self, session):
        put_permit(session, plate="BRA2E19")

        assert ask(session, "BRA2E19", on=date(2026, 12, 31)).status is Status.AUTHORIZED
        assert ask(session, "BRA2E19", on=date(2027, 1, 1)).status is Status.EXPIRED

    def test_a_permit_never_runs_before_its_act(self, session):
        put_permit(session, plate="BRA2E19", issued=date(2026, 3, 10))

        assert ask(session, "BRA2E19", on=date(2026, 3, 9)).status is Status.NOT_YET_VALID
        assert ask(session, "BRA2E19", on=date(2026, 3, 10)).status is Status.AUTHORIZED

    def test_next_years_permit_asked_in_november_stands_beside_this_years(self, session):
        put_permit(session, plate="BRA2E19", number="2026/0001")
        put_permit(session, plate="BRA2E19", number="2027/0001", year=2027, issued=date(2026, 11, 20))

        verdict = ask(session, "BRA2E19")

        assert verdict.status is Status.AUTHORIZED
        assert [permit.status for permit in verdict.permits] == [Status.AUTHORIZED, Status.NOT_YET_VALID]

    def test_next_years_permit_alone_is_not_yet_valid(self, session):
        put_permit(session, plate="BRA2E19", number="2027/0001", year=2027, issued=date(2026, 11, 20))

        verdict = ask(session, "BRA2E19")

        assert verdict.status is Status.NOT_YET_VALID
        assert verdict.permits[0].valid_from == date(2027, 1, 1)

    def test_a_request_without_an_act_authorises_nobody(self, session):
        put_permit(session, plate="BRA2E19", events=(happened(EventKind.REQUEST, date(2026, 11, 3)),))

        verdict = ask(session, "BRA2E19")

        assert verdict.status is Status.NOT_YET_VALID
        assert "only_requested" in codes(verdict.permits[0].reasons)

    def test_a_renewal_under_review_is_said_and_is_not_green(self, session):
        renewal = happened(EventKind.RENEWAL_REQUEST, date(2026, 11, 20))
        put_permit(session, plate="BRA2E19", also=(renewal,))

        assert ask(session, "BRA2E19", on=date(2026, 12, 31)).status is Status.AUTHORIZED
        assert ask(session, "BRA2E19", on=date(2027, 1, 2)).status is Status.RENEWAL_PENDING

    def test_where_paper_and_law_disagree_the_earlier_end_counts_and_both_are_said(self, session):
        put_permit(session, plate="BRA2E19", paper_valid_until=date(2026, 10, 31))
        put_permit(session, plate="BRA3E19", paper_valid_until=date(2027, 2, 28))

        shorter, longer = ask(session, "BRA2E19"), ask(session, "BRA3E19")

        assert shorter.status is Status.EXPIRED
        assert longer.permits[0].valid_until == date(2026, 12, 31)
        for verdict in (shorter, longer):
            assert "paper_and_law" in codes(verdict.permits[0].reasons)

    def test_last_years_permit_never_hides_this_years_revocation(self, session):
        put_permit(session, plate="BRA2E19", number="2025/0001", year=2025, issued=date(2024, 12, 1))
        revoked = happened(EventKind.REVOCATION, date(2026, 8, 1))
        put_permit(session, plate="BRA2E19", number="2026/0001", also=(revoked,))

        verdict = ask(session, "BRA2E19")

        assert verdict.status is Status.REVOKED
        assert len(verdict.permits) == 1


class TestActsOnAPermit:
    def test_a_suspension_that_needs_a_release_outlives_its_last_day(self, session):
        suspension = happened(EventKind.SUSPENSION, date(2026, 11, 10), date(2026, 11, 29))
        put_permit(session, plate="BRA2E19", also=(suspension,))

        verdict = ask(session, "BRA2E19")

        assert verdict.status is Status.SUSPENDED
        assert verdict.permits[0].reasons[0].code == "suspended_release"
        assert verdict.permits[0].reasons[0].article == "art. 21"

    def test_a_recorded_release_restarts_the_service_on_its_day(self, session):
        suspension = happened(EventKind.SUSPENSION, date(2026, 11, 10), date(2026, 11, 20))
        release = happened(EventKind.RELEASE, date(2026, 11, 30))
        put_permit(session, plate="BRA2E19", also=(suspension, release))

        assert ask(session, "BRA2E19", on=date(2026, 11, 29)).status is Status.SUSPENDED
        assert ask(session, "BRA2E19", on=date(2026, 11, 30)).status is Status.AUTHORIZED

    @pytest.mark.parametrize(
        ("kind", "status"),
        [(EventKind.CANCELLATION, Status.CANCELLED), (EventKind.REVOCATION, Status.REVOKED)],
    )
    def test_an_end_by_act_counts_from_its_day(self, session, kind, status):
        put_permit(session, plate="BRA2E19", also=(happened(kind, date(2026, 8, 1)),))

        assert ask(session, "BRA2E19", on=date(2026, 7, 31)).status is Status.AUTHORIZED
        assert ask(session, "BRA2E19", on=date(2026, 8, 1)).status is status

    def test_a_failed_inspection_bars_until_one_is_passed(self, session):
        failed = happened(EventKind.INSPECTION_FAILED, date(2026, 11, 3))
        passed = happened(EventKind.INSPECTION_PASSED, date(2026, 11, 20))
        put_permit(session, plate="BRA2E19", also=(failed, passed))

        assert ask(session, "BRA2E19", on=date(2026, 11, 19)).status is Status.BARRED
        assert ask(session, "BRA2E19", on=date(2026, 11, 20)).status is Status.AUTHORIZED


class TestACombination:
    def train(self, session, *also, **more):
        put_permit(
            session,
            number="2026/0001",
            units=(
                unit("BRA2E19", 1, "tractor", capacity=0),
                unit("BRA3E19", 2, "trailer"),
                unit("BRA4E19", 3, "trailer"),
            ),
            also=also,
            **more,
        )

    def test_every_vehicle_is_told_whichever_plate_was_asked(self, session):
        self.train(session)

        verdict = ask(session, "BRA4E19")

        assert verdict.status is Status.AUTHORIZED
        assert [one.plate for one in verdict.units] == ["BRA2E19", "BRA3E19", "BRA4E19"]
        assert verdict.permits[0].capacity == 40

    def test_one_barred_trailer_stands_on_top(self, session):
        self.train(session, happened(EventKind.INSPECTION_FAILED, date(2026, 11, 3), unit=3))

        verdict = ask(session, "BRA2E19")

        assert verdict.status is Status.BARRED
        assert [one.status for one in verdict.units] == [
            Status.AUTHORIZED,
            Status.AUTHORIZED,
            Status.BARRED,
        ]

    def test_a_plate_outside_the_permit_asked_for_is_said(self, session):
        self.train(session)
        put_list(session)

        verdict = ask(session, "2026/0001 BRA9A99")

        assert verdict.status is Status.NOT_FOUND
        assert (verdict.units[0].plate, verdict.units[0].role) == ("BRA9A99", "outside")
        assert "outside_permit" in codes(verdict.notes)

    def test_a_vehicle_that_left_is_said_to_have_left(self, session):
        put_list(session)
        put_permit(
            session,
            units=(
                unit("BRA2E19", 1, "tractor"),
                unit("BRA3E19", 2, "trailer", valid_until=date(2026, 6, 30)),
            ),
        )

        assert ask(session, "BRA3E19", on=date(2026, 6, 30)).status is Status.AUTHORIZED
        after = ask(session, "BRA3E19")
        assert after.status is Status.NOT_FOUND
        assert "left_permit" in codes(after.notes)

    def test_the_best_permit_of_a_vehicle_counts(self, session):
        self.train(session, happened(EventKind.REVOCATION, date(2026, 5, 1)))
        put_permit(session, plate="BRA2E19", number="2026/0002", issued=date(2026, 6, 1))

        verdict = ask(session, "BRA2E19")

        assert verdict.status is Status.AUTHORIZED
        assert [one.plate for one in verdict.units] == ["BRA2E19"]


class TestTheBarOfARevocation:
    """Caraguatatuba, art. 22: the same company with the same vehicle, whatever was typed to find it."""

    NAME = "Trenzinho Alegria"

    def put(self, session, second_name=NAME, second_year=2026, issued=date(2026, 8, 3)):
        units = unit("BRA2E19", 1, "tractor"), unit("BRA3E19", 2, "trailer")
        revoked = happened(EventKind.REVOCATION, date(2026, 6, 1))
        put_permit(session, number="2026/0001", plate="BRA3E19", trade_name=self.NAME, also=(revoked,))
        put_permit(
            session,
            number=f"{second_year}/0002",
            units=units,
            trade_name=second_name,
            year=second_year,
            issued=issued,
        )

    @pytest.mark.parametrize("query", ["BRA2E19", "BRA3E19", "2026/0002"])
    def test_holds_by_any_plate_of_the_combination_and_by_number(self, session, query):
        self.put(session)

        verdict = ask(session, query)

        assert verdict.status is Status.REVOKED
        assert "revoked_bar" in {code for permit in verdict.permits for code in codes(permit.reasons)}

    @pytest.mark.parametrize("query", ["BRA2E19", "2026/0002"])
    def test_does_not_hold_for_another_company(self, session, query):
        self.put(session, second_name="Trem da Praia")

        assert ask(session, query).status is Status.AUTHORIZED

    def test_is_over_with_the_year(self, session):
        self.put(session, second_year=2027, issued=date(2026, 12, 10))

        assert ask(session, "2027/0002", on=date(2026, 12, 31)).status is Status.NOT_YET_VALID
        assert ask(session, "2027/0002", on=date(2027, 1, 1)).status is Status.AUTHORIZED


class TestAskingByNumber:
    def test_the_vehicles_of_the_permit_are_told(self, session):
        put_permit(session, plate="BRA2E19", number="2026/0012")

        verdict = ask(session, "12/2026")

        assert not verdict.is_plate
        assert verdict.status is Status.AUTHORIZED
        assert [one.plate for one in verdict.units] == ["BRA2E19"]

    def test_a_register_with_the_year_in_a_column_answers_too(self, session):
        put_permit(session, plate="BRA2E19", number="12")

        assert ask(session, "12/2026").status is Status.AUTHORIZED
        assert ask(session, "12").status is Status.AUTHORIZED

    def test_a_bare_number_means_this_years_permit(self, session):
        put_permit(session, plate="BRA2E19", number="2026/0012")
        put_permit(session, plate="BRA3E19", number="2025/0012", year=2025, issued=date(2024, 12, 1))

        verdict = ask(session, "12")

        assert [permit.number for permit in verdict.permits] == ["2026/0012"]

    def test_a_number_means_nothing_in_another_town(self, session):
        put_permit(session, "sao-joao-da-boa-vista-sp", number="77")
        put_list(session)

        assert ask(session, "77").status is Status.NOT_FOUND


class TestNotFinding:
    def test_not_found_is_said_of_a_list_with_its_day(self, session):
        put_list(session)

        verdict = ask(session, "BRA9A99")

        assert verdict.lists[0].as_of == date(2026, 11, 28)
        assert verdict.near_misses

    def test_without_any_list_nobody_can_say(self, session):
        verdict = ask(session, "BRA9A99")

        assert verdict.status is Status.UNKNOWN
        assert "no_list" in codes(verdict.notes)

    def test_the_twin_of_a_plate_is_found_with_a_note(self, session):
        put_permit(session, plate="BRA2E19")

        verdict = ask(session, "BRA2419")

        assert verdict.status is Status.AUTHORIZED
        assert "twin" in codes(verdict.notes)
        assert verdict.units[0].plate == "BRA2E19"

    def test_a_permit_elsewhere_is_told_and_not_green_here(self, session):
        put_list(session)
        put_list(session, "sao-joao-da-boa-vista-sp")
        put_permit(session, "sao-joao-da-boa-vista-sp", plate="BRA2E19")

        verdict = ask(session, "BRA2E19")

        assert verdict.status is not Status.AUTHORIZED

    @pytest.mark.parametrize(
        ("on", "there"),
        [
            (date(2026, 3, 1), Status.NOT_IN_FORCE),
            (date(2026, 3, 2), Status.AUTHORIZED),
            (date(2027, 3, 2), Status.AUTHORIZED),
            (date(2027, 3, 3), Status.NOT_IN_FORCE),
        ],
    )
    def test_what_it_is_worth_elsewhere_is_told_to_the_day_and_never_more(self, session, on, there):
        put_list(session)
        put_permit(
            session,
            "sao-joao-da-boa-vista-sp",
            plate="BRA2E19",
            service=Service.RIDE_HAILING,
            permit_type="driver",
            holder_kind=HolderKind.NATURAL_PERSON,
            year=None,
            issued=date(2026, 3, 2),
        )

        verdict = ask(session, "BRA2419", on=on)

        assert verdict.status is Status.NOT_FOUND
        assert verdict.elsewhere == (("sao-joao-da-boa-vista-sp", there),)

    @pytest.mark.parametrize("query", ["ABC123", "AB 123 CD", "", "sem placa"])
    def test_an_unreadable_query_looks_nothing_up(self, session, query):
        with pytest.raises(UnreadableQuery):
            ask(session, query)

    def test_an_unknown_town_is_an_error(self, session):
        with pytest.raises(UnknownMunicipality):
            ask(session, "BRA2E19", municipality="atlantida-xx")


class TestAPersonsPermit:
    """A ride-hailing permit belongs to a person: nothing is told of it but whether it is in force."""

    TOWN = "chapada-dos-guimaraes-mt"

    def put(self, session, *also, plate="BRA2E19", **more):
        told = {
            "service": Service.RIDE_HAILING,
            "permit_type": "driver",
            "holder_kind": HolderKind.NATURAL_PERSON,
            "year": None,
            "issued": date(2026, 3, 2),
        }
        put_permit(session, self.TOWN, plate=plate, also=also, **(told | more))

    def ask(self, session, query="BRA2E19", on=TODAY):
        return ask(session, query, on=on, municipality=self.TOWN)

    def test_in_force_it_has_number_and_dates(self, session):
        self.put(session, number="88")

        verdict = self.ask(session)

        assert verdict.status is Status.AUTHORIZED
        assert (verdict.permits[0].number, verdict.permits[0].valid_until) == ("88", date(2026, 12, 31))
        assert "of_a_person" in codes(verdict.permits[0].reasons)

    @pytest.mark.parametrize(
        "kind",
        [
            EventKind.SUSPENSION,
            EventKind.REVOCATION,
            EventKind.CANCELLATION,
            EventKind.INSPECTION_FAILED,
        ],
    )
    def test_whatever_the_cause_it_is_only_not_in_force(self, session, kind):
        self.put(session, happened(kind, date(2026, 6, 1)), number="88")

        verdict = self.ask(session)

        assert verdict.status is Status.NOT_IN_FORCE
        (permit,) = verdict.permits
        assert permit.status is Status.NOT_IN_FORCE
        assert (permit.number, permit.valid_from, permit.valid_until) == (None, None, None)
        assert codes(permit.reasons) == {"not_in_force"}
        assert [unit.status for unit in verdict.units] == [Status.NOT_IN_FORCE]

    def test_expiry_is_no_different(self, session):
        self.put(session)

        assert self.ask(session, on=date(2027, 1, 2)).status is Status.NOT_IN_FORCE

    def test_how_many_drivers_had_the_car_is_not_told(self, session):
        self.put(session, number="88")
        self.put(session, happened(EventKind.REVOCATION, date(2026, 6, 1)), number="89")

        verdict = self.ask(session)

        assert verdict.status is Status.AUTHORIZED
        assert [permit.number for permit in verdict.permits] == ["88"]

    def test_a_number_does_not_tell_the_plate_of_a_persons_car(self, session):
        self.put(session, number="88")

        verdict = self.ask(session, "88")

        assert verdict.status is Status.AUTHORIZED
        assert verdict.units == ()
        assert verdict.permits[0].units == ()


class TestASuspensionOfDays:
    """São João: the service restarts on the day after the last one, without anybody's release."""

    def test_it_is_over_the_day_after_its_last_day(self, session):
        town = "sao-joao-da-boa-vista-sp"
        put_permit(
            session,
            town,
            plate="BRA2E19",
            service=Service.RIDE_HAILING,
            permit_type="driver",
            holder_kind=HolderKind.NATURAL_PERSON,
            year=None,
            issued=date(2026, 3, 2),
            also=(happened(EventKind.SUSPENSION, date(2026, 11, 15), date(2026, 11, 29)),),
        )

        assert ask(session, "BRA2E19", date(2026, 11, 29), town).status is Status.NOT_IN_FORCE
        again = ask(session, "BRA2E19", date(2026, 11, 30), town)
        assert again.status is Status.AUTHORIZED
        assert "text_known_until" in codes(again.notes)


class TestABill:
    def test_a_bill_authorises_nobody_and_is_called_a_bill(self, session):
        put_list(session, "santa-rita-pb", service=Service.TOURISM)

        verdict = ask(session, "BRA2E19", municipality="santa-rita-pb")

        assert verdict.status is Status.NOT_REGULATED
        assert "bill" in codes(verdict.notes)


class TestTheListsOfPlatforms:
    TOWN = "chapada-dos-guimaraes-mt"

    def put_lists(self, session, platform_as_of):
        put_list(session, self.TOWN, service=Service.RIDE_HAILING)
        put_list(
            session,
            self.TOWN,
            service=Service.RIDE_HAILING,
            kind="platform",
            source="Aplicativo Exemplo",
            as_of=platform_as_of,
        )

    def test_one_of_sixty_days_is_in_time_and_of_sixty_one_is_late(self, session):
        self.put_lists(session, TODAY - timedelta(60))
        assert ask(session, "BRA9A99", municipality=self.TOWN).status is Status.NOT_FOUND

        verdict = ask(session, "BRA9A99", municipality=self.TOWN, on=TODAY + timedelta(1))
        assert verdict.status is Status.NOT_FOUND  # asking about tomorrow makes no list older

    def test_a_late_list_turns_not_found_into_cannot_say(self, session):
        self.put_lists(session, TODAY - timedelta(61))

        verdict = ask(session, "BRA9A99", municipality=self.TOWN)

        assert verdict.status is Status.UNKNOWN
        (late,) = [note for note in verdict.notes if note.code == "list_late"]
        assert late.article == "art. 5º, VIII"
        assert [one.stale for one in verdict.lists] == [False, True]

    def test_a_late_list_never_downgrades_a_permit_found(self, session):
        self.put_lists(session, TODAY - timedelta(200))
        put_permit(
            session,
            self.TOWN,
            plate="BRA2E19",
            service=Service.RIDE_HAILING,
            permit_type="driver",
            year=None,
            issued=date(2026, 3, 2),
        )

        assert ask(session, "BRA2E19", municipality=self.TOWN).status is Status.AUTHORIZED

    def test_a_list_due_by_a_business_day_says_that_a_lawful_car_may_be_missing(self, session):
        put_list(
            session, service=Service.RIDE_HAILING, kind="platform", source="App", as_of=date(2026, 10, 31)
        )

        verdict = ask(session, "BRA9A99")

        assert verdict.status is Status.NOT_FOUND
        assert "list_lag" in codes(verdict.notes)


class TestThePublicDay:
    def test_today_is_the_towns_own_day(self):
        night = datetime(2027, 1, 1, 3, 30, tzinfo=UTC)

        assert public_day(None, "caraguatatuba-sp", now=night) == date(2027, 1, 1)
        assert public_day(None, "chapada-dos-guimaraes-mt", now=night) == date(2026, 12, 31)

    def test_it_reaches_twelve_months_back_and_to_the_end_of_next_year(self):
        assert public_day("2025-11-30", RECREATIONAL, now=NOW) == date(2025, 11, 30)
        assert public_day("2027-12-31", RECREATIONAL, now=NOW) == date(2027, 12, 31)
        for text in ("2025-11-29", "2028-01-01"):
            with pytest.raises(DateOutOfReach):
                public_day(text, RECREATIONAL, now=NOW)

    @pytest.mark.parametrize("text", ["31/12/2026x", "2026-02-30", "amanhã", "\x00", "99999-01-01"])
    def test_what_is_no_date_is_refused(self, text):
        with pytest.raises(UnreadableDate):
            public_day(text, RECREATIONAL, now=NOW)

    def test_from_a_29_february_it_still_works(self):
        leap = datetime(2028, 2, 29, 15, tzinfo=UTC)

        assert public_day("2027-03-01", RECREATIONAL, now=leap) == date(2027, 3, 1)


class TestTheStrokeOfMidnight:
    def test_a_permit_turns_at_midnight_of_its_own_town(self, session):
        put_permit(session, plate="BRA2E19")
        zone = ZoneInfo("America/Sao_Paulo")
        before = datetime(2026, 12, 31, 23, 59, 59, tzinfo=zone)
        for moment, status in ((before, Status.AUTHORIZED), (before + timedelta(seconds=1), Status.EXPIRED)):
            on = public_day(None, RECREATIONAL, now=moment.astimezone(UTC))

            verdict = verify_permit(session, RECREATIONAL, "BRA2E19", on=on, now=moment)

            assert verdict.status is status


class TestEveryTown:
    def test_one_verdict_a_town_the_remembered_on_top_then_those_that_know_the_vehicle(self, session):
        put_permit(session, plate="BRA2E19")

        verdicts = verify_everywhere(session, "BRA2E19", now=NOW, first="santa-rita-pb")

        assert {one.municipality for one in verdicts} >= {"caraguatatuba-sp", "santa-rita-pb"}
        assert [one.municipality for one in verdicts[:2]] == ["santa-rita-pb", "caraguatatuba-sp"]
        assert verdicts[0].elsewhere == (("caraguatatuba-sp", Status.AUTHORIZED),)


class TestWhatWasKnown:
    def test_an_act_learnt_later_does_not_change_what_was_known_before(self, session):
        put_permit(session, plate="BRA2E19")

        before = verify_permit(
            session, RECREATIONAL, "BRA2E19", on=TODAY, now=NOW, known_at=datetime(2026, 1, 1, tzinfo=UTC)
        )
        after = verify_permit(
            session, RECREATIONAL, "BRA2E19", on=TODAY, now=NOW, known_at=datetime(2026, 6, 1, tzinfo=UTC)
        )

        assert before.status is Status.UNKNOWN
        assert after.status is Status.AUTHORIZED
