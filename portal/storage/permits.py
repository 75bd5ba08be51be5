"""The register of permits as it is kept: who may run which vehicles, since when, and when we learnt it.

Every row below a permit is versioned twice: ``valid_from``/``valid_until`` say when it was true, as civil
dates, and ``known_from``/``known_until`` when the register held it, as instants. Nothing is overwritten:
what was known on a day can be asked again.

The look-up is the hottest path of the product. It selects columns, never objects, in four round trips.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import (
    BindParameter,
    ForeignKey,
    Index,
    Select,
    String,
    UniqueConstraint,
    bindparam,
    exists,
    or_,
    select,
)
from sqlalchemy.orm import Mapped, Session, mapped_column

from portal.domain.permits import EventKind, HolderKind, Permit, PermitEvent, Service, VehicleUnit
from portal.domain.plates import PlateQuery, Query
from portal.storage.base import Base
from portal.storage.prepared import Prepared, Reader


class PermitRow(Base):
    """A permit itself: what never changes about it."""

    __tablename__ = "permits"
    __table_args__ = (
        UniqueConstraint("municipality", "service", "permit_type", "number_key", "year"),
        Index(None, "number_key", "municipality"),
        Index(None, "municipality", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    municipality: Mapped[str] = mapped_column(String(80))
    service: Mapped[str] = mapped_column(String(40))
    permit_type: Mapped[str] = mapped_column(String(60))
    number: Mapped[str] = mapped_column(String(40))
    number_key: Mapped[str] = mapped_column(String(40))
    """See `portal.domain.plates.number_key`."""
    year: Mapped[int] = mapped_column(default=0)
    """The calendar year the permit is for; 0 where its term needs none, as NULL would never be a duplicate."""
    holder_kind: Mapped[str] = mapped_column(String(20))


class PermitVersionRow(Base):
    """What may change about a permit, each wording with its time."""

    __tablename__ = "permit_versions"
    __table_args__ = (Index(None, "permit_id", "known_until"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    permit_id: Mapped[int] = mapped_column(ForeignKey("permits.id"))
    trade_name: Mapped[str | None] = mapped_column(String(120))
    itinerary: Mapped[str | None] = mapped_column(String(80), index=True)
    max_speed_kmh: Mapped[int | None]
    paper_valid_from: Mapped[date | None]
    paper_valid_until: Mapped[date | None]
    renewal_of: Mapped[int | None] = mapped_column(ForeignKey("permits.id"))
    source: Mapped[str] = mapped_column(String(120))
    """The list that told so: a permit missing from a later list of the same source is retired, no other."""
    run_id: Mapped[int | None]
    """The reading that brought it; unseen as long as that is being published (`PublishingRow`)."""
    valid_from: Mapped[date | None]
    valid_until: Mapped[date | None]
    known_from: Mapped[datetime]
    known_until: Mapped[datetime | None]


class PublishingRow(Base):
    """A reading that is being published: its permits are written but unseen, until this one row goes."""

    __tablename__ = "publishing_runs"

    run_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)


class VehicleUnitRow(Base):
    """One vehicle of a permit; a combination has several, in order."""

    __tablename__ = "vehicle_units"
    __table_args__ = (Index(None, "permit_id", "known_until"), Index(None, "plate_key", "permit_id"))

    id: Mapped[int] = mapped_column(primary_key=True)
    permit_id: Mapped[int] = mapped_column(ForeignKey("permits.id"))
    position: Mapped[int]
    role: Mapped[str] = mapped_column(String(20))
    plate: Mapped[str] = mapped_column(String(7))
    plate_key: Mapped[str] = mapped_column(String(7))
    """See `portal.domain.plates.plate_key`; indexed across municipalities."""
    vehicle_type: Mapped[str | None] = mapped_column(String(60))
    model_year: Mapped[int | None]
    capacity: Mapped[int | None]
    valid_from: Mapped[date | None]
    valid_until: Mapped[date | None]
    known_from: Mapped[datetime]
    known_until: Mapped[datetime | None]


class PermitEventRow(Base):
    """One act on a permit. ``valid_from`` is its day; ``valid_until`` the last day of a suspension that states one."""

    __tablename__ = "permit_events"
    __table_args__ = (Index(None, "permit_id", "known_until"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    permit_id: Mapped[int] = mapped_column(ForeignKey("permits.id"))
    kind: Mapped[str] = mapped_column(String(30))
    unit: Mapped[int | None]
    """Position of the vehicle it concerns; NULL is the whole permit."""
    act_number: Mapped[str | None] = mapped_column(String(60))
    act_date: Mapped[date | None]
    by_desk: Mapped[bool] = mapped_column(default=False)
    """Recorded by a clerk at the desk: a list that is silent about it never takes it back."""
    valid_from: Mapped[date]
    valid_until: Mapped[date | None]
    known_from: Mapped[datetime]
    known_until: Mapped[datetime | None]


class PermitListRow(Base):
    """A list that permits came from: the municipality's own register, or one that a platform must deliver."""

    __tablename__ = "permit_lists"
    __table_args__ = (Index(None, "municipality", "known_until"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    municipality: Mapped[str] = mapped_column(String(80))
    service: Mapped[str] = mapped_column(String(40))
    kind: Mapped[str] = mapped_column(String(20))
    """``register`` or ``platform``."""
    source: Mapped[str] = mapped_column(String(120))
    as_of: Mapped[date]
    import_run_id: Mapped[int | None] = mapped_column(ForeignKey("import_runs.id"))
    known_from: Mapped[datetime]
    known_until: Mapped[datetime | None]


@dataclass(frozen=True, slots=True)
class PermitList:
    """A list as it stood: ``kind`` is ``register`` or ``platform``, ``as_of`` the day it describes."""

    municipality: str
    service: Service
    kind: str
    source: str
    as_of: date


PERMIT_COLUMNS: tuple[Any, ...] = (
    PermitRow.id, PermitRow.municipality, PermitRow.service, PermitRow.permit_type, PermitRow.number,
    PermitRow.year, PermitRow.holder_kind, PermitVersionRow.trade_name, PermitVersionRow.itinerary,
    PermitVersionRow.max_speed_kmh, PermitVersionRow.paper_valid_from, PermitVersionRow.paper_valid_until,
    PermitVersionRow.renewal_of, PermitVersionRow.valid_from, PermitVersionRow.valid_until,
)  # fmt: skip
_UNIT: tuple[Any, ...] = (
    VehicleUnitRow.permit_id, VehicleUnitRow.position, VehicleUnitRow.role, VehicleUnitRow.plate,
    VehicleUnitRow.plate_key, VehicleUnitRow.vehicle_type, VehicleUnitRow.model_year, VehicleUnitRow.capacity,
    VehicleUnitRow.valid_from, VehicleUnitRow.valid_until,
)  # fmt: skip
_EVENT: tuple[Any, ...] = (
    PermitEventRow.permit_id, PermitEventRow.kind, PermitEventRow.valid_from, PermitEventRow.valid_until,
    PermitEventRow.unit, PermitEventRow.act_number, PermitEventRow.act_date, PermitEventRow.by_desk,
)  # fmt: skip
_LIST: tuple[Any, ...] = (
    PermitListRow.municipality, PermitListRow.service, PermitListRow.kind, PermitListRow.source,
    PermitListRow.as_of,
)  # fmt: skip

_ACTS = {str(kind): kind for kind in EventKind}
_SERVICES = {str(service): service for service in Service}
_HOLDERS = {str(kind): kind for kind in HolderKind}
"""What columns of text mean: to call an enumeration costs three calls for each cell."""

_Row = Sequence[Any]
"""A row of columns as the driver hands it over; SQLAlchemy's own type counts columns, which ours vary."""

_Versioned = type[PermitVersionRow] | type[VehicleUnitRow] | type[PermitEventRow] | type[PermitListRow]


def known(row: _Versioned, then: bool) -> Any:
    """The rows held now, or those held at the instant ``known_at``; none of what is only being published."""
    held: Any
    if then:
        at = bindparam("known_at", type_=row.known_from.type)
        held = (row.known_from <= at) & or_(row.known_until.is_(None), row.known_until > at)
    else:
        held = row.known_until.is_(None)
    if row is not PermitVersionRow:
        return held
    unseen = exists().where(PublishingRow.run_id == PermitVersionRow.run_id)
    return held & ~unseen.correlate(PermitVersionRow)


def _by_plate(then: bool) -> Any:
    unit = VehicleUnitRow
    return select(unit.permit_id).where(unit.plate_key == bindparam("plate_key"), known(unit, then))


def _by_number(_then: bool) -> Any:
    # A register that keeps the year in a column of its own answers "12/2026" as well.
    return select(PermitRow.id).where(
        or_(
            PermitRow.number_key == bindparam("number_key"),
            PermitRow.number_key == bindparam("dated_key"),
            (PermitRow.number_key == bindparam("bare_key")) & (PermitRow.year == bindparam("year")),
        )
    )


def _by_either(then: bool) -> Any:
    return _by_plate(then).union_all(_by_number(then))


def _by_holder(then: bool) -> Any:
    version = PermitVersionRow
    return (
        select(PermitRow.id)
        .join(version, version.permit_id == PermitRow.id)
        .where(
            PermitRow.municipality == bindparam("municipality"),
            PermitRow.service == bindparam("service"),
            PermitRow.permit_type == bindparam("permit_type"),
            version.trade_name == bindparam("trade_name"),
            known(version, then),
        )
    )


def _by_id(_then: bool) -> Any:
    return select(PermitRow.id).where(PermitRow.id == bindparam("permit_id"))


_ASKED: dict[str, Callable[[bool], Any]] = {
    "plate": _by_plate,
    "number": _by_number,
    "both": _by_either,
    "holder": _by_holder,
    "id": _by_id,
}
"""What may be asked for, and the select of the permits that answer it."""

_BOTH = (False, True)


def _permits_where(condition: Any, then: bool) -> Select[Any]:
    version = PermitVersionRow
    return (
        select(*PERMIT_COLUMNS)
        .join(version, version.permit_id == PermitRow.id)
        .where(condition, known(version, then))
    )


def _in_town(found: Select[Any], town: bool) -> Select[Any]:
    return found.where(PermitRow.municipality == bindparam("municipality")) if town else found


def _units_where(condition: Any, then: bool) -> Select[Any]:
    return (
        select(*_UNIT)
        .where(condition, known(VehicleUnitRow, then))
        .order_by(VehicleUnitRow.permit_id, VehicleUnitRow.position)
    )


def _events_where(condition: Any, then: bool) -> Select[Any]:
    return (
        select(*_EVENT)
        .where(condition, known(PermitEventRow, then))
        .order_by(PermitEventRow.permit_id, PermitEventRow.valid_from, PermitEventRow.id)
    )


_PERMITS = {
    (kind, then, town): Prepared(_in_town(_permits_where(PermitRow.id.in_(asked(then)), then), town))
    for kind, asked in _ASKED.items()
    for then in _BOTH
    for town in _BOTH
}
_UNITS = {
    (kind, then): Prepared(_units_where(VehicleUnitRow.permit_id.in_(asked(then)), then))
    for kind, asked in _ASKED.items()
    for then in _BOTH
}
_EVENTS = {
    (kind, then): Prepared(_events_where(PermitEventRow.permit_id.in_(asked(then)), then))
    for kind, asked in _ASKED.items()
    for then in _BOTH
}
_LISTS = {
    (then, town): Prepared(
        select(*_LIST).where(
            known(PermitListRow, then),
            *([PermitListRow.municipality == bindparam("municipality")] if town else []),
        )
    )
    for then in _BOTH
    for town in _BOTH
}
# These take a list of permits, and are run as any select.
_IDS: BindParameter[Any] = bindparam("ids", expanding=True)
_UNITS_OF = {then: _units_where(VehicleUnitRow.permit_id.in_(_IDS), then) for then in _BOTH}
_EVENTS_OF = {then: _events_where(PermitEventRow.permit_id.in_(_IDS), then) for then in _BOTH}


def find_permits(
    session: Session | Reader,
    municipality: str | None,
    query: Query,
    *,
    on: date | Mapping[str, date],
    known_at: datetime | None = None,
) -> tuple[Permit, ...]:
    """Permits that name the plate or bear the number asked for.

    Args:
        municipality: slug; None looks in every town, still in one query.
        on: the wording of each permit that was true on that day; by municipality, as midnight comes at its own hour.
        known_at: what the register held at that instant; None is now.

    A permit keeps the vehicles that left it or join it later, with their days: judging says so.
    """
    parameters: dict[str, Any] = {} if municipality is None else {"municipality": municipality}
    number = query.number_key if isinstance(query, PlateQuery) else query.key
    kind = "number" if not isinstance(query, PlateQuery) else "both" if number else "plate"
    if isinstance(query, PlateQuery):
        parameters["plate_key"] = query.key
    if number:
        year, _, bare = number.partition("/")
        has_year = bool(bare) and year.isdigit() and len(year) == 4
        parameters |= {
            "number_key": number,
            "bare_key": bare if has_year else number,
            "year": int(year) if has_year else -1,
            # On the panel "2026/0012" is often just "12": then this year's is meant.
            "dated_key": f"{_year_of(on)}/{number}" if number.isdigit() else number,
        }
    return _permits(session, kind, parameters, on, known_at)


def find_permits_of_holder(
    session: Session | Reader,
    municipality: str,
    service: Service,
    permit_type: str,
    trade_name: str,
    *,
    on: date,
    known_at: datetime | None = None,
) -> tuple[Permit, ...]:
    """Permits of one type held under a trade name, written as the register writes it."""
    parameters = {
        "municipality": municipality,
        "service": service.value,
        "permit_type": permit_type,
        "trade_name": trade_name,
    }
    return _permits(session, "holder", parameters, on, known_at)


def find_permit(
    session: Session | Reader, municipality: str, permit_id: int, *, on: date
) -> tuple[Permit, ...]:
    """The permit of a town with this id, in the wording that was true on a day; empty where there is none."""
    return _permits(session, "id", {"municipality": municipality, "permit_id": permit_id}, on, None)


def _permits(
    session: Session | Reader,
    kind: str,
    parameters: dict[str, Any],
    on: date | Mapping[str, date],
    known_at: datetime | None,
) -> tuple[Permit, ...]:
    then = known_at is not None
    if then:
        parameters["known_at"] = known_at
    found = _PERMITS[kind, then, "municipality" in parameters].rows(session, parameters)
    rows = [row for row in found if _true_on(row, on)]
    if not rows:
        return ()
    units: dict[int, list[VehicleUnit]] = {}
    for unit in _UNITS[kind, then].rows(session, parameters):
        units.setdefault(unit[0], []).append(VehicleUnit(*unit[1:]))
    events: dict[int, list[PermitEvent]] = {}
    for event in _EVENTS[kind, then].rows(session, parameters):
        events.setdefault(event[0], []).append(PermitEvent(_ACTS[event[1]], *event[2:]))
    return tuple(_permit(row, units.get(row[0], ()), events.get(row[0], ())) for row in rows)


def _year_of(on: date | Mapping[str, date]) -> int:
    return on.year if isinstance(on, date) else max(day.year for day in on.values())


def _true_on(row: _Row, on: date | Mapping[str, date]) -> bool:
    day = on if isinstance(on, date) else on.get(row[1])
    valid_from, valid_until = row[13:15]
    if day is None:
        return False
    return (valid_from is None or valid_from <= day) and (valid_until is None or day <= valid_until)


def _permit(row: _Row, units: Iterable[VehicleUnit], events: Iterable[PermitEvent]) -> Permit:
    (
        permit_id, municipality, service, permit_type, number, year, holder_kind,
        trade_name, itinerary, max_speed_kmh, paper_valid_from, paper_valid_until, renewal_of,
    ) = row[:13]  # fmt: skip
    return Permit(
        id=permit_id,
        municipality=municipality,
        service=_SERVICES[service],
        permit_type=permit_type,
        number=number,
        holder_kind=_HOLDERS[holder_kind],
        units=tuple(units),
        events=tuple(events),
        year=year or None,
        trade_name=trade_name,
        itinerary=itinerary,
        max_speed_kmh=max_speed_kmh,
        paper_valid_from=paper_valid_from,
        paper_valid_until=paper_valid_until,
        renewal_of=renewal_of,
    )


def find_lists(
    session: Session | Reader, municipality: str | None, *, known_at: datetime | None = None
) -> tuple[PermitList, ...]:
    """The lists of a town as they stand, or as they stood at ``known_at``; of every town for None."""
    then, town = known_at is not None, municipality is not None
    parameters: dict[str, Any] = {}
    if then:
        parameters["known_at"] = known_at
    if town:
        parameters["municipality"] = municipality
    rows = _LISTS[then, town].rows(session, parameters)
    return tuple(PermitList(row[0], _SERVICES[row[1]], *row[2:]) for row in rows)


def permits_of_itinerary(
    session: Session, municipality: str, itinerary: str, *, on: date
) -> tuple[Permit, ...]:
    """Permits that name an itinerary, whatever their status: an itinerary is authorised only while one is in force."""
    condition = PermitVersionRow.itinerary == bindparam("itinerary")
    rows = (
        session.connection()
        .execute(
            _in_town(_permits_where(condition, False), True),
            {"itinerary": itinerary, "municipality": municipality},
        )
        .all()
    )
    return with_parts(session, [row for row in rows if _true_on(row, on)])


def with_parts(
    session: Session, rows: Sequence[_Row], known_at: datetime | None = None
) -> tuple[Permit, ...]:
    """Permits with their vehicles and acts, from rows that begin with ``PERMIT_COLUMNS``."""
    then = known_at is not None
    connection = session.connection()
    units: dict[int, list[VehicleUnit]] = {}
    events: dict[int, list[PermitEvent]] = {}
    ids = sorted({row[0] for row in rows})
    for start in range(0, len(ids), 500):
        some: dict[str, Any] = {"ids": ids[start : start + 500]} | ({"known_at": known_at} if then else {})
        for row in connection.execute(_UNITS_OF[then], some):
            units.setdefault(row[0], []).append(VehicleUnit(*row[1:]))
        for permit_id, kind, *rest in connection.execute(_EVENTS_OF[then], some):
            events.setdefault(permit_id, []).append(PermitEvent(EventKind(kind), *rest))
    return tuple(_permit(row, units.get(row[0], ()), events.get(row[0], ())) for row in rows)
