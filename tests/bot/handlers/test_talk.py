"""What has no subject of its own: greeting, language, ways out, and what nobody can read."""

import pytest

from portal.services.unit_of_work import unit_of_work
from portal.storage.complaints import ComplaintRow
from portal.storage.drafts import DraftRow
from portal.storage.telegram import TelegramChatRow
from tests.bot.handlers.test_complaints import begin, picture, rows
from tests.bot.town import PLATE

pytestmark = pytest.mark.usefixtures("at_two")


class TestGreeting:
    @pytest.mark.parametrize("typed", ["/start", "/inicio", "/start qualquer"])
    def test_shows_the_menu_with_the_door_for_unauthorised_transport(self, ana, typed):
        ana.says(typed)
        assert "Denunciar transporte sem autorização" in ana.last_message.buttons

    @pytest.mark.parametrize("typed", ["/ajuda", "/help"])
    def test_help_tells_emergency_numbers(self, ana, typed):
        assert "190" in ana.says(typed)

    @pytest.mark.parametrize(
        "button", ["Verificar um veículo", "Pontos e horários", "Reclamar", "Acompanhar", "Idioma"]
    )
    def test_every_button_of_the_menu_answers(self, ana, button):
        ana.says("/inicio")
        ana.presses(button)
        assert ana.since


class TestLanguage:
    def test_is_changed_by_a_button_and_remembered(self, ana):
        ana.says("/idioma")
        ana.presses("English")
        [chat] = rows(TelegramChatRow)
        assert chat.language == "en"

    def test_changes_in_the_middle_of_a_complaint_without_losing_it(self, ana):
        begin(ana)
        ana.presses("Veículo lotado")
        ana.says("/idioma")
        ana.presses("Español")
        with unit_of_work() as session:
            [draft] = session.query(DraftRow)
        assert draft.language == "es"
        assert draft.answers["what"]["category"] == "overcrowding"

    @pytest.mark.parametrize("code", [None, "fr", "xx"])
    def test_of_a_phone_we_do_not_speak_is_portuguese(self, bot, code):
        person = bot.person("Zoé", code)
        assert "Olá!" in person.says("/start")


class TestWaysOut:
    def test_erasing_leaves_nothing_of_the_chat(self, ana):
        ana.says(PLATE)
        begin(ana)
        ana.says("/apagar")
        ana.presses("Apagar tudo")
        assert "apaguei tudo" in ana.last_message
        assert rows(TelegramChatRow) == []
        assert rows(DraftRow) == []

    def test_erasing_deletes_the_messages_that_telegram_lets_a_bot_delete(self, ana, bot):
        ana.says(PLATE)
        old = bot.messages[ana.id][0]
        old["date"] -= 3 * 24 * 3600
        for _ in range(3):
            ana.says(PLATE)
        ana.says("/apagar")
        ana.presses("Apagar tudo")
        left = bot.messages[ana.id]
        assert left[0] is old
        assert len(left) == 2
        assert "48 horas" in ana.last_message

    def test_erasing_asks_first_and_names_what_stays(self, ana):
        ana.says(PLATE)
        assert "fica com a ouvidoria" in ana.says("/apagar")
        ana.presses("Não apagar")
        assert len(rows(TelegramChatRow)) == 1


class TestWhatNobodyCanRead:
    @pytest.mark.parametrize("kind", ["sticker", "voice", "contact", "poll"])
    def test_as_the_first_message_gets_one_helpful_line(self, ana, kind):
        getattr(ana, f"sends_{kind}")()
        assert len(ana.since) == 1
        assert ana.last_message.buttons

    @pytest.mark.parametrize("kind", ["sticker", "voice", "contact", "poll"])
    def test_in_a_complaint_the_question_is_asked_again(self, ana, kind):
        begin(ana)
        getattr(ana, f"sends_{kind}")()
        assert "O que aconteceu?" in ana.last_message

    @pytest.mark.parametrize(
        "text", ["oi", "🚂🚂🚂", "?", "x" * 4000, "\u202egpj.exe", "São João", "a\x00b", "\ud800"]
    )
    def test_any_text_gets_an_answer(self, ana, text):
        ana.says(text)
        assert ana.since

    def test_unknown_commands_show_the_menu(self, ana):
        assert "Não conheço este comando" in ana.says("/abracadabra")

    def test_a_photo_asks_for_the_plate(self, ana):
        assert "placa" in ana.sends_photo(picture())

    def test_editing_what_was_filed_tells_how_to_complete_it(self, ana):
        ana.says("bom dia a todos")
        assert "/acompanhar" in ana.edits("boa tarde a todos")

    def test_editing_a_filed_account_changes_nothing_and_tells_how_to_complete_it(self, ana):
        begin(ana)
        for press in ("Veículo lotado", "Pular", "Pular", "Pular"):
            ana.presses(press)
        ana.says("Havia gente em pé.")
        ana.presses("Anônima")
        assert "/acompanhar" in ana.edits("Havia gente em pé e na escada.")
        [complaint] = rows(ComplaintRow)
        assert complaint.story == "Havia gente em pé."

    def test_editing_an_answer_tells_how_to_change_it(self, ana):
        begin(ana)
        ana.presses("Veículo lotado")
        ana.says("um trenzinho azul")
        ana.edits("um trenzinho verde")
        assert "Voltar" in ana.last_message

    def test_channel_posts_and_reactions_are_none_of_our_business(self, ana, bot):
        before = len(bot.calls)
        channel = {"id": -1009, "type": "channel", "title": "c"}
        ana._does({"channel_post": {"message_id": 1, "date": 0, "chat": channel, "text": PLATE}})
        reaction = {"chat": ana.chat, "message_id": 1, "date": 0, "user": ana.user}
        ana._does({"message_reaction": reaction | {"old_reaction": [], "new_reaction": []}})
        assert len(bot.calls) == before


class TestTheLanguageChosen:
    def test_is_that_of_a_refusal_too(self, ana):
        ana.says("/idioma")
        ana.presses("English")
        ana.says("/verificar X")
        assert "neither a number plate nor a permit number" in ana.last_message
