"""Registers of intercity lines: one row a stop, the order of rows is the order of travel, no timetable.

The columns are named by a mapping, as each agency has its own; ``ARTESP_COLUMNS`` is that of the State of
São Paulo, whose file is Latin-1 with semicolons.
"""

from collections.abc import Mapping
from pathlib import Path

from portal.domain.geo import Box, cell_of
from portal.domain.itineraries import ParsedItinerary, ParsedStop, ParsedTimetable, StopKind, Way
from portal.domain.names import as_code, fold, tidy
from portal.importing.gtfs import read_position
from portal.importing.sources import Refused, Report, Row, Source

ARTESP_COLUMNS: Mapping[str, str] = {
    "line": "autos",
    "itinerary": "itinerario",
    "from": "cidade_inicial_da_linha",
    "to": "cidade_fim_da_linha",
    "company": "permissionaria",
    "town": "cidade_atendida",
    "stop": "nome_do_ponto",
    "latitude": "latitude",
    "longitude": "longitude",
}
"""Field: column name, folded."""


def read_lines(
    path: Path,
    report: Report,
    *,
    town: str | None = None,
    columns: Mapping[str, str] = ARTESP_COLUMNS,
    within: Box | None = None,
) -> tuple[ParsedTimetable | None, str]:
    """The lines of a register, whole, that serve ``town`` (every line for None), and the file's digest.

    The same stop is repeated for each line; stops of one town, name and place become one.
    """
    source = Source(path, report, extension=".csv")
    rows: dict[tuple[str, str], list[Row]] = {}
    try:
        for file in source.files:
            for row in source.table(file, required=tuple(columns.values())):
                rows.setdefault((row[columns["line"]], row[columns["itinerary"]]), []).append(row)
        if not rows and not report.refused:
            report.refuse("empty_file", path.name)
        parsed = _timetable(rows, report, town, columns, within)
    except Refused:
        return None, source.digest
    if not parsed.itineraries and not report.refused:
        report.refuse("no_line_here", path.name, value=town)
    return (None if report.refused else parsed), source.digest


def _timetable(
    lines: Mapping[tuple[str, str], list[Row]],
    report: Report,
    town: str | None,
    columns: Mapping[str, str],
    within: Box | None,
) -> ParsedTimetable:
    stops: dict[tuple[str, str, int], ParsedStop] = {}
    codes: set[str] = set()
    itineraries = []
    for (line, letter), rows in lines.items():
        if town and all(fold(row[columns["town"]]) != fold(town) for row in rows):
            continue
        route: list[str] = []
        for row in rows:
            position = read_position(row, columns["latitude"], columns["longitude"], report, within)
            name, where = tidy(row[columns["stop"]]), tidy(row[columns["town"]])
            if not name:
                report.refuse("missing_value", row.file, row.line, columns["stop"])
            if position is None or not name:
                continue
            key = (fold(where), fold(name), cell_of(*position))
            if key not in stops:
                code = as_code(f"{where} {name}")
                while code in codes:
                    stem, _, number = code.rpartition("--")
                    code = f"{stem or code}--{int(number) + 1 if stem else 2}"
                codes.add(code)
                stops[key] = ParsedStop(code, f"{name} ({where})", *position, kind=StopKind.BOARDING_POINT)
            if not route or route[-1] != stops[key].code:
                route.append(stops[key].code)
        if len(route) < 2:
            report.warn("too_few_stops", rows[0].file, rows[0].line, columns["line"], line)
            continue
        first = rows[0]
        itineraries.append(
            ParsedItinerary(
                code=tidy(f"{line}-{letter}" if letter else line).replace("/", "-"),
                name=f"{tidy(first[columns['from']])} – {tidy(first[columns['to']])}",
                ways={Way.OUTBOUND: tuple(route)},
                operator=tidy(first[columns["company"]]) or None,
            )
        )
    used = {code for each in itineraries for code in each.ways[Way.OUTBOUND]}
    return ParsedTimetable(
        stops=tuple(stop for stop in stops.values() if stop.code in used), itineraries=tuple(itineraries)
    )
