from datetime import date

import pytest

from portal.domain.itineraries import StopKind, Way
from portal.domain.timetable import HolidayRule
from portal.importing.lines import ARTESP_COLUMNS, read_lines
from portal.importing.sources import Report
from portal.importing.tables import read_places, read_tables
from tests.factories.feeds import PLACES, TABLES, folder_of, zip_of

HEADING = (
    "Autos;Itinerario;Cidade Inicial da linha;Cidade Fim da linha;Permissionária;Cidade Atendida;"
    "Nome do Ponto;Latitude;Longitude\n"
)
LINES = (
    HEADING
    + """12;A;Vila Alta;São Baixo;VIAÇÃO INVENTADA;Vila Alta;Rodoviária;-23.10;-45.10
12;A;Vila Alta;São Baixo;VIAÇÃO INVENTADA;São Baixo;Praça;-23.20;-45.20
12;B;Vila Alta;São Baixo;VIAÇÃO INVENTADA;Vila Alta;Rodoviária;-23.10;-45.10
12;B;Vila Alta;São Baixo;VIAÇÃO INVENTADA;Outra;Praça;-23.30;-45.30
9;;Longe;Mais Longe;VIAÇÃO INVENTADA;Longe;Praça;-22.30;-45.30
9;;Longe;Mais Longe;VIAÇÃO INVENTADA;Mais Longe;Praça;-22.40;-45.30
"""
)


@pytest.fixture
def read(tmp_path):
    def reading(**changes):
        report = Report()
        tables = TABLES | {f"{name}.csv": text for name, text in changes.items()}
        parsed, _ = read_tables(folder_of(tmp_path / "mesa", tables), report)
        return parsed, [
            (problem.code, problem.file, problem.line, problem.field) for problem in report.problems
        ]

    return reading


class TestTheClerksTables:
    def test_stops_ways_price_and_departures(self, read):
        parsed, problems = read()

        assert problems == []
        [orla] = parsed.itineraries
        assert orla.ways == {
            Way.OUTBOUND: ("matriz", "praia", "mirante"),
            Way.INBOUND: ("mirante", "praia", "matriz"),
        }
        assert (orla.fare_centavos, orla.duration_minutes) == (2500, 30)
        assert orla.names == {"en": "Seafront train", "es": "Trencito de la costa"}
        assert [trip.calls[0].departs // 60 for trip in orla.trips if trip.way is Way.OUTBOUND] == [
            600, 630, 660, 690, 720, 24 * 60 + 15, 900,
        ]  # fmt: skip

    def test_holidays_are_said_in_the_days(self, read):
        parsed, _ = read()

        assert {calendar.holidays for calendar in parsed.calendars.values()} == set(HolidayRule) - {
            HolidayRule.ONLY
        }

    @pytest.mark.parametrize(
        ("said", "days", "rule"),
        [
            ("seg-sex", {0, 1, 2, 3, 4}, HolidayRule.AS_ANY_DAY),
            ("segunda a sexta menos feriados", {0, 1, 2, 3, 4}, HolidayRule.NEVER),
            ("sáb, dom e feriados", {5, 6}, HolidayRule.ALSO),
            ("feriados", set(), HolidayRule.ONLY),
            ("todos", set(range(7)), HolidayRule.AS_ANY_DAY),
            ("sex-dom", {4, 5, 6}, HolidayRule.AS_ANY_DAY),
            ("sáb-seg", {5, 6, 0}, HolidayRule.AS_ANY_DAY),
        ],
    )
    def test_ways_to_say_the_days(self, read, said, days, rule):
        parsed, problems = read(partidas=f'itinerario,dias,horarios\norla,"{said}",10:00\n')

        assert problems == []
        [calendar] = parsed.calendars.values()
        assert (calendar.weekdays, calendar.holidays) == (days, rule)

    def test_dates_in_and_out(self, read):
        parsed, _ = read(
            partidas="itinerario;dias;horarios;de;ate;inclui;exceto\n"
            "orla;sab;10:00;2026-12-01;31/01/2027;24/12/2026;2026-12-26\n"
        )

        [calendar] = parsed.calendars.values()
        assert (calendar.starts, calendar.ends) == (date(2026, 12, 1), date(2027, 1, 31))
        assert (calendar.added, calendar.removed) == ({date(2026, 12, 24)}, {date(2026, 12, 26)})

    def test_latin_1_of_an_older_spreadsheet(self, read):
        parsed, _ = read(pontos=TABLES["pontos.csv"].encode("latin-1"))

        assert parsed.stops[0].name == "Praça da Matriz"

    def test_a_stop_may_say_that_nobody_boards_there(self, read):
        parsed, _ = read(
            pontos="codigo;nome;latitude;longitude;embarque\nmatriz;A;-23,6;-45,4;sim\npraia;B;-23,6;-45,4;não\n"
            "mirante;C;-23,7;-45,4;\n"
        )

        assert [stop.kind for stop in parsed.stops] == [StopKind.BOARDING_POINT, StopKind.STOP, None]

    @pytest.mark.parametrize(
        ("table", "before", "after", "problem"),
        [
            ("pontos", "-23,6200", "norte", ("no_position", "pontos.csv", 2, "latitude")),
            ("pontos", "praia;", "matriz;", ("duplicate", "pontos.csv", 3, "codigo")),
            ("pontos", "latitude", "lat", ("missing_column", "pontos.csv", 1, "latitude")),
            ("itinerarios", "mirante", "farol", ("unknown_reference", "itinerarios.csv", 2, "pontos")),
            ("itinerarios", "25,00", "caro", ("no_number", "itinerarios.csv", 2, "tarifa")),
            ("partidas", "seg-sex", "quando der", ("no_days", "partidas.csv", 2, "dias")),
            ("partidas", "11:00", "11:70", ("no_time", "partidas.csv", 3, "horarios")),
            ("partidas", "orla;ida", "serra;ida", ("unknown_reference", "partidas.csv", 2, "itinerario")),
            ("partidas", "volta", "de lado", ("no_way", "partidas.csv", 3, "sentido")),
        ],
    )
    def test_what_is_wrong_is_told_with_file_line_and_column(self, read, table, before, after, problem):
        parsed, problems = read(**{table: TABLES[f"{table}.csv"].replace(before, after, 1)})

        assert parsed is None
        assert problem in problems

    def test_a_zip_is_as_good_as_a_folder(self, tmp_path):
        parsed, _ = read_tables(zip_of(tmp_path / "mesa.zip", TABLES, folder="mesa/"), Report())

        assert len(parsed.stops) == 3


class TestPlaces:
    def test_neighbourhoods_and_sights(self, tmp_path):
        places, _ = read_places(folder_of(tmp_path, {"lugares.csv": PLACES}) / "lugares.csv", Report())

        assert [(place.name, place.kind) for place in places] == [
            ("Massaguaçu", "bairro"),
            ("Centro", "bairro"),
        ]


class TestIntercityLines:
    @pytest.fixture
    def file(self, tmp_path):
        return folder_of(tmp_path, {"linhas.csv": LINES.encode("latin-1")}) / "linhas.csv"

    def test_the_lines_that_serve_a_town_whole_and_in_row_order(self, file):
        parsed, _ = read_lines(file, Report(), town="SAO BAIXO")

        [line] = parsed.itineraries
        assert (line.code, line.name, line.operator) == ("12-A", "Vila Alta – São Baixo", "VIAÇÃO INVENTADA")
        assert line.ways == {Way.OUTBOUND: ("vila-alta-rodoviaria", "sao-baixo-praca")}
        assert line.trips == ()

    def test_one_stop_of_many_lines_is_one(self, file):
        parsed, _ = read_lines(file, Report())

        assert len(parsed.itineraries) == 3
        assert len(parsed.stops) == 5

    def test_another_agency_names_its_columns(self, tmp_path):
        path = folder_of(tmp_path, {"l.csv": LINES.replace("Nome do Ponto", "Parada")}) / "l.csv"

        parsed, _ = read_lines(path, Report(), columns={**ARTESP_COLUMNS, "stop": "parada"})

        assert len(parsed.itineraries) == 3

    def test_a_town_without_lines(self, file):
        report = Report()

        assert read_lines(file, report, town="Nenhures")[0] is None
        assert [problem.code for problem in report.problems] == ["no_line_here"]

    def test_the_register_of_the_state(self, shared):
        file = shared / "data/linhas/pontos_dos_autos.csv"

        everything, _ = read_lines(file, Report())
        here, _ = read_lines(file, Report(), town="Caraguatatuba")

        assert len(everything.itineraries) > 500
        assert len(here.itineraries) == 6
        assert any(stop.name == "Term. Rodov. (Caraguatatuba)" for stop in here.stops)
