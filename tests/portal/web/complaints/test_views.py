"""The complaint on the web: each test walks it as a browser without scripts does, unless it says otherwise."""

import html
import re
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.config import settings
from portal.storage.complaints import ComplaintRow, SealedIdentityRow
from portal.storage.drafts import DraftRow, EvidenceRow

pytestmark = pytest.mark.usefixtures("ombudsman_keys")

NEW = "/caraguatatuba-sp/manifestacoes/nova"
RECEIPT = "/caraguatatuba-sp/manifestacoes/recibo"


def jpeg(colour="navy"):
    out = BytesIO()
    Image.new("RGB", (40, 30), colour).save(out, "JPEG")
    return out.getvalue()


class Citizen:
    """A person in front of the questionnaire: presses, types, reads."""

    def __init__(self, client, new=NEW):
        self.client = client
        self.new = new
        self.page = client.get(new)

    @property
    def text(self):
        return html.unescape(self.page.get_data(as_text=True))

    @property
    def question(self):
        return re.findall(r'name="question" value="(\w+)"', self.text)[-1]

    def hidden(self, name):
        found = re.search(rf'name="{name}" value="([^"]*)"', self.text)
        return found[1] if found else ""

    def send(self, *, follow=True, lang=None, **fields):
        fields = {"draft": self.hidden("draft"), "question": self.question, **fields}
        for name in ("csrf_token", "known_what", "known_stop", "refused"):
            if self.hidden(name):
                fields.setdefault(name, self.hidden(name))
        address = f"{self.new}?lang={lang}" if lang else self.new
        self.page = self.client.post(address, data=fields, content_type="multipart/form-data")
        if follow and self.page.status_code == 303:
            self.page = self.client.get(self.page.location)
        return self.page

    def up_to(self, question):
        """Answer with single taps until ``question`` is asked; what is only offered is gone to from the last page."""
        if question in ("story", "photos"):
            self.up_to("identity")
            self.page = self.client.get(f"{self.new}?pergunta={question}")
            return self
        taps = {
            "what": "overcrowding", "vehicle": "unknown", "where": "unknown", "when": "now",
            "here": "here", "story": "skip",
            "photos": "done",
        }  # fmt: skip
        while self.question != question:
            self.send(option=taps[self.question])
        return self

    def file(self, **identity):
        self.up_to("identity")
        return self.send(**{"option": "anonymous", **identity})


@pytest.fixture
def citizen(client):
    return Citizen(client)


@pytest.fixture
def rows(database):
    """Reads what is stored, in a session of its own."""

    def read(row):
        with Session(database) as session:
            return session.scalars(select(row)).all()

    return read


def stored_bytes():
    """All that lies on the disk: the database, its journal and the files."""
    folder = Path(settings().database_url.removeprefix("sqlite:///")).parent
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def key_on(text):
    return " ".join(
        re.findall(r"<li>(\w+)</li>", re.search(r'class="key-words"[^>]*>(.*?)</ol>', text, re.DOTALL)[1])
    )


def protocol_on(text):
    return re.search(r'class="receipt__code">([\w-]+)<', text)[1]


class TestFromTheFirstTapToTheReceipt:
    def test_reading_the_first_question_writes_nothing(self, citizen, rows):
        assert citizen.page.status_code == 200
        assert rows(DraftRow) == []
        assert "Set-Cookie" not in citizen.page.headers or "draft=" not in citizen.page.headers["Set-Cookie"]

    def test_emergency_numbers_stand_before_the_first_question(self, citizen):
        for number in ("190", "192", "180", "100"):
            assert citizen.text.index(f"tel:{number}") < citizen.text.index("<h1")

    def test_no_typing_and_no_personal_field_is_required(self, citizen, rows):
        page = citizen.file()
        assert page.status_code == 200
        [row] = rows(ComplaintRow)
        assert row.protocol == protocol_on(citizen.text)
        assert len(key_on(citizen.text).split()) == 6
        assert "30 dias" in row.due_article or row.due_article in citizen.text
        assert row.due_on.strftime("%d/%m/%Y") in citizen.text

    def test_the_address_never_holds_the_draft(self, citizen, client):
        citizen.up_to("vehicle")
        token = client.get_cookie("draft").value
        assert token not in citizen.page.request.path
        assert client.get_cookie("draft").http_only

    def test_an_answer_can_be_changed_from_the_review(self, citizen, client):
        citizen.up_to("vehicle")
        citizen.send(text="ABC1D23")
        citizen.up_to("identity")
        assert "ABC1D23" in citizen.text
        citizen.page = client.get(f"{NEW}?pergunta=vehicle")
        assert 'value="ABC1D23"' in citizen.text
        citizen.send(text="AB 123 CD")
        assert citizen.question == "identity"
        assert "AB 123 CD" in citizen.text

    def test_an_address_cannot_jump_ahead(self, citizen, client):
        citizen.up_to("where")
        citizen.page = client.get(f"{NEW}?pergunta=identity")
        assert citizen.question == "where"

    def test_htmx_gets_the_question_alone_and_the_address_the_whole_page(self, citizen, client):
        fragment = client.get(NEW, headers={"HX-Request": "true"})
        assert "<html" not in fragment.get_data(as_text=True)
        assert "HX-Request" in fragment.vary
        assert "<html" in citizen.text

    def test_nothing_of_it_is_cached(self, citizen):
        assert citizen.page.headers["Cache-Control"] == "no-store"
        assert citizen.file().headers["Cache-Control"] == "no-store"

    def test_the_door_for_unauthorised_transport_knows_what_happened(self, client, rows):
        citizen = Citizen(client)
        citizen.page = client.get(f"{NEW}?what=unauthorised_transport")
        assert citizen.question == "vehicle"
        citizen.send(option="unknown")
        citizen.file()
        assert rows(ComplaintRow)[0].category == "unauthorised_transport"

    def test_a_door_is_not_swallowed_by_a_half_written_complaint(self, citizen, client, rows):
        citizen.up_to("where")
        citizen.page = client.get(f"{NEW}?what=unauthorised_transport")
        assert citizen.question == "vehicle"
        citizen.send(option="unknown")
        citizen.file()
        assert rows(ComplaintRow)[0].category == "unauthorised_transport"

    def test_a_plate_from_a_verdict_goes_by_post(self, client, rows):
        answer = client.post("/caraguatatuba-sp/manifestacoes/iniciar", data={"vehicle": "ABC1D23"})
        assert answer.status_code == 303
        assert "ABC1D23" not in answer.location
        assert rows(DraftRow)[0].answers["vehicle"]["text"] == "ABC1D23"


class TestPressingTwice:
    def test_sending_twice_files_once_and_shows_the_same_receipt(self, citizen, rows):
        citizen.up_to("identity")
        fields = {"draft": citizen.hidden("draft"), "question": "identity", "option": "anonymous"}
        answers = [citizen.client.post(NEW, data=fields) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [303, 303]
        assert answers[0].location == answers[1].location
        assert len(rows(ComplaintRow)) == 1

    def test_loading_the_receipt_again_changes_nothing(self, citizen, client, rows):
        citizen.file()
        assert protocol_on(client.get(RECEIPT).text) == protocol_on(client.get(RECEIPT).text)
        assert len(rows(ComplaintRow)) == 1

    def test_another_browser_sees_no_receipt(self, citizen, app):
        citizen.file()
        elsewhere = app.test_client().get(RECEIPT)
        assert elsewhere.status_code == 404
        assert protocol_on(citizen.text) not in elsewhere.text

    def test_after_the_receipt_a_new_complaint_starts_from_the_beginning(self, citizen, client, rows):
        citizen.file()
        again = Citizen(client)
        assert again.question == "what"
        again.file()
        assert len(rows(ComplaintRow)) == 2


class TestTheReceipt:
    def test_the_key_goes_once_it_is_kept(self, citizen, client):
        citizen.file()
        words = key_on(citizen.text)
        assert words in client.get(f"{RECEIPT}.txt").text
        client.post(RECEIPT)
        after = client.get(RECEIPT).text
        assert "key-words" not in after
        assert words.split()[0] + "</li>" not in after
        assert words not in client.get(f"{RECEIPT}.txt").text

    def test_no_address_carries_the_key(self, citizen):
        citizen.file()
        for word in key_on(citizen.text).split():
            assert not re.search(rf'href="[^"]*\b{word}\b', citizen.text)


class TestWhatIsWrong:
    def test_a_text_too_long_comes_back_whole_with_the_limit(self, citizen):
        citizen.up_to("story")
        long = "ã" * 4001
        page = citizen.send(text=long)
        assert page.status_code == 422
        assert long in citizen.text
        assert "4.000" in citizen.text

    def test_ten_megabytes_of_text_get_a_page_that_says_the_limit(self, citizen):
        citizen.up_to("story")
        fields = {"draft": citizen.hidden("draft"), "question": "story", "text": "a" * 10_000_000}
        page = citizen.client.post(NEW, data=fields)
        assert page.status_code == 413
        assert "4.000" in page.text

    @pytest.mark.parametrize("text", ["a\x00b", "a\ud800b".encode("utf-8", "surrogatepass"), "\x00"])
    def test_a_nul_or_half_a_character_never_fails(self, citizen, text):
        citizen.up_to("story")
        assert citizen.send(text=text).status_code == 200
        assert citizen.question == "identity"

    def test_a_future_moment_is_told_beside_its_field(self, citizen):
        citizen.up_to("when")
        page = citizen.send(option="earlier", date="2999-01-01")
        assert page.status_code == 422
        assert 'value="2999-01-01"' in citizen.text
        assert "ainda não chegou" in citizen.text

    @pytest.mark.parametrize("fields", [{"question": "nonsense"}, {"question": "what", "option": "nonsense"}])
    def test_a_question_or_option_that_is_none(self, citizen, fields):
        assert citizen.send(**fields).status_code == 422

    @pytest.mark.parametrize("nothing", ["   ", "\u200b\u200b", "....", "\u3164\u2800"])
    def test_a_story_that_says_nothing_is_none(self, citizen, rows, nothing):
        citizen.up_to("story").send(text=nothing)
        citizen.file()
        assert rows(ComplaintRow)[0].story is None

    @pytest.mark.parametrize("plate", ["AB 123 CD", "ABCD 123", "ABC 1234", "sem placa"])
    def test_the_plate_of_another_country_is_taken_as_it_is(self, citizen, plate):
        citizen.up_to("vehicle").send(text=plate)
        assert citizen.question == "where"
        citizen.up_to("identity")
        assert plate in citizen.text

    def test_a_thousand_fields_are_told_the_limit(self, citizen):
        page = citizen.client.post(
            NEW, data={f"f{i}": "1" for i in range(2000)}, content_type="multipart/form-data"
        )
        assert page.status_code == 413
        assert "<html" in page.text

    def test_a_draft_that_is_gone_at_the_last_press_says_so(self, citizen):
        citizen.up_to("identity")
        page = citizen.send(draft="made up", option="anonymous")
        assert page.status_code == 410
        assert "não está mais aqui" in citizen.text

    def test_the_receipt_names_the_portal_and_not_the_host_of_the_request(self, citizen, client):
        citizen.file()
        public = settings().model_copy(update={"public_url": "https://portal.example.org/"})
        client.application.config["SETTINGS"] = public
        assert "https://portal.example.org/acompanhar\n" in client.get(f"{RECEIPT}.txt").text

    def test_an_unknown_town(self, client):
        assert client.get("/nenhures-xx/manifestacoes/nova").status_code == 404

    def test_a_stop_that_is_none(self, citizen):
        citizen.up_to("where")
        assert citizen.send(stop="nowhere").status_code == 422

    def test_right_to_left_text_is_isolated(self, citizen, client):
        citizen.up_to("story")
        citizen.send(text="مرحبا ABC1D23\u202e")
        citizen.up_to("identity")
        assert "\u202e" not in citizen.text
        assert "مرحبا ABC1D23" in citizen.text


class TestAFormThatExpired:
    @pytest.fixture
    def app(self, app):
        app.config["WTF_CSRF_ENABLED"] = True
        return app

    def test_comes_back_with_the_text_and_a_second_press_sends_it(self, citizen, client, rows):
        citizen.up_to("story")
        client.delete_cookie("session")
        client.delete_cookie("draft")
        story = "palavras " * 300
        page = citizen.send(text=story)
        assert page.status_code == 422
        assert story.strip() in citizen.text
        assert "Nada se perdeu" in citizen.text
        citizen.send(text=story)
        assert citizen.question == "identity"
        citizen.file()
        assert len(rows(ComplaintRow)) == 1
        assert rows(ComplaintRow)[0].story == story.strip()

    def test_keeps_the_photos_that_came_with_it(self, citizen, client, rows):
        citizen.up_to("photos")
        client.delete_cookie("session")
        client.delete_cookie("draft")
        citizen.send(option="done", photos=[(BytesIO(jpeg()), "a.jpg"), (BytesIO(jpeg("red")), "b.jpg")])
        assert "Nada se perdeu" in citizen.text
        assert "a.jpg" in citizen.text
        assert "b.jpg" in citizen.text
        citizen.send(option="done")
        citizen.file()
        assert len(rows(EvidenceRow)) == 2

    def test_keeps_the_contact_at_the_last_step_and_files_once(self, citizen, client, rows):
        citizen.up_to("identity")
        client.delete_cookie("session")
        citizen.send(option="sealed", name="Nome Inventado")
        assert 'value="Nome Inventado"' in citizen.text
        assert rows(ComplaintRow) == []
        citizen.send(option="sealed", name="Nome Inventado")
        assert len(rows(SealedIdentityRow)) == 1

    def test_a_question_that_is_none_starts_again(self, client):
        answer = client.post(NEW, data={"question": "nonsense"})
        assert (answer.status_code, answer.location) == (303, NEW)

    def test_leaving_the_case_on_a_borrowed_telephone_needs_no_token(self, client):
        client.set_cookie("case", "ticket", path="/acompanhar")
        assert client.post("/acompanhar/sair").status_code == 303
        assert client.get_cookie("case", path="/acompanhar") is None

    def test_a_form_of_another_site_plants_no_draft(self, citizen, app):
        citizen.up_to("story")
        victim = app.test_client()
        answer = victim.post(
            NEW,
            data={"draft": citizen.hidden("draft"), "question": "story", "text": "x"},
            headers={"Sec-Fetch-Site": "cross-site"},
        )
        assert answer.status_code == 303
        assert victim.get_cookie("draft") is None


class TestPhotos:
    def test_one_that_is_refused_leaves_the_others(self, citizen):
        citizen.up_to("photos")
        page = citizen.send(
            option="done",
            photos=[
                (BytesIO(jpeg()), "boa.jpg"),
                (BytesIO(b""), "vazia.jpg"),
                (BytesIO(b"<svg/>"), "pwn.svg"),
            ],
        )
        assert page.status_code == 422
        assert "Arquivo vazio: “vazia.jpg”" in citizen.text
        assert "“pwn.svg” não é um arquivo que recebemos" in citizen.text
        assert "boa.jpg</bdi>" in citizen.text

    def test_an_empty_field_is_no_file(self, citizen):
        citizen.up_to("photos")
        citizen.send(option="done", photos=[(BytesIO(b""), "")])
        assert citizen.question == "identity"

    def test_one_can_be_taken_out(self, citizen, rows):
        citizen.up_to("photos")
        citizen.send(option="add", photos=[(BytesIO(jpeg()), "a.jpg")])
        assert citizen.question == "photos"
        citizen.send(remove=rows(EvidenceRow)[0].token)
        assert rows(EvidenceRow) == []

    def test_the_eleventh_is_told(self, citizen, rows):
        citizen.up_to("photos")
        citizen.send(option="add", photos=[(BytesIO(jpeg()), f"{n}.jpg") for n in range(11)])
        assert "Cabem até 10 arquivos" in citizen.text
        assert len(rows(EvidenceRow)) == 10

    def test_more_than_may_be_kept_are_not_even_opened_and_told_once(self, citizen, rows):
        citizen.up_to("photos")
        page = citizen.send(
            option="done", photos=[(BytesIO(jpeg() if i < 10 else b"x"), f"{i}.jpg") for i in range(30)]
        )
        assert page.status_code == 422
        assert citizen.text.count("Cabem até 10 arquivos") == 2  # in the summary and beside the field
        assert "não é um arquivo" not in citizen.text
        assert len(rows(EvidenceRow)) == 10

    def test_a_name_that_turns_the_line_is_cleaned(self, citizen):
        citizen.up_to("photos")
        citizen.send(option="add", photos=[(BytesIO(jpeg()), "foto\u202egpj.exe")])
        assert "\u202e" not in citizen.text
        assert "fotogpj.exe" in citizen.text


class TestAnotherLanguage:
    def test_keeps_the_half_written_text_and_the_photo(self, citizen, rows):
        citizen.up_to("story")
        citizen.send(text="metade de um", switch="en", lang="en")
        assert citizen.question == "story"
        assert "metade de um</textarea>" in citizen.text
        assert '<html lang="en">' in citizen.text
        citizen.up_to("photos")
        citizen.send(switch="es", lang="es", photos=[(BytesIO(jpeg()), "a.jpg")])
        assert citizen.question == "photos"
        assert "a.jpg" in citizen.text

    def test_says_the_error_on_screen_again(self, citizen):
        citizen.up_to("story")
        citizen.send(text="a" * 4001)
        page = citizen.send(text="a" * 4001, switch="en", lang="en")
        assert page.status_code == 422

    def test_the_answer_will_come_in_the_language_last_written_in(self, citizen, rows):
        citizen.up_to("story")
        citizen.send(text="The van was full", lang="en")
        assert rows(DraftRow)[0].language == "en"

    @pytest.mark.parametrize(
        ("tag", "language"), [("xx", "pt-BR"), ("fr", "pt-BR"), ("pt-PT", "pt-BR"), ("pt", "pt-BR")]
    )
    def test_an_unknown_language_is_portuguese(self, client, tag, language):
        assert f'<html lang="{language}">' in client.get(f"{NEW}?lang={tag}").text
        assert f'<html lang="{language}">' in client.get(NEW, headers={"Accept-Language": tag}).text


class TestWhoComplains:
    def test_the_default_is_not_open_and_the_table_stands_beside(self, citizen):
        citizen.up_to("identity")
        assert re.search(r'value="anonymous"[^>]*checked', citizen.text)
        assert "Quem vê o quê" in citizen.text

    def test_a_refused_choice_stays_chosen(self, citizen):
        citizen.up_to("identity")
        page = citizen.send(option="open", name="", email="", phone="")
        assert page.status_code == 422
        assert re.search(r'value="open"[^>]*checked', citizen.text)

    def test_the_draft_never_holds_a_name(self, citizen, rows):
        citizen.up_to("identity")
        citizen.send(option="sealed", name="Nome Inventado", email="a@b")
        assert "Nome Inventado" not in str([row.answers for row in rows(DraftRow)])
        citizen.send(option="sealed", name="Nome Inventado", email="nome@example.org")
        assert b"Nome Inventado" not in stored_bytes()

    def test_a_town_without_a_key_offers_the_anonymous_way_alone(self, client, rows):
        citizen = Citizen(client, "/santa-rita-pb/manifestacoes/nova")
        citizen.up_to("identity")
        assert 'name="email"' not in citizen.text
        citizen.send(option="anonymous")
        assert len(rows(ComplaintRow)) == 1

    def test_nothing_of_the_browser_is_stored(self, citizen, database):
        citizen.client.environ_base.update(REMOTE_ADDR="203.0.113.77", HTTP_USER_AGENT="Telltale/1.0")
        citizen.file()
        assert b"203.0.113.77" not in stored_bytes()
        assert b"Telltale" not in stored_bytes()


class TestTracking:
    @pytest.fixture
    def filed(self, citizen):
        citizen.up_to("photos")
        citizen.send(option="add", photos=[(BytesIO(jpeg()), "a.jpg")])
        citizen.file()
        return protocol_on(citizen.text), key_on(citizen.text)

    def open(self, client, filed, **changed):
        fields = {"protocol": filed[0], "access_key": filed[1], **changed}
        return client.post("/acompanhar", data=fields)

    def test_opens_with_protocol_and_key_and_shows_the_next_date(self, filed, app, rows):
        elsewhere = app.test_client()
        answer = self.open(elsewhere, (filed[0].lower(), filed[1].upper()))
        assert (answer.status_code, answer.location) == (303, "/acompanhar")
        page = elsewhere.get("/acompanhar")
        assert filed[0] in page.text
        assert rows(ComplaintRow)[0].due_on.strftime("%d/%m/%Y") in page.text
        assert page.headers["Cache-Control"] == "no-store"

    def test_wrong_key_and_unknown_protocol_read_the_same(self, filed, app):
        pages = [
            app.test_client().post("/acompanhar", data={"protocol": protocol, "access_key": "x"})
            for protocol in (filed[0], "0000-0000-0000")
        ]
        assert [page.status_code for page in pages] == [422, 422]
        told = [re.sub(r'name="csrf_token" value="[^"]+"', "", page.text) for page in pages]
        assert told[0].replace(filed[0], "0000-0000-0000") == told[1]

    def test_the_key_is_never_filled_in_again(self, filed, client):
        assert filed[1] not in self.open(client, filed, protocol="0000").text

    def test_opening_the_address_changes_nothing(self, filed, app):
        robot = app.test_client()
        address = f"/acompanhar?protocolo={filed[0]}"
        assert robot.head(address).status_code == robot.get(address).status_code == 200
        assert filed[0] in robot.get(address).text
        assert "Andamento" not in robot.get(address).text

    def test_the_receipt_leads_there_without_the_protocol_in_the_address(self, filed, client, app):
        kept = client.post(RECEIPT, follow_redirects=True)
        address = re.search(r'href="(/acompanhar\?[^"]+)"', kept.text)[1]
        assert filed[0] not in address
        assert f'value="{filed[0]}"' in client.get(address).text
        assert filed[0] not in app.test_client().get(address).text

    def test_a_message_is_sent_and_a_refused_one_comes_back(self, filed, client):
        self.open(client, filed)
        assert client.post("/acompanhar/mensagem", data={"text": "Era azul 🚂"}).status_code == 303
        assert "Era azul 🚂" in client.get("/acompanhar").text
        refused = client.post("/acompanhar/mensagem", data={"text": "b" * 4001})
        assert refused.status_code == 422
        assert "b" * 4001 in refused.text

    def test_ones_own_photo_is_a_download_that_does_nothing(self, filed, client, app):
        self.open(client, filed)
        address = re.search(r'href="(/acompanhar/arquivos/[^"]+)"', client.get("/acompanhar").text)[1]
        photo = client.get(address)
        assert photo.data.startswith(b"\xff\xd8\xff")
        assert photo.headers["Content-Disposition"] == "attachment; filename=foto-1.jpg"
        assert photo.headers["X-Content-Type-Options"] == "nosniff"
        assert photo.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
        assert app.test_client().get(address).status_code == 403

    def test_is_closed_on_a_borrowed_telephone(self, filed, client):
        self.open(client, filed)
        client.post("/acompanhar/sair")
        assert "Andamento" not in client.get("/acompanhar").text

    def test_another_ones_photo_is_not_there(self, filed, client, app):
        self.open(client, filed)
        address = re.search(r'href="(/acompanhar/arquivos/[^"]+)"', client.get("/acompanhar").text)[1]
        other = Citizen(app.test_client())
        other.file()
        self.open(other.client, (protocol_on(other.text), key_on(other.text)))
        assert other.client.get(address).status_code == 404

    def test_who_tries_on_is_asked_to_wait_and_the_author_is_not(self, filed, app):
        for _ in range(6):
            page = self.open(app.test_client(), filed, access_key="x")
        assert page.status_code == 429
        assert int(page.headers["Retry-After"]) > 0
        assert self.open(app.test_client(), filed).status_code == 303

    def test_an_old_or_made_up_ticket_asks_for_the_key_again(self, client):
        client.set_cookie("case", "made up", path="/acompanhar")
        assert client.get("/acompanhar").status_code == 403
        assert client.get("/acompanhar").status_code == 200
