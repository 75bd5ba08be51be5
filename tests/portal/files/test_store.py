"""One contract for every place where evidence lies: a folder, and an S3-compatible store."""

import os
from datetime import UTC, datetime, timedelta

import pytest

from portal.config import settings
from portal.domain.errors import FilesAway
from portal.files.store import LocalFiles, file_store

NAME, OTHER = "0a" * 16, "0b" * 16


class Contract:
    def test_what_was_put_is_there_whole(self, store):
        data = os.urandom(300_000)
        store.put(NAME, data)
        assert store.get(NAME) == data

    def test_putting_again_changes_nothing(self, store):
        for _time in range(2):
            store.put(NAME, b"the same")
        assert store.get(NAME) == b"the same"
        assert [name for name, _at in store.names()] == [NAME]

    def test_what_never_was_is_not_found(self, store):
        with pytest.raises(FileNotFoundError):
            store.get(OTHER)

    def test_forgetting_is_for_good_and_may_be_repeated(self, store):
        store.put(NAME, b"gone soon")
        for _time in range(2):
            store.delete(NAME)
        with pytest.raises(FileNotFoundError):
            store.get(NAME)
        assert list(store.names()) == []

    def test_each_name_comes_with_the_instant_of_its_putting(self, store):
        store.put(NAME, b"a")
        store.put(OTHER, b"b")
        found = dict(store.names())
        assert set(found) == {NAME, OTHER}
        assert all(abs(datetime.now(UTC) - at) < timedelta(minutes=5) for at in found.values())

    @pytest.mark.parametrize("name", ["../secret", "", "A" * 32, "0a" * 15, "0a/" + "0" * 29])
    def test_no_path_is_a_name(self, store, name):
        for ask in (store.get, store.delete, lambda name: store.put(name, b"")):
            with pytest.raises(ValueError, match="no name of ours"):
                ask(name)


class TestAFolder(Contract):
    @pytest.fixture
    def store(self, tmp_path):
        return LocalFiles(tmp_path / "files")

    def test_one_that_cannot_be_written_is_away_and_keeps_no_half(self, store):
        store.folder.parent.mkdir(exist_ok=True)
        store.folder.write_text("a file where the folder should be")
        with pytest.raises(FilesAway) as away:
            store.put(NAME, b"a")
        assert away.value.why in ("ENOTDIR", "EEXIST")


@pytest.mark.slow
class TestAnS3Store(Contract):
    @pytest.fixture
    def store(self, s3, environment, monkeypatch):
        monkeypatch.setenv("FILES_URL", s3.url)
        monkeypatch.setenv("FILES_KEY_ID", "only-for-tests")
        monkeypatch.setenv("FILES_SECRET", "only-for-tests")
        monkeypatch.setenv("FILES_TIMEOUT", "1.5")
        made = file_store(settings().files_url)
        yield made
        s3.thaw()
        for name, _at in list(made.names()):
            made.delete(name)
        file_store.cache_clear()

    def test_one_that_says_nothing_is_away_within_its_time(self, s3, store):
        s3.freeze()
        with pytest.raises(FilesAway):
            store.put(NAME, b"a")
        with pytest.raises(FilesAway):
            store.get(NAME)
        s3.thaw()
        store.put(NAME, b"a")
        assert store.get(NAME) == b"a"

    def test_a_bucket_that_is_not_there_is_no_missing_file(self, s3, store, monkeypatch):
        lost = file_store(settings().files_url.replace("evidence", "nowhere"))
        with pytest.raises(FilesAway):
            lost.put(NAME, b"a")


class TestTheAddress:
    @pytest.mark.parametrize("url", ["ftp://x", "/folder", "s3:///folder", "s3://bucket?colour=red"])
    def test_one_that_names_no_store_is_refused(self, url, environment):
        with pytest.raises(ValueError, match="FILES_URL"):
            file_store(url)
