"""A passenger reads the code on board by the camera, and says that the plate in front is another one."""

from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect

from portal import clock
from portal.services.unit_of_work import unit_of_work
from tests.factories.cards import TOWN, put_card, token_of
from tests.factories.permits import put_list, put_permit

pytestmark = pytest.mark.browser
NOW = datetime(2026, 11, 30, 15, 0, tzinfo=UTC)

# The browser of the tests has no detector and no camera: what a telephone's would see.
SEES = """
window.BarcodeDetector = class {
  static getSupportedFormats() { return Promise.resolve(["qr_code"]); }
  detect() { return Promise.resolve([{ rawValue: "CODE" }]); }
};
navigator.mediaDevices.getUserMedia = () => Promise.resolve(document.createElement("canvas").captureStream());
HTMLMediaElement.prototype.play = () => Promise.resolve();
"""


def test_from_the_code_on_board_to_the_ombudsman(live_portal: str, keys, page: Page, monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: NOW)
    with unit_of_work(writes=True) as session:
        put_list(session)
        put_permit(session, number="2026/0001", plate="BRA1D23")
    token = token_of(put_card("2026/0001", now=NOW), keys / "card_private_keys.json")
    page.add_init_script(SEES.replace("CODE", f"HTTP://127.0.0.1:8000/V/{token}"))

    page.goto(live_portal)
    page.get_by_role("link", name="Ler o código").click()
    page.get_by_role("button", name="Usar a câmera").click()

    expect(page).to_have_url(f"{live_portal}/v/{token}")
    expect(page.get_by_role("heading", name="Autorizado").first).to_be_visible()
    plate = page.locator(".plate--large").bounding_box()
    assert plate is not None
    assert plate["width"] > 200  # read at arm's length on a screen of 360
    assert page.evaluate("document.documentElement.scrollWidth") <= 360

    page.get_by_role("link", name="Não é esta a placa").click()
    expect(page.get_by_role("heading", name="O adesivo parece trocado")).to_be_visible()
    page.get_by_role("button", name="Avisar a ouvidoria").click()
    expect(page).to_have_url(f"{live_portal}/{TOWN}/manifestacoes/nova?pergunta=what")
