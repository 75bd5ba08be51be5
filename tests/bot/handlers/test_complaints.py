import json
from datetime import timedelta
from io import BytesIO

import pytest
from PIL import Image
from sqlalchemy import select

from bot.handlers.filing import identity_in
from portal import clock
from portal.config import settings
from portal.domain.complaints import IdentityMode
from portal.domain.evidence import FILE_LIMIT
from portal.domain.questionnaire import question
from portal.i18n import translator
from portal.sealing.opening import open_sealed, private_key
from portal.services.unit_of_work import unit_of_work
from portal.storage.complaints import ComplaintRow, NoticeAddressRow, SealedIdentityRow, identity_record
from portal.storage.drafts import DraftRow, EvidenceRow
from portal.storage.outbox import OutboxRow
from portal.storage.telegram import TelegramChatRow
from portal.wording.questionnaire import question_title
from tests.bot.town import NOW, PLATE
from tests.telegram.driving import answering_at_once
from tests.telegram.world import Person

pytestmark = pytest.mark.usefixtures("at_two")


def picture() -> bytes:
    out = BytesIO()
    Image.new("RGB", (40, 30), "navy").save(out, "JPEG")
    return out.getvalue()


def begin(person: Person, town: str = "Caraguatatuba") -> None:
    person.says("/reclamar")
    if town in " ".join(person.last_message.buttons):
        person.presses(town)


def answer_all(person: Person) -> None:
    """Every question up to the choice of identity."""
    begin(person)
    person.presses("Veículo lotado além do permitido")
    person.says(PLATE)
    person.sends_location(-23.62, -45.41)
    person.presses("Agora")
    person.says("Gente em pé, 🚂 lotado. <b>*x*</b> _y_ [z](w)")
    person.sends_photo(picture())


def filed() -> list[ComplaintRow]:
    with unit_of_work() as session:
        return list(session.scalars(select(ComplaintRow)))


def rows(kind: type) -> list[object]:
    with unit_of_work() as session:
        return list(session.scalars(select(kind)))


class TestSomethingRefusedOnTheWay:
    @pytest.mark.parametrize(
        "does",
        [
            lambda ana: ana.sends_location(0.0, 0.0),
            lambda ana: ana.says("/verificar X"),
            lambda ana: ana.says("/start s_3510500_gone"),
        ],
    )
    def test_is_told_and_the_question_stands_under_it(self, ana, does):
        begin(ana)
        does(ana)
        assert len(ana.since) == 2
        assert "O que aconteceu?" in ana.last_message


class TestTheQuestions:
    def test_are_those_of_the_site_in_the_same_order(self, ana):
        asked = []
        begin(ana)
        ana.presses("Mais opções")
        for press in ("Sugestão", "Pular"):
            asked.append(ana.last_message.text.splitlines()[0].split(" · ")[1])
            ana.presses(press)
        asked.append(ana.last_message.text.splitlines()[0].split(" · ")[1])
        assert asked == [
            question_title(question(each), translator("pt_BR")) for each in ("what", "story", "identity")
        ]

    def test_emergency_numbers_stand_before_the_first(self, ana):
        begin(ana)
        for number in ("190", "192", "180", "100"):
            assert number in ana.since[0].text

    def test_a_demonstration_says_so_first(self, ana, monkeypatch):
        monkeypatch.setenv("DEMONSTRATION", "1")
        settings.cache_clear()
        begin(ana)
        assert "demonstração" in ana.since[0].text

    def test_the_door_for_unauthorised_transport_answers_the_first(self, ana):
        ana.says("/inicio")
        ana.presses("Denunciar transporte sem autorização")
        ana.presses("Caraguatatuba")
        assert "Qual veículo?" in ana.last_message

    @pytest.mark.parametrize(
        "words", ["tem uma van clandestina aqui", "quero denunciar uma LOTAÇÃO", "pirata"]
    )
    def test_these_words_lead_to_that_door(self, ana, words):
        ana.says(words)
        ana.presses("Caraguatatuba")
        assert "Qual veículo?" in ana.last_message

    @pytest.mark.parametrize(
        ("answered", "question"),
        [
            ((), "a van BRA1D23 tem autorização?"),
            (("Veículo lotado",), "olha essa BRA1D23 aqui"),
            (("Veículo lotado", "Pular"), "¿la BRA1D23 es legal?"),
            (("Veículo lotado", "Pular", "Pular"), "posso ir com a BRA-1D23?"),
            (("Veículo lotado", "Pular", "Pular", "Pular"), "A BRA1D23 corria muito."),
        ],
    )
    def test_a_plate_inside_a_sentence_is_verified_at_each(self, ana, answered, question):
        begin(ana)
        for press in answered:
            ana.presses(press)
        ana.says(question)
        assert "BRA1D23: autorizado" in ana.read()
        assert ana.last_message.buttons

    @pytest.mark.parametrize("answered", [(), ("Veículo lotado",), ("Veículo lotado", "Pular")])
    @pytest.mark.parametrize(
        ("question", "answer"),
        [
            ("oi, a que horas sai o trenzinho?", "Próxima saída"),
            ("qual o prazo para responderem?", "O dia exato está no recibo"),
        ],
    )
    def test_a_question_of_the_person_is_answered_and_the_question_comes_again(
        self, ana, answered, question, answer
    ):
        begin(ana)
        for press in answered:
            ana.presses(press)
        asked = ana.last_message.text
        ana.says(question)
        assert answer in ana.read()
        assert ana.last_message.text == asked

    def test_the_town_can_be_changed(self, ana):
        begin(ana)
        ana.presses("É em outro município")
        ana.presses("Chapada dos Guimarães")
        assert "Chapada dos Guimarães" in ana.since[0].text

    def test_more_options_appear_on_demand(self, ana):
        begin(ana)
        assert "Barulho ou som alto" not in ana.last_message.buttons
        ana.presses("Mais opções")
        ana.presses("Barulho ou som alto")
        assert "Qual veículo?" in ana.last_message or "Onde foi?" in ana.last_message

    def test_a_moment_in_words(self, ana):
        begin(ana)
        ana.presses("Veículo lotado")
        ana.presses("Pular")
        ana.presses("Pular")
        ana.presses("Em outro dia")
        assert "Escreva o dia" in ana.last_message
        ana.says("amanhã")
        assert "Quando foi?" in ana.last_message
        ana.says("28/11 14h30")
        assert "Confira e envie" in ana.last_message

    def test_a_story_too_long_is_told_and_asked_again(self, ana):
        begin(ana)
        for press in ("Veículo lotado", "Pular", "Pular", "Pular"):
            ana.presses(press)
        ana.says("x" * 4001)
        assert "4.001" in ana.read() or "4001" in ana.read() or "4.000" in ana.read()
        assert "Confira e envie" in ana.last_message


class TestWordsNobodyAskedFor:
    @pytest.mark.parametrize("answered", [("Direção perigosa",), ("Direção perigosa", "Pular")])
    @pytest.mark.parametrize(
        "told",
        [
            "quero reclamar que o motorista gritou com a minha mãe",
            "o motorista dirigia falando no celular o tempo todo",
            "I want to complain that the driver was shouting at us",
        ],
    )
    def test_an_account_is_kept_as_one_and_the_question_stands(self, ana, answered, told):
        begin(ana)
        for press in answered:
            ana.presses(press)
        asked = ana.last_message.text
        ana.says(told)
        assert "no relato" in ana.read()
        assert ana.last_message.text == asked
        [draft] = rows(DraftRow)
        assert draft.answers["story"] == told
        assert not {"where", "when"} & draft.answers.keys()

    def test_two_accounts_are_both_kept(self, ana):
        begin(ana)
        ana.presses("Direção perigosa")
        ana.says("o motorista dirigia falando no celular o tempo todo")
        ana.says("e depois o motorista gritou com a minha mãe")
        [draft] = rows(DraftRow)
        assert len(draft.answers["story"].splitlines()) == 2

    def test_a_plate_in_it_is_the_vehicle(self, ana):
        begin(ana)
        ana.presses("Direção perigosa")
        ana.says(f"quero reclamar que o motorista da {PLATE} gritou comigo")
        assert f"{PLATE}: autorizado" in ana.read()
        assert "Onde foi?" in ana.last_message

    @pytest.mark.parametrize("typed", ["van branca velha caindo aos pedaços na rua", "uma van pirata azul"])
    def test_a_description_stays_one(self, ana, typed):
        begin(ana)
        ana.presses("Direção perigosa")
        ana.says(typed)
        assert "Onde foi?" in ana.last_message

    def test_a_place_may_be_the_ombudsmans_own(self, ana):
        begin(ana)
        ana.presses("Direção perigosa")
        ana.presses("Pular")
        ana.says("em frente à ouvidoria da prefeitura")
        assert "Quando foi?" in ana.last_message

    def test_to_ask_for_what_is_already_begun_goes_on_with_it(self, ana):
        begin(ana)
        ana.presses("Direção perigosa")
        ana.says("quero reclamar")
        assert "Continuamos" in ana.read()
        assert "Qual veículo?" in ana.last_message

    @pytest.mark.parametrize("known", [True, False])
    def test_what_opens_a_complaint_is_its_account(self, ana, known):
        told = "quero reclamar que o motorista gritou com a minha mãe"
        if known:
            ana.says(PLATE)
        ana.says(told)
        if not known:
            ana.presses("Caraguatatuba")
        assert "no relato" in ana.read()
        assert "Qual veículo?" in ana.last_message
        ana.presses("É em outro município")
        ana.presses("Chapada dos Guimarães")
        [draft] = rows(DraftRow)
        assert draft.municipality == "chapada-dos-guimaraes-mt"
        assert draft.answers["story"] == told


class TestTheReview:
    def test_says_who_sees_what_once_in_a_message_before(self, ana):
        begin(ana)
        for press in ("Veículo lotado", "Pular", "Pular", "Pular"):
            ana.presses(press)
        table, review = ana.since[-2:]
        assert "Ouvidoria: Só o relato" in table
        assert "Telegram" in table
        assert "Confira e envie" in review
        assert len(review.text) < 700
        ana.says("qual o prazo para responderem?")
        assert ana.last_message.text == review.text
        assert "Ouvidoria: Só o relato" not in ana.read()


class TestAVerdictInTheMiddle:
    @pytest.mark.parametrize("said", [PLATE, f"/verificar {PLATE}", f"/start {PLATE}"])
    def test_is_short_and_the_question_comes_again(self, ana, said):
        begin(ana)
        asked = ana.last_message.text
        ana.says(said)
        verdict, question = ana.since
        assert verdict.text.startswith(f"{PLATE}: autorizado")
        assert "lista de" in verdict
        assert "Confira antes de embarcar" not in verdict
        assert len(verdict.text) < 300
        assert verdict.buttons == []
        assert question.text == asked


class TestFindingTheWay:
    def test_back_asks_the_question_before_again(self, ana):
        begin(ana)
        ana.presses("Veículo lotado")
        ana.presses("‹ Voltar")
        assert "O que aconteceu?" in ana.last_message

    def test_an_answer_is_changed_at_the_review(self, ana):
        begin(ana)
        for press in ("Veículo lotado", "Pular", "Pular", "Pular"):
            ana.presses(press)
        ana.presses("Mudar uma resposta")
        ana.presses("Lugar")
        ana.says("Rua das Flores")
        assert "Rua das Flores" in ana.last_message
        assert "Confira e envie" in ana.last_message

    def test_a_plate_is_answered_in_the_middle_and_the_question_asked_again(self, ana):
        begin(ana)
        ana.presses("Veículo lotado")
        ana.presses("Pular")
        ana.says(PLATE)
        assert "autorizado em Caraguatatuba" in ana.since[0].text
        assert "Onde foi?" in ana.last_message

    def test_where_a_vehicle_is_asked_for_a_plate_is_answer_and_question(self, ana):
        begin(ana)
        ana.presses("Veículo lotado")
        ana.says(PLATE)
        assert "autorizado em Caraguatatuba" in ana.since[0].text
        assert "Onde foi?" in ana.last_message

    def test_a_location_in_another_question_shows_the_points_and_goes_on(self, ana):
        begin(ana)
        ana.presses("Veículo lotado")
        ana.sends_location(-23.62, -45.41)
        assert "Praça Doutor Cândido Mota" in ana.since[0].text
        assert "Qual veículo?" in ana.last_message

    @pytest.mark.parametrize("steps", range(5))
    def test_start_cancel_and_a_plate_work_in_every_state(self, ana, steps):
        begin(ana)
        for press in ("Veículo lotado", "Pular", "Pular", "Pular")[:steps]:
            ana.presses(press)
        question = ana.last_message.text
        ana.says("/inicio")
        assert "manifestação começada" in ana.read()
        ana.says(PLATE)
        assert "autorizado em Caraguatatuba" in ana.since[0].text
        if steps != 1:  # there the plate was the answer
            assert ana.last_message.text == question
        ana.says("/cancelar")
        assert "Cancelado" in ana.last_message
        assert rows(DraftRow) == []

    def test_cancelling_by_button_asks_twice(self, ana):
        begin(ana)
        ana.presses("Cancelar")
        ana.presses("Continuar")
        assert "O que aconteceu?" in ana.last_message
        ana.presses("Cancelar")
        ana.presses("Apagar")
        assert "Cancelado" in ana.last_message

    def test_start_again_goes_on_where_the_person_was(self, ana):
        begin(ana)
        ana.presses("Veículo lotado")
        ana.says("/reclamar")
        assert "Qual veículo?" in ana.last_message

    def test_nothing_in_progress_to_cancel(self, ana):
        assert "Não há nada em andamento" in ana.says("/cancelar")


class TestButtonsOutOfTheirTime:
    def test_a_second_tap_does_not_answer_the_next_question(self, ana):
        begin(ana)
        question = ana.last_message
        button = next(each for each in question.inline if "lotado" in each["text"])
        ana.presses_data(button["callback_data"], question)
        ana.presses_data(button["callback_data"], question)
        assert "já foi respondida" in ana.toast
        ana.says("/reclamar")
        assert "Qual veículo?" in ana.last_message

    def test_a_button_of_last_month_explains_itself(self, ana):
        begin(ana)
        question = ana.last_message
        data = question.inline[0]["callback_data"]
        ana.says("/cancelar")
        begin(ana)
        ana.presses_data(data, question)
        assert "já foi enviada ou cancelada" in ana.toast

    def test_a_button_of_an_older_version_explains_itself(self, ana):
        begin(ana)
        ana.presses_data("no-such-handler|1", ana.last_message)
        assert "conversa antiga" in ana.last_message

    def test_a_button_without_its_message_is_answered(self, ana, bot):
        query = {"id": "9", "from": ana.user, "chat_instance": "1", "data": "q|abcdef|what|praise"}
        message = {"chat": ana.chat, "message_id": 1, "date": 0}
        ana._does({"callback_query": query | {"message": message}})
        assert ana.toast


class TestPhotos:
    def test_ten_are_taken_and_in_place_of_one_of_them_the_eleventh(self, ana):
        begin(ana)
        for press in ("Veículo lotado", "Pular", "Pular", "Pular", "Juntar arquivos"):
            ana.presses(press)
        for count in range(1, FILE_LIMIT + 1):
            ana.sends_photo(picture())
            assert str(count) in ana.since[0].text
        ana.sends_photo(picture())
        assert len(rows(EvidenceRow)) == FILE_LIMIT
        assert str(FILE_LIMIT) in ana.last_message
        ana.presses("Tirar 3. foto.jpg")
        assert len(rows(EvidenceRow)) == FILE_LIMIT - 1
        ana.sends_photo(picture())
        assert len(rows(EvidenceRow)) == FILE_LIMIT

    def test_a_picture_sent_as_a_file_is_stripped_like_any_other(self, ana, environment):
        exif = Image.Exif()
        exif[0x010F] = "Maker of phones"
        out = BytesIO()
        Image.new("RGB", (40, 30), "navy").save(out, "JPEG", exif=exif)
        begin(ana)
        ana.sends_document(out.getvalue())
        [kept] = [path for path in environment.joinpath("files").rglob("*") if path.is_file()]
        assert b"Maker of phones" not in kept.read_bytes()

    @pytest.mark.parametrize(
        ("content", "size"), [(b"not a photo", None), (b"", None), (b"x", 400 * 1024 * 1024)]
    )
    def test_what_is_no_photo_or_too_big_is_told_and_the_rest_stays(self, ana, content, size):
        begin(ana)
        ana.presses("Veículo lotado")
        ana.sends_document(content, "filme.mp4", "video/mp4", size)
        assert "filme.mp4" in ana.since[0].text
        assert "Qual veículo?" in ana.last_message
        assert ("60 MB" in ana.read()) == (size is not None)

    def test_as_the_first_message_is_kept_for_a_complaint(self, ana):
        ana.sends_photo(picture())
        assert "envie a placa" in ana.last_message
        ana.presses("Caraguatatuba")
        assert "1 arquivo guardado" in ana.read()
        assert "O que aconteceu?" in ana.last_message

    def test_with_a_plate_in_the_caption_gives_a_verdict(self, ana):
        ana.sends_photo(picture(), caption=f"olha esse {PLATE}")
        assert "autorizado em Caraguatatuba" in ana.read()


class TestSendingAnonymously:
    def test_the_receipt_has_protocol_key_and_the_legal_date(self, ana):
        answer_all(ana)
        ana.presses("Anônima")
        [complaint] = filed()
        assert complaint.protocol in ana.last_message
        assert "Chave de acesso:" in ana.last_message
        assert "30/12/2026" in ana.last_message
        assert complaint.identity_mode == "anonymous"
        assert complaint.story == "Gente em pé, 🚂 lotado. <b>*x*</b> _y_ [z](w)"
        assert len(rows(EvidenceRow)) == 1

    def test_who_sees_what_is_told_once_whatever_is_added_at_the_review(self, ana):
        begin(ana)
        for press in ("Direção perigosa", "Pular", "Pular", "Pular"):
            ana.presses(press)
        ana.says("Gente em pé e motorista ao telefone.")
        ana.sends_photo(picture())
        told = [said for said in ana.messages if "quem vê o quê" in said]
        assert len(told) == 1
        assert "Confira e envie" in ana.last_message

    def test_what_was_written_is_shown_literally_at_the_review(self, ana):
        begin(ana)
        for press in ("Veículo lotado", "Pular", "Pular", "Pular"):
            ana.presses(press)
        text = "linha_1 *centro* [x](y) 10.5! <b>&amp; \\ ~\\|{}`"
        ana.says(text)
        assert text in ana.last_message

    def test_only_subject_and_place_are_enough(self, ana):
        begin(ana)
        ana.presses("Direção perigosa")
        ana.presses("Pular")
        ana.says("Av. da Praia")
        ana.presses("Pular")
        assert "Direção perigosa" in ana.last_message
        assert "Av. da Praia" in ana.last_message
        ana.presses("Anônima")
        assert "Protocolo" in ana.last_message

    def test_nothing_ties_the_chat_to_the_complaint(self, ana):
        answer_all(ana)
        ana.presses("Anônima")
        assert rows(DraftRow) == []
        assert rows(OutboxRow) == []
        assert rows(NoticeAddressRow) == []
        [chat] = rows(TelegramChatRow)
        assert (chat.draft, chat.awaits_contact) == (None, None)

    def test_two_presses_file_once(self, ana):
        answer_all(ana)
        last = ana.last_message
        data = next(each["callback_data"] for each in last.inline if each["text"] == "Anônima")
        ana.presses_data(data, last)
        ana.presses_data(data, last)
        assert len(filed()) == 1
        assert "já foi enviada" in ana.toast

    def test_when_the_answer_cannot_be_sent_the_receipt_waits_sealed(self, ana, bot, keys):
        answer_all(ana)
        bot.fail("sendDocument", 403)
        ana.presses("Anônima")
        [complaint] = filed()
        [row] = rows(OutboxRow)
        assert complaint.protocol not in str(row.payload)
        assert (row.expires_at - NOW).total_seconds() == 3600
        notice = {keys["notice"].id: private_key(keys["notice"].private)}
        told = json.loads(open_sealed(row.sealed, notice, record=row.record))
        assert (told["chat"], told["receipt"]["protocol"]) == (ana.id, complaint.protocol)


class TestSendingWithAName:
    def test_name_and_contact_are_asked_last_and_sealed(self, ana, bot, keys):
        answer_all(ana)
        ana.presses("Com identidade protegida")
        ana.says("Maria Exemplo, maria@example.org, (12) 90000-0000")
        [complaint] = filed()
        assert complaint.protocol in ana.read()
        [sealed] = rows(SealedIdentityRow)
        opened = open_sealed(
            sealed.box,
            {keys["identity"].id: private_key(keys["identity"].private)},
            record=identity_record(complaint.protocol),
        )
        told = json.loads(opened)
        assert told == {"name": "Maria Exemplo", "email": "maria@example.org", "phone": "(12) 90000-0000"}

    def test_the_message_with_the_name_leaves_the_chat(self, ana, bot):
        answer_all(ana)
        ana.presses("Com identidade aberta")
        ana.says("Maria Exemplo 12 90000-0000")
        assert "Maria" not in str(bot.messages[ana.id])

    def test_a_contact_card_serves_too(self, ana):
        answer_all(ana)
        ana.presses("Com identidade protegida")
        ana.sends_contact()
        assert len(filed()) == 1

    def test_what_cannot_be_read_is_asked_again(self, ana):
        answer_all(ana)
        ana.presses("Com identidade protegida")
        ana.says("...")
        assert filed() == []
        ana.says("Maria Exemplo 12 90000-0000")
        assert len(filed()) == 1

    def test_back_returns_to_the_choice(self, ana):
        answer_all(ana)
        ana.presses("Com identidade protegida")
        ana.presses("‹ Voltar")
        assert "Confira e envie" in ana.last_message
        ana.presses("Anônima")
        assert filed()[0].identity_mode == "anonymous"

    def test_a_town_without_a_key_takes_anonymous_ones_only(self, ana):
        begin(ana)
        ana.presses("É em outro município")
        ana.presses("Santa Rita")
        for press in (
            "Direção perigosa",
            "Pular",
            "Pular",
            "Pular",
        ):
            ana.presses(press)
        ana.presses("Com identidade protegida")
        ana.says("Maria Exemplo 12 90000-0000")
        assert filed() == []
        ana.presses("Anônima")
        assert len(filed()) == 1


class TestARestart:
    def test_the_person_goes_on_where_they_were(self, ana, bot):
        begin(ana)
        ana.presses("Veículo lotado")
        ana.presses("Pular")
        with answering_at_once(settings(), bot):
            ana.says("Rua das Flores")
            assert "Quando foi?" in ana.last_message


class TestWhatIsLeftFromBefore:
    def test_a_town_asked_for_twice_does_not_wipe_what_was_answered_since(self, ana):
        ana.says("/reclamar")
        first = ana.last_message
        begin(ana)
        ana.presses("Veículo lotado")
        ana.presses("Caraguatatuba", on=first)
        assert "Continuamos" in ana.read()
        [draft] = rows(DraftRow)
        assert "what" in draft.answers

    def test_a_draft_whose_time_is_over_gives_way_to_a_new_one(self, ana, monkeypatch):
        begin(ana)
        monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(days=90))
        ana.says("/reclamar")
        assert "Continuamos" not in ana.read()
        assert "O que aconteceu?" in ana.last_message

    def test_a_story_may_name_an_earlier_protocol(self, ana):
        answer_all(ana)
        ana.presses("Anônima")
        protocol = filed()[0].protocol
        begin(ana)
        ana.presses("Veículo lotado")
        for _ in range(3):
            ana.presses("Pular")
        ana.says(f"Já reclamei no protocolo {protocol} e o veículo continua rodando lotado")
        [draft] = rows(DraftRow)
        assert protocol in draft.answers["story"]

    @pytest.mark.parametrize("option", ["garbage", "", "anonymous"])
    def test_an_answer_made_up_is_none(self, ana, option, caplog):
        begin(ana)
        ana.presses("Veículo lotado")
        prefix = ana.last_message.inline[0]["callback_data"].rsplit("|", 1)[0]
        ana.presses_data(f"{prefix}|{option}")
        assert "veículo" in ana.last_message.text
        assert [record for record in caplog.records if record.levelname == "ERROR"] == []

    def test_who_complains_is_no_answer_that_a_button_can_carry(self, ana, caplog):
        ana.says("/reclamar")
        ana.presses_data("draft-town|3510500|identity|anonymous")
        assert "O que aconteceu?" in ana.last_message
        assert [record for record in caplog.records if record.levelname == "ERROR"] == []

    def test_a_photo_that_telegram_does_not_hand_over_is_told(self, ana, bot, monkeypatch):
        begin(ana)
        monkeypatch.setattr(bot, "download", lambda path: None)
        ana.sends_photo(picture())
        assert "Tente de novo" in ana.read()
        assert "O que aconteceu?" in ana.last_message


@pytest.mark.parametrize("text", ["a@" * 2000, "a@b" * 1300, "a" * 4096])
def test_a_text_made_to_be_hard_to_read_is_read_in_one_pass(text):
    assert identity_in(text, IdentityMode.SEALED)["email"] == ""
