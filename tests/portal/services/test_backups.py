"""A portal put aside while it runs and brought back: what stands in it afterwards is what stood in it then."""

import json
import tarfile

import pytest
from sqlalchemy import select

from portal.config import settings
from portal.files.store import file_store
from portal.services.backups import (
    MANIFEST,
    NoBackup,
    WouldReplace,
    make_backup,
    opened,
    read_backup,
    restore_backup,
    sealed_elsewhere,
)
from portal.services.schema import migrate_database
from portal.services.unit_of_work import unit_of_work
from portal.storage.complaints import ComplaintRow
from portal.storage.database import engine
from portal.storage.drafts import EvidenceRow
from portal.storage.migrate import downgrade, stamp
from tests.conftest import ON_POSTGRESQL
from tests.factories.complaints import put_complaint
from tests.factories.evidence import put_evidence
from tests.portal.services.complaints.test_intake import NOW


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def portal(request, keys, monkeypatch):
    """A database as the migrations leave it, with a complaint and its photo."""
    if request.param == "postgresql":
        monkeypatch.setenv("DATABASE_URL", request.getfixturevalue("postgres_url"))
        settings.cache_clear()
        engine.cache_clear()
        migrate_database()
    else:
        if ON_POSTGRESQL:
            pytest.skip("for want of SQLite")
        stamp(request.getfixturevalue("database"))  # a copy of all tables takes no second, migrating does
    with unit_of_work(writes=True) as session:
        put_evidence(session, put_complaint(session))
    yield keys
    engine().dispose()


def protocols() -> set[str]:
    with unit_of_work() as session:
        return set(session.scalars(select(ComplaintRow.protocol)))


class TestAsItWas:
    def test_what_came_afterwards_is_gone_and_what_went_is_back(self, portal, tmp_path):
        before = protocols()
        make_backup(tmp_path / "copy", now=NOW)
        store = file_store(settings().files_url)
        [(photo, _at)] = store.names()
        with unit_of_work(writes=True) as session:
            put_complaint(session, protocol="ZZZZ-ZZZZ-ZZZZ")
            [row] = session.scalars(select(EvidenceRow))
            session.delete(row)
        store.delete(photo)

        made = restore_backup(tmp_path / "copy", replace=True)

        assert protocols() == before
        assert store.get(photo) == b"\xff\xd8\xff of pixels"
        with unit_of_work() as session:
            assert [row.stored_as for row in session.scalars(select(EvidenceRow))] == [photo]
        assert made.rows["complaints"] == 1
        with unit_of_work(writes=True) as session:  # and numbers go on where they were
            put_complaint(session)

    def test_a_copy_of_older_tables_is_brought_up_to_date(self, portal, tmp_path):
        downgrade(engine(), "0011")
        with pytest.MonkeyPatch.context() as patch:  # older code had no such table to note it in
            patch.setattr("portal.services.backups.chore_done", lambda *_a, **_k: None)
            patch.setattr("portal.services.backups.know_chores", lambda *_a, **_k: None)
            make_backup(tmp_path / "copy", now=NOW)
        migrate_database()

        restore_backup(tmp_path / "copy", replace=True)

        assert len(protocols()) == 1
        make_backup(tmp_path / "again", now=NOW)  # the newest table is there


class TestWhatIsNotReplaced:
    def test_a_database_that_holds_something_unless_it_is_said(self, portal, tmp_path):
        make_backup(tmp_path / "copy", now=NOW)
        with pytest.raises(WouldReplace):
            restore_backup(tmp_path / "copy", replace=False)

    def test_an_older_backup_of_the_same_name(self, portal, tmp_path):
        make_backup(tmp_path / "copy", now=NOW)
        with pytest.raises(FileExistsError):
            make_backup(tmp_path / "copy", now=NOW)


class TestOneFile:
    def test_holds_the_same(self, portal, tmp_path):
        made = make_backup(tmp_path / "copy.tar", now=NOW)
        with opened(tmp_path / "copy.tar") as folder:
            assert read_backup(folder) == made
        assert (tmp_path / "copy.tar").stat().st_mode & 0o777 == 0o600
        assert [path.name for path in tmp_path.iterdir() if "backup-" in path.name] == []


class TestReading:
    @pytest.fixture
    def copy(self, portal, tmp_path):
        make_backup(tmp_path / "copy", now=NOW)
        return tmp_path / "copy"

    def test_a_byte_that_changed_is_found(self, copy):
        [photo] = copy.joinpath("files").glob("??/*")
        photo.write_bytes(b"\xff\xd8\xff of other pixels")
        with pytest.raises(NoBackup, match="not what was written"):
            read_backup(copy)

    def test_a_database_cut_short_is_found_and_nothing_is_touched(self, copy):
        database = next(copy.glob("portal.*"))
        database.write_bytes(database.read_bytes()[:-4096])
        before = protocols()
        with pytest.raises(NoBackup):
            restore_backup(copy, replace=True)
        assert protocols() == before

    @pytest.mark.parametrize("told", [{"database": "../x"}, {"files": {"../../x": ""}}, {"format": 2}])
    def test_a_manifest_that_names_what_is_not_ours_is_refused(self, copy, told):
        said = json.loads((copy / MANIFEST).read_text())
        (copy / MANIFEST).write_text(json.dumps(said | told))
        with pytest.raises(NoBackup):
            read_backup(copy)

    def test_a_file_that_the_store_has_lost_is_named(self, portal, tmp_path):
        store = file_store(settings().files_url)
        [(photo, _at)] = store.names()
        store.delete(photo)
        assert make_backup(tmp_path / "copy", now=NOW).lost == (photo,)

    def test_an_archive_that_climbs_out_is_refused(self, tmp_path):
        (tmp_path / "evil").write_text("x")
        with tarfile.open(tmp_path / "evil.tar", "w") as archive:
            archive.add(tmp_path / "evil", arcname="../evil")
        with pytest.raises(NoBackup), opened(tmp_path / "evil.tar"):
            pass


class TestKeys:
    def test_are_in_it_only_when_asked_for(self, portal, tmp_path):
        secret = settings().secret_key.get_secret_value().encode()
        make_backup(tmp_path / "without", now=NOW)
        make_backup(tmp_path / "with", now=NOW, keys_from=portal)
        assert not any(
            secret in path.read_bytes() for path in (tmp_path / "without").rglob("*") if path.is_file()
        )
        assert secret in (tmp_path / "with" / "keys" / "portal.env").read_bytes()

    def test_other_ones_here_are_told(self, portal, tmp_path, monkeypatch):
        made = make_backup(tmp_path / "copy", now=NOW)
        assert sealed_elsewhere(made) == ()
        monkeypatch.setenv("ACCESS_KEY_PEPPER", "another-" + "7" * 32)
        settings.cache_clear()
        assert sealed_elsewhere(made) == ("pepper",)
