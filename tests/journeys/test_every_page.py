"""Every page there is, in a real browser: nothing that axe objects to, nothing that scrolls sideways when enlarged."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Literal

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page
from sqlalchemy import Engine
from werkzeug.exceptions import HTTPException

from portal import clock
from portal.config import settings
from portal.demo import load_demonstration
from portal.desk import create_app as create_desk
from portal.services.demonstration import Case, Subject, list_cases
from portal.services.unit_of_work import unit_of_work
from portal.web import create_app as create_portal
from tests.journeys.objections import excess, objections
from tests.journeys.sights import (
    complaint_sights,
    desk_sights,
    public_sights,
    send_plainly,
    tracking_sights,
    verdict_sights,
)

pytestmark = pytest.mark.browser

ColorScheme = Literal["light", "dark"]
NO_PAGE = re.compile(
    r"""/static/ | /vendor/ | /api/ | /favicon | /healthz | /robots | /_components   (?# for machines and developers)
    | /livez | /readyz
    | \.(csv|pdf|txt|json|ics|zip|js|webmanifest)$ | /mapa/ | /arquivos/< | /acompanhar/dados | /anexos/   (?# files)
    | /relatorios/<   (?# once the desk has published one: its own report is the same)
    | /arquivo/<   (?# by a link of a chat) | ^/mesa/entrar/   (?# where a role asks for a second factor)""",
    re.VERBOSE,
)
"""Addresses that show no page of their own."""


@pytest.fixture(autouse=True)
def cases(keys: Path, database: Engine, monkeypatch: pytest.MonkeyPatch) -> tuple[Case, ...]:
    """The demonstration, as of now, and what there is to try in it."""
    monkeypatch.setenv("DEMONSTRATION", "true")
    settings.cache_clear()
    load_demonstration(now=clock.now())
    with unit_of_work() as session:
        return list_cases(session)


@pytest.fixture
def live_components(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    monkeypatch.setenv("DEVELOPMENT", "true")
    settings.cache_clear()
    return str(request.getfixturevalue("live_portal"))


@pytest.fixture
def one_of_each(cases: tuple[Case, ...]) -> list[Case]:
    """Of vehicles one in each status, and of complaints a few."""
    statuses = {(case.subject, case.status): case for case in reversed(cases)}
    few = {"answered", "dismissed", "anonymous_dialogue", "forwarded", "registered"}
    return [
        case
        for case in cases
        if case.subject in (Subject.STAFF, Subject.ITINERARY)
        or (case.subject is Subject.VEHICLE and statuses[case.subject, case.status] is case)
        or (case.subject is Subject.COMPLAINT and case.code in few)
    ]


def citizens_sights(page: Page, portal: str, cases: Sequence[Case], *, more: bool = False) -> Iterator[str]:
    return chain(
        public_sights(page, portal, more=more),
        verdict_sights(page, portal, cases),
        complaint_sights(page, portal),
        tracking_sights(page, portal, cases),
    )


@contextmanager
def eyes(
    browser: Browser, *, width: int = 320, language: str = "pt-BR", scheme: ColorScheme = "light"
) -> Iterator[Page]:
    """A page to walk with. The policy of the sites forbids scripts of anybody else, and axe is one."""
    context = browser.new_context(
        bypass_csp=True, viewport={"width": width, "height": 640}, locale=language, color_scheme=scheme
    )
    page = context.new_page()
    send_plainly(page)
    yield page
    context.close()


def look_at(page: Page, sights: Iterator[str]) -> set[str]:
    """See that nothing is wrong with any; their addresses."""
    wrong: dict[str, list[str]] = {}
    seen = set()
    for sight in sights:
        seen.add("/" + page.url.split("?")[0].split("/", 3)[3])
        found = objections(page)
        if wider := excess(page):
            found.append(f"{wider} px wider than its window")
        if found:
            wrong[sight] = found

    assert wrong == {}
    return seen


class TestNoPageHasAnythingThatAxeObjectsToOrScrollsSideways:
    """Seen in a window of 320 px: what 1280 px are, enlarged four times."""

    @pytest.mark.slow  # test_look.py has the main pages in the quick suite
    def test_of_the_portal(self, browser: Browser, live_portal: str, one_of_each: list[Case]):
        with eyes(browser) as page:
            seen = look_at(page, citizens_sights(page, live_portal, one_of_each))
        app = create_portal()
        assert _pages_of(app) - {_rule_of(app, path) for path in seen} == set()

    @pytest.mark.slow
    def test_of_the_desk(self, browser: Browser, live_desk: str, one_of_each: list[Case]):
        with eyes(browser) as page:
            seen = look_at(page, desk_sights(page, live_desk, one_of_each))
        app = create_desk()
        assert _pages_of(app) - {_rule_of(app, path) for path in seen} == {"/"}  # which only sends on

    # Colours do not hang on the language, nor words on the colours: each is seen once more, not each with each.
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("language", "scheme", "width"), [("pt-BR", "dark", 360), ("en", "light", 320), ("es", "dark", 1280)]
    )
    def test_in_other_languages_schemes_and_windows(
        self,
        browser: Browser,
        live_portal: str,
        live_desk: str,
        cases: tuple[Case, ...],
        language: str,
        scheme: ColorScheme,
        width: int,
    ):
        with eyes(browser, width=width, language=language, scheme=scheme) as page:
            look_at(page, citizens_sights(page, live_portal, cases, more=True))
        with eyes(browser, width=width, language=language, scheme=scheme) as page:
            look_at(page, desk_sights(page, live_desk, cases))


class TestTheComponents:
    """The page that shows each in every state, to whoever develops."""

    @pytest.mark.slow
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_have_nothing_that_axe_objects_to(
        self, browser: Browser, live_components: str, scheme: ColorScheme
    ):
        with eyes(browser, scheme=scheme) as page:
            look_at(page, _at(page, live_components + "/_components"))

    @pytest.mark.slow
    def test_keep_their_borders_and_marks_where_colours_are_forced(
        self, browser: Browser, live_components: str
    ):
        context = browser.new_context(forced_colors="active", viewport={"width": 320, "height": 640})
        page = context.new_page()
        page.goto(live_components + "/_components")
        unmarked = page.evaluate(
            """[...document.querySelectorAll(".button:not(.button--quiet), .choice, .verdict__state, .notice, .tag")]
               .filter(one => getComputedStyle(one).borderStyle == "none").map(one => one.className)"""
        )
        assert unmarked == []
        context.close()


def _at(page: Page, address: str) -> Iterator[str]:
    page.goto(address)
    yield address


def _pages_of(app: Flask) -> set[str]:
    return {
        rule.rule
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not NO_PAGE.search(rule.rule)
    }


def _rule_of(app: Flask, path: str) -> str | None:
    try:
        rule, _values = app.url_map.bind("").match(path, method="GET", return_rule=True)
    except HTTPException:
        return None
    return rule.rule
