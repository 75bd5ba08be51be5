"""Without internet: what a telephone kept of a town, what it never keeps, and a device that is left clean."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from portal import clock
from portal.services.unit_of_work import unit_of_work
from portal.storage.complaints import ComplaintRow
from tests.factories.feeds import bring_in_orla
from tests.factories.permits import put_list, put_permit
from tests.journeys.test_complaint import answer_with_taps, asked, tap

pytestmark = pytest.mark.browser

TOWN = "/caraguatatuba-sp"
NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)
STORY = "O motorista dirigia com pressa, e o vagão balançava."


@pytest.fixture
def site(live_portal: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(clock, "now", lambda: NOW)
    with unit_of_work(writes=True) as session:
        put_list(session)
        bring_in_orla(session, tmp_path / "orla")
        put_permit(session, plate="BRA2E19", number="2026/0001", itinerary="orla")
    return live_portal


@pytest.fixture
def phone(browser: Browser, site: str) -> Iterator[Page]:
    """A telephone whose clock is the tests', at the portal's address."""
    context = browser.new_context(
        base_url=site, locale="pt-BR", timezone_id="America/Sao_Paulo", viewport={"width": 360, "height": 640}
    )
    page = context.new_page()
    page.clock.set_fixed_time(NOW)
    yield page
    context.close()


def keep_the_town(page: Page) -> None:
    page.goto(f"{TOWN}/sem-internet")
    tap(page, "Guardar para usar sem internet")
    expect(page.get_by_text("Guardado. Abra este endereço")).to_be_visible(timeout=20_000)
    # The worker takes the page over a moment after it was registered.
    page.wait_for_function("navigator.serviceWorker.controller")


STORED = """async () => ({
  local: Object.assign({}, localStorage),
  session: Object.assign({}, sessionStorage),
  caches: (await Promise.all((await caches.keys()).map(async name => (await (await caches.open(name)).keys())
    .map(one => new URL(one.url).pathname)))).flat().sort(),
  databases: (await indexedDB.databases()).length,
  workers: (await navigator.serviceWorker.getRegistrations()).length,
})"""


def stored(page: Page) -> dict[str, Any]:
    """What this site's pages have in the browser, apart from cookies."""
    found: dict[str, Any] = page.evaluate(STORED)
    return found


class TestATownThatWasKept:
    def test_opens_at_its_addresses_and_answers_no_plate(self, phone: Page):
        keep_the_town(phone)
        kept = stored(phone)
        phone.clock.set_fixed_time(NOW + timedelta(days=2))
        phone.context.set_offline(True)

        phone.goto(f"{TOWN}/pontos/matriz")
        expect(phone.locator(".age")).to_contain_text("Guardado em 30/11/2026")
        expect(phone.locator(".age")).to_contain_text("há 2 dias")
        assert phone.locator(".age").evaluate("one => parseFloat(getComputedStyle(one).fontSize)") >= 24
        expect(phone.locator("#ponto-matriz")).to_contain_text("10:00")
        expect(phone.locator("#ponto-matriz [data-today]:visible")).to_have_count(1)
        expect(phone.locator("[data-past]")).to_be_hidden()

        phone.goto(f"{TOWN}/direitos/recreativo")
        expect(phone.locator(".age")).to_contain_text("há 2 dias")
        expect(phone.get_by_role("heading", name="O que conferir")).to_be_visible()

        phone.goto(f"{TOWN}/verificar?q=BRA2E19")
        expect(phone.get_by_text("Sem internet, a placa não foi consultada")).to_be_visible()
        assert phone.locator(".verdict").count() == 0
        for word in ("Autorizado até", "Não encontrado", "não encontramos"):
            assert word.lower() not in phone.locator("main").inner_text().lower()

        phone.clock.set_fixed_time(NOW + timedelta(days=9))
        phone.goto(f"{TOWN}/pontos")
        expect(phone.locator(".age")).to_contain_text("há 9 dias")
        expect(phone.get_by_text("Estes horários já passaram da validade")).to_be_visible()

        phone.context.set_offline(False)
        phone.goto(f"{TOWN}/verificar?q=BRA2E19")
        expect(phone.locator(".verdict")).to_be_visible()
        assert stored(phone) == kept  # and nothing of the look-up

        phone.goto(f"{TOWN}/sem-internet")
        tap(phone, "Tirar deste aparelho")
        expect(phone.get_by_text("Tirado deste aparelho.")).to_be_visible()
        assert stored(phone)["caches"] == []
        assert stored(phone)["workers"] == 0


@pytest.mark.slow
class TestAComplaint:
    def test_begun_without_internet_stays_until_it_is_sent(self, phone: Page):
        keep_the_town(phone)
        phone.context.set_offline(True)
        phone.goto(f"{TOWN}/manifestacoes/nova")
        phone.get_by_label("O que aconteceu?").select_option(label="Direção perigosa")
        phone.get_by_label("O seu relato").fill(STORY)
        expect(phone.get_by_text("Está guardado neste aparelho.")).to_be_visible()
        phone.goto(f"{TOWN}/manifestacoes/nova")  # the telephone was put away, and taken out again
        expect(phone.get_by_label("O seu relato")).to_have_value(STORY)
        tap(phone, "Continuar e enviar")
        expect(phone.get_by_label("O seu relato")).to_have_value(STORY)

        phone.context.set_offline(False)
        phone.goto(f"{TOWN}/sem-internet")
        tap(phone, "Continuar e enviar")
        asked(phone, "Qual veículo?")
        assert stored(phone)["local"] == {}
        for title in ("Qual veículo?", "Onde foi?", "Quando foi?"):
            asked(phone, title)
            tap(phone, "Não sei" if title != "Quando foi?" else "Agora")
        asked(phone, "Confira e envie")
        expect(phone.locator("main")).to_contain_text(STORY)

    def test_whose_line_is_lost_half_way_keeps_its_words_and_no_name(self, phone: Page):
        phone.goto(f"{TOWN}/manifestacoes/nova")
        tap(phone, "Direção perigosa")
        asked(phone, "Qual veículo?")
        phone.context.set_offline(True)
        phone.locator("#text").fill("vagão azul")
        tap(phone, "Continuar")
        expect(phone.get_by_text("está guardado neste aparelho")).to_be_visible()
        assert "vagão azul" in phone.evaluate("JSON.stringify(localStorage)")
        phone.context.set_offline(False)
        phone.reload()
        expect(phone.locator("#text")).to_have_value("vagão azul")
        tap(phone, "Continuar")
        asked(phone, "Onde foi?")
        assert stored(phone)["local"] == {}
        tap(phone, "Não sei")
        tap(phone, "Agora")
        asked(phone, "Confira e envie")
        phone.locator("label.choice", has=phone.locator("input[value=sealed]")).click()
        phone.get_by_label("Nome", exact=True).fill("Nome Inventado")
        phone.context.set_offline(True)
        tap(phone, "Enviar à ouvidoria")
        expect(phone.get_by_text("Sem conexão.")).to_be_visible()
        expect(phone.get_by_label("Nome", exact=True)).to_have_value("Nome Inventado")
        assert "Inventado" not in phone.evaluate(
            "JSON.stringify(localStorage) + JSON.stringify(sessionStorage)"
        )


FULL = """() => {
  for (let size = 1 << 20; size >= 1; size >>= 1)
    try { for (let turn = 0; ; turn++) localStorage.setItem(`${size} ${turn}`, "x".repeat(size)) } catch (full) {}
}"""


@pytest.mark.slow
class TestAComplaintOnTheKeptPage:
    def test_tells_the_truth_in_two_tabs_on_a_full_device_and_after_finishing(self, phone: Page):
        keep_the_town(phone)
        phone.context.set_offline(True)
        phone.goto(f"{TOWN}/manifestacoes/nova")
        other = phone.context.new_page()
        other.goto(f"{TOWN}/manifestacoes/nova")
        phone.get_by_label("O seu relato").fill(STORY)
        expect(other.get_by_label("O seu relato")).to_have_value(STORY)
        other.get_by_label("Onde foi?").fill("Na praça")
        expect(phone.get_by_label("Onde foi?")).to_have_value("Na praça")
        assert STORY in stored(phone)["local"]["complaint:caraguatatuba-sp"]
        tap(other, "Apagar deste aparelho")
        expect(phone.get_by_label("O seu relato")).to_have_value("")

        phone.evaluate(FULL)
        phone.get_by_label("O seu relato").fill(STORY)
        expect(phone.get_by_text("Não deu para guardar neste aparelho.")).to_be_visible()
        expect(phone.get_by_text("Está guardado neste aparelho.")).to_have_count(0)

        phone.context.set_offline(False)
        phone.goto("/terminar")
        tap(phone, "Terminar e limpar")
        expect(phone.get_by_role("heading", name="Pronto: nada ficou neste aparelho")).to_be_visible()
        other.reload()  # the other tab is still the worker's, which makes nothing anew
        phone.wait_for_function("caches.keys().then(names => names.length === 0)")
        assert stored(phone) == {"local": {}, "session": {}, "caches": [], "databases": 0, "workers": 0}

    def test_another_language_brings_its_words_and_buttons_along(self, phone: Page):
        keep_the_town(phone)
        phone.evaluate("""localStorage.setItem("complaint:caraguatatuba-sp", '{"story": "vagão azul"}')""")
        phone.reload()
        expect(phone.locator("#away-story")).to_have_value("vagão azul")
        phone.locator(".languages a[lang=es]").click()
        expect(phone.locator("html")).to_have_attribute("lang", "es")
        expect(phone.locator("#away-story")).to_have_value("vagão azul")
        expect(phone.locator("[data-drop]")).to_be_visible()


@pytest.mark.slow
class TestFinishing:
    def test_leaves_nothing_on_a_shared_device(self, phone: Page):
        keep_the_town(phone)
        phone.goto(f"{TOWN}/manifestacoes/nova")
        answer_with_taps(phone, until="Confira e envie")
        phone.get_by_role("link", name="Contar o que houve").click()
        phone.locator("#text").fill(STORY)
        tap(phone, "Continuar")
        tap(phone, "Enviar à ouvidoria")
        expect(phone.locator(".receipt__code")).to_be_visible()
        protocol = phone.locator(".receipt__code").inner_text()
        word = phone.locator(".key-words li").nth(3).inner_text()
        tap(phone, "Já guardei")
        assert stored(phone)["local"] == {}
        phone.get_by_role("link", name="Terminar e limpar este aparelho").first.click()
        tap(phone, "Terminar e limpar")
        expect(phone.get_by_role("heading", name="Pronto: nada ficou neste aparelho")).to_be_visible()

        assert phone.context.cookies() == []
        assert stored(phone) == {"local": {}, "session": {}, "caches": [], "databases": 0, "workers": 0}
        seen = []
        for _ in range(int(phone.evaluate("history.length")) - 1):
            phone.go_back()
            if phone.url == "about:blank":
                break
            phone.wait_for_load_state("networkidle")  # htmx asks for a part of the page's own history anew
            typed = phone.locator("textarea, input").evaluate_all("all => all.map(one => one.value)")
            seen.append(phone.url + phone.content() + str(typed))
        assert len({page.partition("<")[0] for page in seen}) > 3
        for private in (STORY, protocol, f">{word}<"):
            assert not [page for page in seen if private in page]


@pytest.mark.slow
class TestOnASlowLine:
    def test_a_complaint_is_filed_once_whoever_presses_twice(self, phone: Page, database: Engine):
        wire = phone.context.new_cdp_session(phone)
        wire.send("Network.enable")
        wire.send(
            "Network.emulateNetworkConditions",
            {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000},
        )
        phone.goto(f"{TOWN}/verificar?q=BRA2E19")
        expect(phone.locator(".verdict--authorized")).to_be_visible()
        phone.goto(f"{TOWN}/manifestacoes/nova", wait_until="commit")
        answer_with_taps(phone, until="Confira e envie")
        phone.get_by_role("button", name="Enviar à ouvidoria").dblclick()
        expect(phone.locator(".receipt__code")).to_be_visible(timeout=20_000)
        with Session(database) as session:
            assert len(session.scalars(select(ComplaintRow)).all()) == 1
