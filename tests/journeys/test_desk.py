"""The ombudsman at the keyboard, two people on one complaint, and pages that long words do not break."""

from datetime import UTC, date, datetime

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from portal import clock
from portal.domain.staff import Role
from portal.services.people.staff import add_staff
from portal.services.unit_of_work import unit_of_work
from tests.factories.complaints import put_complaint
from tests.journeys.pages import DeskPage, button

pytestmark = pytest.mark.browser

TOWN = "caraguatatuba-sp"
NOW = datetime(2030, 3, 10, 15, tzinfo=UTC)
PASSWORD = "cavalo correto bateria"
STORY = "السائق قاد BRA2E19 بسرعة " + "x" * 600 + " https://example.org/" + "y" * 900


@pytest.fixture(autouse=True)
def town(database, monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: NOW)
    with unit_of_work(writes=True) as session:
        for login, role in (("ana", Role.OMBUDSMAN), ("rui", Role.OMBUDSMAN)):
            add_staff(
                session,
                municipality=TOWN,
                login=login,
                name=login.title(),
                role=role,
                password=PASSWORD,
                now=NOW,
            )


@pytest.fixture
def protocols(town) -> list[str]:
    """What is due first stands first."""
    with unit_of_work(writes=True) as session:
        return [
            put_complaint(session, due_on=date(2030, 3, day), story=STORY, language="pt_BR").protocol
            for day in (20, 21, 22)
        ]


@pytest.fixture
def desk(page: Page, live_desk: str, protocols) -> DeskPage:
    return DeskPage(page, live_desk).sign_in("ana", PASSWORD)


def test_the_inbox_answers_to_the_keyboard(desk: DeskPage, protocols: list[str]):
    page = desk.page
    expect(page.get_by_role("link", name=protocols[0])).to_be_visible()

    page.keyboard.press("j")
    expect(page.get_by_role("link", name=protocols[0])).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("j")  # the last one stays
    expect(page.get_by_role("link", name=protocols[2])).to_be_focused()
    page.keyboard.press("k")
    expect(page.get_by_role("link", name=protocols[1])).to_be_focused()

    page.keyboard.press("/")
    search = page.get_by_label("Protocolo, placa ou palavras do relato")
    expect(search).to_be_focused()
    page.keyboard.type("jk/")  # words, not shortcuts, while one types
    expect(search).to_have_value("jk/")
    search.fill(protocols[1])
    page.keyboard.press("Enter")
    expect(page.locator("[data-found]")).to_have_text("1 manifestação")

    page.locator("h1").click()
    page.keyboard.press("?")
    expect(page.get_by_text("Próxima manifestação")).to_be_visible()

    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("header.case-head")).to_contain_text(protocols[1])


def test_the_second_of_two_people_is_told_and_loses_nothing(
    desk: DeskPage, protocols: list[str], live_desk: str
):
    with desk.page.expect_response("**/presenca"):
        desk.open_case(protocols[0])
    colleague = desk.page.context.browser.new_context(locale="pt-BR").new_page()
    other = DeskPage(colleague, live_desk).sign_in("rui", PASSWORD).open_case(protocols[0])
    expect(other.page.get_by_text("Ana abriu esta manifestação há 1 min.")).to_be_visible()
    other.page.get_by_text("Perguntar à pessoa").click()
    other.page.get_by_label("Pergunta", exact=True).fill("Em que ponto foi?")
    button(other.page, "Enviar a pergunta").click()
    expect(other.page.get_by_text("A pergunta foi registrada")).to_be_visible()

    desk.answer("Fomos ao local e multamos.")

    expect(desk.page.get_by_text("O que mudou enquanto você escrevia")).to_be_visible()
    expect(desk.page.get_by_text("Em que ponto foi?").first).to_be_visible()
    expect(desk.page.get_by_label("Resposta", exact=True)).to_have_value("Fomos ao local e multamos.")

    button(desk.page, "Enviar a resposta").click()
    expect(desk.page.get_by_text("A resposta foi registrada")).to_be_visible()


@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_pushes_a_page_aside(desk: DeskPage, protocols: list[str], live_desk: str, width: int):
    page = desk.page
    page.set_viewport_size({"width": width, "height": 800})
    case = f"/mesa/manifestacoes/{protocols[0]}"
    for path in ("/mesa/", case, f"{case}/encaminhamento", "/mesa/atendimento/", "/mesa/estatisticas"):
        page.goto(f"{live_desk}{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        outside = page.evaluate(
            """() => [...document.querySelectorAll("main button, main select, main textarea")]
                 .filter(e => e.offsetParent && e.closest("form").getBoundingClientRect().right + 1
                            < e.getBoundingClientRect().right).map(e => e.textContent.trim())"""
        )
        assert outside == [], path
        violations = Axe().run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in violations] == [], path
