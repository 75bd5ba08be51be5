"""The register as a clerk keeps it: find a permit, read all that is known of it, record what happened.

Every function takes a `Keeper` and sees that municipality alone: another one's permit does not exist here.
What is recorded stands in the municipality's audit chain, and the next look-up follows it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from sqlalchemy.orm import Session

from portal.domain.acts import NewVehicle, belongs, check_act, check_day, check_paper
from portal.domain.companions import standings_of
from portal.domain.errors import (
    ActRefused,
    NoSuchPermit,
    NotAllowed,
    NothingHere,
    ReasonMissing,
    SeveralPermits,
)
from portal.domain.permits import EventKind, Permit, PermitEvent, Status, VehicleUnit
from portal.domain.plates import PlateQuery, identify, plate_key
from portal.domain.rules import PermitRules
from portal.domain.staff import StaffMember
from portal.domain.standing import PermitStanding
from portal.domain.terms import Span, span
from portal.domain.texts import clean_line, within
from portal.regulations import catalogue
from portal.services.people import audit
from portal.services.people.audit import AuditEntry
from portal.services.people.staff import actor, name_of_actor
from portal.services.verdicts.verification import permits_beside
from portal.storage import desk_register as store
from portal.storage.cases import names_of_staff
from portal.storage.desk_register import KnownAct, KnownPermit

PAGE = 25
MOST_COUNTED = 10_000
"""Permits of a list that are counted; beyond them it only says that there are more."""
REASON_LIMIT = 300
TICK = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Keeper:
    """Who reads or changes a register, as far as that person may."""

    municipality: str
    actor: str
    """As the audit chain names it: ``staff:7`` or ``cli``."""
    writes: bool = True


@dataclass(frozen=True, slots=True)
class RegisterLine:
    """One permit in a list."""

    id: int
    number: str
    permit: Permit
    plates: tuple[str, ...]
    status: Status
    term: Span
    listed_until: date | None
    """Last day on which its list named it; None while it does."""


@dataclass(frozen=True, slots=True)
class RegisterPage:
    lines: tuple[RegisterLine, ...]
    total: int
    """How many there are; `MOST_COUNTED` stands for that many or more."""
    next_before: int | None = None
    """Permit before which the list goes on; None at its end."""


@dataclass(frozen=True, slots=True)
class Change:
    """An entry of the audit chain, with the name of who stands behind it."""

    entry: AuditEntry
    by: str | None


@dataclass(frozen=True, slots=True)
class PermitFile:
    """Everything that the register holds of a permit, on one day and as it was known at one instant."""

    permit: Permit
    rules: PermitRules | None
    standing: PermitStanding
    law: Span
    """What the instrument says, whatever the paper prints."""
    source: str
    listed_until: date | None
    acts: tuple[KnownAct, ...]
    changes: tuple[Change, ...]
    on: date
    known_at: datetime | None

    @property
    def units_now(self) -> tuple[VehicleUnit, ...]:
        return tuple(unit for unit in self.permit.units if belongs(unit, self.on))

    def vehicle_of(self, act: PermitEvent) -> VehicleUnit | None:
        """The vehicle that an act is about: the one that held its place on that day; None for the whole permit."""
        held = [unit for unit in self.permit.units if unit.position == act.unit]
        return next((unit for unit in held if belongs(unit, act.on)), held[0] if held else None)


def keeper_of(staff: StaffMember) -> Keeper:
    """The staff member as a keeper of the register.

    Raises:
        NotAllowed: neither keeps nor reads it.
    """
    if not staff.may_read_register:
        raise NotAllowed
    return Keeper(staff.municipality, actor(staff), writes=staff.may_keep_register)


def keeper_at(municipality: str, who: str = "cli") -> Keeper:
    """Whoever has the machine itself; raises ``UnknownMunicipality``."""
    return Keeper(catalogue.municipality(municipality).slug, who)


def end_of_day(municipality: str, day: date) -> datetime:
    """The last instant of a civil day in a town: what was known on that day was known by then."""
    zone = catalogue.municipality(municipality).zone
    return datetime.combine(day + timedelta(1), time(), zone) - TICK


def find_in_register(
    session: Session,
    keeper: Keeper,
    text: str,
    *,
    on: date,
    known_at: datetime | None = None,
    before: int | None = None,
) -> RegisterPage:
    """Permits by plate or number, retired ones too; without a text every permit that a list named ``on`` that day.

    The latest stand first; ``before`` is the `RegisterPage.next_before` of the page that came before.

    Raises:
        UnreadableQuery: the text is neither a plate nor a permit number.
    """
    if text.strip():
        found = store.find_known(session, keeper.municipality, query=identify(text), known_at=known_at)
        lines = _lines(session, keeper, found, on, known_at)
        return RegisterPage(lines, len(lines))
    town = keeper.municipality
    total = store.count_known(session, town, known_at=known_at, on=on, at_most=MOST_COUNTED)
    found = store.page_of_known(session, town, known_at=known_at, on=on, before=before, limit=PAGE + 1)
    shown = found[:PAGE]
    goes_on = shown[-1].permit.id if len(found) > PAGE else None
    return RegisterPage(_lines(session, keeper, shown, on, known_at), total, goes_on)


def permit_by_number(
    session: Session,
    keeper: Keeper,
    number: str,
    *,
    year: int | None = None,
    permit_type: str | None = None,
    known_at: datetime | None = None,
) -> int:
    """The permit that bears a number, or that a plate stands in.

    Raises:
        UnreadableQuery: neither a plate nor a permit number.
        NoSuchPermit: none in this town.
        SeveralPermits: more than one; say its year or type.
    """
    found = [
        one.permit
        for one in store.find_known(session, keeper.municipality, query=identify(number), known_at=known_at)
        if year in (None, one.permit.year) and permit_type in (None, one.permit.permit_type)
    ]
    if not found:
        raise NoSuchPermit(number)
    if len(found) > 1:
        choices = (f"{one.number} ({one.permit_type}, {one.year or '–'})" for one in found)
        raise SeveralPermits(number, tuple(choices))
    return found[0].id


def read_permit(
    session: Session, keeper: Keeper, permit_id: int, *, on: date, known_at: datetime | None = None
) -> PermitFile:
    """A permit with its vehicles and acts, judged on a day, as known now or at ``known_at``.

    Raises:
        NothingHere: no such permit in this town, or none was known then.
    """
    known = _known(session, keeper, permit_id, known_at)
    rules = catalogue.rules_of_town(keeper.municipality, on).get(known.permit.permit_type)
    names = names_of_staff(session, keeper.municipality)
    changes = audit.history_of(session, keeper.municipality, f"permit:{permit_id}")
    return PermitFile(
        permit=known.permit,
        rules=rules,
        standing=_standings(session, keeper, [known.permit], on, known_at)[0],
        law=span(rules.term, known.permit) if rules else Span(None, None),
        source=known.source,
        listed_until=known.valid_until,
        acts=store.acts_of(session, permit_id, known_at=known_at),
        changes=tuple(Change(entry, name_of_actor(entry.actor, names)) for entry in reversed(changes)),
        on=on,
        known_at=known_at,
    )


def sharing_plates(
    session: Session, keeper: Keeper, permit: Permit, *, on: date
) -> tuple[tuple[str, int, str], ...]:
    """Other permits of the town that a vehicle of this one stands in on a day: plate, id and number of each."""
    found: list[tuple[str, int, str]] = []
    for unit in permit.units:
        if not belongs(unit, on):
            continue
        for known in store.find_known(session, keeper.municipality, query=PlateQuery(unit.plate, unit.plate)):
            other = known.permit
            listed = known.valid_until is None or on <= known.valid_until
            here = any(one.plate_key == unit.plate_key and belongs(one, on) for one in other.units)
            if other.id != permit.id and listed and here:
                found.append((unit.plate, other.id, other.number))
    return tuple(found)


def record_act(
    session: Session, keeper: Keeper, permit_id: int, event: PermitEvent, *, now: datetime
) -> None:
    """Record what happened to a permit: request, payment, issue, inspection, suspension and the rest.

    A change of vehicle goes through `change_vehicle`.

    Raises:
        NothingHere: no such permit in this town.
        NotAllowed: this keeper only reads.
        ActRefused: the act cannot be; says which part of it and why.
    """
    at, permit = _begin(session, keeper, permit_id, now)
    event = replace(event, act_number=_act_number(event.act_number), by_desk=True)
    check_act(permit, event, today=_today(keeper, now))
    store.add_act(session, permit_id, event, at=at)
    _log(session, keeper, permit_id, f"permit.{event.kind}", at, _told(event))


def change_vehicle(
    session: Session,
    keeper: Keeper,
    permit_id: int,
    *,
    on: date,
    leaves: int | None,
    joins: NewVehicle | None,
    now: datetime,
    act_number: str | None = None,
    act_date: date | None = None,
) -> None:
    """Take a vehicle out of a permit, put one in, or both at once: the new one takes the old one's place.

    Args:
        on: first day of the new vehicle; the old one belongs to the permit until the day before.
        leaves: position of the vehicle that leaves.
        joins: the vehicle that comes, its plate as ``portal.domain.plates.read_plate`` reads it.

    Raises:
        as `record_act`.
    """
    at, permit = _begin(session, keeper, permit_id, now)
    today = _today(keeper, now)
    check_day(on, today=today, may_come=True)
    act_number = _act_number(act_number)
    check_paper(act_number, act_date, today=today)
    here = [unit for unit in permit.units if belongs(unit, on)]
    old = _leaving(here, leaves, on)
    if old is None and joins is None:
        raise ActRefused("no_vehicle", "plate")
    if joins is None and len(here) == 1:
        raise ActRefused("last_unit", "unit")
    if joins is not None and any(unit.plate == joins.plate for unit in here):
        raise ActRefused("plate_here", "plate", text=joins.plate)
    after: list[VehicleUnit] = []
    if old is not None:
        after.append(replace(old, valid_until=on - timedelta(1)))
    position = old.position if old else max((unit.position for unit in permit.units), default=0) + 1
    if joins is not None:
        after.append(
            VehicleUnit(
                position=position,
                role=joins.role or (old.role if old else "vehicle"),
                plate=joins.plate,
                plate_key=plate_key(joins.plate),
                vehicle_type=joins.vehicle_type,
                model_year=joins.model_year,
                capacity=joins.capacity,
                valid_from=on,
            )
        )
    store.replace_units(session, permit_id, [old.position] if old else [], after, at=at)
    event = PermitEvent(EventKind.VEHICLE_CHANGE, on, None, position, act_number, act_date, by_desk=True)
    store.add_act(session, permit_id, event, at=at)
    _log(session, keeper, permit_id, "permit.vehicle_change", at, _told(event))


def strike_act(
    session: Session, keeper: Keeper, permit_id: int, act_id: int, reason: str, *, now: datetime
) -> None:
    """Take back an act that was recorded by mistake; what was known before stays known.

    Raises:
        NothingHere, NotAllowed: as `record_act`.
        ReasonMissing: the reason says nothing.
        ActRefused: ``gone`` when it was taken back already.
    """
    at, _permit = _begin(session, keeper, permit_id, now)
    said = within(clean_line(reason), REASON_LIMIT)
    if not said:
        raise ReasonMissing
    struck = next((act for act in store.acts_of(session, permit_id) if act.id == act_id), None)
    if struck is None or not store.close_act(session, permit_id, act_id, at=at):
        raise ActRefused("gone", "reason")
    told = f"{struck.event.kind} {_told(struck.event)}: {said}"
    _log(session, keeper, permit_id, "permit.act_struck", at, told)


def begin_change(session: Session, keeper: Keeper, *, now: datetime) -> datetime:
    """Lock a town's register and answer the instant at which the change is learnt: later than every other.

    Raises:
        NotAllowed: this keeper only reads.
    """
    if not keeper.writes:
        raise NotAllowed
    head = store.lock_register(session, keeper.municipality)
    at = now if head.learnt_at is None else max(now, head.learnt_at + TICK)
    head.revision, head.learnt_at = head.revision + 1, at
    session.flush()
    return at


def _begin(session: Session, keeper: Keeper, permit_id: int, now: datetime) -> tuple[datetime, Permit]:
    _known(session, keeper, permit_id)
    at = begin_change(session, keeper, now=now)
    # Read again behind the lock: another clerk may have been faster.
    return at, _known(session, keeper, permit_id).permit


def _known(session: Session, keeper: Keeper, permit_id: int, known_at: datetime | None = None) -> KnownPermit:
    found = store.find_known(session, keeper.municipality, permit_id=permit_id, known_at=known_at)
    if not found:
        raise NothingHere("permit")
    return found[0]


def _standings(
    session: Session, keeper: Keeper, permits: Sequence[Permit], on: date, known_at: datetime | None
) -> list[PermitStanding]:
    """As the public is told, and nothing hidden: with what other permits of a vehicle or holder do to each."""
    rules = catalogue.rules_of_town(keeper.municipality, on)
    beside = permits_beside(session, keeper.municipality, permits, on=on, known_at=known_at)
    return standings_of(permits, rules, on, beside=beside)


def _lines(
    session: Session, keeper: Keeper, found: Sequence[KnownPermit], on: date, known_at: datetime | None
) -> tuple[RegisterLine, ...]:
    judged = _standings(session, keeper, [known.permit for known in found], on, known_at)
    return tuple(
        RegisterLine(
            id=known.permit.id,
            number=known.permit.number,
            permit=known.permit,
            plates=tuple(unit.plate for unit, _status in each.units),
            status=each.status,
            term=each.term,
            listed_until=known.valid_until,
        )
        for known, each in zip(found, judged, strict=True)
    )


def _leaving(here: Sequence[VehicleUnit], position: int | None, on: date) -> VehicleUnit | None:
    if position is None:
        return None
    old = next((unit for unit in here if unit.position == position and unit.valid_until is None), None)
    if old is None:
        raise ActRefused("no_such_unit", "unit", day=on)
    if old.valid_from is not None and old.valid_from >= on:
        raise ActRefused("no_such_unit", "unit", day=on - timedelta(1))
    return old


def _act_number(text: str | None) -> str | None:
    return clean_line(text or "") or None


def _today(keeper: Keeper, now: datetime) -> date:
    return catalogue.municipality(keeper.municipality).civil_day(now)


def _told(event: PermitEvent) -> str:
    """An act as the audit chain keeps it, in no language: its days, the vehicle's place, the act and its day."""
    days = event.on.isoformat() + (f" – {event.until.isoformat()}" if event.until else "")
    paper = event.act_number or ""
    if event.act_date:
        paper = f"{paper} ({event.act_date.isoformat()})".strip()
    return " · ".join(
        part for part in (days, f"#{event.unit}" if event.unit is not None else "", paper) if part
    )


def _log(session: Session, keeper: Keeper, permit_id: int, action: str, at: datetime, reason: str) -> None:
    audit.record(
        session,
        keeper.municipality,
        actor=keeper.actor,
        action=action,
        subject=f"permit:{permit_id}",
        at=at,
        reason=reason,
    )
