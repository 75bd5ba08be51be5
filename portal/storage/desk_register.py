"""The register as a clerk works on it: one permit with everything known of it, pages of permits, single acts.

None of this is on the path of a passenger's look-up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Protocol

from sqlalchemy import String, and_, extract, func, insert, or_, select, true, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Mapped, Session, mapped_column

from portal.domain.permits import EventKind, Permit, PermitEvent, VehicleUnit
from portal.domain.plates import NumberQuery, PlateQuery, Query
from portal.storage.base import Base
from portal.storage.permits import (
    PERMIT_COLUMNS,
    PermitEventRow,
    PermitRow,
    PermitVersionRow,
    VehicleUnitRow,
    known,
    with_parts,
)
from portal.storage.registers import event_values, unit_values

WORDINGS = 4
"""Wordings of one permit that may stand at once: it was on the list, off it and on it again, each with its days."""
MOST_SHARING = 10_000
"""Permits that one statement can name; beyond them every permit is looked at."""


class RegisterHeadRow(Base):
    """One row a town: locked by whoever changes its register, and counting the changes."""

    __tablename__ = "register_heads"

    municipality: Mapped[str] = mapped_column(String(80), primary_key=True)
    revision: Mapped[int] = mapped_column(default=0)
    learnt_at: Mapped[datetime | None]
    """The instant of the last change; the next one is later, so that no two changes share an instant."""


@dataclass(frozen=True, slots=True)
class KnownPermit:
    """A permit with what the desk sees beside it."""

    permit: Permit
    source: str
    valid_from: date | None
    valid_until: date | None
    """Last day on which the list named it; None while it does."""


@dataclass(frozen=True, slots=True)
class KnownAct:
    id: int
    event: PermitEvent
    known_from: datetime


class Vehicle(Protocol):
    """A vehicle as far as a norm limits it."""

    @property
    def model_year(self) -> int | None: ...
    @property
    def capacity(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Doubt:
    """Numbers of one type of permit beyond which it may contradict the law; None where there is no such limit."""

    service: str
    permit_type: str
    speed_above: int | None
    seats_above: int | None
    model_before: int | None
    vehicles_above: int | None
    calendar_year: bool
    """The year that the permit is for says when it ends; otherwise any printed end is worth a look."""
    all_of_them: bool

    def worth_a_look(
        self,
        year: int,
        issued: date | None,
        paper_until: date | None,
        max_speed_kmh: int | None,
        units: Sequence[Vehicle],
    ) -> bool:
        """Whether a permit may contradict the law: never False for one that does."""
        if self.all_of_them:
            return True
        if not self.calendar_year or not year:
            if paper_until is not None:
                return True
        elif (paper_until is not None and paper_until.year > year) or (issued and issued.year > year):
            return True
        if self.speed_above and max_speed_kmh and max_speed_kmh > self.speed_above:
            return True
        if self.vehicles_above and len(units) > self.vehicles_above:
            return True
        for unit in units:
            if self.seats_above and unit.capacity and unit.capacity > self.seats_above:
                return True
            if self.model_before and unit.model_year and unit.model_year < self.model_before:
                return True
        return False


def lock_register(session: Session, municipality: str) -> RegisterHeadRow:
    """The head of a town's register, held until the transaction ends."""
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    session.execute(
        dialect.insert(RegisterHeadRow).values(municipality=municipality, revision=0).on_conflict_do_nothing()
    )
    wanted = select(RegisterHeadRow).where(RegisterHeadRow.municipality == municipality).with_for_update()
    return session.scalars(wanted, execution_options={"populate_existing": True}).one()


def revision_of(session: Session, municipality: str) -> int:
    wanted = select(RegisterHeadRow.revision).where(RegisterHeadRow.municipality == municipality)
    return session.scalar(wanted) or 0


def learnt_at_of(session: Session, municipality: str) -> datetime | None:
    """The instant of the last change of a town's register; None where nothing was ever changed."""
    return session.scalar(
        select(RegisterHeadRow.learnt_at).where(RegisterHeadRow.municipality == municipality)
    )


def find_known(
    session: Session,
    municipality: str,
    *,
    query: Query | None = None,
    permit_id: int | None = None,
    known_at: datetime | None = None,
) -> tuple[KnownPermit, ...]:
    """Permits of one town, retired ones too, as the register holds them or held them at ``known_at``.

    A permit that was retired and came back stands once, in its last wording.
    """
    wanted = _known_permits(_conditions(municipality, query, permit_id, known_at, None)).order_by(
        PermitRow.year.desc(), PermitRow.service, PermitRow.number, PermitRow.id, PermitVersionRow.id.desc()
    )
    return _known_ones(session, session.connection().execute(wanted, _parameters(known_at)).all(), known_at)


def page_of_known(
    session: Session,
    municipality: str,
    *,
    known_at: datetime | None,
    on: date,
    before: int | None,
    limit: int,
) -> tuple[KnownPermit, ...]:
    """Permits that a list named on a day, those that came last first, from below the id ``before`` on.

    Read along an index, so that a page of a million permits costs what one of ten does.
    """
    conditions = _conditions(municipality, None, None, known_at, on)
    if before is not None:
        conditions.append(PermitRow.id < before)
    wanted = (
        _known_permits(conditions)
        .order_by(PermitRow.id.desc(), PermitVersionRow.id.desc())
        .limit(limit * WORDINGS)
    )
    rows = session.connection().execute(wanted, _parameters(known_at)).all()
    return _known_ones(session, rows, known_at)[:limit]


def _known_permits(conditions: Sequence[Any]) -> Any:
    version = PermitVersionRow
    return (
        select(*PERMIT_COLUMNS, version.source)
        .join(version, version.permit_id == PermitRow.id)
        .where(*conditions)
    )


def _known_ones(session: Session, rows: Sequence[Any], known_at: datetime | None) -> tuple[KnownPermit, ...]:
    """Each permit once: of several wordings the first of the rows stands."""
    first: dict[int, Any] = {}
    for row in rows:
        first.setdefault(row[0], row)
    permits = {permit.id: permit for permit in with_parts(session, list(first.values()), known_at)}
    return tuple(
        KnownPermit(permits[one], row.source, row.valid_from, row.valid_until) for one, row in first.items()
    )


def count_known(
    session: Session, municipality: str, *, known_at: datetime | None, on: date, at_most: int
) -> int:
    """How many permits a list named on a day; counting ends at ``at_most``."""
    some = (
        select(PermitRow.id)
        .join(PermitVersionRow, PermitVersionRow.permit_id == PermitRow.id)
        .where(*_conditions(municipality, None, None, known_at, on))
        .limit(at_most)
        .subquery()
    )
    wanted = select(func.count(some.c.id.distinct()))
    return session.connection().execute(wanted, _parameters(known_at)).scalar_one()


def next_permit(session: Session, municipality: str, after: int) -> int | None:
    """The first permit of a town whose id is greater."""
    return session.scalar(
        select(PermitRow.id)
        .where(PermitRow.municipality == municipality, PermitRow.id > after)
        .order_by(PermitRow.id)
        .limit(1)
    )


def sharing_with_revoked(session: Session, first: int, last: int) -> list[int]:
    """Permits of a stretch of ids that share a plate with one that was revoked, that one included."""
    unit, act = VehicleUnitRow, PermitEventRow
    revoked = select(act.permit_id).where(act.kind == EventKind.REVOCATION, act.known_until.is_(None))
    keys = select(unit.plate_key).where(unit.permit_id.in_(revoked))
    here = (unit.plate_key.in_(keys), unit.permit_id.between(first, last))
    wanted = select(unit.permit_id).where(*here).distinct()
    return list(session.scalars(wanted))


def find_doubtful(
    session: Session,
    municipality: str,
    doubts: Sequence[Doubt],
    *,
    on: date,
    first: int,
    last: int,
    sharing: Sequence[int],
    limit: int,
) -> tuple[Permit, ...]:
    """Permits of a stretch of ids that stand on a day and may contradict the law; the exact look is the service's."""
    version = PermitVersionRow
    worth = or_(PermitRow.id.in_(sharing), *map(_worth_a_look, doubts))
    wanted = (
        select(*PERMIT_COLUMNS)
        .join(version, version.permit_id == PermitRow.id)
        .where(*_conditions(municipality, None, None, None, on), PermitRow.id.between(first, last))
        .where(worth if len(sharing) < MOST_SHARING else true())
        .order_by(PermitRow.id)
        .limit(limit)
    )
    return with_parts(session, session.connection().execute(wanted).all())


def _worth_a_look(doubt: Doubt) -> Any:
    version, unit = PermitVersionRow, VehicleUnitRow
    this = and_(PermitRow.service == doubt.service, PermitRow.permit_type == doubt.permit_type)
    if doubt.all_of_them:
        return this
    printed: Any = version.paper_valid_until.is_not(None)
    if doubt.calendar_year:
        late = func.coalesce(extract("year", version.paper_valid_until), 0) > PermitRow.year
        printed = and_(printed, or_(PermitRow.year == 0, late))
    signs: list[Any] = [printed]
    if doubt.calendar_year:
        issued = (
            select(PermitEventRow.permit_id)
            .where(PermitEventRow.permit_id == PermitRow.id, PermitEventRow.kind == EventKind.ISSUE)
            .where(extract("year", PermitEventRow.valid_from) > PermitRow.year)
        )
        signs.append(and_(PermitRow.year > 0, issued.exists()))
    if doubt.speed_above is not None:
        signs.append(version.max_speed_kmh > doubt.speed_above)
    of_unit = []
    if doubt.seats_above is not None:
        of_unit.append(unit.capacity > doubt.seats_above)
    if doubt.model_before is not None:
        of_unit.append(unit.model_year < doubt.model_before)
    own = select(unit.permit_id).where(unit.permit_id == PermitRow.id, unit.known_until.is_(None))
    if of_unit:
        signs.append(own.where(or_(*of_unit)).exists())
    if doubt.vehicles_above is not None:
        signs.append(own.group_by(unit.permit_id).having(func.count() > doubt.vehicles_above).exists())
    return and_(this, or_(*signs))


def acts_of(session: Session, permit_id: int, *, known_at: datetime | None = None) -> tuple[KnownAct, ...]:
    """The acts on a permit as they are or were known, in the order of their days."""
    row = PermitEventRow
    wanted = (
        select(row.id, row.known_from, row.kind, row.valid_from, row.valid_until, row.unit, row.act_number,
               row.act_date, row.by_desk)
        .where(row.permit_id == permit_id, known(row, known_at is not None))
        .order_by(row.valid_from, row.id)
    )  # fmt: skip
    rows = session.connection().execute(wanted, _parameters(known_at))
    return tuple(KnownAct(one[0], PermitEvent(EventKind(one[2]), *one[3:]), one[1]) for one in rows)


def add_act(session: Session, permit_id: int, event: PermitEvent, *, at: datetime) -> int:
    return session.execute(
        insert(PermitEventRow).values(event_values(permit_id, event, at)).returning(PermitEventRow.id)
    ).scalar_one()


def close_act(session: Session, permit_id: int, act_id: int, *, at: datetime) -> bool:
    """Say that an act is no longer held to be true; False if it was not."""
    row = PermitEventRow
    closed = session.execute(
        update(row)
        .where(row.id == act_id, row.permit_id == permit_id, row.known_until.is_(None))
        .values(known_until=at)
        .returning(row.id)
    )
    return closed.first() is not None


def replace_units(
    session: Session, permit_id: int, positions: Sequence[int], units: Sequence[VehicleUnit], *, at: datetime
) -> None:
    """Close the rows of the vehicles in these positions that are still there, and write the new wording."""
    row = VehicleUnitRow
    if positions:
        session.execute(
            update(row)
            .where(
                row.permit_id == permit_id,
                row.position.in_(positions),
                row.known_until.is_(None),
                row.valid_until.is_(None),
            )
            .values(known_until=at)
        )
    if units:
        session.execute(insert(row), [unit_values(permit_id, unit, at) for unit in units])


def _conditions(
    municipality: str,
    query: Query | None,
    permit_id: int | None,
    known_at: datetime | None,
    on: date | None,
) -> list[Any]:
    version = PermitVersionRow
    then = known_at is not None
    conditions = [PermitRow.municipality == municipality, known(version, then)]
    if permit_id is not None:
        conditions.append(PermitRow.id == permit_id)
    if on is not None:
        conditions.append(or_(version.valid_from.is_(None), version.valid_from <= on))
        conditions.append(or_(version.valid_until.is_(None), version.valid_until >= on))
    if isinstance(query, PlateQuery):
        bearing = select(VehicleUnitRow.permit_id).where(
            VehicleUnitRow.plate_key == query.key, known(VehicleUnitRow, then)
        )
        conditions.append(PermitRow.id.in_(bearing))
    elif isinstance(query, NumberQuery):
        year, _, bare = query.key.partition("/")
        dated = bool(bare) and year.isdigit() and len(year) == 4
        with_year = and_(PermitRow.number_key == bare, PermitRow.year == int(year)) if dated else None
        same = PermitRow.number_key == query.key
        conditions.append(or_(same, with_year) if with_year is not None else same)
    return conditions


def _parameters(known_at: datetime | None) -> dict[str, Any]:
    return {"known_at": known_at} if known_at is not None else {}
