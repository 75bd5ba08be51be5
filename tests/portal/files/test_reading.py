import os
import subprocess
import sys
import zipfile
import zlib
from io import BytesIO

import pytest

from portal.domain.errors import FileRefused
from portal.domain.evidence import MEGABYTE, MEGABYTES, EvidenceKind
from portal.files import reading
from portal.files.kinds import Family, family_of
from portal.files.reading import clean_name, read_file
from tests.factories.evidence import jpeg, pdf, recording, voice


def refused(name, data):
    with pytest.raises(FileRefused) as problem:
        read_file(name, data)
    return problem.value


def zipped(content: bytes) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("bomb", content)
    return out.getvalue()


def claiming(width: int, height: int) -> bytes:
    """A PNG that says it is so large, and whose pixels would be zeros: some kilobytes."""
    header = b"IHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x00\x00\x00\x00"
    chunk = (13).to_bytes(4, "big") + header + zlib.crc32(header).to_bytes(4, "big")
    body = b"IDAT" + zlib.compress(bytes(40_000_000), 9)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk
        + (len(body) - 4).to_bytes(4, "big")
        + body
        + zlib.crc32(body).to_bytes(4, "big")
    )


class TestWhatIsTaken:
    @pytest.mark.parametrize("name", ["IMG_0001.JPG", "foto.exe", "texto.html", "sem-nome"])
    def test_is_judged_by_content_and_never_by_name(self, name):
        file = read_file(name, jpeg())
        assert (file.name, file.kind, file.media_type) == (name, EvidenceKind.PHOTO, "image/jpeg")

    @pytest.mark.parametrize(
        ("data", "kind"),
        [(pdf, EvidenceKind.DOCUMENT), (voice, EvidenceKind.AUDIO), (recording, EvidenceKind.VIDEO)],
    )
    def test_is_a_document_a_sound_or_a_film_too(self, data, kind):
        file = read_file("f", data())
        assert (file.kind, file.clean) == (kind, True)
        assert b"TELLTALE" not in file.data

    def test_keeps_only_the_photo_of_what_is_a_photo_and_something_else(self):
        page = b"<!doctype html><script>alert(1)</script>"
        for tail in (page, zipped(page), b"%PDF-1.7\n" + page):
            file = read_file("foto.jpg", jpeg() + tail)
            assert file.data.startswith(b"\xff\xd8\xff")
            for part in (b"script", b"PK", b"PDF"):
                assert part not in file.data


class TestWhatIsRefused:
    def test_nothing(self):
        assert refused("foto.jpg", b"").why == "empty"

    @pytest.mark.parametrize(
        "data",
        [
            b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
            b"<!doctype html><script>alert(1)</script>",
            b"GIF89a" + b",\x00\x00" * 10_000,
            b"#EXTM3U\nfile:///etc/passwd",
            b"ffconcat version 1.0\nfile /etc/passwd",
            b"\x00\x00\x00\x18ftypavif" + bytes(100),
            zipped(bytes(50_000_000)),
        ],
        ids=["svg", "html", "gif", "playlist", "concat", "avif", "zip"],
    )
    def test_what_is_none_of_what_we_take_before_anything_opens_it(self, data):
        assert refused("foto.jpg", data).why == "not_taken"

    @pytest.mark.parametrize("kind", [EvidenceKind.PHOTO, EvidenceKind.DOCUMENT])
    def test_more_than_its_kind_may_weigh(self, kind):
        start = jpeg() if kind is EvidenceKind.PHOTO else b"%PDF-1.7"
        problem = refused("f", start + bytes(MEGABYTES[kind] * MEGABYTE))
        assert (problem.why, problem.limit, problem.kind) == ("too_large", MEGABYTES[kind], kind)

    def test_a_picture_of_19_000_by_19_000_pixels(self):
        bomb = claiming(19_000, 19_000)
        assert len(bomb) < 60_000
        assert refused("foto.png", bomb).why == "too_many_pixels"

    @pytest.mark.parametrize(
        "start", [b"\xff\xd8\xff\xe0", b"%PDF-1.7 /JavaScript", b"OggS", b"\x1aE\xdf\xa3", b"ID3"]
    )
    def test_what_only_begins_like_one(self, start):
        assert refused("f", start + os.urandom(2000)).why == "unreadable"


class TestTheWorkshop:
    def test_refuses_what_takes_too_much_memory(self):
        greedy = (
            "import sys; from portal.files import workshop; workshop.limit_oneself(); "
            "workshop.make_anew = lambda data: bytes(2 * workshop.MEMORY); "
            "workshop.answer(sys.stdin.buffer, sys.stdout.buffer)"
        )
        ended = subprocess.run([sys.executable, "-c", greedy], input=b"", capture_output=True, check=True)
        assert b"too_heavy" in ended.stdout

    def test_is_ended_when_it_takes_too_long_and_the_next_file_is_read(self, monkeypatch):
        monkeypatch.setattr(reading, "SECONDS", 0.001)
        assert refused("foto.jpg", jpeg()).why == "too_heavy"
        monkeypatch.undo()
        assert read_file("foto.jpg", jpeg()).width == 40

    def test_knows_none_of_the_portals_secrets(self):
        assert set(reading._SURROUNDINGS) == {
            "PYTHONPATH",
            "PYTHONDONTWRITEBYTECODE",
            "OMP_NUM_THREADS",
            "LC_ALL",
        }


class TestKinds:
    @pytest.mark.parametrize(
        ("head", "family"),
        [
            (b"\xff\xd8\xff\xe1", Family.IMAGE), (b"RIFF\x00\x00\x00\x00WEBPVP8 ", Family.IMAGE),
            (b"\x00\x00\x00\x18ftypheic", Family.HEIF), (b"\x00\x00\x00\x14ftypqt  ", Family.MP4),
            (b"\x00\x00\x00\x18ftyp3gp4", Family.MP4), (b"\x00\x00\x00\x1cftypM4A ", Family.MP4),
            (b"\x00\x00\x00\x08wide", Family.MP4), (b"RIFF\x00\x00\x00\x00WAVEfmt ", Family.WAV),
            (b"\xff\xfb\x90\x00", Family.MP3), (b"\xff\xf1\x50\x80", Family.ADTS), (b"#!AMR\n", Family.AMR),
            (b"\xef\xbb\xbf%PDF-1.4", Family.PDF), (b"PK\x03\x04", None), (b"", None), (b"\xff", None),
        ],
    )  # fmt: skip
    def test_are_told_by_the_first_bytes(self, head, family):
        assert family_of(head) is family


class TestNames:
    @pytest.mark.parametrize(
        ("given", "shown"),
        [
            ("IMG_0001.HEIC", "IMG_0001.HEIC"), ("C:\\fotos\\a.jpg", "a.jpg"), ("../../etc/passwd", "passwd"),
            ("foto\u202egpj.exe", "fotogpj.exe"), ("a\x00b\n.jpg", "ab .jpg"), ("", "arquivo"), ("\u200b", "arquivo"),
            ("Sa\u0303o.jpg", "São.jpg"), ("a" * 500, "a" * 100),
        ],
    )  # fmt: skip
    def test_are_safe_to_show(self, given, shown):
        assert clean_name(given) == shown
