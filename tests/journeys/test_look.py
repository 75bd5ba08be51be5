"""What every page promises to the eye and to assistive technology, in a real browser."""

from datetime import UTC, date, datetime

import pytest
from playwright.sync_api import Page, expect

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
    "/caraguatatuba-sp/sem-internet",
    "/terminar",
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
    def test_asks_nobody_else_and_breaks_no_policy(self, page: Page, site: str):
        asked, complaints = set(), []
        page.on("request", lambda request: asked.add(request.url.split("/")[2]))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        for path in PAGES:
            page.goto(site + path)

        assert asked == {site.split("/")[2]}
        assert [text for text in complaints if "status of 4" not in text] == []


NEW = "/caraguatatuba-sp/manifestacoes/nova"


def focused(page: Page) -> str:
    """The words of what has the focus: what a screen reader says first after a swap."""
    return str(page.evaluate("document.activeElement.innerText.trim()"))


class TestSwapping:
    def test_puts_the_answer_where_it_belongs_and_says_the_state_first(self, page: Page, site: str):
        page.goto(f"{site}/caraguatatuba-sp/verificar")
        page.fill("input[name=q]", "bra 2e19")
        page.click("button:has-text('Consultar')")

        page.wait_for_selector(".verdict--authorized")
        assert focused(page) == "Autorizado"
        assert page.url.endswith("?q=bra%202e19")
        page.go_back()
        page.wait_for_selector(".verdict", state="detached")
        assert page.locator("h1").count() == 1
        page.go_forward()
        page.wait_for_selector(".verdict--authorized")
        assert page.locator("h1").count() == 1

    def test_says_each_question_and_each_mistake(self, page: Page, site: str):
        page.goto(site + NEW)
        assert focused(page) == "O que aconteceu?"
        page.click("button[value=overcrowding]")
        expect(page.get_by_role("heading", level=1)).to_have_text("Qual veículo?")
        assert focused(page) == "Qual veículo?"
        page.get_by_role("button", name="Continuar").click()
        expect(page.locator(".error-summary")).to_be_visible()
        assert focused(page).startswith("Há algo a corrigir")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")  # the mistake leads to its field
        expect(page.locator("#text")).to_be_focused()

        page.click("button[value=unknown]")
        expect(page.get_by_role("heading", level=1)).to_have_text("Onde foi?")
        assert focused(page) == "Onde foi?"
        page.go_back()
        expect(page.get_by_role("heading", level=1)).to_have_text("Qual veículo?")
        assert focused(page) == "Qual veículo?"

    def test_a_kind_that_is_corrected_keeps_the_focus_and_is_told(self, page: Page, site: str):
        page.goto(site + NEW + "?what=overcrowding")
        for name in ("Não sei", "Não sei", "Agora"):
            heading = page.get_by_role("heading", level=1).inner_text()
            page.get_by_role("button", name=name, exact=True).click()
            expect(page.get_by_role("heading", level=1)).not_to_have_text(heading)
        page.locator(".kinds-fold summary").click()
        page.get_by_role("button", name="Sugestão").click()

        expect(page.locator("#kind-now")).to_have_text("Sugestão")
        expect(page.get_by_role("button", name="Sugestão")).to_be_focused()

    def test_nothing_moves_for_whoever_asked_for_stillness(self, page: Page, site: str):
        page.emulate_media(reduced_motion="reduce")
        page.goto(site)

        moving = page.evaluate(
            """[...document.querySelectorAll("*")].filter(one => {
                 const style = getComputedStyle(one)
                 return parseFloat(style.transitionDuration) || style.animationName != "none"
               }).length"""
        )
        assert moving == 0

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
