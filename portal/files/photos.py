"""Photos as they arrive: judged by content, refused before they can hurt, re-encoded upright without metadata."""

import threading
import warnings
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageOps, UnidentifiedImageError

from portal.domain.errors import PhotoRefused
from portal.domain.texts import clean_line

try:
    from pillow_heif import register_heif_opener
except ImportError:  # the extra `heic`, whose wheel carries GPL code
    TAKES_HEIC = False
else:
    register_heif_opener(thumbnails=False)
    TAKES_HEIC = True

MEGABYTES = 10
"""Size of one photo as sent."""
PIXEL_LIMIT = 50_000_000
"""Width times height; 50 megapixels take 150 MB once decoded."""
LONGEST_SIDE = 2560
"""Pixels kept: a plate across the street is still read, and the desk's list still opens on a slow line."""

_FORMATS = ("JPEG", "PNG", "WEBP", "HEIF") if TAKES_HEIC else ("JPEG", "PNG", "WEBP")
_HEIF_BRANDS = (b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1")
_one_at_a_time = threading.Lock()  # several big photos decoded at once would add up


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo made anew from its pixels: no position, date, camera, owner, thumbnail or appended bytes."""

    name: str
    jpeg: bytes
    width: int
    height: int
    """Pixels, after turning upright."""

    media_type = "image/jpeg"


def clean_name(name: str) -> str:
    """A file's name to show: composed, without path, controls and direction overrides, at most 100 characters."""
    return clean_line(name.replace("\\", "/").rsplit("/", 1)[-1])[:100] or "foto"


def read_photo(name: str, data: bytes) -> Photo:
    """The photo in ``data``, made anew. Slow (a tenth of a second or more): call it outside of a transaction.

    Raises:
        PhotoRefused: with ``why`` and the file's name, so that the sentence stands beside the right file.
    """
    name = clean_name(name)
    if not data:
        raise PhotoRefused(name, "empty")
    if len(data) > MEGABYTES * 1024 * 1024:
        raise PhotoRefused(name, "too_large", limit=MEGABYTES)
    with _one_at_a_time, warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # Pillow warns of bad EXIF, which does not travel; size is judged below
        return _made_anew(name, data)


def _made_anew(name: str, data: bytes) -> Photo:
    try:
        with Image.open(BytesIO(data), formats=_FORMATS) as image:
            if image.width * image.height > PIXEL_LIMIT:
                raise PhotoRefused(name, "too_many_pixels")
            image.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))  # a JPEG is decoded at no more than is kept
            upright = ImageOps.exif_transpose(image)
            upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
            made = Image.new("RGB", upright.size, "white")
            if upright.has_transparency_data:
                upright = upright.convert("RGBA")
                made.paste(upright, mask=upright.getchannel("A"))
            else:
                made.paste(upright.convert("RGB"))
            out = BytesIO()
            made.save(out, "JPEG", quality=85)
    except PhotoRefused:
        raise
    except Image.DecompressionBombError:
        raise PhotoRefused(name, "too_many_pixels") from None
    except UnidentifiedImageError:
        raise PhotoRefused(name, _why_not(data)) from None
    except Exception:  # decoders fed with hostile bytes raise nearly anything
        raise PhotoRefused(name, "unreadable") from None
    return Photo(name=name, jpeg=out.getvalue(), width=made.width, height=made.height)


def _why_not(data: bytes) -> str:
    if data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS:
        return "unreadable" if TAKES_HEIC else "heic"
    looks_like_one = data.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")) or data[8:12] == b"WEBP"
    return "unreadable" if looks_like_one else "not_a_photo"
