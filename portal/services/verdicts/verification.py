"""May this vehicle carry me? One answer for page, message, JSON and command line."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

from sqlalchemy.orm import Session

from portal.domain.companions import may_lean_on_others
from portal.domain.deadlines import add_months
from portal.domain.errors import DateOutOfReach, UnreadableDate
from portal.domain.judging import judge
from portal.domain.permits import Permit, Status
from portal.domain.plates import NumberQuery, PlateQuery, Query, identify
from portal.domain.standing import RANK
from portal.domain.verdicts import Verdict
from portal.regulations import catalogue
from portal.storage.permits import (
    PermitList,
    find_lists,
    find_permit,
    find_permits,
    find_permits_of_holder,
)
from portal.storage.prepared import Reader

ABSENT = frozenset({Status.NOT_FOUND, Status.UNKNOWN, Status.NOT_REGULATED})
"""Statuses that say nothing of a permit: nothing of the kind is told of another town."""


def verify_permit(
    session: Session | Reader,
    municipality: str,
    query: str,
    *,
    on: date,
    now: datetime,
    known_at: datetime | None = None,
) -> Verdict:
    """Tell a passenger what the register of one town says of a vehicle on a day.

    Args:
        session: open unit of work, or ``reading()``; only read here.
        municipality: slug, such as ``caraguatatuba-sp``.
        query: number plate or permit number, as the passenger typed it.
        on: civil date in the municipality's zone.
        now: the instant of the answer.
        known_at: what the register held at that instant; None is what it holds now.

    Returns:
        The verdict: one status a unit and permit, each with its articles; ``capacity`` in seated passengers.

    Raises:
        UnreadableQuery: the text is neither a plate nor a permit number.
        UnknownMunicipality: no such town is served.

    Source article: the catalogue's rules of each permit type.
    """
    town = catalogue.municipality(municipality)
    asked = identify(query)
    # A permit number means something in its own town alone; a plate is one vehicle wherever it drives.
    everywhere = isinstance(asked, PlateQuery)
    days = dict.fromkeys(catalogue.current().municipalities, on)
    permits = find_permits(session, None if everywhere else town.slug, asked, on=days, known_at=known_at)
    lists = find_lists(session, town.slug, known_at=known_at)
    by_town = _by_town(permits)

    def judged(slug: str, lists: Sequence[PermitList] = ()) -> Verdict:
        found = by_town.get(slug, ())
        beside = permits_beside(session, slug, found, on=on, known_at=known_at, asked=asked)
        return _judge_in(slug, asked, found, lists, beside, on=on, now=now)

    verdict = judged(town.slug, lists)
    elsewhere = [
        (slug, status)
        for slug in by_town
        if slug != town.slug and (status := judged(slug).status) not in ABSENT
    ]
    if not elsewhere:
        return verdict
    return replace(verdict, elsewhere=tuple(sorted(elsewhere, key=lambda pair: (RANK[pair[1]], pair[0]))))


def verify_everywhere(
    session: Session | Reader, query: str, *, now: datetime, first: str | None = None
) -> tuple[Verdict, ...]:
    """The verdict of every town served, today in each; in one look at the register.

    ``first`` is the nearest or remembered town and stands on top; then the towns that know the vehicle, best
    status first. Raises as `verify_permit`.
    """
    asked = identify(query)
    towns = catalogue.municipalities()
    days = {town.slug: now.astimezone(town.zone).date() for town in towns}
    by_town = _by_town(find_permits(session, None, asked, on=days))
    lists: dict[str, list[PermitList]] = {}
    for one in find_lists(session, None):
        lists.setdefault(one.municipality, []).append(one)
    verdicts = [
        _judge_in(
            slug,
            asked,
            by_town.get(slug, ()),
            lists.get(slug, ()),
            permits_beside(session, slug, by_town.get(slug, ()), on=day, asked=asked),
            on=day,
            now=now,
        )
        for slug, day in days.items()
    ]
    known = [(one.municipality, one.status) for one in verdicts if one.status not in ABSENT]
    if isinstance(asked, PlateQuery):
        verdicts = [
            replace(one, elsewhere=tuple(pair for pair in known if pair[0] != one.municipality))
            for one in verdicts
        ]
    verdicts.sort(key=lambda one: (one.municipality != first, one.status in ABSENT, RANK[one.status]))
    return tuple(verdicts)


def verify_own(
    session: Session, municipality: str, permit_id: int, plate: str | None, *, on: date, now: datetime
) -> Verdict:
    """What one permit alone is worth, for its one vehicle or for all of its own; as `verify_permit` otherwise.

    With a plate the other permits of that vehicle are judged with and not told: a card speaks of its own.
    """
    found = find_permit(session, municipality, permit_id, on=on)
    number = found[0].number if found else ""
    asked: Query = PlateQuery(plate, plate) if plate else NumberQuery(number, number, number)
    beside = permits_beside(session, municipality, found, on=on)
    lists = find_lists(session, municipality)
    return _judge_in(municipality, asked, found, lists, beside, on=on, now=now)


def public_day(text: str | None, municipality: str, *, now: datetime) -> date:
    """The civil day that the public asks about: today in the town when nothing is said.

    Raises:
        UnreadableDate: not written as 2026-11-30.
        DateOutOfReach: more than twelve months back, or after the end of next year.
    """
    today = now.astimezone(catalogue.municipality(municipality).zone).date()
    if text is None or not text.strip():
        return today
    try:
        day = date.fromisoformat(text.strip())
    except ValueError:
        raise UnreadableDate(text[:40]) from None
    if not add_months(today, -12) <= day <= date(today.year + 1, 12, 31):
        raise DateOutOfReach(day.isoformat())
    return day


def permits_beside(
    session: Session | Reader,
    municipality: str,
    permits: Sequence[Permit],
    *,
    on: date,
    known_at: datetime | None = None,
    asked: Query | None = None,
) -> tuple[Permit, ...]:
    """The other permits of the same vehicles or holder that decide what ``permits`` are worth.

    Whether a plate, the plate of its trailer or a permit number was asked for, a revoked permit keeps its holder
    out, and a licence without its permission lets nobody work.

    Args:
        asked: what found ``permits``: whatever names that plate is among them already.
    """
    if not permits:
        return ()
    rules = catalogue.rules_of_town(municipality, on)
    leaning = [one for one in permits if may_lean_on_others(one, rules.get(one.permit_type))]
    if not leaning:
        return ()
    plates = {unit.plate_key: unit.plate for one in leaning for unit in one.units}
    if isinstance(asked, PlateQuery):
        plates.pop(asked.key, None)
    held = {
        (one.service, need, one.trade_name)
        for one in leaning
        if one.trade_name
        for need in rules[one.permit_type].needs
    }
    others = [
        *(
            find_permits(session, municipality, PlateQuery(plate, plate), on=on, known_at=known_at)
            for plate in plates.values()
        ),
        *(
            find_permits_of_holder(session, municipality, *holder, on=on, known_at=known_at)
            for holder in sorted(held)
        ),
    ]
    found = {permit.id for permit in permits}
    return tuple({one.id: one for some in others for one in some if one.id not in found}.values())


def _by_town(permits: Sequence[Permit]) -> dict[str, list[Permit]]:
    found: dict[str, list[Permit]] = {}
    for permit in permits:
        found.setdefault(permit.municipality, []).append(permit)
    return found


def _judge_in(
    municipality: str,
    asked: Query,
    permits: Sequence[Permit],
    lists: Sequence[PermitList],
    beside: Sequence[Permit],
    *,
    on: date,
    now: datetime,
) -> Verdict:
    town = catalogue.municipality(municipality)
    rules = catalogue.rules_of_town(municipality, on)
    return judge(
        permits,
        query=asked,
        municipality=municipality,
        on=on,
        computed_at=now,
        rules=rules,
        lists=lists,
        beside=beside,
        is_holiday=town.is_holiday,
        today=now.astimezone(town.zone).date(),
        checks=catalogue.checks_of_town(municipality, on),
    )
