"""Permits in good standing; a test states only what it is about."""

from datetime import UTC, date, datetime
from typing import Any

import factory
from sqlalchemy.orm import Session

from portal.domain.permits import EventKind, HolderKind, PermitEvent, Service, VehicleUnit
from portal.domain.plates import number_key, plate_key
from portal.domain.registers import RegisterEntry
from portal.storage.registers import add_entries, record_list

RECREATIONAL = "caraguatatuba-sp"
KNOWN = datetime(2026, 1, 2, 12, tzinfo=UTC)


def unit(plate: str, position: int = 1, role: str = "vehicle", **more: Any) -> VehicleUnit:
    return VehicleUnit(position, role, plate, plate_key(plate), **({"capacity": 20} | more))


def happened(kind: EventKind, on: date, until: date | None = None, unit: int | None = None) -> PermitEvent:
    return PermitEvent(kind, on, until, unit)


class EntryFactory(factory.Factory[RegisterEntry]):
    """A recreational permit of 2026 for one vehicle, issued in December before."""

    class Meta:
        model = RegisterEntry

    class Params:
        plate = factory.Sequence("BRA{:04d}".format)
        issued = date(2025, 12, 10)
        also: tuple[PermitEvent, ...] = ()

    service = Service.RECREATIONAL
    permit_type = "recreational"
    number = factory.Sequence("2026/{:04d}".format)
    number_key = factory.LazyAttribute(lambda entry: number_key(entry.number))
    holder_kind = HolderKind.COMPANY
    year = 2026
    units = factory.LazyAttribute(lambda entry: (unit(entry.plate),))
    events = factory.LazyAttribute(lambda entry: (happened(EventKind.ISSUE, entry.issued), *entry.also))


def put_permit(session: Session, municipality: str = RECREATIONAL, **told: Any) -> RegisterEntry:
    """A permit in the register of a town."""
    entry = EntryFactory(**told)
    add_entries(session, municipality, [entry], source="Cadastro municipal", now=KNOWN)
    return entry


def put_list(
    session: Session,
    municipality: str = RECREATIONAL,
    *,
    as_of: date = date(2026, 11, 28),
    kind: str = "register",
    service: Service = Service.RECREATIONAL,
    source: str = "Cadastro municipal",
) -> None:
    """The town's list, as it was received."""
    record_list(session, municipality, service=service, kind=kind, source=source, as_of=as_of, now=KNOWN)
