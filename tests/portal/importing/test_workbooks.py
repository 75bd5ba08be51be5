"""Files that would harm whoever opens them, and files of other programs: each is refused with its reason."""

import io
import tracemalloc
import zipfile

import pytest

from portal.importing import workbooks
from portal.importing.sheets import UnreadableSheet, read_lines

NAMES = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
RELS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def text(place: str, value: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>'


HEAD = f'<row r="1">{text("A1", "numero")}{text("B1", "placa")}</row>'


def sheet(rows: str, dimension: str = "A1:B2", before: str = "") -> str:
    return (
        f'<?xml version="1.0"?>{before}<worksheet {NAMES}><dimension ref="{dimension}"/>'
        f"<sheetData>{rows}</sheetData></worksheet>"
    )


def book(content: str, **parts: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        )
        file.writestr(
            "_rels/.rels",
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="r1" Type="{RELS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        file.writestr(
            "xl/workbook.xml",
            f'<workbook {NAMES} xmlns:r="{RELS}"><sheets>'
            '<sheet name="Fulano de Tal" sheetId="1" r:id="r1"/></sheets></workbook>',
        )
        file.writestr(
            "xl/_rels/workbook.xml.rels",
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="r1" Type="{RELS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        )
        file.writestr("xl/worksheets/sheet1.xml", content)
        for name, part in parts.items():
            file.writestr(name, part)
    return packed.getvalue()


@pytest.fixture
def refusal(tmp_path):
    def read(content: bytes, name: str = "cadastro.xlsx") -> str:
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(UnreadableSheet) as refused:
            list(read_lines(path, score))
        return refused.value.code

    return read


def score(cells):
    return 2 if "placa" in cells else 0


def lines(tmp_path, content: bytes):
    path = tmp_path / "cadastro.xlsx"
    path.write_bytes(content)
    return [tuple(line.cells) for line in read_lines(path, score)]


class TestWhatIsRead:
    def test_rows_below_a_merged_title(self, tmp_path):
        rows = f'<row r="1">{text("A1", "Prefeitura")}</row>'
        rows += f'<row r="3">{text("A3", "numero")}{text("B3", "placa")}</row>'
        rows += f'<row r="4">{text("A4", "2026/1")}{text("B4", "BRA1A11")}</row>'
        merged = sheet(rows).replace(
            "</worksheet>", '<mergeCells><mergeCell ref="A1:B1"/></mergeCells></worksheet>'
        )

        assert lines(tmp_path, book(merged)) == [("numero", "placa"), ("2026/1", "BRA1A11")]

    def test_a_formula_counts_for_the_value_that_was_kept_of_it(self, tmp_path):
        row = (
            '<row r="2"><c r="A2" t="str"><f>1&amp;"/2026"</f><v>1/2026</v></c>'
            + text("B2", "BRA1A11")
            + "</row>"
        )

        assert lines(tmp_path, book(sheet(HEAD + row)))[1] == ("1/2026", "BRA1A11")

    def test_a_dimension_that_lies_is_not_believed(self, tmp_path):
        assert lines(tmp_path, book(sheet(HEAD, "A1:XFD1048576"))) == [("numero", "placa")]

    def test_cells_without_a_place_stand_one_after_the_other(self, tmp_path):
        row = '<row><c t="inlineStr"><is><t>1/2026</t></is></c></row>'

        assert len(lines(tmp_path, book(sheet(HEAD + row)))) == 2


class TestWhatIsRefused:
    def test_two_cells_in_opposite_corners(self, refusal):
        far = f'<row r="1048576">{text("XFD1048576", "x")}</row>'
        content = book(sheet(HEAD + far))

        tracemalloc.start()
        assert refusal(content) == "too_large"
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
        tracemalloc.stop()

    @pytest.mark.parametrize("part", ["xl/sharedStrings.xml", "xl/styles.xml", "docProps/app.xml"])
    def test_a_part_that_unpacks_to_more_than_there_may_be(self, refusal, monkeypatch, part):
        monkeypatch.setattr(workbooks, "LARGEST_UNPACKED", 1_000_000)

        assert refusal(book(sheet(HEAD), **{part: " " * 2_000_000})) == "too_large"

    def test_a_part_that_is_longer_than_it_says(self, refusal):
        content = book(sheet(HEAD), **{"xl/sharedStrings.xml": "x" * 100_000})
        told = (100_000).to_bytes(4, "little")
        assert content.count(told) >= 2

        assert refusal(content.replace(told, (10).to_bytes(4, "little"))) == "unreadable_file"

    @pytest.mark.parametrize("place", ["ZZZZ1", "A999999999999", "1A", "A", "É1"])
    def test_a_place_that_is_none(self, refusal, place):
        assert refusal(book(sheet(f'<row r="1">{text(place, "x")}</row>'))) == "unreadable_file"

    def test_entities_that_grow(self, refusal):
        bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'

        assert refusal(book(sheet(HEAD, before=bomb))) == "unreadable_file"

    def test_too_many_sheets(self, refusal):
        more = {f"xl/worksheets/sheet{n}.xml": sheet(HEAD) for n in range(2, workbooks.MOST_SHEETS + 3)}

        assert refusal(book(sheet(HEAD), **more)) == "too_large"

    def test_a_sheet_cut_off_in_the_middle(self, refusal):
        assert refusal(book(sheet(HEAD))[:-200]) == "unreadable_file"

    def test_any_other_zip(self, refusal):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as file:
            file.writestr("cadastro.csv", "numero;placa")

        assert refusal(packed.getvalue()) == "unreadable_file"

    def test_opendocument(self, refusal):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as file:
            file.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
            file.writestr("content.xml", "<x/>")

        assert refusal(packed.getvalue(), "cadastro.ods") == "other_format"

    def test_an_old_workbook_and_one_behind_a_password(self, refusal):
        assert refusal(workbooks.OLD_OFFICE + b"\0" * 600) == "other_format"
        assert refusal(workbooks.OLD_OFFICE + "EncryptedPackage".encode("utf-16-le")) == "encrypted"

    def test_a_printed_list(self, refusal):
        assert refusal(b"%PDF-1.7 numero placa") == "other_format"
