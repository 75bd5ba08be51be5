"""The clerk's pages of a permit. ``caio`` keeps the register, ``ana`` reads it, ``davi`` does neither."""

from datetime import date

import pytest

from portal.domain.permits import Status
from portal.services.register import permits as register
from portal.services.unit_of_work import unit_of_work
from portal.services.verdicts.verification import verify_permit
from tests.factories.permits import put_list, put_permit, unit
from tests.portal.desk.conftest import ELSEWHERE, NOW, TOWN

TODAY = date(2030, 3, 10)


@pytest.fixture
def permit(database) -> int:
    with unit_of_work(writes=True) as session:
        put_list(session)
        put_permit(
            session,
            number="2030/0001",
            year=2030,
            issued=date(2030, 1, 5),
            trade_name="Trem da Orla",
            units=(unit("BRA1A11", 1, "tractor"), unit("BRA1A12", 2, "trailer")),
        )
        return register.permit_by_number(session, register.keeper_at(TOWN), "2030/1")


@pytest.fixture
def caio(sign_in):
    return sign_in("caio")


def status(plate="BRA1A11"):
    with unit_of_work() as session:
        return verify_permit(session, TOWN, plate, on=TODAY, now=NOW).status


def post(browser, permit, where="registros", **form):
    return browser.post(f"/mesa/cadastro/autorizacoes/{permit}/{where}", data=form)


class TestFinding:
    def test_by_plate_and_by_number(self, caio, permit):
        for query in ("bra-1a12", "1/2030"):
            page = caio.get(f"/mesa/cadastro/?q={query}").text
            assert "2030/0001" in page
            assert f"/mesa/cadastro/autorizacoes/{permit}" in page

    def test_the_fragment_is_the_list_alone(self, caio, permit):
        answer = caio.get("/mesa/cadastro/?q=", headers={"HX-Request": "true"})

        assert "2030/0001" in answer.text
        assert "<html" not in answer.text

    def test_a_day_before_it_was_known_shows_nothing(self, caio, permit):
        assert "2030/0001" not in caio.get("/mesa/cadastro/?sabido_em=2025-12-31").text

    @pytest.mark.parametrize("query", ["q=abc", "em=ontem", "sabido_em=31/02/2030"])
    def test_what_cannot_be_read_is_said_and_kept(self, caio, permit, query):
        answer = caio.get(f"/mesa/cadastro/?{query}")

        assert answer.status_code == 422
        assert query.partition("=")[2] in answer.text

    def test_an_odd_address_is_no_matter(self, caio, permit):
        assert caio.get("/mesa/cadastro/?antes=-7&q=%00").status_code in (200, 422)
        assert caio.get("/mesa/cadastro/?antes=99999999999999999999").status_code == 200
        assert caio.get("/mesa/cadastro/avisos?depois=99999999999999999999").status_code == 200
        assert caio.get("/mesa/cadastro/autorizacoes/99999999999999999999").status_code == 404


class TestReading:
    def test_a_permit_shows_its_vehicles_acts_and_worth(self, caio, permit):
        page = caio.get(f"/mesa/cadastro/autorizacoes/{permit}").text

        for words in ("Autorizado", "Trem da Orla", "Emissão", "05/01/2030", "31/12/2030", "art. 8"):
            assert words in page

    def test_it_is_shown_as_it_stood_and_was_known(self, caio, permit):
        post(caio, permit, kind="suspension", on="2030-03-01")

        def page(query):
            return caio.get(f"/mesa/cadastro/autorizacoes/{permit}?{query}").text

        assert "Autorização suspensa" in page("em=2030-03-05")
        assert "Autorização suspensa" not in page("em=2030-02-28")
        assert "Autorização suspensa" not in page("em=2030-03-05&sabido_em=2030-03-05")
        assert "Aqui só se lê" in page("em=2030-03-05")

    def test_an_act_stands_beside_the_vehicle_that_held_the_place_that_day(self, caio, permit):
        post(caio, permit, kind="inspection_failed", on="2030-02-01", unit="2")
        post(caio, permit, "veiculos", leaves="2", plate="BRA7A77", on="2030-03-01")

        page = caio.get(f"/mesa/cadastro/autorizacoes/{permit}").text
        assert "Vistoria reprovada · BRA1A12" in page
        assert "Troca de veículo · BRA7A77" in page
        assert (
            "Troca de veículo · " not in caio.get(f"/mesa/cadastro/autorizacoes/{permit}?em=2030-02-10").text
        )

    def test_nothing_is_told_in_the_words_of_the_code(self, caio, permit):
        post(caio, permit, kind="inspection_failed", on="2030-02-01", unit="2")
        with unit_of_work() as session:
            act = register.read_permit(session, register.keeper_at(TOWN), permit, on=TODAY).acts[-1].id
        post(caio, permit, f"registros/{act}/retirada", reason="Engano")

        page = caio.get(f"/mesa/cadastro/autorizacoes/{permit}").text
        assert "Vistoria reprovada 01/02/2030 · Veículo 2: Engano" in page
        assert "situação em 01/02/2030" in caio.get("/mesa/cadastro/?em=2030-02-01").text

    @pytest.mark.parametrize("language", ["en", "es"])
    def test_it_speaks_three_languages(self, caio, permit, language):
        for path in ("", f"autorizacoes/{permit}", "arquivos/", "avisos"):
            assert f'lang="{language}"' in caio.get(f"/mesa/cadastro/{path}?lang={language}").text


class TestRecording:
    def test_the_next_look_up_follows(self, caio, permit):
        answer = post(
            caio, permit, kind="suspension", on="2030-03-10", until="", unit="", act_number="Portaria 7/2030"
        )

        assert answer.status_code == 303
        assert status() is Status.SUSPENDED
        page = caio.get(f"/mesa/cadastro/autorizacoes/{permit}").text
        for words in ("A consulta pública já segue", "Suspensão", "Portaria 7/2030", "Caio"):
            assert words in page

    def test_one_vehicle_alone(self, caio, permit):
        post(caio, permit, kind="inspection_failed", on="10/03/2030", unit="2")

        assert status("BRA1A12") is Status.BARRED

    @pytest.mark.parametrize(
        ("form", "words"),
        [
            ({"kind": "inspection_failed", "on": "2030-03-11"}, "ainda não chegou"),
            ({"kind": "suspension", "on": "31/02/2030"}, "“31/02/2030” não é uma data"),
            ({"kind": "suspension", "on": ""}, "Escreva a data"),
            ({"kind": "", "on": "2030-03-10"}, "Escolha o que aconteceu"),
            ({"kind": "revocation", "on": "2030-03-10", "act_number": "a pedido de Fulano"}, "número de um ato"),
            ({"kind": "revocation", "on": "2030-03-10", "unit": "9"}, "não está na autorização"),
            ({"kind": "revocation", "on": "2030-03-10", "unit": "x"}, "não é um número"),
        ],
    )  # fmt: skip
    def test_what_cannot_be_is_said_and_the_form_kept(self, caio, permit, form, words):
        answer = post(caio, permit, **{"act_number": "Portaria 9/2030"} | form)

        assert answer.status_code == 422
        assert words in answer.text
        assert (form.get("act_number") or "Portaria 9/2030") in answer.text
        assert status() is Status.AUTHORIZED

    def test_a_vehicle_is_changed(self, caio, permit):
        form = {"leaves": "2", "plate": "bra-7a77", "role": "", "on": "2030-03-10", "capacity": "24"}
        assert post(caio, permit, "veiculos", **form).status_code == 303

        assert status("BRA7A77") is Status.AUTHORIZED
        page = caio.get(f"/mesa/cadastro/autorizacoes/{permit}").text
        assert "BRA7A77" in page
        assert "saiu, valeu até 09/03/2030" in page

    def test_a_plate_that_is_none_is_said(self, caio, permit):
        answer = post(caio, permit, "veiculos", leaves="2", plate="XX-1", on="2030-03-10")

        assert answer.status_code == 422
        assert "“XX-1” não é uma placa" in answer.text

    def test_a_mistake_is_taken_back_with_a_reason(self, caio, permit):
        post(caio, permit, kind="revocation", on="2030-03-10")
        with unit_of_work() as session:
            act = register.read_permit(session, register.keeper_at(TOWN), permit, on=TODAY).acts[-1].id

        assert "Escreva o motivo" in post(caio, permit, f"registros/{act}/retirada", reason=" ").text
        assert status() is Status.REVOKED
        assert post(caio, permit, f"registros/{act}/retirada", reason="Engano").status_code == 303
        assert status() is Status.AUTHORIZED


class TestWhoMay:
    def test_an_ombudsman_reads_and_cannot_write(self, ana, permit):
        page = ana.get(f"/mesa/cadastro/autorizacoes/{permit}").text

        assert "2030/0001" in page
        assert "Registrar o que aconteceu" not in page
        assert post(ana, permit, kind="revocation", on="2030-03-10").status_code == 403
        assert status() is Status.AUTHORIZED

    def test_an_inspector_is_kept_out(self, sign_in, permit):
        davi = sign_in("davi")

        for path in ("", f"autorizacoes/{permit}", "arquivos/", "avisos"):
            assert davi.get(f"/mesa/cadastro/{path}").status_code == 403
        assert "/mesa/cadastro/" not in davi.get("/mesa/").text

    def test_another_towns_permit_is_not_there(self, sign_in, permit):
        bia = sign_in("bia")

        assert "2030/0001" not in bia.get("/mesa/cadastro/?q=BRA1A11").text
        assert bia.get(f"/mesa/cadastro/autorizacoes/{permit}").status_code == 404
        assert post(bia, permit, kind="revocation", on="2030-03-10").status_code in (403, 404)


class TestAlerts:
    def test_what_contradicts_the_law_is_told_with_its_article(self, caio, database):
        with unit_of_work(writes=True) as session:
            put_permit(
                session,
                number="2030/0002",
                year=2030,
                issued=date(2030, 1, 5),
                paper_valid_until=date(2031, 3, 31),
                max_speed_kmh=60,
            )
            put_permit(session, ELSEWHERE, number="7", year=2030, max_speed_kmh=90)

        page = caio.get("/mesa/cadastro/avisos").text

        for words in ("2030/0002", "31/03/2031", "31/12/2030", "art. 8", "60 km/h", "50 km/h", "art. 11"):
            assert words in page

    def test_nothing_to_tell_is_said(self, caio, permit):
        assert "Nenhum aviso" in caio.get("/mesa/cadastro/avisos").text
