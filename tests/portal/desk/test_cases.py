import json
from datetime import date

import pytest

from portal.sealing.boxes import seal
from portal.sealing.keys import PublicKey
from portal.sealing.opening import private_key
from portal.services.people.audit import fingerprint, history_of
from portal.services.unit_of_work import unit_of_work
from portal.storage.complaints import ComplaintRow, SealedIdentityRow, identity_record
from tests.factories.complaints import put_complaint
from tests.factories.evidence import put_evidence
from tests.portal.desk.conftest import ELSEWHERE, NOW, TOWN


@pytest.fixture
def file(database):
    def put(**told) -> str:
        with unit_of_work(writes=True) as session:
            return put_complaint(session, **told).protocol

    return put


def status_of(protocol):
    with unit_of_work() as session:
        return session.query(ComplaintRow).filter_by(protocol=protocol).one().status


class TestTheList:
    def test_it_says_what_is_left_of_the_time(self, ana, file):
        file(due_on=date(2030, 3, 9))
        file(due_on=date(2030, 3, 10))
        file(due_on=date(2030, 3, 14), language="en")
        file(due_on=date(2030, 4, 30), extended=True)

        page = ana.get("/mesa/").text

        for words in (
            "Vencida há 1 dia",
            "Vence hoje",
            "Faltam 4 dias",
            "Faltam 51 dias",
            "Prorrogado",
            "inglês",
        ):
            assert words in page

    def test_the_fragment_is_the_list_alone(self, ana, file):
        file()

        answer = ana.get("/mesa/?mostrar=all", headers={"HX-Request": "true"})

        assert "<html" not in answer.text
        assert "BRA2E19" in answer.text

    @pytest.mark.parametrize("query", ["mostrar=nada&pagina=x", "pagina=-3", "pagina=99999999999999999999"])
    def test_an_odd_address_is_no_matter(self, ana, file, query):
        file()

        assert ana.get(f"/mesa/?{query}").status_code == 200

    @pytest.mark.parametrize("language", ["en", "es"])
    def test_it_speaks_three_languages(self, ana, file, language):
        file()

        assert f'lang="{language}"' in ana.get(f"/mesa/?lang={language}").text

    def test_hostile_text_is_only_text(self, ana, file):
        file(facts={"vehicle": {"kind": "typed", "text": "<script>alert(1)</script>"}})

        assert "<script>alert" not in ana.get("/mesa/").text


class TestReading:
    def test_a_complaint_shows_what_was_told(self, ana, file):
        protocol = file(story="Lotado demais.\nCrianças em pé.", language="en")

        page = ana.get(f"/mesa/manifestacoes/{protocol}").text

        for words in ("BRA2E19", "Lotado demais.", "31/03/2030", "Anônima", "responda nesse idioma"):
            assert words in page

    def test_the_snapshot_is_said(self, ana, file):
        protocol = file(
            snapshot={
                "status": "expired",
                "on": "2030-02-28",
                "units": [{"plate": "BRA2E19", "role": "vehicle", "status": "expired"}],
                "permits": [{"number": "2029/0001"}],
                "lists": [
                    {
                        "source": "Cadastro municipal",
                        "kind": "register",
                        "as_of": "2030-02-27",
                        "stale": False,
                        "service": "recreativo",
                    }
                ],
            }
        )

        page = ana.get(f"/mesa/manifestacoes/{protocol}").text
        english = ana.get(f"/mesa/manifestacoes/{protocol}?lang=en").text

        for words in ("Em 28/02/2030", "2029/0001", "Cadastro municipal, lista de 27/02/2030"):
            assert words in page
        assert "Municipal register, list of 27 Feb 2030" in english

    def test_another_towns_complaint_does_not_exist(self, ana, sign_in, file):
        here, there = file(municipality=TOWN), file(municipality=ELSEWHERE)
        bia = sign_in("bia")

        for browser, foreign in ((ana, there), (bia, here)):
            address = f"/mesa/manifestacoes/{foreign}"
            assert browser.get(address).status_code == 404
            assert foreign not in browser.get("/mesa/?mostrar=all").text
            for step in (
                "analise",
                "resposta",
                "pergunta",
                "encaminhamento",
                "prorrogacao",
                "encerramento",
                "identidade",
            ):
                assert browser.post(f"{address}/{step}", data={"text": "Oi."}).status_code == 404
            assert browser.get(f"{address}/anexos/x").status_code == 404
            assert status_of(foreign) == "registered"


class TestAPhoto:
    @pytest.fixture
    def with_photo(self, database):
        """A complaint with a photo: its protocol and the photo's token."""
        with unit_of_work(writes=True) as session:
            case = put_complaint(session)
            return case.protocol, put_evidence(session, case).token

    @pytest.mark.parametrize("spelling", ["{}", "{}%0d%0a", "%20{}"])
    def test_is_a_download_under_the_protocols_own_name(self, ana, with_photo, spelling):
        protocol, token = with_photo

        answer = ana.get(f"/mesa/manifestacoes/{spelling.format(protocol)}/anexos/{token}")

        assert answer.status_code == 200
        assert answer.headers["Content-Disposition"] == f"attachment; filename={protocol}-foto-1.jpg"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"

    def test_belongs_to_its_own_complaint_and_town(self, ana, sign_in, file, with_photo):
        protocol, token = with_photo

        assert ana.get(f"/mesa/manifestacoes/{file()}/anexos/{token}").status_code == 404
        assert sign_in("bia").get(f"/mesa/manifestacoes/{protocol}/anexos/{token}").status_code == 404


class TestAnswering:
    def test_an_answer_is_registered_and_said(self, ana, file):
        protocol = file()

        answer = ana.post(f"/mesa/manifestacoes/{protocol}/resposta", data={"text": "Fomos ao local."})

        assert answer.status_code == 303
        page = ana.get(answer.location).text
        assert "A resposta foi registrada" in page
        assert "Fomos ao local." in page
        assert status_of(protocol) == "answered"

    def test_an_empty_one_comes_back(self, ana, file):
        protocol = file()

        answer = ana.post(f"/mesa/manifestacoes/{protocol}/resposta", data={"text": "  "})

        assert answer.status_code == 422
        assert status_of(protocol) == "registered"

    def test_a_second_one_is_refused_and_not_lost(self, ana, file):
        protocol = file()
        ana.post(f"/mesa/manifestacoes/{protocol}/resposta", data={"text": "Primeira."})

        answer = ana.post(f"/mesa/manifestacoes/{protocol}/resposta", data={"text": "Segunda."})

        assert answer.status_code == 409
        assert answer.text.count("talk__message--ombudsman") == 1
        assert "Segunda." in answer.text

    def test_a_ready_sentence_joins_the_text_in_the_citizens_language(self, ana, file):
        protocol = file(language="pt_BR")
        filled = {"text": "Boa tarde.", "outcome": "confirmed", "insert": "yes"}

        page = ana.post(f"/mesa/manifestacoes/{protocol}/resposta", data=filled)
        fragment = ana.post(
            f"/mesa/manifestacoes/{protocol}/resposta", data=filled, headers={"HX-Request": "true"}
        )

        for answer in (page, fragment):
            assert answer.status_code == 200
            assert "Boa tarde." in answer.text
            assert "confirmamos a irregularidade" in answer.text
        assert "<html" not in fragment.text
        assert status_of(protocol) == "registered"

    def test_a_ready_sentence_is_not_sent_before_it_is_completed(self, ana, file):
        protocol = file(language="pt_BR")

        answer = ana.post(
            f"/mesa/manifestacoes/{protocol}/resposta", data={"text": "Foi tomada: [complete aqui]."}
        )

        assert answer.status_code == 422
        assert "Complete o trecho" in answer.text

    def test_an_inspector_is_not_offered_to_answer(self, sign_in, file):
        protocol = file()
        davi = sign_in("davi")

        assert "answer-form" not in davi.get(f"/mesa/manifestacoes/{protocol}").text
        assert davi.post(f"/mesa/manifestacoes/{protocol}/resposta", data={"text": "Oi."}).status_code == 403


class TestOtherSteps:
    @pytest.mark.parametrize(
        ("address", "text", "status", "said"),
        [
            ("analise", "", "in_review", "está em análise"),
            ("pergunta", "Em que ponto?", "awaiting_citizen", "Em que ponto?"),
            ("encaminhamento", "Secretaria de Mobilidade", "forwarded", "Secretaria de Mobilidade"),
            ("prorrogacao", "Falta o laudo.", "registered", "30/04/2030"),
        ],
    )
    def test_each_is_taken_and_said(self, ana, file, address, text, status, said):
        protocol = file()

        answer = ana.post(f"/mesa/manifestacoes/{protocol}/{address}", data={"text": text})

        assert answer.status_code == 303
        assert said in ana.get(answer.location).text
        assert status_of(protocol) == status

    @pytest.mark.parametrize("address", ["pergunta", "encaminhamento", "prorrogacao", "identidade"])
    def test_each_asks_for_its_words(self, ana, file, address):
        protocol = file(identity_mode="sealed")

        assert ana.post(f"/mesa/manifestacoes/{protocol}/{address}", data={"text": " "}).status_code == 422


class TestIdentity:
    @pytest.fixture
    def sealed(self, database, identity_pair):
        public = PublicKey(identity_pair.id, private_key(identity_pair.private).public_key())
        told = json.dumps({"name": "Maria", "email": "maria@example.org", "phone": None}).encode()
        with unit_of_work(writes=True) as session:
            row = put_complaint(session, identity_mode="sealed")
            box = seal(told, public, record=identity_record(row.protocol))
            session.add(
                SealedIdentityRow(complaint_id=row.id, key_id=identity_pair.id, box=box, sealed_at=NOW)
            )
            return row

    def test_it_is_shown_once_for_a_reason_that_is_logged(self, ana, sealed):
        address = f"/mesa/manifestacoes/{sealed.protocol}"
        assert "Maria" not in ana.get(address).text

        answer = ana.post(f"{address}/identidade", data={"text": "Ofício 12/2030"})

        assert answer.status_code == 200
        assert "maria@example.org" in answer.text
        assert answer.headers["Cache-Control"] == "no-store"
        assert "Maria" not in ana.get(address).text
        with unit_of_work() as session:
            (entry,) = history_of(session, TOWN, f"complaint:{sealed.id}")
        assert (entry.action, entry.reason) == ("identity.opened", fingerprint("Ofício 12/2030"))

    def test_one_that_is_open_is_read_by_the_ombudsman_alone(self, ana, sign_in, sealed):
        with unit_of_work(writes=True) as session:
            session.get(ComplaintRow, sealed.id).identity_mode = "open"
        address = f"/mesa/manifestacoes/{sealed.protocol}"

        assert "maria@example.org" in ana.get(address).text
        for login in ("caio", "davi"):
            assert "Maria" not in sign_in(login).get(address).text

    @pytest.mark.parametrize("login", ["caio", "davi"])
    def test_nobody_but_the_ombudsman_opens_it(self, sign_in, sealed, login):
        browser = sign_in(login)
        address = f"/mesa/manifestacoes/{sealed.protocol}"

        assert "/identidade" not in browser.get(address).text
        answer = browser.post(f"{address}/identidade", data={"text": "Curiosidade"})
        assert answer.status_code == 403
        assert "Maria" not in answer.text
