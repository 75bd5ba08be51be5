"""The clerk brings a file: sees first what it would change, then publishes, throws away or undoes."""

import io
import re
from datetime import date

import pytest
from sqlalchemy import func, select

from portal.domain.permits import Status
from portal.services.people.audit import verify_chain
from portal.services.unit_of_work import unit_of_work
from portal.services.verdicts.verification import verify_permit
from portal.storage.imports import ImportRunRow, StagedPermitRow
from tests.portal.desk.conftest import NOW, TOWN

TODAY = date(2030, 3, 10)
HEADER = "numero;ano;placa;lotacao;velocidade_max;validade_ate;emissao;observacoes"
GOOD = "2030/0001;2030;BRA1A11;20;30;31/12/2030;05/01/2030;falar com Fulana"
FAST = "2030/0002;2030;BRA2A22;20;60;31/03/2031;05/01/2030;"
BAD = "2030/0003;2030;BRA12;20;30;31/12/2030;05/01/2030;"


@pytest.fixture
def caio(sign_in):
    return sign_in("caio")


def upload(browser, *lines, name="cadastro.csv", follow=True, **form):
    file = (io.BytesIO("\n".join((HEADER, *lines)).encode()), name)
    data = {"file": file, "service": "recreativo", "as_of": "2030-03-10", "kind": "register"} | form
    return browser.post("/mesa/cadastro/arquivos/", data=data, follow_redirects=follow)


def run_of(answer) -> str:
    return re.search(r"arquivos/(\d+)/", answer.text)[1]


def publish(browser, answer, **form):
    return browser.post(
        f"/mesa/cadastro/arquivos/{run_of(answer)}/publicacao", data=form, follow_redirects=True
    )


def status(plate="BRA1A11", on=TODAY):
    with unit_of_work() as session:
        return verify_permit(session, TOWN, plate, on=on, now=NOW).status


def count(row):
    with unit_of_work() as session:
        return session.scalar(select(func.count()).select_from(row))


class TestUploading:
    def test_what_it_would_change_is_shown_and_nothing_changes(self, caio):
        answer = upload(caio, GOOD, FAST, BAD)

        for words in (
            "Recusadas",
            "não é uma placa",
            "60 km/h",
            "art. 11",
            "31/03/2031",
            "art. 8",
            "H (observacoes)",
        ):
            assert words in answer.text
        assert "Fulana" not in answer.text
        assert status() is Status.UNKNOWN

    def test_nothing_is_kept_of_the_file(self, caio, environment):
        upload(caio, GOOD)

        told = b"".join(path.read_bytes() for path in environment.rglob("*") if path.is_file())
        assert b"Fulana" not in told

    @pytest.mark.parametrize(
        ("form", "words"),
        [
            ({"file": (io.BytesIO(b""), "")}, "Escolha o arquivo"),
            ({"as_of": "ontem"}, "“ontem” não é uma data"),
            ({"as_of": "2030-03-11"}, "ainda não chegou"),
            ({"kind": "platform"}, "nome da plataforma"),
        ],
    )
    def test_what_is_missing_is_said(self, caio, form, words):
        answer = upload(caio, GOOD, **form)

        assert answer.status_code == 422
        assert words in answer.text
        assert count(ImportRunRow) == 0

    @pytest.mark.parametrize("content", [b"", b"PK\x03\x04 broken", b"\xff\xfe\x00", b"nome;idade\na;1"])
    def test_a_file_that_is_no_register_is_told_so(self, caio, content):
        data = {"file": (io.BytesIO(content), "x.csv"), "service": "recreativo", "as_of": "2030-03-10"}

        answer = caio.post("/mesa/cadastro/arquivos/", data=data, follow_redirects=True)

        assert answer.status_code == 200
        assert "Recusada" in answer.text
        assert "Publicar</button>" not in answer.text


class TestPublishing:
    def test_everybody_sees_it_then(self, caio):
        page = publish(caio, upload(caio, GOOD)).text

        assert "novas: 1" in page
        assert status() is Status.AUTHORIZED
        assert count(StagedPermitRow) == 0

    def test_refused_rows_are_left_out_only_when_that_is_ticked(self, caio):
        answer = upload(caio, GOOD, BAD)

        refused = publish(caio, answer)
        assert refused.status_code == 409
        assert "Há linhas recusadas" in refused.text
        publish(caio, answer, skip="yes")
        assert status() is Status.AUTHORIZED

    def test_permits_that_vanished_are_ended_only_when_that_is_ticked(self, caio):
        publish(caio, upload(caio, GOOD, FAST, as_of="2030-03-01"))

        answer = upload(caio, GOOD)
        assert "2030/0002" in answer.text
        publish(caio, answer)
        assert status("BRA2A22") is Status.AUTHORIZED

        publish(caio, upload(caio, GOOD, ""), retire="yes")
        assert status("BRA2A22") is Status.NOT_FOUND
        assert status("BRA2A22", on=date(2030, 3, 9)) is Status.AUTHORIZED

    def test_it_happens_once(self, caio):
        answer = upload(caio, GOOD)
        publish(caio, answer)

        assert publish(caio, answer).status_code == 409

    def test_it_is_thrown_away(self, caio):
        answer = upload(caio, GOOD)

        page = caio.post(f"/mesa/cadastro/arquivos/{run_of(answer)}/descarte", follow_redirects=True).text

        assert "jogado fora" in page
        assert count(StagedPermitRow) == 0
        assert caio.get(f"/mesa/cadastro/arquivos/{run_of(answer)}").status_code == 404


class TestUndoing:
    def test_the_register_is_as_before(self, caio):
        publish(caio, upload(caio, GOOD, as_of="2030-03-01"))
        answer = upload(caio, GOOD.replace("BRA1A11", "BRA3A33"), FAST)
        publish(caio, answer)
        assert (status(), status("BRA2A22")) == (Status.NOT_FOUND, Status.AUTHORIZED)

        page = caio.post(f"/mesa/cadastro/arquivos/{run_of(answer)}/desfazer", follow_redirects=True).text

        assert "foi desfeita" in page
        assert (status(), status("BRA2A22")) == (Status.AUTHORIZED, Status.NOT_FOUND)
        with unit_of_work() as session:
            assert verify_chain(session, TOWN) is None

    def test_what_was_recorded_since_stays(self, caio):
        answer = upload(caio, GOOD, FAST)
        publish(caio, answer)
        permit = re.search(r"autorizacoes/(\d+)", caio.get("/mesa/cadastro/?q=BRA1A11").text)[1]
        form = {"kind": "suspension", "on": "2030-03-10"}
        caio.post(f"/mesa/cadastro/autorizacoes/{permit}/registros", data=form)

        page = caio.get(f"/mesa/cadastro/arquivos/{run_of(answer)}").text
        assert "Ficam como estão" in page
        caio.post(f"/mesa/cadastro/arquivos/{run_of(answer)}/desfazer")

        assert (status(), status("BRA2A22")) == (Status.SUSPENDED, Status.UNKNOWN)

    def test_only_the_last_and_only_once(self, caio):
        first = upload(caio, GOOD, as_of="2030-03-01")
        publish(caio, first)
        second = upload(caio, GOOD, FAST)
        publish(caio, second)

        def undo(answer):
            return caio.post(f"/mesa/cadastro/arquivos/{run_of(answer)}/desfazer")

        assert undo(first).status_code == 409
        assert undo(second).status_code == 303
        assert undo(second).status_code == 409
        assert undo(first).status_code == 303
        assert status() is Status.UNKNOWN

    def test_the_same_file_can_be_published_again(self, caio):
        answer = upload(caio, GOOD)
        publish(caio, answer)
        caio.post(f"/mesa/cadastro/arquivos/{run_of(answer)}/desfazer")

        publish(caio, upload(caio, GOOD))

        assert status() is Status.AUTHORIZED


class TestWhoMay:
    def test_an_ombudsman_reads_and_cannot_change(self, caio, sign_in):
        answer = upload(caio, GOOD)
        ana = sign_in("ana")
        run = run_of(answer)

        assert "cadastro.csv" in ana.get(f"/mesa/cadastro/arquivos/{run}").text
        assert upload(ana, GOOD).status_code == 403
        for step in ("publicacao", "descarte", "desfazer"):
            assert ana.post(f"/mesa/cadastro/arquivos/{run}/{step}").status_code == 403

    def test_another_towns_reading_is_not_there(self, caio, sign_in):
        run = run_of(upload(caio, GOOD))
        bia = sign_in("bia")

        assert bia.get(f"/mesa/cadastro/arquivos/{run}").status_code == 404
        assert "cadastro.csv" not in bia.get("/mesa/cadastro/arquivos/").text
        for step in ("publicacao", "descarte", "desfazer"):
            assert bia.post(f"/mesa/cadastro/arquivos/{run}/{step}").status_code in (403, 404)
