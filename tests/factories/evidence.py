"""Files as people send them, made by code, and files that lie with a complaint."""

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import av
import pikepdf
from PIL import Image
from sqlalchemy.orm import Session

from portal.config import settings
from portal.files.store import file_store
from portal.storage.complaints import ComplaintRow
from portal.storage.drafts import EvidenceRow

TELLS = {
    "title": "TELLTALE title",
    "artist": "TELLTALE Maria",
    "comment": "TELLTALE comment",
    "location": "-23.6205-045.4131/",
    "creation_time": "2026-11-28T17:02:00Z",
}
"""What a telephone writes into a recording."""


def jpeg(
    *,
    taken: str | None = None,
    offset: str | None = None,
    position: tuple[float, float] | None = None,
    colour: str = "navy",
) -> bytes:
    """A small photo; ``taken`` as EXIF writes it, ``position`` in degrees north and east."""
    exif = Image.Exif()
    if taken:
        exif.get_ifd(0x8769)[0x9003] = taken
    if offset:
        exif.get_ifd(0x8769)[0x9011] = offset
    if position:
        north, east = position
        place = exif.get_ifd(0x8825)
        place[1], place[2] = "N" if north >= 0 else "S", (abs(north), 0.0, 0.0)
        place[3], place[4] = "E" if east >= 0 else "W", (abs(east), 0.0, 0.0)
    exif[0x010F] = "TELLTALE maker"
    out = BytesIO()
    Image.new("RGB", (40, 30), colour).save(out, "JPEG", exif=exif)
    return out.getvalue()


def recording(
    container: str = "mp4",
    video: str | None = "libx264",
    audio: str | None = "aac",
    *,
    tells: Mapping[str, str] = TELLS,
    seconds: int = 1,
) -> bytes:
    """A film or sound of ``seconds`` in the container and codecs that libav names."""
    out = BytesIO()
    with av.open(out, "w", format=container) as made:
        made.metadata.update(tells)
        film = made.add_stream(video, rate=10) if video else None
        sound = made.add_stream(audio, rate=48000) if audio else None
        if sound:
            sound.layout = "mono"  # before anything is written: then both codecs are opened
        if film:
            film.width, film.height, film.pix_fmt = 64, 48, "yuv420p"
            film.metadata["handler_name"] = "TELLTALE handler"
            for number in range(10 * seconds):
                picture = av.VideoFrame(64, 48, "yuv420p")
                for plane in picture.planes:
                    plane.update(bytes([number * 5 % 256]) * plane.buffer_size)
                picture.pts = number
                made.mux(film.encode(picture))
            made.mux(film.encode(None))
        if sound:
            samples = sound.codec_context.frame_size or 960
            for at in range(0, 48000 * seconds, samples):
                heard = av.AudioFrame(format=sound.format.name, layout="mono", samples=samples)
                for plane in heard.planes:
                    plane.update(bytes(plane.buffer_size))
                heard.sample_rate, heard.pts = 48000, at
                made.mux(sound.encode(heard))
            made.mux(sound.encode(None))
    return out.getvalue()


def voice() -> bytes:
    """What Telegram sends as a voice note."""
    return recording("ogg", None, "libopus")


def stubborn() -> bytes:
    """A film in whose pictures its program has written: nothing takes that out without making them anew."""
    return recording("mp4", "mpeg4", "aac")


def pdf(*, pages: int = 1, **root: Any) -> bytes:
    """A document whose author, dates and program stand in it, and what ``root`` adds to its catalogue."""
    with pikepdf.new() as made:
        for _page in range(pages):
            made.add_blank_page(page_size=(200, 200))
        made.docinfo["/Author"] = "TELLTALE Maria"
        with made.open_metadata() as metadata:
            metadata["dc:title"] = "TELLTALE title"
        for key, value in root.items():
            made.Root[f"/{key}"] = value
        out = BytesIO()
        made.save(out)
    return out.getvalue()


def put_evidence(
    session: Session, complaint: ComplaintRow, data: bytes = b"\xff\xd8\xff of pixels", **told: Any
) -> EvidenceRow:
    """A file that lies with a complaint."""
    stored_as = told.pop("stored_as", None) or secrets.token_hex(16)
    file_store(settings().files_url).put(stored_as, data)
    row = EvidenceRow(
        **{
            "token": secrets.token_urlsafe(12), "stored_as": stored_as, "name": "foto-1.jpg", "kind": "photo",
            "media_type": "image/jpeg", "size": len(data), "width": 4, "height": 3, "mismatches": [],
            "added_at": datetime(2030, 3, 1, 15, tzinfo=UTC), "complaint_id": complaint.id,
        } | told
    )  # fmt: skip
    session.add(row)
    session.flush()
    return row
