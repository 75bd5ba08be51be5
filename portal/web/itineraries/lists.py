"""Stops and matches as the list components of the design system take them."""

from collections.abc import Iterable, Sequence
from datetime import date

from flask import url_for

from portal.domain.itineraries import ItineraryStatus, StopKind
from portal.domain.timetable import Departure, Span, regular_series
from portal.i18n import Translator
from portal.services.itineraries.answers import NearbyStop, StopSummary, WayView
from portal.services.itineraries.places import PlaceMatch
from portal.wording import itineraries as wording

Item = dict[str, object]

LONG_DAY = 12
"""Departures that a phone shows in a few rows; more are told by their series first."""


def stop_address(stop: StopSummary) -> str:
    return url_for("itineraries.stop", municipality=stop.municipality, code=stop.code)


def series_of_day(
    leaving: Sequence[Departure],
) -> tuple[tuple[Span, ...], tuple[Departure, ...]]:
    """The departures of a long day as series and what is left over; those of a short one as they are."""
    return regular_series(leaving) if len(leaving) > LONG_DAY else ((), tuple(leaving))


def nearby_items(nearby: Iterable[NearbyStop], _: Translator, today: date) -> list[Item]:
    """Nearest first: how far, which way, what leaves next, and whether that is without a permit in force."""

    def detail(each: NearbyStop) -> str:
        told = [wording.way_there(each, _)]
        if each.next_status is ItineraryStatus.NOT_IN_FORCE:
            told.append(wording.itinerary_status_word(each.next_status, _))
        told.append(wording.nearby_next_sentence(each, _, today=today))
        return " · ".join(told)

    return [
        {"name": each.stop.name, "address": stop_address(each.stop), "detail": detail(each)}
        for each in nearby
    ]


def stop_items(stops: Iterable[StopSummary], _: Translator) -> list[Item]:
    return [
        {
            "name": stop.name,
            "address": stop_address(stop),
            "detail": stop.reference or wording.stop_kind_sentence(stop.kind, _),
        }
        for stop in stops
    ]


def route_items(way: WayView, _: Translator) -> list[Item]:
    """The stops of one way along its line; those where nobody may board say so."""
    last = len(way.stops) - 1
    return [
        {
            "name": stop.name,
            "address": stop_address(stop),
            "end": number in (0, last),
            "detail": ""
            if stop.kind is StopKind.BOARDING_POINT
            else wording.stop_kind_sentence(stop.kind, _),
        }
        for number, stop in enumerate(way.stops)
    ]


def match_items(matches: Iterable[PlaceMatch], _: Translator, municipality: str) -> list[Item]:
    def where(found: PlaceMatch) -> str:
        if found.target == "place":
            return url_for("itineraries.stops", municipality=municipality, perto=found.name)
        return url_for(f"itineraries.{found.target}", municipality=municipality, code=found.code)

    icons = {"itinerary": "route", "place": "search"}
    return [
        {
            "name": found.name_in(_.language),
            "address": where(found),
            "detail": wording.match_words(found, _),
            "icon": icons.get(found.target, "pin"),
        }
        for found in matches
    ]
