"""Routes and stops as GeoJSON (RFC 7946), for the map beside the list; positions are longitude, latitude."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from portal.services.itineraries.answers import ItineraryView, StopSummary

AddressOf = Callable[[StopSummary], str]


def itinerary_map(view: ItineraryView, address_of: AddressOf) -> dict[str, Any]:
    """The line of each way, then its stops once each; the two ends say that they are ends."""
    lines = [
        _line(view.shapes.get(way.way) or [(stop.latitude, stop.longitude) for stop in way.stops])
        for way in view.ways
    ]
    stops = {stop.code: stop for way in view.ways for stop in way.stops}
    ends = {stop.code for stop in view.summary.ends}
    return _collection([*lines, *(_point(stop, address_of, stop.code in ends) for stop in stops.values())])


def stops_map(first: StopSummary, others: Iterable[StopSummary], address_of: AddressOf) -> dict[str, Any]:
    """One stop, marked as the one that the page is about, and those near it."""
    return _collection([_point(first, address_of, True), *(_point(one, address_of, False) for one in others)])


def _collection(features: list[dict[str, Any]]) -> dict[str, Any]:
    return {"type": "FeatureCollection", "features": features}


def _line(path: Sequence[tuple[float, float]]) -> dict[str, Any]:
    points = [[longitude, latitude] for latitude, longitude in path]
    return {
        "type": "Feature",
        "properties": {},
        "geometry": {"type": "LineString", "coordinates": points},
    }


def _point(stop: StopSummary, address_of: AddressOf, main: bool) -> dict[str, Any]:
    return {
        "type": "Feature",
        "properties": {"name": stop.name, "address": address_of(stop), "main": main},
        "geometry": {"type": "Point", "coordinates": [stop.longitude, stop.latitude]},
    }
