"""What registers really hold, as page, JSON, command line and chat tell it: one register, every surface."""

import json
from datetime import UTC, date, datetime, timedelta
from html import unescape

import pytest
from click.testing import CliRunner

from portal import clock
from portal.cli import main
from portal.domain.permits import EventKind, HolderKind, Service, Status
from portal.services.unit_of_work import unit_of_work
from portal.services.verdicts.verification import verify_permit
from tests.factories.permits import happened, put_list, put_permit, unit

TOWN, OTHER = "caraguatatuba-sp", "sao-joao-da-boa-vista-sp"
NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)
A_DAY = timedelta(1)


@pytest.fixture
def told(database, client, monkeypatch):
    """Status on a day, by the service; then by the address, the page and the command line, which must agree."""
    monkeypatch.setattr(clock, "now", lambda: NOW)

    def ask(query, on, *, says=""):
        with unit_of_work() as session:
            verdict = verify_permit(session, TOWN, query, on=on, now=NOW)
        asked = f"q={query}&on={on}&lang=pt-BR"
        body = client.get(f"/api/v1/{TOWN}/verify?{asked}").get_json()
        page = unescape(client.get(f"/{TOWN}/verificar?{asked}").text)
        run = CliRunner().invoke(main, ["verify", TOWN, query, "--on", str(on)])
        as_json = CliRunner().invoke(main, ["verify", TOWN, query, "--on", str(on), "--json"])
        assert body["status"] == json.loads(as_json.output)["status"] == verdict.status
        for surface in (page, run.output):
            assert body["sentence"] in surface
            assert says in surface
        return verdict.status

    return ask


def put(*permits):
    with unit_of_work(writes=True) as session:
        put_list(session)
        put_list(session, OTHER, service=Service.RIDE_HAILING)
        for permit in permits:
            put_permit(session, **permit)


def train(number, year=2026, issued=None, **more):
    issued = issued or date(year - 1, 12, 10)
    plate = {} if "units" in more or "plate" in more else {"plate": "BRA2E19"}
    return {"number": number, "year": year, "issued": issued, **plate, **more}


class TestRenewals:
    def test_a_gap_is_a_gap_to_the_day(self, told):
        put(train("2025/0001", 2025), train("2026/0001", issued=date(2026, 1, 20)))

        days = (date(2025, 12, 31), date(2026, 1, 1), date(2026, 1, 19), date(2026, 1, 20))
        assert [told("BRA2E19", day) for day in days] == [
            Status.AUTHORIZED,
            Status.NOT_YET_VALID,
            Status.NOT_YET_VALID,
            Status.AUTHORIZED,
        ]

    def test_in_an_overlap_one_in_force_is_enough(self, told):
        stopped = happened(EventKind.SUSPENSION, date(2026, 2, 25))
        put(
            train("2026/0001", paper_valid_until=date(2026, 3, 1)),
            train("2026/0002", issued=date(2026, 2, 20), also=(stopped,)),
        )

        assert told("BRA2E19", date(2026, 3, 1), says="2026/0001") is Status.AUTHORIZED
        assert told("BRA2E19", date(2026, 3, 2), says="Só volta com nova liberação") is Status.SUSPENDED

    def test_a_request_for_a_year_that_is_over_is_no_longer_under_review(self, told):
        asked = happened(EventKind.REQUEST, date(2025, 11, 3))
        put(train("2026/0001", events=(asked,)))

        assert told("BRA2E19", date(2026, 12, 31), says="há pedido de autorização") is Status.NOT_YET_VALID
        assert told("BRA2E19", date(2027, 1, 1), says="esse tempo passou") is Status.EXPIRED


class TestVehicles:
    def test_a_substituted_one_leaves_and_the_new_one_joins_on_its_day(self, told):
        day = date(2026, 7, 1)
        units = (unit("BRA2E19", valid_until=day - A_DAY), unit("BRA3E19", valid_from=day))
        put(train("2026/0001", units=units))

        assert told("BRA2E19", day - A_DAY) is Status.AUTHORIZED
        assert told("BRA2E19", day, says="saiu da autorização 2026/0001 em 30/06/2026") is Status.NOT_FOUND
        assert told("BRA3E19", day - A_DAY, says="só entra na autorização 2026/0001 em 01/07/2026") is (
            Status.NOT_FOUND
        )
        assert told("BRA3E19", day) is Status.AUTHORIZED

    def test_each_of_a_combination_is_told_and_the_worst_stands_on_top(self, told):
        units = unit("BRA2E19", 1, "tractor"), unit("BRA3E19", 2, "trailer")
        failed = happened(EventKind.INSPECTION_FAILED, date(2026, 6, 10), unit=2)
        put(train("2026/0001", units=units, also=(failed,)))

        assert told("BRA2E19", date(2026, 6, 9), says="BRA3E19") is Status.AUTHORIZED
        assert told("BRA2E19", date(2026, 6, 10), says="Reprovado em vistoria") is Status.BARRED

    def test_of_several_permits_of_one_vehicle_the_best_counts(self, told):
        revoked = happened(EventKind.REVOCATION, date(2026, 5, 1))
        put(
            train("2026/0001", also=(revoked,), trade_name="Trenzinho A"),
            train("2026/0002", issued=date(2026, 6, 1), trade_name="Trenzinho B"),
        )

        assert told("BRA2E19", date(2026, 5, 31)) is Status.NOT_YET_VALID
        assert told("BRA2E19", date(2026, 6, 1), says="2026/0002") is Status.AUTHORIZED

    def test_the_twin_plate_is_the_same_vehicle_with_a_note(self, told):
        put(train("2026/0001"))

        assert (
            told("BRA2419", date(2026, 5, 4), says="antes e depois da troca de placas") is Status.AUTHORIZED
        )

    def test_authorised_in_another_town_is_said_and_not_green_here(self, told):
        car = {
            "municipality": OTHER,
            "service": Service.RIDE_HAILING,
            "permit_type": "driver",
            "holder_kind": HolderKind.NATURAL_PERSON,
            "year": None,
        }
        put({**car, "plate": "BRA2E19", "number": "5", "issued": date(2026, 3, 2)})

        says = "BRA2E19 tem autorização em São João da Boa Vista; ela não vale em Caraguatatuba."
        assert told("BRA2E19", date(2026, 3, 2), says=says) is Status.NOT_FOUND


class TestARevocation:
    def test_bars_the_company_for_the_year_whatever_was_asked(self, told):
        """Caraguatatuba, art. 22."""
        units = unit("BRA2E19", 1, "tractor"), unit("BRA3E19", 2, "trailer")
        revoked = happened(EventKind.REVOCATION, date(2026, 6, 1))
        put(
            train("2026/0001", plate="BRA3E19", also=(revoked,), trade_name="Trenzinho Alegria"),
            train("2026/0002", units=units, issued=date(2026, 8, 3), trade_name="Trenzinho Alegria"),
        )

        for query in ("BRA2E19", "BRA3E19", "2026/0002"):
            assert told(query, date(2026, 12, 31), says="não deixa que volte") is Status.REVOKED
