"""The verdict on a small phone, in every status: what is seen before anything is scrolled, how large, in what order."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page
from sqlalchemy import Engine

from portal import clock
from portal.config import settings
from portal.demo import load_demonstration
from portal.domain.colours import contrast
from portal.services.demonstration import Case, Subject, list_cases
from portal.services.unit_of_work import unit_of_work

pytestmark = pytest.mark.browser

NO_STOPS = {
    "person",
    "two_permits",
    "last_day_today",
    "last_day_yesterday",
    "twin_plate",
    "person_not_in_force",
}
"""Cars that are called by an application: there is no stop to point to."""
NO_STOPS_IN_TOWN = {"late_list", "not_regulated"}


@pytest.fixture
def vehicles(keys: Path, database: Engine, monkeypatch: pytest.MonkeyPatch) -> list[Case]:
    """Those of the demonstration, whose band takes some of the view too."""
    monkeypatch.setenv("DEMONSTRATION", "true")
    settings.cache_clear()
    load_demonstration(now=clock.now())
    with unit_of_work() as session:
        return [case for case in list_cases(session) if case.subject is Subject.VEHICLE]


def test_what_matters_stands_in_the_first_view_large_and_clear(
    vehicles: list[Case], live_portal: str, page: Page
):
    wrong = []
    for case in vehicles:
        page.goto(f"{live_portal}/{case.municipality}/verificar?q={case.query}")
        card = page.locator("article.verdict").first
        needed = {
            "word": card.locator(".verdict__word"),
            "plate": card.locator(".verdict__plate .plate"),
            "is it this plate?": card.locator(".verdict__plate p").first,
            "day": card.locator(".verdict__day"),
            "ombudsman": card.get_by_role("button", name=re.compile("ouvidoria")),
        }
        if case.code not in NO_STOPS | NO_STOPS_IN_TOWN:
            needed["stops"] = card.get_by_role("link", name=re.compile("roteiro"))
        wrong += [
            f"{case.code}: {what} ends at {bottom}"
            for what, part in needed.items()
            if (bottom := _bottom(part)) > 640
        ]
        for part in (".verdict__word", ".plate__text"):
            size, ratio = _size_and_contrast(card.locator(part).first)
            if size < 28 or ratio < 7:
                wrong.append(f"{case.code}: {part} is {size} px, {ratio:.1f} to 1")

    assert wrong == []


def test_a_plate_that_no_town_knows_is_answered_in_one_view_too(
    vehicles: list[Case], live_portal: str, page: Page
):
    page.goto(f"{live_portal}/verificar?q=ZZX0A00")
    card = page.locator("article.verdict")

    for part in (
        card.locator(".verdict__word"),
        card.locator(".plate"),
        card.locator(".verdict__day"),
        card.get_by_role("link", name="Ver pontos e roteiros autorizados"),
        card.get_by_role("button", name="Caraguatatuba"),
    ):
        assert _bottom(part) <= 640


def test_is_read_state_first_then_proof_then_what_to_do(vehicles: list[Case], live_portal: str, page: Page):
    page.goto(f"{live_portal}/caraguatatuba-sp/verificar?q=ZZB2A21")
    read = page.locator("article.verdict").aria_snapshot()

    order = [
        'heading "Reprovado em vistoria" [level=2]',
        "foi reprovado em vistoria em",
        "É esta a placa à sua frente?",
        "placa Z Z B 2 A 2 1",
        "Situação em",
        'link "Ver pontos e roteiros autorizados"',
        'button "Avisar a ouvidoria"',
        "Cadastro municipal, lista de",
        "Na dúvida, não embarque",
        "Veículos da combinação",
        "placa Z Z B 2 C 2 3",
        "Autorização 2026/0002",
    ]
    places = [read.find(part) for part in order]
    assert -1 not in places, read
    assert places == sorted(places)
    assert page.locator(".plate__text").first.get_attribute("aria-hidden") == "true"


def _bottom(part: Locator) -> float:
    box = part.bounding_box()
    assert box, part
    return box["y"] + box["height"]


def _size_and_contrast(part: Locator) -> tuple[float, float]:
    """Of words: their size in pixels, and how far they stand out from the ground they are on."""
    size, colour, ground = part.evaluate(
        """one => {
          const hex = css => "#" + css.match(/\\d+/g).slice(0, 3).map(n => (+n).toString(16).padStart(2, "0")).join("")
          let under = one
          while (getComputedStyle(under).backgroundColor === "rgba(0, 0, 0, 0)") under = under.parentElement
          const style = getComputedStyle(one)
          return [parseFloat(style.fontSize), hex(style.color), hex(getComputedStyle(under).backgroundColor)]
        }"""
    )
    return float(size), contrast(colour, ground)
