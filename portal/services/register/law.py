"""What a register says against what the law says: never a refusal, always told to the clerk with the article.

Of two ends the earlier one counts, and both are said; a speed, an age or a number of seats beyond the norm is
the clerk's to clear up.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from sqlalchemy.orm import Session

from portal.domain.acts import belongs
from portal.domain.companions import whole_revoked
from portal.domain.permits import EventKind, Permit, Service
from portal.domain.plates import PlateQuery
from portal.domain.rules import PermitRules, TermKind, issued_on
from portal.domain.terms import barred_until, span_from
from portal.domain.verdicts import Reason
from portal.regulations import catalogue
from portal.regulations.catalogue import Catalogue
from portal.regulations.provisions import last_day_of_age, vehicle_limit
from portal.regulations.schema import Instrument, VehicleLimit
from portal.services.register.permits import Keeper
from portal.storage.desk_register import (
    Doubt,
    find_doubtful,
    find_known,
    next_permit,
    sharing_with_revoked,
)

CENTRAL, DRIVERS, VEHICLES = "permits_in_central_region", "drivers_per_vehicle", "vehicles_per_driver"
"""Caps that a register's own data can show to be passed."""
ALERTS = 50
LOOKED_AT = 5_000
"""Permits worth a look that one page reads, and .."""
STRETCH = 50_000
""".. permits that it looks for them among."""


@dataclass(frozen=True, slots=True)
class Alert:
    """Something in the register that contradicts the law."""

    permit_id: int
    number: str
    service: Service
    year: int | None
    reason: Reason


@dataclass(frozen=True, slots=True)
class AlertPage:
    alerts: tuple[Alert, ...]
    next_after: int | None
    """Permit after which to look on; None once every one was looked at."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a list tells of one permit, as far as the law has something to say of it."""

    service: Service
    permit_type: str
    year: int | None
    issued: date | None
    paid: date | None
    paper_until: date | None
    max_speed_kmh: int | None
    vehicles: tuple[tuple[str, str | None, int | None, int | None], ...]
    """Plate, kind of vehicle, model year, seated passengers."""


def contradictions(municipality: str, facts: Facts, on: date) -> list[Reason]:
    """Where a permit contradicts what is in force on a day."""
    law = _law(municipality, facts.permit_type, on)
    if law is None:
        return []
    rules = law.rules
    if law.instrument.is_bill:
        return [Reason("bill_permit", instrument=law.instrument.id)]
    found: list[Reason] = []
    if rules.max_speed_kmh and facts.max_speed_kmh and facts.max_speed_kmh > rules.max_speed_kmh:
        source = rules.max_speed_source
        article = source.article if source else None
        data = {"told": facts.max_speed_kmh, "law": rules.max_speed_kmh}
        found.append(Reason("speed_above_law", article, law.instrument.id, data))
    found += _term(rules, facts)
    for plate, kind, year, seats in facts.vehicles:
        limit = law.limits.get(kind or law.only_kind)
        if limit is not None and (year is not None or seats is not None):
            found += _vehicle(law.instrument, limit, plate, year, seats, on)
    cap = law.caps.get(VEHICLES)
    if cap and len(facts.vehicles) > cap[0]:
        data = {"told": len(facts.vehicles), "law": cap[0]}
        found.append(Reason("too_many_vehicles", cap[1], law.instrument.id, data))
    return found


def cap_of(municipality: str, permit_type: str, of: str, on: date) -> tuple[int, str, str] | None:
    """How many there may be, the article and the instrument; None where the text sets no such cap."""
    law = _law(municipality, permit_type, on)
    if law is None or of not in law.caps:
        return None
    return (*law.caps[of], law.instrument.id)


def facts_of(permit: Permit, on: date) -> Facts:
    payment = permit.first(EventKind.PAYMENT)
    return Facts(
        service=permit.service,
        permit_type=permit.permit_type,
        year=permit.year,
        issued=issued_on(permit),
        paid=payment.on if payment else None,
        paper_until=permit.paper_valid_until,
        max_speed_kmh=permit.max_speed_kmh,
        vehicles=tuple(
            (unit.plate, unit.vehicle_type, unit.model_year, unit.capacity)
            for unit in permit.units
            if belongs(unit, on)
        ),
    )


def list_alerts(session: Session, keeper: Keeper, *, on: date, after: int = 0) -> AlertPage:
    """What contradicts the law among the permits that stand, in the order of their ids.

    A page ends after ``ALERTS`` alerts, ``LOOKED_AT`` doubtful permits or ``STRETCH`` permits of any kind: a
    register of a million is read in stretches.
    """
    alerts: list[Alert] = []
    town = keeper.municipality
    first = next_permit(session, town, after)
    if first is None:
        return AlertPage((), None)
    doubts, last = doubts_of(town, on), first + STRETCH - 1
    sharing = sharing_with_revoked(session, first, last)
    after = first - 1
    for _batch in range(LOOKED_AT // 500):
        permits = find_doubtful(
            session, town, doubts, on=on, first=after + 1, last=last, sharing=sharing, limit=500
        )
        for permit in permits:
            after = permit.id
            reasons = contradictions(keeper.municipality, facts_of(permit, on), on)
            reasons += _barred(session, keeper, permit, on)
            alerts += [
                Alert(permit.id, permit.number, permit.service, permit.year, reason) for reason in reasons
            ]
            if len(alerts) >= ALERTS:
                return AlertPage(tuple(alerts), after)
        if len(permits) < 500:
            more = next_permit(session, town, last) is not None
            return AlertPage(tuple(alerts), last if more else None)
    return AlertPage(tuple(alerts), after)


@dataclass(frozen=True, slots=True)
class _Law:
    rules: PermitRules
    instrument: Instrument
    limits: dict[str | None, VehicleLimit]
    only_kind: str | None
    """The kind of vehicle where the instrument limits but one: a register need not name it."""
    caps: dict[str, tuple[int, str]]


def _law(municipality: str, permit_type: str, on: date) -> _Law | None:
    return _law_of(catalogue.current(), municipality, permit_type, on)


@lru_cache(maxsize=1024)
def _law_of(_read_from: Catalogue, municipality: str, permit_type: str, on: date) -> _Law | None:
    try:
        rules = catalogue.permit_rules(municipality, permit_type, on)
    except KeyError:
        return None
    instrument = catalogue.instrument(rules.instrument)
    kinds = dict.fromkeys(row.vehicle_type for row in instrument.vehicle_limits)
    limits: dict[str | None, VehicleLimit] = {
        kind: limit for kind in kinds if (limit := vehicle_limit(instrument, kind, on)) is not None
    }
    permit = next(one for one in instrument.permits if one.id == permit_type)
    caps = {row.of: (row.at_most, row.article) for row in catalogue.in_force(permit.caps, on)}
    return _Law(rules, instrument, limits, next(iter(limits)) if len(limits) == 1 else None, caps)


def _term(rules: PermitRules, facts: Facts) -> Iterator[Reason]:
    law = span_from(rules.term, issued=facts.issued, paid=facts.paid, year=facts.year)
    source = rules.term.source
    if law.valid_from and law.valid_until and law.valid_until < law.valid_from:
        data = {"issued": law.valid_from, "law": law.valid_until}
        yield Reason("never_valid", source.article, source.instrument, data)
    if facts.paper_until and law.valid_until and facts.paper_until > law.valid_until:
        data = {"paper": facts.paper_until, "law": law.valid_until}
        yield Reason("paper_beyond_law", source.article, source.instrument, data)


def _vehicle(
    instrument: Instrument, limit: VehicleLimit, plate: str, year: int | None, seats: int | None, on: date
) -> Iterator[Reason]:
    if year is not None and (last := last_day_of_age(limit, year)) is not None and last < on:
        data = {"plate": plate, "year": year, "law": limit.max_age_years, "until": last}
        yield Reason("vehicle_too_old", limit.article, instrument.id, data)
    most = _most_seats(limit)
    if seats is not None and most is not None and seats > most:
        data = {"plate": plate, "told": seats, "law": most}
        yield Reason("too_many_seats", limit.article, instrument.id, data)


def _most_seats(limit: VehicleLimit) -> int | None:
    """Seated passengers: people count the driver; where the text counts seats it says no more."""
    return limit.max_seats if limit.max_people is None else limit.max_people - 1


def doubts_of(municipality: str, on: date) -> list[Doubt]:
    """For each type of permit, the numbers beyond which a look at it is worth while."""
    doubts = []
    for _, permit in catalogue.permit_types(municipality, on):
        law = _law(municipality, permit.id, on)
        if law is None:
            continue
        limits = law.limits.values()
        ages = [limit.max_age_years for limit in limits if limit.max_age_years is not None]
        seats = [most for limit in limits if (most := _most_seats(limit)) is not None]
        cap = law.caps.get(VEHICLES)
        doubts.append(
            Doubt(
                service=permit.service,
                permit_type=permit.id,
                speed_above=law.rules.max_speed_kmh,
                seats_above=min(seats, default=None),
                model_before=on.year - min(ages) if ages else None,
                vehicles_above=cap[0] if cap else None,
                calendar_year=law.rules.term.kind is TermKind.CALENDAR_YEAR,
                all_of_them=law.instrument.is_bill,
            )
        )
    return doubts


def _barred(session: Session, keeper: Keeper, permit: Permit, on: date) -> list[Reason]:
    """A vehicle of a revoked permit that stands in another one, issued while the norm keeps its holder out."""
    issued = issued_on(permit)
    found: list[Reason] = []
    if issued is None:
        return found
    for unit in permit.units:
        query = PlateQuery(unit.plate, unit.plate)
        for known in find_known(session, keeper.municipality, query=query):
            other = known.permit
            revoked = whole_revoked(other, on)
            law = _law(keeper.municipality, other.permit_type, on)
            if (
                other.id == permit.id
                or other.service != permit.service
                or revoked is None
                or law is None
                or law.rules.revocation_bar is None
            ):
                continue
            bar = law.rules.revocation_bar
            until = barred_until(bar, revoked_on=revoked.on, permit_year=other.year)
            if until is not None and revoked.on <= issued <= until:
                data = {"plate": unit.plate, "number": other.number, "revoked": revoked.on, "until": until}
                found.append(Reason("barred_holder", bar.source.article, bar.source.instrument, data))
    return found
