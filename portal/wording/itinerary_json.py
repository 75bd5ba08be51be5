"""Itineraries and stops as JSON: codes for machines, beside them the sentences that people read."""

from datetime import date, datetime
from typing import Any

from portal.domain.timetable import Departure
from portal.i18n import Translator
from portal.regulations.schema import BoardingRule
from portal.services.itineraries.answers import ItineraryList, ItinerarySummary, NearbyStop, StopSummary
from portal.services.itineraries.departures import NextDepartures
from portal.services.itineraries.places import PlaceMatch
from portal.wording import itineraries as wording


def itineraries_json(listed: ItineraryList, _: Translator, *, on: date, now: datetime) -> dict[str, Any]:
    return {
        "municipality": listed.municipality.slug,
        "on": on.isoformat(),
        "computed_at": now.isoformat(timespec="seconds"),
        "as_of": listed.as_of.isoformat() if listed.as_of else None,
        "itineraries": [_itinerary(each, _) for each in listed.itineraries],
        "services": [
            {
                "service": each.service.value,
                "boarding": each.kind.value if each.kind else None,
                "of_bill": each.of_bill,
                "rules": [_rule(rule, _) | {"instrument": each.instrument} for rule in each.rules],
            }
            for each in listed.services
        ],
    }


def departures_json(found: NextDepartures, _: Translator) -> dict[str, Any]:
    return {
        "municipality": found.municipality,
        "at": found.at.isoformat(timespec="seconds"),
        "departures": [
            {
                "at": ride.departure.at.isoformat(),
                "itinerary": ride.departure.itinerary,
                "way": ride.departure.way,
                "approximate": ride.departure.approximate,
                "arrives_at": ride.arrives.isoformat() if ride.arrives else None,
                "arrival_approximate": ride.arrives_about,
            }
            for ride in found.rides
        ],
        "last_today": _departure(found.outlook.last_today),
        "next_day": _departure(found.outlook.next_day),
        "expired_on": found.expired_on.isoformat() if found.expired_on else None,
        "barred_by": [_rule(rule, _) for rule in found.barred],
        "sentence": wording.rides_sentence(found, _),
    }


def stop_json(stop: StopSummary) -> dict[str, Any]:
    return {
        "code": stop.code,
        "name": stop.name,
        "kind": stop.kind.value,
        "latitude": stop.latitude,
        "longitude": stop.longitude,
        "accessible": stop.accessible,
    }


def nearby_json(nearby: NearbyStop, _: Translator, *, today: date) -> dict[str, Any]:
    return stop_json(nearby.stop) | {
        "metres": nearby.metres,
        "walking_minutes": nearby.minutes,
        "direction": nearby.direction.value,
        "way_there": wording.way_there(nearby, _),
        "itineraries": [{"code": each.code, "status": each.status.value} for each in nearby.itineraries],
        "next_departure": _departure(nearby.next),
        "sentence": wording.nearby_next_sentence(nearby, _, today=today),
    }


def match_json(found: PlaceMatch, _: Translator) -> dict[str, Any]:
    return {
        "kind": found.target,
        "code": found.code,
        "name": found.name_in(_.language),
        "latitude": found.latitude,
        "longitude": found.longitude,
    }


def _rule(rule: BoardingRule, _: Translator) -> dict[str, str]:
    return {"text": rule.words.said(_.language), "article": rule.article}


def _itinerary(each: ItinerarySummary, _: Translator) -> dict[str, Any]:
    return {
        "code": each.code,
        "name": each.name_in(_.language),
        "service": each.service.value if each.service else None,
        "status": each.status.value,
        "sentence": wording.itinerary_status_sentence(each.status, _),
        "ends": [stop_json(end) for end in each.ends],
        "fare": None if each.fare_centavos is None else f"{each.fare_centavos / 100:.2f}",
        "duration_minutes": each.duration_minutes,
        "valid_from": each.valid_from.isoformat() if each.valid_from else None,
        "valid_until": each.valid_until.isoformat() if each.valid_until else None,
        "expired": each.expired,
        "next_departure": _departure(each.next),
    }


def _departure(departure: Departure | None) -> dict[str, Any] | None:
    if departure is None:
        return None
    return {
        "at": departure.at.isoformat(),
        "itinerary": departure.itinerary,
        "way": departure.way,
        "approximate": departure.approximate,
    }
