"""CSV that a Brazilian spreadsheet opens and never runs."""

import csv
from io import StringIO

import pytest

from portal.domain.spreadsheets import cell, decimal, spreadsheet


class TestCells:
    @pytest.mark.parametrize(
        "told",
        ['=HYPERLINK("http://x","clique")', "-1", "@SUM(A1)", "\tcmd", "\r=1", "+1", " =1", "\n=1", "＝1"],
    )
    def test_a_formula_is_only_words(self, told):
        assert cell(told) == f"'{told}"

    def test_a_telephone_stays_readable(self):
        assert cell("+55 12 99999-9999") == "'+55 12 99999-9999"

    @pytest.mark.parametrize("told", ["Vagão cheio = perigo", "🚂 lotado", "", "28/11/2026"])
    def test_other_words_stay_as_they_are(self, told):
        assert cell(told) == told

    def test_a_figure_has_its_comma(self):
        assert (decimal(9.5), decimal(None)) == ("9,5", "")


class TestTheFile:
    def test_accents_columns_and_lines_come_out_right(self):
        content = spreadsheet(["Relato", "Nº"], [("Lotação; gente em pé\n“de novo”", 3), ("=1", -1)])

        assert content.startswith(b"\xef\xbb\xbf")
        read = list(csv.reader(StringIO(content.decode("utf-8-sig"), newline=""), delimiter=";"))
        assert read == [["Relato", "Nº"], ["Lotação; gente em pé\n“de novo”", "3"], ["'=1", "-1"]]
