"""From the standings of permits to a verdict: what a passenger is told, and what is nobody's business.

Pure: no clock, no database, no words for the citizen.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Protocol

from portal.domain.companions import standings_of, without_superseded
from portal.domain.deadlines import IsHoliday, oldest_lawful_list
from portal.domain.permits import HolderKind, Permit, Service, Status
from portal.domain.plates import PlateQuery, Query, near_misses, twin
from portal.domain.rules import PermitRules
from portal.domain.standing import RANK, PermitStanding, best, reason_under, worst
from portal.domain.verdicts import ListSeen, PermitFinding, Reason, UnitFinding, Verdict

OUTSIDE = "outside"
"""The role of a plate that was asked for and does not stand in the permit asked for."""

_ORDER = list(Service).index


class ListOnFile(Protocol):
    """A list as the storage keeps it."""

    @property
    def service(self) -> Service: ...
    @property
    def kind(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def as_of(self) -> date: ...


def judge(
    permits: Sequence[Permit],
    *,
    query: Query,
    municipality: str,
    on: date,
    computed_at: datetime,
    rules: Mapping[str, PermitRules],
    lists: Sequence[ListOnFile],
    beside: Sequence[Permit] = (),
    is_holiday: IsHoliday = lambda _day: False,
    today: date | None = None,
    elsewhere: Sequence[tuple[str, Status]] = (),
    checks: Mapping[Service, Sequence[Reason]] | None = None,
) -> Verdict:
    """The verdict of one town on a plate or a permit number.

    Args:
        permits: those that `find_permits` found in this town.
        on: civil date in the municipality's zone.
        computed_at: instant of the answer, for the person to read.
        rules: for every type of permit that the town knows, what its instrument says on that day.
        lists: every list of the town, as it stands.
        beside: permits of the same vehicles or holder that were not asked for; they are judged with, and not told.
        today: the civil date of ``computed_at``; how late a list is does not grow by asking about next year.
        elsewhere: other towns where this plate stands in a permit, with its status there.
        checks: what a passenger can check on board, by service.
    """
    standings = without_superseded(standings_of(permits, rules, on, beside=beside), on)
    asked_unit: dict[int, Status] = {}
    inside, outside = standings, []
    if isinstance(query, PlateQuery):
        for found in standings:
            statuses = [status for unit, status in found.units if unit.plate_key == query.key]
            if statuses:
                asked_unit[found.permit.id] = best(statuses)
        inside = [found for found in standings if found.permit.id in asked_unit]
        outside = [found for found in standings if found.permit.id not in asked_unit]

    notes = _notes_on_reading(query, inside) + _notes_on_outsiders(query, outside, inside, on)
    in_force = [rule for rule in rules.values() if rule.in_force]
    seen: tuple[ListSeen, ...]
    if inside:
        status, units, findings = _combine(query, inside, asked_unit)
        services = {found.permit.service for found in inside}
        seen = _lists_seen(lists, in_force, services, min(on, today or on), is_holiday)
    else:
        seen = _lists_seen(lists, in_force, None, min(on, today or on), is_holiday)
        status, why = _absent(rules, in_force, seen)
        notes += why
        units, findings = _outsider_units(query, outside)
        services = {rule.service for rule in in_force}
    for rule in in_force:
        known_until = rule.text_known_until
        if rule.service in services and known_until is not None and on > known_until:
            note = Reason("text_known_until", instrument=rule.instrument, data={"until": known_until})
            if note not in notes:
                notes.append(note)
    absent = status in (Status.NOT_FOUND, Status.UNKNOWN)
    # What to look at before getting in is for the vehicle that may carry people: elsewhere it would invite.
    wanted: Collection[Service] = services if status is Status.AUTHORIZED else ()
    return Verdict(
        query=query.typed,
        asked=query.asked,
        is_plate=isinstance(query, PlateQuery),
        municipality=municipality,
        on=on,
        computed_at=computed_at,
        status=status,
        units=units,
        permits=findings,
        lists=seen,
        elsewhere=tuple(elsewhere),
        notes=tuple(notes),
        checks=tuple(
            [check for s in sorted(wanted, key=_ORDER) for check in checks.get(s, ())] if checks else ()
        ),
        near_misses=near_misses(query.plate) if absent and isinstance(query, PlateQuery) else (),
    )


def _combine(
    query: Query, inside: Sequence[PermitStanding], asked_unit: Mapping[int, Status]
) -> tuple[Status, tuple[UnitFinding, ...], tuple[PermitFinding, ...]]:
    """Each vehicle's status is the best among its permits; the worst vehicle stands on top.

    The vehicles are those of the permits that serve the asked plate best: a trailer that once belonged
    to an expired permit of the same tractor says nothing about today's combination.
    """
    told = {found.permit.id: _public_status(found, asked_unit.get(found.permit.id)) for found in inside}
    top = best(told.values())
    ordered = sorted(
        inside,
        key=lambda f: (
            RANK[told[f.permit.id]],
            -(f.term.valid_until or date.max).toordinal(),
            f.permit.number,
        ),
    )
    by_unit: dict[str, list[Status]] = {}
    for found in inside:
        for unit, status in found.units:
            by_unit.setdefault(unit.plate_key, []).append(_masked(found, status))
    units: dict[str, UnitFinding] = {}
    for found in ordered:
        if told[found.permit.id] is not top:
            continue
        for unit, _ in found.units:
            if found.of_a_person and not (isinstance(query, PlateQuery) and unit.plate_key == query.key):
                continue  # numbers run in order: they must not tell the plates of people's cars
            units.setdefault(
                unit.plate_key, UnitFinding(unit.plate, unit.role, best(by_unit[unit.plate_key]))
            )
    findings: list[PermitFinding] = []
    a_person_told = False
    for found in ordered:
        if found.of_a_person:
            if a_person_told:
                continue  # how many permits a person's car had is nobody's business
            a_person_told = True
        findings.append(_finding(query, found))
    status = worst(unit.status for unit in units.values()) if units else top
    return status, tuple(units.values()), tuple(findings)


def _public_status(found: PermitStanding, asked: Status | None) -> Status:
    return _masked(found, asked if asked is not None else found.status)


def _masked(found: PermitStanding, status: Status) -> Status:
    """A person's permit is authorised or not in force, whatever the cause: never a sanction."""
    if not found.of_a_person or status in (Status.AUTHORIZED, Status.NOT_REGULATED):
        return status
    return Status.NOT_IN_FORCE


def _finding(query: Query, found: PermitStanding) -> PermitFinding:
    permit, rules = found.permit, found.rules
    told = _masked(found, found.status)
    shown = not found.of_a_person or told is Status.AUTHORIZED
    capacities = [unit.capacity for unit, _ in found.units]
    speeds = [speed for speed in (permit.max_speed_kmh, rules.max_speed_kmh if rules else None) if speed]
    reasons = list(found.reasons) if shown else []
    if found.of_a_person:
        source = rules.term.source if rules else None
        reasons.append(reason_under("of_a_person" if shown else "not_in_force", source))
    if speeds and shown and rules and rules.max_speed_source:
        reasons.append(reason_under("max_speed", rules.max_speed_source, kmh=min(speeds)))
    units = tuple(
        UnitFinding(unit.plate, unit.role, _masked(found, status))
        for unit, status in found.units
        if not found.of_a_person or (isinstance(query, PlateQuery) and unit.plate_key == query.key)
    )
    return PermitFinding(
        number=permit.number if shown else None,
        service=permit.service,
        permit_type=permit.permit_type,
        holder_kind=HolderKind.NATURAL_PERSON if found.of_a_person else permit.holder_kind,
        status=told,
        valid_from=found.term.valid_from if shown else None,
        valid_until=found.term.valid_until if shown else None,
        capacity=sum(known) if shown and (known := [c for c in capacities if c]) else None,
        max_speed_kmh=min(speeds) if speeds and shown else None,
        itinerary=permit.itinerary if shown else None,
        units=units,
        trade_name=None if found.of_a_person else permit.trade_name,
        reasons=tuple(reasons),
    )


def _notes_on_reading(query: Query, inside: Sequence[PermitStanding]) -> list[Reason]:
    notes = []
    if query.folded:
        notes.append(Reason("look_alike", data={"read": query.asked}))
    if isinstance(query, PlateQuery):
        if query.corrected:
            notes.append(Reason("read_as", data={"read": query.plate}))
        listed = {unit.plate for found in inside for unit, _ in found.units if unit.plate_key == query.key}
        if listed and query.plate not in listed:
            notes.append(Reason("twin", data={"typed": query.plate, "listed": min(listed)}))
        elif not inside and (other := twin(query.plate)):
            notes.append(Reason("both_forms", data={"plate": query.plate, "twin": other}))
    return notes


def _notes_on_outsiders(
    query: Query, outside: Sequence[PermitStanding], inside: Sequence[PermitStanding], on: date
) -> list[Reason]:
    """A plate that left a permit, joins it later, or never stood in the permit whose number was typed."""
    if not isinstance(query, PlateQuery):
        return []
    notes = []
    for found in outside:
        if found.of_a_person:
            continue
        number = found.permit.number
        days = [unit for unit in found.permit.units if unit.plate_key == query.key]
        if not days:
            notes.append(Reason("outside_permit", data={"plate": query.plate, "number": number}))
        elif not inside and (left := [u.valid_until for u in days if u.valid_until and u.valid_until < on]):
            notes.append(
                Reason("left_permit", data={"plate": query.plate, "number": number, "on": max(left)})
            )
        elif not inside and (joins := [u.valid_from for u in days if u.valid_from and u.valid_from > on]):
            notes.append(
                Reason("joins_permit", data={"plate": query.plate, "number": number, "on": min(joins)})
            )
    return notes


def _outsider_units(
    query: Query, outside: Sequence[PermitStanding]
) -> tuple[tuple[UnitFinding, ...], tuple[PermitFinding, ...]]:
    """The permit whose number was typed beside a plate that is not in it: the plate is said to be outside."""
    if not isinstance(query, PlateQuery) or not query.number_key:
        return (), ()
    asked = [
        found
        for found in outside
        if not found.of_a_person and all(unit.plate_key != query.key for unit in found.permit.units)
    ]
    if not asked:
        return (), ()
    own = (UnitFinding(unit.plate, unit.role, status) for unit, status in asked[0].units)
    return (UnitFinding(query.plate, OUTSIDE, Status.NOT_FOUND), *own), (_finding(query, asked[0]),)


def _absent(
    rules: Mapping[str, PermitRules], in_force: Sequence[PermitRules], seen: Sequence[ListSeen]
) -> tuple[Status, list[Reason]]:
    """Nothing names what was asked: is that *not found*, or can nobody say?"""
    if not in_force:
        bill = next(iter(rules.values()), None)
        return Status.NOT_REGULATED, [
            Reason("bill", instrument=bill.instrument) if bill else Reason("no_instrument")
        ]
    if not seen:
        return Status.UNKNOWN, [Reason("no_list")]
    reasons: list[Reason] = []
    duties = {rule.service: rule.platform_list for rule in in_force if rule.platform_list}
    for service, duty in duties.items():
        late = [one for one in seen if one.kind == "platform" and one.service is service and one.stale]
        reasons += [
            reason_under("list_late", duty.source, list=one.source, as_of=one.as_of, days=duty.every_days)
            for one in late
        ]
    if reasons:
        return Status.UNKNOWN, reasons
    # A lawful car may be missing for weeks until its platform's next list is due.
    return Status.NOT_FOUND, [
        reason_under(
            "list_lag", duty.source, days=duty.every_days, business_day=duty.business_day_of_next_month
        )
        for duty in duties.values()
    ]


def _lists_seen(
    lists: Sequence[ListOnFile],
    in_force: Sequence[PermitRules],
    services: Collection[Service] | None,
    on: date,
    is_holiday: IsHoliday,
) -> tuple[ListSeen, ...]:
    duties = {rule.service: rule.platform_list for rule in in_force if rule.platform_list}
    oldest = {service: oldest_lawful_list(duty, on, is_holiday) for service, duty in duties.items()}
    return tuple(
        ListSeen(
            source=one.source,
            kind=one.kind,
            as_of=one.as_of,
            stale=one.kind == "platform" and one.service in oldest and one.as_of < oldest[one.service],
            service=one.service,
        )
        for one in sorted(lists, key=lambda one: (one.kind != "register", one.source))
        if services is None or one.service in services
    )
