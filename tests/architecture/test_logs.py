"""What the logs hold after a person's whole way through both sites: nothing of the person."""

import json
import logging

import pytest

from portal.services.unit_of_work import unit_of_work
from tests.factories.permits import put_list, put_permit
from tests.portal.desk.conftest import PASSWORD, TOWN

PLATE = "BRA2E19"
ADDRESS = "203.0.113.77"
NAME, EMAIL, STORY = (
    "Zulmira Inventada",
    "zulmira@inventada.example",
    "Uma história inventada do começo ao fim",
)


@pytest.fixture
def written(capfd, caplog):
    """Everything that was written to where logs go, by whatever way."""
    caplog.set_level(logging.DEBUG)

    def reading() -> str:
        told = capfd.readouterr()
        return told.out + told.err + caplog.text

    return reading


class TestAWholeJourney:
    def test_leaves_nothing_of_a_person_in_the_log(self, written, app, desk, sign_in, database):
        with unit_of_work(writes=True) as session:
            put_list(session)
            put_permit(session, plate=PLATE)
        app.add_url_rule("/quebra", "breaks", lambda: 1 / 0)
        app.config["PROPAGATE_EXCEPTIONS"] = False
        browser = app.test_client()
        browser.environ_base |= {"REMOTE_ADDR": ADDRESS, "HTTP_USER_AGENT": "Navegador-Inventado/1.0"}
        for path in (
            f"/verificar?q={PLATE}",
            f"/{TOWN}/verificar?q={PLATE}",
            f"/api/v1/verify?q={PLATE}",
            f"/{PLATE}",
            f"/{TOWN}/pontos/{PLATE}",
            f"/acompanhar?protocolo={PLATE}",
        ):
            browser.get(path)
        begun = browser.post(
            f"/{TOWN}/manifestacoes/iniciar", data={"vehicle": PLATE, "what": "other_problem"}
        )
        assert begun.status_code == 303
        for answer in (
            {"question": "what", "option": "other_problem"},
            {"question": "vehicle", "text": PLATE},
            {"question": "where", "option": "skip"},
            {"question": "when", "option": "skip"},
            {"question": "story", "text": STORY},
            {"question": "photos", "option": "done"},
            {"question": "identity", "option": "named", "name": NAME, "email": EMAIL},
            {"question": "identity", "option": "anonymous"},
        ):
            browser.post(f"/{TOWN}/manifestacoes/nova", data=answer)
        receipt = browser.get(f"/{TOWN}/manifestacoes/comprovante").text
        tried = {"protocol": "7K3M-9QXT-4B2C", "access_key": "abacate abelha abrigo"}
        browser.post("/acompanhar", data=tried)
        ana = sign_in("ana")
        ana.get("/mesa/", environ_base={"REMOTE_ADDR": ADDRESS})
        ana.post("/mesa/entrar", data={"login": NAME, "password": PASSWORD})
        browser.get(f"/quebra?q={PLATE}")
        log = written()

        assert '"event":"request"' in log
        assert '"event":"unhandled"' in log
        for told in (
            PLATE,
            ADDRESS,
            "Navegador-Inventado",
            "Zulmira",
            EMAIL,
            STORY,
            "abacate",
            "7K3M",
            PASSWORD,
        ):
            assert told not in log, told
        assert receipt

    def test_is_one_object_a_line(self, written, client):
        client.get("/sobre")
        lines = [line for line in written().splitlines() if line.startswith("{")]

        assert lines
        assert all(json.loads(line)["level"] for line in lines)


class TestARequest:
    def test_has_a_number_that_the_answer_tells_too(self, written, client):
        numbers = [client.get("/sobre").headers["X-Request-Id"] for _turn in range(2)]
        log = written()

        assert len(set(numbers)) == 2
        assert all(number in log for number in numbers)

    def test_takes_none_from_outside(self, client):
        told = client.get("/sobre", headers={"X-Request-Id": "planted"}).headers["X-Request-Id"]

        assert told != "planted"
