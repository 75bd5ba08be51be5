"""What one permit is worth on a day: the status of each vehicle, its reasons and the days on which it may be used.

Pure, and before anything is hidden from anybody: the desk sees this, ``portal.domain.judging`` tells it to the public.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from portal.domain.acts import belongs
from portal.domain.permits import EventKind, HolderKind, Permit, PermitEvent, Status, VehicleUnit
from portal.domain.rules import PermitRules, Source, SuspensionEnd
from portal.domain.terms import Span, renewal_is_over, span
from portal.domain.verdicts import Reason

RANK = {status: rank for rank, status in enumerate(Status)}
"""Best to worst, as `Status` lists them."""


@dataclass(frozen=True, slots=True)
class PermitStanding:
    """One permit on one day, before it is told to anybody: what the desk sees and the public may not."""

    permit: Permit
    rules: PermitRules | None
    term: Span
    """The days on which it may be used: the earlier end of law and paper counts."""
    status: Status
    """Of the worst of its vehicles."""
    units: tuple[tuple[VehicleUnit, Status], ...]
    """The vehicles that belong to it on the day, each with its status."""
    reasons: tuple[Reason, ...]

    @property
    def of_a_person(self) -> bool:
        return self.permit.holder_kind is HolderKind.NATURAL_PERSON or (
            self.rules is not None and self.rules.holder_kind is HolderKind.NATURAL_PERSON
        )


def best(statuses: Iterable[Status]) -> Status:
    return min(statuses, key=RANK.__getitem__)


def worst(statuses: Iterable[Status]) -> Status:
    return max(statuses, key=RANK.__getitem__)


def standing(permit: Permit, rules: PermitRules | None, on: date) -> PermitStanding:
    """What ``permit`` is worth on a civil day; its last valid day still counts.

    Args:
        rules: what the instrument in force on that day says of this type of permit; None if there is none.
    """
    units = tuple(unit for unit in permit.units if belongs(unit, on))
    term = effective_term(permit, rules)
    if rules is None or not rules.in_force:
        reason = Reason("bill" if rules else "no_instrument", instrument=rules.instrument if rules else None)
        unregulated = tuple((unit, Status.NOT_REGULATED) for unit in units)
        return PermitStanding(permit, rules, term, Status.NOT_REGULATED, unregulated, (reason,))

    happened = [event for event in permit.events if event.on <= on]
    whole, reasons = _status_of_whole(rules, happened, term, on)
    pairs: list[tuple[VehicleUnit, Status]] = []
    for unit in units:
        about = [event for event in happened if _concerns(event, unit, permit)]
        status, why = _status_of_unit(unit, rules, about, whole, on)
        if why and why not in reasons:
            reasons.append(why)
        pairs.append((unit, status))
    status = worst(status for _, status in pairs) if pairs else whole
    reasons += _disagreement(permit, rules)
    return PermitStanding(permit, rules, term, status, tuple(pairs), tuple(reasons))


def effective_term(permit: Permit, rules: PermitRules | None) -> Span:
    """The law's term cut by the dates printed on the paper: the later start and the earlier end count."""
    law = span(rules.term, permit) if rules else Span(None, None)
    starts = [day for day in (law.valid_from, permit.paper_valid_from) if day]
    ends = [day for day in (law.valid_until, permit.paper_valid_until) if day]
    issued = law.valid_from is not None or rules is None
    return Span(max(starts) if starts and issued else None, min(ends) if ends else None)


def _concerns(event: PermitEvent, unit: VehicleUnit, permit: Permit) -> bool:
    """Whether an act is about this vehicle, and not about the one that held its place on that day."""
    if event.unit != unit.position or belongs(unit, event.on):
        return True
    return not any(one.position == event.unit and belongs(one, event.on) for one in permit.units)


def reason_under(code: str, source: Source | None, **data: object) -> Reason:
    """A statement with the article it rests on, where the instrument names one."""
    if source is None:
        return Reason(code, data=data)
    return Reason(code, article=source.article, instrument=source.instrument, data=data)


def _status_of_whole(
    rules: PermitRules, happened: Sequence[PermitEvent], term: Span, on: date
) -> tuple[Status, list[Reason]]:
    source = rules.term.source
    of_all = [event for event in happened if event.unit is None]
    if revoked := _last(of_all, EventKind.REVOCATION):
        return Status.REVOKED, [reason_under("revoked", rules.revocation_source, since=revoked.on)]
    if cancelled := _last(of_all, EventKind.CANCELLATION):
        return Status.CANCELLED, [Reason("cancelled", data={"since": cancelled.on})]
    if term.valid_from is None:
        if term.valid_until is not None and on > term.valid_until:
            return Status.EXPIRED, [reason_under("request_over", source, until=term.valid_until)]
        return Status.NOT_YET_VALID, [reason_under("only_requested", source)]
    if term.valid_until is not None and on > term.valid_until:
        asked = _last(of_all, EventKind.RENEWAL_REQUEST)
        if asked and asked.on >= term.valid_from and not renewal_is_over(rules.term, term.valid_until, on):
            return Status.RENEWAL_PENDING, [
                reason_under("renewal_pending", source, until=term.valid_until, requested=asked.on)
            ]
        return Status.EXPIRED, [reason_under("expired", source, until=term.valid_until)]
    # Suspension and bar are about working now: a permit whose time is over has expired, whatever stood open.
    if suspended := _suspension(happened, None, rules, on):
        return Status.SUSPENDED, [suspended]
    if on < term.valid_from:
        return Status.NOT_YET_VALID, [reason_under("not_yet_valid", source, start=term.valid_from)]
    if term.valid_until is None:
        return Status.AUTHORIZED, [reason_under("valid_without_term", source)]
    return Status.AUTHORIZED, [reason_under("valid", source, start=term.valid_from, until=term.valid_until)]


def _status_of_unit(
    unit: VehicleUnit, rules: PermitRules, happened: Sequence[PermitEvent], whole: Status, on: date
) -> tuple[Status, Reason | None]:
    """A failed inspection bars one vehicle until it passes; an act may also concern one vehicle alone."""
    if whole is not Status.AUTHORIZED:
        return whole, None
    own = [event for event in happened if event.unit == unit.position]
    for kind, status in ((EventKind.REVOCATION, Status.REVOKED), (EventKind.CANCELLATION, Status.CANCELLED)):
        if act := _last(own, kind):
            return status, Reason(f"unit_{status}", data={"plate": unit.plate, "since": act.on})
    if suspended := _suspension(own, unit.position, rules, on):
        return Status.SUSPENDED, suspended
    inspections = [
        event
        for event in happened
        if event.unit in (None, unit.position)
        and event.kind in (EventKind.INSPECTION_FAILED, EventKind.INSPECTION_PASSED)
    ]
    # On a day with both, the vehicle was mended and passed: that is the order in which it can happen.
    inspections.sort(key=lambda event: (event.on, event.kind is EventKind.INSPECTION_PASSED))
    if inspections and inspections[-1].kind is EventKind.INSPECTION_FAILED:
        failed = inspections[-1]
        if failed.unit is None:
            return Status.BARRED, reason_under("barred", rules.inspection_source, since=failed.on)
        return Status.BARRED, reason_under(
            "unit_barred", rules.inspection_source, since=failed.on, plate=unit.plate, role=unit.role
        )
    return whole, None


def _suspension(
    happened: Sequence[PermitEvent], unit: int | None, rules: PermitRules, on: date
) -> Reason | None:
    """The suspension that still stands on ``on``; how it ends is the instrument's kind of rule."""
    ends_by = rules.suspension.ends_by if rules.suspension else SuspensionEnd.END_DATE
    for act in reversed([event for event in happened if event.kind is EventKind.SUSPENSION]):
        if act.unit != unit:
            continue
        releases = [
            event.on
            for event in happened
            if event.kind is EventKind.RELEASE and event.unit in (None, unit) and act.on <= event.on <= on
        ]
        match ends_by:
            case SuspensionEnd.RELEASE:
                over = bool(releases)
            case SuspensionEnd.COURSE:
                # The course does not shorten the time: a release counts from the last day on.
                over = any(act.until is None or day >= act.until for day in releases) and (
                    act.until is None or on > act.until
                )
            case SuspensionEnd.END_DATE:
                over = bool(releases) or (act.until is not None and on > act.until)
        if not over:
            source = rules.suspension.source if rules.suspension else None
            return reason_under(f"suspended_{ends_by}", source, since=act.on, until=act.until)
    return None


def _last(events: Sequence[PermitEvent], kind: EventKind) -> PermitEvent | None:
    return next((event for event in reversed(events) if event.kind is kind), None)


def _disagreement(permit: Permit, rules: PermitRules) -> list[Reason]:
    """Where paper and law name different last days both are said; the earlier one counts already."""
    law = span(rules.term, permit).valid_until
    paper = permit.paper_valid_until
    if law is None or paper is None or law == paper:
        return []
    return [reason_under("paper_and_law", rules.term.source, paper=paper, law=law, counts=min(law, paper))]
