"""What a citizen does with the portal, in a real browser."""

import pytest
from playwright.sync_api import Page, expect

from portal import clock
from portal.demo import load_demonstration
from tests.journeys.pages import ComplaintPage, DeskPage, HomePage, ReceiptPage, TrackingPage

pytestmark = pytest.mark.browser

STORY = "O trenzinho saiu com gente em pé no último vagão."
ANSWER = "A equipe foi ao ponto e orientou a empresa. Obrigado por avisar."
SECOND_ANSWER = "O vagão voltou depois de uma vistoria."


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


class Taps:
    """Counts what a finger does, and what a keyboard types, on a page."""

    def __init__(self, page: Page) -> None:
        page.add_init_script(
            """
            const count = what => { sessionStorage[what] = Number(sessionStorage[what] || 0) + 1 };
            addEventListener("click", event => { if (event.isTrusted && event.detail) count("taps") }, true);
            addEventListener("keydown", () => count("keys"), true);
            """
        )
        self.page = page

    def begin(self) -> None:
        self.page.evaluate("sessionStorage.taps = sessionStorage.keys = 0")

    @property
    def counted(self) -> tuple[int, int]:
        """Taps and keys since ``begin``."""
        taps, keys = self.page.evaluate(
            "[Number(sessionStorage.taps || 0), Number(sessionStorage.keys || 0)]"
        )
        return taps, keys


class TestTheFewestTaps:
    """A code leads to the verdict itself, a typed plate with one tap; a complaint takes four and the one that sends."""

    def test_of_a_code_and_of_a_typed_plate(self, demonstration, page, live_portal):
        taps = Taps(page)
        page.goto(f"{live_portal}/caraguatatuba-sp/verificar?q=ZZA1A11")  # what the sticker says
        expect(page.locator(".verdict__word")).to_be_visible()
        assert taps.counted == (0, 0)

        page.goto(live_portal)
        taps.begin()
        page.locator("main input[name=q]").click()  # 1
        page.keyboard.type("ZZA1A11\n")
        expect(page.locator(".verdict__word")).to_be_visible()
        assert taps.counted == (1, len("ZZA1A11\n"))

    def test_from_a_verdict(self, demonstration, page, live_portal):
        taps = Taps(page)
        verdict = HomePage(page, live_portal).look_up("ZZA1A11")
        expect(verdict.card).to_be_visible()
        taps.begin()
        complaint = verdict.tell_the_ombudsman()  # 1
        complaint.choose("Veículo lotado").choose("Praia Martim de Sá").choose("Agora")  # 2, 3, 4
        expect(page.get_by_role("heading", name="Confira e envie")).to_be_visible()
        assert taps.counted == (4, 0)
        complaint.send_anonymously()
        expect(page.locator(".receipt__code")).to_be_visible()
        assert taps.counted == (5, 0)

    def test_from_a_stop(self, demonstration, page, live_portal):
        taps = Taps(page)
        page.goto(f"{live_portal}/caraguatatuba-sp/pontos/martim-de-sa")
        taps.begin()
        page.get_by_role("link", name="Algo errado neste ponto? Avise a ouvidoria").or_(
            page.get_by_role("button", name="Algo errado neste ponto? Avise a ouvidoria")
        ).click()  # 1
        complaint = ComplaintPage(page).choose("Veículo lotado").choose("Não sei").choose("Agora")  # 2, 3, 4
        expect(page.get_by_role("heading", name="Confira e envie")).to_be_visible()
        assert taps.counted == (4, 0)
        complaint.send_anonymously()
        expect(page.locator(".receipt__code")).to_be_visible()
        assert taps.counted == (5, 0)


def walk(page: Page, portal: str, desk: str) -> None:
    """To the end: asked and replied, answered, contested, answered again, rated."""
    receipt = complain(page, portal)
    protocol, access_key = receipt.protocol, receipt.access_key
    ombudsman = DeskPage(page, desk).sign_in("ouvidoria", "demonstracao").open_case(protocol)
    ombudsman.ask("Foi na ida ou na volta?")
    expect(page.locator("main")).to_contain_text("Espera a pessoa")

    citizen = TrackingPage(page, portal).open(protocol, access_key)
    expect(page.locator("main")).to_contain_text("A ouvidoria fez uma pergunta")
    citizen.write("Na volta.")
    expect(page.locator("main")).to_contain_text("A ouvidoria está analisando. A resposta vem até")

    ombudsman.open_case(protocol).answer(ANSWER)
    citizen.look()
    expect(page.locator("main")).to_contain_text(ANSWER)
    citizen.ask_for_a_review("Falta dizer se o veículo voltou a rodar.")
    expect(page.locator("main")).to_contain_text("A revisão foi pedida. A resposta vem até")

    ombudsman.open_case(protocol).answer(SECOND_ANSWER)
    citizen.look()
    expect(page.locator("main")).to_contain_text(SECOND_ANSWER)
    expect(page.locator("main")).to_contain_text("A manifestação se encerra depois de")
    for word in ("Não resolveu", "Resolveu"):
        citizen.rate(word)
        expect(page.get_by_role("button", name=word, exact=True)).to_have_attribute("aria-pressed", "true")


def complain(page: Page, portal: str) -> ReceiptPage:
    verdict = HomePage(page, portal).look_up("zza-1a11")
    expect(verdict.card).to_contain_text("Autorizado")

    stop = verdict.see_itinerary().see_stop("Praia Martim de Sá")
    expect(stop.departures.first).to_be_visible()

    complaint = HomePage(page, portal).look_up("ZZA1A11").tell_the_ombudsman()
    complaint.choose("Veículo lotado").choose("Praia Martim de Sá").choose("Agora")
    receipt = complaint.tell(STORY).send_anonymously()
    expect(page.locator(".receipt__code")).to_be_visible()
    return receipt
