"""What can be sent as evidence, and how much of it: the one place where the limits stand.

A sentence that names a limit takes it from here, in the web, the bot and the proxy's example alike.
"""

from enum import StrEnum
from typing import Final

MEGABYTE: Final = 1024 * 1024

FILE_LIMIT: Final = 10
"""Files of one complaint."""


class EvidenceKind(StrEnum):
    """Judged by content, never by name or by what the sender declares."""

    PHOTO = "photo"
    DOCUMENT = "document"
    AUDIO = "audio"
    VIDEO = "video"


MEGABYTES: Final = {
    EvidenceKind.PHOTO: 15,
    EvidenceKind.DOCUMENT: 15,
    EvidenceKind.AUDIO: 25,
    EvidenceKind.VIDEO: 60,
}
"""Size of one file as sent."""

LARGEST_FILE: Final = max(MEGABYTES.values()) * MEGABYTE
"""Bytes: nothing bigger is read at all."""
LARGEST_UPLOAD: Final = LARGEST_FILE + 60 * MEGABYTE
"""Bytes of one request: the longest video, or four photos as a telephone takes them beside a shorter one."""

PIXEL_LIMIT: Final = 50_000_000
"""Width times height; 50 megapixels take 150 MB once decoded."""
LONGEST_SIDE: Final = 2560
"""Pixels kept: a plate across the street is still read, and the desk's list still opens on a slow line."""
THUMBNAIL: Final = 320
"""Pixels of the longest side in a list at the desk."""
PAGE_LIMIT: Final = 100
"""Pages of a document."""


class Mismatch(StrEnum):
    """How a file's own date or place disagrees with what was told. Only the desk is told, and only this word:
    neither the date nor the place is kept."""

    DATE = "date"
    """Another day than the answer, or no day near the complaint at all."""
    FUTURE = "future"
    PLACE = "place"
    """Far from the place of the answer, or from the municipality."""
