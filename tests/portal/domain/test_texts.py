import pytest

from portal.domain.texts import clean_line, clean_text


class TestATextThatSaysNothing:
    @pytest.mark.parametrize(
        "blank",
        ["", "   ", "\u200b\u200b", "....", "\u00a0", "\u3164\u3164", "\u2800", "\u115f\uffa0", "\x00"],
    )
    def test_becomes_empty(self, blank):
        assert clean_text(blank) == ""

    @pytest.mark.parametrize("text", ["🚂🚂🚂", "🚂 lotado, criança em pé", "1", "سيارة"])
    def test_is_not_one_in_another_script_or_of_pictures(self, text):
        assert clean_text(text) == text


class TestAText:
    def test_keeps_its_paragraphs_and_no_gap_longer_than_one_line(self):
        assert clean_text("a\nb\n\nc" + "\r\n" * 300 + "d\n \n\t\ne") == "a\nb\n\nc\n\nd\n\ne"

    def test_is_composed_and_loses_what_turns_or_breaks_it(self):
        assert clean_text("Sa\u0303o\u202e\x00 \ud800Jose\u0301") == "São José"

    def test_on_one_line_has_no_breaks_at_all(self):
        assert clean_line(" a\n\tb ") == "a b"
