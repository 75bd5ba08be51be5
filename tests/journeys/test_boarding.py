"""Finding where to board: with the device's position, with the keyboard alone, without scripts, on a narrow screen."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from portal import clock
from portal.services.unit_of_work import unit_of_work
from tests.factories.feeds import PARTIDAS, PLACES, PONTOS, bring_in, bring_in_orla, folder_of
from tests.factories.permits import put_permit

pytestmark = pytest.mark.browser

TOWN = "/caraguatatuba-sp"
LONG = "Praça da Matriz " + "Desembargador" * 8
PAGES = [
    "/itinerarios",
    "/itinerarios/orla",
    "/pontos",
    "/pontos?perto=massaguacu",
    "/pontos?perto=xyz",
    "/pontos?lat=x&lon=y",
    "/pontos/matriz",
    "/pontos/matriz?para=mirante",
    "/pontos/praia",
    "/pontos/mirante/placa",
]


@pytest.fixture
def site(live_portal: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An authorised itinerary whose first stop has a name of 120 letters."""
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 30, 15, tzinfo=UTC))
    with unit_of_work(writes=True) as session:
        bring_in_orla(session, tmp_path / "orla", pontos=PONTOS.replace("Praça da Matriz", LONG))
        bring_in(session, "places", folder_of(tmp_path, {"lugares.csv": PLACES}) / "lugares.csv")
        put_permit(session, itinerary="orla")
    return live_portal + TOWN


class TestNearMe:
    def test_with_the_devices_position(self, browser: Browser, site: str):
        context = browser.new_context(
            locale="pt-BR",
            geolocation={"latitude": -23.6305, "longitude": -45.4000},
            permissions=["geolocation"],
        )
        page = context.new_page()
        page.goto(f"{site}/pontos")
        page.get_by_role("button", name="Usar a minha posição").click()

        expect(page.get_by_role("heading", name="Mais perto de você")).to_be_visible()
        first = page.locator("#answer .stop-list li").first
        expect(first).to_contain_text("Mirante do Camaroeiro")
        expect(first).to_contain_text("60 m ao norte, 1 minuto a pé")
        context.close()

    def test_with_the_keyboard_alone(self, page: Page, site: str):
        page.goto(f"{site}/pontos")
        page.get_by_label("Onde você está?").focus()
        page.keyboard.type("mirante")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Encontrado").wait_for()
        while page.evaluate("document.activeElement.textContent.trim()") != "Mirante do Camaroeiro":
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")

        expect(page.get_by_role("heading", level=1)).to_have_text("Mirante do Camaroeiro")

    def test_without_scripts_a_text_list_leads_to_the_complaint(self, browser: Browser, site: str):
        context = browser.new_context(locale="pt-BR", java_script_enabled=False)
        page = context.new_page()
        page.goto(f"{site}/pontos?perto=massaguacu")
        page.get_by_role("link", name="Mirante do Camaroeiro").first.click()
        page.get_by_role("link", name="Algo errado neste ponto? Avise a ouvidoria").click()

        assert "/manifestacoes/nova" in page.url
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        context.close()


class TestStandingOnTheBeach:
    def test_place_departure_and_price_are_there_before_anything_is_scrolled(
        self, browser: Browser, site: str
    ):
        page = browser.new_page(locale="pt-BR", viewport={"width": 360, "height": 640})
        page.goto(f"{site}/itinerarios/orla")

        for sight in ("R$ 25,00", "De Praça", "Próxima saída às"):
            box = page.get_by_text(sight).first.bounding_box()
            assert box is not None, sight
            assert box["y"] + box["height"] <= 640, sight
        page.close()

    def test_without_scripts_a_stop_tells_the_rides_to_another(self, browser: Browser, site: str):
        page = browser.new_page(locale="pt-BR", java_script_enabled=False)
        page.goto(f"{site}/pontos/matriz")
        page.get_by_label("Ponto onde você desce").select_option("mirante")
        page.get_by_role("button", name="Ver saídas").click()

        expect(page.locator("#rides tbody tr").first).to_contain_text("~12:30")
        page.close()

    def test_with_the_keyboard_alone_the_rides_come_without_another_page(self, page: Page, site: str):
        page.goto(f"{site}/pontos/matriz")
        page.get_by_label("Ponto onde você desce").focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")

        expect(page.locator("#rides tbody tr").first).to_contain_text("~12:30")
        expect(page).to_have_url(re.compile("para=mirante"))


class TestEveryPageOfBoarding:
    def test_has_nothing_that_axe_objects_to(self, browser: Browser, site: str):
        page = browser.new_page(bypass_csp=True, viewport={"width": 360, "height": 640})
        found = {}
        for path in PAGES:
            page.goto(site + path)
            violations = Axe().run(page).response["violations"]
            if violations:
                found[path] = [(each["id"], each["nodes"][0]["html"]) for each in violations]
        page.close()
        assert found == {}

    def test_never_scrolls_sideways_at_320_pixels(self, browser: Browser, site: str):
        page = browser.new_page(viewport={"width": 320, "height": 640})
        wide = []
        for path in PAGES:
            page.goto(site + path)
            if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                wide.append(path)
        page.close()
        assert wide == []

    def test_the_browser_has_no_complaint_of_its_own(self, page: Page, site: str):
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        for path in PAGES:
            page.goto(site + path)
        assert [each for each in said if "422" not in each] == []


class TestTakingItAlong:
    def test_the_map_comes_on_a_tap_and_leads_on_to_a_stop(self, page: Page, site: str):
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{site}/itinerarios/orla")
        assert not [url for url in asked if "leaflet" in url or "map" in url]

        page.get_by_role("button", name="Ver no mapa").click()
        page.locator(".leaflet-interactive").nth(4).wait_for()
        assert {url.split("/")[2] for url in asked} == {site.split("/")[2]}
        page.locator("path.leaflet-interactive").nth(3).click(force=True)
        page.locator(".leaflet-popup-content a").click()

        expect(page.get_by_role("heading", level=1)).to_have_text("Avenida da Praia")

    def test_a_departure_is_downloaded_for_the_calendar(self, page: Page, site: str):
        page.goto(f"{site}/pontos/matriz")
        with page.expect_download() as waiting:
            page.get_by_role("link", name="Pôr na agenda a saída das").first.click()

        assert waiting.value.suggested_filename.endswith(".ics")
        assert b"BEGIN:VEVENT" in Path(waiting.value.path()).read_bytes()

    @pytest.mark.parametrize(("zone", "told"), [("America/Sao_Paulo", False), ("America/Cuiaba", True)])
    def test_a_device_on_another_clock_is_told(self, browser: Browser, site: str, zone: str, told: bool):
        context = browser.new_context(locale="pt-BR", timezone_id=zone)
        page = context.new_page()
        page.goto(f"{site}/pontos/mirante")

        expect(page.get_by_text("O seu aparelho está em outro fuso")).to_be_visible(visible=told)
        context.close()

    def test_who_sits_in_the_vehicle_learns_how_far_the_route_is(self, browser: Browser, site: str):
        context = browser.new_context(
            locale="pt-BR",
            geolocation={"latitude": -23.6200, "longitude": -45.4100, "accuracy": 30},
            permissions=["geolocation"],
        )
        page = context.new_page()
        page.goto(f"{site}/itinerarios/orla")
        page.get_by_role("button", name="Estou no veículo").click()

        expect(page.locator("#on-the-way")).to_contain_text("± 30 m")
        assert "lat" not in page.url
        context.close()

    def test_the_sign_fits_a_sheet_of_paper(self, page: Page, site: str, tmp_path: Path):
        every_ten_minutes = PARTIDAS.replace("15:00", "00:00-23:50/10").replace("11:00", "00:00-23:50/10")
        with unit_of_work(writes=True) as session:
            bring_in_orla(session, tmp_path / "long", partidas=every_ten_minutes)
        page.goto(f"{site}/pontos/mirante")
        page.get_by_role("link", name="Placa para imprimir").click()
        page.emulate_media(media="print")

        expect(page.locator(".sign__code svg")).to_be_visible()
        expect(page.locator(".site-header")).to_be_hidden()
        assert len(re.findall(rb"/Type /Page\b", page.pdf(format="A4"))) == 1
