import re
from datetime import timedelta

import pyotp
import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from portal import clock
from portal.domain.staff import Role
from portal.services.people.staff import FREE_TRIES, reset
from portal.services.unit_of_work import unit_of_work
from portal.storage.sign_ins import RecoveryCodeRow
from portal.storage.staff import StaffMemberRow
from tests.portal.desk.conftest import NOW, PASSWORD


@pytest.fixture
def strict(desk: Flask, staff: None) -> Flask:
    """A desk whose ombudsman needs an authenticator."""
    desk.config["SECOND_FACTOR"] = frozenset({Role.OMBUDSMAN})
    return desk


class Telephone:
    """An authenticator that has read the page's code."""

    def __init__(self, page: str) -> None:
        found = re.search(r'class="code">([A-Z2-7 ]+)<', page)
        assert found
        self.secret = found[1].replace(" ", "")

    def code(self, at=NOW) -> str:
        return pyotp.TOTP(self.secret).at(at)


def show_password(browser: FlaskClient, password: str = PASSWORD):
    return browser.post("/mesa/entrar", data={"login": "ana", "password": password})


def enrol(browser: FlaskClient) -> tuple[Telephone, list[str]]:
    offer = browser.get(show_password(browser).location)
    telephone = Telephone(offer.text)
    answer = browser.post(
        "/mesa/entrar/autenticador", data={"ticket": ticket_in(offer.text), "code": telephone.code()}
    )
    codes = re.findall(r'class="code">([a-z2-9]{5}-[a-z2-9]{5})<', answer.text)
    return telephone, codes


def ticket_in(page: str) -> str:
    found = re.search(r'name="ticket" value="([^"]+)"', page)
    assert found
    return found[1]


def later(monkeypatch: pytest.MonkeyPatch, seconds: int):
    moment = NOW + timedelta(seconds=seconds)
    monkeypatch.setattr(clock, "now", lambda: moment)
    return moment


class TestTheFirstSignIn:
    def test_the_authenticator_is_enrolled_from_a_picture_on_the_page(self, strict):
        browser = strict.test_client()

        page = browser.get(show_password(browser).location).text

        assert "<svg" in page
        assert "http://" not in page.split("<svg")[1].split("</svg>")[0].replace(
            "http://www.w3.org/2000/svg", ""
        )
        assert browser.get("/mesa/").status_code == 303, "the password alone lets nobody in"

    def test_a_right_code_lets_in_and_shows_the_recovery_codes_once(self, strict):
        browser = strict.test_client()

        _telephone, codes = enrol(browser)

        assert len(set(codes)) == 10
        assert browser.get("/mesa/").status_code == 200
        assert not any(code in browser.get("/mesa/conta/").text for code in codes)

    def test_a_wrong_code_enrols_nothing_and_keeps_the_picture(self, strict):
        browser = strict.test_client()
        offer = browser.get(show_password(browser).location).text

        again = browser.post("/mesa/entrar/autenticador", data={"ticket": ticket_in(offer), "code": "000000"})

        assert again.status_code == 422
        assert Telephone(again.text).secret == Telephone(offer).secret
        assert browser.get("/mesa/").status_code == 303

    def test_neither_secret_nor_recovery_code_is_stored_as_it_is(self, strict):
        telephone, codes = enrol(strict.test_client())

        with unit_of_work() as session:
            secret = session.scalars(select(StaffMemberRow.totp_secret)).one()
            hashes = session.scalars(select(RecoveryCodeRow.code_hash)).all()
        assert telephone.secret.encode() not in secret
        assert not set(codes) & set(hashes)

    def test_nobody_enrols_another_over_the_one_that_is_there(self, strict):
        enrol(strict.test_client())
        thief = strict.test_client()
        show_password(thief)

        assert thief.get("/mesa/entrar/autenticador").location == "/mesa/entrar"

    def test_a_role_that_needs_none_goes_straight_in(self, strict, sign_in):
        assert sign_in("davi").get("/mesa/").status_code == 200

    @pytest.mark.parametrize("page", ["codigo", "autenticador"])
    def test_without_a_password_there_is_nothing_to_see(self, strict, page):
        assert strict.test_client().get(f"/mesa/entrar/{page}").location == "/mesa/entrar"


class TestTheCode:
    @pytest.fixture
    def enrolled(self, strict) -> tuple[Telephone, list[str]]:
        return enrol(strict.test_client())

    @pytest.fixture
    def browser(self, strict, enrolled, monkeypatch) -> FlaskClient:
        browser = strict.test_client()
        later(monkeypatch, 60)
        assert show_password(browser).location == "/mesa/entrar/codigo"
        return browser

    def send(self, browser, code):
        return browser.post("/mesa/entrar/codigo", data={"code": code})

    def test_it_lets_in_beside_the_password(self, browser, enrolled):
        telephone, _codes = enrolled

        answer = self.send(browser, telephone.code(clock.now()))

        assert answer.location == "/mesa/"
        assert browser.get("/mesa/").status_code == 200

    def test_it_is_taken_once(self, strict, browser, enrolled):
        telephone, _codes = enrolled
        code = telephone.code(clock.now())
        self.send(browser, code)
        overheard = strict.test_client()
        show_password(overheard)

        assert self.send(overheard, code).status_code == 422
        assert overheard.get("/mesa/").status_code == 303

    def test_an_older_one_is_not_taken_after_a_newer(self, strict, browser, enrolled):
        telephone, _codes = enrolled
        self.send(browser, telephone.code(clock.now() + timedelta(seconds=30)))
        overheard = strict.test_client()
        show_password(overheard)

        assert self.send(overheard, telephone.code(clock.now())).status_code == 422

    @pytest.mark.parametrize("seconds", [-30, 0, 30])
    def test_a_telephone_half_a_minute_wrong_is_no_matter(self, browser, enrolled, seconds):
        telephone, _codes = enrolled

        assert self.send(browser, telephone.code(clock.now() + timedelta(seconds=seconds))).status_code == 303

    @pytest.mark.parametrize("code", ["", "12345", "abcdef", "１２３４５６", "\0", "9" * 500])
    def test_what_is_none_is_refused(self, browser, code):
        assert self.send(browser, code).status_code == 422

    def test_many_wrong_ones_ask_for_a_wait(self, browser, enrolled):
        telephone, _codes = enrolled
        for _ in range(FREE_TRIES):
            self.send(browser, "abcdef")

        answer = self.send(browser, telephone.code(clock.now()))

        assert answer.status_code == 429
        assert int(answer.headers["Retry-After"]) == 60

    def test_it_must_come_soon_after_the_password(self, browser, enrolled, monkeypatch):
        telephone, _codes = enrolled
        moment = later(monkeypatch, 60 + 16 * 60)

        assert self.send(browser, telephone.code(moment)).location == "/mesa/entrar"

    def test_a_recovery_code_stands_in_for_it_once(self, strict, browser, enrolled):
        _telephone, codes = enrolled

        assert self.send(browser, f" {codes[3].upper()} ").location == "/mesa/conta/"
        assert "Restam 9 códigos" in browser.get("/mesa/conta/").text
        again = strict.test_client()
        show_password(again)
        assert self.send(again, codes[3]).status_code == 422

    def test_fresh_recovery_codes_end_the_old_ones(self, strict, browser, enrolled):
        telephone, codes = enrolled
        self.send(browser, telephone.code(clock.now()))

        page = browser.post(
            "/mesa/conta/codigos", data={"code": telephone.code(clock.now() + timedelta(seconds=30))}
        )

        assert page.status_code == 200
        assert codes[0] not in page.text
        again = strict.test_client()
        show_password(again)
        assert self.send(again, codes[0]).status_code == 422

    def test_a_reset_takes_the_authenticator_away(self, strict, browser, enrolled):
        with unit_of_work(writes=True) as session:
            reset(session, "ana", "outra senha comprida", now=clock.now())

        assert show_password(strict.test_client(), "outra senha comprida").location == (
            "/mesa/entrar/autenticador"
        )
