import pytest

from portal.domain.names import as_code, tidy, words


@pytest.mark.parametrize(
    "typed", ["praca da matriz", "PRAÇA DA MATRIZ", "pça matriz", "Prac\u0327a da Matriz", "Pç. Matriz"]
)
def test_every_spelling_has_the_same_words(typed):
    assert words(typed) == ("praca", "matriz")


def test_a_name_of_small_words_alone_keeps_them():
    assert words("Da De") == ("da", "de")


def test_a_name_is_stored_composed_and_without_stray_spaces():
    assert tidy("ab\x00c\x85\udce1 \u202edir\u2066eita\u2069") == "ab c dir eita"
    assert tidy(" Sa\u0303o\tJoa\u0303o \n") == "São João"


def test_a_code_can_stand_in_an_address():
    assert as_code("Praça São João, 12") == "praca-sao-joao-12"
