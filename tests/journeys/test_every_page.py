"""Every page there is, in a real browser: nothing that axe objects to, nothing that scrolls sideways when enlarged."""

import re
from collections.abc import Iterator, Sequence
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
    | \.(csv|pdf|txt|json|ics|zip)$ | /mapa/ | /arquivos/< | /acompanhar/dados | /anexos/   (?# files)
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


def every_sight(
    page: Page, portal: str, desk: str, cases: Sequence[Case], *, more: bool = False
) -> Iterator[str]:
    return chain(
        public_sights(page, portal, more=more),
        verdict_sights(page, portal, cases),
        complaint_sights(page, portal),
        tracking_sights(page, portal, cases),
        desk_sights(page, desk, cases),
    )


def walk(
    browser: Browser,
    portal: str,
    desk: str,
    cases: Sequence[Case],
    *,
    language: str = "pt-BR",
    scheme: ColorScheme = "light",
    more: bool = False,
) -> set[str]:
    """Look at every page; the paths that were seen. The policy forbids scripts of anybody else, and axe is one."""
    context = browser.new_context(
        bypass_csp=True, viewport={"width": 360, "height": 640}, locale=language, color_scheme=scheme
    )
    page = context.new_page()
    send_plainly(page)
    wrong: dict[str, list[str]] = {}
    paths = set()
    for sight in every_sight(page, portal, desk, cases, more=more):
        paths.add(page.url.split("?")[0].removeprefix(portal).removeprefix(desk))
        found = objections(page)
        if wider := excess(page):
            found.append(f"{wider} px wider than 320")
        if found:
            wrong[sight] = found
    context.close()

    assert wrong == {}
    return paths


def test_no_page_has_anything_that_axe_objects_to_or_scrolls_sideways(
    browser: Browser, live_portal: str, live_desk: str, one_of_each: list[Case]
):
    seen = walk(browser, live_portal, live_desk, one_of_each)

    apps = [create_portal(), create_desk()]
    unseen = {rule for app in apps for rule in _pages_of(app)}
    assert unseen - {_rule_of(app, path) for app in apps for path in seen} == set()


# Colours do not hang on the language, nor words on the colours: each is seen once more, not each with each.
@pytest.mark.slow
@pytest.mark.parametrize(("language", "scheme"), [("pt-BR", "dark"), ("en", "light"), ("es", "dark")])
def test_in_every_language_and_scheme(
    browser: Browser,
    live_portal: str,
    live_desk: str,
    cases: tuple[Case, ...],
    language: str,
    scheme: ColorScheme,
):
    walk(browser, live_portal, live_desk, cases, language=language, scheme=scheme, more=True)


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
