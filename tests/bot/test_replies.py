import pytest

from bot.replies import split


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


class TestSplitting:
    def test_a_short_text_is_one_message(self):
        assert list(split("Olá")) == ["Olá"]

    def test_nothing_is_no_message(self):
        assert list(split(" \n ")) == []

    def test_no_word_is_broken(self):
        text = " ".join(f"palavra{number}" for number in range(2000))
        pages = list(split(text))
        assert all(units(page) <= 4096 for page in pages)
        assert " ".join(pages) == text

    def test_paragraphs_stay_together_when_they_can(self):
        first, second = "a" * 3000, "b" * 3000
        assert list(split(f"{first}\n\n{second}")) == [first, second]

    @pytest.mark.parametrize("sign", ["🚂", "👨‍👩‍👧", "🇧🇷"])
    def test_no_emoji_is_broken_and_each_counts_two_units(self, sign):
        pages = list(split(sign * 3000))
        assert all(0 < units(page) <= 4096 for page in pages)
        assert all(page.replace(sign, "") == "" for page in pages)
        assert "".join(pages) == sign * 3000

    def test_one_word_longer_than_a_message_is_cut_where_it_must(self):
        pages = list(split("x" * 10_000))
        assert [len(page) for page in pages] == [4096, 4096, 1808]

    def test_three_hundred_line_breaks_survive(self):
        assert list(split("a" + "\n" * 300 + "b")) == ["a" + "\n" * 300 + "b"]
