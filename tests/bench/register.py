"""A register of any size, written straight to the tables: the import would take an hour for a million permits."""

import random
from datetime import UTC, date, datetime

from sqlalchemy import Engine, insert

from portal.domain.plates import plate_key
from portal.regulations import catalogue
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
    day, known = date(year, 1, 2), datetime(year, 1, 2, tzinfo=UTC)
    kind = next(rule.id for _, rule in catalogue.permit_types(TOWN, day) if rule.service == SERVICE)
    town = {"municipality": TOWN, "service": SERVICE}
    told = {"source": "bench", "known_from": known}
    with engine.begin() as connection:
        connection.execute(insert(PermitListRow), {**town, **told, "kind": "register", "as_of": day})
        for start in range(0, permits, CHUNK):
            ids = range(start, min(start + CHUNK, permits))
            common = {**town, "permit_type": kind, "year": year, "holder_kind": "company"}
            connection.execute(
                insert(PermitRow),
                [
                    {**common, "id": n + 1, "number": f"{year}/{n:07d}", "number_key": f"{year}/{n}"}
                    for n in ids
                ],
            )
            connection.execute(
                insert(PermitVersionRow),
                [{**told, "permit_id": n + 1, "trade_name": f"Passeios {n}"} for n in ids],
            )
            unit = {"position": 1, "role": "tractor", "capacity": 40, "known_from": known}
            connection.execute(
                insert(VehicleUnitRow),
                [
                    {**unit, "permit_id": n + 1, "plate": plate(n), "plate_key": plate_key(plate(n))}
                    for n in ids
                ],
            )
            act = {"kind": "issue", "valid_from": day, "act_date": day, "known_from": known}
            connection.execute(
                insert(PermitEventRow),
                [{**act, "permit_id": n + 1, "act_number": f"{n}/{year}"} for n in ids],
            )
