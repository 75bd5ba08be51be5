"""Both sites as somebody sees them who means harm: every address of them is tried, not the ones we thought of."""

import json
import re

import pytest
from flask import Flask
from structlog.testing import capture_logs
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from portal.config import settings
from portal.pages.headers import csrf
from portal.web import create_app
from tests.architecture.test_routes import _address, _routes, citizen, filled  # noqa: F401  # fixtures
from tests.factories.permits import put_list, put_permit
from tests.portal.pages.test_headers import KEYS

HTTPS = "https://embarque.example"
WITHOUT_A_TOKEN = {
    "cards.scan_photo",  # reads the code in a photo; keeps nothing
    "complaints.begin",  # begins an empty draft, in nobody's name
    "finishing.finish",  # sends a draft that this browser wrote while it had no line
    "receipts.give",  # the proof of a look-up, in nobody's name
    "take_along.on_the_way",  # a file to take along; keeps nothing
    "tracking.leave",  # ends what the browser held
    "uploads.send",  # the link is the secret: of one file, for a while, spent by it
}
"""POSTs let in without a token, unless the browser says that another site sent them; each for its reason."""

STRICT = (
    "default-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
)
SAID = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY"}


@pytest.fixture
def portal(app, citizen):  # noqa: F811
    return app, citizen


@pytest.fixture
def mesa(desk, ana, filled):  # noqa: F811
    return desk, ana


@pytest.fixture(params=["portal", "mesa"])
def site(request) -> tuple[Flask, object]:
    """Each site, with a browser in which somebody is at home."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def public(database, monkeypatch, compiled_templates):
    """The portal as people reach it: over HTTPS, behind one proxy."""
    monkeypatch.setenv("PROXIES", "1")
    settings.cache_clear()
    app = create_app(settings().model_copy(update={"public_url": HTTPS, **KEYS}))
    app.jinja_env.bytecode_cache = compiled_templates
    app.config["TESTING"] = True
    return app


class TestEveryAnswer:
    def test_keeps_browsers_strict_cookies_close_and_its_make_to_itself(self, site):
        app, browser = site
        wanting = []
        for method in ("GET", "POST"):
            for rule in _routes(app, method):
                answer = browser.open(_address(app, rule), method=method)
                wanting += [(method, rule.endpoint, what) for what in _wanting(answer)]

        assert wanting == []


def _wanting(answer: TestResponse) -> list[str]:
    told = answer.headers
    policy, kind = told.get("Content-Security-Policy", ""), told.get("Content-Type", "")
    nothing_at_all = (
        "default-src 'none'" in policy
    )  # a file to keep, the service worker: nothing is shown under it
    wanting = [] if nothing_at_all else [part for part in STRICT if part not in policy]
    wanting += ["unsafe"] * ("unsafe" in policy)
    wanting += [name for name, value in SAID.items() if told.get(name) != value]
    wanting += [name for name in ("Server", "X-Powered-By") if name in told]
    if kind.startswith("text/") and "charset=utf-8" not in kind.lower():
        wanting.append(kind)
    for cookie in told.getlist("Set-Cookie"):
        taken_away = "Expires=Thu, 01 Jan 1970" in cookie
        if not taken_away and not ("HttpOnly" in cookie and re.search(r"SameSite=(Lax|Strict)", cookie)):
            wanting.append(cookie.partition("=")[0])
    return wanting


class TestEveryCookie:
    def test_travels_by_https_alone_where_the_site_does(self, public):
        browser = public.test_client()
        answers = [
            browser.get("/sobre?lang=en", base_url=HTTPS),
            browser.get("/acompanhar", base_url=HTTPS),
            browser.post("/caraguatatuba-sp/manifestacoes/iniciar", base_url=HTTPS),
        ]
        cookies = [cookie for answer in answers for cookie in answer.headers.getlist("Set-Cookie")]

        assert {cookie.partition("=")[0] for cookie in cookies} >= {"lang", "session", "draft"}
        assert [cookie for cookie in cookies if "Secure" not in cookie] == []


class TestEveryWrite:
    def test_asks_for_a_token_but_for_those_that_act_in_nobodys_name(self, app, desk):
        named = {
            rule.endpoint
            for site in (app, desk)
            for rule in _routes(site, "POST")
            if f"{site.view_functions[rule.endpoint].__module__}.{site.view_functions[rule.endpoint].__name__}"
            in csrf._exempt_views
        }

        assert named == WITHOUT_A_TOKEN
        assert csrf._exempt_blueprints == set()

    def test_takes_no_secret_from_an_address(self, app, desk):
        """The draft's token, the key and the ticket come in cookies and forms: an address is remembered by many."""
        with_gaps = {
            (rule.endpoint, gap)
            for site in (app, desk)
            for rule in site.url_map.iter_rules()
            for gap in rule.arguments & {"token", "key", "ticket", "draft"}
        }

        assert with_gaps == {
            ("uploads.show", "token"),  # made for one file, and spent by it
            ("uploads.send", "token"),
            ("tracking.photo", "token"),  # names a file; without the case's cookie it opens nothing
            ("evidence.thumbnail", "token"),
            ("evidence.open_file", "token"),
            ("cases.download_evidence", "token"),
            ("cards.open_code", "token"),  # printed on a permit card, for everybody to read
        }


class TestTheNameOfTheSite:
    def test_another_one_is_refused(self, public):
        answer = public.test_client().get("/", base_url="https://evil.example")

        assert answer.status_code == 400
        assert "evil" not in answer.text

    def test_one_that_a_stranger_puts_in_front_of_the_proxy_too(self, public):
        answer = public.test_client().get("/", base_url=HTTPS, headers={"X-Forwarded-Host": "evil.example"})

        assert answer.status_code == 400

    def test_its_own_and_this_machines_are_answered(self, public):
        browser = public.test_client()

        assert browser.get("/", base_url=HTTPS).status_code == 200
        assert browser.get("/healthz", base_url="http://127.0.0.1:8000").status_code == 200

    def test_stands_in_no_redirect_and_no_file(self, client, app, database):
        for rule in _routes(app, "GET"):
            answer = client.get(_path(app, rule).rstrip("/") or "/", headers={"Host": "evil.example"})
            assert "evil.example" not in answer.headers.get("Location", ""), rule.endpoint
            assert b"evil.example" not in answer.data, rule.endpoint


class TestARedirect:
    @pytest.mark.parametrize(
        "address",
        ["//evil.example", "//evil.example/", "/caraguatatuba-sp//evil.example", "/\\evil.example/"],
    )
    def test_leads_nowhere_else(self, client, address):
        location = client.get(address).headers.get("Location", "/")

        assert re.match(r"/(?![/\\])", location), location

    def test_is_not_steered_from_an_address(self, app, client, database):
        said = dict.fromkeys(
            ("next", "url", "to", "back", "volta", "protocolo", "lang"), "https://evil.example/"
        )
        for rule in _routes(app, "GET"):
            answer = client.get(_path(app, rule), query_string=said)
            assert "evil.example" not in answer.headers.get("Location", ""), rule.endpoint


class TestAHeader:
    def test_cannot_be_written_from_outside(self, app, client, database):
        bad = "a\r\nX-Planted: 1\x00\u2028ж"
        for rule in _routes(app, "GET"):
            answer = client.get(
                _path(app, rule), query_string=dict.fromkeys(("q", "lang", "servico", "em"), bad)
            )
            assert answer.status_code < 500, rule.endpoint
            assert "X-Planted" not in answer.headers, rule.endpoint
            assert all(value.isprintable() for _name, value in answer.headers), rule.endpoint


def _path(app: Flask, rule: Rule) -> str:
    return _address(app, rule).partition("?")[0]


class TestTheLog:
    def test_takes_one_line_for_one_request_whatever_is_in_it(self, client, database):
        from portal.pages.logs import _line

        with capture_logs() as lines:
            client.get("/verificar?q=BRA2E19%0a%7b%22event%22%3a%22planted%22%7d")
            client.get("/a%0d%0a%7b%22event%22%3a%22planted%22%7d")
        written = [_line(None, "info", dict(line)) for line in lines]

        assert written
        assert all("\n" not in line and json.loads(line)["event"] == "request" for line in written)
        assert "planted" not in "".join(written)


class TestWhereARequestComesFrom:
    """Nobody escapes a limit, or has another one counted, by saying to be elsewhere."""

    @pytest.fixture
    def ask(self, database, monkeypatch, compiled_templates):
        def asking(proxies: int):
            monkeypatch.setenv("PROXIES", str(proxies))
            monkeypatch.setenv("READS_PER_MINUTE", "2")
            settings.cache_clear()
            made = create_app()
            made.jinja_env.bytecode_cache = compiled_templates
            browser = made.test_client()

            def one(forwarded: str, peer: str = "198.51.100.1") -> int:
                return browser.get(
                    "/healthz2", headers={"X-Forwarded-For": forwarded}, environ_base={"REMOTE_ADDR": peer}
                ).status_code

            return one

        return asking

    def test_without_a_proxy_its_own_word_is_not_taken(self, ask):
        one = ask(0)

        assert [one(f"203.0.113.{turn}") for turn in range(4)] == [404, 404, 429, 429]

    def test_behind_one_only_the_proxys_word_is(self, ask):
        one = ask(1)

        assert [one(f"203.0.113.{turn}, 192.0.2.9") for turn in range(4)] == [404, 404, 429, 429]

    def test_nobody_is_this_very_machine_by_saying_so(self, ask):
        one = ask(0)

        assert [one("127.0.0.1") for _turn in range(3)] == [404, 404, 429]


class TestWhatPeopleWrote:
    def test_is_no_formula_in_any_table_of_the_api_or_the_desk(self, app, desk, ana, client, database):
        from portal.services.unit_of_work import unit_of_work

        with unit_of_work(writes=True) as session:
            put_list(session)
            put_permit(session, plate="BRA2E19")
        for made, browser in ((app, client), (desk, ana)):
            for rule in _routes(made, "GET"):
                if not rule.rule.endswith(".csv"):
                    continue
                answer = browser.get(_address(made, rule))
                for line in answer.text.splitlines():
                    assert not re.match(r"^[\"']?[=+\-@\t]", line), rule.endpoint
