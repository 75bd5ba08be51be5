"""The smallest screen, the keyboard alone, and the Back button of a tourist."""

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import Engine

from tests.journeys.test_complaint import NEW, TAPS, a_photo, answer_with_taps, asked, tap

pytestmark = pytest.mark.browser


def fits(page: Page) -> bool:
    """Whether nothing makes the page wider than the screen."""
    return bool(page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"))


class TestAtThreeHundredAndTwentyPixels:
    def test_no_word_however_long_makes_the_page_scroll_sideways(self, page: Page, live_portal: str):
        page.set_viewport_size({"width": 320, "height": 640})
        page.goto(f"{live_portal}/verificar?q={'W' * 190}")
        assert fits(page)
        page.goto(live_portal + NEW)
        answer_with_taps(page, until="Qual veículo?")
        page.locator("#text").fill("V" * 300)
        tap(page, "Continuar")
        asked(page, "Onde foi?")
        page.locator("#text").fill("P" * 300)
        tap(page, "Continuar")
        tap(page, "Agora")
        page.get_by_role("link", name="Contar o que houve").click()
        page.locator("#text").fill("w" * 600 + " http://x.example/" + "z" * 900 + "\n" * 300 + "fim")
        tap(page, "Continuar")
        page.get_by_role("link", name="Juntar arquivos").click()
        broken = {"name": "foto" * 30 + ".jpg", "mimeType": "image/jpeg", "buffer": b"nada"}
        page.locator("#photos").set_input_files([a_photo(), broken])
        tap(page, "Guardar e escolher mais")
        expect(page.locator(".error-summary")).to_be_visible()
        assert fits(page)
        tap(page, "Continuar")
        asked(page, "Confira e envie")
        assert fits(page)


class TestWithTheKeyboardAlone:
    def test_from_the_first_question_to_the_protocol(self, page: Page, live_portal: str):
        page.goto(live_portal + NEW)
        for title, name in TAPS.items():
            asked(page, title)
            button = page.get_by_role("button", name=name, exact=True).element_handle()
            for _ in range(80):
                page.keyboard.press("Tab")
                if page.evaluate("one => one === document.activeElement", button):
                    break
            page.keyboard.press("Enter")
        expect(page.locator(".receipt__code")).to_be_visible()


class TestTheBackButton:
    def test_shows_a_whole_page_where_the_language_stands_in_the_address(
        self, page: Page, live_portal: str, database: Engine
    ):
        page.goto(f"{live_portal}/caraguatatuba-sp/verificar?lang=en")
        box = page.locator("#q")
        for plate in ("BRA2E19", "BRA2E20"):
            box.fill(plate)
            box.press("Enter")
            page.wait_for_url(f"**q={plate}**")
            expect(page.locator("#answer")).to_contain_text(plate)
        page.go_back()
        expect(page.locator("#answer")).to_contain_text("BRA2E19")
        expect(page.locator("header.site-header")).to_be_visible()


class TestChoosingHowToSend:
    def test_a_label_chooses_and_going_to_and_fro_keeps_the_safe_choice(self, page: Page, live_portal: str):
        page.goto(live_portal + NEW)
        answer_with_taps(page, until="Confira e envie")
        expect(page.locator("input[name=option][value=anonymous]")).to_be_checked()
        page.locator("label.choice", has=page.locator("input[value=sealed]")).click()
        expect(page.locator("input[name=option][value=sealed]")).to_be_checked()
        page.get_by_text("Nome", exact=True).click()
        expect(page.locator("input[name=option][value=sealed]")).to_be_checked()
        page.get_by_label("Nome", exact=True).fill("Nome Inventado")
        page.locator("summary", has=page.locator("#kind")).click()
        tap(page, "Sugestão")
        expect(page.locator("#kind-now")).to_have_text("Sugestão")
        expect(page.locator("input[name=option][value=sealed]")).to_be_checked()
        expect(page.get_by_label("Nome", exact=True)).to_have_value("Nome Inventado")
        page.go_back()
        page.go_forward()
        asked(page, "Confira e envie")
        expect(page.locator("input[name=option][value=open]")).not_to_be_checked()
