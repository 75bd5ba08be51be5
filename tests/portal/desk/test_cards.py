"""Cards of a permit at the desk: made, printed, replaced, taken back, and logged."""

from datetime import UTC, date, datetime

import pypdfium2
import pytest
import zxingcpp
from sqlalchemy import select

from portal import clock
from portal.config import card_settings
from portal.domain.cards import CardState
from portal.sealing.cards import card_keys
from portal.services.cards.opening import open_card, token_in
from portal.services.unit_of_work import unit_of_work
from portal.storage.audit import AuditRow
from portal.storage.cards import PermitCardRow
from portal.storage.permits import PermitRow
from tests.factories.cards import card_keys_in
from tests.factories.permits import put_list, put_permit, unit

NOW = datetime(2026, 11, 30, 15, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _now(monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: NOW)


@pytest.fixture
def permit(desk, environment, monkeypatch) -> int:
    monkeypatch.setenv("CARD_PRIVATE_KEYS", str(card_keys_in(environment)))
    with unit_of_work(writes=True) as session:
        put_list(session)
        units = (unit("BRA1A11", 1, "tractor", capacity=None), unit("BRA2B22", 2, "trailer", capacity=40))
        put_permit(
            session, number="2026/0001", units=units, trade_name="Trenzinho da Orla", itinerary="orla",
            max_speed_kmh=40,
        )  # fmt: skip
        found = session.scalars(select(PermitRow.id)).one()
    return found


@pytest.fixture
def caio(sign_in):
    return sign_in("caio")


def page(browser, permit: int) -> str:
    return browser.get(f"/mesa/cadastro/autorizacoes/{permit}").text


def cards() -> list[PermitCardRow]:
    with unit_of_work() as session:
        return list(session.scalars(select(PermitCardRow).order_by(PermitCardRow.id)))


def make(browser, permit: int, **form: str):
    return browser.post(f"/mesa/cadastro/autorizacoes/{permit}/cartoes/", data=form)


def drawn(pdf: bytes):
    document = pypdfium2.PdfDocument(pdf)
    assert len(document) == 1
    return document[0]


class TestTheClerk:
    def test_makes_a_card_and_prints_it(self, caio, permit, environment):
        assert "Fazer o cartão" in page(caio, permit)
        assert make(caio, permit).status_code == 303

        told = page(caio, permit)
        assert "nº 1" in told
        assert "dentro do veículo, em lugar visível" in told
        answer = caio.post(
            f"/mesa/cadastro/autorizacoes/{permit}/cartoes/{cards()[0].id}/impressao", data={"size": "a5"}
        )
        sheet = drawn(answer.data)
        assert [round(side / 72 * 25.4) for side in sheet.get_size()] == [148, 210]
        words = sheet.get_textpage().get_text_range()
        for said in (
            "LOTAÇÃO",
            "40",
            "31/12/2026",
            "2026/0001",
            "40 km/h",
            "orla",
            "BRA1A11",
            "BRA2B22",
            "Orla",
        ):
            assert said in words
        read = zxingcpp.read_barcode(sheet.render(scale=2).to_pil())
        assert read.text.startswith("HTTP://127.0.0.1:8000/V/")
        with unit_of_work() as session:
            token = token_in(read.text, host="127.0.0.1:8000")
            opened = open_card(session, token, keys=card_keys(environment / "public.json"), now=NOW)
        assert opened.state is CardState.CURRENT
        assert opened.plates == ("BRA1A11", "BRA2B22")

    def test_makes_another_in_its_place(self, caio, permit):
        make(caio, permit)
        make(caio, permit)

        assert [(one.issue, one.ended) for one in cards()] == [(1, "replaced"), (2, None)]
        assert "Cartões que já não valem" in page(caio, permit)

    def test_takes_it_back_once(self, caio, permit):
        make(caio, permit)
        address = f"/mesa/cadastro/autorizacoes/{permit}/cartoes/{cards()[0].id}"

        assert caio.post(f"{address}/cancelamento").status_code == 303
        assert caio.post(f"{address}/cancelamento").status_code == 409
        assert caio.post(f"{address}/impressao").status_code == 409

    def test_is_told_why_none_is_made(self, caio, permit):
        with unit_of_work(writes=True) as session:
            put_permit(session, number="2025/0009", year=2025, issued=date(2025, 1, 2))
            over = session.scalars(select(PermitRow.id).where(PermitRow.year == 2025)).one()
        refused = make(caio, over)

        assert refused.status_code == 409
        assert "em vigor" in refused.text
        assert make(caio, 999).status_code == 404

    def test_is_told_that_the_key_is_missing(self, caio, permit, monkeypatch):
        monkeypatch.delenv("CARD_PRIVATE_KEYS")
        card_settings.cache_clear()  # read once a process

        assert "ainda não tem a chave dos cartões" in make(caio, permit).text

    def test_leaves_every_step_in_the_log(self, caio, permit):
        make(caio, permit)
        address = f"/mesa/cadastro/autorizacoes/{permit}/cartoes/{cards()[0].id}"
        caio.post(f"{address}/impressao")
        caio.post(f"{address}/cancelamento")

        with unit_of_work() as session:
            logged = session.scalars(select(AuditRow).where(AuditRow.subject == f"permit:{permit}")).all()
        assert [one.action for one in logged] == [
            "permit.card_made", "permit.card_printed", "permit.card_revoked",
        ]  # fmt: skip
        told = page(caio, permit)
        for said in ("Cartão feito", "Cartão impresso", "Cartão cancelado"):
            assert said in told


class TestOthers:
    @pytest.mark.parametrize("login", ["ana", "davi", "eva"])
    def test_make_none(self, sign_in, permit, login):
        assert make(sign_in(login), permit).status_code == 403
        assert cards() == []


class TestTheCode:
    def test_is_kept_nowhere(self, caio, permit, environment, database):
        make(caio, permit)
        with database.connect() as connection:
            kept = connection.exec_driver_sql("SELECT * FROM permit_cards").mappings().all()
        assert [len(str(one["card"])) for one in kept] == [13]
        assert not any(len(str(value)) > 60 for one in kept for value in one.values())
