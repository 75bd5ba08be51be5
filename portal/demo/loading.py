"""Loads the demonstration into an empty portal, once."""

from datetime import date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from portal.demo.cases import COAST, HILLS, ITINERARIES, PLATEAU, VALLEY, VEHICLES
from portal.demo.complaints import file_complaints
from portal.demo.files import write_files
from portal.demo.staff import add_demonstration_staff
from portal.domain.permits import Service
from portal.importing.sources import Report
from portal.importing.tables import read_places, read_tables
from portal.regulations import catalogue
from portal.services.demonstration import keep_cases, list_cases
from portal.services.itineraries.itinerary_import import FileRead, import_file
from portal.services.register.permit_import import import_permits
from portal.services.register.staging import OWN_REGISTER, PLATFORM, REGISTER, ImportOrder
from portal.services.unit_of_work import unit_of_work

TABLES = ("pontos.csv", "itinerarios.csv", "partidas.csv")
LATE = 75
"""Days: older than any town lets a platform's list be."""


class RefusedFile(Exception):
    """A file of the demonstration was not taken, as no file of a town would be."""


def load_demonstration(*, now: datetime) -> bool:
    """Load every case as of ``now``; False when a demonstration is there already."""
    with unit_of_work() as session:
        if list_cases(session):
            return False
    with TemporaryDirectory() as folder:
        _Loader(Path(folder), now).load()
    with unit_of_work(writes=True) as session:
        staff = add_demonstration_staff(session, COAST, now=now)
    with unit_of_work(writes=True) as session:
        complaints = file_complaints(session, COAST, staff, now=now)
    with unit_of_work(writes=True) as session:
        today = catalogue.municipality(COAST).civil_day(now)
        keep_cases(session, [*VEHICLES, *ITINERARIES, *complaints, *staff.cases], loaded_on=today)
    return True


class _Loader:
    """Brings the files in through the services that ``portal import`` calls."""

    def __init__(self, folder: Path, now: datetime) -> None:
        self.folder = folder
        self.now = now

    def load(self) -> None:
        self._permits(COAST, "recreativo.csv", Service.RECREATIONAL)
        for town, platform, age in (
            (COAST, "Carona Azul", 0),
            (HILLS, "Vai Comigo", 0),
            (PLATEAU, "Rota Fácil", LATE),
        ):
            self._permits(town, "motoristas.csv", Service.RIDE_HAILING)
            self._permits(
                town,
                "plataforma.csv",
                Service.RIDE_HAILING,
                kind=PLATFORM,
                source=f"{platform} (exemplo)",
                age=age,
            )
        self._tables(COAST, Service.RECREATIONAL)
        self._tables(VALLEY, Service.TOURISM)
        for town in (COAST, HILLS, PLATEAU, VALLEY):
            self._places(town)

    def _permits(
        self,
        town: str,
        name: str,
        service: Service,
        *,
        kind: str = REGISTER,
        source: str = OWN_REGISTER,
        age: int = 0,
    ) -> None:
        today = self._today(town)
        folder = self._write(town, name)
        as_of = date.fromordinal(today.toordinal() - age)
        order = ImportOrder(town, as_of, service=service, kind=kind, source=source, run_by="demonstration")
        report = import_permits(folder / name, order, now=self.now)
        if report.outcome == "refused":
            raise RefusedFile(f"{town}/{name}: {report.problems}")

    def _tables(self, town: str, service: Service) -> None:
        report = Report()
        parsed, digest = read_tables(self._write(town, *TABLES), report)
        self._merge(town, FileRead("tables", "tabelas", digest, parsed, tuple(report.problems)), service)

    def _places(self, town: str) -> None:
        report = Report()
        parsed, digest = read_places(self._write(town, "lugares.csv") / "lugares.csv", report)
        self._merge(town, FileRead("places", "lugares.csv", digest, parsed, tuple(report.problems)), None)

    def _merge(self, town: str, read: FileRead, service: Service | None) -> None:
        told = import_file(read, municipality=town, service=service, as_of=self._today(town), now=self.now)
        if told.outcome == "refused":
            raise RefusedFile(f"{town}/{read.name}: {told.problems}")

    def _write(self, town: str, *names: str) -> Path:
        folder = self.folder / town / names[0]
        folder.mkdir(parents=True)
        write_files(town, names, folder, today=self._today(town))
        return folder

    def _today(self, town: str) -> date:
        return catalogue.municipality(town).civil_day(self.now)
