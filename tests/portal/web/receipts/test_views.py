"""A dated proof of what the portal answered, and what anybody who checks it is told."""

from datetime import UTC, date, datetime

import pypdfium2
import pytest
import zxingcpp

from portal import clock
from portal.domain.permits import EventKind, HolderKind, PermitEvent, Service
from portal.services.register.permits import keeper_at, permit_by_number, record_act
from portal.services.unit_of_work import unit_of_work
from tests.factories.permits import happened, put_list, put_permit

TOWN, HILLS = "caraguatatuba-sp", "chapada-dos-guimaraes-mt"
NOW = datetime(2026, 11, 30, 17, 2, 31, tzinfo=UTC)  # 14:02 in the town
LATER = datetime(2026, 12, 10, 12, 0, tzinfo=UTC)


@pytest.fixture
def at(monkeypatch):
    moment = [NOW]
    monkeypatch.setattr(clock, "now", lambda: moment[0])
    return lambda then: moment.__setitem__(0, then)


@pytest.fixture
def portal_with_key(environment, monkeypatch):
    monkeypatch.setenv("RECEIPT_KEY", "k1:only-for-tests-" + "4" * 32)


@pytest.fixture
def browser(portal_with_key, at, client):
    with unit_of_work(writes=True) as session:
        put_list(session)
        put_permit(session, number="2026/0001", plate="BRA1D23", trade_name="Trenzinho da Orla")
    return client


def proof(browser, town: str = TOWN, **form: str) -> str:
    answer = browser.post(f"/{town}/comprovante", data={"q": "BRA1D23"} | form)
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"]


class TestAProof:
    def test_is_offered_under_every_verdict(self, browser):
        for asked in ("BRA1D23", "BRA9Z99"):
            assert "Guardar um comprovante" in browser.get(f"/{TOWN}/verificar?q={asked}").text

    def test_says_when_which_list_answered_what(self, browser):
        told = browser.get(proof(browser)).text

        for said in ("30/11/2026", "14:02", "28/11/2026", "BRA1D23", "Autorizado", "2026/0001", "31/12/2026"):
            assert said in told
        assert "Hoje a resposta é a mesma" in told

    def test_says_what_was_not_found_too(self, browser):
        told = browser.get(proof(browser, q="BRA9Z99")).text

        assert "Não encontrado" in told
        assert "28/11/2026" in told

    def test_tells_then_from_now(self, browser, at):
        address = proof(browser)
        with unit_of_work(writes=True) as session:
            permit = permit_by_number(session, keeper_at(TOWN), "2026/0001")
            act = PermitEvent(
                EventKind.SUSPENSION, date(2026, 12, 5), None, None, "Portaria 1/2026", date(2026, 12, 5)
            )
            record_act(session, keeper_at(TOWN), permit, act, now=datetime(2026, 12, 5, 12, tzinfo=UTC))
        at(LATER)

        told = browser.get(address).text

        assert "Autorizado" in told
        assert "Hoje a resposta é outra: Autorização suspensa" in told

    def test_of_a_place_and_an_hour_says_that_there_was_a_limit(self, browser):
        told = browser.get(proof(browser, service="aplicativo")).text

        assert "com ressalva" in told

    def test_is_stored_nowhere(self, browser, database):
        def rows() -> int:
            with database.connect() as connection:
                names = (
                    connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'")
                    .scalars()
                    .all()
                )
                return sum(
                    connection.exec_driver_sql(f'SELECT count(*) FROM "{name}"').scalar_one()
                    for name in names
                )

        before = rows() if database.dialect.name == "sqlite" else 0
        proof(browser)
        assert (rows() if database.dialect.name == "sqlite" else 0) == before

    def test_is_short_enough_to_be_typed_and_read_with_dashes_and_look_alikes(self, browser):
        code = proof(browser).removeprefix("/comprovante/")
        assert len(code) <= 56

        typed = "-".join(code[at : at + 4] for at in range(0, len(code), 4)).lower().replace("0", "o")
        answer = browser.get("/comprovante/", query_string={"codigo": typed}, follow_redirects=True)
        assert "BRA1D23" in answer.text

    def test_is_a_sheet_with_a_code_that_leads_back(self, browser):
        address = proof(browser)
        answer = browser.get(f"{address}.pdf")
        sheet = pypdfium2.PdfDocument(answer.data)[0]
        words = sheet.get_textpage().get_text_range()

        for said in ("30/11/2026", "Autorizado", "28/11/2026", "BRA1D23", "Não prova"):
            assert said in words
        assert zxingcpp.read_barcode(sheet.render(scale=2).to_pil()).text == f"http://127.0.0.1:8000{address}"

    def test_is_named_in_no_log_and_no_cache(self, browser, capsys):
        address = proof(browser)
        capsys.readouterr()
        answer = browser.get(address)

        assert address.removeprefix("/comprovante/") not in "".join(capsys.readouterr())
        assert answer.headers["Cache-Control"].startswith("private")
        assert "noindex" in answer.text


class TestAForgedProof:
    def test_is_not_recognised(self, browser):
        address = proof(browser)
        for at in (13, 25, len(address) - 1):
            other = "A" if address[at] != "A" else "B"
            answer = browser.get(f"{address[:at]}{other}{address[at + 1 :]}")
            assert answer.status_code == 404
            assert "Comprovante não reconhecido" in answer.text
            assert "BRA1D23" not in answer.text

    def test_of_another_portals_key_is_not_recognised(self, browser, app):
        address = proof(browser)
        from pydantic import SecretStr

        settings = app.config["SETTINGS"]
        app.config["SETTINGS"] = settings.model_copy(
            update={"receipt_key": SecretStr("k1:another-" + "5" * 32)}
        )
        assert browser.get(address).status_code == 404
        both = SecretStr("k2:another-" + "5" * 32 + "," + settings.receipt_key.get_secret_value())
        app.config["SETTINGS"] = settings.model_copy(update={"receipt_key": both})
        assert browser.get(address).status_code == 200  # a rotation breaks none

    def test_is_not_given_without_a_key(self, client, at):
        with unit_of_work(writes=True) as session:
            put_list(session)
        assert "Guardar um comprovante" not in client.get(f"/{TOWN}/verificar?q=BRA1D23").text
        assert client.post(f"/{TOWN}/comprovante", data={"q": "BRA1D23"}).status_code == 404


class TestAPersonsPermit:
    def test_leaves_neither_number_nor_days_in_the_proof(self, browser):
        with unit_of_work(writes=True) as session:
            put_list(session, HILLS, service=Service.RIDE_HAILING)
            put_permit(
                session, HILLS, number="2026/0777", plate="BRA7C07", service=Service.RIDE_HAILING,
                permit_type="driver", holder_kind=HolderKind.NATURAL_PERSON, year=2026,
                events=(
                    happened(EventKind.PAYMENT, date(2026, 2, 1)), happened(EventKind.ISSUE, date(2026, 2, 2)),
                ),
            )  # fmt: skip

        told = browser.get(proof(browser, HILLS, q="BRA7C07")).text

        assert "Autorizado" in told
        assert "0777" not in told
