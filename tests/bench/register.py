"""A register of any size, written straight to the tables: the import would take an hour for a million permits."""

import random
import re
from datetime import UTC, date, datetime

from sqlalchemy import Connection, Engine, insert

from portal.regulations import catalogue
from portal.storage.base import Base
from portal.storage.database import empty_log
from portal.storage.permits import PermitEventRow, PermitListRow, PermitRow, PermitVersionRow, VehicleUnitRow

TOWN, SERVICE = "caraguatatuba-sp", "recreativo"
CHUNK = 200_000
BYTES = 520
"""Of disk that a permit takes, indexes and all; half as many again while an index is made."""
WRITTEN: tuple[type[Base], ...] = (PermitRow, PermitVersionRow, VehicleUnitRow, PermitEventRow)
PLATE = (
    "char(65 + n * 7 / 10000 % 26, 65 + n * 7 / 260000 % 26, 65 + n * 7 / 6760000) "
    "|| printf('%04d', n * 7 % 10000)"
)
"""What ``plate`` says, as SQLite says it."""


def plate(number: int) -> str:
    """The plate of the permit with this number; every number has another."""
    letters, digits = divmod(number * 7, 10_000)  # 7 has no factor of the 26³ · 10⁴ plates: no two are alike
    third, rest = divmod(letters % 26**3, 26)
    return "".join(chr(ord("A") + part) for part in (rest, third % 26, third // 26)) + f"{digits:04d}"


def random_plate(permits: int, chooser: random.Random) -> str:
    """The plate of some permit, one in ten of a vehicle without any, half of them in the Mercosul form."""
    number = chooser.randrange(permits) + (permits if chooser.random() < 0.1 else 0)
    found = plate(number)
    return found if chooser.random() < 0.5 else f"{found[:4]}{chr(ord('A') + int(found[4]))}{found[5:]}"


def load(engine: Engine, permits: int) -> None:
    """Fill the tables with ``permits`` permits of this year, each with a vehicle and the act that issued it."""
    year = datetime.now(UTC).year
    day, known = f"{year}-01-02", f"{year}-01-02 00:00:00.000000"  # as SQLite keeps a day and an instant
    kind = next(
        rule.id
        for _, rule in catalogue.permit_types(TOWN, date.fromisoformat(day))
        if rule.service == SERVICE
    )
    secondary = [index for row in WRITTEN for index in row.__table__.indexes]
    with engine.begin() as connection:
        for index in secondary:  # written once at the end, millions of rows cost a tenth of it
            index.drop(connection)
        connection.execute(
            insert(PermitListRow),
            {
                "municipality": TOWN,
                "service": SERVICE,
                "kind": "register",
                "source": "bench",
                "as_of": date.fromisoformat(day),
                "known_from": datetime.fromisoformat(known).replace(tzinfo=UTC),
            },
        )
    told = {
        PermitRow: {
            "id": "n + 1", "municipality": TOWN, "service": SERVICE, "permit_type": kind,
            "number": f"printf('{year}/%07d', n)", "number_key": f"'{year}/' || n", "year": year,
            "holder_kind": "company",
        },
        PermitVersionRow: {
            "permit_id": "n + 1", "trade_name": "'Passeios ' || n", "source": "bench", "known_from": known,
        },
        VehicleUnitRow: {
            "permit_id": "n + 1", "position": 1, "role": "tractor", "plate": PLATE, "plate_key": PLATE,
            "capacity": 40, "known_from": known,
        },
        PermitEventRow: {
            "permit_id": "n + 1", "kind": "issue", "act_number": f"n || '/{year}'", "act_date": day,
            "valid_from": day, "known_from": known,
        },
    }  # fmt: skip
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA cache_size = -400000")
        for start in range(0, permits, CHUNK):
            for row, columns in told.items():
                _write(connection, row, columns, start, min(start + CHUNK, permits))
            connection.commit()  # each portion, or SQLite's log grows as large as the tables
        for index in secondary:
            index.create(connection)
            connection.commit()
    empty_log(engine)
    engine.dispose()  # whoever reads gets a connection with a cache as in production


def _write(connection: Connection, row: type[Base], columns: dict[str, object], start: int, end: int) -> None:
    """Rows of the permits ``start`` to ``end``, made inside SQLite: handed over one by one they take thrice as long."""
    columns = columns | _defaults(row, columns)
    made = ", ".join(_worded(value) for value in columns.values())
    connection.exec_driver_sql(
        f"WITH RECURSIVE numbers (n) AS (SELECT {start} UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < {end}) "
        f"INSERT INTO {row.__tablename__} ({', '.join(columns)}) SELECT {made} FROM numbers"
    )


def _worded(value: object) -> str:
    """A value as SQLite reads it; a text with the number ``n`` in it is reckoned there."""
    if not isinstance(value, str):
        return str(int(value)) if isinstance(value, int) else "NULL"
    return value if re.search(r"\bn\b", value) else f"'{value}'"


def _defaults(table: type[Base], columns: dict[str, object]) -> dict[str, object]:
    """What the model gives to columns that are not told."""
    return {
        column.name: column.default.arg
        for column in table.__table__.columns
        if column.name not in columns and column.default is not None and column.default.is_scalar
    }
