"""The last page: what was answered, what would help, whose matter it is, who sees what, send."""

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.storage.complaints import ComplaintRow
from portal.storage.drafts import DraftRow
from tests.portal.web.complaints.test_views import Citizen

pytestmark = pytest.mark.usefixtures("ombudsman_keys")

NEW = "/caraguatatuba-sp/manifestacoes/nova"


@pytest.fixture
def citizen(client):
    return Citizen(client)


def complaint(database):
    with Session(database) as session:
        return session.scalars(select(ComplaintRow)).one()


def answers(database):
    with Session(database) as session:
        return session.scalars(select(DraftRow.answers)).one()


class TestTheKind:
    def test_is_guessed_and_corrected_in_one_tap(self, citizen, database):
        citizen.up_to("identity")
        assert answers(database)["what"]["kind"] == "denuncia"
        citizen.send(question="kind", option="solicitacao")
        assert citizen.question == "identity"
        citizen.send(option="anonymous")
        assert (complaint(database).kind, complaint(database).category) == ("solicitacao", "overcrowding")

    def test_is_guessed_anew_for_another_subject(self, citizen, client, database):
        citizen.up_to("identity")
        citizen.send(question="kind", option="elogio")
        citizen.page = client.get(f"{NEW}?pergunta=what")
        citizen.send(option="rudeness")
        assert answers(database)["what"]["kind"] == "reclamacao"

    def test_is_none_that_was_made_up(self, citizen):
        citizen.up_to("identity")
        assert citizen.send(question="kind", option="ordem").status_code == 422


class TestWordsWhereOnlyTheyTell:
    @pytest.mark.parametrize("category", ["lost_property", "praise", "other_problem", "suggestion"])
    def test_are_asked_for_and_may_be_left_out(self, citizen, category):
        citizen.send(option=category)
        while citizen.question != "story":
            citizen.send(option="unknown")
        citizen.send(option="skip")
        assert citizen.question == "identity"

    def test_are_offered_at_the_end_elsewhere(self, citizen):
        citizen.up_to("identity")
        assert "pergunta=story" in citizen.text


class TestWhatIsWrong:
    def test_is_told_beside_its_field(self, citizen):
        citizen.up_to("identity")
        citizen.send(option="sealed", email="a@b")
        assert 'id="email-error"' in citizen.text
        assert 'id="option-error"' not in citizen.text


class TestTheMeter:
    def test_names_what_is_missing_and_sends_anyway(self, citizen):
        citizen.up_to("where")
        citizen.send(text="Praça da Matriz")
        citizen.up_to("identity")
        assert "Ajudaria a apurar: Veículo e Fatos. Pode enviar assim mesmo." in citizen.text
        assert citizen.send(option="anonymous").status_code == 200

    def test_is_content_when_all_is_there(self, citizen):
        citizen.up_to("vehicle")
        citizen.send(text="BRA2E19")
        citizen.send(text="Praça da Matriz")
        citizen.up_to("story")
        citizen.send(text="Gente em pé.")
        assert "Há tudo o que mais ajuda a apurar." in citizen.text


class TestWasItHere:
    @pytest.mark.parametrize(
        ("question", "fields"),
        [
            ("where", {"lat": "-23.75", "lon": "-45.41"}),
            ("where", {"text": "SP-055, km 100"}),
            ("vehicle", {"text": "van intermunicipal branca"}),
        ],
    )
    def test_is_asked_near_a_border_on_a_highway_and_between_cities(self, citizen, question, fields):
        citizen.up_to(question)
        citizen.send(**fields)
        citizen.up_to("here")
        assert "Foi neste município?" in citizen.text

    def test_is_asked_of_nobody_else(self, citizen):
        citizen.up_to("where")
        citizen.send(lat="-23.6125", lon="-45.4125")
        assert citizen.question == "when"

    def test_keeps_the_case_and_points_to_who_else_takes_it(self, citizen, database):
        citizen.up_to("where")
        citizen.send(text="SP-055, km 100")
        citizen.send(option="between")
        citizen.up_to("identity")
        for name in ("ARTESP", "ANTT", "recebe assim mesmo"):
            assert name in citizen.text
        citizen.send(option="anonymous")
        assert complaint(database).facts["here"] == {"kind": "between"}
        assert "ARTESP" in citizen.text

    def test_is_dropped_with_the_place_that_made_us_ask(self, citizen, client, database):
        citizen.up_to("where")
        citizen.send(text="SP-055, km 100")
        citizen.send(option="between")
        citizen.page = client.get(f"{NEW}?pergunta=where")
        citizen.send(text="Praça da Matriz")
        assert "here" not in answers(database)


class TestTheFastLane:
    def test_says_the_instruments_own_procedure_and_the_numbers_to_call(self, citizen):
        citizen.send(option="harassment")
        assert "passa à frente na fila" in citizen.text
        assert "abre o procedimento imediatamente" in citizen.text
        assert "tel:190" in citizen.text

    def test_says_nothing_of_the_kind_elsewhere(self, citizen):
        citizen.send(option="rudeness")
        assert "passa à frente" not in citizen.text


class TestTheVehicle:
    def test_may_be_a_line_chosen_from_the_list_and_no_other(self, citizen):
        citizen.up_to("vehicle")
        assert citizen.send(line="invented").status_code == 422

    def test_part_of_a_plate_is_read_back_as_such(self, citizen, database):
        citizen.up_to("vehicle")
        citizen.send(text="ABC então algo 23")
        assert answers(database)["vehicle"]["pattern"] == "ABC*23"
        citizen.up_to("identity")
        assert "ABC então algo 23 (parte de uma placa)" in citizen.text


class TestWhoSeesWhat:
    def test_stands_beside_the_case_for_the_choice_that_was_stored(self, citizen, client, database):
        citizen.up_to("identity")
        citizen.send(option="sealed", email="a@example.org")
        key = client.get("/caraguatatuba-sp/manifestacoes/recibo.txt").get_data(as_text=True)
        key = key.split("Chave de acesso: ")[1].splitlines()[0]
        client.post("/acompanhar", data={"protocol": complaint(database).protocol, "access_key": key})
        page = client.get("/acompanhar").get_data(as_text=True)
        assert 'data-mode="sealed"' in page
        assert 'data-mode="anonymous"' not in page

    def test_a_name_without_a_contact_is_told_what_it_lacks(self, citizen):
        citizen.up_to("identity")
        assert "Só com o nome, sem contato, ninguém avisa você" in citizen.text
