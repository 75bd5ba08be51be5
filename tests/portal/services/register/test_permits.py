"""A clerk keeps the register. Today is 30 November 2026; permits are of 2026, issued in December before."""

from datetime import UTC, date, datetime, timedelta

import pytest

from portal.domain.acts import NewVehicle
from portal.domain.errors import (
    ActRefused,
    NoSuchPermit,
    NotAllowed,
    NothingHere,
    ReasonMissing,
    SeveralPermits,
)
from portal.domain.permits import EventKind, PermitEvent, Status
from portal.domain.staff import Role, StaffMember
from portal.services.people.audit import history_of, verify_chain
from portal.services.register import permits as register
from portal.services.register.permits import Keeper, end_of_day
from portal.services.verdicts.verification import verify_permit
from tests.factories.permits import happened, put_list, put_permit, unit

TOWN, ELSEWHERE = "caraguatatuba-sp", "chapada-dos-guimaraes-mt"
NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)
TODAY = date(2026, 11, 30)
K = EventKind
CLERK = Keeper(TOWN, "staff:7")


@pytest.fixture
def permit(session):
    put_list(session)
    put_permit(session, number="2026/0001", plate="BRA1A11")
    return register.permit_by_number(session, CLERK, "2026/1")


def status(session, query="BRA1A11", on=TODAY, known_at=None, now=NOW):
    return verify_permit(session, TOWN, query, on=on, now=now, known_at=known_at).status


def record(session, permit, kind, on=TODAY, until=None, unit=None, act="Portaria 7/2026", now=NOW, by=CLERK):
    register.record_act(session, by, permit, PermitEvent(kind, on, until, unit, act), now=now)


def why(refused) -> tuple[str, str]:
    return refused.value.why, refused.value.field


class TestRecording:
    def test_the_next_look_up_follows_at_once(self, session, permit):
        assert status(session) is Status.AUTHORIZED

        record(session, permit, K.SUSPENSION, date(2026, 11, 20), date(2026, 11, 25))
        assert status(session) is Status.SUSPENDED

        record(session, permit, K.RELEASE, date(2026, 11, 26), now=NOW + timedelta(hours=1))
        assert status(session) is Status.AUTHORIZED

        record(session, permit, K.REVOCATION, now=NOW + timedelta(hours=2))
        assert status(session) is Status.REVOKED

    def test_an_application_becomes_a_permit(self, session):
        put_permit(session, number="2026/0009", plate="BRA9A99", events=())
        permit = register.permit_by_number(session, CLERK, "2026/9")

        record(session, permit, K.REQUEST, date(2026, 11, 3))
        assert status(session, "BRA9A99") is Status.NOT_YET_VALID
        record(session, permit, K.PAYMENT, date(2026, 11, 5))
        record(session, permit, K.ISSUE, date(2026, 11, 10))
        assert status(session, "BRA9A99", on=date(2026, 11, 9)) is Status.NOT_YET_VALID
        assert status(session, "BRA9A99", on=date(2026, 11, 10)) is Status.AUTHORIZED

    def test_an_inspection_bars_one_vehicle_until_it_passes(self, session):
        put_permit(
            session,
            number="2026/0002",
            units=(unit("BRA2A21", 1, "tractor"), unit("BRA2A22", 2, "trailer")),
        )
        permit = register.permit_by_number(session, CLERK, "2026/2")

        record(session, permit, K.INSPECTION_FAILED, date(2026, 11, 10), unit=2)
        assert status(session, "BRA2A21") is Status.BARRED

        record(session, permit, K.INSPECTION_PASSED, date(2026, 11, 12), unit=2)
        assert status(session, "BRA2A21") is Status.AUTHORIZED

    def test_who_when_and_what_stand_in_the_audit_chain(self, session, permit):
        record(session, permit, K.SUSPENSION, date(2026, 11, 20), date(2026, 12, 4))

        (entry,) = history_of(session, TOWN, f"permit:{permit}")
        assert (entry.actor, entry.action, entry.at) == ("staff:7", "permit.suspension", NOW)
        assert entry.reason == "2026-11-20 – 2026-12-04 · Portaria 7/2026"
        assert verify_chain(session, TOWN) is None

    def test_an_order_may_begin_later(self, session, permit):
        record(session, permit, K.SUSPENSION, TODAY + timedelta(3))

        assert status(session) is Status.AUTHORIZED
        assert status(session, on=TODAY + timedelta(3)) is Status.SUSPENDED

    @pytest.mark.parametrize(
        ("event", "refused"),
        [
            (PermitEvent(K.INSPECTION_FAILED, TODAY + timedelta(1)), ("in_future", "on")),
            (PermitEvent(K.SUSPENSION, date(226, 11, 30)), ("far", "on")),
            (PermitEvent(K.SUSPENSION, date(2062, 11, 30)), ("far", "on")),
            (PermitEvent(K.SUSPENSION, TODAY, TODAY - timedelta(1)), ("ends_before_start", "until")),
            (PermitEvent(K.CANCELLATION, TODAY, TODAY), ("no_end", "until")),
            (PermitEvent(K.INSPECTION_FAILED, TODAY, unit=2), ("no_such_unit", "unit")),
            (PermitEvent(K.PAYMENT, TODAY, unit=1), ("whole_only", "unit")),
            (PermitEvent(K.ISSUE, TODAY), ("issued_already", "on")),
            (PermitEvent(K.RELEASE, TODAY), ("nothing_suspended", "on")),
            (PermitEvent(K.REVOCATION, TODAY, act_number="Portaria 123.456.789-09"), ("personal_number", "act_number")),
            (PermitEvent(K.REVOCATION, TODAY, act_number="Fulano de Tal 7"), ("no_act_number", "act_number")),
            (PermitEvent(K.REVOCATION, TODAY, act_date=TODAY + timedelta(1)), ("act_in_future", "act_date")),
        ],
    )  # fmt: skip
    def test_what_cannot_be_is_refused_and_nothing_is_written(self, session, permit, event, refused):
        with pytest.raises(ActRefused) as error:
            register.record_act(session, CLERK, permit, event, now=NOW)

        assert why(error) == refused
        assert history_of(session, TOWN, f"permit:{permit}") == ()

    def test_the_same_twice_is_refused(self, session, permit):
        record(session, permit, K.INSPECTION_FAILED)

        with pytest.raises(ActRefused) as error:
            record(session, permit, K.INSPECTION_FAILED)
        assert why(error) == ("twice", "on")

    def test_today_is_the_towns_own(self, session, permit):
        """At 23:30 in the town it is already tomorrow in UTC."""
        late = datetime(2026, 12, 1, 2, 30, tzinfo=UTC)

        with pytest.raises(ActRefused):
            record(session, permit, K.INSPECTION_FAILED, date(2026, 12, 1), now=late)
        record(session, permit, K.INSPECTION_FAILED, TODAY, now=late)


class TestTakingBack:
    def test_a_mistake_is_taken_back_and_stays_known(self, session, permit):
        record(session, permit, K.REVOCATION)
        (_, act) = register.read_permit(session, CLERK, permit, on=TODAY).acts

        register.strike_act(session, CLERK, permit, act.id, "Outra autorização", now=NOW + timedelta(hours=1))

        assert status(session) is Status.AUTHORIZED
        assert status(session, known_at=NOW) is Status.REVOKED
        assert history_of(session, TOWN, f"permit:{permit}")[-1].reason.endswith(": Outra autorização")

    def test_it_needs_a_reason_and_works_once(self, session, permit):
        record(session, permit, K.REVOCATION)
        act = register.read_permit(session, CLERK, permit, on=TODAY).acts[-1]

        with pytest.raises(ReasonMissing):
            register.strike_act(session, CLERK, permit, act.id, " \u200b", now=NOW)
        register.strike_act(session, CLERK, permit, act.id, "Engano", now=NOW)
        with pytest.raises(ActRefused) as error:
            register.strike_act(session, CLERK, permit, act.id, "Engano", now=NOW)
        assert error.value.why == "gone"


class TestChangingAVehicle:
    def change(self, session, permit, on=TODAY, leaves=1, plate="BRA7A77", **more):
        joins = NewVehicle(plate, **more) if plate else None
        register.change_vehicle(session, CLERK, permit, on=on, leaves=leaves, joins=joins, now=NOW)

    def test_the_new_one_carries_from_its_day_and_the_old_one_until_the_day_before(self, session, permit):
        self.change(session, permit)

        assert status(session, "BRA7A77") is Status.AUTHORIZED
        assert status(session, "BRA7A77", on=TODAY - timedelta(1)) is Status.NOT_FOUND
        assert status(session) is Status.NOT_FOUND
        assert status(session, on=TODAY - timedelta(1)) is Status.AUTHORIZED

    def test_what_the_old_one_failed_is_not_the_new_ones(self, session, permit):
        record(session, permit, K.INSPECTION_FAILED, date(2026, 11, 10), unit=1)

        self.change(session, permit)

        assert status(session, "BRA7A77") is Status.AUTHORIZED

    def test_a_trailer_joins_or_leaves_alone(self, session, permit):
        self.change(session, permit, leaves=None, plate="BRA7A78", role="trailer")
        assert status(session, "BRA7A78") is Status.AUTHORIZED

        self.change(session, permit, leaves=2, plate=None, on=TODAY + timedelta(1))
        assert status(session, "BRA7A78", on=TODAY + timedelta(1)) is Status.NOT_FOUND

    @pytest.mark.parametrize(
        ("told", "refused"),
        [
            ({"leaves": None, "plate": None}, "no_vehicle"),
            ({"plate": None}, "last_unit"),
            ({"leaves": 3}, "no_such_unit"),
            ({"plate": "BRA1A11"}, "plate_here"),
            ({"on": date(2126, 1, 1)}, "far"),
        ],
    )
    def test_what_cannot_be_is_refused(self, session, permit, told, refused):
        with pytest.raises(ActRefused) as error:
            self.change(session, permit, **told)
        assert error.value.why == refused


class TestBothAxes:
    def test_a_day_asks_what_was_true_and_an_instant_what_was_known(self, session, permit):
        """On 30 November a suspension from the 20th is recorded: true since the 20th, known since the 30th."""
        record(session, permit, K.SUSPENSION, date(2026, 11, 20))
        then = end_of_day(TOWN, date(2026, 11, 25))

        def read(on, known_at=None):
            return register.read_permit(session, CLERK, permit, on=on, known_at=known_at).standing.status

        assert read(date(2026, 11, 19)) is Status.AUTHORIZED
        assert read(date(2026, 11, 25)) is Status.SUSPENDED
        assert read(date(2026, 11, 25), then) is Status.AUTHORIZED
        assert read(date(2026, 11, 25), end_of_day(TOWN, TODAY)) is Status.SUSPENDED

    def test_what_was_not_known_yet_is_not_there(self, session, permit):
        before = datetime(2026, 1, 1, tzinfo=UTC)

        assert register.find_in_register(session, CLERK, "2026/1", on=TODAY, known_at=before).lines == ()
        assert register.find_in_register(session, CLERK, "", on=TODAY, known_at=before).total == 0
        with pytest.raises(NothingHere):
            register.read_permit(session, CLERK, permit, on=TODAY, known_at=before)

    def test_two_changes_never_share_an_instant(self, session, permit):
        record(session, permit, K.SUSPENSION, date(2026, 11, 20))
        record(session, permit, K.RELEASE, date(2026, 11, 21))

        first, second = history_of(session, TOWN, f"permit:{permit}")
        assert first.at < second.at
        assert status(session, known_at=first.at) is Status.SUSPENDED


class TestFinding:
    def test_by_plate_in_either_form_or_by_number(self, session, permit):
        for text in ("bra-1a11", "BRA1011", "1/2026", "2026/0001"):
            (line,) = register.find_in_register(session, CLERK, text, on=TODAY).lines
            assert (line.id, line.plates, line.status) == (permit, ("BRA1A11",), Status.AUTHORIZED)

    def test_the_desk_sees_what_the_public_is_told(self, session):
        """Caraguatatuba, art. 22: the second permit is of a company that is kept out."""
        company = {"plate": "BRA5E55", "trade_name": "Trem Novo"}
        put_permit(session, number="2026/0007", also=(happened(K.REVOCATION, date(2026, 6, 1)),), **company)
        put_permit(session, number="2026/0008", issued=date(2026, 8, 3), **company)
        barred = register.permit_by_number(session, CLERK, "2026/8")

        (line,) = register.find_in_register(session, CLERK, "2026/8", on=TODAY).lines
        file = register.read_permit(session, CLERK, barred, on=TODAY)

        assert line.status is file.standing.status is status(session, "BRA5E55") is Status.REVOKED
        assert file.standing.reasons[0].code == "revoked_bar"

    def test_a_number_that_several_bear_asks_which(self, session, permit):
        put_permit(session, number="1", year=2026, plate="BRA3A33")
        put_permit(session, number="1", year=2025, plate="BRA4A44")

        with pytest.raises(SeveralPermits):
            register.permit_by_number(session, CLERK, "1")
        assert register.permit_by_number(session, CLERK, "1", year=2025)
        with pytest.raises(NoSuchPermit):
            register.permit_by_number(session, CLERK, "77")

    def test_without_a_text_the_whole_register_a_page_at_a_time(self, session):
        for _ in range(register.PAGE + 1):
            put_permit(session)

        first = register.find_in_register(session, CLERK, "", on=TODAY)
        last = register.find_in_register(session, CLERK, "", on=TODAY, before=first.next_before)

        assert (first.total, len(first.lines)) == (register.PAGE + 1, register.PAGE)
        assert (len(last.lines), last.next_before) == (1, None)
        assert len({line.id for line in first.lines + last.lines}) == register.PAGE + 1


class TestWhoMay:
    def test_another_towns_permit_does_not_exist(self, session, permit):
        stranger = Keeper(ELSEWHERE, "staff:9")

        assert register.find_in_register(session, stranger, "BRA1A11", on=TODAY).lines == ()
        with pytest.raises(NothingHere):
            register.read_permit(session, stranger, permit, on=TODAY)
        with pytest.raises(NothingHere):
            record(session, permit, K.REVOCATION, by=stranger)
        with pytest.raises(NothingHere):
            register.strike_act(session, stranger, permit, 1, "x", now=NOW)
        with pytest.raises(NothingHere):
            register.change_vehicle(
                session, stranger, permit, on=TODAY, leaves=1, joins=NewVehicle("BRA7A77"), now=NOW
            )
        assert status(session) is Status.AUTHORIZED

    @pytest.mark.parametrize(("role", "writes"), [(Role.CLERK, True), (Role.OMBUDSMAN, False)])
    def test_a_clerk_writes_and_an_ombudsman_reads(self, session, permit, role, writes):
        keeper = register.keeper_of(StaffMember(3, TOWN, "x", "X", role))

        assert register.read_permit(session, keeper, permit, on=TODAY).permit.number == "2026/0001"
        if writes:
            record(session, permit, K.REVOCATION, by=keeper)
        else:
            with pytest.raises(NotAllowed):
                record(session, permit, K.REVOCATION, by=keeper)

    def test_an_inspector_does_neither(self):
        with pytest.raises(NotAllowed):
            register.keeper_of(StaffMember(3, TOWN, "x", "X", Role.INSPECTOR))


class TestListsAndTheDesk:
    def test_a_list_never_takes_back_what_the_desk_recorded(self, session, permit):
        from portal.domain.registers import RegisterEntry
        from portal.storage.registers import events_after

        record(session, permit, K.SUSPENSION, date(2026, 11, 20))
        held = register.read_permit(session, CLERK, permit, on=TODAY).permit
        silent = RegisterEntry(
            held.service, held.permit_type, held.number, "2026/1", held.holder_kind, held.units,
            (happened(K.ISSUE, date(2025, 12, 10)),), told_kinds=tuple(EventKind),
        )  # fmt: skip

        assert K.SUSPENSION in {event.kind for event in events_after(held, silent)}
