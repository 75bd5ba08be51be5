"""Where, when and for what: a verdict that is green judged at a stop, at an hour, for a service."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from portal.domain.circumstances import Circumstances, not_for_this, not_here, not_now, read_time
from portal.domain.errors import UnknownService, UnknownStop, UnreadableTime
from portal.domain.itineraries import StopKind
from portal.domain.permits import Service, Status
from portal.domain.rules import Source
from portal.domain.verdicts import PermitFinding, Reason, Verdict
from portal.regulations import catalogue
from portal.regulations.municipalities import Municipality
from portal.regulations.schema import BoardingKind, BoardingRule
from portal.services.itineraries.showing import nearest_boarding_points
from portal.services.itineraries.timetables import calls_of_itineraries, calls_of_stops
from portal.services.verdicts.verification import verify_everywhere
from portal.storage import itineraries as store
from portal.storage.itineraries import ItineraryRow, StopRow

NOW_WORDS = ("now", "agora")
"""In the place of a time: the hour at which the question is answered."""


AT_THE_STOP = 100
"""Metres within which a shared position is that of a boarding point; a phone is rarely surer."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody said they are, in one town, as the questionnaire keeps it (``portal.domain.questionnaire``)."""

    municipality: str
    answer: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Judged:
    limits: tuple[Reason, ...] = ()
    notes: tuple[Reason, ...] = ()


def read_circumstances(
    municipality: str, *, stop: str | None, at: str | None, service: str | None, now: datetime
) -> Circumstances | None:
    """Circumstances as an address or a command line gives them; None where nothing is given.

    Args:
        at: time of day such as 22:00 on the clock of the town, or one of ``NOW_WORDS``.

    Raises:
        UnreadableTime: no time of day.
        UnknownService: no kind of service.
    """
    stop, at, service = ((text or "").strip() or None for text in (stop, at, service))
    if stop is None and at is None and service is None:
        return None
    moment = None
    if at is not None:
        local = now.astimezone(catalogue.municipality(municipality).zone)
        moment = local.time().replace(second=0, microsecond=0) if at.lower() in NOW_WORDS else read_time(at)
        if moment is None:
            raise UnreadableTime(at[:40])
    known = tuple(str(each) for each in Service)
    if service is not None and service not in known:
        raise UnknownService(service[:40], known)
    return Circumstances(stop[:80] if stop else None, moment, Service(service) if service else None)


def judge_here(session: Session, verdict: Verdict, here: Circumstances) -> Verdict:
    """The verdict with what it does not allow in these circumstances; only one that is green is judged further.

    One permit in force that allows it is enough. What cannot be judged, such as the stop of a permit whose
    itinerary is unknown, is said in a note and limits nothing.

    Raises:
        UnknownStop: the town has no such stop.

    Source article: the boarding rules of each instrument.
    """
    town = catalogue.municipality(verdict.municipality)
    stop = None
    if here.stop:
        stop = store.stop_by_code(session, store.current_imports(session, town.slug), here.stop)
        if stop is None:
            raise UnknownStop(here.stop)
    working = [permit for permit in verdict.permits if permit.status is Status.AUTHORIZED]
    if verdict.status is not Status.AUTHORIZED or not working:
        return verdict
    if here.service is not None:
        ruling = catalogue.service_rules(town.slug, working[0].service, verdict.on).instrument
        held = [permit.service for permit in working]
        if limit := not_for_this(held, here.service, ruling.id if ruling else None):
            return _limited(verdict, _Judged((limit,)))
        working = [permit for permit in working if permit.service is here.service]
    judged = [_judge_permit(session, town, permit, verdict, here, stop) for permit in working]
    return _limited(verdict, min(judged, key=lambda each: len(each.limits)))


def judge_everywhere(
    session: Session,
    verdicts: Sequence[Verdict],
    *,
    stop: str | None,
    at: str | None,
    service: str | None,
    now: datetime,
) -> tuple[Verdict, ...]:
    """The verdicts of several towns, each judged on its own clock; a stop counts in the towns that have it.

    Args: as `read_circumstances`.

    Raises:
        UnreadableTime, UnknownService
        UnknownStop: none of the towns has such a stop.
    """
    judged = []
    known = False
    for verdict in verdicts:
        here = read_circumstances(verdict.municipality, stop=stop, at=at, service=service, now=now)
        if here is None:
            return tuple(verdicts)
        if here.stop:
            imports = store.current_imports(session, verdict.municipality)
            if store.stop_by_code(session, imports, here.stop):
                known = True
            else:
                here = replace(here, stop=None)
        judged.append(judge_here(session, verdict, here))
    if stop and stop.strip() and not known:
        raise UnknownStop(stop.strip()[:80])
    return tuple(judged)


def verify_now(
    session: Session, query: str, *, now: datetime, first: str | None, place: Place | None = None
) -> tuple[Verdict, ...]:
    """The verdict of every town at this very hour, and at a place of one town where it is known.

    Raises as `verify_everywhere`.
    """
    return judge_now(session, verify_everywhere(session, query, now=now, first=first), now=now, place=place)


def judge_now(
    session: Session, verdicts: Sequence[Verdict], *, now: datetime, place: Place | None = None
) -> tuple[Verdict, ...]:
    """Verdicts of several towns at this very hour, each on its own clock; see `verify_now`."""
    code = _stop_of(session, place, now) if place else None
    judged = []
    for verdict in verdicts:
        local = now.astimezone(catalogue.municipality(verdict.municipality).zone)
        stop = code if place and place.municipality == verdict.municipality else None
        here = Circumstances(stop, local.time().replace(second=0, microsecond=0))
        judged.append(judge_here(session, verdict, here))
    return tuple(judged)


def _stop_of(session: Session, place: Place, now: datetime) -> str | None:
    """The stop somebody named, or the boarding point they stand at; None where it cannot be told."""
    match place.answer:
        case {"kind": "stop", "code": code}:
            imports = store.current_imports(session, place.municipality)
            return str(code) if store.stop_by_code(session, imports, code) else None
        case {"kind": "position", "latitude": latitude, "longitude": longitude}:
            nearest = nearest_boarding_points(
                session, latitude, longitude, at=now, municipality=place.municipality, limit=1
            )
            return next((one.stop.code for one in nearest if one.metres <= AT_THE_STOP), None)
    return None


def _limited(verdict: Verdict, judged: _Judged) -> Verdict:
    # What to look at before getting in would invite where nobody may board.
    checks = () if judged.limits else verdict.checks
    return replace(verdict, limits=judged.limits, notes=verdict.notes + judged.notes, checks=checks)


def _judge_permit(
    session: Session,
    town: Municipality,
    permit: PermitFinding,
    verdict: Verdict,
    here: Circumstances,
    stop: StopRow | None,
) -> _Judged:
    rules = catalogue.boarding_rules(town.slug, permit.service, verdict.on)
    instrument = catalogue.service_rules(town.slug, permit.service, verdict.on).instrument
    by_kind = {rule.kind: rule for rule in rules}
    for kind in (BoardingKind.BY_APP_ONLY, BoardingKind.CLOSED_GROUP):
        if rule := by_kind.get(kind):
            return _Judged((_as_said(rule, instrument.id if instrument else None),) if stop else ())
    if stop is None and here.at is None:
        return _Judged()
    if permit.itinerary is None:
        return _Judged(notes=(Reason("no_route"),))
    row = store.itinerary_by_code(session, store.current_imports(session, town.slug), permit.itinerary)
    if row is None:
        return _Judged(notes=(Reason("route_unknown", data={"itinerary": permit.itinerary}),))

    ends = by_kind.get(BoardingKind.ONLY_AT_ENDS)
    points = _boarding_points(session, row, only_at_ends=ends is not None)
    limits: list[Reason] = []
    notes: list[Reason] = []
    if stop is not None and points:
        source = Source(instrument.id, ends.article) if instrument and ends else None
        named = {code: point.name for code, point in points.items()}
        if limit := not_here(named, (stop.code, stop.name), source):
            limits.append(limit)
        else:
            notes.append(Reason("boards_here", data={"stop": stop.name}))
    if here.at is not None:
        at = datetime.combine(verdict.on, here.at, town.zone)
        point = points.get(stop.code) if stop else None
        found = _judge_time(session, town, row, point, at)
        limits += found.limits
        notes += found.notes
    return _Judged(tuple(limits), tuple(notes))


def _judge_time(
    session: Session, town: Municipality, row: ItineraryRow, point: StopRow | None, at: datetime
) -> _Judged:
    """By the departures from the boarding point asked about, or else from where each trip begins."""
    if row.valid_until is not None and row.valid_until < at.date():
        return _Judged(notes=(Reason("timetable_over", data={"until": row.valid_until}),))
    around = at.date() - timedelta(days=2)
    calls = calls_of_itineraries(session, [row.id], around=around)
    if point is not None:
        at_point = calls_of_stops(session, [point.id], around=around).get(point.id, [])
        calls = [call for call in at_point if call.itinerary == row.code] or calls
    if not calls:
        return _Judged(notes=(Reason("no_timetable"),))
    limit = not_now(calls, at, zone=town.zone, holidays=lambda year: town.holidays(year).keys())
    return _Judged((limit,) if limit else ())


def _boarding_points(session: Session, row: ItineraryRow, *, only_at_ends: bool) -> dict[str, StopRow]:
    """The stops of an itinerary where its law lets people board, by code, in the order of travel."""
    read = store.ends_of_itineraries if only_at_ends else store.stops_of_itineraries
    stops = [stop for _, _, stop in read(session, [row.id]).get(row.id, [])]
    return {stop.code: stop for stop in stops if stop.kind == StopKind.BOARDING_POINT}


def _as_said(rule: BoardingRule, instrument: str | None) -> Reason:
    words = {"pt_BR": rule.words.pt, "en": rule.words.en, "es": rule.words.es}
    return Reason("boarding_rule", article=rule.article, instrument=instrument, data=words)
