"""What every page promises to the eye and to assistive technology, in a real browser."""

from datetime import UTC, date, datetime

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from portal import clock
from portal.domain.permits import EventKind
from portal.services.unit_of_work import unit_of_work
from tests.factories.permits import happened, put_list, put_permit, unit

pytestmark = pytest.mark.browser

PAGES = [
    "/",
    "/caraguatatuba-sp/",
    "/verificar?q=BRA2E19",
    "/caraguatatuba-sp/verificar?q=BRA3E19",
    "/caraguatatuba-sp/verificar?q=BRA9Z99",
    "/caraguatatuba-sp/verificar?q=X",
    "/caraguatatuba-sp/itinerarios",
    "/caraguatatuba-sp/pontos",
    "/caraguatatuba-sp/manifestacoes/nova",
    "/caraguatatuba-sp/direitos/recreativo?imprimir=1",
    "/acompanhar",
    "/denunciar",
    "/ouvidoria",
    "/sobre",
    "/privacidade",
    "/acessibilidade",
    "/nada",
]


@pytest.fixture
def site(live_portal: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The portal with a vehicle in order and a combination with a barred trailer."""
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 30, 15, tzinfo=UTC))
    with unit_of_work(writes=True) as session:
        put_list(session)
        put_permit(session, plate="BRA2E19", number="2026/0001", itinerary="centro")
        put_permit(
            session,
            number="2026/0002",
            units=(unit("BRA3E19", 1, "tractor"), unit("BRA4E19", 2, "trailer")),
            also=(happened(EventKind.INSPECTION_FAILED, date(2026, 11, 3), unit=2),),
        )
    return live_portal


class TestEveryPage:
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_has_nothing_that_axe_objects_to(self, browser: Browser, site: str, scheme: str):
        # The policy forbids scripts of anybody else, and axe is one.
        page = browser.new_page(bypass_csp=True, color_scheme=scheme, viewport={"width": 360, "height": 640})
        found = {}
        for path in PAGES:
            page.goto(site + path)
            violations = Axe().run(page).response["violations"]
            if violations:
                found[path] = [(one["id"], one["nodes"][0]["html"]) for one in violations]
        page.close()

        assert found == {}

    @pytest.mark.parametrize("width", [320, 1280])
    def test_fits_its_window(self, browser: Browser, site: str, width: int):
        page = browser.new_page(viewport={"width": width, "height": 640})
        wider = {}
        for path in PAGES:
            page.goto(site + path)
            excess = page.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )
            if excess > 0:
                wider[path] = excess
        page.close()

        assert wider == {}

    def test_asks_nobody_else_and_breaks_no_policy(self, page: Page, site: str):
        asked, complaints = set(), []
        page.on("request", lambda request: asked.add(request.url.split("/")[2]))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        for path in PAGES:
            page.goto(site + path)

        assert asked == {site.split("/")[2]}
        assert [text for text in complaints if "status of 4" not in text] == []


class TestTheVerdict:
    @pytest.mark.parametrize("plate", ["BRA2E19", "BRA3E19", "BRA9Z99"])
    def test_stands_in_the_first_view_of_a_small_phone(self, page: Page, site: str, plate: str):
        page.goto(f"{site}/caraguatatuba-sp/verificar?q={plate}")

        for part in (".verdict__word", ".verdict__plate .plate", ".verdict__actions >> text=ouvidoria"):
            box = page.locator(part).first.bounding_box()
            assert box
            assert box["y"] + box["height"] <= 640

    def test_is_large(self, page: Page, site: str):
        page.goto(f"{site}/caraguatatuba-sp/verificar?q=BRA2E19")

        for part in (".verdict__word", ".verdict__plate .plate__text"):
            size = page.locator(part).first.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
            assert size >= 28

    def test_spells_the_plate_to_a_screen_reader(self, page: Page, site: str):
        page.goto(f"{site}/caraguatatuba-sp/verificar?q=BRA2E19")

        assert "placa B R A 2 E 1 9" in page.locator(".verdict__plate").inner_text()


class TestSwapping:
    def test_puts_the_answer_where_it_belongs_and_the_address_above_it(self, page: Page, site: str):
        page.goto(f"{site}/caraguatatuba-sp/verificar")
        page.fill("input[name=q]", "bra 2e19")
        page.click("button:has-text('Consultar')")

        page.wait_for_selector(".verdict--authorized")
        assert page.url.endswith("?q=bra%202e19")
        page.go_back()
        page.wait_for_selector(".verdict", state="detached")
        assert page.locator("h1").count() == 1

    def test_leaves_nothing_in_the_browser(self, page: Page, site: str):
        page.goto(f"{site}/caraguatatuba-sp/verificar")
        page.fill("input[name=q]", "BRA2E19")
        page.click("button:has-text('Consultar')")
        page.wait_for_selector(".verdict")

        assert page.evaluate("localStorage.length + sessionStorage.length") == 0


class TestTheLanguageSwitch:
    def test_takes_one_tap_and_stays(self, page: Page, site: str):
        page.goto(f"{site}/caraguatatuba-sp/verificar?q=BRA2E19")
        page.click(".languages a[lang=en]")

        assert page.locator("html").get_attribute("lang") == "en"
        assert "q=BRA2E19" in page.url
        page.goto(site)
        assert page.locator("html").get_attribute("lang") == "en"
