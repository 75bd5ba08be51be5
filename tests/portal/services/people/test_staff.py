from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from portal.domain.errors import LoginTaken, PasswordTooShort
from portal.domain.staff import Role
from portal.services.people.staff import (
    FREE_TRIES,
    SESSION_LENGTH,
    add_staff,
    begin_sign_in,
    change_password,
    finish_sign_in,
    sign_out,
    staff_of_session,
)
from portal.storage.staff import StaffMemberRow, StaffSessionRow

NOW = datetime(2030, 3, 10, 12, 0, tzinfo=UTC)
PASSWORD = "cavalo correto bateria"


@pytest.fixture
def member(session):
    return add_staff(
        session,
        municipality="caraguatatuba-sp",
        login="Ana.Ouvidoria",
        name="Ana",
        role=Role.OMBUDSMAN,
        password=PASSWORD,
        now=NOW,
    )


def sign_in(session, login, password, *, now=NOW):
    attempt = begin_sign_in(session, login, now=now)
    return finish_sign_in(session, attempt, now=now) if attempt.check(password) else None


class TestSigningIn:
    def test_login_and_password_open_a_session(self, session, member):
        token = sign_in(session, " ana.ouvidoria ", PASSWORD)

        assert staff_of_session(session, token, now=NOW) == member

    def test_neither_password_nor_token_is_stored(self, session, member):
        token = sign_in(session, member.login, PASSWORD)

        assert PASSWORD not in session.scalars(select(StaffMemberRow)).one().password_hash
        assert token not in session.scalars(select(StaffSessionRow)).one().token_hash

    @pytest.mark.parametrize("password", ["", "errada", PASSWORD.upper(), "\ud800", "\0"])
    def test_another_password_does_not(self, session, member, password):
        assert sign_in(session, member.login, password) is None

    @pytest.mark.parametrize("login", ["ninguem", "", "\0", "\ud800", "a" * 5000])
    def test_an_unknown_login_does_not(self, session, member, login):
        assert sign_in(session, login, PASSWORD) is None

    def test_somebody_dismissed_does_not(self, session, member):
        session.get(StaffMemberRow, member.id).active = False

        assert sign_in(session, member.login, PASSWORD) is None

    @pytest.mark.parametrize("login", ["ana.ouvidoria", "ninguem"])
    def test_failures_make_known_and_unknown_logins_wait_alike(self, session, member, login):
        for _ in range(FREE_TRIES):
            assert begin_sign_in(session, login, now=NOW).blocked_until is None

        assert begin_sign_in(session, login, now=NOW).blocked_until == NOW + timedelta(minutes=1)
        assert not begin_sign_in(session, login, now=NOW).check(PASSWORD)
        assert begin_sign_in(session, login, now=NOW + timedelta(minutes=1)).blocked_until is None

    def test_the_wait_never_passes_a_quarter_of_an_hour(self, session, member):
        now = NOW
        for _ in range(30):
            now += timedelta(minutes=15)
            assert begin_sign_in(session, member.login, now=now).blocked_until is None

    def test_success_forgets_the_failures(self, session, member):
        for _ in range(FREE_TRIES - 1):
            sign_in(session, member.login, "errada")
        assert sign_in(session, member.login, PASSWORD)

        for _ in range(FREE_TRIES):
            assert begin_sign_in(session, member.login, now=NOW).blocked_until is None


class TestTheSession:
    def test_it_ends_when_signed_out(self, session, member):
        token = sign_in(session, member.login, PASSWORD)
        sign_out(session, token)

        assert staff_of_session(session, token, now=NOW) is None

    def test_it_ends_by_itself(self, session, member):
        token = sign_in(session, member.login, PASSWORD)

        assert staff_of_session(session, token, now=NOW + SESSION_LENGTH - timedelta(seconds=1))
        assert staff_of_session(session, token, now=NOW + SESSION_LENGTH) is None

    def test_a_new_password_ends_it(self, session, member):
        token = sign_in(session, member.login, PASSWORD)
        change_password(session, member.login, "outra senha comprida", now=NOW)

        assert staff_of_session(session, token, now=NOW) is None
        assert sign_in(session, member.login, "outra senha comprida")


class TestAddingStaff:
    def test_a_login_is_taken_in_every_spelling(self, session, member):
        with pytest.raises(LoginTaken):
            add_staff(
                session,
                municipality="santa-rita-pb",
                login="ANA.ouvidoria",
                name="Outra",
                role=Role.CLERK,
                password=PASSWORD,
                now=NOW,
            )

    def test_a_short_password_is_refused(self, session):
        with pytest.raises(PasswordTooShort):
            add_staff(
                session,
                municipality="caraguatatuba-sp",
                login="bia",
                name="Bia",
                role=Role.CLERK,
                password="curta",
                now=NOW,
            )
