"""What an author does with a complaint once it is filed: write, add photos, rate, contest, take back."""

from datetime import timedelta
from io import BytesIO

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from portal import clock
from portal.domain.staff import Role
from portal.services import casework as desk
from portal.services.people import staff
from portal.services.unit_of_work import unit_of_work
from portal.storage.complaints import ComplaintRow
from tests.portal.web.complaints.test_views import Citizen, jpeg

pytestmark = pytest.mark.usefixtures("ombudsman_keys")

CASE = "/acompanhar"


@pytest.fixture
def author(client, database):
    """A person who has opened their complaint in this browser."""
    citizen = Citizen(client)
    citizen.file()
    with Session(database) as session:
        protocol = session.scalars(select(ComplaintRow.protocol)).one()
    words = client.get("/caraguatatuba-sp/manifestacoes/recibo.txt").get_data(as_text=True)
    key = words.split("Chave de acesso: ")[1].splitlines()[0]
    client.post(CASE, data={"protocol": protocol, "access_key": key})
    return client


def row(database):
    with Session(database) as session:
        return session.scalars(select(ComplaintRow)).one()


def answer(text="Feito."):
    with unit_of_work(writes=True) as session:
        member = staff.add_staff(
            session, municipality="caraguatatuba-sp", login="o", name="O", role=Role.OMBUDSMAN, password="x" * 20,
            now=clock.now(),
        )  # fmt: skip
        [line] = desk.list_cases(session, member, today=clock.now().date(), show=desk.Show.ALL).lines
        desk.answer_case(session, member, line.protocol, text, now=clock.now())


def page(client):
    return client.get(CASE).get_data(as_text=True)


class TestRating:
    def test_is_one_tap_and_changeable(self, author, database):
        assert "A resposta resolveu?" not in page(author)
        answer()
        assert "A resposta resolveu?" in page(author)
        for rating in ("not_resolved", "resolved"):
            assert author.post(f"{CASE}/avaliacao", data={"rating": rating}).status_code == 303
            assert row(database).rating == rating
        assert row(database).status == "answered"

    def test_made_up_changes_nothing(self, author, database):
        answer()
        assert author.post(f"{CASE}/avaliacao", data={"rating": "10"}).status_code == 303
        assert row(database).rating is None

    def test_before_an_answer_is_refused_in_words(self, author):
        assert author.post(f"{CASE}/avaliacao", data={"rating": "resolved"}).status_code == 409


class TestContesting:
    def test_asks_for_a_review_and_says_the_new_date(self, author, database):
        answer()
        answered = page(author)
        assert "Pedir revisão" in answered
        assert author.post(f"{CASE}/revisao", data={"review": "Faltou o troco."}).status_code == 303
        assert row(database).status == "review_requested"
        assert "Revisão pedida" in page(author)
        assert "Faltou o troco." in page(author)

    def test_without_a_word_comes_back_with_the_form_open(self, author, database):
        answer()
        refused = author.post(f"{CASE}/revisao", data={"review": " "})
        assert refused.status_code == 422
        assert "<details" in refused.get_data(as_text=True)
        assert row(database).status == "answered"


class TestTakingBack:
    def test_ends_the_case(self, author, database):
        assert author.post(f"{CASE}/retirada", data={"reason": "Foi engano."}).status_code == 303
        assert row(database).status == "withdrawn"
        ended = page(author)
        assert "Você retirou a manifestação." in ended
        assert "Mensagem" not in ended
        assert author.post(f"{CASE}/retirada").status_code == 409


class TestMoreEvidence:
    def send(self, client, *files, text=""):
        data = {"text": text, "photos": [(BytesIO(content), name) for content, name in files]}
        return client.post(f"{CASE}/mensagem", data=data, content_type="multipart/form-data")

    def test_is_added_with_or_without_words(self, author):
        assert self.send(author, (jpeg(), "Maria.jpg")).status_code == 303
        assert self.send(author, (jpeg("red"), "b.jpg"), text="Achei outra.").status_code == 303
        seen = page(author)
        assert "foto-2.jpg" in seen
        assert "Achei outra." in seen
        assert "Maria" not in seen

    def test_a_photo_that_is_refused_leaves_the_message_and_the_others(self, author):
        refused = self.send(author, (b"no photo", "a.jpg"), (jpeg(), "b.jpg"), text="Duas.")
        assert refused.status_code == 422
        assert "a.jpg" in refused.get_data(as_text=True)
        assert "foto-1.jpg" in page(author)
        assert "Duas." in page(author)
        assert "Duas.</textarea>" not in refused.get_data(as_text=True)  # it was sent

    def test_a_text_too_long_comes_back_and_the_photo_stays(self, author):
        refused = self.send(author, (jpeg(), "b.jpg"), text="a" * 4001)
        assert refused.status_code == 422
        assert "a" * 4001 in refused.get_data(as_text=True)
        assert "foto-1.jpg" in page(author)

    def test_stands_in_the_timeline(self, author):
        self.send(author, (jpeg(), "b.jpg"))
        assert "Você juntou um arquivo" in page(author)


class TestAnotherLanguage:
    def test_keeps_a_half_written_message(self, author):
        switched = author.post(f"{CASE}?lang=en", data={"switch": "en", "text": "Era a"})
        assert "Era a</textarea>" in switched.get_data(as_text=True)
        assert 'lang="en"' in switched.get_data(as_text=True)
        assert "Era a" not in page(author)

    def test_says_that_chosen_files_were_not_sent(self, author):
        """Without a script a page can hand no file back; nothing is sent before its button is pressed."""
        switched = author.post(
            f"{CASE}?lang=pt-BR",
            data={"switch": "pt-BR", "text": "Era a", "photos": [(BytesIO(jpeg()), "b.jpg")]},
            content_type="multipart/form-data",
        ).get_data(as_text=True)
        assert "Escolha-os de novo" in switched
        assert "Era a</textarea>" in switched
        assert "foto-1.jpg" not in page(author)

    def test_opens_nothing_without_the_key(self, client):
        assert client.post(f"{CASE}?lang=en", data={"switch": "en", "text": "Era a"}).status_code == 403


class TestAFormThatExpired:
    def test_comes_back_with_what_was_written(self, author, app):
        answer()
        app.config["WTF_CSRF_ENABLED"] = True
        for path, field in (("mensagem", "text"), ("revisao", "review"), ("retirada", "reason")):
            back = author.post(f"{CASE}/{path}", data={field: "três mil letras"})
            assert back.status_code == 422
            if path != "retirada":  # what is answered cannot be taken back any more
                assert "três mil letras" in back.get_data(as_text=True)


class TestOpening:
    @pytest.mark.parametrize("method", ["get", "head"])
    def test_changes_nothing_however_often_a_scanner_does_it(self, author, database, monkeypatch, method):
        before = {key: value for key, value in vars(row(database)).items() if not key.startswith("_")}
        later = clock.now() + timedelta(minutes=5)
        monkeypatch.setattr(clock, "now", lambda: later)
        for address in (
            CASE,
            f"{CASE}?protocolo={before['protocol']}",
            f"{CASE}/retirada",
            f"{CASE}/avaliacao",
        ):
            for _ in range(3):
                getattr(author, method)(address)
        after = {key: value for key, value in vars(row(database)).items() if not key.startswith("_")}
        assert after == before
