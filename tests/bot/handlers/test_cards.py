"""The code on a permit's card in the chat: as text, by a link, in a caption, in every spelling."""

import pytest

from portal import config
from tests.bot.town import NOW, PLATE
from tests.factories.cards import card_keys_in, put_card, token_of


@pytest.fixture
def file(environment):
    return card_keys_in(environment)


@pytest.fixture
def card(bot, at_two, file):
    return put_card(PLATE, now=NOW)


class TestACardsCode:
    @pytest.mark.parametrize(
        "said", ["{}", "http://127.0.0.1:8000/v/{}", "/verificar {}", "/start {}", "olha: {}"]
    )
    def test_is_answered_with_the_verdict_and_the_plate_to_compare(self, bot, card, file, said):
        ana = bot.person("Ana")

        ana.says(said.format(token_of(card, file)))

        assert "Confira se é a placa à sua frente" in ana.last_message.text
        assert "está em vigor em Caraguatatuba" in ana.last_message.text

    def test_is_followed_from_the_link_of_its_page(self, bot, card):
        ana = bot.person("Ana")

        ana.says(f"/start k_{card.name}")

        assert "está em vigor em Caraguatatuba" in ana.last_message.text

    def test_that_was_replaced_is_not_said_to_be_good(self, bot, card, file):
        put_card(PLATE, now=NOW)
        ana = bot.person("Ana")

        ana.says(token_of(card, file))

        assert "Cartão trocado por outro" in ana.last_message.text
        assert "em vigor em" not in ana.last_message.text

    def test_that_nobody_signed_tells_nothing(self, bot, card, file):
        ana = bot.person("Ana")
        token = token_of(card, file)

        ana.says(("A" if token[50] != "A" else "B").join((token[:50], token[51:])))

        assert "Código não reconhecido" in ana.last_message.text
        assert PLATE not in ana.last_message.text

    def test_that_leads_elsewhere_is_said_to(self, bot, card, file):
        assert config.settings().public_url == "http://127.0.0.1:8000"
        ana = bot.person("Ana")

        ana.says(f"https://portal-falso.example/v/{token_of(card, file)}")

        assert "portal-falso.example" in ana.last_message.text
        assert "em vigor em" not in ana.last_message.text


class TestAProofOfALookUp:
    def test_is_asked_for_by_a_button_and_checked_on_the_site(self, environment, monkeypatch, request):
        monkeypatch.setenv("RECEIPT_KEY", "k1:only-for-tests-" + "4" * 32)
        config.settings.cache_clear()
        request.getfixturevalue("at_two")
        ana, client = request.getfixturevalue("ana"), request.getfixturevalue("client")

        ana.says(PLATE)
        ana.presses("Guardar um comprovante desta consulta")

        assert "Comprovante de consulta" in ana.last_message.text
        address = next(line for line in ana.last_message.text.splitlines() if line.startswith("http"))
        assert PLATE in client.get(address.removeprefix("http://127.0.0.1:8000")).text
