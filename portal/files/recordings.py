"""Sound and video copied into a new container, without titles, places, dates, covers, chapters or data tracks.

Nothing is decoded: the coded sound and pictures are copied, so that a recording loses nothing and costs little.
Runs in the workshop's own process: see ``portal.files.workshop``.
"""

import contextlib
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from io import BytesIO
from typing import Any

from portal.domain.evidence import EvidenceKind
from portal.files.kinds import Family
from portal.files.made import CannotClean, Made, Refusal

try:
    import av
    from av.bitstream import BitStreamFilterContext
except ImportError:  # the extra `recordings`, whose wheel carries GPL code
    TAKES_APART = False
else:
    TAKES_APART = True
    av.logging.set_level(None)

_DEMUXER = {
    Family.MP4: "mov", Family.WEBM: "matroska", Family.OGG: "ogg", Family.MP3: "mp3", Family.WAV: "wav",
    Family.AMR: "amr", Family.ADTS: "aac",
}  # fmt: skip
_MUXERS = {
    Family.MP4: ("mp4", "3gp", "mov"), Family.WEBM: ("webm", "matroska"), Family.OGG: ("ogg",), Family.MP3: ("mp3",),
    Family.WAV: ("wav",), Family.AMR: ("amr",), Family.ADTS: ("adts",),
}  # fmt: skip
"""In the order in which they are tried: the first that holds all the codecs there are."""
_TYPES = {
    "mp4": ("audio/mp4", "video/mp4"), "3gp": ("audio/3gpp", "video/3gpp"),
    "mov": ("audio/mp4", "video/quicktime"), "webm": ("audio/webm", "video/webm"),
    "matroska": ("audio/x-matroska", "video/x-matroska"), "ogg": ("audio/ogg", "video/ogg"),
    "mp3": ("audio/mpeg", ""), "wav": ("audio/wav", ""), "amr": ("audio/amr", ""), "adts": ("audio/aac", ""),
}  # fmt: skip
_OPTIONS = {
    "mp3": {"id3v2_version": "0", "write_id3v1": "0", "write_xing": "0"},
}
_USER_DATA = {"h264": "6", "hevc": "39|40", "av1": "5"}
"""Units inside coded video where cameras and programs write what they please."""
_OURS = {
    "encoder", "language", "handler_name", "vendor_id", "major_brand", "minor_version", "compatible_brands",
    "duration",
}  # fmt: skip
"""What every container says of itself; the values are the muxer's own."""


def copy_recording(data: bytes, family: Family) -> Made:
    """The sound and pictures of a recording in a new file that says nothing else.

    Raises:
        Refusal: ``unreadable``: broken, or neither sound nor video.
        CannotClean: it can be played, but not be freed of all metadata; ``copy_recording`` alone knows.
    """
    if not TAKES_APART:
        raise CannotClean
    with _opened(data, family) as sent:
        video, tracks = _films(sent), _tracks(sent)
        if not tracks:
            raise Refusal("unreadable")
        told = _told(sent.metadata)
        codecs = [stream.codec_context.name if stream.codec_context else "" for stream in tracks]
        width, height = (video[0].width, video[0].height) if video else (0, 0)
        seconds = round(sent.duration / av.time_base) if sent.duration and sent.duration > 0 else None
        kind = EvidenceKind.VIDEO if video else EvidenceKind.AUDIO
    if "mpeg4" in codecs and _USER_DATA_OF_MPEG4 in data:
        raise CannotClean
    muxer, made, packets = _first_that_holds(data, family)
    if not packets:
        raise Refusal("unreadable")
    if not _is_clean(made, family, data):
        raise CannotClean
    return Made(
        kind=kind,
        media_type=_TYPES[muxer][bool(video)],
        data=made,
        width=width,
        height=height,
        seconds=seconds,
        taken_at=told[0],
        position=told[1],
    )


def look_at(data: bytes, family: Family) -> Made:
    """A recording as it was sent, for sealing: its kind and length; raises ``Refusal`` when it does not open."""
    if not TAKES_APART:  # nobody here can look inside
        kind = EvidenceKind.VIDEO if family in (Family.MP4, Family.WEBM) else EvidenceKind.AUDIO
        return Made(
            kind=kind,
            media_type=_TYPES[_MUXERS[family][0]][kind is EvidenceKind.VIDEO],
            data=data,
            clean=False,
        )
    with _opened(data, family) as sent:
        video = _films(sent)
        if not video and not sent.streams.audio:
            raise Refusal("unreadable")
        return Made(
            kind=EvidenceKind.VIDEO if video else EvidenceKind.AUDIO,
            media_type=_TYPES[_MUXERS[family][0]][bool(video)],
            data=data,
            width=video[0].width if video else 0,
            height=video[0].height if video else 0,
            seconds=round(sent.duration / av.time_base) if sent.duration and sent.duration > 0 else None,
            clean=False,
        )


@contextlib.contextmanager
def _opened(data: bytes, family: Family) -> Iterator[Any]:
    try:
        # The demuxer is named, so that no playlist is ever followed; the bytes are all it can read.
        sent = av.open(BytesIO(data), "r", format=_DEMUXER[family], metadata_errors="replace")
    except MemoryError:
        raise
    except Exception:
        raise Refusal("unreadable") from None
    try:
        yield sent
    finally:
        with contextlib.suppress(Exception):
            sent.close()


def _is_cover(stream: Any) -> bool:
    return bool(stream.disposition & av.stream.Disposition.attached_pic) or stream.codec_context is None


def _first_that_holds(data: bytes, family: Family) -> tuple[str, bytes, int]:
    """The container, the new file and the number of its packets; raises ``CannotClean`` when none takes the codecs."""
    for muxer in _MUXERS[family]:
        try:
            with _opened(data, family) as sent:
                return muxer, *_copied(sent, _tracks(sent), muxer)
        except (Refusal, MemoryError):
            raise
        except Exception:  # noqa: S112 (a codec that this container does not hold)
            continue
    raise CannotClean


def _tracks(sent: Any) -> list[Any]:
    """The first film and the first sound; covers, subtitles, chapters and data are left behind."""
    return [*_films(sent)[:1], *sent.streams.audio[:1]]


def _films(sent: Any) -> list[Any]:
    return [stream for stream in sent.streams.video if not _is_cover(stream)]


def _copied(sent: Any, tracks: list[Any], muxer: str) -> tuple[bytes, int]:
    out = BytesIO()
    packets = 0
    with av.open(out, "w", format=muxer, options={"fflags": "+bitexact", **_OPTIONS.get(muxer, {})}) as made:
        copies = {}
        for stream in tracks:
            copy = made.add_stream_from_template(stream)
            copy.metadata.clear()
            codec = stream.codec_context.codec.canonical_name
            units = _USER_DATA.get(codec)
            chain = (
                BitStreamFilterContext(f"filter_units=remove_types={units}", stream, copy) if units else None
            )
            if stream.codec_context.name == "hevc" and (kept := stream.codec_context.extradata):
                copy.codec_context.extradata = without_user_data(bytes(kept))
            copies[stream.index] = copy, chain
        made.metadata.clear()
        for packet in sent.demux(tracks):
            copy, chain = copies[packet.stream.index]
            if not packet.size:  # the last one, which only says that the stream has ended
                continue
            for ready in chain.filter(packet) if chain else [packet]:
                ready.stream = copy
                made.mux(ready)
                packets += 1
        for copy, chain in copies.values():
            for ready in chain.filter(None) if chain else []:
                ready.stream = copy
                made.mux(ready)
    return out.getvalue(), packets


def without_user_data(hvcc: bytes) -> bytes:
    """The head of an HEVC stream (ISO/IEC 14496-15, 8.3.3.1) without the messages that programs leave in it.

    Units follow each other after start codes, as the filter of the stream hands on its packets.
    """
    if len(hvcc) < 23 or hvcc[0] != 1:
        return hvcc
    units, at = [], 23
    for _array in range(hvcc[22]):
        kind = hvcc[at] & 0x3F
        count, at = int.from_bytes(hvcc[at + 1 : at + 3], "big"), at + 3
        for _unit in range(count):
            end = at + 2 + int.from_bytes(hvcc[at : at + 2], "big")
            if kind not in (39, 40):
                units.append(b"\x00\x00\x00\x01" + hvcc[at + 2 : end])
            at = end
    return b"".join(units)


def _is_clean(made: bytes, family: Family, sent: bytes) -> bool:
    """Whether the new file says nothing: no tag of its own, and none of the old ones anywhere in its bytes."""
    with _opened(sent, family) as old:
        tags = _tags(old)
    with _opened(made, family) as new:
        if set(_tags(new)) - _OURS:
            return False
        extra = b"".join(
            bytes(stream.codec_context.extradata or b"") for stream in new.streams if stream.codec_context
        )
    told = [value.encode() for key, value in tags.items() if key not in _OURS and len(value) > 5]
    return not any(value in made for value in told) and b"=" not in _comment(extra)


def _comment(extra: bytes) -> bytes:
    """The comment header of Vorbis inside a WebM, which is copied as it is: ``TITLE=…``."""
    at = extra.find(b"\x03vorbis")
    return extra[at : extra.find(b"\x05vorbis", at)] if at >= 0 else b""


def _tags(container: Any) -> dict[str, str]:
    found = {key.lower(): value for key, value in container.metadata.items()}
    for stream in container.streams:
        found |= {key.lower(): value for key, value in stream.metadata.items() if key.lower() not in _OURS}
    return found


_USER_DATA_OF_MPEG4 = b"\x00\x00\x01\xb2"
_ISO_6709 = re.compile(r"([+-]\d{1,2}\.\d+)([+-]\d{1,3}\.\d+)")


def _told(metadata: Mapping[str, str]) -> tuple[str | None, tuple[float, float] | None]:
    """When and where a recording says it was made."""
    said = {key.lower(): value for key, value in metadata.items()}
    moment = position = None
    written = said.get("com.apple.quicktime.creationdate") or said.get("creation_time") or ""
    with contextlib.suppress(ValueError):
        moment = datetime.fromisoformat(written.replace("Z", "+00:00")).replace(microsecond=0)
    if moment and moment.year < 2000:  # a container without a date says 1904 or 1970
        moment = None
    place = said.get("com.apple.quicktime.location.iso6709") or said.get("location") or ""
    if match := _ISO_6709.match(place):
        position = (round(float(match[1]), 5), round(float(match[2]), 5))
    return moment.isoformat() if moment else None, position
