"""The identity leaves the ombudsman: asked at the desk, decided in the tracking page, told once."""

import json

import pytest

from portal.sealing.boxes import seal
from portal.sealing.keys import PublicKey
from portal.sealing.opening import private_key
from portal.services.complaints.tracking import issue_ticket
from portal.services.unit_of_work import unit_of_work
from portal.storage.complaints import SealedIdentityRow, identity_record
from tests.factories.complaints import put_complaint
from tests.portal.desk.conftest import NOW

pytestmark = pytest.mark.usefixtures("app")  # before the desk's keys are in the environment
ORDER = "0001234-56.2030.8.26.0126"


@pytest.fixture
def protocol(desk, identity_pair):
    with unit_of_work(writes=True) as session:
        row = put_complaint(session, identity_mode="sealed")
        key = PublicKey(identity_pair.id, private_key(identity_pair.private).public_key())
        told = json.dumps({"name": "Fulana de Tal", "email": "fulana@example.org", "phone": None})
        box = seal(told.encode(), key, record=identity_record(row.protocol))
        session.add(SealedIdentityRow(complaint_id=row.id, key_id=key.id, box=box, sealed_at=NOW))
        return row.protocol


@pytest.fixture
def address(protocol):
    return f"/mesa/manifestacoes/{protocol}/passar-identidade/"


@pytest.fixture
def author(app, protocol):
    """A browser that has opened the case with its key."""
    browser = app.test_client()
    browser.set_cookie("case", issue_ticket(protocol, now=NOW), path="/acompanhar")
    return browser


def ask(ana, address):
    said = {"recipient": "Secretaria de Mobilidade", "purpose": "Para o depoimento."}
    assert ana.post(f"{address}consentimento", data=said).status_code == 303


class TestWithConsent:
    def test_the_person_is_asked_agrees_and_reads_that_it_was_told(self, ana, address, author):
        ask(ana, address)
        assert ana.post(f"{address}1").status_code == 409, "nobody has answered yet"
        page = author.get("/acompanhar").text
        assert "Secretaria de Mobilidade" in page
        assert "Para o depoimento." in page

        author.post("/acompanhar/identidade/1", data={"answer": "yes"})

        assert "Fulana de Tal" in ana.post(f"{address}1").text
        assert "Fulana" not in ana.get(address).text, "it is shown once"
        assert "Identidade passada com autorização" in author.get("/acompanhar").text

    @pytest.mark.parametrize("answer", ["no", "", "perhaps"])
    def test_anything_but_a_clear_yes_is_a_no(self, ana, address, author, answer):
        ask(ana, address)
        author.post("/acompanhar/identidade/1", data={"answer": answer})

        told = ana.post(f"{address}1")

        assert told.status_code == 409
        assert "não autorizou" in told.text
        assert "Fulana" not in told.text

    def test_without_the_key_nobody_decides(self, ana, address, app):
        ask(ana, address)

        assert app.test_client().post(
            "/acompanhar/identidade/1", data={"answer": "yes"}
        ).status_code == 403  # fmt: skip
        assert ana.post(f"{address}1").status_code == 409

    def test_what_is_missing_is_told_beside_its_field(self, ana, address):
        answer = ana.post(f"{address}consentimento", data={"recipient": "", "purpose": "Para o depoimento."})

        assert answer.status_code == 422
        assert "Para o depoimento." in answer.text
        assert 'href="#ask-recipient"' in answer.text


class TestByOrder:
    def test_the_number_is_asked_for_and_the_person_reads_it(self, ana, address, author):
        said = {"recipient": "2ª Vara", "purpose": "Instrução.", "order": ""}
        assert ana.post(f"{address}ordem-judicial", data=said).status_code == 422

        told = ana.post(f"{address}ordem-judicial", data=said | {"order": ORDER})

        assert "fulana@example.org" in told.text
        page = author.get("/acompanhar").text
        assert "Identidade passada por ordem judicial" in page
        assert ORDER in page


class TestEveryOpening:
    def test_is_read_by_the_person_with_its_reason(self, ana, protocol, author):
        ana.post(f"/mesa/manifestacoes/{protocol}/identidade", data={"text": "Para avisar da audiência."})

        page = author.get("/acompanhar").text
        assert "A ouvidoria abriu a identidade" in page
        assert "Para avisar da audiência." in page


class TestOnesOwnData:
    def test_are_asked_for_answered_at_the_desk_and_downloaded(self, ana, protocol, author):
        author.post("/acompanhar/dados")
        assert author.get("/acompanhar/dados").status_code == 404
        assert protocol in ana.get("/mesa/pedidos-de-dados/").text

        assert ana.post(f"/mesa/pedidos-de-dados/{protocol}").status_code == 303

        copy = author.get("/acompanhar/dados")
        assert copy.headers["Content-Disposition"].startswith("attachment")
        assert copy.headers["Cache-Control"] == "no-store"
        assert copy.json["protocol"] == protocol
        assert "Fulana" not in copy.text
        assert protocol not in ana.get("/mesa/pedidos-de-dados/").text
