"""The desk's pages for working a complaint: filters, conflicts, forwarding, what comes by telephone, figures."""

import csv
from datetime import date, timedelta
from io import StringIO
from typing import ClassVar

import pytest

from portal.services.unit_of_work import unit_of_work
from portal.storage.casework import UnitRequestRow
from portal.storage.complaints import ComplaintMessageRow, ComplaintRow
from tests.factories.complaints import put_complaint
from tests.portal.desk.conftest import ELSEWHERE, NOW, TOWN

HTMX = {"HX-Request": "true"}


@pytest.fixture
def file(database):
    def put(**told) -> str:
        with unit_of_work(writes=True) as session:
            return put_complaint(session, **told).protocol

    return put


def row_of(protocol):
    with unit_of_work() as session:
        return session.query(ComplaintRow).filter_by(protocol=protocol).one()


def seen_in(page):
    return page.text.split('name="seen" value="')[1].split('"')[0]


class TestTheInbox:
    def test_filters_and_search_are_an_address(self, ana, file):
        noise = file(category="noise", story="Não parou na Praça São João.")
        other = file(category="overcrowding")

        for query in ("assunto=noise", "busca=praca+sao+joao", f"busca={noise}", "busca=PRACA&tipo=denuncia"):
            page = ana.get(f"/mesa/?{query}")
            assert noise in page.text
            assert other not in page.text

    def test_the_fragment_is_the_list_with_its_filters(self, ana, file):
        file(category="noise")

        answer = ana.get("/mesa/?assunto=noise&mostrar=all", headers=HTMX)

        assert "<html" not in answer.text
        assert 'value="noise" selected' in answer.text

    def test_what_is_near_its_end_is_said_on_top(self, ana, file):
        protocol = file(due_on=date(2030, 3, 15))
        file(due_on=date(2030, 3, 16))

        page = ana.get("/mesa/").text

        assert "1 prazo perto do fim" in page
        assert page.index(protocol) < page.index('class="tabs"')

    @pytest.mark.parametrize(
        "query", ["situacao=x&assunto=%00&tipo=y", "busca=%F0%9F%9A%82", "busca=" + "a" * 900]
    )
    def test_an_odd_address_is_no_matter(self, ana, file, query):
        file()

        assert ana.get(f"/mesa/?{query}").status_code == 200


class TestReading:
    def test_the_law_of_the_day_and_what_looks_alike_are_shown(self, ana, file):
        other = file(plate_key="BRA2419", category="noise")
        protocol = file(plate_key="BRA2419", category="noise", service="recreativo")

        page = ana.get(f"/mesa/manifestacoes/{protocol}").text

        for words in ("I-06", "Multa de 60 VRM", "dia do fato", other, "mesmo veículo"):
            assert words in page

    def test_long_words_and_other_scripts_stay_what_they_are(self, ana, file):
        protocol = file(
            story="السائق BRA2E19 " + "x" * 600, facts={"where": {"kind": "typed", "text": "y" * 300}}
        )

        page = ana.get(f"/mesa/manifestacoes/{protocol}").text

        assert '<blockquote class="said" dir="auto"' in page
        assert "السائق BRA2E19" in page

    def test_the_rule_and_calendar_of_the_due_date_are_said(self, ana, file):
        page = ana.get(f"/mesa/manifestacoes/{file()}").text

        for words in ("31/03/2030", "art. 16", "Prazo contado em dias corridos"):
            assert words in page
        assert "Ficou parado" not in page
        assert "Ficou parado por 4 dias" in ana.get(f"/mesa/manifestacoes/{file(paused_days=4)}").text


class TestTwoPeople:
    def test_the_second_is_told_what_changed_and_keeps_their_text(self, ana, sign_in, file):
        protocol = file()
        address = f"/mesa/manifestacoes/{protocol}"
        before = seen_in(ana.get(address))
        rui = sign_in("rui")
        rui.post(f"{address}/pergunta", data={"text": "Em que ponto?", "seen": seen_in(rui.get(address))})

        answer = ana.post(f"{address}/resposta", data={"text": "Apuramos tudo.", "seen": before})

        assert answer.status_code == 409
        for words in ("O que mudou enquanto você escrevia", "Rui", "Em que ponto?", "Apuramos tudo."):
            assert words in answer.text
        assert row_of(protocol).status == "awaiting_citizen"

        again = ana.post(f"{address}/resposta", data={"text": "Apuramos tudo.", "seen": seen_in(answer)})
        assert again.status_code == 303
        assert row_of(protocol).status == "answered"

    def test_adding_a_ready_sentence_does_not_hide_what_changed(self, ana, sign_in, file):
        protocol = file()
        address = f"/mesa/manifestacoes/{protocol}"
        before = seen_in(ana.get(address))
        sign_in("rui").post(f"{address}/pergunta", data={"text": "Em que ponto?"})

        filled = ana.post(
            f"{address}/resposta",
            data={"text": "", "outcome": "praise", "insert": "yes", "seen": before},
            headers=HTMX,
        )

        assert seen_in(filled) == before

    def test_ones_own_second_press_changes_nothing(self, ana, file):
        protocol = file()
        address = f"/mesa/manifestacoes/{protocol}"
        sent = {"text": "Em que ponto?", "seen": seen_in(ana.get(address))}

        for _ in range(2):
            assert ana.post(f"{address}/pergunta", data=sent).status_code == 303
        with unit_of_work() as session:
            assert session.query(ComplaintMessageRow).count() == 1

    def test_an_outcome_is_kept_for_the_figures(self, ana, file):
        protocol = file()

        ana.post(
            f"/mesa/manifestacoes/{protocol}/resposta", data={"text": "Multamos.", "outcome": "confirmed"}
        )

        assert row_of(protocol).outcome == "confirmed"


class TestSteps:
    def test_dismissing_asks_for_a_ground(self, ana, file):
        protocol = file()
        address = f"/mesa/manifestacoes/{protocol}/arquivamento"

        refused = ana.post(address, data={"text": "É sobre o mar."})
        assert refused.status_code == 422
        assert "É sobre o mar." in refused.text

        assert ana.post(address, data={"text": "É o mar.", "ground": "object_gone"}).status_code == 303
        assert row_of(protocol).status == "dismissed"

    def test_merging_by_protocol_in_any_spelling(self, ana, file):
        one, other = file(), file()

        answer = ana.post(
            f"/mesa/manifestacoes/{one}/reuniao",
            data={"into": "", "into_other": other.lower().replace("-", " "), "text": "Mesmo fato."},
        )

        assert answer.status_code == 303
        page = ana.get(f"/mesa/manifestacoes/{one}").text
        assert other in page
        assert one in ana.get(f"/mesa/manifestacoes/{other}").text

    def test_standing_back_hands_it_over(self, ana, sign_in, file):
        protocol = file()
        rui = sign_in("rui")
        page = ana.get(f"/mesa/manifestacoes/{protocol}").text
        number = page.split('name="colleague">')[1].split('<option value="')[2].split('"')[0]

        ana.post(
            f"/mesa/manifestacoes/{protocol}/impedimento", data={"colleague": number, "text": "É meu irmão."}
        )

        assert "Você se declarou impedido" in ana.get(f"/mesa/manifestacoes/{protocol}").text
        assert protocol in rui.get("/mesa/?mostrar=mine").text
        refused = ana.post(f"/mesa/manifestacoes/{protocol}/resposta", data={"text": "Oi."})
        assert refused.status_code == 403

    def test_an_address_of_no_step(self, ana, file):
        assert ana.post(f"/mesa/manifestacoes/{file()}/nada").status_code == 404


class TestForwarding:
    @pytest.fixture
    def told(self, file):
        return file(
            category="noise",
            service="recreativo",
            story="Meu telefone é 12 99999-9999. O carro BRA2E19 e o ABC1D23.",
        )

    def test_the_form_names_the_competent_unit_and_shows_the_masked_copy(self, ana, told):
        page = ana.get(f"/mesa/manifestacoes/{told}/encaminhamento").text

        assert "Competente" in page
        assert "art. 24" in page
        assert "99999" not in page
        assert "BRA2E19" in page

    def test_without_a_rule_it_says_so_and_still_goes(self, ana, sign_in, file):
        protocol = file(facts={"when": {"kind": "at", "date": "2001-01-01", "time": None}})
        address = f"/mesa/manifestacoes/{protocol}/encaminhamento"

        assert "fica com a ouvidoria" in ana.get(address).text
        assert ana.post(address, data={"text": "Procon"}).status_code == 303
        assert "Procon" in ana.get(f"/mesa/manifestacoes/{protocol}").text

    def test_the_letter_is_a_pdf_without_who_wrote(self, ana, told):
        ana.post(
            f"/mesa/manifestacoes/{told}/encaminhamento",
            data={"unit": "SESMOB", "copy": "De maria@example.org"},
        )
        with unit_of_work() as session:
            asked = session.query(UnitRequestRow).one()
            number = asked.id
            assert "example" not in asked.copy

        answer = ana.get(f"/mesa/manifestacoes/{told}/encaminhamentos/{number}/carta.pdf")

        assert answer.data.startswith(b"%PDF-")
        assert answer.headers["Content-Type"] == "application/pdf"
        assert "attachment" in answer.headers["Content-Disposition"]

    def test_everything_a_person_wrote_fits_into_the_copy(self, ana, file):
        protocol = file(story="Lotado. " * 499)
        with unit_of_work(writes=True) as session:
            case = session.query(ComplaintRow).filter_by(protocol=protocol).one()
            session.add_all(
                ComplaintMessageRow(complaint_id=case.id, at=NOW, sender="citizen", text="Mais um. " * 440)
                for _ in range(5)
            )
        address = f"/mesa/manifestacoes/{protocol}/encaminhamento"

        assert ana.post(address, data={"unit": "SESMOB"}).status_code == 303
        with unit_of_work() as session:
            assert session.query(UnitRequestRow).one().copy.count("Mais um.") == 2200

    @pytest.mark.parametrize(
        ("said", "field"),
        [
            ({"unit": ""}, "forward-other"),
            ({"unit": "SESMOB", "copy": "x" * 100_001}, "copy"),
            ({"unit": "SESMOB", "question": "x" * 1001}, "question"),
        ],
    )
    def test_what_is_wrong_is_said_at_its_field(self, ana, told, said, field):
        page = ana.post(f"/mesa/manifestacoes/{told}/encaminhamento", data=said)

        assert page.status_code == 422
        assert f'href="#{field}"' in page.text
        assert f'id="{field}-error"' in page.text

    def test_another_towns_letter_does_not_exist(self, ana, sign_in, told):
        ana.post(f"/mesa/manifestacoes/{told}/encaminhamento", data={"unit": "SESMOB"})

        bia = sign_in("bia")
        assert bia.get(f"/mesa/manifestacoes/{told}/encaminhamentos/1/carta.pdf").status_code == 404
        assert bia.get(f"/mesa/manifestacoes/{told}/encaminhamento").status_code == 404

    def test_a_conflict_keeps_what_was_written(self, ana, sign_in, told):
        address = f"/mesa/manifestacoes/{told}"
        before = seen_in(ana.get(f"{address}/encaminhamento"))
        sign_in("rui").post(f"{address}/pergunta", data={"text": "Onde?"})

        answer = ana.post(
            f"{address}/encaminhamento", data={"unit": "SESMOB", "copy": "Minha cópia.", "seen": before}
        )

        assert answer.status_code == 409
        for words in ("Minha cópia.", "O que mudou", "Onde?"):
            assert words in answer.text

    def test_the_units_reply_and_its_longer_time(self, ana, told):
        ana.post(f"/mesa/manifestacoes/{told}/encaminhamento", data={"unit": "SESMOB"})
        with unit_of_work() as session:
            number = session.query(UnitRequestRow).one().id
        address = f"/mesa/manifestacoes/{told}"

        longer = ana.post(f"{address}/prazo-do-orgao", data={"request": number, "text": "Vistoria."})
        replied = ana.post(
            f"{address}/resposta-do-orgao", data={"request": number, "text": "Fomos ao local."}
        )

        assert (longer.status_code, replied.status_code) == (303, 303)
        assert "Fomos ao local." in ana.get(address).text
        assert ana.post(f"{address}/resposta-do-orgao", data={"request": "x", "text": "y"}).status_code == 404


@pytest.mark.usefixtures("keys")
class TestTheCounter:
    SAID: ClassVar = {
        "channel": "phone",
        "language": "es",
        "what.option": "overcrowding",
        "vehicle.text": "BRA2E19",
    }

    def test_it_ends_in_a_receipt_in_the_persons_language(self, ana):
        answer = ana.post("/mesa/atendimento/", data=self.SAID)
        assert answer.status_code == 303

        receipt = ana.get(answer.location)
        with unit_of_work() as session:
            row = session.query(ComplaintRow).one()
        assert (row.channel, row.language) == ("phone", "es")
        assert row.protocol in receipt.text
        assert 'lang="es"' in receipt.text
        assert receipt.text.count("<li>") >= 6  # the words of the key
        assert ana.get("/mesa/atendimento/recibo.pdf").data.startswith(b"%PDF-")

    def test_once_it_was_handed_over_the_key_is_gone(self, ana):
        ana.post("/mesa/atendimento/", data=self.SAID)

        assert ana.post("/mesa/atendimento/recibo").status_code == 303
        assert ana.get("/mesa/atendimento/recibo").status_code == 410

    def test_what_is_wrong_comes_back_with_everything_written(self, ana):
        answer = ana.post(
            "/mesa/atendimento/",
            data={**self.SAID, "what.option": "", "when.date": "2031-01-01", "story.text": "Lotado demais."},
        )

        assert answer.status_code == 422
        for words in ("Escolha o que aconteceu", "ainda não chegou", "Lotado demais.", "BRA2E19"):
            assert words in answer.text
        with unit_of_work() as session:
            assert session.query(ComplaintRow).count() == 0

    def test_who_may_not_route_takes_none(self, sign_in):
        davi = sign_in("davi")

        assert davi.get("/mesa/atendimento/").status_code == 403
        assert davi.post("/mesa/atendimento/", data=self.SAID).status_code == 403
        assert "/mesa/atendimento/" not in davi.get("/mesa/").text


def cells(answer):
    return list(csv.reader(StringIO(answer.data.decode("utf-8-sig"), newline=""), delimiter=";"))


class TestFigures:
    @pytest.mark.parametrize("login", ["ana", "eva"])
    def test_ombudsman_and_auditor_read_them(self, sign_in, file, login):
        file()
        browser = sign_in(login)

        for path in ("/mesa/estatisticas", "/mesa/estatisticas.csv", "/mesa/relatorio/2030"):
            assert browser.get(path).status_code == 200
        assert "Dados insuficientes" in browser.get("/mesa/estatisticas").text

    def test_the_spreadsheet_of_complaints_runs_nothing(self, ana, file):
        file(
            story='=HYPERLINK("http://x","clique")',
            facts={"vehicle": {"kind": "typed", "text": "+55 12 99999-9999"}},
        )
        file(story="Lotação; gente\nem pé 🚂", facts={"where": {"kind": "typed", "text": "@SUM(A1)"}})
        file(story="-1", facts={"where": {"kind": "typed", "text": "\tx"}})

        answer = ana.get("/mesa/manifestacoes.csv?ano=2030")

        assert answer.data.startswith(b"\xef\xbb\xbf")
        told = cells(answer)
        assert len(told) == 4
        assert not any(cell.startswith(("=", "+", "-", "@", "\t")) for row in told for cell in row)
        assert "'+55 12 99999-9999" in {cell for row in told for cell in row}
        assert "Lotação; gente\nem pé 🚂" in {cell for row in told for cell in row}

    def test_only_the_ombudsman_takes_the_accounts_along(self, sign_in, file):
        file()

        for login in ("caio", "davi"):
            browser = sign_in(login)
            for path in ("/mesa/manifestacoes.csv", "/mesa/estatisticas"):
                assert browser.get(path).status_code == 403
        eva = sign_in("eva")
        assert eva.get("/mesa/manifestacoes.csv").status_code == 403
        assert "manifestacoes.csv" not in eva.get("/mesa/estatisticas").text

    def test_an_odd_year_is_this_one(self, ana):
        for year in ("x", "1800", "99999999"):
            assert ana.get(f"/mesa/estatisticas?ano={year}").status_code == 200


class TestTheReport:
    WORDS: ClassVar = {"recurring": "Lotação.", "measures": "Fiscalização.", "improvements": "Mais veículos."}

    @pytest.fixture
    def of_last_year(self, file):
        for _ in range(6):
            file(category="noise", filed_at=NOW - timedelta(days=200))
        file(category="praise", filed_at=NOW - timedelta(days=200))

    def test_it_is_written_published_and_read_by_everybody(self, client, ana, of_last_year):
        kept = ana.post("/mesa/relatorio/2029", data=self.WORDS)
        assert kept.status_code == 303
        assert client.get(f"/{TOWN}/ouvidoria/relatorios/2029").status_code == 404

        published = ana.post("/mesa/relatorio/2029", data={**self.WORDS, "publish": "yes"})
        assert published.status_code == 303
        assert "Ver a página pública" in ana.get("/mesa/relatorio/2029").text

        listed = client.get(f"/{TOWN}/ouvidoria/relatorios")
        assert "2029" in listed.text
        page = client.get(f"/{TOWN}/ouvidoria/relatorios/2029").text
        for words in ("Fiscalização.", "Outros, somados", "7 manifestações recebidas"):
            assert words in page
        assert client.get(f"/{TOWN}/ouvidoria/relatorios/2029.pdf").data.startswith(b"%PDF-")
        table = cells(client.get(f"/{TOWN}/ouvidoria/relatorios/2029.csv"))
        assert ["Motivos", "Outros, somados", "7", "0", "", ""] in table
        assert client.get(f"/{ELSEWHERE}/ouvidoria/relatorios/2029").status_code == 404

    def test_what_is_missing_is_said_and_what_is_written_stays(self, ana, of_last_year):
        answer = ana.post("/mesa/relatorio/2029", data={"measures": "Só isto.", "publish": "yes"})

        assert answer.status_code == 409
        assert "Só isto." in answer.text

    def test_an_auditor_only_reads(self, sign_in):
        eva = sign_in("eva")

        assert "<textarea" not in eva.get("/mesa/relatorio/2029").text
        assert eva.post("/mesa/relatorio/2029", data=self.WORDS).status_code == 403


class TestTwoPeopleAtOnce:
    def test_opening_the_page_tells_a_colleague(self, ana, sign_in, file):
        protocol = file()
        rui, address = sign_in("rui"), f"/mesa/manifestacoes/{protocol}"
        assert "Ana abriu" not in rui.get(address).text

        assert ana.post(f"{address}/presenca").status_code == 204

        assert "Ana abriu esta manifestação há 1 min." in rui.get(address).text
        assert "Ana abriu" not in ana.get(address).text

    def test_a_step_tells_a_colleague_who_opens_it_next(self, ana, sign_in, file):
        protocol = file()
        rui, address = sign_in("rui"), f"/mesa/manifestacoes/{protocol}"

        ana.post(f"{address}/analise")

        assert "Ana alterou esta manifestação há 1 min." in rui.get(address).text

    def test_who_can_take_no_step_is_told_nothing_and_tells_nobody(self, ana, sign_in, file):
        protocol = file()
        davi, address = sign_in("davi"), f"/mesa/manifestacoes/{protocol}"
        ana.post(f"{address}/analise")

        assert davi.post(f"{address}/presenca").status_code == 403
        assert "alterou" not in davi.get(address).text
        assert "presenca" not in davi.get(address).text

    def test_who_is_alone_at_the_desk_is_offered_nobody_to_pass_it_to(self, ana, sign_in, file):
        address = f"/mesa/manifestacoes/{file()}"
        alone = ana.get(address).text
        sign_in("rui")

        assert "Não há outra pessoa na mesa" in alone
        assert "Passar a outra pessoa" not in alone
        assert "Passar a outra pessoa" in ana.get(address).text
