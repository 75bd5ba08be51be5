"""A register of any size, written straight to the tables: the import would take an hour for a million permits."""

import random
from datetime import UTC, date, datetime

from sqlalchemy import Engine, insert

from portal.domain.plates import plate_key
from portal.regulations import catalogue
from portal.storage.base import Base
from portal.storage.permits import PermitEventRow, PermitListRow, PermitRow, PermitVersionRow, VehicleUnitRow

TOWN, SERVICE = "caraguatatuba-sp", "recreativo"
CHUNK = 20_000


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
    with engine.begin() as connection:
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
        for start in range(0, permits, CHUNK):
            ids = range(start, min(start + CHUNK, permits))
            for table, columns, rows in (
                (
                    PermitRow,
                    "id, municipality, service, permit_type, number, number_key, year, holder_kind",
                    [
                        (n + 1, TOWN, SERVICE, kind, f"{year}/{n:07d}", f"{year}/{n}", year, "company")
                        for n in ids
                    ],
                ),
                (
                    PermitVersionRow,
                    "permit_id, trade_name, source, known_from",
                    [(n + 1, f"Passeios {n}", "bench", known) for n in ids],
                ),
                (
                    VehicleUnitRow,
                    "permit_id, position, role, plate, plate_key, capacity, known_from",
                    [(n + 1, 1, "tractor", plate(n), plate_key(plate(n)), 40, known) for n in ids],
                ),
                (
                    PermitEventRow,
                    "permit_id, kind, act_number, act_date, valid_from, known_from",
                    [(n + 1, "issue", f"{n}/{year}", day, day, known) for n in ids],
                ),
            ):
                defaults = _defaults(table, columns)
                names = ", ".join([columns, *defaults])
                gaps = ", ".join("?" * (len(rows[0]) + len(defaults)))
                told = [(*row, *defaults.values()) for row in rows] if defaults else rows
                connection.exec_driver_sql(
                    f"INSERT INTO {table.__tablename__} ({names}) VALUES ({gaps})", told
                )


def _defaults(table: type[Base], columns: str) -> dict[str, object]:
    """What the model gives to columns that are not told."""
    return {
        column.name: column.default.arg
        for column in table.__table__.columns
        if column.name not in columns.split(", ") and column.default is not None and column.default.is_scalar
    }
