"""Home, verdict and stop on a thin line: few bytes, few requests, nothing that jumps, and no script to wait for."""

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from portal import clock
from portal.services.unit_of_work import unit_of_work
from tests.factories.feeds import bring_in_orla
from tests.factories.permits import put_list, put_permit

pytestmark = pytest.mark.browser

HOME, VERDICT, STOP = "/", "/caraguatatuba-sp/verificar?q=BRA2E19", "/caraguatatuba-sp/pontos/matriz"
MOST = 40_000
"""Bytes of a first visit: page, style and script as they are sent, headers and all."""

SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => list.getEntries().forEach(one => {
  const moved = one.sources.map(from => String(from.node && from.node.outerHTML).slice(0, 80));
  if (!one.hadRecentInput) window.shifts.push([one.value, moved]);
})).observe({type: "layout-shift", buffered: true});
"""


@pytest.fixture
def site(live_portal: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The portal with a vehicle in order and a stop from which something leaves."""
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 30, 15, tzinfo=UTC))
    with unit_of_work(writes=True) as session:
        put_list(session)
        bring_in_orla(session, tmp_path / "orla")
        put_permit(session, plate="BRA2E19", number="2026/0001", itinerary="orla")
    return live_portal


class Line:
    """Counts what a page fetches, as it comes over the wire."""

    def __init__(self, page: Page) -> None:
        self.kinds: dict[str, str] = {}
        self.sizes: dict[str, int] = {}
        wire = page.context.new_cdp_session(page)
        wire.send("Network.enable")
        wire.on(
            "Network.requestWillBeSent", lambda told: self.kinds.update({told["requestId"]: told["type"]})
        )
        wire.on(
            "Network.loadingFinished",
            lambda told: self.sizes.update({told["requestId"]: told["encodedDataLength"]}),
        )

    @property
    def fetched(self) -> Counter[str]:
        """Requests by their kind: Document, Stylesheet, Script, Font …"""
        return Counter(self.kinds.values())

    @property
    def bytes(self) -> int:
        return int(sum(self.sizes.values()))


class TestAFirstVisit:
    def test_is_one_page_one_style_one_script_and_nothing_jumps(self, browser, site: str):
        for path, width in ((HOME, 360), (VERDICT, 360), (STOP, 360), (STOP, 1280)):
            page = browser.new_page(
                viewport={"width": width, "height": 640}, timezone_id="America/Sao_Paulo", locale="pt-BR"
            )
            page.add_init_script(SHIFTS)
            line = Line(page)
            page.goto(site + path, wait_until="networkidle")
            drawn = [
                line.fetched[kind] for kind in ("Document", "Stylesheet", "Script", "Font", "XHR", "Fetch")
            ]
            assert drawn == [1, 1, 1, 0, 0, 0], (path, line.kinds)
            assert 10_000 < line.bytes < MOST, path
            assert page.evaluate("shifts") == [], (path, width)
            page.close()


class TestBeforeTheScriptHasCome:
    """The script is still on its way, and whoever is in a hurry has pressed already."""

    def test_a_look_up_and_a_complaint_go_on(self, page: Page, site: str):
        page.route("**/*.js", lambda _route: None)  # never answered
        page.goto(site + HOME, wait_until="commit")
        page.get_by_role("searchbox").fill("bra 2e19")
        page.get_by_role("button", name="Consultar").click(no_wait_after=True)
        expect(page.locator(".verdict--authorized")).to_be_visible()
        page.locator(".verdict__actions >> text=ouvidoria").first.click(no_wait_after=True)
        expect(page.get_by_role("heading", name="O que aconteceu?")).to_be_visible()
