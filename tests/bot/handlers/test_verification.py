from datetime import UTC, date, datetime

import pytest

from portal import clock
from portal.domain.permits import EventKind
from portal.i18n import translator
from portal.regulations import catalogue
from portal.services.unit_of_work import unit_of_work
from portal.services.verdicts.verification import verify_permit
from portal.wording.verdicts import verdict_sentence
from tests.bot.town import NOW, PLATE, SQUARE, TOWN
from tests.factories.permits import happened, put_permit
from tests.telegram.world import Said

pytestmark = pytest.mark.usefixtures("at_two")


def sentence(plate: str, language: str = "pt_BR") -> str:
    day = NOW.astimezone(catalogue.municipality(TOWN).zone).date()
    with unit_of_work() as session:
        return verdict_sentence(verify_permit(session, TOWN, plate, on=day, now=NOW), translator(language))


class TestAPlate:
    @pytest.mark.parametrize(
        "typed",
        [
            "bra1d23",
            "BRA-1D23",
            " bra 1d23 ",
            "BRA.1D23",
            "bra–1d23",
            "BRA\u00a01D23",
            "‘BRA1D23’",
            "ＢＲＡ１Ｄ２３",
        ],
    )
    def test_is_verified_in_any_spelling_with_the_sentence_of_the_site(self, ana, typed):
        ana.says(typed)
        assert ana.read().startswith(sentence(PLATE))

    def test_inside_a_sentence(self, ana):
        ana.says("esse trenzinho BRA1D23 pode me levar?")
        assert sentence(PLATE) in ana.read()

    def test_after_the_last_departure_it_is_not_for_now(self, ana, monkeypatch):
        monkeypatch.setattr(clock, "now", lambda: datetime(2026, 12, 1, 1, 30, tzinfo=UTC))
        ana.says(PLATE)

        assert "mas não nesta hora" in ana.read()
        assert "A última saída do dia é às 17:00" in ana.read()

    def test_at_the_place_told_in_a_complaint_begun(self, ana):
        ana.says("/reclamar")
        for press in ("Caraguatatuba", "Veículo lotado além do permitido", "Pular"):
            ana.presses(press)
        ana.sends_location(*SQUARE)
        ana.says(PLATE)

        assert "é ponto de embarque desta autorização" in ana.read()

    def test_after_the_command(self, ana):
        ana.says(f"/verificar {PLATE}")
        assert sentence(PLATE) in ana.read()

    def test_carried_by_a_link(self, ana):
        ana.says(f"/start {PLATE}")
        assert sentence(PLATE) in ana.read()

    def test_edited_gives_a_new_verdict(self, ana):
        ana.says("BRA1D24")
        assert sentence(PLATE) not in ana.read()
        ana.edits(PLATE)
        assert sentence(PLATE) in ana.read()

    def test_of_six_characters_is_not_looked_up(self, ana):
        ana.says("BRA123")
        assert ana.last_message.text == "“BRA123”: a placa tem 7 caracteres. Confira e tente de novo."

    def test_with_a_nul_is_answered_as_usual(self, ana):
        ana.says("BRA1\x00D23")
        assert sentence(PLATE) in ana.read()

    def test_the_command_alone_asks_for_one(self, ana):
        assert "Envie a placa" in ana.says("/verificar")

    def test_nobody_knows_is_said_for_every_town_and_never_as_irregular(self, ana):
        ana.says("BRA9Z99")
        for town in catalogue.municipalities():
            assert town.name in ana.read()
        assert not {"clandestino", "pirata", "irregular"} & set(ana.read().casefold().split())

    def test_the_town_that_knows_the_vehicle_is_remembered(self, ana):
        ana.says(PLATE)
        ana.says("BRA9Z99")
        assert ana.last_message.text.startswith(sentence("BRA9Z99"))
        assert "Santa Rita" not in ana.read()


class TestAPermitNumber:
    def test_is_verified(self, ana, bot):
        with unit_of_work(writes=True) as session:
            put_permit(session, plate="BRA7A77", number="2026/0077")
        ana.says("2026/77")
        assert "A autorização 2026/77 está em vigor em Caraguatatuba" in ana.read()


class TestWhatComesNext:
    def test_the_itinerary_of_the_permit(self, ana):
        ana.says(PLATE)
        assert "Centro – Praia" in ana.presses("Ver roteiro e horários")

    def test_telling_the_ombudsman_keeps_town_and_plate(self, ana):
        ana.says(PLATE)
        ana.presses("Algo errado? Avise a ouvidoria")
        assert "Caraguatatuba" in ana.read()
        ana.presses("Direção perigosa")
        assert "Onde foi?" in ana.last_message

    def test_telling_the_ombudsman_asks_for_the_town_when_none_is_known(self, ana):
        ana.says("BRA9Z99")
        ana.presses("Avisar a ouvidoria")
        ana.presses("São João da Boa Vista")
        ana.presses("Direção perigosa")
        assert "Onde foi?" in ana.last_message

    def test_what_to_check_is_short_and_the_rest_one_tap_away(self, ana):
        ana.says(PLATE)
        assert ana.last_message.text.count("•") == 5
        ana.presses("Seus direitos")
        assert ana.read().count("•") > 5

    def test_a_near_miss_is_one_tap_away(self, ana):
        ana.says("BRA1D2B".replace("2B", "28"))
        near = next(each for each in ana.last_message.buttons if each.startswith("Consultar "))
        ana.presses(near)
        assert near.removeprefix("Consultar ") in ana.read()


class TestAGroup:
    def test_a_plate_is_verified_and_a_complaint_goes_to_the_private_chat(self, ana, bot):
        group = {"id": -100123, "type": "supergroup", "title": "Vizinhos"}
        for text in (PLATE, "/reclamar"):
            entities = [{"type": "bot_command", "offset": 0, "length": len(text)}] if text[0] == "/" else []
            ana._does({"message": {**ana._message(text=text), "chat": group, "entities": entities}})
        said = [message["text"] for message in bot.messages[-100123] if "text" in message]
        assert sentence(PLATE) in said[0]
        assert "em particular" in said[1]
        assert Said(bot.messages[-100123][1]).inline[0]["url"].endswith("?start=c")
        card = Said(bot.messages[-100123][0])
        tell = next(each for each in card.inline if "ouvidoria" in each["text"])
        start = tell["url"].partition("?start=")[2]
        assert start == f"c_3510500_{PLATE}"
        ana.says(f"/start {start}")
        ana.presses("Direção perigosa")
        assert "Onde foi?" in ana.last_message, "town and vehicle are known"

    @pytest.mark.parametrize("text", ["bom dia", "/foo", "/start@outro_bot"])
    @pytest.mark.parametrize("kind", ["message", "edited_message"])
    def test_what_is_said_to_others_is_not_answered(self, ana, bot, text, kind):
        group = {"id": -100123, "type": "supergroup", "title": "Vizinhos"}
        entities = [{"type": "bot_command", "offset": 0, "length": len(text)}] if text[0] == "/" else []
        said = {**ana._message(text=text), "chat": group, "entities": entities, "edit_date": 1}
        ana._does({kind: said})
        assert -100123 not in bot.messages

    def test_a_button_to_complain_tells_who_pressed_it_to_come_alone(self, ana, bot):
        group = {"id": -100123, "type": "supergroup", "title": "Vizinhos"}
        ana._does({"message": {**ana._message(text=PLATE), "chat": group}})
        [card] = bot.messages[-100123]
        for data in ("tell|3510500|BRA1D23", "draft-town|3510500", "menu|reclamar", "erase|yes"):
            ana.presses_data(data, Said({**card, "chat": group}))
            assert "em particular" in ana.toast
        assert len(bot.messages[-100123]) == 1


class TestEveryStatus:
    """The words are those of page, JSON and command line: one function says them all."""

    @pytest.mark.parametrize(
        ("told", "word"),
        [
            ({}, "autorizado"),
            ({"year": 2025, "number": "2025/1", "issued": date(2024, 12, 10)}, "venceu"),
            ({"year": 2027, "number": "2027/1"}, "só vale a partir"),
            ({"also": (happened(EventKind.INSPECTION_FAILED, date(2026, 5, 4)),)}, "reprovado em vistoria"),
            ({"also": (happened(EventKind.SUSPENSION, date(2026, 2, 3), date(2026, 3, 4)),)}, "suspensa"),
            ({"also": (happened(EventKind.CANCELLATION, date(2026, 2, 3)),)}, "cancelada"),
            ({"also": (happened(EventKind.REVOCATION, date(2026, 2, 3)),)}, "cassada"),
        ],
    )
    def test_of_a_permit(self, ana, told, word):
        with unit_of_work(writes=True) as session:
            put_permit(session, plate="BRA5E55", **told)
        ana.says("BRA5E55")
        assert ana.read().startswith(sentence("BRA5E55"))
        assert word in ana.read()

    def test_where_none_is_known(self, ana):
        ana.says(PLATE)
        ana.says("BRA9Z99")
        assert ana.read().startswith("Não encontramos a placa BRA9Z99")

    def test_where_there_is_only_a_bill(self, ana):
        ana.says("BRA9Z99")
        assert "existe só um projeto de lei" in ana.read() or "norma em vigor em Santa Rita" in ana.read()

    def test_where_no_list_has_come(self, ana):
        ana.says("BRA9Z99")
        assert "ainda não recebemos a lista de autorizações de Chapada dos Guimarães" in ana.read()
