"""Archives and tables that somebody made to hurt whoever opens them."""

import io
import tarfile
import zipfile

import pytest

from portal.importing.gtfs import read_gtfs
from portal.importing.sources import Report
from portal.services.backups import NoBackup, opened
from portal.services.backups import _manifest as read_manifest
from tests.factories.feeds import FEED


class TestAPathInAnArchive:
    @pytest.mark.parametrize(
        "path", ["../outside.txt", "/tmp/outside.txt", "..\\outside.txt", "a/../../outside.txt"]
    )
    def test_leads_nowhere(self, tmp_path, path):
        """A feed is read where it lies: nothing is unpacked, so that a name is only a name."""
        feed = tmp_path / "in" / "feed.zip"
        feed.parent.mkdir()
        with zipfile.ZipFile(feed, "w") as archive:
            for name, text in FEED.items():
                archive.writestr(name, text)
            archive.writestr(path, "planted")
        before = sorted(tmp_path.rglob("*"))
        read_gtfs(feed, Report())

        assert sorted(tmp_path.rglob("*")) == before

    @pytest.mark.parametrize("kind", ["up", "absolute", "link", "hard link", "device"])
    def test_of_a_backup_leads_nowhere(self, tmp_path, kind):
        source = tmp_path / "in" / "backup.tar"
        source.parent.mkdir()
        member = tarfile.TarInfo(
            {"up": "../outside", "absolute": str(tmp_path / "outside")}.get(kind, "backup/x")
        )
        if kind == "link":
            member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
        elif kind == "hard link":
            member.type, member.linkname = tarfile.LNKTYPE, "../../outside"
        elif kind == "device":
            member.type = tarfile.CHRTYPE
        else:
            member.size = 7
        with tarfile.open(source, "w") as archive:
            archive.addfile(member, io.BytesIO(b"planted"))
        with pytest.raises(NoBackup), opened(source) as folder:
            read_manifest(folder)

        assert not (tmp_path / "outside").exists()
        assert list(source.parent.iterdir()) == [source]


class TestAFeedThatIsBroken:
    @pytest.mark.parametrize("at", range(40, 400, 24))
    def test_in_the_middle_of_what_is_packed_is_refused_in_words(self, tmp_path, at):
        feed = tmp_path / "feed.zip"
        with zipfile.ZipFile(feed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in FEED.items():
                archive.writestr(name, text)
        data = bytearray(feed.read_bytes())
        data[at : at + 8] = b"\xff" * 8
        feed.write_bytes(data)

        read_gtfs(feed, Report())  # whatever it says, it says it in its report

    def test_of_a_version_of_archives_to_come_is_refused_in_words(self, tmp_path):
        feed, report = tmp_path / "feed.zip", Report()
        with zipfile.ZipFile(feed, "w") as archive:
            for name, text in FEED.items():
                archive.writestr(name, text)
        data = bytearray(feed.read_bytes())
        data[data.index(b"PK\x01\x02") + 6] = 245  # version needed to open it
        feed.write_bytes(data)
        read_gtfs(feed, report)

        assert report.refused
