"""Files in the chat: every kind, what they suggest, what is too big, and what of the sender stays nowhere."""

import asyncio
import re
from datetime import UTC, datetime
from io import BytesIO

import pytest

from bot.application import build_application
from bot.inbox import Inbox
from portal import clock
from portal.config import settings
from portal.services.complaints.intake import read_upload
from portal.services.housekeeping import CHORES
from portal.services.messages import telegram as conversation
from portal.services.unit_of_work import unit_of_work
from portal.storage.complaints import ComplaintRow
from portal.storage.drafts import EvidenceRow
from portal.storage.telegram import TelegramChatRow
from tests.bot.handlers.test_complaints import begin, rows
from tests.bot.town import NOW, PLATE
from tests.factories.evidence import jpeg, pdf, recording, stubborn, voice
from tests.telegram.direct import DirectRequest
from tests.telegram.driving import running

pytestmark = pytest.mark.usefixtures("at_two")

RECEIPT = re.compile(r"Protocolo: (\S+)\nChave de acesso: ([^\n]+)")
TO_THE_END = ("Veículo lotado", "Pular", "Pular", "Pular")


def press(person, *labels):
    for label in labels:
        person.presses(label)


class TestEveryKind:
    def test_is_kept_without_what_it_says_of_itself(self, ana, environment):
        begin(ana)
        ana.sends_photo(jpeg())
        ana.sends_document(pdf(), "carta.pdf", "application/pdf")
        ana.sends_voice(content=voice())
        ana.sends_audio(recording("mp3", None, "libmp3lame"))
        ana.sends_film(recording())
        ana.sends_film(recording(), "video_note")
        assert "6 arquivos guardados" in ana.read()
        assert [row.kind for row in rows(EvidenceRow)] == [
            "photo",
            "document",
            "audio",
            "audio",
            "video",
            "video",
        ]
        for path in environment.joinpath("files").rglob("*"):
            assert path.is_dir() or b"TELLTALE" not in path.read_bytes()

    def test_a_voice_message_is_the_account_where_one_is_asked_for(self, ana):
        begin(ana)
        press(ana, *TO_THE_END, "Contar o que houve")
        assert "Quer contar" in ana.last_message
        ana.sends_voice(content=voice())
        assert "1 arquivo guardado" in ana.read()
        assert "Quer contar" not in ana.last_message

    def test_without_a_complaint_gets_one_helpful_line(self, ana):
        said = ana.sends_voice(content=voice())
        assert "escolha o município" in said
        ana.presses("Caraguatatuba")
        assert "1 arquivo guardado" in ana.read()

    def test_a_recording_that_keeps_its_metadata_is_sealed_and_told(self, ana):
        begin(ana)
        ana.sends_film(stubborn())
        assert "Lacramos o arquivo" in ana.read()
        assert rows(EvidenceRow)[0].sealed_to


class TestAConversationOpenedWithAPhoto:
    def test_asks_for_the_plate_and_keeps_it_for_what_comes_of_that(self, ana):
        said = ana.sends_photo(jpeg())
        assert "envie a placa" in said
        ana.says(PLATE)
        assert "autorizado" in ana.read()
        ana.presses("Avise a ouvidoria")
        assert "1 arquivo guardado" in ana.read()
        assert len(rows(EvidenceRow)) == 1

    def test_and_a_voice_message_before_a_complaint_waits_for_it_too(self, ana):
        ana.sends_voice(content=voice())
        ana.says("quero reclamar")
        ana.presses("Caraguatatuba")
        assert "1 arquivo guardado" in ana.read()


class TestWhatAFileSays:
    def test_is_offered_under_the_answer_and_taken_with_one_tap(self, ana):
        begin(ana)
        press(ana, "Veículo lotado")
        when, here = NOW.strftime("%Y:%m:%d 13:30:00"), (-23.6, -45.4)
        ana.sends_document(jpeg(taken=when, position=here))
        ana.presses("13:30")
        ana.presses("O arquivo diz onde foi feito")
        press(ana, "Pular", "Anônima")
        [complaint] = rows(ComplaintRow)
        assert complaint.facts["when"]["time"] == "13:30"
        assert complaint.facts["where"] == {"kind": "position", "latitude": -23.6, "longitude": -45.4}

    def test_absence_is_said(self, ana):
        begin(ana)
        ana.sends_photo(jpeg())
        assert "não traz data nem lugar" in ana.read()

    def test_a_button_of_another_complaint_does_nothing(self, ana):
        begin(ana)
        ana.presses_data("file-says|abcdef|when|202611281402")
        assert "já foi enviada ou cancelada" in ana.read()
        ana.presses_data("file-out|abcdef|x")
        assert "já foi enviada ou cancelada" in ana.read()


class TestWhatTelegramDoesNotHandOver:
    def test_is_sent_by_a_link_of_its_own_tied_to_the_complaint(self, ana):
        begin(ana)
        ana.sends_film(b"x", size=40 * 1024 * 1024)
        said = ana.read()
        assert "20 MB" in said
        token = re.search(r"/manifestacoes/arquivo/(\S+)", said)[1]
        with unit_of_work() as session:
            assert read_upload(session, token, now=clock.now()).files == 0
        assert "O que aconteceu?" in ana.last_message

    def test_what_is_sent_there_belongs_to_the_complaint_of_the_chat(self, ana, client):
        begin(ana)
        press(ana, *TO_THE_END)
        ana.sends_film(b"x", size=40 * 1024 * 1024)
        address = re.search(r"/\S+/manifestacoes/arquivo/\S+", ana.read())[0].split("8000", 1)[-1]
        page = client.post(address, data={"photos": (BytesIO(recording()), "filme.mp4")})
        assert page.status_code == 303
        ana.says("/reclamar")
        assert "1 arquivo guardado" in ana.last_message
        ana.presses("Anônima")
        assert [(row.kind, row.draft_id) for row in rows(EvidenceRow)] == [("video", None)]
        assert len(rows(ComplaintRow)) == 1

    def test_just_under_it_is_fetched(self, ana):
        begin(ana)
        ana.sends_document(jpeg(), "quase.jpg", size=int(19.9 * 1024 * 1024))
        assert "1 arquivo guardado" in ana.read()

    def test_more_than_anybody_may_send_is_refused_with_its_limit(self, ana):
        begin(ana)
        ana.sends_film(b"x", size=400 * 1024 * 1024)
        assert "60 MB" in ana.read()
        assert "/manifestacoes/arquivo/" not in ana.read()


def test_nothing_of_an_anonymous_complaint_with_a_photo_and_a_voice_note_leads_back(
    over_http, world, environment, capfd, caplog
):
    photo, note = jpeg(taken="2026:11:30 13:30:00"), voice()
    caplog.set_level("INFO")
    for library in (
        "httpx",
        "httpcore",
        "telegram",
    ):  # as `python -m bot` does: they write down every address
        caplog.set_level("WARNING", logger=library)
    with running(over_http, world):
        ana = world.person("Telltale Ana")
        ana.user["username"] = "telltale_ana"
        begin(ana)
        press(ana, *TO_THE_END)
        ana.sends_document(photo, "Maria Telltale.jpg")
        ana.sends_voice(content=note)
        press(ana, "Anônima")
        assert len(rows(EvidenceRow)) == 2
        found = next(one for one in map(RECEIPT.search, [each.text for each in ana.messages]) if one)
        ana.says(" ".join(found.groups()))  # and one more, in reply to the bot
        ana.presses("Escrever à ouvidoria")
        ana.replies_with("document", jpeg(taken="2026:11:30 13:30:00", colour="red"), caption="Achei outra.")
        assert len(rows(EvidenceRow)) == 3
        identities = [str(ana.id).encode(), b"elltale", b"TELLTALE", b"Maria", b"2026-11-30T13:30"]
        identities += [file_id.encode() for file_id in world.files]
    for chore in CHORES:  # within a minute
        chore(datetime.now(UTC))
        chore(NOW)
    kept = b"".join(path.read_bytes() for path in environment.rglob("*") if path.is_file())
    logged = "".join(capfd.readouterr()).encode() + caplog.text.encode()
    for told in identities:
        assert told not in kept, told
        assert told not in logged, told


class TestAnAlbum:
    @staticmethod
    def send(ana, bot, *, apart: bool, caption: str | None = None):
        """Three photos, in one answer to polling or each posted by itself; what is said to them."""
        captions = [{"caption": caption} if caption else {}, {}, {}]
        sent = [
            ana._message(photo=[bot._photo(bot.add_file(jpeg()))], media_group_id="7", **each)
            for each in captions
        ]
        updates = [{"update_id": 900 + n, "message": each} for n, each in enumerate(sent)]
        said = len(ana.messages)

        async def story() -> None:
            application = build_application(settings(), token=bot.token, request=DirectRequest(bot))
            async with application:
                inbox = Inbox(application)
                for group in [[each] for each in updates] if apart else [updates]:
                    await inbox.receive(group)
                await inbox.idle()

        asyncio.run(story())
        return ana.messages[said:]

    @pytest.mark.parametrize("apart", [False, True])
    def test_is_kept_whole_and_answered_as_one(self, ana, bot, apart):
        begin(ana)
        ana.presses("Veículo lotado")
        said = self.send(ana, bot, apart=apart)
        kept = [each.text for each in said if "guardad" in each.text]
        assert len(kept) == 1
        assert kept[0].startswith("3 ")
        assert len(rows(EvidenceRow)) == 3

    def test_before_any_complaint_is_asked_about_once_and_loses_no_photo(self, ana, bot):
        [asked] = self.send(ana, bot, apart=True)
        assert "escolha o município" in asked
        ana.presses("Caraguatatuba")
        assert ana.read().count("guardad") == 1
        assert "3 arquivos guardados" in ana.read()
        assert "O que aconteceu?" in ana.last_message

    def test_with_a_plate_in_its_caption_goes_into_the_complaint_told_under_the_verdict(self, ana, bot):
        self.send(ana, bot, apart=False, caption=PLATE)
        ana.presses("Avise a ouvidoria")
        assert "3 arquivos guardados" in ana.read()

    def test_is_forgotten_when_no_complaint_is_begun_within_the_hour(self, ana, bot):
        self.send(ana, bot, apart=False)
        with unit_of_work(writes=True) as session:
            conversation.forget_handled(session, now=NOW + conversation.FILES_WAIT)
        [chat] = rows(TelegramChatRow)
        assert chat.files is None
