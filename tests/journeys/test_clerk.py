"""The clerk keeps the register at the desk, and the passenger's answer follows at once."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from portal import clock
from portal.domain.staff import Role
from portal.services.people.staff import add_staff
from portal.services.unit_of_work import unit_of_work
from tests.factories.permits import put_list, put_permit
from tests.journeys.pages import DeskPage, HomePage, PermitPage

pytestmark = pytest.mark.browser

TOWN = "caraguatatuba-sp"
NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)
PASSWORD = "cavalo correto bateria"
REGISTER = """numero;ano;placa;lotacao;emissao;proprietario
2026/0001;2026;BRA1A11;20;10/12/2025;Fulana
2026/0002;2026;BRA2A22;20;10/12/2025;Beltrano
2026/0003;2026;placa nova;20;10/12/2025;Sicrano
"""


@pytest.fixture(autouse=True)
def town(database, monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: NOW)
    with unit_of_work(writes=True) as session:
        add_staff(
            session, municipality=TOWN, login="caio", name="Caio", role=Role.CLERK, password=PASSWORD, now=NOW
        )
        put_list(session)
        put_permit(session, number="2026/0001", plate="BRA1A11")


@pytest.fixture
def desk(page: Page, live_desk: str) -> DeskPage:
    return DeskPage(page, live_desk).sign_in("caio", PASSWORD)


@pytest.fixture
def passenger(page: Page, live_portal: str) -> HomePage:
    """Somebody else, in another window."""
    return HomePage(page.context.new_page(), f"{live_portal}/{TOWN}/")


def test_a_suspension_reaches_the_passenger_and_its_release_too(desk: DeskPage, passenger: HomePage):
    expect(passenger.look_up("BRA1A11").card).to_contain_text("Autorizado")

    permit = desk.open_register().open_permit("bra-1a11", "2026/0001")
    permit.record("Suspensão", "2026-11-20", "Portaria 7/2026")

    expect(permit.state).to_have_text("Autorização suspensa")
    expect(passenger.look_up("BRA1A11").card).to_contain_text("Autorização suspensa")

    permit.record("Liberação", "2026-11-30")
    expect(passenger.look_up("BRA1A11").card).to_contain_text("Autorizado")


def test_a_revocation_reaches_the_passenger(desk: DeskPage, passenger: HomePage):
    permit = desk.open_register().open_permit("BRA1A11", "2026/0001")
    permit.record("Cassação", "2026-11-25", "Decreto 9/2026")

    expect(permit.state).to_have_text("Autorização cassada")
    expect(passenger.look_up("BRA1A11").card).to_contain_text("Autorização cassada")


def test_a_changed_vehicle_reaches_the_passenger(desk: DeskPage, passenger: HomePage):
    permit = desk.open_register().open_permit("BRA1A11", "2026/0001")
    permit.change_vehicle("Veículo BRA1A11", "bra 7a77", "2026-11-30")

    expect(permit.page.locator("main")).to_contain_text("BRA7A77")
    expect(passenger.look_up("BRA7A77").card).to_contain_text("Autorizado")
    expect(passenger.look_up("BRA1A11").card).not_to_contain_text("Autorizado")


def test_a_permit_typed_by_hand_reaches_the_passenger(desk: DeskPage, passenger: HomePage):
    permit = desk.open_register().type_permit("2026/0041", "bra4a41", "2026-01-10")

    expect(permit.state).to_have_text("Autorizado")
    expect(passenger.look_up("BRA4A41").card).to_contain_text("Autorizado")


def test_what_cannot_be_is_said_beside_the_box_and_kept(desk: DeskPage):
    permit = desk.open_register().open_permit("2026/1", "2026/0001")

    permit.record("Vistoria reprovada", "2026-12-24", "Portaria 8/2026")

    expect(permit.page.locator("#act-on-error")).to_contain_text("ainda não chegou")
    expect(permit.page.locator("#act-act_number")).to_have_value("Portaria 8/2026")


def test_a_register_is_read_published_and_undone(desk: DeskPage, passenger: HomePage, tmp_path: Path):
    file = tmp_path / "cadastro-2026.csv"
    file.write_text(REGISTER)

    report = desk.open_register().bring(file)
    expect(report.page.get_by_role("region", name="O que há de errado")).to_contain_text("não é uma placa")
    expect(report.page.locator("main")).not_to_contain_text("Fulana")
    expect(passenger.look_up("BRA2A22").card).to_contain_text("Não encontrado")

    report.publish(leaving_refused_out=True)
    expect(passenger.look_up("BRA2A22").card).to_contain_text("Autorizado")

    report.undo()
    expect(passenger.look_up("BRA2A22").card).to_contain_text("Não encontrado")


def test_its_pages_are_accessible_and_fit_a_phone(desk: DeskPage, tmp_path: Path):
    file = tmp_path / "cadastro-2026.csv"
    file.write_text(REGISTER)
    register = desk.open_register()
    page = desk.page
    addresses = [page.url]
    register.open_permit("BRA1A11", "2026/0001").record("Suspensão", "2026-11-20")
    expect(PermitPage(page).state).to_have_text("Autorização suspensa")
    addresses.append(page.url)
    desk.open_register().bring(file)
    addresses += [page.url] + [
        f"{desk.address}/mesa/cadastro/{path}" for path in ("arquivos/", "avisos", "autorizacoes/nova")
    ]

    for address in addresses:
        page.goto(address)
        wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wider <= 0, address
        results = Axe().run(page)
        assert results.violations_count == 0, f"{address}\n{results.generate_report()}"
