"""What every route of both sites keeps to: reading writes nothing, and no other site posts in a person's name."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from sqlalchemy import Engine, event
from werkzeug.routing import Rule

import portal.clock
from portal.domain.complaints import Identity, IdentityMode
from portal.services.complaints import filing, intake, tracking
from portal.services.unit_of_work import unit_of_work
from tests.factories.complaints import put_complaint
from tests.factories.feeds import bring_in_orla
from tests.factories.permits import put_list, put_permit
from tests.portal.desk.conftest import NOW, TOWN

GAPS = {
    "act": "1",
    "category": "noise",
    "code": "orla",
    "column": "1531",
    "entry": "1",
    "instrument": "caraguatatuba-sp_transporte-recreativo_decreto-2025",
    "library": "htmx",
    "matter": "inspection",
    "municipality": TOWN,
    "name": "site.css",
    "number": "1",
    "path": "htmx.min.js",
    "permit": "1",
    "permit_type": "recreational",
    "protocol": "7K3M-9QXT-4B2C",
    "release": "2.0.3.1",
    "row": "2322",
    "run": "1",
    "service": "recreativo",
    "step": "analise",
    "table": "itinerarios",
    "token": "a-token",
    "vehicle_type": "recreational",
    "what": "appeal",
    "year": "2030",
    "zoom": "12",
}
"""What stands in the gaps of an address; who adds a gap adds its example here."""
OF_ENDPOINT = {
    "itineraries.departures_json": {"stop": "matriz"},
    "itineraries.stop": {"code": "matriz"},
    "take_along.departure": {"code": "matriz", "itinerario": "orla", "em": "2026-01-01T12:00"},
    "take_along.sign": {"code": "matriz"},
    "take_along.stop_on_map": {"code": "matriz"},
    "tourist.stop": {"code": "matriz"},
    "api.fine": {"code": "I-01"},
    "api.requirement": {"what": "capacity"},
    "api.validity": {"issued": "2030-01-02"},
    "api.vehicle_age": {"year": "2025"},
}
ANSWERED = {
    "cards.open_code": 404,  # signed by nobody
    "demonstration.cases": 404,  # this is a real portal,
    "notices.components": 404,  # and not a developer's
    "take_along.departure": 404,  # a day that is over
    "receipts.show": 404,  # a code that proves nothing
    "receipts.show_pdf": 404,
    "tiles.tile": 404,  # a town without tiles
    "tracking.photo": 404,
    "uploads.show": 410,
    "evidence.thumbnail": 404,
    "yearly.report": 404,
    "yearly.report_csv": 404,
    "yearly.report_file": 404,
    "own_rights.download": 404,
    "cases.download_evidence": 404,
    "counter.receipt": 410,
    "counter.receipt_file": 410,
    "forwarding.letter": 404,
    "publishing.show": 404,
    "register.new_permit": 403,  # an ombudsman reads the register; who keeps it has a test below
    "timetables.show_row": 404,  # the lists came in a file
}
"""What is not answered with 200, since there is nothing to show or nobody may see it."""

CLERKS = {"register.new_permit"}
"""Forms that open for the keeper of the register alone."""


@pytest.fixture
def filled(database: Engine, tmp_path) -> None:
    """Something to read behind every address."""
    with unit_of_work(writes=True) as session:
        put_list(session)
        put_permit(session, plate="BRA2E19", itinerary="orla")
        bring_in_orla(session, tmp_path / "orla")
        put_complaint(session, protocol=GAPS["protocol"])


@pytest.fixture
def citizen(app: Flask, filled: None):
    """A browser that has filed a complaint and opened its case."""
    with unit_of_work(writes=True) as session:
        draft = intake.start_draft(
            session,
            municipality=TOWN,
            channel="web",
            language="pt_BR",
            now=NOW,
            prefill={"what": "other_problem", "photos": "done"},
        )
        for asked in ("vehicle", "where", "when", "story"):
            draft = intake.skip(session, draft.token, asked, now=NOW)
        receipt = filing.file_complaint(session, draft.token, Identity(IdentityMode.ANONYMOUS), now=NOW)
        case = tracking.track(session, receipt.protocol, receipt.access_key or "", now=NOW)
    assert isinstance(case, tracking.CaseView)
    browser = app.test_client()
    browser.set_cookie("draft", draft.token)
    browser.set_cookie("case", case.ticket, path="/acompanhar")
    return browser


class TestReading:
    def test_writes_nothing_in_the_portal(self, app, citizen, database):
        assert _wrongly_answered(app, citizen, database) == []

    def test_writes_nothing_at_the_desk(self, desk, ana, filled, database):
        assert _wrongly_answered(desk, ana, database) == []

    def test_nor_at_the_forms_of_the_register(self, desk, sign_in, filled, database):
        wrong = dict(_wrongly_answered(desk, sign_in("caio"), database))

        assert not {endpoint for endpoint in CLERKS if wrong.get(endpoint) != 200}


class TestKeeping:
    def test_what_a_shared_cache_may_keep_is_the_same_for_everybody(self, app, citizen, monkeypatch):
        monkeypatch.setattr(portal.clock, "now", lambda: NOW)
        stranger = app.test_client()
        citizen.set_cookie("town", TOWN)
        for browser in (citizen, stranger):
            browser.set_cookie("lang", "en")
        kept = set()
        for rule in _routes(app, "GET"):
            address = _address(app, rule)
            address += ("&" if "?" in address else "?") + "lang=en"
            mine, theirs = (browser.get(address) for browser in (citizen, stranger))
            if "public" not in mine.headers.get("Cache-Control", ""):
                continue
            assert "Set-Cookie" not in mine.headers, address
            assert "cookie" not in mine.headers.get("Vary", "").lower(), address
            assert mine.data == theirs.data, address
            kept.add(rule.endpoint)
        assert {"verification.verify_in_town", "verification.verify_in_town_json", "notices.about"} <= kept
        assert not {
            one for one in kept if one.split(".")[0] in ("complaints", "tracking", "uploads", "own_rights")
        }


class TestPosting:
    """Sent from another site: without our token, and the browser says so."""

    def test_does_nothing_in_the_portal(self, app, citizen, database):
        app.config["WTF_CSRF_ENABLED"] = True
        _assert_nothing_is_done(app, citizen, database)

    def test_does_nothing_at_the_desk(self, desk, ana, database):
        desk.config["WTF_CSRF_ENABLED"] = True
        _assert_nothing_is_done(desk, ana, database)


def _routes(app: Flask, method: str) -> list[Rule]:
    return [rule for rule in app.url_map.iter_rules() if method in (rule.methods or ())]


def _address(app: Flask, rule: Rule) -> str:
    extra = OF_ENDPOINT.get(rule.endpoint, {})
    gaps = {name: (GAPS | extra)[name] for name in rule.arguments}
    return app.url_map.bind("").build(rule.endpoint, {"q": "BRA2E19", **extra, **gaps})


def _wrongly_answered(app: Flask, browser, database: Engine) -> list[tuple[str, int]]:
    wrong = []
    for rule in _routes(app, "GET"):
        with _nothing_written(database):
            answer = browser.get(_address(app, rule), follow_redirects=True)
        if answer.status_code != ANSWERED.get(rule.endpoint, 200):
            wrong.append((rule.endpoint, answer.status_code))
    return wrong


@contextmanager
def _nothing_written(database: Engine) -> Iterator[None]:
    written: list[str] = []

    def note(_connection, _cursor, statement, *_rest):
        if (
            not statement.lstrip().upper().startswith(("SELECT", "BEGIN", "PRAGMA"))
            or "IMMEDIATE" in statement
        ):
            written.append(statement)

    event.listen(database, "before_cursor_execute", note)
    yield
    event.remove(database, "before_cursor_execute", note)
    assert written == []


def _assert_nothing_is_done(app: Flask, browser, database: Engine) -> None:
    for rule in _routes(app, "POST"):
        with _nothing_written(database):
            answer = browser.post(_address(app, rule), headers={"Sec-Fetch-Site": "cross-site"})
        assert answer.status_code in (303, 400, 422), rule.endpoint
