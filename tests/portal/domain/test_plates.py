from string import ascii_uppercase, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.domain.errors import UnreadableQuery
from portal.domain.plates import (
    NumberQuery,
    PlateQuery,
    find_plate,
    holds_personal_number,
    identify,
    near_misses,
    number_key,
    plate_key,
    printable,
    read_plate,
    twin,
)

letters = st.sampled_from(ascii_uppercase)
figures = st.sampled_from(digits)
plates = st.tuples(letters, letters, letters, figures, st.one_of(letters, figures), figures, figures).map(
    "".join
)
old_plates = st.tuples(letters, letters, letters, figures, figures, figures, figures).map("".join)
noise = st.sampled_from(["", " ", "-", ".", "–", "\u00a0", "\u200b", " - "])


def why(query: str) -> str:
    with pytest.raises(UnreadableQuery) as caught:
        identify(query)
    return caught.value.why


class TestReadingAPlate:
    @pytest.mark.parametrize(
        "typed",
        [
            "abc1d23",
            "ABC-1D23",
            " abc 1d23 ",
            "ABC.1D23",
            "abc–1d23",
            "ABC\u00a01D23",
            "‘ABC1D23’",
            "“ABC1D23”",
            "placa ABC1D23",
            "ＡＢＣ１Ｄ２３",
            "ABC1D23\u200b",
            "АВС1D23",  # А, В, С are Cyrillic
            "ΑBC1D23",  # Greek alpha
            "ABC\x001D23",
            "\ud800ABC1D23",
            "ABC/1D23",
            "a b c 1 d 2 3",
        ],
    )
    def test_every_spelling_is_one_plate(self, typed):
        read = identify(typed)

        assert isinstance(read, PlateQuery)
        assert read.plate == "ABC1D23"

    @pytest.mark.parametrize("typed", ["АВС1D23", "ΑBC1D23", "ABC1D23\u200b"])
    def test_look_alikes_are_folded_and_what_was_typed_is_kept(self, typed):
        read = identify(typed)

        assert read.folded
        assert read.typed == typed

    def test_plain_letters_are_not_called_look_alikes(self):
        assert not identify("abc-1d23").folded

    @pytest.mark.parametrize(
        ("typed", "plate"), [("ABC1DO3", "ABC1D03"), ("0BC1D23", "OBC1D23"), ("ABCI234", "ABC1234")]
    )
    def test_a_letter_in_the_place_of_a_digit_is_read_and_said(self, typed, plate):
        read = identify(typed)

        assert (read.plate, read.corrected) == (plate, True)

    def test_a_letter_that_may_stand_there_is_left_alone(self):
        assert identify("ABC1O23").plate == "ABC1O23"

    @given(plates, st.lists(noise, min_size=6, max_size=6), st.booleans())
    def test_any_plate_survives_any_typing(self, plate, gaps, lower):
        typed = "".join(a + b for a, b in zip(plate, [*gaps, ""], strict=True))

        read = identify(typed.lower() if lower else typed)

        assert isinstance(read, PlateQuery)
        assert read.plate == plate
        assert read_plate(typed) == plate

    @given(st.text(max_size=300))
    def test_any_text_is_read_or_refused_in_words(self, typed):
        try:
            told = identify(typed).key
        except UnreadableQuery as error:
            told = error.why

        assert told

    @given(st.text(max_size=50))
    def test_what_is_echoed_can_be_written_as_utf8_without_controls(self, typed):
        shown = printable(typed)

        assert shown.encode().decode() == shown
        assert "\x00" not in shown


class TestRefusingToRead:
    @pytest.mark.parametrize("typed", ["ABC123", "abc-123", "ABC1D2", "ABC1D234", "BC1D23", "AB1234"])
    def test_a_cut_plate_is_told_its_length_and_never_looked_up(self, typed):
        assert why(typed) == "length"

    @pytest.mark.parametrize("typed", ["AB 123 CD", "ABCD 123", "1234 ABC", "ab123cd"])
    def test_a_plate_of_another_country_is_called_so(self, typed):
        assert why(typed) == "foreign"

    @pytest.mark.parametrize("typed", ["", "   ", "....", "\u200b\u200b", "🚂🚂", "\x00"])
    def test_nothing_typed_is_empty(self, typed):
        assert why(typed) == "empty"

    @pytest.mark.parametrize(
        "typed", ["sem placa", "' or 1=1 --", "Praça da Matriz", "12345678901", "123.456.789-09"]
    )
    def test_the_rest_is_unreadable(self, typed):
        assert why(typed) == "unreadable"

    def test_a_long_text_is_not_said_back_whole(self):
        with pytest.raises(UnreadableQuery) as caught:
            identify("palavra " * 100)

        assert len(caught.value.query) <= 60


class TestReadingAPermitNumber:
    @pytest.mark.parametrize(
        "typed",
        [
            "2026/0001",
            "2026/1",
            "1/2026",
            "0001-2026",
            "2026 0001",
            "2026.0001",
            "nº 2026/0001",
            "20260001",
            "Autorização 2026/0001",
        ],
    )
    def test_every_spelling_has_one_key(self, typed):
        read = identify(typed)

        assert isinstance(read, NumberQuery)
        assert read.key == "2026/1"

    @pytest.mark.parametrize(
        ("typed", "key"),
        [
            ("123", "123"),
            ("A-12", "A12"),
            ("a 12", "A12"),
            ("0007", "7"),
            ("26.026/2025", "2025/26026"),
            ("prefixo 3655", "3655"),
        ],
    )
    def test_the_numbers_that_registers_use(self, typed, key):
        assert identify(typed).key == key

    def test_a_number_that_would_be_read_as_a_plate_has_no_key(self):
        assert number_key("ABC1234") is None
        assert number_key("ABC-123") is None

    def test_a_plate_with_a_number_beside_it_asks_whether_they_belong_together(self):
        read = identify("2026/0001 abc1d23")

        assert isinstance(read, PlateQuery)
        assert (read.plate, read.number_key) == ("ABC1D23", "2026/1")


class TestTwins:
    def test_the_second_digit_became_a_letter(self):
        assert twin("ABC1234") == "ABC1C34"
        assert twin("ABC1C34") == "ABC1234"

    def test_a_plate_that_never_was_old_has_no_twin(self):
        assert twin("ABC1Z34") is None

    @given(old_plates)
    def test_both_plates_of_a_vehicle_share_a_key(self, plate):
        other = twin(plate)

        assert other is not None
        assert plate_key(other) == plate_key(plate) == plate
        assert twin(other) == plate

    @given(plates)
    def test_near_misses_are_other_vehicles_one_character_away(self, plate):
        for other in near_misses(plate):
            assert sum(a != b for a, b in zip(plate, other, strict=True)) == 1
            assert plate_key(other) != plate_key(plate)


class TestFindingAPlateInASentence:
    @pytest.mark.parametrize(
        ("text", "plate"),
        [
            ("o trenzinho ABC1D23 está lotado", "ABC1D23"),
            ("vi a placa abc 1234 ontem", "ABC1234"),
            ("abc-1234, na orla", "ABC1234"),
            ("ABC 1234", "ABC1234"),
            ("É o ABC 1D23!", "ABC1D23"),
        ],
    )
    def test_it_is_found(self, text, plate):
        found = find_plate(text)

        assert found is not None
        assert found.plate == plate

    @pytest.mark.parametrize(
        "text", ["no ano 2026 fui lá", "Rua 1234 casa 2", "sem placa", "cheguei em dez 2025", ""]
    )
    def test_words_beside_a_year_are_no_plate(self, text):
        assert find_plate(text) is None


class TestPersonalNumbers:
    @pytest.mark.parametrize(
        "text",
        [
            "12345678909",
            "123.456.789-09",
            "CPF 123 456 789 09",
            "123_456_789/09",
            "1 2 3 4 5 6 7 8 9 0 9",
            "123\u200b456789\u200b09",
            "\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19\uff10\uff19",
            "\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668\u0669\u0660\u0669",
        ],
    )
    def test_eleven_digits_may_be_somebodys_cpf(self, text):
        assert holds_personal_number(text)

    @pytest.mark.parametrize(
        "text",
        [
            "2026/0001",
            "12345678000190",
            "12.345.678/0001-90",
            "Processo 1234567/2026",
            "10/03/2026 e 11/03/2026",
            "3655",
        ],
    )
    def test_other_numbers_are_not(self, text):
        assert not holds_personal_number(text)
