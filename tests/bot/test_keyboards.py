import pytest
from telegram import CallbackQuery, Update, User

from bot.keyboards import button, data, label, pressed, short, whole


class TestWhatAButtonCarries:
    def test_at_most_64_bytes(self):
        assert data("stop", 3510500, "praca-da-matriz") == "stop|3510500|praca-da-matriz"
        with pytest.raises(ValueError, match="64 bytes"):
            data("stop", "á" * 40)

    def test_a_long_or_accented_code_travels_as_a_short_id_and_is_found_again(self):
        codes = ["praca-da-matriz", "Praça Doutor Cândido Mota – Ponto Turístico Nº 2", "a|b", "~x"]
        for code in codes:
            carried = short(code)
            assert len(data("itinerary", 3510500, carried).encode()) <= 64
            assert whole(carried, codes) == code

    def test_a_code_that_is_gone_is_not_guessed(self):
        assert whole(short("ç" * 30), ["other"]) is None

    def test_what_a_button_carries_comes_apart_as_it_was_put_together(self):
        carried = button("Ponto", "stop", 1, "x").callback_data
        query = CallbackQuery("1", User(1, "Ana", False), "1", data=carried)

        assert pressed(Update(1, callback_query=query), 3) == ["stop", "1", "x"]
        assert pressed(Update(1, callback_query=query), 4) == ["stop", "1", "x", ""]


class TestNamesThatAreLongAndAccented:
    NAME = "Praça Doutor Cândido Mota – Ponto Turístico Nº 2 🚌🚌"

    def test_make_a_button_that_telegram_takes_and_that_finds_the_place_again(self):
        made = button(f"📍 {self.NAME}", "stop", 3510500, short(self.NAME))
        assert len(str(made.callback_data).encode()) <= 64
        assert made.text == "📍 Praça Doutor Cândido Mota – Ponto Tur…"
        assert whole(str(made.callback_data).split("|")[2], ["other", self.NAME]) == self.NAME


class TestLabels:
    def test_a_long_label_is_cut_with_an_ellipsis(self):
        assert (
            label("Praça Doutor Cândido Mota – Ponto Turístico Nº 2", 30) == "Praça Doutor Cândido Mota – P…"
        )

    @pytest.mark.parametrize("sign", ["👨‍👩‍👧", "🇧🇷", "👍🏽", "1️⃣", "e\u0301", "🚂"])
    def test_no_sign_is_torn_apart(self, sign):
        for most in range(8, 26):
            cut = label("Viação " + sign * 12, most)
            assert len(cut) <= most
            assert cut.rstrip("…").removeprefix("Viação").strip().replace(sign, "") == ""

    def test_line_breaks_and_doubled_spaces_go(self):
        assert label(" a \n  b ") == "a b"
