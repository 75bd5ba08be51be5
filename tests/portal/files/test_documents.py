from io import BytesIO

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from portal.domain.evidence import PAGE_LIMIT, EvidenceKind
from portal.files.documents import without_boxes, without_segments
from portal.files.made import Refusal
from portal.files.workshop import make_anew
from tests.factories.evidence import jpeg, pdf

ALERT = "app.alert(TELLTALE)"


def refused(data):
    with pytest.raises(Refusal) as refusal:
        make_anew(data)
    return refusal.value


def changed(change, data=None):
    with pikepdf.open(BytesIO(data or pdf())) as document:
        change(document)
        out = BytesIO()
        document.save(out)
    return out.getvalue()


def everything_in(data):
    with pikepdf.open(BytesIO(data)) as document:
        return b"".join(one.unparse() for one in document.objects) + document.trailer.unparse()


class TestADocument:
    def test_keeps_its_pages_and_nothing_of_its_author(self):
        made = make_anew(pdf(pages=3))
        assert (made.kind, made.media_type) == (EvidenceKind.DOCUMENT, "application/pdf")
        with pikepdf.open(BytesIO(made.data)) as document:
            assert len(document.pages) == 3
            assert "/Info" not in document.trailer
            assert "/Metadata" not in document.Root
        assert b"TELLTALE" not in made.data

    def test_loses_scripts_that_run_when_it_is_opened(self):
        run = Dictionary(S=Name.JavaScript, JS=ALERT)

        def add(document):
            document.Root.OpenAction = run
            document.Root.AA = Dictionary(WC=run)
            document.Root.Names = Dictionary(JavaScript=Dictionary(Names=Array(["x", run])))
            document.pages[0].obj.AA = Dictionary(O=run)

        made = everything_in(make_anew(changed(add)).data)
        for left in (b"JavaScript", b"TELLTALE", b"OpenAction", b"/AA"):
            assert left not in made

    def test_loses_files_within_and_what_a_click_would_do(self):
        def add(document):
            document.attachments["TELLTALE.exe"] = b"TELLTALE bytes"
            link = Dictionary(
                Type=Name.Annot,
                Subtype=Name.Link,
                Rect=[0, 0, 9, 9],
                A=Dictionary(S=Name.Launch, F="TELLTALE"),
            )
            document.pages[0].obj.Annots = document.make_indirect(Array([link]))

        made = everything_in(make_anew(changed(add)).data)
        for left in (b"TELLTALE", b"EmbeddedFile", b"Launch", b"Annot"):
            assert left not in made

    def test_takes_the_place_out_of_the_photos_in_it(self):
        def add(document):
            photo = document.make_stream(
                jpeg(), Type=Name.XObject, Subtype=Name.Image, Width=40, Height=30, BitsPerComponent=8,
                ColorSpace=Name.DeviceRGB, Filter=Name.DCTDecode, Metadata=document.make_stream(b"<x>TELLTALE</x>"),
            )  # fmt: skip
            document.pages[0].obj.Resources = Dictionary(XObject=Dictionary(A=photo))

        made = make_anew(changed(add))
        assert b"TELLTALE" not in made.data
        with pikepdf.open(BytesIO(made.data)) as document:
            assert pikepdf.PdfImage(document.pages[0].obj.Resources.XObject.A).as_pil_image().size == (40, 30)

    def test_forgets_what_an_earlier_version_said(self):
        before = pdf()
        made = make_anew(before + b"\n%TELLTALE of an update\n")
        assert b"TELLTALE" not in made.data

    def test_that_a_password_locks_is_refused(self):
        out = BytesIO()
        with pikepdf.open(BytesIO(pdf())) as document:
            document.save(out, encryption=pikepdf.Encryption(owner="a", user="b"))
        assert refused(out.getvalue()).why == "pdf_locked"

    def test_with_more_pages_than_anybody_reads_is_refused(self):
        refusal = refused(pdf(pages=PAGE_LIMIT + 1))
        assert (refusal.why, refusal.limit) == ("too_many_pages", PAGE_LIMIT)

    @pytest.mark.parametrize("part", [0.1, 0.3])
    def test_cut_short_is_refused(self, part):
        data = pdf()
        assert refused(data[: int(len(data) * part)]).why == "unreadable"


class TestPicturesWithin:
    def test_a_jpeg_keeps_what_its_colours_need(self):
        telling = segment(0xE1, b"Exif") + segment(0xED, b"8BIM") + segment(0xFE, b"comment")
        needed = segment(0xE0, b"JFIF"), segment(0xE2, b"ICC"), segment(0xEE, b"Adobe")
        rest = b"\xff\xda\x00\x02pixels\xff\xd9"
        sent = b"\xff\xd8" + needed[0] + telling + needed[1] + needed[2] + rest
        assert without_segments(sent + b"appended") == b"\xff\xd8" + b"".join(needed) + rest

    def test_what_says_to_be_a_jpeg_and_is_none_is_refused(self):
        with pytest.raises(Refusal):
            without_segments(b"PK\x03\x04")

    def test_a_jpeg_2000_loses_its_boxes_of_text(self):
        signature, text, picture = box(b"jP  ", b"x"), box(b"xml ", b"<a/>"), box(b"jp2c", b"y")
        assert without_boxes(signature + text + picture) == signature + picture


def segment(marker, text):
    return bytes([0xFF, marker]) + (len(text) + 2).to_bytes(2, "big") + text


def box(kind, text):
    return (len(text) + 8).to_bytes(4, "big") + kind + text
