"""Itineraries and stops: where a vehicle leaves from, when, and whether a permit in force names the route."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from sqlalchemy.orm import Session

from portal.domain.companions import standings_of
from portal.domain.errors import NothingHere, UnreadablePosition
from portal.domain.geo import (
    SEARCH,
    certain_within_m,
    direction,
    distance_m,
    is_position,
    walking_minutes,
)
from portal.domain.itineraries import ItineraryStatus, StopKind, service_of
from portal.domain.names import fold
from portal.domain.paging import paging
from portal.domain.permits import HolderKind, Service, Status
from portal.domain.standing import PermitStanding
from portal.domain.timetable import (
    Call,
    Departure,
    HolidayRule,
    next_departures,
    outlook,
    week_from,
)
from portal.regulations import catalogue
from portal.regulations.municipalities import Municipality
from portal.regulations.schema import BoardingKind, Instrument, Requirement, RequirementKind
from portal.services.itineraries.answers import (
    EVERYTHING,
    SOON,
    BoardingOfService,
    ItineraryList,
    ItinerarySummary,
    ItineraryView,
    NearbyStop,
    PermitOnRoute,
    StopList,
    StopSummary,
    StopView,
    Wanted,
    WayView,
)
from portal.services.itineraries.timetables import calls_of_itineraries, calls_of_stops
from portal.services.verdicts.verification import permits_beside
from portal.storage import itineraries as store
from portal.storage.finding import boarding_points_in
from portal.storage.itineraries import ItineraryRow, StopRow, TimetableImportRow
from portal.storage.permits import permits_of_itinerary

STOPS_A_PAGE = 200
NEAREST = 40


def list_itineraries(
    session: Session,
    municipality: str,
    *,
    on: date,
    at: datetime | None = None,
    wanted: Wanted = EVERYTHING,
) -> ItineraryList:
    """The itineraries of a municipality with their status on a civil day, those authorised first.

    ``at`` adds the next departure of each; to want those running needs it.
    Source article: the boarding rules of each instrument.
    """
    place = catalogue.municipality(municipality)
    imports = store.current_imports(session, municipality)
    rows = store.itineraries_of(session, imports)
    runs = {number: row for number, (row, _) in store.import_rows(session, imports).items()}
    summaries = [
        each
        for each in _summaries(session, place, rows, runs, on=on, at=at)
        if (wanted.service is None or each.service is wanted.service)
        and (each.accessible or not wanted.accessible)
        and (not wanted.running or _leaves_soon(each.next, at))
    ]
    order = list(ItineraryStatus)
    return ItineraryList(
        municipality=place,
        itineraries=tuple(sorted(summaries, key=lambda each: (order.index(each.status), fold(each.name)))),
        services=_boarding_of_services(place, on),
        as_of=min((row.as_of for row in runs.values()), default=None),
    )


def _leaves_soon(coming: Departure | None, at: datetime | None) -> bool:
    return coming is not None and at is not None and coming.at - at <= SOON


def show_itinerary(session: Session, municipality: str, code: str, *, at: datetime) -> ItineraryView:
    """One itinerary at an instant: its two ends, next departures, week, permits in force.

    Raises:
        NothingHere: the municipality has no itinerary of this code.
    """
    place = catalogue.municipality(municipality)
    row = store.itinerary_by_code(session, store.current_imports(session, municipality), code)
    if row is None:
        raise NothingHere(code)
    local = at.astimezone(place.zone)
    run, _ = store.import_rows(session, [row.import_id])[row.import_id]
    [summary] = _summaries(session, place, [row], {run.id: run}, on=local.date())
    day = min(local.date(), row.valid_until or local.date())
    week_start = day if not summary.expired else day - timedelta(days=6)
    calls = calls_of_itineraries(session, [row.id], around=week_start - timedelta(days=2))
    service = summary.service
    boarding = boarding_of(place, service, local.date()) if service else None
    stops: dict[str, list[StopSummary]] = {}
    for way, _, stop in store.stops_of_itineraries(session, [row.id]).get(row.id, []):
        stops.setdefault(way, []).append(summary_of_stop(stop, municipality))
    if boarding and boarding.kind is BoardingKind.ONLY_AT_ENDS:
        stops = {way: _boarding_at_ends(of_way) for way, of_way in stops.items()}
    return ItineraryView(
        municipality=place,
        summary=summary,
        ways=tuple(
            WayView(
                way,
                tuple(of_way),
                outlook(
                    [call for call in calls if call.way == way], at, zone=place.zone, holidays=place.holidays
                ),
                next((call.headsign for call in calls if call.way == way and call.headsign), None),
            )
            for way, of_way in stops.items()
        ),
        outlook=outlook(calls, at, zone=place.zone, holidays=place.holidays),
        week=week_from(calls, week_start, zone=place.zone, holidays=place.holidays),
        has_timetable=bool(calls),
        boarding=boarding,
        permits=_permits_in_force(session, municipality, service, [row.code], local.date()).get(row.code, ()),
        as_of=run.as_of,
        source=run.file_name,
        holiday=_holiday_unsaid(place, calls, local.date()),
        shapes={way: store.points_of(text) for way, text in store.shapes_of(session, row.id).items()},
    )


def list_stops(
    session: Session, municipality: str, *, page: int = 1, wanted: Wanted = EVERYTHING
) -> StopList:
    """The stops of a municipality by name, ``STOPS_A_PAGE`` on a page; whatever leaves when."""
    place = catalogue.municipality(municipality)
    imports = store.current_imports(session, municipality, service=wanted.service)
    total = store.count_stops(session, imports, accessible=wanted.accessible)
    shown = paging(total, page, STOPS_A_PAGE)
    rows = store.stops_of(
        session, imports, limit=shown.size, offset=shown.offset, accessible=wanted.accessible
    )
    stops = tuple(summary_of_stop(row, municipality) for row in rows)
    return StopList(place, stops, total, shown.page, shown.pages)


def show_stop(session: Session, municipality: str, code: str, *, at: datetime) -> StopView:
    """One stop at an instant: the itineraries that call there and their next departures.

    Raises:
        NothingHere: the municipality has no stop of this code.
    """
    place = catalogue.municipality(municipality)
    row = store.stop_by_code(session, store.current_imports(session, municipality), code)
    if row is None:
        raise NothingHere(code)
    local = at.astimezone(place.zone)
    run, _ = store.import_rows(session, [row.import_id])[row.import_id]
    serving = store.itineraries_at(session, [row.id]).get(row.id, [])
    service = service_of(run.service)
    calls = calls_of_stops(session, [row.id], around=local.date() - timedelta(days=2)).get(row.id, [])
    if row.kind != StopKind.BOARDING_POINT:
        calls = []
    return StopView(
        municipality=place,
        stop=summary_of_stop(row, municipality),
        itineraries=tuple(_summaries(session, place, serving, {run.id: run}, on=local.date())),
        outlook=outlook(calls, at, zone=place.zone, holidays=place.holidays, limit=8),
        has_timetable=bool(calls),
        as_of=run.as_of,
        source=run.file_name,
        holiday=_holiday_unsaid(place, calls, local.date()),
        boarding=boarding_of(place, service, local.date()).rules if service else (),
    )


def nearest_boarding_points(
    session: Session,
    latitude: float,
    longitude: float,
    *,
    at: datetime,
    municipality: str | None = None,
    limit: int = 5,
    wanted: Wanted = EVERYTHING,
) -> tuple[NearbyStop, ...]:
    """The boarding points nearest to a position, nearest first, with their next departure.

    Args:
        latitude: degrees, WGS 84.
        municipality: slug; None looks in every municipality served.
        wanted: what to look for; where something runs is looked for among the ``NEAREST`` nearest.

    Raises:
        UnreadablePosition: the pair cannot be a place.
    """
    if not is_position(latitude, longitude):
        raise UnreadablePosition(f"{latitude} {longitude}")
    imports = store.current_imports(session, municipality, service=wanted.service)
    looked_at = max(limit, NEAREST) if wanted.running else limit
    found: list[tuple[float, int]] = []
    for grid, reach in SEARCH if imports else ():
        rows = boarding_points_in(
            session, imports, latitude, longitude, grid, reach, accessible=wanted.accessible
        )
        found = sorted((distance_m(latitude, longitude, north, east), number) for number, north, east in rows)
        if len(found) >= looked_at and found[looked_at - 1][0] <= certain_within_m(latitude, grid, reach):
            break
    stops = store.stop_rows(session, [number for _, number in found[: looked_at * 2]])
    runs = store.import_rows(session, {row.import_id for row in stops.values()})
    towns = {number: catalogue.municipality(slug) for number, (_, slug) in runs.items()}
    nearest = [
        (metres, number)
        for metres, number in found[: looked_at * 2]
        if (ends := stops[number].valid_until) is None or ends >= towns[stops[number].import_id].civil_day(at)
    ][:looked_at]
    ids = [number for _, number in nearest]
    serving = store.itineraries_at(session, ids)
    calls = calls_of_stops(session, ids, around=at.date() - timedelta(days=3))
    routes = _summaries_of_towns(session, serving.values(), runs, at)
    answers = []
    for metres, number in nearest:
        row = stops[number]
        place = towns[row.import_id]
        coming = next_departures(calls.get(number, []), at, zone=place.zone, holidays=place.holidays, limit=1)
        if wanted.running and not _leaves_soon(coming[0] if coming else None, at):
            continue
        answers.append(
            NearbyStop(
                stop=summary_of_stop(row, place.slug),
                metres=round(metres),
                minutes=walking_minutes(metres),
                direction=direction(latitude, longitude, row.latitude, row.longitude),
                itineraries=tuple(routes[each.id] for each in serving.get(number, [])),
                next=coming[0] if coming else None,
            )
        )
    return tuple(answers[:limit])


def _summaries_of_towns(
    session: Session,
    rows: Iterable[Iterable[ItineraryRow]],
    runs: Mapping[int, tuple[TimetableImportRow, str]],
    at: datetime,
) -> dict[int, ItinerarySummary]:
    """Summaries by identifier of itineraries that may belong to several towns, each on its own civil day."""
    by_town: dict[str, dict[int, ItineraryRow]] = {}
    for row in (row for of_stop in rows for row in of_stop):
        by_town.setdefault(runs[row.import_id][1], {})[row.id] = row
    found: dict[int, ItinerarySummary] = {}
    for slug, of_town in by_town.items():
        place = catalogue.municipality(slug)
        imports = {number: run for number, (run, _) in runs.items()}
        told = _summaries(session, place, list(of_town.values()), imports, on=place.civil_day(at))
        found |= dict(zip(of_town, told, strict=True))
    return found


def _summaries(
    session: Session,
    place: Municipality,
    rows: Sequence[ItineraryRow],
    runs: Mapping[int, TimetableImportRow],
    *,
    on: date,
    at: datetime | None = None,
) -> list[ItinerarySummary]:
    ends = store.ends_of_itineraries(session, [row.id for row in rows])
    services = {row.id: service_of(runs[row.import_id].service) for row in rows}
    permits: dict[str, tuple[PermitOnRoute, ...]] = {}
    for service in {service for service in services.values() if service}:
        codes = [row.code for row in rows if services[row.id] is service]
        permits |= _permits_in_force(session, place.slug, service, codes, on)
    ahead: dict[str, Departure] = {}
    if at is not None and rows:
        calls = calls_of_itineraries(session, [row.id for row in rows], around=on - timedelta(days=2))
        for row in rows:
            of_row = [call for call in calls if call.itinerary == row.code]
            coming = next_departures(of_row, at, zone=place.zone, holidays=place.holidays, limit=1)
            if coming:
                ahead[row.code] = coming[0]
    return [
        ItinerarySummary(
            municipality=place.slug,
            code=row.code,
            name=row.name,
            service=services[row.id],
            status=_status(place, services[row.id], permits.get(row.code, ()), on),
            ends=_ends(ends.get(row.id, []), place.slug),
            fare_centavos=row.fare_centavos,
            duration_minutes=row.duration_minutes,
            valid_from=row.valid_from,
            valid_until=row.valid_until,
            expired=row.valid_until is not None and row.valid_until < on,
            operator=_operator(row, services[row.id], permits.get(row.code, ())),
            accessible=row.accessible,
            names=row.names,
            next=ahead.get(row.code),
        )
        for row in rows
    ]


def _operator(row: ItineraryRow, service: Service | None, permits: Sequence[PermitOnRoute]) -> str | None:
    if service is None:
        return row.operator
    return next((permit.trade_name for permit in permits if permit.trade_name), None)


def _status(
    place: Municipality, service: Service | None, permits: Sequence[PermitOnRoute], on: date
) -> ItineraryStatus:
    if service is None:
        return ItineraryStatus.NOT_OURS
    ruling = catalogue.service_rules(place.slug, service, on)
    if ruling.instrument is not None and ruling.instrument.is_bill:
        return ItineraryStatus.OF_BILL
    return ItineraryStatus.AUTHORIZED if permits else ItineraryStatus.NOT_IN_FORCE


def _boarding_of_services(place: Municipality, on: date) -> tuple[BoardingOfService, ...]:
    return tuple(boarding_of(place, service, on) for service in place.services)


def boarding_of(place: Municipality, service: Service, on: date) -> BoardingOfService:
    """Where boarding is allowed in one service on a day; source article: each rule's own."""
    ruling = catalogue.service_rules(place.slug, service, on)
    instrument = ruling.instrument
    # What a bill proposes is shown too, as a proposal; a law not yet in force says nothing of today.
    told = instrument.boarding if instrument and (ruling.in_force or instrument.is_bill) else ()
    rules = catalogue.in_force(told, on)
    kinds = [rule.kind for rule in rules if rule.kind is not BoardingKind.NOT_AT]
    return BoardingOfService(
        service=service,
        kind=kinds[0] if kinds else None,
        rules=rules,
        of_bill=instrument is not None and instrument.is_bill,
        instrument=instrument.id if instrument else None,
        tickets=_tickets(instrument, on) if told else (),
    )


def _tickets(instrument: Instrument | None, on: date) -> tuple[Requirement, ...]:
    """What the text asks of a ticket: what it must be, where it may be sold."""
    asked = catalogue.in_force(instrument.requirements, on) if instrument else ()
    return tuple(one for one in asked if one.kind is RequirementKind.TICKET)


def _permits_in_force(
    session: Session, municipality: str, service: Service | None, codes: Iterable[str], on: date
) -> dict[str, tuple[PermitOnRoute, ...]]:
    """For each itinerary the permits that name it and allow at least one vehicle to work on the day.

    A person's permit names no itinerary to the public.
    """
    if service is None:
        return {}
    rules = catalogue.rules_of_town(municipality, on)
    found: dict[str, tuple[PermitOnRoute, ...]] = {}
    for code in codes:
        permits = [
            permit
            for permit in permits_of_itinerary(session, municipality, code, on=on)
            if permit.service is service and permit.holder_kind is HolderKind.COMPANY
        ]
        beside = permits_beside(session, municipality, permits, on=on)
        found[code] = tuple(
            _on_route(each)
            for each in standings_of(permits, rules, on, beside=beside)
            if Status.AUTHORIZED in {status for _, status in each.units}
        )
    return found


def _on_route(judged: PermitStanding) -> PermitOnRoute:
    working = [unit for unit, status in judged.units if status is Status.AUTHORIZED]
    seats = [unit.capacity for unit in working if unit.capacity is not None]
    return PermitOnRoute(
        number=judged.permit.number,
        valid_until=judged.term.valid_until,
        capacity=sum(seats) if seats else None,
        max_speed_kmh=judged.permit.max_speed_kmh,
        trade_name=judged.permit.trade_name,
    )


def _ends(stops: Sequence[tuple[str, int, StopRow]], municipality: str) -> tuple[StopSummary, ...]:
    """The distinct first and last stops; ways that differ only in direction share them."""
    seen: dict[str, StopSummary] = {}
    for _, _, stop in stops:
        seen.setdefault(stop.code, summary_of_stop(stop, municipality))
    return tuple(seen.values())


def _holiday_unsaid(place: Municipality, calls: Sequence[Call], day: date) -> str | None:
    """The holiday of a day on which some departure runs, or does not, as if it were an ordinary one."""
    calendars = {call.calendar for call in calls}
    silent = any(
        calendar.holidays is HolidayRule.AS_ANY_DAY and day not in calendar.added | calendar.removed
        for calendar in calendars
    )
    return place.holidays(day.year).get(day) if silent else None


def _boarding_at_ends(stops: Sequence[StopSummary]) -> list[StopSummary]:
    """A stop between the two ends is only passed, even where another itinerary begins there."""
    last = len(stops) - 1
    return [
        stop if number in (0, last) else replace(stop, kind=StopKind.STOP)
        for number, stop in enumerate(stops)
    ]


def summary_of_stop(row: StopRow, municipality: str) -> StopSummary:
    """What pages and bot show of a stop wherever they name it."""
    return StopSummary(
        municipality=municipality,
        code=row.code,
        name=row.name,
        latitude=row.latitude,
        longitude=row.longitude,
        kind=StopKind(row.kind),
        accessible=row.accessible,
        reference=row.reference,
    )
