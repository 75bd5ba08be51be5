"""A clerk without GTFS brings a town's itinerary to the beach, on forms alone."""

from datetime import UTC, datetime

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from portal import clock
from portal.domain.staff import Role
from portal.services.people.staff import add_staff
from portal.services.unit_of_work import unit_of_work
from tests.journeys.pages import DeskPage

pytestmark = pytest.mark.browser

TOWN = "caraguatatuba-sp"
NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)
PASSWORD = "cavalo correto bateria"


@pytest.fixture(autouse=True)
def town(database, monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: NOW)
    with unit_of_work(writes=True) as session:
        add_staff(
            session, municipality=TOWN, login="caio", name="Caio", role=Role.CLERK, password=PASSWORD, now=NOW
        )


@pytest.fixture
def desk(page: Page, live_desk: str) -> DeskPage:
    return DeskPage(page, live_desk).sign_in("caio", PASSWORD)


def test_stops_itinerary_and_departures_reach_the_traveller_and_end(desk: DeskPage, live_portal: str):
    stops = desk.open_timetable("Pontos")
    form = stops.create(
        "Novo ponto", codigo="matriz", nome="Praça da Matriz", latitude="23,62", longitude="-45,41"
    )
    expect(form.page.locator("#latitude-error")).to_contain_text("falta o sinal de menos")
    expect(form.page.locator("#nome")).to_have_value("Praça da Matriz")
    form.fill(latitude="-23,62")
    expect(form.page.get_by_text("Gravado.")).to_be_visible()
    desk.open_timetable("Pontos").create(
        "Novo ponto", codigo="mirante", nome="Mirante", latitude="-23,63", longitude="-45,40"
    )
    desk.open_timetable("Itinerários").create(
        "Novo itinerário", codigo="orla", nome="Trenzinho da Orla", pontos="matriz > mirante", volta="sim"
    )
    departures = desk.open_timetable("Partidas").create(
        "Novas partidas", itinerario="orla", dias="todos", horarios="14:00 16:30"
    )
    assert Axe().run(departures.page).violations_count == 0

    traveller = desk.page.context.new_page()
    traveller.goto(f"{live_portal}/{TOWN}/itinerarios/orla")
    expect(traveller.locator("main")).to_contain_text("14:00")

    departures.end("2026-11-29")
    expect(departures.page.get_by_text("Encerrado por Caio")).to_be_visible()
    traveller.reload()
    expect(traveller.locator("main")).not_to_contain_text("14:00")
