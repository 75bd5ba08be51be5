from datetime import UTC, date, datetime, time

import pytest

from portal.domain.circumstances import Circumstances
from portal.domain.errors import UnknownService, UnknownStop, UnreadableTime
from portal.domain.permits import EventKind, HolderKind, Service, Status
from portal.services.itineraries.showing import show_stop
from portal.services.verdicts.circumstances import (
    Place,
    judge_everywhere,
    judge_here,
    read_circumstances,
    verify_now,
)
from portal.services.verdicts.verification import verify_everywhere, verify_permit
from tests.factories.feeds import PARTIDAS, TOWN, bring_in_orla
from tests.factories.permits import happened, put_permit

MONDAY = date(2026, 11, 30)
SUNDAY = date(2026, 11, 29)
NOON = datetime(2026, 11, 30, 15, tzinfo=UTC)
"""Twelve o'clock in Caraguatatuba."""


@pytest.fixture
def orla(session, tmp_path):
    """Leaves matriz on working days from 10:00 to 12:00 and at 00:15 of the night, mirante at 11:00."""
    bring_in_orla(session, tmp_path / "orla")
    put_permit(session, plate="BRA2E19", number="2026/0001", itinerary="orla")


def ask(session, query="BRA2E19", on=MONDAY, **here):
    verdict = verify_permit(session, TOWN, query, on=on, now=NOON)
    return judge_here(session, verdict, Circumstances(**here))


def codes(reasons):
    return [reason.code for reason in reasons]


class TestThePlace:
    @pytest.mark.parametrize("stop", ["matriz", "mirante"])
    def test_the_two_ends_are_boarding_points(self, session, orla, stop):
        verdict = ask(session, stop=stop)

        assert verdict.limits == ()
        assert verdict.status is Status.AUTHORIZED
        assert "boards_here" in codes(verdict.notes)

    def test_between_the_two_ends_nobody_boards_and_the_article_is_said(self, session, orla):
        verdict = ask(session, stop="praia")

        (limit,) = verdict.limits
        assert verdict.status is Status.AUTHORIZED
        assert limit.data == {
            "points": ("Praça da Matriz", "Mirante do Camaroeiro"),
            "stop": "Avenida da Praia",
        }
        assert limit.article == "art. 4º e art. 13, VII"
        assert verdict.checks == ()

    def test_a_stop_that_the_town_does_not_have_is_an_error(self, session, orla):
        with pytest.raises(UnknownStop):
            ask(session, stop="nowhere")

    def test_one_permit_for_this_stop_is_enough(self, session, orla, tmp_path):
        put_permit(session, plate="BRA2E19", number="2026/0002", itinerary="elsewhere")

        assert ask(session, stop="matriz", at=time(10)).limits == ()

    def test_without_a_known_itinerary_nothing_is_limited_and_that_is_said(self, session, orla):
        put_permit(session, plate="BRA3E19", number="2026/0003", itinerary="lost")
        put_permit(session, plate="BRA4E19", number="2026/0004")

        for plate, note in (("BRA3E19", "route_unknown"), ("BRA4E19", "no_route")):
            verdict = ask(session, plate, stop="praia", at=time(3))
            assert (verdict.limits, codes(verdict.notes)) == ((), [note])


class TestTheTime:
    @pytest.mark.parametrize(
        ("on", "at", "limits"),
        [
            (MONDAY, time(8, 59), ["before_first"]),
            (MONDAY, time(9, 0), []),
            (MONDAY, time(10, 0), []),
            (MONDAY, time(13, 0), []),
            (date(2026, 12, 1), time(0, 15), []),
            (date(2026, 12, 1), time(0, 16), ["before_first"]),
            (SUNDAY, time(15, 0), []),
            (SUNDAY, time(15, 1), ["after_last"]),
        ],
    )
    def test_the_minute_of_a_departure_still_counts(self, session, orla, on, at, limits):
        assert codes(ask(session, on=on, at=at).limits) == limits

    def test_the_last_and_the_next_departure_are_told(self, session, orla):
        (limit,) = ask(session, on=SUNDAY, at=time(22)).limits

        assert limit.data == {"last": time(15), "next": time(10), "day": MONDAY}

    def test_the_stop_asked_about_has_its_own_last_departure(self, session, orla):
        assert codes(ask(session, stop="mirante", at=time(11)).limits) == []
        assert codes(ask(session, stop="mirante", at=time(11, 1)).limits) == ["after_last"]

    def test_a_day_without_service(self, session, tmp_path):
        bring_in_orla(
            session, tmp_path / "o", partidas="itinerario;dias;horarios\norla;seg-sex menos feriados;10:00\n"
        )
        put_permit(session, plate="BRA2E19", itinerary="orla")

        (limit,) = ask(session, on=SUNDAY, at=time(10)).limits

        assert (limit.code, limit.data) == ("no_trip", {"next": time(10), "day": MONDAY})
        assert codes(ask(session, on=date(2026, 12, 25), at=time(10)).limits) == ["no_trip"]

    def test_place_and_time_are_told_together(self, session, orla):
        assert codes(ask(session, on=SUNDAY, stop="praia", at=time(22)).limits) == [
            "other_stop",
            "after_last",
        ]

    def test_a_timetable_that_is_over_says_nothing_of_today(self, session, tmp_path):
        bring_in_orla(
            session,
            tmp_path / "old",
            itinerarios="codigo;nome;pontos;valido_ate\norla;Orla;matriz > praia > mirante;31/10/2026\n",
            partidas=PARTIDAS.replace("orla;volta;seg-sex;11:00\n", ""),
        )
        put_permit(session, plate="BRA2E19", itinerary="orla")

        verdict = ask(session, at=time(3))

        assert (verdict.limits, codes(verdict.notes)) == ((), ["timetable_over"])


class TestTheService:
    def test_a_permit_for_another_service_is_not_for_this(self, session, orla):
        (limit,) = ask(session, service=Service.TOURISM, stop="praia").limits

        assert limit.code == "other_service"
        assert limit.data == {"services": (Service.RECREATIONAL,), "wanted": Service.TOURISM}

    def test_a_car_called_by_an_app_takes_nobody_at_a_stop(self, session, orla):
        put_permit(
            session,
            plate="BRA9E19",
            number="77",
            service=Service.RIDE_HAILING,
            permit_type="driver",
            holder_kind=HolderKind.NATURAL_PERSON,
            year=None,
        )

        assert codes(ask(session, "BRA9E19", stop="matriz").limits) == ["boarding_rule"]
        assert codes(ask(session, "BRA9E19", service=Service.RECREATIONAL).limits) == ["other_service"]
        assert ask(session, "BRA9E19", service=Service.RIDE_HAILING, at=time(3)).limits == ()


class TestWhatIsNotGreen:
    def test_is_not_judged_further(self, session, orla):
        put_permit(
            session,
            plate="BRA5E19",
            number="2026/0005",
            itinerary="orla",
            also=(happened(EventKind.REVOCATION, date(2026, 8, 1)),),
        )

        verdict = ask(session, "BRA5E19", stop="praia", at=time(3), service=Service.TOURISM)

        assert (verdict.status, verdict.limits) == (Status.REVOKED, ())


class TestInEveryTown:
    """Each town on its own clock: Chapada is an hour behind the others."""

    def judged(self, session, **here):
        asked = {"stop": None, "at": None, "service": None} | here
        verdicts = verify_everywhere(session, "BRA2E19", now=NOON, first=TOWN)
        return judge_everywhere(session, verdicts, now=NOON, **asked)

    def test_a_stop_counts_in_the_town_that_has_it(self, session, orla):
        first, *others = self.judged(session, stop="praia", at="03:00")

        assert (first.municipality, codes(first.limits)) == (TOWN, ["other_stop", "before_first"])
        assert not any(verdict.limits for verdict in others)

    def test_a_stop_that_no_town_has_is_an_error(self, session, orla):
        with pytest.raises(UnknownStop):
            self.judged(session, stop="nowhere")

    def test_the_service_is_judged_too(self, session, orla):
        assert codes(self.judged(session, service="turismo")[0].limits) == ["other_service"]

    def test_nothing_given_is_nothing_judged(self, session, orla):
        assert self.judged(session)[0].limits == ()


class TestNow:
    """What the chat asks: this very hour, and the place that the person told about."""

    def judged(self, session, now=NOON, **answer):
        place = Place(TOWN, answer) if answer else None
        return verify_now(session, "BRA2E19", now=now, first=TOWN, place=place)[0]

    def test_the_hour_is_that_of_the_town(self, session, orla):
        assert self.judged(session).limits == ()
        assert codes(self.judged(session, datetime(2026, 11, 30, 11, 59, tzinfo=UTC)).limits) == [
            "before_first"
        ]
        assert self.judged(session, datetime(2026, 11, 30, 12, tzinfo=UTC)).limits == ()

    def test_a_stop_that_was_named(self, session, orla):
        assert codes(self.judged(session, kind="stop", code="praia").limits) == ["other_stop"]
        assert codes(self.judged(session, kind="stop", code="matriz").notes) == ["boards_here"]

    def test_a_position_is_a_boarding_point_only_beside_it(self, session, orla):
        stop = show_stop(session, TOWN, "matriz", at=NOON).stop
        beside = {"latitude": stop.latitude + 0.0008, "longitude": stop.longitude}  # some 90 metres
        away = {"latitude": stop.latitude + 0.001, "longitude": stop.longitude}  # some 110

        assert codes(self.judged(session, kind="position", **beside).notes) == ["boards_here"]
        assert codes(self.judged(session, kind="position", **away).notes) == []

    @pytest.mark.parametrize("answer", [{"kind": "unknown"}, {"kind": "typed", "text": "na praça"}])
    def test_words_are_no_place(self, session, orla, answer):
        assert self.judged(session, **answer).limits == ()


class TestReadingThem:
    def read(self, stop=None, at=None, service=None):
        return read_circumstances(TOWN, stop=stop, at=at, service=service, now=NOON)

    def test_nothing_given_is_nothing_to_judge(self):
        assert self.read() is None
        assert self.read("", " ", "") is None

    @pytest.mark.parametrize(
        ("text", "at"),
        [
            ("22:00", time(22)),
            ("22h30", time(22, 30)),
            ("7h", time(7)),
            ("now", time(12)),
            ("agora", time(12)),
        ],
    )
    def test_an_hour_is_read_on_the_clock_of_the_town(self, text, at):
        assert self.read(at=text).at == at

    @pytest.mark.parametrize("text", ["24:00", "22", "10:60", "noite", "²2:00"])
    def test_what_is_no_hour_is_refused(self, text):
        with pytest.raises(UnreadableTime):
            self.read(at=text)

    def test_a_service_that_nobody_regulates_is_refused(self):
        with pytest.raises(UnknownService):
            self.read(service="taxi")
