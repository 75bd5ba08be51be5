import json
import re
from datetime import UTC, datetime
from html import unescape

import pytest
from PIL import Image

from portal import clock
from portal.domain.questionnaire import STORY_LIMIT
from portal.pages.assets import OWN, own_asset
from portal.services.complaints import intake
from portal.services.unit_of_work import unit_of_work
from tests.factories.feeds import bring_in_orla
from tests.factories.permits import put_list, put_permit
from tests.tools.icons import SIDES, source_digest

TOWN = "/caraguatatuba-sp"
NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)


@pytest.fixture(autouse=True)
def now(monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: NOW)


@pytest.fixture
def filled(database, tmp_path):
    with unit_of_work(writes=True) as session:
        put_list(session)
        bring_in_orla(session, tmp_path / "orla")
        put_permit(session, plate="BRA2E19", number="2026/0001", itinerary="orla")


class TestThePageToKeep:
    def test_tells_stops_and_seven_days_and_how_much_it_is(self, client, filled):
        page = client.get(f"{TOWN}/sem-internet?lang=pt-BR").text

        assert re.search("Guardado em 30/11/2026,? 12:00", page)
        assert "Horários de 30/11/2026 a 06/12/2026." in page
        assert re.search(r'data-stop="matriz".*?10:00', page, re.S)
        assert re.search(r"cerca de \d+0 kB", page)

    def test_leaves_out_what_no_permit_in_force_covers(self, client, database, tmp_path):
        with unit_of_work(writes=True) as session:
            bring_in_orla(session, tmp_path / "orla")

        page = client.get(f"{TOWN}/sem-internet").text

        assert "10:00" not in page

    def test_names_all_that_is_kept_and_nothing_of_anybody(self, client, filled):
        page = client.get(f"{TOWN}/sem-internet?lang=en").text
        kept = json.loads(unescape(re.search(r'data-keep="([^"]+)"', page)[1]))

        assert {address.partition("?")[0].rpartition(".")[2] for address in kept if "/static/" in address} <= {
            "css", "js", "svg"
        }  # fmt: skip
        pages = [address for address in kept if "/static/" not in address]
        assert {address.partition("?")[0] for address in pages} == {
            f"{TOWN}/sem-internet", f"{TOWN}/direitos/recreativo", f"{TOWN}/direitos/aplicativo"
        }  # fmt: skip
        for address in kept:
            answer = client.get(address)
            assert answer.status_code == 200
            assert "no-store" not in answer.headers["Cache-Control"]
            assert "BRA2E19" not in answer.text
            assert "csrf_token" not in answer.text

    def test_tells_the_age_on_the_rights_pages_too(self, client, filled):
        assert "data-kept-at" in client.get(f"{TOWN}/direitos/recreativo?guardado=1").text
        assert "data-kept-at" not in client.get(f"{TOWN}/direitos/recreativo").text


class TestTheServiceWorker:
    def test_comes_from_the_root_fresh_and_may_fetch_from_here_alone(self, client):
        answer = client.get("/sw.js")

        assert answer.mimetype == "text/javascript"
        assert answer.headers["Cache-Control"] == "no-cache"
        assert answer.headers["Content-Security-Policy"] == "default-src 'none'; connect-src 'self'"
        assert "Service-Worker-Allowed" not in answer.headers

    def test_writes_into_no_cache(self):
        code = own_asset("service-worker.js").content.decode()

        assert not re.search(r"\.(put|add|addAll)\(", code)


class TestTheManifest:
    @pytest.mark.parametrize("tag", ["pt-BR", "en", "es"])
    def test_is_of_a_town_and_a_language(self, client, tag):
        answer = client.get(f"{TOWN}/app.webmanifest?lang={tag}")

        assert answer.mimetype == "application/manifest+json"
        assert answer.json["lang"] == tag
        assert answer.json["start_url"] == f"{TOWN}/?lang={tag}"
        assert "Caraguatatuba" in answer.json["name"]
        assert client.get(answer.json["start_url"]).status_code == 200
        for icon in answer.json["icons"]:
            assert client.get(icon["src"]).mimetype == "image/png"
        for shortcut in answer.json["shortcuts"]:
            assert client.get(shortcut["url"]).status_code == 200

    def test_stands_on_the_front_doors(self, client):
        for path in ("/", f"{TOWN}/"):
            address = re.search(r'rel="manifest" href="([^"]+)"', client.get(path).text)
            assert client.get(unescape(address[1])).status_code == 200

    @pytest.mark.parametrize("icon", SIDES)
    def test_has_pictures_of_the_present_mark(self, icon):
        with Image.open(OWN / f"{icon}.png") as drawn:
            assert drawn.size == (SIDES[icon][0],) * 2
            assert drawn.text["source"] == source_digest(), "draw them anew: make icons"


class TestWhatWasWrittenWithoutInternet:
    def test_becomes_a_draft_that_asks_the_rest(self, client, database):
        told = {"what": "dangerous_driving", "place": "Praia", "date": "2026-11-29", "story": "Corria."}
        answer = client.post(f"{TOWN}/manifestacoes/iniciar", data=told)

        assert answer.status_code == 303
        with unit_of_work() as session:
            draft = intake.read_draft(session, client.get_cookie("draft").value, now=NOW)
        assert draft.question.id == "vehicle"
        assert draft.answers["where"]["text"] == "Praia"
        assert draft.answers["when"]["date"] == "2026-11-29"
        assert draft.answers["story"] == "Corria."

    def test_takes_no_more_words_than_can_be_sent(self, client, database):
        page = client.get(f"{TOWN}/sem-internet").text
        assert re.search(rf'<textarea id="away-story"[^>]* maxlength="{STORY_LIMIT}"', page)

    def test_that_cannot_be_read_is_asked_again(self, client, database):
        told = {"what": "dangerous_driving", "vehicle": "azul", "place": "Praia", "date": "2030-01-01"}
        answer = client.post(f"{TOWN}/manifestacoes/iniciar", data=told)

        assert "pergunta=when" in answer.location


class TestFinishing:
    def test_ends_every_cookie_and_throws_the_unsent_complaint_away(self, client, database):
        client.get(f"{TOWN}/?lang=es")
        client.post(f"{TOWN}/manifestacoes/iniciar", data={"what": "noise", "story": "Alto."})
        token = client.get_cookie("draft").value

        answer = client.post("/terminar?lang=es")

        assert answer.status_code == 303
        assert answer.headers["Clear-Site-Data"] == '"cache", "storage"'
        for name, path in (("draft", "/"), ("lang", "/"), ("town", "/"), ("case", "/acompanhar")):
            assert client.get_cookie(name, path=path) is None
        with unit_of_work() as session, pytest.raises(intake.DraftGone):
            intake.read_draft(session, token, now=NOW)

    def test_says_so_in_the_language_of_before_and_remembers_nothing(self, client):
        answer = client.get("/terminado?idioma=es")

        assert '<html lang="es">' in answer.text
        assert "Set-Cookie" not in answer.headers
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Clear-Site-Data"] == '"cache", "storage"'

    def test_is_asked_by_nobody_else(self, client):
        assert client.post("/terminar", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 400
