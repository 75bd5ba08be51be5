from datetime import UTC, datetime

import pytest
from icalendar import Calendar

from portal import clock
from portal.services.unit_of_work import unit_of_work
from tests.factories.feeds import ITINERARIOS, bring_in_orla
from tests.factories.permits import put_permit

TOWN = "/caraguatatuba-sp"


@pytest.fixture(autouse=True)
def noon(monkeypatch):
    """Twelve o'clock in Caraguatatuba, on a Monday."""
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 30, 15, tzinfo=UTC))


@pytest.fixture
def get(database, client, tmp_path):
    with unit_of_work(writes=True) as session:
        bring_in_orla(session, tmp_path / "orla")
        put_permit(session, itinerary="orla", plate="BRA9Z99")
    return client.get


def event_of(answer):
    assert answer.status_code == 200
    assert answer.mimetype == "text/calendar"
    return Calendar.from_ical(answer.data).walk("VEVENT")[0]


class TestADepartureForTheCalendar:
    def test_begins_as_the_vehicle_leaves_and_ends_with_the_tour(self, get):
        event = event_of(get(f"{TOWN}/pontos/matriz/saida.ics?itinerario=orla&em=2026-11-30T12:00"))

        assert event.decoded("dtstart") == datetime(2026, 11, 30, 15, tzinfo=UTC)
        assert event.decoded("dtend") == datetime(2026, 11, 30, 15, 30, tzinfo=UTC)
        assert str(event["summary"]) == "Trenzinho da Orla"
        assert str(event["location"]) == "Praça da Matriz, Caraguatatuba"
        assert event["geo"].to_ical() == "-23.62;-45.41"
        assert str(event["url"]).endswith(f"{TOWN}/itinerarios/orla")

    def test_of_a_service_past_midnight_it_is_on_the_next_day(self, get):
        event = event_of(get(f"{TOWN}/pontos/matriz/saida.ics?itinerario=orla&em=2026-12-01T00:15"))

        assert event.decoded("dtstart") == datetime(2026, 12, 1, 3, 15, tzinfo=UTC)

    def test_a_tour_of_unknown_duration_has_no_end(self, database, client, tmp_path):
        with unit_of_work(writes=True) as session:
            bring_in_orla(session, tmp_path / "orla", itinerarios=ITINERARIOS.replace(";30;01/01", ";;01/01"))
        event = event_of(client.get(f"{TOWN}/pontos/matriz/saida.ics?itinerario=orla&em=2026-11-30T12:00"))

        assert "dtend" not in event

    def test_whatever_a_name_holds_it_is_one_name(self, database, client, tmp_path):
        odd = '"Orla; sol, mar \\\\n e ""sal""\r\nATTENDEE:mailto:a@example.org"'
        with unit_of_work(writes=True) as session:
            bring_in_orla(
                session, tmp_path / "orla", itinerarios=ITINERARIOS.replace("Trenzinho da Orla", odd)
            )
        event = event_of(client.get(f"{TOWN}/pontos/matriz/saida.ics?itinerario=orla&em=2026-11-30T12:00"))

        assert str(event["summary"]) == r'Orla; sol, mar \\n e "sal" ATTENDEE:mailto:a@example.org'
        assert "attendee" not in event

    def test_speaks_the_language_asked_for(self, get):
        event = event_of(get(f"{TOWN}/pontos/matriz/saida.ics?itinerario=orla&em=2026-11-30T12:00&lang=en"))

        assert str(event["summary"]) == "Seafront train"

    def test_taken_along_twice_it_is_the_same_event(self, get):
        address = f"{TOWN}/pontos/matriz/saida.ics?itinerario=orla&em=2026-11-30T12:00"

        assert event_of(get(address))["uid"] == event_of(get(address))["uid"]

    @pytest.mark.parametrize(
        "address",
        [
            "matriz/saida.ics?itinerario=orla&em=2026-11-30T12:01",
            "matriz/saida.ics?itinerario=nada&em=2026-11-30T12:00",
            "praia/saida.ics?itinerario=orla&em=2026-11-30T12:00",
            "matriz/saida.ics?itinerario=orla&em=amanhã",
            "matriz/saida.ics?itinerario=orla&em=9999-12-31T12:00",
            "matriz/saida.ics?itinerario=orla&em=0001-01-01T12:00",
            "matriz/saida.ics",
            "nada/saida.ics?itinerario=orla&em=2026-11-30T12:00",
        ],
    )
    def test_what_no_timetable_promises_is_not_found(self, get, address):
        assert get(f"{TOWN}/pontos/{address}").status_code == 404

    def test_the_page_of_a_stop_offers_its_next_departures(self, get):
        text = get(f"{TOWN}/pontos/matriz").get_data(as_text=True)

        assert f"{TOWN}/pontos/matriz/saida.ics?itinerario=orla&amp;em=2026-11-30T12:00" in text

    def test_the_page_of_an_itinerary_offers_the_next_one(self, get):
        text = get(f"{TOWN}/itinerarios/orla").get_data(as_text=True)

        assert "/pontos/matriz/saida.ics?itinerario=orla&amp;em=2026-11-30T12:00" in text


class TestTheSign:
    def test_shows_the_week_the_code_and_whom_to_tell(self, get):
        answer = get(f"{TOWN}/pontos/matriz/placa")
        text = answer.get_data(as_text=True)

        assert answer.status_code == 200
        for said in ("Praça da Matriz", "Trenzinho da Orla", "10:00", "15:00", "<svg", "Avise a ouvidoria"):
            assert said in text
        assert f"http://127.0.0.1:8000{TOWN}/pontos/matriz" in text

    def test_has_no_plate(self, get):
        assert "BRA9Z99" not in get(f"{TOWN}/pontos/matriz/placa").get_data(as_text=True)

    def test_leaves_out_what_no_permit_in_force_names(self, database, client, tmp_path):
        with unit_of_work(writes=True) as session:
            bring_in_orla(session, tmp_path / "orla")
        text = client.get(f"{TOWN}/pontos/matriz/placa").get_data(as_text=True)

        assert "Trenzinho da Orla" not in text
        assert "Hoje nenhum itinerário que sai daqui tem autorização em vigor" in text
        assert 'class="sign"' not in text, "nobody prints an empty sheet"

    def test_leaves_out_what_does_not_run_in_its_week(self, database, client, tmp_path):
        with unit_of_work(writes=True) as session:
            departures = "itinerario;sentido;dias;horarios\norla;ida;feriados;10:00\n"
            bring_in_orla(session, tmp_path / "orla", partidas=departures)
            put_permit(session, itinerary="orla", plate="BRA9Z99")
        text = client.get(f"{TOWN}/pontos/matriz/placa").get_data(as_text=True)

        assert "Sem saídas" not in text
        assert "Nada sai daqui nos próximos sete dias." in text

    def test_of_a_stop_where_nobody_may_board_shows_no_departure(self, get):
        text = get(f"{TOWN}/pontos/praia/placa").get_data(as_text=True)

        assert "10:00" not in text
        assert "Só passagem: aqui não se embarca" in text
        assert "data-print" not in text

    def test_of_a_timetable_that_is_over_says_so(self, get, monkeypatch):
        monkeypatch.setattr(clock, "now", lambda: datetime(2027, 3, 1, 15, tzinfo=UTC))
        with unit_of_work(writes=True) as session:
            put_permit(session, itinerary="orla", plate="BRA8Z88", year=2027)
        text = get(f"{TOWN}/pontos/matriz/placa").get_data(as_text=True)

        assert "Estes horários valiam até 31/12/2026" in text


class TestTheMap:
    def test_of_an_itinerary_has_its_lines_and_its_stops_once_each(self, get):
        found = get(f"{TOWN}/itinerarios/orla/mapa.json").get_json()
        points = [one for one in found["features"] if one["geometry"]["type"] == "Point"]
        lines = [one for one in found["features"] if one["geometry"]["type"] == "LineString"]

        assert [(one["properties"]["name"], one["properties"]["main"]) for one in points] == [
            ("Praça da Matriz", True),
            ("Avenida da Praia", False),
            ("Mirante do Camaroeiro", True),
        ]
        assert len(lines) == 2
        assert lines[0]["geometry"]["coordinates"][0] == [-45.41, -23.62]

    def test_of_a_stop_has_it_and_its_neighbours(self, get):
        found = get(f"{TOWN}/pontos/matriz/mapa.json").get_json()

        assert [one["properties"]["name"] for one in found["features"]] == [
            "Praça da Matriz",
            "Mirante do Camaroeiro",
        ]
        assert found["features"][0]["properties"]["address"] == f"{TOWN}/pontos/matriz"

    def test_of_nothing_is_not_found(self, get):
        assert get(f"{TOWN}/pontos/nada/mapa.json").status_code == 404


class TestAForwardedLink:
    @pytest.mark.parametrize(
        ("path", "title", "said"),
        [
            ("pontos/matriz", "Praça da Matriz – Caraguatatuba", "Ao lado da igreja"),
            ("itinerarios/orla", "Trenzinho da Orla – Caraguatatuba", "De Praça da Matriz"),
        ],
    )
    def test_shows_the_place(self, get, path, title, said):
        text = get(f"{TOWN}/{path}").get_data(as_text=True)

        assert f'<meta property="og:title" content="{title}">' in text
        assert said in text.split('property="og:description"')[1].split(">")[0]


class TestIsItGoingWhereItShould:
    @pytest.fixture
    def ask(self, get, client):
        def ask(code="orla", **position):
            return client.post(f"{TOWN}/itinerarios/{code}/aqui", data=position)

        return ask

    def test_it_says_how_far_with_the_error_and_no_accusation(self, ask):
        answer = ask(lat="-23.6200", lon="-45.3900", error="35")
        text = answer.get_data(as_text=True)

        assert answer.status_code == 200
        assert "± 40 m" in text
        assert "O traçado desse itinerário não foi publicado" in text
        assert "Avise a ouvidoria" not in text

    @pytest.mark.parametrize(
        "position", [{}, {"lat": "0", "lon": "0"}, {"lat": "x", "lon": "y"}, {"lat": "-23.62"}]
    )
    def test_a_place_that_is_none_is_refused_in_words(self, ask, position):
        assert ask(**position).status_code == 422

    @pytest.mark.parametrize("error", ["", "-3", "1e9", "nan", "muito"])
    def test_an_error_that_is_none_counts_as_the_usual_one(self, ask, error):
        text = ask(lat="-23.6200", lon="-45.4100", error=error).get_data(as_text=True)

        assert "± 50 m" in text

    def test_of_nothing_is_not_found(self, ask):
        assert ask("nada", lat="-23.62", lon="-45.41").status_code == 404
