"""Every layout with words two fifths longer: nothing is cut off, nothing goes sideways."""

from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, Page

import portal.config
from portal import clock
from portal.demo import load_demonstration
from portal.i18n import PSEUDO
from portal.services.demonstration import Subject, list_cases
from portal.services.unit_of_work import unit_of_work

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TOWN = "/caraguatatuba-sp"
PAGES = [
    "/", f"{TOWN}/", "/demonstracao", "/verificar?q=ZZX0A00", f"{TOWN}/verificar?q=X", f"{TOWN}/itinerarios",
    f"{TOWN}/itinerarios/ORLA", f"{TOWN}/pontos?perto=Centro", f"{TOWN}/pontos/rodoviaria",
    f"{TOWN}/pontos/rodoviaria/placa", f"{TOWN}/pontos/rodoviaria/mostrar", f"{TOWN}/mostrar?q=ZZX0A00&frase=agente",
    f"{TOWN}/manifestacoes/nova", f"{TOWN}/direitos/recreativo?imprimir=1", f"{TOWN}/ouvidoria/relatorios",
    "/acompanhar",
    "/denunciar", "/ouvidoria", "/sobre", "/privacidade", f"{TOWN}/privacidade", "/acessibilidade", "/nada",
]  # fmt: skip
DESK = [
    "/mesa/", "/mesa/estatisticas", "/mesa/atendimento/", "/mesa/conta/", "/mesa/cadastro/", "/mesa/itinerarios/",
    "/mesa/cadastro/arquivos/", "/mesa/cadastro/avisos", "/mesa/registro-de-atos/", "/mesa/avisos/",
    "/mesa/pedidos-de-dados/",
]  # fmt: skip
CUT_OFF = """() => [...document.querySelectorAll("body *")].filter(one => {
    const style = getComputedStyle(one);
    if (one.closest("svg, .visually-hidden, .table-wrap, [hidden], details:not([open])") || style.display === "inline"
        || /INPUT|TEXTAREA|SELECT|PROGRESS/.test(one.tagName)) return false;
    return one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1 && !/auto|scroll/.test(style.overflowX);
}).map(one => `${one.tagName}.${one.className} ${one.scrollWidth}>${one.clientWidth}: `
    + one.innerText.slice(0, 60))"""


@pytest.fixture
def demonstration(keys, database, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DEVELOPMENT", "1")
    monkeypatch.setenv("DEMONSTRATION", "1")
    portal.config.settings.cache_clear()
    portal.config.desk_settings.cache_clear()
    now = datetime(2026, 11, 30, 15, tzinfo=UTC)
    monkeypatch.setattr(clock, "now", lambda: now)
    load_demonstration(now=now)
    with unit_of_work() as session:
        return list_cases(session)


@pytest.fixture
def page(browser: Browser) -> Page:
    return browser.new_context(viewport={"width": 320, "height": 640}).new_page()


class TestTwoFifthsLonger:
    def test_every_page_of_the_portal_fits(self, page: Page, demonstration, live_portal: str):
        verdicts = [
            f"/{case.municipality}/verificar?q={case.query}"
            for case in demonstration
            if case.subject is Subject.VEHICLE
        ]

        assert _cut_off(page, live_portal, [*PAGES, *verdicts]) == {}

    def test_every_page_of_the_desk_fits(self, page: Page, demonstration, live_desk: str):
        staff = next(case for case in demonstration if case.subject is Subject.STAFF)
        page.goto(f"{live_desk}/mesa/entrar?lang={PSEUDO}")
        page.fill("[name=login]", staff.login or "")
        page.fill("[name=password]", staff.password or "")
        page.click("form[action*=entrar] button")
        cases = [
            f"/mesa/manifestacoes/{case.protocol}"
            for case in demonstration
            if case.subject is Subject.COMPLAINT
        ]

        assert _cut_off(page, live_desk, [*DESK, *cases]) == {}


def _cut_off(page: Page, site: str, paths: list[str]) -> dict[str, list[str]]:
    found = {}
    for path in paths:
        page.goto(f"{site}{path}{'&' if '?' in path else '?'}lang={PSEUDO}")
        assert page.locator("html").get_attribute("lang") == PSEUDO, path
        for width in (320, 360, 1280):
            page.set_viewport_size({"width": width, "height": 640})
            told = page.evaluate(CUT_OFF)
            if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                told.append("the page goes sideways")
            if told:
                found[f"{path} at {width}"] = told
    return found
