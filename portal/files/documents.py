"""PDFs written anew: the same pages, without scripts, forms, attachments, metadata or earlier versions.

Runs in the workshop's own process: see ``portal.files.workshop``.
"""

from io import BytesIO
from typing import Any

import pikepdf
from pikepdf import Dictionary, Name, Pdf, Stream

from portal.domain.evidence import PAGE_LIMIT, EvidenceKind
from portal.files.made import Made, Refusal

_TELLING = (
    "/A", "/AA", "/AF", "/Dests", "/EF", "/EmbeddedFiles", "/JS", "/JavaScript", "/LastModified", "/Launch",
    "/Metadata", "/Names", "/OpenAction", "/PA", "/PieceInfo", "/RichMedia", "/Thumb", "/URI", "/XFA",
)  # fmt: skip
"""What acts, and what tells who wrote it, when and with what. Names of a page's resources are left alone."""
_PAGE_EXTRAS = ("/Annots", "/B", "/StructParents", "/Tabs", "/ID", "/SeparationInfo", "/UserProperties")


def rewrite_document(data: bytes) -> Made:
    """The pages of a PDF in a new one. What notes and filled-in fields show becomes part of the page.

    Raises ``Refusal``: ``pdf_locked``, ``too_many_pages``, ``unreadable``.
    """
    try:
        with Pdf.open(BytesIO(data), suppress_warnings=True) as sent, Pdf.new() as made:
            if sent.is_encrypted and not sent.allow.extract:
                raise Refusal("pdf_locked")
            pages = len(sent.pages)
            if pages > PAGE_LIMIT:
                raise Refusal("too_many_pages", PAGE_LIMIT)
            if not pages:
                raise Refusal("unreadable")
            _flatten(sent)
            for page in sent.pages:
                _strip_page(page.obj)
            made.pages.extend(sent.pages)
            if (layers := sent.Root.get("/OCProperties")) is not None:
                # Without it a layer that its author hid would show.
                made.Root.OCProperties = made.copy_foreign(sent.make_indirect(layers))
            for found in made.objects:
                _strip(found)
            out = BytesIO()
            made.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    except (Refusal, MemoryError):
        raise
    except pikepdf.PasswordError:
        raise Refusal("pdf_locked") from None
    except Exception:  # a parser fed with hostile bytes raises nearly anything
        raise Refusal("unreadable") from None
    return Made(kind=EvidenceKind.DOCUMENT, media_type="application/pdf", data=out.getvalue())


def _flatten(sent: Pdf) -> None:
    try:
        sent.generate_appearance_streams()
        sent.flatten_annotations("screen")
    except Exception:  # a form too broken to draw is left out; the page stays
        return


def _strip_page(page: Any) -> None:
    for key in _PAGE_EXTRAS:
        if key in page:
            del page[key]


def _strip(found: Any) -> None:
    """Take out of an object, and of what stands directly inside it, all that tells or acts."""
    if isinstance(found, Stream):
        _strip_dictionary(found)
        _strip_picture(found)
    elif isinstance(found, Dictionary):
        _strip_dictionary(found)
    elif isinstance(found, pikepdf.Array):
        for inner in found:
            if isinstance(inner, Dictionary | pikepdf.Array) and not inner.is_indirect:
                _strip(inner)


def _strip_dictionary(found: Any) -> None:
    for key in list(found.keys()):
        if key in _TELLING and not _names_a_resource(found, key):
            del found[key]
            continue
        inner = found[key]
        if isinstance(inner, Dictionary | pikepdf.Array) and not inner.is_indirect:
            _strip(inner)


def _names_a_resource(found: Any, key: str) -> bool:
    """A font or picture may be called ``/A``: those maps hold nothing but indirect streams and dictionaries."""
    value = found[key]
    return (
        len(key) == 2
        and isinstance(value, Stream | Dictionary)
        and (
            "/Subtype" in value
            or value.get("/Type") in (Name.Font, Name.XObject, Name.ExtGState, Name.Pattern)
        )
    )


def _strip_picture(found: Stream) -> None:
    """A photo inside a PDF may still be the camera's own file, with the place where it was taken."""
    filters: Any = found.get("/Filter")
    chain: list[Any] = list(filters) if isinstance(filters, pikepdf.Array) else [filters]
    if chain[-1:] not in ([Name.JPXDecode], [Name.DCTDecode]):
        return
    if len(chain) > 1:  # a photo inside of another coding: nobody's scanner writes it
        raise Refusal("unreadable")
    clean = without_segments if chain[0] == Name.DCTDecode else without_boxes
    parameters: Any = found.get("/DecodeParms")
    found.write(clean(found.read_raw_bytes()), filter=chain[0], decode_parms=parameters)


def without_segments(jpeg: bytes) -> bytes:
    """A JPEG without what tells of its making: APP1 (EXIF, XMP), APP3 to APP13, APP15 and comments.

    Colour needs APP0, APP2 (ICC) and APP14. Raises ``Refusal`` for what is no JPEG.
    """
    if not jpeg.startswith(b"\xff\xd8"):
        raise Refusal("unreadable")
    kept, at = [b"\xff\xd8"], 2
    while at + 4 <= len(jpeg) and jpeg[at] == 0xFF:
        marker = jpeg[at + 1]
        if marker == 0xFF:  # fill bytes may stand before a marker
            at += 1
            continue
        length = int.from_bytes(jpeg[at + 2 : at + 4], "big")
        if marker == 0xDA or length < 2:  # from here on the picture itself, up to its end
            end = jpeg.rfind(b"\xff\xd9")
            return b"".join(kept) + (jpeg[at : end + 2] if end > at else jpeg[at:])
        if not (0xE1 <= marker <= 0xEF and marker not in (0xE2, 0xEE)) and marker != 0xFE:
            kept.append(jpeg[at : at + 2 + length])
        at += 2 + length
    raise Refusal("unreadable")


def without_boxes(jpeg2000: bytes) -> bytes:
    """A JPEG 2000 file without its boxes of XML and of free content; a bare codestream stays as it is."""
    if jpeg2000.startswith(b"\xff\x4f"):
        return jpeg2000
    kept, at = [], 0
    while at + 8 <= len(jpeg2000):
        length, kind = int.from_bytes(jpeg2000[at : at + 4], "big"), jpeg2000[at + 4 : at + 8]
        if length == 1:
            length = int.from_bytes(jpeg2000[at + 8 : at + 16], "big")
        length = length or len(jpeg2000) - at
        if length < 8:
            raise Refusal("unreadable")
        if kind not in (b"xml ", b"uuid", b"uinf"):
            kept.append(jpeg2000[at : at + length])
        at += length
    return b"".join(kept)
