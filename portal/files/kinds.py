"""What a file is, by its first bytes. A name says nothing, and neither does a declared type."""

from enum import StrEnum

from portal.domain.evidence import EvidenceKind


class Family(StrEnum):
    """What opens it; the demuxer of a recording is chosen here, so that no other is ever tried on hostile bytes."""

    IMAGE = "image"
    HEIF = "heif"
    PDF = "pdf"
    MP4 = "mp4"
    """MP4, MOV, M4A, 3GP."""
    WEBM = "webm"
    OGG = "ogg"
    MP3 = "mp3"
    WAV = "wav"
    AMR = "amr"
    """The voice recorder of older telephones."""
    ADTS = "adts"
    """AAC without a container."""


HEIF_BRANDS = (b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1")
_STILL = (*HEIF_BRANDS, b"avif", b"avis", b"jxl ", b"crx ")  # pictures in the container of films
_ATOMS = (b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot")  # how QuickTime began before it had `ftyp`


def family_of(data: bytes) -> Family | None:
    """The family of a file's content; None for what is not taken."""
    head = data[:16]
    if head.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")) or (
        head.startswith(b"RIFF") and head[8:12] == b"WEBP"
    ):
        return Family.IMAGE
    if head[4:8] == b"ftyp":
        if head[8:12] in HEIF_BRANDS:
            return Family.HEIF
        return None if head[8:12] in _STILL else Family.MP4
    for start, family in _STARTS:
        if head.startswith(start):
            return family
    if head.startswith(b"RIFF") and head[8:12] == b"WAVE":
        return Family.WAV
    if head[4:8] in _ATOMS:
        return Family.MP4
    if b"%PDF-" in data[:1024]:  # readers allow for so much before it, and some scanners write it
        return Family.PDF
    if len(head) > 3 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0:  # the sync word of MPEG audio
        layer = head[1] & 0x06
        return Family.ADTS if layer == 0 and head[1] & 0xF0 == 0xF0 else Family.MP3 if layer else None
    return None


_STARTS = (
    (b"%PDF-", Family.PDF),
    (b"\x1aE\xdf\xa3", Family.WEBM),
    (b"OggS", Family.OGG),
    (b"ID3", Family.MP3),
    (b"#!AMR", Family.AMR),
)

_KINDS = {
    Family.IMAGE: EvidenceKind.PHOTO,
    Family.HEIF: EvidenceKind.PHOTO,
    Family.PDF: EvidenceKind.DOCUMENT,
    Family.MP3: EvidenceKind.AUDIO,
    Family.WAV: EvidenceKind.AUDIO,
    Family.AMR: EvidenceKind.AUDIO,
    Family.ADTS: EvidenceKind.AUDIO,
}


def kind_at_most(family: Family) -> EvidenceKind:
    """The kind whose limit holds before a file is opened: an MP4 may turn out to be sound alone."""
    return _KINDS.get(family, EvidenceKind.VIDEO)
