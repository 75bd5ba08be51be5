import zlib
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageOps, PngImagePlugin

from portal.domain.evidence import LONGEST_SIDE
from portal.files.images import TAKES_HEIC
from portal.files.made import Refusal
from portal.files.workshop import make_anew


def encoded(image, kind="JPEG", **options):
    out = BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def picture(width=40, height=30, mode="RGB"):
    """Red on its left half, so that a turn is seen."""
    image = Image.new(mode, (width, height))
    image.paste((200, 0, 0) if mode == "RGB" else (200, 0, 0, 255), (0, 0, width // 2, height))
    return image


def opened(photo):
    return Image.open(BytesIO(photo.data))


def refused(data):
    with pytest.raises(Refusal) as problem:
        make_anew(data)
    return problem.value


class TestWhatIsTaken:
    @pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
    def test_is_made_anew_as_a_jpeg(self, kind):
        photo = make_anew(encoded(picture(), kind))
        assert (opened(photo).format, photo.width, photo.height) == ("JPEG", 40, 30)

    def test_loses_position_date_owner_and_what_was_appended(self):
        exif = Image.Exif()
        exif[0x0132], exif[0x013B], exif[0x010F] = "2019:01:01 00:00:00", "Owner", "Camera"
        exif.get_ifd(0x8825)[2] = (23.0, 37.0, 0.0)
        photo = make_anew(encoded(picture(), exif=exif, comment=b"hello") + b"<?php PK\x03\x04")
        assert not opened(photo).getexif()
        assert set(opened(photo).info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
        for told in (b"Exif", b"Owner", b"2019", b"hello", b"<?php"):
            assert told not in photo.data

    def test_is_turned_upright(self):
        exif = Image.Exif()
        exif[0x0112] = 6  # the camera lay on its side
        photo = make_anew(encoded(picture(40, 30), exif=exif))
        assert (photo.width, photo.height) == (30, 40)
        assert opened(photo).getpixel((15, 5))[0] > 150  # what was left is on top

    def test_is_made_smaller_when_it_is_huge(self):
        photo = make_anew(encoded(Image.new("RGB", (6000, 3000))))
        assert (photo.width, photo.height) == (LONGEST_SIDE, LONGEST_SIDE // 2)

    def test_what_shows_through_becomes_white(self):
        photo = make_anew(encoded(Image.new("RGBA", (10, 10), (0, 0, 0, 0)), "PNG"))
        assert opened(photo).getpixel((5, 5)) == (255, 255, 255)

    @pytest.mark.parametrize("mode", ["L", "P", "CMYK", "1"])
    def test_in_whatever_colours(self, mode):
        kind = "JPEG" if mode in ("L", "CMYK") else "PNG"
        assert make_anew(encoded(picture().convert(mode), kind)).width == 40


class TestWhatIsRefused:
    @pytest.mark.parametrize(
        "data",
        [
            b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
            b"<!doctype html><script>alert(1)</script>",
            b"PK\x03\x04" + bytes(100),
            b"GIF89a" + bytes(100),
            b"II*\x00" + bytes(100),
        ],
    )
    def test_what_is_no_photo_whatever_its_name(self, data):
        assert refused(data).why == "not_taken"

    def test_half_a_photo(self):
        assert refused(encoded(picture(400, 300))[:2000]).why == "unreadable"

    def test_a_bomb_of_pixels_before_it_is_decoded(self):
        # A PNG that claims 19,000 x 19,000 pixels in a few bytes.
        header = b"IHDR" + (19000).to_bytes(4, "big") * 2 + b"\x08\x00\x00\x00\x00"
        chunk = (13).to_bytes(4, "big") + header + zlib.crc32(header).to_bytes(4, "big")
        body = b"IDAT" + zlib.compress(bytes(1000))
        bomb = b"\x89PNG\r\n\x1a\n" + chunk + (len(body) - 4).to_bytes(4, "big") + body + bytes(4)
        assert refused(bomb).why == "too_many_pixels"

    def test_a_bomb_of_text(self):
        text = PngImagePlugin.PngInfo()
        text.add_text("a", "x" * 80_000_000, zip=True)
        assert refused(encoded(picture(), "PNG", pnginfo=text)).why == "too_heavy"


EXPECTED = {
    "hostis/broken.png": "unreadable",
    "hostis/pngtest_bad.png.bin": "not_taken",
    "hostis/png_decompression_dos.png": "too_heavy",
    "hostis/truncated_jpeg.jpg": "unreadable",
    "hostis/crash-7d4c83eb92150fb8f1653a697703ae06ae7c4998.j2k": "not_taken",
    "hostis/oom-225817ca0f8c663be7ab4b9e717b02c661e66834.tif": "not_taken",
    "hostis/decompression_bomb.gif": "not_taken",
    "hostis/zero_width.gif": "not_taken",
    "hostis/exif.avif": "not_taken",
    "heif/corrupted.heic": "unreadable",
}
"""What is refused among the real files; every other one is taken."""


class TestRealFiles:
    def test_each_is_taken_without_metadata_or_refused_in_words(self, shared):
        folder = shared / "data" / "fotos"
        outcome = {}
        for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix != ".md"):
            name = str(path.relative_to(folder))
            try:
                photo = make_anew(path.read_bytes())
            except Refusal as problem:
                outcome[name] = problem.why
                continue
            assert not opened(photo).getexif(), name
            assert b"Exif" not in photo.data, name
        wanted = {name: why for name, why in EXPECTED.items() if TAKES_HEIC or not name.startswith("heif/")}
        if not TAKES_HEIC:
            heic = [*folder.glob("heif/*"), *folder.glob("exif/*.HEIC")]
            wanted |= {str(path.relative_to(folder)): "heic" for path in heic}
        assert outcome == wanted

    @pytest.mark.parametrize(
        ("name", "turned"), [("exif/landscape_6.jpg", True), ("exif/portrait_8.jpg", True)]
    )
    def test_orientation_is_applied(self, shared, name, turned):
        data = (shared / "data" / "fotos" / name).read_bytes()
        raw = Image.open(BytesIO(data))
        photo = make_anew(data)
        assert (photo.width > photo.height) == ((raw.width > raw.height) != turned)
        assert (photo.width, photo.height) == ImageOps.exif_transpose(raw).size

    def test_an_iphone_photo_under_another_name_is_the_same_photo(self, shared):
        data = Path(shared / "data" / "fotos" / "exif" / "IMG_5195.HEIC").read_bytes()
        if TAKES_HEIC:
            assert make_anew(data).width
        else:
            assert refused(data).why == "heic"
