"""A register of a million rows through ``portal import permits``, beside a bare executemany into the same tables.

``python -m tests.bench.imports [ROWS]``: rows a second of both, the peak of memory, and how long a complaint
waited for the write lock meanwhile. The bare load has the same tables, indexes and settings of SQLite.
"""

import os
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from portal.domain.plates import plate_key
from portal.storage.database import make_engine
from portal.storage.permits import PermitEventRow, PermitRow, PermitVersionRow, VehicleUnitRow
from portal.storage.tables import metadata
from tests.bench.register import SERVICE, TOWN, plate

ROWS = 1_000_000
TABLES = (PermitRow, PermitVersionRow, VehicleUnitRow, PermitEventRow)
HEADER = (
    "numero;ano;titular_tipo;nome_fantasia;placa;posicao;papel;tipo_veiculo;ano_modelo;lotacao;itinerario;"
    "velocidade_max;validade_ate;emissao;observacoes\n"
)


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        file = root / "cadastro.csv"
        write_register(file, rows)
        bare_wall, bare_cpu = _bare(root / "bare.db", rows)
        one_wall, one_cpu = _bare(root / "one.db", rows, tables=(VehicleUnitRow,))
        waits: list[float] = []
        wall, cpu, peak = _import(root, file, waits)
    print(f"{rows:,} rows, {file.name}")
    _say("bare executemany, four tables", rows, bare_wall, bare_cpu)
    _say("bare executemany, vehicles alone", rows, one_wall, one_cpu)
    _say("portal import permits", rows, wall, cpu)
    print(f"of the bare load: {bare_wall / wall:.2f} by the clock, {bare_cpu / cpu:.2f} by the processor")
    print(f"of vehicles alone: {one_wall / wall:.2f} by the clock, {one_cpu / cpu:.2f} by the processor")
    print(f"peak of memory: {peak / 1e6:.0f} MB")
    if waits:
        print(f"a writer beside it: {len(waits)} writes, the longest wait {max(waits):.1f} s")


def write_register(path: Path, rows: int) -> None:
    """A clerk's file: one vehicle a permit, days and plates as people write them."""
    chooser = random.Random(rows)
    year = datetime.now(UTC).year
    with path.open("w") as file:
        file.write(HEADER)
        for n in range(rows):
            text = plate(n)
            if n % 3:
                text = f"{text[:3]}-{text[3:]}" if n % 2 else text.lower()
            day = f"{chooser.randrange(1, 29):02d}/{chooser.randrange(1, 11):02d}/{year}"
            file.write(
                f"{year}/{n:07d};{year};empresa;Passeios {n};{text};1;trator;trator;{2000 + n % 25};20;ORLA;"
                f"40;31/12/{year};{day};conferido\n"
            )


def _bare(path: Path, rows: int, tables: tuple[type, ...] = TABLES) -> tuple[float, float]:
    """The least that writing these rows costs: prepared tuples into the same tables and indexes."""
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
    if tables != TABLES:
        connection.execute("PRAGMA foreign_keys=OFF")  # the permits they belong to are not there
    dialect = sqlite.dialect()
    statements = {}
    for row in tables:
        table = row.__table__
        connection.execute(str(CreateTable(table).compile(dialect=dialect)))
        for index in table.indexes:
            connection.execute(str(CreateIndex(index).compile(dialect=dialect)))
        names = [column.name for column in table.columns]
        marks = ", ".join("?" for _ in names)
        statements[row] = (f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({marks})", names)
    year, known = datetime.now(UTC).year, "2026-01-02 00:00:00.000000"
    wall = cpu = 0.0
    for start in range(0, rows, 50_000):
        ids = range(start, min(start + 50_000, rows))
        for row in tables:
            statement, names = statements[row]
            values = [_values(row, n, year, known) for n in ids]
            tuples = [tuple(one.get(name) for name in names) for one in values]
            begun, used = time.perf_counter(), time.process_time()
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(statement, tuples)
            connection.execute("COMMIT")
            wall, cpu = wall + time.perf_counter() - begun, cpu + time.process_time() - used
    connection.close()
    return wall, cpu


def _values(row: type, n: int, year: int, known: str) -> dict[str, object]:
    number = n + 1
    if row is PermitRow:
        return {
            "id": number, "municipality": TOWN, "service": SERVICE, "permit_type": "recreational",
            "number": f"{year}/{n:07d}", "number_key": f"{year}/{n}", "year": year, "holder_kind": "company",
        }  # fmt: skip
    told: dict[str, object] = {"id": number, "permit_id": number, "known_from": known}
    if row is PermitVersionRow:
        return told | {
            "trade_name": f"Passeios {n}", "itinerary": "ORLA", "max_speed_kmh": 40,
            "paper_valid_until": f"{year}-12-31", "source": "Cadastro municipal",
        }  # fmt: skip
    if row is VehicleUnitRow:
        text = plate(n)
        return told | {
            "position": 1, "role": "tractor", "plate": text, "plate_key": plate_key(text),
            "vehicle_type": "recreational", "model_year": 2010, "capacity": 20,
        }  # fmt: skip
    return told | {"kind": "issue", "valid_from": f"{year}-01-02", "by_desk": 0}


def _import(root: Path, file: Path, waits: list[float]) -> tuple[float, float, int]:
    """The command itself, in a process of its own; beside it somebody writes all the while."""
    database = root / "portal.db"
    engine = make_engine(f"sqlite:///{database}")
    metadata().create_all(engine)
    environment = os.environ | {
        "PORTAL_STATE": str(root),
        "DATABASE_URL": f"sqlite:///{database}",
        "FILES_URL": f"file://{root / 'files'}",
        "SECRET_KEY": "s" * 40,
        "ACCESS_KEY_PEPPER": "p" * 40,
        "AUDIT_KEY": "bench:" + "a" * 40,
        "PUBLIC_KEYS": str(root / "public_keys.json"),
    }
    (root / "public_keys.json").write_text('{"identity": {}, "notice": null}')
    command = [sys.executable, "-m", "portal.cli", "import", "permits", str(file), "--municipality", TOWN]
    stop = threading.Event()
    writer = threading.Thread(target=_write_beside, args=(database, waits, stop))
    writer.start()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    result = subprocess.run(
        [*command, "--service", SERVICE], env=environment, capture_output=True, text=True, check=False
    )
    wall = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    stop.set()
    writer.join()
    print(result.stdout[-2000:] + result.stderr[-2000:])
    assert result.returncode == 0
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu, after.ru_maxrss * 1024


def _write_beside(database: Path, waits: list[float], stop: threading.Event) -> None:
    """Take the write lock as filing a complaint does, every fifth of a second, and say how long it took."""
    connection = sqlite3.connect(database, timeout=10, isolation_level=None)
    while not stop.wait(0.2):
        begun = time.perf_counter()
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:  # ten seconds were not enough: a citizen would read an error
            waits.append(float("inf"))
            continue
        connection.execute(
            "INSERT INTO audit_heads VALUES ('bench', 1, '') "
            "ON CONFLICT (municipality) DO UPDATE SET sequence = sequence + 1"
        )
        connection.execute("COMMIT")
        waits.append(time.perf_counter() - begun)
    connection.close()


def _say(what: str, rows: int, wall: float, cpu: float) -> None:
    print(f"{what:34}{wall:8.1f} s{rows / wall:12,.0f} rows/s{cpu:9.1f} s of processor")


if __name__ == "__main__":
    main()
