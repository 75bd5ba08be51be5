"""A complaint in a real browser: the fewest taps, no script, another language half-way."""

import re
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from portal import clock
from portal.domain.complaints import Identity, IdentityMode
from portal.services.complaints import filing, intake
from portal.services.unit_of_work import unit_of_work
from portal.storage.complaints import ComplaintRow

pytestmark = pytest.mark.browser

NEW = "/caraguatatuba-sp/manifestacoes/nova"


def a_photo() -> dict[str, str | bytes]:
    out = BytesIO()
    Image.new("RGB", (40, 30), "navy").save(out, "JPEG")
    return {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": out.getvalue()}


def tap(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def asked(page: Page, title: str) -> None:
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()


TAPS = {
    "O que aconteceu?": "Direção perigosa", "Qual veículo?": "Não sei", "Onde foi?": "Não sei",
    "Quando foi?": "Agora", "Confira e envie": "Enviar à ouvidoria",
}  # fmt: skip


def answer_with_taps(page: Page, *, until: str | None = None) -> int:
    """From the first question to the one titled ``until``, or to the receipt; how many taps it took."""
    for number, (title, button) in enumerate(TAPS.items()):
        asked(page, title)
        if title == until:
            return number
        tap(page, button)
    return len(TAPS)


def follow(page: Page, live_portal: str, protocol: str, key: str) -> None:
    page.goto(f"{live_portal}/acompanhar")
    page.get_by_label("Protocolo").fill(protocol)
    page.get_by_label("Chave de acesso").fill(key)
    page.locator("main").get_by_role("button", name="Acompanhar").click()


class TestComplaining:
    def test_with_taps_alone_and_being_heard(self, page: Page, live_portal: str):
        page.goto(live_portal + NEW)
        assert answer_with_taps(page) == 5
        protocol = page.locator(".receipt__code").inner_text()
        key = " ".join(page.locator(".key-words li").all_inner_texts())
        tap(page, "Já guardei")
        expect(page.locator(".key-words")).to_have_count(0)

        follow(page, live_portal, protocol.lower(), key.upper())

        expect(page.get_by_text("Andamento")).to_be_visible()
        page.get_by_label("Mensagem").fill("Lembrei: era azul.")
        tap(page, "Enviar mensagem")
        expect(page.get_by_text("Lembrei: era azul.")).to_be_visible()

    def test_without_scripts(self, browser: Browser, live_portal: str):
        page = browser.new_context(java_script_enabled=False, locale="pt-BR").new_page()
        page.goto(live_portal + NEW)
        answer_with_taps(page)
        expect(page.locator(".receipt__code")).to_have_text(re.compile(r"\w{4}-\w{4}-\w{4}"))

    def test_a_double_click_on_send_files_once(self, page: Page, live_portal: str, database: Engine):
        page.goto(live_portal + NEW)
        answer_with_taps(page, until="Confira e envie")
        page.get_by_role("button", name="Enviar à ouvidoria").dblclick()
        expect(page.locator(".receipt__code")).to_be_visible()
        with Session(database) as session:
            assert len(session.scalars(select(ComplaintRow)).all()) == 1

    @pytest.mark.parametrize("after", ["Escape", "a while"])
    def test_a_sending_that_was_stopped_is_sent_by_a_second_press(
        self, page: Page, live_portal: str, after: str
    ):
        page.clock.install()
        page.goto(live_portal + NEW)
        answer_with_taps(page, until="Confira e envie")
        page.route("**/manifestacoes/nova*", lambda route: route.abort("aborted"), times=1)
        with page.expect_event("requestfailed"):
            tap(page, "Enviar à ouvidoria")
        asked(page, "Confira e envie")
        if after == "Escape":
            page.keyboard.press("Escape")
        else:
            page.clock.fast_forward(6_000)
        tap(page, "Enviar à ouvidoria")
        expect(page.locator(".receipt__code")).to_be_visible()

    def test_going_back_and_forward_shows_whole_pages(self, page: Page, live_portal: str):
        page.goto(live_portal + NEW)
        tap(page, "Direção perigosa")
        asked(page, "Qual veículo?")
        tap(page, "Não sei")
        asked(page, "Onde foi?")
        page.go_back()
        asked(page, "Qual veículo?")
        expect(page.locator("header.site-header")).to_be_visible()
        page.go_forward()
        asked(page, "Onde foi?")
        page.reload()
        asked(page, "Onde foi?")

    def test_what_is_wrong_is_told_where_the_person_is(self, page: Page, live_portal: str):
        page.goto(live_portal + NEW)
        tap(page, "Direção perigosa")
        tap(page, "Continuar")
        expect(page.locator(".error-summary")).to_be_focused()
        asked(page, "Qual veículo?")


class TestAnotherLanguageHalfWay:
    @pytest.mark.parametrize("scripts", [True, False])
    def test_keeps_the_words_and_the_photo(self, browser: Browser, live_portal: str, scripts: bool):
        page = browser.new_context(java_script_enabled=scripts, locale="pt-BR").new_page()
        page.goto(live_portal + NEW)
        answer_with_taps(page, until="Confira e envie")
        page.get_by_role("link", name="Contar o que houve").click()
        page.locator("#text").fill("metade de um relato")
        self.switch(page, "English", scripts)
        expect(page.locator("html")).to_have_attribute("lang", "en")
        expect(page.locator("#text")).to_have_value("metade de um relato")
        page.locator("form[data-keep] button:not([name])").click()
        page.locator("a[href*='pergunta=photos']").click()
        page.locator("#photos").set_input_files(a_photo())
        self.switch(page, "Español", scripts)
        expect(page.locator("html")).to_have_attribute("lang", "es")
        if scripts:  # it stays chosen; without a script it has to be sent along not to be lost
            assert chosen(page) == ["a.jpg"]
        else:
            expect(page.get_by_text("a.jpg").first).to_be_visible()

    def test_says_again_what_is_wrong(self, page: Page, live_portal: str):
        page.goto(live_portal + NEW)
        tap(page, "Direção perigosa")
        tap(page, "Continuar")
        expect(page.locator(".error-summary")).to_be_focused()
        self.switch(page, "English", True)
        expect(page.locator(".error-summary")).to_be_focused()
        expect(page.locator(".error-summary")).to_contain_text("I don’t know")

    def test_keeps_every_form_of_a_case_and_the_files_chosen(self, page: Page, live_portal: str):
        protocol, key = filed()
        page.goto(f"{live_portal}/acompanhar?protocolo={protocol}")
        page.locator("#access_key").fill(key)
        page.locator("#protocol").fill(protocol)
        self.switch(page, "Español", True)
        expect(page.locator("html")).to_have_attribute("lang", "es")
        expect(page.locator("#access_key")).to_have_value(key)
        page.locator("#case form button").click()
        page.locator("#text").fill("Era a placa")
        page.locator("#photos").set_input_files(a_photo())
        page.locator("details:has(#reason) > summary").click()
        page.locator("#reason").fill("já resolvido")
        self.switch(page, "English", True)
        expect(page.locator("html")).to_have_attribute("lang", "en")
        expect(page.locator("#text")).to_have_value("Era a placa")
        expect(page.locator("#reason")).to_have_value("já resolvido")
        assert chosen(page) == ["a.jpg"]

    def switch(self, page: Page, name: str, scripts: bool) -> None:
        if scripts:
            page.locator(".languages").get_by_role("link", name=name).click()
        else:
            page.locator("form[data-keep]").get_by_role("button", name=name).click()


def chosen(page: Page) -> list[str]:
    return list(page.locator("#photos").evaluate("field => Array.from(field.files, file => file.name)"))


def filed() -> tuple[str, str]:
    """Protocol and key of a complaint filed without a page."""
    with unit_of_work(writes=True) as session:
        now = clock.now()
        draft = intake.start_draft(
            session,
            municipality="caraguatatuba-sp",
            channel="web",
            language="pt_BR",
            now=now,
            prefill={"what": "other_problem", "photos": "done"},
        )
        for each in ("vehicle", "where", "when", "story"):
            draft = intake.skip(session, draft.token, each, now=now)
        receipt = filing.file_complaint(session, draft.token, Identity(IdentityMode.ANONYMOUS), now=now)
        return receipt.protocol, receipt.access_key or ""
