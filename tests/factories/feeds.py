"""Small feeds of an invented service between two ends of a beach; a test states only what it changes."""

import zipfile
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from portal.domain.permits import Service
from portal.importing.gtfs import read_gtfs
from portal.importing.sources import Report
from portal.importing.tables import read_places, read_tables
from portal.regulations.states import state_of
from portal.services.itineraries.itinerary_import import FileRead, ImportReport, import_file

AGENCY = "agency_id,agency_name,agency_url,agency_timezone\nA,Viação Inventada,https://example.org,America/Sao_Paulo\n"
STOPS = """stop_id,stop_name,stop_lat,stop_lon,location_type
S1,Praça da Matriz,-23.6200,-45.4100,0
S2,Avenida da Praia,-23.6250,-45.4050,0
S3,Mirante,-23.6300,-45.4000,0
"""
ROUTES = "route_id,agency_id,route_short_name,route_long_name,route_type\nR1,A,1,Orla,3\n"
CALENDAR = """service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
WK,1,1,1,1,1,0,0,20260101,20261231
SA,0,0,0,0,0,1,0,20260101,20261231
"""
TRIPS = """route_id,service_id,trip_id,direction_id,trip_headsign
R1,WK,T1,0,Mirante
R1,WK,T2,1,Praça da Matriz
R1,SA,T3,0,Mirante
"""
STOP_TIMES = """trip_id,arrival_time,departure_time,stop_id,stop_sequence
T1,10:00:00,10:00:00,S1,1
T1,,,S2,2
T1,10:20:00,10:20:00,S3,3
T2,24:10:00,24:10:00,S3,1
T2,24:30:00,24:30:00,S1,2
T3,14:00:00,14:00:00,S1,1
T3,14:20:00,14:20:00,S3,2
"""
FEED = {
    "agency.txt": AGENCY,
    "stops.txt": STOPS,
    "routes.txt": ROUTES,
    "calendar.txt": CALENDAR,
    "trips.txt": TRIPS,
    "stop_times.txt": STOP_TIMES,
}

PONTOS = """codigo;nome;latitude;longitude;acessivel;referencia
matriz;Praça da Matriz;-23,6200;-45,4100;sim;Ao lado da igreja
praia;Avenida da Praia;-23,6250;-45,4050;;
mirante;Mirante do Camaroeiro;-23,6300;-45,4000;nao;
"""
ITINERARIOS = """codigo;nome;nome_en;nome_es;pontos;volta;tarifa;duracao_min;valido_de;valido_ate
orla;Trenzinho da Orla;Seafront train;Trencito de la costa;matriz > praia > mirante;sim;25,00;30;01/01/2026;31/12/2026
"""
PARTIDAS = """itinerario;sentido;dias;horarios
orla;ida;seg-sex menos feriados;10:00-12:00/30 24:15
orla;volta;seg-sex;11:00
orla;ida;sab dom feriados;15:00
"""
TABLES = {"pontos.csv": PONTOS, "itinerarios.csv": ITINERARIOS, "partidas.csv": PARTIDAS}
PLACES = (
    "nome,tipo,latitude,longitude\nMassaguaçu,bairro,-23.5810,-45.3230\nCentro,bairro,-23.6210,-45.4110\n"
)

TOWN = "caraguatatuba-sp"
AS_OF = date(2026, 11, 28)
NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


def folder_of(at: Path, tables: dict[str, str | bytes]) -> Path:
    at.mkdir(parents=True, exist_ok=True)
    for name, text in tables.items():
        (at / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return at


def zip_of(at: Path, tables: dict[str, str | bytes], *, folder: str = "") -> Path:
    with zipfile.ZipFile(at, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in tables.items():
            archive.writestr(folder + name, text)
    return at


def in_session(session: Session) -> Callable[..., AbstractContextManager[Session]]:
    """Lets an import work in the transaction of a test."""

    def unit(*, writes: bool = False) -> AbstractContextManager[Session]:
        return nullcontext(session)

    return unit


def bring_in(session: Session, kind: str, file: Path, **told: Any) -> ImportReport:
    """Import a file into the test's own transaction."""
    report = Report()
    read = {"gtfs": read_gtfs, "tables": read_tables, "places": read_places}[kind]
    parsed, digest = read(file, report, within=state_of(str(told.get("municipality", TOWN))))
    return import_file(
        FileRead(kind, file.name, digest, parsed, tuple(report.problems), report.left_out),
        **({"municipality": TOWN, "as_of": AS_OF, "now": NOW, "unit": in_session(session)} | told),
    )


def bring_in_orla(session: Session, folder: Path, **changes: str) -> ImportReport:
    """The recreational itinerary ``orla``, tables changed by name without their ending."""
    tables = TABLES | {f"{name}.csv": text for name, text in changes.items()}
    return bring_in(session, "tables", folder_of(folder, tables), service=Service.RECREATIONAL)
