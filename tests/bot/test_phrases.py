"""What people write without a command: sixty sentences a language and more, each led to where it belongs."""

from pathlib import Path

import pytest

from bot.handlers.wishes import PLACES
from bot.phrases import meant, places
from portal.i18n import LANGUAGES, translator
from portal.regulations import catalogue
from tests.bot.handlers.test_complaints import filed
from tests.bot.town import TOWN

FOLDER = Path(__file__).parent / "sentences"


def sentences(language: str) -> list[tuple[str, str]]:
    lines = (FOLDER / f"{language}.txt").read_text().splitlines()
    return [
        (place.strip(), sentence.strip()) for place, _, sentence in (line.partition("|") for line in lines)
    ]


EVERY = [(language, *each) for language in LANGUAGES for each in sentences(language)]


class TestTheTables:
    def test_name_only_places_that_are_answered(self):
        categories = {f"complain:{each.id}" for each in catalogue.categories(TOWN)}
        assert places() <= PLACES | categories

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_are_tried_with_sixty_different_sentences(self, language):
        assert len({sentence for _, sentence in sentences(language)}) >= 60

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_place_a_person_may_want_is_among_the_sentences(self, language):
        asked = {place for place, _ in sentences(language)}
        assert {each for each in PLACES if each not in ("no", "back", "skip", "town-rights")} <= asked


@pytest.mark.parametrize(("language", "place", "sentence"), EVERY)
def test_a_sentence_leads_to_its_place(language, place, sentence):
    found = meant(sentence, language)
    assert (found.place if found else None) == place


@pytest.mark.parametrize(("language", "place", "sentence"), EVERY[::3])
def test_and_does_so_whatever_language_the_chat_speaks(language, place, sentence):
    if place in ("complain:timetable", "verify", "timetable", "complain", "safety", "complain:noise"):
        return  # words of the other table may come nearer, and lead to a neighbour
    for other in LANGUAGES:
        assert meant(sentence, other) is not None


@pytest.mark.parametrize(
    "text", ["", "   ", "?!", "🚂🚂", "xyz", "Indaiá", "Praça Doutor Cândido Mota", "\ud800", "a" * 4000]
)
def test_what_asks_for_nothing_leads_nowhere(text):
    assert meant(text, "pt_BR") is None


def test_a_name_beside_the_question_is_kept():
    found = meant("que horas sai o trenzinho do Indaiá?", "pt_BR")
    assert found
    assert (found.place, found.rest) == ("timetable", "indaia")


class TestInTheChat:
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_no_sentence_gets_a_helpless_answer(self, bot, at_two, language):
        _ = translator(language)
        helpless = (
            _("Não entendi. Envie uma placa, o nome de um bairro ou ponto, ou escolha:"),
            _("Algo deu errado aqui. Tente de novo daqui a pouco."),
        )
        for place, sentence in sentences(language):
            person = bot.person("Ana", language.replace("_", "-").lower())
            person.says(sentence)
            said = person.read()
            assert said, sentence
            assert not any(words in said for words in helpless), (place, sentence)

    def test_where_the_little_train_leaves_from_is_one_message_away(self, ana, at_two):
        ana.says("de onde sai o trenzinho do centro?")
        assert "Centro – Praia" in ana.read()
        assert "Próxima saída às 15:00." in ana.read()

    def test_a_van_to_be_reported_goes_through_the_door_of_unauthorised_transport(self, ana, at_two):
        ana.says("quero denunciar uma van")
        ana.presses("Caraguatatuba")
        assert "Qual veículo?" in ana.last_message

    def test_what_happened_answers_the_first_question(self, ana, at_two):
        ana.says("perdi minha mochila no trenzinho")
        ana.presses("Caraguatatuba")
        assert "Qual veículo?" in ana.last_message

    def test_danger_is_answered_with_the_numbers_first(self, ana, at_two):
        ana.says("socorro, estou em perigo")
        assert "190" in ana.since[0].text
        assert "ouvidoria" in ana.last_message.text

    def test_rights_are_told_in_the_chat_and_lead_to_the_page(self, ana, at_two):
        ana.says("quais são meus direitos?")
        ana.presses("Caraguatatuba")
        ana.presses("trenzinho")
        assert "O que conferir" in ana.last_message
        assert any("/direitos/recreativo" in each.get("url", "") for each in ana.last_message.inline)


class TestInTheMiddleOfAComplaint:
    @pytest.fixture
    def asked(self, ana, at_two):
        ana.says("quero denunciar uma van")
        ana.presses("Caraguatatuba")
        return ana

    def test_words_do_what_the_buttons_do(self, asked):
        asked.says("não sei")
        assert "Onde foi?" in asked.last_message
        asked.says("voltar")
        assert "Qual veículo?" in asked.last_message
        asked.says("pular")
        assert "Onde foi?" in asked.last_message
        asked.says("cancelar")
        assert "Apagar o que você respondeu?" in asked.last_message

    def test_the_words_of_an_option_are_the_option(self, ana, at_two):
        ana.says("/reclamar")
        ana.presses("Caraguatatuba")
        ana.says("superlotado")
        assert "Qual veículo?" in ana.last_message

    @pytest.mark.parametrize("text", ["oi", "obrigado", "como funciona?", "é anônimo?", "qual o prazo?"])
    def test_what_is_no_answer_is_answered_and_the_question_asked_again(self, asked, text):
        asked.says(text)
        assert len(asked.since) > 1
        assert "Qual veículo?" in asked.last_message

    def test_an_account_may_hold_any_of_these_words(self, asked):
        for text in ("pular", "pular", "pular"):
            asked.says(text)
        asked.says("pedi para parar e cancelar a corrida, ele disse não e xingou")
        assert "ele disse não e xingou" in asked.last_message
        assert "Anônima" in asked.last_message.buttons

    @pytest.mark.parametrize("text", ["sim", "ok", "não", "voltar"])
    def test_a_bare_word_neither_tells_a_story_nor_chooses_an_identity(self, asked, text):
        for skipped in ("pular", "pular", "pular"):
            asked.says(skipped)
        asked.says(text)
        assert f"\n{text}" not in asked.last_message.text
        assert filed() == []

    def test_the_words_of_an_identity_choose_it(self, asked):
        for text in ("pular", "pular", "pular", "anônima"):
            asked.says(text)
        assert "Protocolo:" in asked.last_message
