"""The QR codes in a photo: read in the workshop, as a photo is what a stranger sent."""

import io

import zxingcpp
from PIL import Image, ImageOps

from portal.files.made import Refusal

LARGEST_SIDE = 1600
"""Pixels to which a photo is made smaller before it is read: a code that fills a tenth of it is still seen."""
MOST_PIXELS = 60_000_000
MOST_CODES, LONGEST = 4, 1000


def codes_in(data: bytes) -> tuple[str, ...]:
    """The texts of the codes in a photo, at most four; raises ``Refusal`` for what is no picture."""
    try:
        with Image.open(io.BytesIO(data)) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                raise Refusal("too_many_pixels")
            opened.draft("L", (LARGEST_SIDE, LARGEST_SIDE))
            picture = ImageOps.exif_transpose(opened).convert("L")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise Refusal("unreadable") from error
    picture.thumbnail((LARGEST_SIDE, LARGEST_SIDE))
    found = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode)  # type: ignore[arg-type]
    return tuple(one.text[:LONGEST] for one in found[:MOST_CODES] if one.text)
