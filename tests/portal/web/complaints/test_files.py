"""Files on the web: what is suggested, sealed, handed out, and what of an anonymous sender stays nowhere."""

import html
import re
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from portal import clock
from portal.config import settings
from portal.domain.evidence import FILE_LIMIT
from portal.sealing.opening import open_sealed
from portal.services.complaints import intake
from portal.services.housekeeping import CHORES
from portal.services.unit_of_work import unit_of_work
from portal.storage.complaints import ComplaintRow
from portal.storage.drafts import EvidenceRow, evidence_record
from tests.factories.evidence import jpeg, pdf, recording, stubborn, voice
from tests.portal.web.complaints.test_views import NEW, Citizen, key_on, protocol_on

pytestmark = pytest.mark.usefixtures("ombudsman_keys")

NOW = datetime(2026, 11, 30, 17, 0, tzinfo=UTC)
HERE = (-23.6, -45.4)
"""In the town; the factory writes degrees alone."""


@pytest.fixture(autouse=True)
def at_two(monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: NOW)


@pytest.fixture
def citizen(client):
    return Citizen(client)


@pytest.fixture
def rows(database):
    def read(row):
        with Session(database) as session:
            return list(session.query(row))

    return read


def sent(*files):
    return [(BytesIO(data), name) for name, data in files]


class TestSending:
    def test_every_kind_is_kept_without_what_it_says_of_itself(self, citizen, rows, environment):
        citizen.up_to("photos")
        citizen.send(
            option="add",
            photos=sent(("a.html", jpeg()), ("b.txt", pdf()), ("c.bin", voice()), ("d", recording())),
        )
        assert [row.kind for row in rows(EvidenceRow)] == ["photo", "document", "audio", "video"]
        for path in environment.joinpath("files").rglob("*"):
            assert path.is_dir() or b"TELLTALE" not in path.read_bytes()
        assert f"Até {FILE_LIMIT} arquivos" in citizen.text

    def test_a_broken_one_is_told_and_the_others_stay(self, citizen, rows):
        citizen.up_to("photos")
        page = citizen.send(
            option="done",
            photos=sent(
                ("boa.jpg", jpeg()), ("meia.mp4", recording()[:1500]), ("pagina.jpg", b"<!doctype html>")
            ),
        )
        assert page.status_code == 422
        assert "Não conseguimos abrir “meia.mp4”" in citizen.text
        assert "“pagina.jpg” não é um arquivo que recebemos" in citizen.text
        assert [row.name for row in rows(EvidenceRow)] == ["boa.jpg"]
        beside = re.search(r'id="photos-error">(.*?)</p>', citizen.text, re.DOTALL)[1]
        assert "meia.mp4" in beside
        assert "pagina.jpg" in beside

    @pytest.mark.parametrize("name", ["a\x00b.jpg", "foto\u202egpj.exe", "../../etc/passwd", "\ud800.jpg"])
    def test_no_name_hurts(self, citizen, rows, name):
        citizen.up_to("photos")
        page = citizen.send(
            option="add", photos=[(BytesIO(jpeg()), name.encode("utf-8", "replace").decode())]
        )
        assert page.status_code == 200
        assert not set("\x00\u202e/\ud800") & set(rows(EvidenceRow)[0].name)


class TestWhatAFileSays:
    def test_is_offered_and_becomes_the_answer_with_one_tap(self, citizen, rows):
        citizen.up_to("photos")
        citizen.send(option="add", photos=sent(("a.jpg", jpeg(taken="2026:11:28 14:02:33", position=HERE))))
        assert "28/11/2026" in citizen.text
        assert "14:02" in citizen.text
        self.accept(citizen, "when")
        self.accept(citizen, "where")
        citizen.up_to("identity").send(option="anonymous")
        [complaint] = rows(ComplaintRow)
        assert complaint.facts["when"] == {"kind": "at", "date": "2026-11-28", "time": "14:02"}
        assert complaint.facts["where"] == {"kind": "position", "latitude": HERE[0], "longitude": HERE[1]}

    def test_is_kept_nowhere_unless_it_is_accepted(self, citizen, rows, environment):
        citizen.up_to("photos")
        citizen.send(option="add", photos=sent(("a.jpg", jpeg(taken="2026:11:28 14:02:33", position=HERE))))
        everything = b"".join(path.read_bytes() for path in environment.rglob("*") if path.is_file())
        for told in (b"2026-11-28", b"28/11", b"14:02", b"-23.6"):
            assert told not in everything

    def test_absence_is_said(self, citizen):
        citizen.up_to("photos")
        citizen.send(option="add", photos=sent(("a.jpg", jpeg())))
        assert "não traz data nem lugar" in citizen.text

    @pytest.mark.parametrize(
        ("taken", "position", "flag"),
        [
            ("2019:05:03 10:00:00", None, ["date"]), ("2027:01:01 10:00:00", None, ["future"]),
            (None, (43.0, 11.0), ["place"]), ("2026:11:30 13:59:00", HERE, []),
        ],
    )  # fmt: skip
    def test_that_does_not_fit_is_a_word_for_the_desk_alone(self, citizen, rows, taken, position, flag):
        citizen.up_to("photos")
        citizen.send(option="add", photos=sent(("a.jpg", jpeg(taken=taken, position=position))))
        assert rows(EvidenceRow)[0].mismatches == flag
        assert "não combina" not in citizen.text.replace("não combinam", "")

    def test_of_the_future_or_another_region_is_not_offered(self, citizen):
        citizen.up_to("photos")
        citizen.send(
            option="add", photos=sent(("a.jpg", jpeg(taken="2027:01:01 10:00:00", position=(43.0, 11.0))))
        )
        assert (
            "usar" not in citizen.text.split("<h2")[0].lower().split("continuar")[0]
            or "2027" not in citizen.text
        )

    def test_an_answer_given_later_takes_the_word_back(self, citizen, rows):
        citizen.up_to("photos")
        citizen.send(option="add", photos=sent(("a.jpg", jpeg(taken="2026:11:20 10:00:00"))))
        assert rows(EvidenceRow)[0].mismatches == ["date"]
        self.accept(citizen, "when")
        assert rows(EvidenceRow)[0].mismatches == []

    def accept(self, citizen, question):
        """Press "Usar" in the form that answers ``question``."""
        for form in re.findall(r'<form class="row buttons".*?</form>', citizen.text, re.DOTALL):
            fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
            if fields["question"] == question:
                citizen.page = citizen.client.post(
                    NEW, data={**fields, "csrf_token": ""}, follow_redirects=True
                )
                return
        raise AssertionError(f"nothing is offered for {question}")


class TestARecordingThatKeepsItsMetadata:
    def test_is_sealed_and_the_person_told(self, citizen, rows, environment, opening_keys):
        citizen.up_to("photos")
        film = stubborn()
        citizen.send(option="add", photos=sent(("filme.mp4", film)))
        assert "Lacramos o arquivo" in citizen.text
        [row] = rows(EvidenceRow)
        [path] = [path for path in environment.joinpath("files").rglob("*") if path.is_file()]
        assert b"TELLTALE" not in path.read_bytes()
        opened = open_sealed(
            path.read_bytes(), opening_keys["identity"], record=evidence_record(row.stored_as)
        )
        assert opened == film

    def test_is_not_handed_out_by_the_portal(self, citizen, client, rows):
        citizen.up_to("photos")
        citizen.send(option="done", photos=sent(("filme.mp4", stubborn())))
        citizen.file()
        client.post(
            "/acompanhar", data={"protocol": protocol_on(citizen.text), "access_key": key_on(citizen.text)}
        )
        page = html.unescape(client.get("/acompanhar").text)
        assert "video-1.mp4" in page
        assert "só a ouvidoria abre" in page
        assert client.get(f"/acompanhar/arquivos/{rows(EvidenceRow)[0].token}").status_code == 404

    def test_where_there_is_no_key_is_refused_in_words(self, client, rows):
        citizen = Citizen(client, new="/sao-joao-da-boa-vista-sp/manifestacoes/nova")
        citizen.up_to("photos")
        page = citizen.send(option="add", photos=sent(("filme.mp4", stubborn())))
        assert page.status_code == 422
        assert "Não deu para apagar os dados escondidos de “filme.mp4”" in citizen.text
        assert rows(EvidenceRow) == []


class TestTheLinkOfAChat:
    @pytest.fixture
    def link(self, database):
        with unit_of_work(writes=True) as session:
            draft = intake.start_draft(
                session, municipality="caraguatatuba-sp", channel="telegram", language="pt_BR", now=NOW
            )
            upload = intake.open_upload(session, draft.token, now=NOW)
        return f"/caraguatatuba-sp/manifestacoes/arquivo/{upload}"

    def test_opening_it_changes_nothing_and_sending_spends_it(self, link, client, rows):
        for _robot in range(2):
            assert client.head(link).status_code == 200
            assert client.get(link).status_code == 200
        answer = client.post(link, data={"photos": sent(("filme.mp4", recording()))})
        assert answer.status_code == 303
        assert "Volte ao Telegram" in client.get(answer.location).text
        assert [row.kind for row in rows(EvidenceRow)] == ["video"]
        assert client.get(link).status_code == 410
        assert client.post(link, data={"photos": sent(("b.jpg", jpeg()))}).status_code == 410

    def test_a_file_that_is_refused_or_forgotten_leaves_it_open(self, link, client, rows):
        assert client.post(link, data={"photos": sent(("a.html", b"<p>"))}).status_code == 422
        assert client.post(link, data={}).status_code == 422
        assert rows(EvidenceRow) == []
        assert client.post(link, data={"photos": sent(("a.jpg", jpeg()))}).status_code == 303

    def test_ends_after_a_day_and_belongs_to_its_town(self, link, client, monkeypatch):
        assert client.get(link.replace("caraguatatuba-sp", "sao-joao-da-boa-vista-sp")).status_code == 410
        monkeypatch.setattr(clock, "now", lambda: NOW + intake.UPLOAD_LIVES)
        assert client.get(link).status_code == 410

    def test_another_sites_form_cannot_use_it(self, link, client, rows):
        answer = client.post(
            link, data={"photos": sent(("a.jpg", jpeg()))}, headers={"Sec-Fetch-Site": "cross-site"}
        )
        assert answer.status_code == 400
        assert rows(EvidenceRow) == []


class TestNothingLeadsBack:
    def test_from_an_anonymous_complaint_with_a_photo_and_a_voice_note(self, app, environment, capfd, caplog):
        photo, note = jpeg(taken="2026:11:28 14:02:33"), voice()
        caplog.set_level("DEBUG")
        browser = app.test_client()
        browser.environ_base.update(REMOTE_ADDR="198.51.100.77", HTTP_USER_AGENT="Tellphone/7.7")
        citizen = Citizen(browser)
        citizen.up_to("photos")
        citizen.send(
            option="done",
            photos=sent(("Maria Telltale.jpg", photo), ("Maria Telltale.ogg", note)),
        )
        page = citizen.file()
        assert page.status_code == 200
        for chore in CHORES:  # within a minute: what was erased goes from the database's log too
            chore(NOW)
        folder = Path(settings().database_url.removeprefix("sqlite:///")).parent
        kept = b"".join(
            path.read_bytes() for path in {*folder.rglob("*"), *environment.rglob("*")} if path.is_file()
        )
        logged = "".join(capfd.readouterr()).encode() + caplog.text.encode()
        assert kept.count(b"foto-1.jpg") == 1
        assert kept.count(b"audio-2.ogg") == 1
        for told in (b"198.51.100.77", b"Tellphone", b"Maria", b"Telltale", b"TELLTALE", b"2026-11-28"):
            assert told not in kept, told
            assert told not in logged, told
