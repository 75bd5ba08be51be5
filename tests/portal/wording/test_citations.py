import pytest

from portal.i18n import translator
from portal.wording.citations import article_words


class TestAnArticle:
    @pytest.mark.parametrize(
        ("language", "said"),
        [
            ("pt_BR", "art. 2º, a e c, art. 14, III e VI, e art. 17"),
            ("en", "art. 2º, a and c, art. 14, III and VI, and art. 17"),
            ("es", "art. 2º, a y c, art. 14, III y VI, y art. 17"),
        ],
    )
    def test_joins_its_parts_in_the_readers_language(self, language, said):
        assert article_words("art. 2º, a e c, art. 14, III e VI, e art. 17", translator(language)) == said

    def test_of_one_part_stays_as_the_instrument_writes_it(self):
        assert article_words("art. 14, parágrafo único", translator("en")) == "art. 14, parágrafo único"
