"""Every page of the desk × every role × the numbers of another municipality: who is not meant to, gets in nowhere."""

from dataclasses import asdict, dataclass

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.routing import Rule

from portal.desk.sign_in.roles import MAY_READ, MAY_WRITE, who_may
from portal.domain.staff import Role
from portal.services.people.staff import add_staff
from portal.services.unit_of_work import unit_of_work
from portal.storage.imports import ImportRunRow
from portal.storage.outbox import OutboxRow
from portal.storage.permits import PermitRow
from tests.architecture.test_routes import GAPS, OF_ENDPOINT
from tests.factories.complaints import put_complaint
from tests.factories.permits import put_permit
from tests.portal.desk.conftest import ELSEWHERE, NOW, PASSWORD, TOWN


@dataclass(frozen=True, slots=True)
class Place:
    """What stands in the gaps of addresses, all of one municipality."""

    protocol: str
    permit: int
    run: int
    number: int
    """Of a notice that could not be delivered."""

    def address(self, app: Flask, rule: Rule) -> str:
        gaps = {**GAPS, **OF_ENDPOINT.get(rule.endpoint, {}), **asdict(self)}
        return app.url_map.bind("").build(rule.endpoint, {name: gaps[name] for name in rule.arguments})


@pytest.fixture
def here(database) -> Place:
    return place(TOWN)


@pytest.fixture
def elsewhere(database, here) -> Place:
    return place(ELSEWHERE)


def place(town: str) -> Place:
    with unit_of_work(writes=True) as session:
        complaint = put_complaint(session, municipality=town, story=f"Relato de {town}")
        put_permit(session, municipality=town)
        permit = session.scalars(select(PermitRow.id).where(PermitRow.municipality == town)).one()
        run = ImportRunRow(
            municipality=town,
            service="aplicativo",
            kind="register",
            source=f"Cadastro de {town}",
            as_of=NOW.date(),
            file_name="cadastro.csv",
            file_digest="0" * 64,
            run_by="cli",
            state="staged",
            started_at=NOW,
        )
        notice = OutboxRow(
            kind="mail", payload={}, municipality=town, state="dead", created_at=NOW, due_at=NOW
        )
        session.add_all([run, notice])
        session.flush()
        return Place(complaint.protocol, permit, run.id, notice.id)


@pytest.fixture
def enter(desk):
    """A browser of somebody of a role, in the town under test."""

    def sign_in(role: Role) -> FlaskClient:
        with unit_of_work(writes=True) as session:
            add_staff(
                session, municipality=TOWN, login=role, name=role, role=role, password=PASSWORD, now=NOW
            )
        browser = desk.test_client()
        assert (
            browser.post("/mesa/entrar", data={"login": role.value, "password": PASSWORD}).status_code == 303
        )
        return browser

    return sign_in


def guarded(app: Flask) -> list[tuple[Rule, str]]:
    """Every page that asks for sign-in, with each way to ask for it, but the two that end the session."""
    return [
        (rule, method)
        for rule in app.url_map.iter_rules()
        for method in sorted((rule.methods or set()) & {"GET", "POST"})
        if rule.endpoint
        not in ("static", "vendor", "favicon", "sign_in.sign_out", "account.sign_out_everywhere")
        and not getattr(app.view_functions[rule.endpoint], "open_to_all", False)
    ]


@pytest.mark.parametrize("role", list(Role))
class TestEveryRole:
    def test_enters_what_is_for_it_and_nothing_else(self, desk, enter, here, role):
        browser, wrong = enter(role), []
        for rule, method in guarded(desk):
            answer = browser.open(here.address(desk, rule), method=method)
            refused = answer.status_code == 403 or (
                rule.endpoint == "cases.show_list" and answer.status_code == 302
            )
            if refused == (role in who_may(rule.endpoint, method)):
                wrong.append((rule.endpoint, method, answer.status_code))

        assert wrong == []

    def test_finds_nothing_of_another_municipality(self, desk, enter, here, elsewhere, role):
        browser, wrong = enter(role), []
        for rule, method in guarded(desk):
            if not {"protocol", "permit", "run", "number"} & set(rule.arguments):
                continue
            answer = browser.open(elsewhere.address(desk, rule), method=method)
            if answer.status_code not in (403, 404) or ELSEWHERE.encode() in answer.data:
                wrong.append((rule.endpoint, method, answer.status_code))

        assert wrong == []

    def test_sees_no_other_municipality_in_any_list(self, desk, enter, here, elsewhere, role):
        browser = enter(role)
        for rule, method in guarded(desk):
            if method == "GET":
                answer = browser.get(here.address(desk, rule))
                assert elsewhere.protocol.encode() not in answer.data, rule.endpoint
                assert f"Relato de {ELSEWHERE}".encode() not in answer.data, rule.endpoint


class TestTheTables:
    def test_each_line_is_about_something(self, desk):
        names = set(desk.view_functions) | set(desk.blueprints)

        assert set(MAY_READ) | set(MAY_WRITE) <= names

    def test_the_auditor_changes_nothing_but_the_own_account(self, desk):
        writes = {
            rule.endpoint for rule, method in guarded(desk)
            if method == "POST" and Role.AUDITOR in who_may(rule.endpoint, method)
        }  # fmt: skip

        assert {endpoint.partition(".")[0] for endpoint in writes} <= {"account", "sign_in"}

    def test_what_no_line_is_about_is_the_ombudsmans(self):
        assert who_may("new.page", "GET") == who_may("new.page", "POST") == {Role.OMBUDSMAN}
