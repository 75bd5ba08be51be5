"""The main job in the chat, over HTTP against a Bot API server: verify, look up, complain, be answered."""

import re

import pytest

from portal.domain.staff import Role
from portal.services import casework as desk
from portal.services.people import staff
from portal.services.unit_of_work import unit_of_work
from portal.storage.complaints import ComplaintRow
from portal.storage.telegram import TelegramUpdateRow
from tests.bot.handlers.test_complaints import picture, rows
from tests.bot.town import NOW, PLATE, SQUARE, TOWN
from tests.telegram.driving import Running, running

pytestmark = pytest.mark.usefixtures("at_two")


def the_ombudsman(does: str, protocol: str, text: str) -> None:
    """One step at the desk, by its name in ``portal.services.casework``."""
    with unit_of_work(writes=True) as session:
        login = f"o{len(text)}"
        member = staff.add_staff(
            session, municipality=TOWN, login=login, name="O", role=Role.OMBUDSMAN, password="x" * 20, now=NOW
        )
        getattr(desk, does)(session, member, protocol, text, now=NOW)


def the_ombudsman_answers(protocol: str, text: str) -> None:
    with unit_of_work(writes=True) as session:
        member = staff.add_staff(
            session, municipality=TOWN, login="o", name="O", role=Role.OMBUDSMAN, password="x" * 20, now=NOW
        )
        [waiting] = desk.list_cases(session, member, today=NOW.date()).lines
        assert waiting.protocol == protocol
        desk.start_review(session, member, protocol, now=NOW)
        desk.answer_case(session, member, protocol, text, now=NOW)


def test_a_passenger_verifies_looks_up_complains_and_is_answered(either_way, world):
    with running(either_way, world):
        ana = world.person("Ana")
        ana.says("/start")
        assert "Denunciar transporte sem autorização" in ana.last_message.buttons

        ana.says("bra-1d23")
        assert "autorizado em Caraguatatuba" in ana.last_message
        ana.presses("Ver roteiro e horários")
        assert "Centro – Praia" in ana.last_message
        ana.sends_location(*SQUARE)
        ana.presses("Praça Doutor Cândido")
        assert "Próxima saída às 15:00." in ana.read()

        ana.says(PLATE)
        ana.presses("Avise a ouvidoria")
        ana.presses("Veículo lotado")
        ana.sends_location(*SQUARE)

    with running(either_way, world):  # a restart in the middle
        ana.presses("Agora")
        ana.says("Gente em pé na escada.")
        ana.sends_photo(picture())
        assert "Gente em pé na escada." in ana.last_message
        ana.presses("Anônima")
        receipt = re.search(r"Protocolo: (\S+)\nChave de acesso: ([^\n]+)", ana.last_message.text)
        assert receipt
        protocol, key = receipt.groups()

        the_ombudsman("ask_citizen", protocol, "Foi na ida ou na volta?")
        ana.says("/acompanhar")
        ana.says(f"{protocol} {key}")
        assert "Foi na ida ou na volta?" in ana.last_message
        ana.presses("Responder à ouvidoria")
        ana.replies("Na volta.")
        assert "A ouvidoria está analisando. A resposta vem até" in ana.last_message

        the_ombudsman("answer_case", protocol, "O veículo foi autuado. Obrigado por avisar.")
        ana.says(f"{protocol} {key}")
        assert "O veículo foi autuado. Obrigado por avisar." in ana.last_message
        ana.presses("Pedir revisão")
        ana.replies("Falta dizer se ele voltou a rodar.")
        assert "A revisão foi pedida. A resposta vem até" in ana.last_message

        the_ombudsman("answer_case", protocol, "Voltou depois de uma vistoria.")
        ana.says(f"{protocol} {key}")
        assert "Pedir revisão" not in ana.last_message.buttons
        ana.presses("Resolveu")
        assert "A sua avaliação: Resolveu" in ana.last_message
        assert "A manifestação se encerra depois de" in ana.last_message
        assert all(row.body is None and row.lane is None for row in rows(TelegramUpdateRow))


def test_news_reach_who_asked_for_them(either_way, world):
    with running(either_way, world):
        ana = world.person("Ana")
        ana.says(PLATE)
        ana.presses("Avise a ouvidoria")
        ana.presses("Direção perigosa")
        for press in ("Pular", "Pular", "Anônima"):
            ana.presses(press)
        receipt = re.search(r"Protocolo: (\S+)\nChave de acesso: ([^\n]+)", ana.last_message.text)
        assert receipt
        ana.says(" ".join(receipt.groups()))
        ana.presses("Avisar-me aqui")
        the_ombudsman_answers(receipt[1], "Feito.")
        world.wait_until(lambda: "Há novidade na manifestação" in ana.last_message.text)


def test_several_people_at_once_are_each_answered_in_order(either_way, world):
    with running(either_way, world):
        people = [world.person(f"Pessoa {number}") for number in range(5)]
        settle, world.settle = world.settle, lambda number: None
        for text in ("/idioma", PLATE, "/ajuda"):
            for person in people:
                person.says(text)
        last = world.push({"message": people[0]._message(text="/ajuda")})
        settle(last)
        for person in people:
            said = [message.text.splitlines()[0] for message in person.messages][:3]
            assert said[0] == "Em que língua falamos?"
            assert said[1].startswith("BRA1D23: autorizado")
            assert said[2].startswith("Envie uma placa")


def test_a_repeated_update_files_no_second_complaint(either_way, world):
    with running(either_way, world):
        ana = world.person("Ana")
        ana.says(PLATE)
        ana.presses("Avise a ouvidoria")
        ana.presses("Direção perigosa")
        for press in ("Pular", "Pular"):
            ana.presses(press)
        data = next(each["callback_data"] for each in ana.last_message.inline if each["text"] == "Anônima")
        said = ana.last_message
        ana.presses_data(data, said, update_id=5000)
        answers = len(ana.messages)
    with running(either_way, world):
        ana.presses_data(data, said, update_id=5000)
        assert len(ana.messages) == answers
        assert len(rows(ComplaintRow)) == 1


class TestStarting:
    def test_registers_the_commands_in_every_language(self, over_http, world):
        with running(over_http, world):
            pass
        for method in ("setMyCommands", "setMyDescription", "setMyShortDescription"):
            codes = [call.params.get("language_code") for call in world.sent(method)]
            assert list(dict.fromkeys(codes)) == [None, "en", "es"]
        assert world.sent("setChatMenuButton")

    def test_groups_are_offered_verdicts_and_timetables_only(self, over_http, world):
        with running(over_http, world):
            pass
        offered = [
            [each["command"] for each in call.params["commands"]]
            for call in world.sent("setMyCommands")
            if (call.params.get("scope") or {}).get("type") == "all_group_chats"
        ]
        assert offered == [["verificar", "pontos"]] * 3

    def test_with_a_token_that_telegram_does_not_know_says_so(self, over_http, world, capsys):
        from bot.__main__ import main

        world.token = "1:another"
        assert main([]) == 2
        assert "TELEGRAM_BOT_TOKEN" in capsys.readouterr().err

    def test_without_a_token_points_to_the_terminal(self, environment, capsys):
        from bot.__main__ import main

        assert main([]) == 2
        assert "--console" in capsys.readouterr().err

    def test_a_failing_start_is_not_swallowed(self, over_http, world):
        world.token = "1:another"
        with pytest.raises(Exception, match="token"):
            Running(over_http, world).start()
