import json
import re
from datetime import UTC, datetime

import pytest
from markupsafe import escape
from sqlalchemy import update

from portal import clock
from portal.domain.permits import Service
from portal.services.unit_of_work import unit_of_work
from portal.storage.itineraries import CalendarRow, ItineraryRow
from tests.factories.feeds import (
    FEED,
    ITINERARIOS,
    PARTIDAS,
    PLACES,
    bring_in,
    bring_in_orla,
    folder_of,
    zip_of,
)
from tests.factories.permits import put_permit

TOWN = "/caraguatatuba-sp"
FRAGMENT = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def noon(monkeypatch):
    """Twelve o'clock in Caraguatatuba, on a Monday."""
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 30, 15, tzinfo=UTC))


@pytest.fixture
def page(database, client, tmp_path):
    with unit_of_work(writes=True) as session:
        bring_in_orla(session, tmp_path / "orla")
        bring_in(session, "places", folder_of(tmp_path, {"lugares.csv": PLACES}) / "lugares.csv")
        put_permit(session, itinerary="orla", plate="BRA9Z99", trade_name="Trenzinho Inventado")

    def get(path, **headers):
        answer = client.get(path, headers=headers)
        return answer.status_code, answer.get_data(as_text=True)

    return get


class TestTheListOfItineraries:
    def test_says_the_status_of_today_and_the_next_departure(self, page):
        status, text = page(f"{TOWN}/itinerarios")

        assert status == 200
        assert "Trenzinho da Orla" in text
        assert "Itinerário autorizado" in text
        assert "Próxima saída: 12:00" in text

    @pytest.mark.parametrize("town", ["chapada-dos-guimaraes-mt", "sao-joao-da-boa-vista-sp"])
    def test_elsewhere_it_says_that_boarding_is_by_the_application(self, page, town):
        status, text = page(f"/{town}/itinerarios")

        assert status == 200
        assert "o embarque é só pelo aplicativo" in text

    def test_of_a_bill_it_says_so(self, page, tmp_path):
        with unit_of_work(writes=True) as session:
            feed = zip_of(tmp_path / "f.zip", FEED)
            bring_in(session, "gtfs", feed, municipality="santa-rita-pb", service=Service.TOURISM)

        assert "Roteiro de um projeto de lei" in page("/santa-rita-pb/itinerarios")[1]


class TestAnItinerary:
    def test_shows_ends_times_price_and_permit_but_no_plate(self, page):
        status, text = page(f"{TOWN}/itinerarios/orla")

        assert status == 200
        for said in (
            "Próxima saída às 12:00.",
            "R$ 25,00",
            "art. 4º",
            "vendido só no ponto de partida",
            "Trenzinho Inventado",
            "30 minutos",
            "<svg",
        ):
            assert said in text.replace("\xa0", " ")
        assert "BRA9Z99" not in text

    def test_leads_to_a_complaint_about_leaving_the_route(self, page):
        assert "/manifestacoes/nova?what=off_route" in page(f"{TOWN}/itinerarios/orla")[1]

    def test_in_english_by_its_english_name(self, page):
        assert "<h1>Seafront train</h1>" in page(f"{TOWN}/itinerarios/orla?lang=en")[1]

    def test_an_expired_timetable_carries_a_banner(self, page, tmp_path):
        with unit_of_work(writes=True) as session:
            bring_in_orla(
                session, tmp_path / "old", itinerarios=ITINERARIOS.replace("31/12/2026", "31/10/2026")
            )

        text = page(f"{TOWN}/itinerarios/orla")[1]
        assert "Estes horários valiam até 31/10/2026" in text
        assert "Últimos horários conhecidos" in text
        assert "Não há próxima saída conhecida." in text

    def test_none_today_says_when_the_next_is(self, page, tmp_path):
        with unit_of_work(writes=True) as session:
            bring_in_orla(session, tmp_path / "sab", partidas="itinerario;dias;horarios\norla;sab;10:00\n")

        assert (
            "Hoje não há saídas. A próxima é sábado, 05/12/2026, às 10:00."
            in page(f"{TOWN}/itinerarios/orla")[1]
        )

    @pytest.mark.parametrize("code", ["nada", "a/b", "%00", "x" * 300])
    def test_that_does_not_exist(self, page, code):
        assert page(f"{TOWN}/itinerarios/{code}")[0] == 404


class TestStops:
    def test_a_list_stands_without_map_or_script(self, page):
        status, text = page(f"{TOWN}/pontos")

        assert status == 200
        assert f'href="{TOWN}/pontos/matriz"' in text
        assert "Só passagem: aqui não se embarca" in text

    def test_one_shows_what_leaves_from_it(self, page):
        status, text = page(f"{TOWN}/pontos/matriz")

        assert status == 200
        assert "Próxima saída às 12:00." in text
        assert "geo:-23.62,-45.41" in text

    def test_beside_a_departure_without_permit_that_is_said(self, page, tmp_path):
        with unit_of_work(writes=True) as session:
            itineraries = ITINERARIOS + "curto;Trenzinho curto;;;matriz > mirante;;10,00;10;;\n"
            bring_in_orla(
                session,
                tmp_path / "two",
                itinerarios=itineraries,
                partidas=PARTIDAS + "curto;ida;seg;12:10\n",
            )

        _, text = page(f"{TOWN}/pontos/matriz?para=mirante")

        rows = re.findall("<tr><td>.*?</tr>", text, re.DOTALL)
        marked = [row for row in rows if "Sem autorização em vigor hoje" in row]
        assert len(marked) == 2, "in what leaves from here, and in what goes there"
        assert all("Trenzinho curto" in row for row in marked)
        assert not any("Trenzinho curto" in row for row in rows if row not in marked)

    def test_where_nobody_may_board_the_article_is_said(self, page):
        text = page(f"{TOWN}/pontos/praia")[1]

        assert "Só passagem: aqui não se embarca" in text
        assert "art. 4º" in text

    def test_that_does_not_exist(self, page):
        assert page(f"{TOWN}/pontos/nada")[0] == 404


class TestWhereTo:
    """The rides from a stop to another: the page for a browser, a block of it for htmx."""

    def test_asks_for_the_other_end_alone(self, page):
        _, text = page(f"{TOWN}/pontos/matriz")

        select = text.split('<select id="para"')[1].split("</select>")[0]
        assert select.count("<option") == 1
        assert 'value="mirante"' in select

    def test_says_when_it_leaves_and_when_it_arrives(self, page):
        status, text = page(f"{TOWN}/pontos/matriz?para=mirante")

        assert status == 200
        rides = text.split('id="rides"')[1].split("</table>")[0]
        assert "<td>12:00</td><td>~12:30</td>" in rides
        assert "De Praça da Matriz a Mirante do Camaroeiro" in rides
        assert "terça-feira, 01/12/2026" in rides

    def test_answers_htmx_with_the_rides_alone(self, page):
        _, text = page(f"{TOWN}/pontos/matriz?para=mirante", **FRAGMENT)

        assert "<html" not in text
        assert "<h1" not in text
        assert "12:30" in text

    @pytest.mark.parametrize("to", ["praia", "matriz", "nada", "%00", "<b>"])
    def test_where_nothing_goes_it_is_the_page_of_the_stop(self, page, to):
        status, text = page(f"{TOWN}/pontos/matriz?para={to}")

        assert status == 200
        assert "Chegada" not in text

    @pytest.mark.parametrize("to", ["Mirante do Camaroeiro", "nada", "<b>"])
    def test_of_what_is_no_stop_nothing_is_claimed(self, page, to):
        _, text = page(f"{TOWN}/pontos/matriz?para={to}")

        rides = text.split('id="rides"')[1]
        assert f"Não encontramos “{escape(to)}”" in rides
        assert "nenhum veículo" not in rides

    def test_that_the_vehicle_only_passes_has_its_article(self, page):
        _, text = page(f"{TOWN}/pontos/matriz?para=praia")

        rides = text.split('id="rides"')[1]
        assert "Daqui nenhum veículo leva até lá." in rides
        assert "art. 4º" in rides.split("</aside>")[0]

    @pytest.mark.parametrize(("stop", "to"), [("matriz", "praia"), ("praia", "mirante")])
    def test_in_json_too_a_stop_that_the_vehicle_only_passes_has_no_ride(self, client, page, stop, to):
        found = client.get(f"/api/v1{TOWN}/departures?stop={stop}&to={to}").get_json()

        assert (found["departures"], found["next_day"], found["last_today"]) == ([], None, None)
        assert found["barred_by"][0]["article"] == "art. 4º e art. 13, VII"
        assert found["sentence"].startswith("Entre estes dois pontos não há viagem")

    def test_is_not_asked_where_nobody_may_board(self, page):
        assert 'id="para"' not in page(f"{TOWN}/pontos/praia?para=mirante")[1]


def test_on_new_years_day_no_permit_of_last_year_is_in_force(page, monkeypatch):
    """Decreto 2.264/2025, art. 9: permits run with the calendar year. The day is the town's, not Greenwich's."""

    def status_at(*moment):
        monkeypatch.setattr(clock, "now", lambda: datetime(*moment, tzinfo=UTC))
        return page(f"{TOWN}/itinerarios/orla")[1]

    assert "Itinerário autorizado" in status_at(2027, 1, 1, 2, 59)
    first = status_at(2027, 1, 1, 3, 0)
    assert "Sem autorização em vigor hoje" in first
    assert "Itinerário autorizado" not in first
    assert "Estes horários valiam até 31/12/2026" in first
    stop = page(f"{TOWN}/pontos/matriz")[1]
    assert "Sem autorização em vigor hoje" in stop
    assert "Estes horários valiam até 31/12/2026" in stop


class TestNearMe:
    def test_by_the_devices_position(self, page):
        text = page(f"{TOWN}/pontos?lat=-23.6210&lon=-45.4100")[1]

        assert "110 m ao norte, 2 minutos a pé" in text

    def test_what_leaves_next_without_permit_is_marked(self, page, monkeypatch):
        place = f"{TOWN}/pontos?lat=-23.6210&lon=-45.4110"
        assert "Sem autorização" not in page(place)[1]
        monkeypatch.setattr(clock, "now", lambda: datetime(2027, 1, 1, 15, tzinfo=UTC))
        with unit_of_work(writes=True) as session:
            session.execute(update(CalendarRow).values(ends=None))
            session.execute(update(ItineraryRow).values(valid_until=None))
        assert "Sem autorização em vigor hoje" in page(place)[1]

    def test_by_a_neighbourhood_as_page_and_as_fragment(self, page):
        status, text = page(f"{TOWN}/pontos?perto=massaguacu")
        assert status == 200
        assert "Perto de Massaguaçu" in text

        _, fragment = page(f"{TOWN}/pontos?perto=massaguacu", **FRAGMENT)
        assert "Perto de Massaguaçu" in fragment
        assert "<html" not in fragment

    @pytest.mark.parametrize("typed", ["praca da matriz", "PRAÇA DA MATRIZ", "pça matriz", "matriz"])
    def test_a_point_by_its_name(self, page, typed):
        text = page(f"{TOWN}/pontos?perto={typed}")[1]

        assert re.search(r"Encontrado.*Praça da Matriz", text, re.DOTALL)

    def test_what_is_not_there_leads_to_the_list_and_to_the_position(self, page):
        status, text = page(f"{TOWN}/pontos?perto=xyz")

        assert status == 200
        assert "Não encontramos “xyz”" in text
        assert "Usar a minha posição" in text
        assert f'href="{TOWN}/pontos/matriz"' in text

    def test_a_position_pasted_from_a_map_is_read_in_the_box_of_words(self, page):
        text = page(f"{TOWN}/pontos?perto=-23.6210,+-45.4100")[1]

        assert "110 m ao norte, 2 minutos a pé" in text
        assert "Mais perto de você" in text

    @pytest.mark.parametrize(
        "query", ["lat=x&lon=-45", "lat=-23", "lat=0&lon=0", "lat=1e9&lon=2", "lat=-23,6;&lon=-45,4"]
    )
    def test_a_position_that_is_none_is_told_and_the_list_stays(self, page, query):
        status, text = page(f"{TOWN}/pontos?{query}")

        assert status == 422
        assert "Não entendemos essa posição" in text
        assert f'href="{TOWN}/pontos/matriz"' in text

    def test_what_was_typed_comes_back_escaped(self, page):
        assert "<script>alert" not in page(f"{TOWN}/pontos?perto=<script>alert(1)</script>")[1]


class TestJson:
    def test_itineraries(self, page):
        body = json.loads(page(f"/api/v1{TOWN}/itineraries")[1])

        [orla] = body["itineraries"]
        assert (orla["code"], orla["status"], orla["fare"]) == ("orla", "authorized", "25.00")
        assert orla["next_departure"]["at"] == "2026-11-30T12:00:00-03:00"
        assert body["services"][0]["boarding"] == "only_at_ends"

    def test_nearest_stops(self, page):
        body = json.loads(page(f"/api/v1{TOWN}/stops?lat=-23.6210&lon=-45.4100")[1])

        assert [stop["code"] for stop in body["stops"]] == ["matriz", "mirante"]
        assert body["stops"][0]["metres"] == 111
        assert body["stops"][0]["itineraries"] == [{"code": "orla", "status": "authorized"}]

    def test_stops_by_name_and_the_whole_list(self, page):
        assert json.loads(page(f"/api/v1{TOWN}/stops?near=matriz")[1])["matches"][0]["code"] == "matriz"
        assert json.loads(page(f"/api/v1{TOWN}/stops")[1])["total"] == 3

    def test_errors_are_words_and_a_code(self, page):
        status, text = page(f"/api/v1{TOWN}/stops?lat=x&lon=y")

        assert status == 422
        assert json.loads(text)["error"]["code"] == "unreadable_position"
        assert page("/api/v1/nenhures-sp/itineraries")[0] == 404


def test_times_past_midnight_name_their_day(page, tmp_path, monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 12, 1, 2, 30, tzinfo=UTC))

    assert PARTIDAS.count("24:15") == 1
    text = page(f"{TOWN}/itinerarios/orla")[1]
    assert "Próxima saída às 00:15 de 01/12/2026." in text
    assert "Última saída de hoje: 00:15, já em 01/12/2026." in text


class TestFilters:
    @pytest.mark.parametrize(
        ("query", "shown"),
        [
            ("", True),
            ("service=recreativo", True),
            ("service=aplicativo", False),
            ("running=1", True),
            ("accessible=1", False),
            ("service=nada&running=talvez", True),
        ],
    )
    def test_of_the_itineraries(self, page, query, shown):
        status, text = page(f"{TOWN}/itinerarios?{query}")

        assert status == 200
        assert ("Trenzinho da Orla" in text) is shown
        assert ("Tire um filtro" in text) is not shown

    @pytest.mark.parametrize(
        ("query", "names"),
        [
            ("", ["Praça da Matriz", "Mirante do Camaroeiro"]),
            ("accessible=1", ["Praça da Matriz"]),
            ("running=1", ["Praça da Matriz"]),
            ("service=recreativo", ["Praça da Matriz", "Mirante do Camaroeiro"]),
            ("service=turismo", []),
        ],
    )
    def test_of_what_is_near(self, client, page, query, names):
        told = client.get(f"/api/v1{TOWN}/stops?lat=-23.62&lon=-45.41&{query}").get_json()

        assert [stop["name"] for stop in told["stops"]] == names

    def test_stay_chosen_and_say_when_they_leave_nothing(self, page):
        _, text = page(f"{TOWN}/pontos?lat=-23.62&lon=-45.41&service=aplicativo")

        assert '<option value="aplicativo" selected>' in text
        assert "Nada assim por perto. Tire um filtro" in text

    def test_an_hour_later_nothing_runs(self, client, page, monkeypatch):
        monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 30, 16, tzinfo=UTC))
        told = client.get(f"/api/v1{TOWN}/stops?lat=-23.62&lon=-45.41&running=1").get_json()

        assert told["stops"] == []
