from portal.domain.searching import searchable, words_of


class TestSearching:
    def test_accents_capitals_and_marks_do_not_matter(self):
        assert searchable("Pça. São JOÃO, nº 3") == searchable("pca sao joao no 3")

    def test_every_script_can_be_searched(self):
        assert words_of("السائق")[0] in searchable("قال السائق")

    def test_a_search_has_at_most_ten_words(self):
        assert len(words_of(" ".join(f"p{n}" for n in range(40)))) == 10
