"""What a citizen does with the portal, in a real browser."""

import pytest
from playwright.sync_api import Page, expect

from portal import clock
from portal.demo import load_demonstration
from tests.journeys.pages import DeskPage, HomePage, ReceiptPage, TrackingPage

pytestmark = pytest.mark.browser

STORY = "O trenzinho saiu com gente em pé no último vagão."
ANSWER = "A equipe foi ao ponto e orientou a empresa. Obrigado por avisar."


@pytest.fixture
def demonstration(keys, database):
    """The demonstration's register, itineraries, complaints and staff, as of now."""
    load_demonstration(now=clock.now())


class TestFromTheKerbToTheAnswer:
    """Verify, see the itinerary and the stop, complain; the desk answers; the citizen reads it."""

    def test_in_a_browser_as_most_people_have(self, demonstration, page, live_portal, live_desk):
        walk(page, live_portal, live_desk)

    @pytest.mark.browser_context_args(java_script_enabled=False)
    def test_without_javascript(self, demonstration, page, live_portal, live_desk):
        walk(page, live_portal, live_desk)


def walk(page: Page, portal: str, desk: str) -> None:
    receipt = complain(page, portal)
    protocol, access_key = receipt.protocol, receipt.access_key

    DeskPage(page, desk).sign_in("ouvidoria", "demonstracao").open_case(protocol).answer(ANSWER)

    TrackingPage(page, portal).open(protocol, access_key)
    expect(page.locator("main")).to_contain_text(ANSWER)


def complain(page: Page, portal: str) -> ReceiptPage:
    verdict = HomePage(page, portal).look_up("zza-1a11")
    expect(verdict.card).to_contain_text("Autorizado")

    stop = verdict.see_itinerary().see_stop("Praia Martim de Sá")
    expect(stop.departures.first).to_be_visible()

    complaint = HomePage(page, portal).look_up("ZZA1A11").tell_the_ombudsman()
    complaint.choose("Veículo lotado").keep_the_vehicle().choose("Praia Martim de Sá").choose("Agora")
    receipt = complaint.write(STORY).without_photos().confirm().send_anonymously()
    expect(page.locator(".receipt__code")).to_be_visible()
    return receipt
