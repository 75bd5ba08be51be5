"""Pages lead to the same in the chat, where the settings name a bot."""

import pytest

from portal.config import settings
from portal.web import create_app
from tests.bot.town import TOWN, fill


@pytest.fixture
def client_of_a_town_with_a_bot(database, monkeypatch):
    fill(database)
    monkeypatch.setenv("TELEGRAM_BOT_NAME", "embarque_teste_bot")
    settings.cache_clear()
    return create_app().test_client()


@pytest.mark.parametrize(
    ("page", "carried"),
    [
        (f"/{TOWN}/verificar?q=BRA1D23", "v_BRA1D23"),
        ("/verificar?q=BRA1D23", "v_BRA1D23"),
        (f"/{TOWN}/pontos/praca", "s_3510500_praca"),
        (f"/{TOWN}/itinerarios/centro-praia", "i_3510500_centro-praia"),
        (f"/{TOWN}/", "t_3510500"),
        ("/acompanhar", "a"),
        ("/denunciar", "r"),
    ],
)
def test_a_page_links_to_what_it_shows(client_of_a_town_with_a_bot, page, carried):
    answer = client_of_a_town_with_a_bot.get(page)
    assert answer.status_code == 200
    assert f"https://t.me/embarque_teste_bot?start={carried}&#34;".replace("&#34;", '"') in answer.text


def test_without_a_bot_no_page_mentions_it(database, client):
    for page in ("/", f"/{TOWN}/", "/acompanhar"):
        assert "t.me" not in client.get(page).text
