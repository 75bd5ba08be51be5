"""What permits of one vehicle or one holder mean for each other: bars after a revocation, papers that go
together, and one that follows another. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from portal.domain.names import fold
from portal.domain.permits import EventKind, Permit, PermitEvent, Status, VehicleUnit
from portal.domain.rules import BarKind, PermitRules, Source, issued_on
from portal.domain.standing import PermitStanding, best, reason_under, standing, worst
from portal.domain.terms import barred_until
from portal.domain.verdicts import Reason


def standings_of(
    permits: Sequence[Permit], rules: Mapping[str, PermitRules], on: date, *, beside: Sequence[Permit] = ()
) -> list[PermitStanding]:
    """What each of ``permits`` is worth on a civil day, with all that the others do to it.

    Args:
        rules: for every type of permit that the town knows, what its instrument says on that day.
        beside: permits of the same vehicles or holder, whose standing is not asked for.
    """
    asked = {permit.id for permit in permits}
    everybody = [
        standing(permit, rules.get(permit.permit_type), on)
        for permit in (*permits, *(other for other in beside if other.id not in asked))
    ]
    if len(everybody) > 1:
        everybody = [_under_bar(found, everybody, on) for found in everybody]
    return [_with_what_it_needs(found, everybody) for found in everybody[: len(permits)]]


def may_lean_on_others(permit: Permit, rules: PermitRules | None) -> bool:
    """Whether what this permit is worth may depend on others of its vehicles or its holder."""
    if rules is None or not rules.in_force or issued_on(permit) is None:
        return False
    bar = rules.revocation_bar
    return bool(rules.needs) or (bar is not None and bar.kind is not BarKind.NONE_IN_TEXT)


def without_superseded(standings: Sequence[PermitStanding], on: date) -> list[PermitStanding]:
    """Leave out a permit whose time is over when a later one of the same kind has begun.

    Without this, last year's expired permit would stand above this year's revoked one as the "best", though
    the renewal had begun before it ended.
    """

    def superseded(old: PermitStanding) -> bool:
        ended = old.term.valid_until
        if ended is None or ended >= on:
            return False
        return any(
            new.permit.service == old.permit.service
            and new.permit.permit_type == old.permit.permit_type
            and new.term.valid_from is not None
            and (old.term.valid_from or date.min) < new.term.valid_from <= on
            and ended < (new.term.valid_until or date.max)
            and _follows(old.permit, new.permit)
            for new in standings
        )

    return [found for found in standings if not superseded(found)]


def _follows(old: Permit, new: Permit) -> bool:
    return old.number == new.number or new.renewal_of == old.id or _share_a_vehicle(old, new)


def _share_a_vehicle(one: Permit, other: Permit) -> bool:
    keys = {unit.plate_key for unit in one.units}
    return any(unit.plate_key in keys for unit in other.units)


def _same_holder(one: Permit, other: Permit) -> bool:
    return bool(one.trade_name and other.trade_name) and fold(one.trade_name or "") == fold(
        other.trade_name or ""
    )


def _under_bar(found: PermitStanding, others: Iterable[PermitStanding], on: date) -> PermitStanding:
    """A permit issued to the holder of a revoked one while its instrument keeps the holder out: the law counts.

    Only who is known to be the same, by trade name and vehicle, is kept out: a vehicle may have been sold, and
    two companies may bear one name.
    """
    issued = issued_on(found.permit)
    if found.status is not Status.AUTHORIZED or issued is None or found.rules is None or found.of_a_person:
        return found
    for other in others:
        revoked = whole_revoked(other.permit, on)
        bar = other.rules.revocation_bar if other.rules else None
        if (
            revoked is None
            or bar is None
            or other.permit.id == found.permit.id
            or other.permit.service != found.permit.service
            or not _same_holder(found.permit, other.permit)
            or not (
                _share_a_vehicle(found.permit, other.permit) or found.permit.number == other.permit.number
            )
        ):
            continue
        until = barred_until(bar, revoked_on=revoked.on, permit_year=other.permit.year)
        if until is not None and revoked.on <= issued and on <= until:
            reason = reason_under(
                "revoked_bar", bar.source, number=other.permit.number, since=revoked.on, until=until
            )
            return _all_at(found, Status.REVOKED, reason)
    return found


def whole_revoked(permit: Permit, on: date) -> PermitEvent | None:
    """The revocation of a permit itself, not of one vehicle of it, that stands on a day."""
    acts = (act for act in permit.events if act.kind is EventKind.REVOCATION and act.unit is None)
    return next((act for act in acts if act.on <= on), None)


def _with_what_it_needs(found: PermitStanding, everybody: Sequence[PermitStanding]) -> PermitStanding:
    """A permit that its instrument lets work only beside another is worth no more than the other.

    The other one names the same vehicle; or names none, and is held under the same trade name.
    """
    rules = found.rules
    if rules is None or not rules.needs or found.status is Status.NOT_REGULATED:
        return found
    missing: list[Reason] = []
    units: list[tuple[VehicleUnit, Status]] = list(found.units)
    whole: Status = found.status
    for need in rules.needs:
        others = [one for one in everybody if one.permit.permit_type == need and one is not found]
        source = Source(rules.instrument, rules.needs_article or rules.term.source.article)
        reason = reason_under("needs_other", source, need=need)
        if not units:
            of_holder = [one.status for one in others if _same_holder(found.permit, one.permit)]
            whole = worst((whole, _beside(of_holder)))
            if whole is not found.status:
                missing.append(reason)
        for position, (unit, status) in enumerate(units):
            if status is Status.AUTHORIZED and (lent := _lent(found.permit, unit, others)) is not status:
                units[position] = (unit, lent)
                if reason not in missing:
                    missing.append(reason)
    if not missing:
        return found
    status = worst(status for _, status in units) if units else whole
    return replace(found, status=status, units=tuple(units), reasons=(*missing, *_but_valid(found.reasons)))


def _lent(permit: Permit, unit: VehicleUnit, others: Iterable[PermitStanding]) -> Status:
    """The best that the other papers give one vehicle."""
    statuses: list[Status] = []
    for other in others:
        if not other.permit.units:
            statuses += [other.status] if _same_holder(permit, other.permit) else []
        statuses += [status for own, status in other.units if own.plate_key == unit.plate_key]
    return _beside(statuses)


def _beside(statuses: Sequence[Status]) -> Status:
    """Without the other paper a permit does not count yet, whatever its own dates."""
    return best(statuses) if statuses else Status.NOT_YET_VALID


def _all_at(found: PermitStanding, status: Status, reason: Reason) -> PermitStanding:
    units = tuple((unit, status) for unit, _ in found.units)
    return replace(found, status=status, units=units, reasons=(reason, *_but_valid(found.reasons)))


def _but_valid(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    return tuple(reason for reason in reasons if reason.code not in ("valid", "valid_without_term"))
