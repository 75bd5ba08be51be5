"""A hostile clerk and a clumsy one at every page of the register: each is answered in words, and nothing breaks."""

import io
import logging
import re
import zipfile
from datetime import date

import pytest

from portal.domain.permits import Status
from portal.importing.workbooks import OLD_OFFICE
from portal.services.register import permits as register
from portal.services.unit_of_work import unit_of_work
from portal.services.verdicts.verification import verify_permit
from portal.storage.tables import metadata
from tests.factories.permits import put_list, put_permit
from tests.portal.desk.conftest import ELSEWHERE, NOW, TOWN
from tests.portal.importing.test_workbooks import book, sheet, text

TODAY = date(2030, 3, 10)
CPF, NAME = "52998224725", "Zuleica"
HEADER = "numero;ano;placa;lotacao;emissao"
NEW = {"tipo": "recreativo/recreational", "numero": "2030/0007", "ano": "2030", "emissao": "05/01/2030"}


@pytest.fixture
def caio(sign_in):
    return sign_in("caio")


@pytest.fixture
def permit(database) -> int:
    with unit_of_work(writes=True) as session:
        put_list(session)
        put_permit(session, number="2030/0001", year=2030, issued=date(2030, 1, 5), plate="BRA1A11")
        put_permit(session, number="2030/0002", year=2030, issued=date(2030, 1, 5), plate="BRA2A22")
        return register.permit_by_number(session, register.keeper_at(TOWN), "2030/1")


def upload(browser, content: bytes, name="cadastro.csv", follow=True, **form):
    data = {"file": (io.BytesIO(content), name), "service": "recreativo", "as_of": "2030-03-10"} | form
    return browser.post("/mesa/cadastro/arquivos/", data={"kind": "register"} | data, follow_redirects=follow)


def status(plate="BRA1A11"):
    with unit_of_work() as session:
        return verify_permit(session, TOWN, plate, on=TODAY, now=NOW).status


def everything_kept() -> str:
    with unit_of_work() as session:
        connection = session.connection()
        return "\n".join(
            repr(tuple(row))
            for table in metadata().sorted_tables
            for row in connection.execute(table.select())
        )


def opendocument() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
    return packed.getvalue()


FAR = book(sheet(f'<row r="1">{text("A1", "numero")}</row><row r="1048576">{text("XFD1048576", "x")}</row>'))


class TestWrongFiles:
    @pytest.mark.parametrize(
        ("content", "name", "words"),
        [
            (b"", "cadastro.csv", "está vazio"),
            (b"\n \n", "cadastro.csv", "está vazio"),
            (b"\0" * 400, "cadastro.csv", "não achamos a linha"),
            (b"%PDF-1.7", "cadastro.pdf", "não é CSV nem XLSX"),
            (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4, "foto.png", "não achamos a linha"),
            (opendocument(), "cadastro.ods", "não é CSV nem XLSX"),
            (OLD_OFFICE + b"\0" * 99, "cadastro.xls", "não é CSV nem XLSX"),
            (OLD_OFFICE + "EncryptedPackage".encode("utf-16-le"), "cadastro.xlsx", "protegido por senha"),
            (b"PK\x03\x04nothing", "cadastro.xlsx", "está corrompido"),
            (FAR, "cadastro.xlsx", "fica grande demais"),
            (b"nome;endereco\nFulano;Rua 1\n", "cadastro.csv", "não achamos a linha"),
            (b"numero;lotacao\n1;20\n", "cadastro.csv", "a coluna obrigatória não existe"),
            (b"<html><table><tr><td>numero</td></tr></table>", "cadastro.xls", "não achamos a linha"),
            (b";" * 100_000, "cadastro.csv", "não achamos a linha"),
        ],
    )
    def test_each_is_told_for_what_it_is(self, caio, content, name, words):
        answer = upload(caio, content, name)

        assert answer.status_code == 200
        assert words.lower() in answer.text.lower()
        assert ">Publicar<" not in answer.text

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "cp1252"])
    def test_any_encoding_is_read(self, caio, encoding):
        content = "número;ano;placa\n2030/0007;2030;BRA7777\n".encode(encoding)

        assert "Nenhum problema no arquivo" in upload(caio, content).text

    def test_a_nul_in_a_row(self, caio):
        answer = upload(caio, f"{HEADER}\n2030/1;2030;BRA1\0A11;20;05/01/2030\n".encode())

        assert "caractere nulo" in answer.text

    def test_a_formula_is_kept_nowhere(self, caio):
        rows = [
            '=HYPERLINK("http://x.example";"2030/7");2030;BRA7777;20;05/01/2030',
            '2030/8;2030;=HYPERLINK("http://x.example");20;05/01/2030',
            "=2030/9;2030;BRA9999;20;05/01/2030",
        ]
        answer = upload(caio, "\n".join([HEADER, *rows]).encode())

        assert answer.status_code == 200
        assert "HYPERLINK" not in answer.text
        assert "HYPERLINK" not in everything_kept()
        assert "=2030" not in everything_kept()

    def test_ten_thousand_faults_are_counted_and_the_first_shown(self, caio):
        rows = "\n".join(f"2030/{n};2030;nada;20;05/01/2030" for n in range(10_000))

        answer = upload(caio, f"{HEADER}\n{rows}".encode())

        assert "10.000" in answer.text
        assert "Aparecem as primeiras 200 de 10.000" in answer.text
        assert len(answer.text) < 400_000

    @pytest.mark.parametrize(
        "name", ["", "../../etc/passwd", "a" * 300 + ".csv", ".csv", "x\0.csv", "çã õ.CSV"]
    )
    def test_odd_names_of_files(self, caio, name):
        assert upload(caio, f"{HEADER}\n".encode(), name).status_code in (200, 422)

    @pytest.mark.parametrize(
        "form",
        [
            {"service": "voador"},
            {"service": ""},
            {"kind": "nada"},
            {"as_of": "31/02/2030"},
            {"as_of": "0001-01-01"},
            {"as_of": "amanhã"},
            {"kind": "platform", "source": "x" * 300},
            {"kind": "platform", "source": "\0"},
        ],
    )
    def test_odd_forms(self, caio, form):
        answer = upload(caio, f"{HEADER}\n2030/7;2030;BRA7777;20;05/01/2030\n".encode(), **form)

        assert answer.status_code in (200, 422)


class TestNothingOfAPersonLeaves:
    @pytest.mark.parametrize(
        ("name", "content"),
        [
            (f"{NAME} {CPF}.csv", f"{HEADER}\n2030/7;2030;nada;20;05/01/2030\n"),
            (f"{NAME}.csv", f"{HEADER};{NAME};{CPF}\n2030/7;2030;nada;20;05/01/2030;{NAME};{CPF}\n"),
            ("cadastro.csv", f"{NAME} {CPF}\n{HEADER}\n2030/7;2030;{NAME};{CPF};05/01/2030\n"),
            ("cadastro.csv", f"{HEADER}\n{CPF};2030;BRA7777;20;05/01/2030\n{NAME};2030;BRA7777;20;{NAME}\n"),
            ("cadastro.csv", f"{HEADER};ato\n2030/7;2030;BRA7777;20;05/01/2030;{NAME} {CPF}\n"),
            ("cadastro.csv", f"{HEADER};tipo\n2030/7;2030;BRA7777;20;05/01/2030;{NAME}\n"),
            ("cadastro.csv", f"{HEADER}\n2030/7;2030;BRA7777;20;05/01/2030;{NAME} {CPF}\n"),
        ],
    )  # fmt: skip
    def test_not_on_the_page_not_in_the_log_not_in_the_database(self, caio, caplog, name, content):
        caplog.set_level(logging.DEBUG)

        answer = upload(caio, content.encode(), name)

        assert answer.status_code == 200
        for secret in (NAME, NAME.upper(), CPF):
            assert secret not in answer.text
            assert secret not in caplog.text
            assert secret not in everything_kept()

    def test_nor_the_name_of_a_sheet(self, caio):
        answer = upload(
            caio, book(sheet(f'<row r="1">{text("A1", NAME)}{text("B1", CPF)}</row>')), "lista.xlsx"
        )

        assert "Fulano" not in answer.text + everything_kept()
        assert CPF not in answer.text + everything_kept()

    def test_nor_a_form_that_was_refused(self, caio, permit, caplog):
        caplog.set_level(logging.DEBUG)
        caio.post(
            f"/mesa/cadastro/autorizacoes/{permit}/registros",
            data={"kind": "suspension", "on": "2030-03-10", "act_number": f"{NAME} {CPF}"},
        )
        caio.post("/mesa/cadastro/autorizacoes/nova", data=NEW | {"placa-1": "BRA7777", "nome_fantasia": CPF})

        assert CPF not in everything_kept() + caplog.text
        assert NAME not in everything_kept() + caplog.text


class TestOnePermitByHand:
    def test_it_is_in_the_register_and_the_next_look_up_shows_it(self, caio, permit):
        answer = caio.post(
            "/mesa/cadastro/autorizacoes/nova",
            data=NEW
            | {"placa-1": "bra-7a77", "papel-1": "trator", "placa-2": "BRA7A78", "papel-2": "reboque"},
        )

        assert answer.status_code == 303
        assert status("BRA7A78") is Status.AUTHORIZED
        page = caio.get(answer.location).text
        for words in ("A consulta pública já segue", "2030/0007", "BRA7A77", "Autorização criada"):
            assert words in page

    def test_what_is_wrong_is_said_beside_its_box_and_all_is_kept(self, caio, permit):
        form = NEW | {"emissao": "31/02/2030", "placa-1": "nada", "itinerario": "ORLA"}
        answer = caio.post("/mesa/cadastro/autorizacoes/nova", data=form)

        assert answer.status_code == 422
        assert 'id="placa-1-error"' in answer.text
        assert 'value="31/02/2030"' in answer.text
        assert 'value="ORLA"' in answer.text

    def test_twice_the_same_leads_to_the_first(self, caio, permit):
        form = NEW | {"placa-1": "BRA7A77"}
        first = caio.post("/mesa/cadastro/autorizacoes/nova", data=form)
        again = caio.post("/mesa/cadastro/autorizacoes/nova", data=form)

        assert again.status_code == 422
        assert first.location.removeprefix("http://localhost") in again.text

    @pytest.mark.parametrize(
        "form", [{}, {"tipo": "x/y/z"}, {"tipo": "\0"}, {"placa-8": "BRA7A77"}, {"ano": "9" * 99}]
    )
    def test_odd_forms(self, caio, permit, form):
        assert caio.post("/mesa/cadastro/autorizacoes/nova", data=form).status_code == 422

    def test_the_page_is_for_who_may_write(self, sign_in, permit):
        for who in ("ana", "davi"):
            browser = sign_in(who)
            assert browser.get("/mesa/cadastro/autorizacoes/nova").status_code == 403
            assert browser.post("/mesa/cadastro/autorizacoes/nova", data=NEW).status_code == 403


class TestActs:
    @pytest.mark.parametrize(
        "day", ["2030-03-10", "10/03/2030", "10.03.2030", "10-03-30", " 10/3/2030 ", "47552"]
    )
    def test_a_day_in_every_spelling(self, caio, permit, day):
        answer = caio.post(
            f"/mesa/cadastro/autorizacoes/{permit}/registros", data={"kind": "suspension", "on": day}
        )

        assert answer.status_code == 303
        assert status() is Status.SUSPENDED

    @pytest.mark.parametrize(
        "day", ["", "0", "31/02/2030", "10/03/0230", "2030-13-01", "ontem", "9" * 500, "\0"]
    )
    def test_what_is_no_day_is_said(self, caio, permit, day):
        answer = caio.post(
            f"/mesa/cadastro/autorizacoes/{permit}/registros", data={"kind": "suspension", "on": day}
        )

        assert answer.status_code == 422
        assert 'id="act-on-error"' in answer.text

    @pytest.mark.parametrize(
        "kind", ["suspension", "release", "revocation", "cancellation", "renewal_request"]
    )
    def test_before_the_permit_was_issued(self, caio, permit, kind):
        answer = caio.post(
            f"/mesa/cadastro/autorizacoes/{permit}/registros", data={"kind": kind, "on": "2029-03-10"}
        )

        assert answer.status_code == 422
        assert "só foi emitida em 05/01/2030" in answer.text

    def test_pressed_twice(self, caio, permit):
        form = {"kind": "suspension", "on": "2030-03-10"}
        address = f"/mesa/cadastro/autorizacoes/{permit}/registros"

        assert [caio.post(address, data=form).status_code for _ in range(2)] == [303, 422]

    def test_a_plate_of_another_permit_is_taken_and_said(self, caio, permit):
        form = {"leaves": "1", "plate": "BRA2022", "on": "2030-03-10"}
        assert caio.post(f"/mesa/cadastro/autorizacoes/{permit}/veiculos", data=form).status_code == 303

        page = caio.get(f"/mesa/cadastro/autorizacoes/{permit}").text
        assert "está também em outra autorização" in page
        assert "2030/0002" in page

    @pytest.mark.parametrize(
        "form",
        [
            {},
            {"kind": "vehicle_change", "on": "2030-03-10"},
            {"kind": "suspension", "on": "2030-03-10", "unit": "-1"},
            {"kind": "suspension", "on": "2030-03-10", "unit": "99999999999999999999"},
            {"kind": "suspension", "on": "2030-03-10", "until": "2030-03-09"},
            {"kind": "suspension", "on": "2030-03-10", "act_number": "x" * 5000},
            {"kind": "suspension", "on": "2030-03-10", "act_date": "2031-01-01"},
        ],
    )
    def test_odd_forms(self, caio, permit, form):
        assert caio.post(f"/mesa/cadastro/autorizacoes/{permit}/registros", data=form).status_code == 422
        assert status() is Status.AUTHORIZED


class TestBothAxes:
    @pytest.mark.parametrize("path", ["", "autorizacoes/{permit}"])
    @pytest.mark.parametrize(
        "query", ["em=9999-12-31", "sabido_em=0001-01-01", "em=%00", "sabido_em=99/99/9999", "em=1e9"]
    )
    def test_impossible_days_are_said(self, caio, permit, path, query):
        assert caio.get(f"/mesa/cadastro/{path.format(permit=permit)}?{query}").status_code == 422

    @pytest.mark.parametrize(
        "query", ["em=1950-01-01", "sabido_em=2200-12-31", "em=2200-12-31&sabido_em=1950-01-01"]
    )
    def test_far_days_are_answered(self, caio, permit, query):
        assert caio.get(f"/mesa/cadastro/?{query}").status_code == 200


class TestWhoMay:
    def posts(self, permit, run):
        yield f"/mesa/cadastro/autorizacoes/{permit}/registros", {"kind": "suspension", "on": "2030-03-10"}
        yield f"/mesa/cadastro/autorizacoes/{permit}/veiculos", {"plate": "BRA7777", "on": "2030-03-10"}
        yield f"/mesa/cadastro/autorizacoes/{permit}/registros/1/retirada", {"reason": "x"}
        for step in ("publicacao", "descarte", "desfazer"):
            yield f"/mesa/cadastro/arquivos/{run}/{step}", {}

    @pytest.fixture
    def run(self, caio, permit):
        answer = upload(caio, f"{HEADER}\n2030/7;2030;BRA7777;20;05/01/2030\n".encode(), follow=False)
        return re.search(r"arquivos/(\d+)", answer.location)[1]

    def test_another_towns_ids_are_not_there(self, sign_in, permit, run):
        from portal.domain.staff import Role
        from tests.portal.desk import conftest

        conftest.STAFF.setdefault("edu", (ELSEWHERE, Role.CLERK))
        edu = sign_in("edu")
        for address, form in self.posts(permit, run):
            assert edu.post(address, data=form).status_code == 404, address
        for address in (f"arquivos/{run}", f"autorizacoes/{permit}"):
            assert edu.get(f"/mesa/cadastro/{address}").status_code == 404
        assert status() is Status.AUTHORIZED

    @pytest.mark.parametrize("who", ["ana", "davi"])
    def test_a_role_without_the_right_changes_nothing(self, sign_in, permit, run, who):
        browser = sign_in(who)
        for address, form in self.posts(permit, run):
            assert browser.post(address, data=form).status_code == 403, address
        assert status() is Status.AUTHORIZED

    def test_the_back_button_after_publishing(self, caio, run):
        address = f"/mesa/cadastro/arquivos/{run}/publicacao"

        assert [caio.post(address).status_code for _ in range(2)] == [303, 409]
        assert caio.post(f"/mesa/cadastro/arquivos/{run}/descarte").status_code == 409
        undone = [caio.post(f"/mesa/cadastro/arquivos/{run}/desfazer").status_code for _ in range(2)]
        assert undone == [303, 409]
        assert caio.post(address).status_code == 409
