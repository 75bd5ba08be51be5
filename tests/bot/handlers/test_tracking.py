import re
from datetime import timedelta

import pytest

from bot.cases import reply_prompt
from bot.handlers.tracking import pair_in
from portal import clock
from portal.domain.evidence import MEGABYTE
from portal.domain.staff import Role
from portal.i18n import translator
from portal.services import casework as desk
from portal.services.people import staff
from portal.services.unit_of_work import unit_of_work
from portal.storage.complaints import ComplaintMessageRow, ComplaintRow, NoticeAddressRow
from portal.storage.drafts import EvidenceRow
from portal.storage.outbox import OutboxRow
from portal.storage.telegram import TelegramChatRow
from tests.bot.handlers.test_complaints import answer_all, rows
from tests.bot.town import NOW, PLATE, TOWN
from tests.factories.evidence import jpeg, pdf, recording, stubborn, voice

pytestmark = pytest.mark.usefixtures("at_two")


@pytest.fixture
def pair(ana):
    """Protocol and key of an anonymous complaint of Ana's."""
    answer_all(ana)
    ana.presses("Anônima")
    text = ana.last_message.text
    found = re.search(r"Protocolo: (\S+)\nChave de acesso: ([^\n]+)", text)
    assert found
    return found.groups()


def answer(protocol: str, text: str = "Multamos o veículo.", *, closes: bool = False) -> None:
    """What the ombudsman does at the desk."""
    with unit_of_work(writes=True) as session:
        member = staff.add_staff(
            session, municipality=TOWN, login="o", name="O", role=Role.OMBUDSMAN, password="x" * 20, now=NOW
        )
        desk.start_review(session, member, protocol, now=NOW)
        desk.answer_case(session, member, protocol, text, now=NOW)
        if closes:
            desk.close_case(session, member, protocol, now=NOW + timedelta(31))


class TestProtocolAndKey:
    def test_show_the_case_and_the_answer(self, ana, pair):
        ana.says(f"/acompanhar {pair[0]} {pair[1]}")
        assert "A ouvidoria recebeu. A resposta vem até 30/12/2026." in ana.last_message
        answer(pair[0])
        ana.says(" ".join(pair))
        assert "Multamos o veículo." in ana.last_message

    def test_are_read_typed_loosely(self, ana, pair):
        ana.says(f"meu protocolo é {pair[0].lower()}, chave: {pair[1].upper().replace(' ', '-')}")
        assert "A ouvidoria recebeu" in ana.last_message

    def test_are_read_out_of_a_pasted_receipt(self, ana, pair):
        receipt = next(said.text for said in ana.messages if "Chave de acesso" in said.text)
        ana.says(receipt)
        assert "A ouvidoria recebeu" in ana.last_message

    def test_leave_the_chat_once_they_are_read(self, ana, pair, bot):
        ana.says(" ".join(pair))
        own = [message for message in bot.messages[ana.id] if message["from"]["id"] == ana.id]
        assert pair[1] not in str(own)

    def test_are_never_logged(self, ana, pair, caplog):
        caplog.set_level("DEBUG")
        ana.says(" ".join(pair))
        ours = [record.getMessage() for record in caplog.records if record.name.startswith(("bot", "portal"))]
        assert not any(word in line for line in ours for word in pair)

    def test_wrong_ones_get_one_answer_whatever_was_wrong(self, ana, pair):
        other = "0000-0000-0000"
        wrong_key = ana.says(f"{pair[0]} {' '.join(['abacate'] * 6)}").text
        unknown = ana.says(f"/acompanhar {other} {pair[1]}").text
        assert wrong_key == unknown

    def test_a_protocol_alone_asks_for_the_key(self, ana, pair):
        assert "Falta a chave" in ana.says(pair[0])

    def test_a_protocol_may_have_no_digit(self):
        assert pair_in("TWXX-RKEF-JTJP") == ("TWXX-RKEF-JTJP", "")

    def test_the_command_alone_asks_for_both(self, ana):
        assert "seis palavras" in ana.says("/acompanhar")

    def test_a_word_is_no_protocol(self, ana):
        assert pair_in("autorizações do município") is None
        assert "Não achei um protocolo" in ana.says("/acompanhar autorizações")

    def test_work_in_the_middle_of_a_complaint(self, ana, pair):
        ana.says("/reclamar")
        ana.says(" ".join(pair))
        assert "A ouvidoria recebeu" in ana.read()


def ask(protocol: str) -> None:
    """The ombudsman asks the citizen something."""
    with unit_of_work(writes=True) as session:
        member = staff.add_staff(
            session, municipality=TOWN, login="o", name="O", role=Role.OMBUDSMAN, password="x" * 20, now=NOW
        )
        desk.start_review(session, member, protocol, now=NOW)
        desk.ask_citizen(session, member, protocol, "De que cor era?", now=NOW)


def written() -> list[str]:
    """What citizens wrote to the ombudsman after they filed."""
    return [row.text for row in rows(ComplaintMessageRow) if row.sender == "citizen"]


class TestAButtonMadeUp:
    @pytest.mark.parametrize("what", ["notify", "write", "anything"])
    def test_opens_nothing_and_tells_nothing_of_a_case(self, pair, bot, what):
        bia = bot.person("Bia")
        bia.says("/inicio")
        told = [
            bia.presses_data(f"case|{what}|{protocol}", bia.messages[0]).text
            for protocol in (pair[0], "0000-0000-0000")
        ]
        assert told[0] == told[1]
        assert rows(NoticeAddressRow) == []


class TestWritingToTheOmbudsman:
    def test_a_question_is_answered_in_the_chat(self, ana, pair):
        ask(pair[0])
        ana.says(" ".join(pair))
        assert "De que cor era?" in ana.last_message
        ana.presses("Responder à ouvidoria")
        assert pair[0] in ana.last_message
        ana.replies("Era verde, placa BRA2E19.")
        assert "Enviei a sua mensagem" in ana.last_message
        assert "A ouvidoria está analisando" in ana.last_message
        assert written() == ["Era verde, placa BRA2E19."]

    def test_something_can_be_added_that_nobody_asked_for(self, ana, pair):
        ana.says(" ".join(pair))
        ana.presses("Escrever à ouvidoria")
        ana.replies("Achei uma foto.")
        assert written() == ["Achei uma foto."]

    def test_nothing_is_kept_of_it(self, ana, pair):
        ana.says(" ".join(pair))
        ana.presses("Escrever à ouvidoria")
        [chat] = rows(TelegramChatRow)
        assert (chat.draft, chat.awaits_contact) == (None, None)
        assert rows(NoticeAddressRow) == []

    def test_is_given_up_with_cancelar(self, ana, pair):
        ana.says("/reclamar")
        ana.says(" ".join(pair))
        ana.presses("Escrever à ouvidoria")
        ana.replies("/cancelar")
        assert "a mensagem não foi enviada" in ana.read()
        assert "O que aconteceu?" in ana.last_message
        assert written() == []

    def test_a_text_beside_it_is_no_message(self, ana, pair):
        ana.says(" ".join(pair))
        ana.presses("Escrever à ouvidoria")
        ana.says(PLATE)
        assert "autorizado em Caraguatatuba" in ana.read()
        assert written() == []

    def test_a_button_made_up_opens_no_case(self, ana, pair, bot):
        bia = bot.person("Bia")
        bia.says("/inicio")
        bia.presses_data(f"case|write|{pair[0]}")
        assert "digite de novo o protocolo e a chave" in bia.last_message

    def test_a_reply_to_words_of_ones_own_is_no_message(self, ana, pair):
        own = ana.world.messages[ana.id][-1] | {"text": reply_prompt(pair[0], translator("pt_BR"))}
        ana.says("Era verde.", reply_to_message=own | {"from": ana.user})
        assert written() == []

    def test_the_pair_opens_for_an_hour(self, ana, pair, monkeypatch):
        ana.says(" ".join(pair))
        case = ana.last_message
        ana.presses("Escrever à ouvidoria")
        monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(minutes=61))
        ana.replies("Era verde.")
        assert "digite de novo o protocolo e a chave" in ana.last_message
        ana.presses("Escrever à ouvidoria", on=case)
        assert "digite de novo o protocolo e a chave" in ana.last_message
        assert written() == []

    def test_a_case_that_has_ended_takes_no_more(self, ana, pair):
        answer(pair[0], closes=True)
        ana.says(" ".join(pair))
        assert ana.last_message.buttons == ["Resolveu", "Resolveu em parte", "Não resolveu"]


def kept() -> list[str]:
    """The files that came after the one with which it was filed."""
    return [row.name for row in rows(EvidenceRow) if row.complaint_id][1:]


class TestFilesToTheOmbudsman:
    @pytest.fixture
    def asked(self, ana, pair):
        """Ana, who was asked for something and has opened the reply."""
        ask(pair[0])
        ana.says(" ".join(pair))
        ana.presses("Responder à ouvidoria")
        return ana

    def status(self) -> str:
        [complaint] = rows(ComplaintRow)
        return complaint.status

    def test_a_photo_alone_answers_what_was_asked(self, asked):
        asked.replies_with("document", jpeg(colour="red"))
        assert "2 arquivos guardados" in asked.last_message
        assert "A ouvidoria está analisando" in asked.last_message
        assert (self.status(), kept(), written()) == ("in_review", ["foto-2.jpg"], [])

    def test_what_stands_under_it_is_the_message(self, asked):
        asked.replies_with("document", jpeg(colour="red"), caption="Era esta.")
        assert (kept(), written()) == (["foto-2.jpg"], ["Era esta."])

    @pytest.mark.parametrize(
        ("kind", "content", "name"),
        [
            ("voice", voice, "audio-2.ogg"),
            ("document", pdf, "documento-2.pdf"),
            ("video", recording, "video-2.mp4"),
        ],
    )
    def test_every_kind_is_taken(self, asked, kind, content, name):
        asked.replies_with(kind, content())
        assert kept() == [name]

    def test_a_recording_that_keeps_its_metadata_is_sealed_and_told(self, asked):
        asked.replies_with("video", stubborn())
        assert "Lacramos o arquivo" in asked.last_message
        assert rows(EvidenceRow)[-1].sealed_to

    def test_a_broken_one_is_told_and_the_words_arrive(self, asked):
        asked.replies_with("document", b"\xff\xd8\xff broken", caption="Era esta.")
        assert "está com defeito" in asked.last_message
        assert (kept(), written()) == ([], ["Era esta."])

    def test_one_too_big_for_telegram_goes_by_the_site(self, asked):
        asked.replies_with("video", recording(), size=30 * MEGABYTE)
        assert "/acompanhar" in asked.last_message
        assert kept() == []

    def test_a_review_needs_words_and_takes_the_file_with_them(self, ana, pair):
        answer(pair[0])
        ana.says(" ".join(pair))
        ana.presses("Pedir revisão")
        prompt = ana.last_message
        ana.replies_with("document", jpeg(colour="red"), on=prompt)
        assert (self.status(), kept()) == ("answered", [])
        ana.replies_with("document", jpeg(colour="red"), caption="Faltou o troco.", on=prompt)
        assert (self.status(), kept()) == ("review_requested", ["foto-2.jpg"])

    def test_nothing_is_taken_an_hour_later(self, asked, monkeypatch):
        monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(minutes=61))
        asked.replies_with("document", jpeg(colour="red"))
        assert "digite de novo o protocolo e a chave" in asked.last_message
        assert kept() == []

    def test_while_another_complaint_is_written_it_goes_where_it_was_asked_for(self, ana, pair):
        ana.says("/reclamar")
        ana.says(" ".join(pair))
        ana.presses("Escrever à ouvidoria")
        ana.replies_with("document", jpeg(colour="red"))
        assert kept() == ["foto-2.jpg"]


class TestWhatAnAuthorDoes:
    def status(self) -> str:
        [complaint] = rows(ComplaintRow)
        return complaint.status

    def test_rates_the_answer_with_one_tap_and_changes_it(self, ana, pair):
        answer(pair[0])
        ana.says(" ".join(pair))
        assert "A resposta resolveu?" in ana.last_message
        ana.presses("Não resolveu")
        assert "A sua avaliação: Não resolveu" in ana.last_message
        ana.presses("Resolveu em parte")
        assert "A sua avaliação: Resolveu em parte" in ana.last_message
        [complaint] = rows(ComplaintRow)
        assert complaint.rating == "partly"

    def test_asks_for_a_review_in_their_own_words(self, ana, pair):
        answer(pair[0])
        ana.says(" ".join(pair))
        ana.presses("Pedir revisão")
        ana.replies("Faltou o troco.")
        assert "Enviei o pedido de revisão." in ana.last_message
        assert "A revisão foi pedida. A resposta vem até" in ana.last_message
        assert self.status() == "review_requested"

    def test_takes_back_after_a_second_thought(self, ana, pair):
        ana.says(" ".join(pair))
        ana.presses("Retirar a manifestação")
        ana.presses("Não retirar")
        assert self.status() == "registered"
        ana.says(" ".join(pair))
        ana.presses("Retirar a manifestação")
        ana.presses("Retirar")
        assert "Você retirou a manifestação." in ana.last_message
        assert self.status() == "withdrawn"

    @pytest.mark.parametrize("what", ["rate-resolved", "withdraw-yes", "review", "withdraw"])
    def test_a_button_made_up_does_nothing(self, ana, pair, bot, what):
        answer(pair[0])
        bia = bot.person("Bia")
        bia.says("/inicio")
        bia.presses_data(f"case|{what}|{pair[0]}", bia.messages[0])
        assert "digite de novo o protocolo e a chave" in bia.last_message
        assert self.status() == "answered"

    def test_nothing_is_done_an_hour_later(self, ana, pair, monkeypatch):
        ana.says(" ".join(pair))
        ana.presses("Retirar a manifestação")
        monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(minutes=61))
        ana.presses("Retirar")
        assert "digite de novo o protocolo e a chave" in ana.last_message
        assert self.status() == "registered"


class TestNews:
    def test_come_only_when_asked_for(self, ana, pair):
        answer(pair[0])
        assert rows(OutboxRow) == []

    def test_are_subscribed_under_the_case_and_end_with_parar(self, ana, pair):
        ana.says(" ".join(pair))
        ana.presses("Avisar-me aqui quando houver novidade")
        assert "aviso aqui" in ana.last_message
        [address] = rows(NoticeAddressRow)
        assert str(ana.id).encode() not in address.box
        answer(pair[0])
        assert [row.kind for row in rows(OutboxRow)] == ["telegram"]
        ana.says("/parar")
        assert "não envio mais avisos" in ana.last_message
        assert rows(NoticeAddressRow) == []
        assert "Você não tem avisos" in ana.says("/parar")

    def test_are_subscribed_once(self, ana, pair):
        ana.says(" ".join(pair))
        data = ana.last_message.inline[-1]["callback_data"]
        ana.presses_data(data, ana.last_message)
        ana.presses_data(data, ana.last_message)
        assert len(rows(NoticeAddressRow)) == 1

    def test_end_when_the_bot_is_blocked(self, ana, pair):
        ana.says(" ".join(pair))
        ana.presses("Avisar-me aqui")
        ana.blocks()
        assert rows(NoticeAddressRow) == []
