"""Inline mode shares a verdict in any chat, and nothing of the person who asks."""

import pytest

from tests.bot.town import PLATE

pytestmark = pytest.mark.usefixtures("at_two")


class TestAPlateInAnyChat:
    def test_gives_the_card_of_its_verdict(self, ana):
        [shown] = ana.asks_inline("bra-1d23")
        assert shown["title"] == f"{PLATE}: Autorizado"
        assert "autorizado em Caraguatatuba" in shown["input_message_content"]["message_text"]

    def test_leads_whoever_reads_it_to_a_verdict_of_their_own(self, ana):
        [shown] = ana.asks_inline(PLATE)
        [[again]] = shown["reply_markup"]["inline_keyboard"]
        assert again["url"] == f"https://t.me/embarque_teste_bot?start=v_{PLATE}"

    def test_that_is_not_found_accuses_nobody(self, ana):
        [shown] = ana.asks_inline("BRA0000")
        assert "Autorizado" not in shown["title"]
        assert "irregular" not in shown["title"]
        assert "BRA0000" in shown["input_message_content"]["message_text"]

    @pytest.mark.parametrize("text", ["", "oi", "x" * 256, "\ud800"])
    def test_text_that_is_no_plate_gets_a_hint(self, ana, bot, text):
        assert ana.asks_inline(text) == []
        assert "placa" in bot.sent("answerInlineQuery")[-1].params["button"]["text"]
