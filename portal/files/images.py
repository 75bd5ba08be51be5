"""Photos made anew from their pixels: upright, without position, date, camera, owner, thumbnail or appended bytes.

Runs in the workshop's own process: see ``portal.files.workshop``.
"""

import math
import warnings
from datetime import datetime
from io import BytesIO
from typing import Any

from PIL import Image, ImageOps, UnidentifiedImageError

from portal.domain.evidence import LONGEST_SIDE, PIXEL_LIMIT, THUMBNAIL, EvidenceKind
from portal.files.made import Made, Refusal

try:
    from pillow_heif import register_heif_opener
except ImportError:  # the extra `heic`, whose wheel carries GPL code
    TAKES_HEIC = False
else:
    register_heif_opener(thumbnails=False)
    TAKES_HEIC = True

_FORMATS = ("JPEG", "PNG", "WEBP", "HEIF") if TAKES_HEIC else ("JPEG", "PNG", "WEBP")
_TAKEN_AT, _DIGITISED_AT, _OFFSET, _EXIF, _GPS = 0x9003, 0x9004, 0x9011, 0x8769, 0x8825


def remake_image(data: bytes) -> Made:
    """The picture in ``data`` as a JPEG, and what its metadata said; only the first frame of one that moves.

    Raises ``Refusal``: ``too_many_pixels``, ``too_heavy``, ``unreadable``.
    """
    warnings.simplefilter("ignore")  # Pillow warns of bad EXIF, which does not travel; size is judged below
    try:
        with Image.open(BytesIO(data), formats=_FORMATS) as image:
            if image.width * image.height > PIXEL_LIMIT:
                raise Refusal("too_many_pixels")
            taken_at, position = _told(image)
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
    except (Refusal, MemoryError):
        raise
    except Image.DecompressionBombError:
        raise Refusal("too_many_pixels") from None
    except UnidentifiedImageError:
        raise Refusal("unreadable") from None
    except ValueError as error:  # a chunk of text that opens into megabytes
        raise Refusal("too_heavy" if "too" in str(error).lower() else "unreadable") from None
    except Exception:  # decoders fed with hostile bytes raise nearly anything
        raise Refusal("unreadable") from None
    return Made(
        kind=EvidenceKind.PHOTO,
        media_type="image/jpeg",
        data=out.getvalue(),
        width=made.width,
        height=made.height,
        taken_at=taken_at,
        position=position,
    )


def _told(image: Image.Image) -> tuple[str | None, tuple[float, float] | None]:
    """When and where a picture says it was taken: an ISO moment, with an offset if it has one, and degrees."""
    try:
        exif = image.getexif()
        details = exif.get_ifd(_EXIF)
        return _moment(details), _position(exif.get_ifd(_GPS))
    except Exception:  # what cannot be read is no suggestion, and no fault of the picture
        return None, None


def _moment(details: dict[int, Any]) -> str | None:
    written = details.get(_TAKEN_AT) or details.get(_DIGITISED_AT)
    try:
        moment = datetime.strptime(str(written).strip("\0 "), "%Y:%m:%d %H:%M:%S")  # noqa: DTZ007
    except ValueError:
        return None
    offset = str(details.get(_OFFSET, "")).strip("\0 ")
    try:
        return datetime.fromisoformat(moment.isoformat() + offset).isoformat()
    except ValueError:
        return moment.isoformat()


def _position(gps: dict[int, Any]) -> tuple[float, float] | None:
    try:
        latitude, longitude = _degrees(gps[2]), _degrees(gps[4])
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return None
    if str(gps.get(1, "N")).upper().startswith("S"):
        latitude = -latitude
    if str(gps.get(3, "E")).upper().startswith("W"):
        longitude = -longitude
    known = math.isfinite(latitude) and math.isfinite(longitude) and (latitude, longitude) != (0, 0)
    if not known or abs(latitude) > 90 or abs(longitude) > 180:
        return None
    return round(latitude, 5), round(longitude, 5)


def _degrees(parts: Any) -> float:
    degrees, minutes, seconds = (float(part) for part in parts)
    return degrees + minutes / 60 + seconds / 3600


def thumbnail(jpeg: bytes) -> bytes:
    """One of our own photos, small enough for a list."""
    with Image.open(BytesIO(jpeg), formats=("JPEG",)) as image:
        image.draft("RGB", (THUMBNAIL, THUMBNAIL))
        image.thumbnail((THUMBNAIL, THUMBNAIL))
        out = BytesIO()
        image.save(out, "JPEG", quality=75)
    return out.getvalue()
