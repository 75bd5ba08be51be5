"""Authorised, but not here, not now, not for this: on every surface, and never in green."""

import json
from datetime import UTC, date, datetime
from html import unescape

import pytest
from click.testing import CliRunner

from portal import clock
from portal.cli import main
from portal.services.unit_of_work import unit_of_work
from tests.factories.feeds import TOWN, bring_in_orla
from tests.factories.permits import put_list, put_permit

PAGE = f"/{TOWN}/verificar"
JSON = f"/api/v1/{TOWN}/verify"


@pytest.fixture
def get(client, database, tmp_path, monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 30, 15, tzinfo=UTC))
    with unit_of_work(writes=True) as session:
        put_list(session)
        put_permit(session, plate="BRA2E19", number="2026/0001", itinerary="orla")
        put_permit(session, plate="BRA3E19", number="2026/0002", paper_valid_until=date(2026, 12, 15))
        bring_in_orla(session, tmp_path / "orla")
    return client.get


@pytest.mark.parametrize(
    ("asked", "word", "told"),
    [
        (
            "stop=praia",
            "Autorizado, mas não aqui",
            "Os pontos de embarque desta autorização são Praça da Matriz e Mirante do Camaroeiro",
        ),
        (
            "on=2026-11-29&at=22:00",
            "Autorizado, mas não nesta hora",
            "A última saída do dia é às 15:00; a próxima é segunda-feira, 30/11/2026, às 10:00.",
        ),
        ("stop=praia&at=03:00", "Autorizado, mas não aqui nem nesta hora", "A primeira saída do dia é às"),
        ("service=turismo", "Autorizado, mas não para este serviço", "mas não para transporte turístico"),
    ],
)
def test_the_card_loses_its_green_and_every_surface_says_why(get, asked, word, told):
    body = get(f"{JSON}?q=BRA2E19&{asked}&lang=pt-BR").get_json()
    page = unescape(get(f"{PAGE}?q=BRA2E19&{asked}&lang=pt-BR").text)
    options = [f"--{pair}" for pair in asked.split("&")]
    said = CliRunner().invoke(main, ["verify", TOWN, "BRA2E19", *options]).output
    as_json = json.loads(CliRunner().invoke(main, ["verify", TOWN, "BRA2E19", *options, "--json"]).output)

    assert body["status"] == "authorized"
    assert body["limits"]
    assert as_json == body
    assert told in body["sentence"]
    assert f">{word}</h2>" in page
    assert said.startswith(word)
    for surface in (page, said):
        assert body["sentence"] in surface
    assert "verdict--limited" in page
    assert "verdict--authorized" not in page


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("stop=praia", "mas não aqui"),
        ("at=03:00", "mas não nesta hora"),
        ("service=turismo", "mas não para transporte turístico"),
    ],
)
def test_where_every_town_answers_it_is_judged_too(get, asked, told):
    first = get(f"/api/v1/verify?q=BRA2E19&{asked}&lang=pt-BR").get_json()[0]
    page = unescape(get(f"/verificar?q=BRA2E19&{asked}&lang=pt-BR").text)
    said = CliRunner().invoke(main, ["verify", "todos", "BRA2E19", f"--{asked}"]).output

    assert (first["municipality"], bool(first["limits"])) == (TOWN, True)
    assert told in first["sentence"]
    assert "verdict--limited" in page
    for surface in (page, said):
        assert first["sentence"] in surface


@pytest.mark.parametrize("asked", ["stop=nenhum", "at=25:00", "service=voo"])
def test_where_every_town_answers_what_cannot_be_read_is_said(get, asked):
    page = get(f"/verificar?q=BRA2E19&{asked}&lang=pt-BR")

    assert page.status_code == get(f"/api/v1/verify?q=BRA2E19&{asked}").status_code == 422
    assert 'value="BRA2E19"' in page.text or "q=BRA2E19" in page.text


def test_each_limit_has_its_text_and_article(get):
    (limit,) = get(f"{JSON}?q=BRA2E19&stop=praia").get_json()["limits"]

    assert set(limit) == {"text", "article", "instrument"}
    assert limit["article"] == "art. 4º e art. 13, VII"


def test_where_and_when_it_may_run_it_is_green(get):
    page = get(f"{PAGE}?q=BRA2E19&stop=matriz&at=now&service=recreativo&lang=pt-BR").text

    assert "verdict--authorized" in page
    assert "Praça da Matriz é ponto de embarque desta autorização." in page
    assert 'name="stop" value="matriz"' in page  # the next vehicle is looked up at the same stop


@pytest.mark.parametrize(
    ("asked", "code"),
    [("stop=nowhere", "unknown_stop"), ("at=25:00", "unreadable_time"), ("service=taxi", "unknown_service")],
)
def test_what_cannot_be_read_is_a_422_in_words(get, asked, code):
    answer, page = get(f"{JSON}?q=BRA2E19&{asked}"), get(f"{PAGE}?q=BRA2E19&{asked}")

    assert (answer.status_code, answer.get_json()["error"]["code"]) == (422, code)
    assert page.status_code == 422
    assert answer.get_json()["error"]["message"] in unescape(page.text)
    assert 'value="BRA2E19"' in page.text


def test_a_stop_offers_to_verify_the_vehicle_that_stands_there(get):
    page = get(f"/{TOWN}/pontos/matriz?lang=pt-BR").text

    assert "Verificar o veículo que está neste ponto" in page
    for name, value in (("stop", "matriz"), ("at", "now"), ("service", "recreativo")):
        assert f'<input type="hidden" name="{name}" value="{value}">' in page


def test_where_paper_and_law_disagree_the_page_says_both_and_the_earlier_counts(get):
    page = unescape(get(f"{PAGE}?q=BRA3E19&lang=pt-BR").text)
    after = get(f"{JSON}?q=BRA3E19&on=2026-12-16").get_json()

    assert (
        "O documento diz 15/12/2026 e a norma diz 31/12/2026: conta a data que vem primeiro, 15/12/2026."
        in page
    )
    assert "até 15/12/2026" in page
    assert get(f"{JSON}?q=BRA3E19&on=2026-12-15").get_json()["status"] == "authorized"
    assert (after["status"], after["permits"][0]["valid_until"]) == ("expired", "2026-12-15")
