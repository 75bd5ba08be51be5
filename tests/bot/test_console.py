import asyncio
from io import StringIO

import pytest

from bot.console import converse
from portal.config import settings
from tests.bot.handlers.test_complaints import filed, picture
from tests.bot.town import PLATE

pytestmark = pytest.mark.usefixtures("at_two", "database", "keys")


def talk(*lines: str) -> str:
    said: list[str] = []
    asyncio.run(converse(settings(), typed=StringIO("\n".join(lines)), write=said.append))
    return "\n".join(said)


class TestInATerminal:
    def test_a_plate_is_verified(self):
        assert "autorizado em Caraguatatuba" in talk(PLATE)

    def test_buttons_are_numbered_and_pressed_by_number(self):
        said = talk(PLATE, "1")
        assert "[1] Ver roteiro e horários" in said
        assert "Centro – Praia" in said

    def test_a_location_is_two_numbers(self):
        assert "Praça Doutor Cândido Mota" in talk("/local -23.62,-45.41")
        assert "Escreva /local" in talk("/local aqui")

    def test_a_whole_complaint_goes_on_after_the_terminal_was_closed(self, environment):
        photo = environment / "foto.jpg"
        photo.write_bytes(picture())
        talk(PLATE, "/reclamar", "7")
        said = talk("Rua das Flores", "/local -23.62,-45.41", "1", "lotado", f"/foto {photo}", "1", "1", "1")
        assert "1 arquivo guardado" in said
        assert "Chave de acesso:" in said
        assert len(filed()) == 1

    def test_the_line_after_a_request_for_a_message_is_the_reply(self, environment):
        talk(PLATE, "/reclamar", "7")
        said = talk("Rua das Flores", "/local -23.62,-45.41", "1", "lotado", "1", "1", "1")
        key = said.split("Chave de acesso: ")[1].splitlines()[0]
        [complaint] = filed()
        said = talk(f"{complaint.protocol} {key}", "1", "Era verde.")
        assert "Enviei a sua mensagem" in said

    def test_a_file_that_is_not_there_is_told(self):
        assert "Não encontro o arquivo" in talk("/foto nada.jpg")

    def test_empty_lines_say_nothing(self):
        assert talk("", "  ").count("\n\n") <= 1

    def test_a_corrected_plate_is_verified_again(self):
        assert "autorizado em Caraguatatuba" in talk("bom dia", f"/editar {PLATE}")

    def test_a_group_hears_verdicts_alone(self):
        said = talk("/grupo", PLATE, "bom dia", "/reclamar", "/grupo", "/ajuda")
        assert "autorizado em Caraguatatuba" in said
        assert "[1] Abrir conversa particular https://t.me/" in said
        assert "O que aconteceu?" not in said
        assert said.rindex("Agora em particular.") < said.rindex("Verificar um veículo")
