"""``portal doctor``: what is wrong, what to do, and an exit code that a timer understands."""

import pytest
from click.testing import CliRunner

from portal import clock
from portal.cli import main
from portal.config import settings
from portal.services import housekeeping
from portal.services.backups import make_backup
from portal.services.unit_of_work import unit_of_work
from portal.storage.migrate import stamp
from tests.factories.permits import put_list


@pytest.fixture
def installed(keys, database, monkeypatch):
    """A portal at work: tables up to date, a worker, a list of today, a backup."""
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
    stamp(database)
    with unit_of_work(writes=True) as session:
        put_list(session, as_of=clock.now().date())
    for chore in housekeeping.claim(now=clock.now()):
        housekeeping.done(chore, now=clock.now())
    make_backup(keys / "copy", now=clock.now())
    return keys


def examined(*options):
    answer = CliRunner().invoke(main, ["doctor", "--offline", *options])
    assert answer.exception is None or isinstance(answer.exception, SystemExit), answer.exception
    return answer.exit_code, answer.output


class TestADoctor:
    def test_finds_nothing_wrong_with_a_portal_at_work(self, installed):
        code, told = examined()
        assert code == 0, told
        assert "→" not in told

    def test_says_each_thing_that_is_wrong_and_what_to_do(self, installed, monkeypatch):
        (installed / "desk.env").chmod(0o644)
        (installed / "store").write_text("a file where the folder should be")
        for name, value in {
            "FILES_URL": f"file://{installed}/store", "REDIS_URL": f"redis+unix://{installed}/nothing",
            "SECRET_KEY": "change-me",
        }.items():  # fmt: skip
            monkeypatch.setenv(name, value)
        settings.cache_clear()
        with unit_of_work(writes=True) as session:
            from portal.storage.chores import chore_done

            chore_done(session, "files", now=clock.now(), due=clock.now(), failure="OperationalError")
        code, told = examined()
        assert code == 2
        for words in (
            "podem ler", "chmod 600", "O armazenamento de arquivos não guarda", "O Redis não responde",
            "SECRET_KEY é curto", "A tarefa “files” falha: OperationalError",
        ):  # fmt: skip
            assert words in told, told
        assert "change-me" not in told

    def test_says_that_nobody_works_and_nothing_is_kept(self, keys, database, monkeypatch):
        monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
        stamp(database)
        code, told = examined()
        assert code == 2
        assert "Nenhum worker deu sinal (último: nunca)" in told
        assert "`portal backup PASTA`" in told
        assert "`portal import permits`" in told

    def test_says_which_tables_are_missing_before_anything_else_of_the_database(self, keys, monkeypatch):
        monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
        code, told = examined()
        assert (code, "`portal migrate`" in told) == (2, True)

    def test_says_which_settings_are_missing(self, environment, monkeypatch):
        monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
        monkeypatch.delenv("FILES_URL")
        settings.cache_clear()
        code, told = examined()
        assert code == 2
        assert "Faltam ajustes, ou estão errados: FILES_URL." in told
