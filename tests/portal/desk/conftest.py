"""The desk over a database of the test's own, with keys of two municipalities."""

import json
from datetime import UTC, datetime

import pytest
from flask import Flask
from flask.testing import FlaskClient

from portal import clock
from portal.domain.staff import Role
from portal.sealing.keys import KeyPair, new_key_pair
from portal.services.people.staff import add_staff
from portal.services.unit_of_work import unit_of_work

PASSWORD = "cavalo correto bateria"
TOWN, ELSEWHERE = "caraguatatuba-sp", "chapada-dos-guimaraes-mt"
NOW = datetime(2030, 3, 10, 15, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> datetime:
    monkeypatch.setattr(clock, "now", lambda: NOW)
    return NOW


@pytest.fixture
def identity_pair() -> KeyPair:
    return new_key_pair()


@pytest.fixture
def desk(database, environment, monkeypatch, identity_pair) -> Flask:
    from portal.desk import create_app

    keys = environment / "identity.json"
    keys.write_text(json.dumps({TOWN: [{"id": identity_pair.id, "key": identity_pair.private}]}))
    monkeypatch.setenv("IDENTITY_PRIVATE_KEYS", str(keys))
    monkeypatch.setenv("DESK_SECRET_KEY", "only-for-tests-" + "2" * 32)
    monkeypatch.setenv("DESK_SECOND_FACTOR", "")  # a test that is about it asks for it
    made = create_app()
    made.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
    return made


STAFF = {
    "ana": (TOWN, Role.OMBUDSMAN),
    "rui": (TOWN, Role.OMBUDSMAN),
    "caio": (TOWN, Role.CLERK),
    "davi": (TOWN, Role.INSPECTOR),
    "eva": (TOWN, Role.AUDITOR),
    "bia": (ELSEWHERE, Role.OMBUDSMAN),
}


def add(login: str) -> None:
    town, role = STAFF[login]
    with unit_of_work(writes=True) as session:
        add_staff(
            session,
            municipality=town,
            login=login,
            name=login.title(),
            role=role,
            password=PASSWORD,
            now=NOW,
        )


@pytest.fixture
def staff(database) -> None:
    add("ana")


@pytest.fixture
def sign_in(desk):
    """A browser in which somebody of ``STAFF`` has signed in."""

    def enter(login: str) -> FlaskClient:
        add(login)
        browser = desk.test_client()
        answer = browser.post("/mesa/entrar", data={"login": login, "password": PASSWORD})
        assert answer.status_code == 303
        return browser

    return enter


@pytest.fixture
def ana(sign_in) -> FlaskClient:
    return sign_in("ana")
