"""The pictures of the README, from the running demonstration: ``make screenshots`` while ``make run`` serves."""

from pathlib import Path

import click
from playwright.sync_api import Browser, Page, sync_playwright

from tests.journeys.pages import DeskPage, HomePage
from tests.tools.screenshots import CHROMIUM, FLAGS

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"


@click.command()
@click.argument("portal", default="http://127.0.0.1:8000")
@click.argument("desk", default="http://127.0.0.1:8001")
def shoot(portal: str, desk: str) -> None:
    """Shoot the portal on a phone and the desk on a screen."""
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        _phone(browser, portal)
        _desk(browser, desk)
        browser.close()


def _phone(browser: Browser, portal: str) -> None:
    page = _page(browser, 360, 780)
    page.goto(portal)
    _keep(page, "home-360")
    verdict = HomePage(page, portal).look_up("ZZB2A21")
    _keep(page, "verify-barred-360")
    verdict = HomePage(page, portal).look_up("ZZA1A11")
    _keep(page, "verify-360")
    verdict.see_itinerary()
    _keep(page, "itinerary-360")
    complaint = HomePage(page, portal).look_up("ZZA1A11").tell_the_ombudsman()
    _keep(page, "complaint-360")
    complaint.choose("Veículo lotado").choose("Praia Martim de Sá").choose("Agora")
    complaint.tell("Havia gente em pé no último vagão.")
    complaint.send_anonymously()
    page.locator(".receipt__code").wait_for()
    _keep(page, "receipt-360")
    page.goto(f"{portal}/demonstracao")
    page.locator('form[action*="acompanhar"] button').nth(4).click()  # the one that was answered
    page.locator(".timeline").wait_for()
    _keep(page, "tracking-360")
    page.goto(f"{portal}/caraguatatuba-sp/verificar?q=ZZA1A11&lang=en")
    _keep(page, "verify-en-360")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{portal}/caraguatatuba-sp/verificar?q=ZZB2A21&lang=es")
    _keep(page, "verify-es-1280")


def _desk(browser: Browser, desk: str) -> None:
    page = _page(browser, 1280, 800)
    DeskPage(page, desk).sign_in("ouvidoria", "demonstracao")
    page.locator("table").wait_for()
    _keep(page, "desk-list-1280")
    page.locator("table a").first.click()
    page.locator(".case-head").wait_for()
    _keep(page, "desk-1280")
    page.set_viewport_size({"width": 360, "height": 780})
    _keep(page, "desk-360")


def _page(browser: Browser, width: int, height: int) -> Page:
    return browser.new_context(
        viewport={"width": width, "height": height}, locale="pt-BR", timezone_id="America/Sao_Paulo"
    ).new_page()


def _keep(page: Page, name: str) -> None:
    page.wait_for_load_state("networkidle")
    page.screenshot(path=FOLDER / f"{name}.png")
    click.echo(FOLDER / f"{name}.png")


if __name__ == "__main__":
    shoot()
