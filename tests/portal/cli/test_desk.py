import pytest
from click.testing import CliRunner
from sqlalchemy import text, update

from portal.cli import main
from portal.services.people.audit import head_of_log
from portal.services.people.staff import begin_sign_in
from portal.services.unit_of_work import unit_of_work
from portal.storage.audit import AuditRow

ADD = ["desk", "add-user", "--municipality", "caraguatatuba-sp", "--login", "ana"]


@pytest.fixture
def portal(database):
    def run(*words, **more):
        return CliRunner().invoke(main, [str(word) for word in words], **more)

    return run


def may_sign_in(login, password):
    from portal import clock

    with unit_of_work(writes=True) as session:
        return begin_sign_in(session, login, now=clock.now()).check(password)


class TestAddingStaff:
    def test_a_password_is_made_up_and_printed_once(self, portal):
        answer = portal(*ADD, "--role", "clerk", "--generate-password")

        assert answer.exit_code == 0
        assert may_sign_in("ana", answer.output.split("password: ")[1].strip())

    def test_a_password_comes_from_a_file(self, portal, tmp_path):
        file = tmp_path / "password"
        file.write_text("cavalo correto bateria\n")

        answer = portal(*ADD, "--password-file", file)

        assert answer.exit_code == 0
        assert "cavalo" not in answer.output
        assert may_sign_in("ana", "cavalo correto bateria")

    def test_a_password_is_asked_for_twice(self, portal):
        answer = portal(*ADD, input="cavalo correto bateria\ncavalo correto bateria\n")

        assert answer.exit_code == 0
        assert may_sign_in("ana", "cavalo correto bateria")

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["--municipality", "atlantida-xx"], "atlantida-xx"),
            (["--role", "king"], "king"),
        ],
    )
    def test_what_is_wrong_is_said(self, portal, words, said):
        answer = portal(*ADD, "--generate-password", *words)

        assert answer.exit_code != 0
        assert said in answer.output

    def test_a_login_is_given_once(self, portal):
        portal(*ADD, "--generate-password")

        assert portal(*ADD, "--generate-password").exit_code == 1

    def test_a_new_password_replaces_the_old_one(self, portal):
        old = portal(*ADD, "--generate-password").output.split("password: ")[1].strip()

        new = portal("desk", "reset", "--login", "ana", "--generate-password").output
        assert not may_sign_in("ana", old)
        assert may_sign_in("ana", new.split("password: ")[1].strip())

    def test_the_list_says_who_may_sign_in_and_how(self, portal):
        portal(*ADD, "--generate-password")
        assert portal("desk", "list").output == "caraguatatuba-sp\tana\tombudsman\tpassword only\n"

        portal("desk", "disable", "--login", "ANA")

        assert portal("desk", "list", "--municipality", "caraguatatuba-sp").output.endswith("\tdisabled\n")
        assert portal("desk", "list", "--municipality", "santa-rita-pb").output == ""

    def test_somebody_disabled_is_out_at_once_until_enabled(self, portal):
        said = portal(*ADD, "--generate-password").output.split("password: ")[1].strip()
        portal("desk", "disable", "--login", "ana")
        assert not may_sign_in("ana", said)

        portal("desk", "enable", "--login", "ana")
        assert may_sign_in("ana", said)

    @pytest.mark.parametrize("command", ["disable", "enable"])
    def test_nobody_is_nobody(self, portal, command):
        answer = portal("desk", command, "--login", "ninguem")

        assert answer.exit_code == 1
        assert "nobody has the login ninguem" in answer.output


class TestTheLog:
    def test_an_anchor_kept_elsewhere_proves_the_log(self, portal, tmp_path):
        portal(*ADD, "--generate-password")
        with unit_of_work() as session:
            head = head_of_log(session, "caraguatatuba-sp")
        kept = tmp_path / "letter.txt"
        kept.write_text(
            f"Guarde esta linha:\nanchor 2030-03-10 {head.municipality} {head.sequence} {head.hash}\n"
        )
        assert "1 anchors agree" in portal("desk", "verify-log", "--anchor", kept).output

        kept.write_text(f"anchor 2030-03-10 {head.municipality} 7 {head.hash}")
        answer = portal("desk", "verify-log", "--anchor", kept)
        assert answer.exit_code == 1
        assert "anchored at entry 7" in answer.output

    def test_a_broken_chain_is_told_by_the_exit_code(self, portal):
        portal(*ADD, "--generate-password")
        assert portal("desk", "verify-log").exit_code == 0

        with unit_of_work(writes=True) as session:
            if session.get_bind().dialect.name == "postgresql":
                session.execute(text("ALTER TABLE audit_entries DISABLE TRIGGER USER"))
            else:
                for guard in ("audit_entries_keep_update", "audit_entries_keep_delete"):
                    session.execute(text(f"DROP TRIGGER {guard}"))
            session.execute(update(AuditRow).values(actor="staff:9"))

        answer = portal("desk", "verify-log", "--municipality", "caraguatatuba-sp")
        assert answer.exit_code == 1
        assert "broken at entry 1" in answer.output


class TestKeys:
    def test_a_folder_is_made_once(self, portal, tmp_path):
        folder = tmp_path / "secrets"

        assert portal("keys", "new", folder).exit_code == 0
        again = portal("keys", "new", folder)

        assert again.exit_code == 1
        assert "exists" in again.output
        assert portal("keys", "add", folder).output == "Every municipality has its key.\n"
