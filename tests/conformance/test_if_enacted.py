"""Santa Rita's bill as it would bind if it became law as it stands: nothing in the code waits for it but the word."""

from datetime import UTC, date, datetime, timedelta
from shutil import copytree

import pytest

from portal import clock
from portal.domain.permits import EventKind, HolderKind, Service, Status
from portal.regulations import catalogue
from portal.services.unit_of_work import unit_of_work
from portal.services.verdicts.verification import verify_permit
from tests.factories.permits import happened, put_list, put_permit, unit

TOWN = "santa-rita-pb"
BILL = f"{TOWN}_transporte-turistico_projeto-de-lei-99-2023"
NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)
ISSUED = date(2026, 1, 15)
A_DAY = timedelta(1)


@pytest.fixture(autouse=True)
def enacted(tmp_path, monkeypatch):
    copytree(catalogue.DATA / TOWN, tmp_path / "towns" / TOWN)
    file = tmp_path / "towns" / TOWN / f"{BILL}.toml"
    file.write_text(
        file.read_text(encoding="utf-8").replace('kind = "bill"', 'kind = "law"', 1), encoding="utf-8"
    )
    monkeypatch.setattr(clock, "now", lambda: NOW)
    with catalogue.reading_from(tmp_path / "towns"):
        yield


def put(
    session, permit_type, number, *, plates=("BRA2E19",), also=(), issued=ISSUED, name="Passeios do Vale"
):
    put_permit(
        session,
        TOWN,
        service=Service.TOURISM,
        permit_type=permit_type,
        number=number,
        holder_kind=HolderKind.COMPANY,
        trade_name=name,
        year=None,
        issued=issued,
        units=tuple(unit(plate, at) for at, plate in enumerate(plates, 1)),
        also=also,
    )


def ask(session, query="BRA2E19", on=ISSUED + A_DAY):
    return verify_permit(session, TOWN, query, on=on, now=NOW)


class TestThePermissionAndTheLicence:
    """art. 13, II, 25 and 31: the company's permission of two years and each vehicle's licence of one."""

    @pytest.mark.parametrize("query", ["BRA2E19", "901", "77"])
    def test_with_both_the_vehicle_may_work_whatever_was_asked(self, session, query):
        put(session, "permission", "901", plates=())
        put(session, "operating_licence", "77")

        assert ask(session, query).status is Status.AUTHORIZED

    @pytest.mark.parametrize(("permit_type", "number"), [("permission", "901"), ("operating_licence", "77")])
    def test_one_without_the_other_is_not_green(self, session, permit_type, number):
        put(session, permit_type, number)

        for query in ("BRA2E19", number):
            verdict = ask(session, query)
            assert verdict.status is Status.NOT_YET_VALID
            assert verdict.permits[0].reasons[0].code == "needs_other"

    def test_the_permission_of_another_company_does_not_help(self, session):
        put(session, "permission", "901", plates=(), name="Outra Empresa")
        put(session, "operating_licence", "77")

        assert ask(session).status is Status.NOT_YET_VALID

    def test_the_yearly_licence_ends_first_and_then_both_do(self, session):
        put(session, "permission", "901", plates=())
        put(session, "operating_licence", "77")

        assert ask(session, on=date(2027, 1, 15)).status is Status.AUTHORIZED
        assert ask(session, on=date(2027, 1, 16)).status is Status.EXPIRED

    def test_a_renewed_licence_goes_on_under_the_same_permission(self, session):
        put(session, "permission", "901", plates=())
        put(session, "operating_licence", "77")
        put(session, "operating_licence", "78", issued=date(2027, 1, 10))

        assert ask(session, on=date(2028, 1, 10)).status is Status.AUTHORIZED
        assert ask(session, on=date(2028, 1, 15)).status is Status.EXPIRED

    def test_a_suspended_permission_ends_with_its_days(self, session):
        """art. 44: at most 90 days."""
        stopped = happened(EventKind.SUSPENSION, date(2026, 6, 1), date(2026, 8, 29))
        put(session, "permission", "901", plates=(), also=(stopped,))
        put(session, "operating_licence", "77")

        days = (date(2026, 5, 31), date(2026, 6, 1), date(2026, 8, 29), date(2026, 8, 30))
        assert [ask(session, on=day).status for day in days] == [
            Status.AUTHORIZED,
            Status.SUSPENDED,
            Status.SUSPENDED,
            Status.AUTHORIZED,
        ]


class TestADriversRecord:
    """art. 23, I: two years, and the thirty days by which the text prolongs them."""

    def test_to_the_day(self, session):
        put_permit(
            session,
            TOWN,
            service=Service.TOURISM,
            permit_type="driver_record",
            number="5",
            holder_kind=HolderKind.NATURAL_PERSON,
            year=None,
            issued=ISSUED,
        )

        days = (date(2028, 1, 15), date(2028, 2, 14), date(2028, 2, 15))
        assert [ask(session, "5", on=day).status for day in days] == [
            Status.AUTHORIZED,
            Status.AUTHORIZED,
            Status.NOT_IN_FORCE,
        ]


def test_the_page_says_which_paper_is_missing(database, client):
    with unit_of_work(writes=True) as session:
        put_list(session, TOWN, service=Service.TOURISM)
        put(session, "operating_licence", "77")

    page = client.get(f"/{TOWN}/verificar?q=BRA2E19&on=2026-06-01&lang=pt-BR").text
    told = client.get(f"/api/v1/{TOWN}/verify?q=BRA2E19&on=2026-06-01&lang=pt-BR").get_json()

    assert "também é preciso “Permissão de transporte turístico”" in page
    assert told["status"] == "not_yet_valid"
    assert (told["permits"][0]["reasons"][0]["article"], told["permits"][0]["reasons"][0]["instrument"]) == (
        "art. 25",
        BILL,
    )
