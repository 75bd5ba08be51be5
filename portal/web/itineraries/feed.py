"""The public GTFS feed of a town: for journey planners, which ask often and should get little."""

from collections.abc import Iterator
from datetime import date
from tempfile import SpooledTemporaryFile

from flask import Blueprint, Response, current_app, request, url_for

from portal import clock
from portal.regulations.catalogue import municipality as find_municipality
from portal.services.itineraries.itinerary_export import FeedState, export_gtfs, state_of_feed
from portal.services.unit_of_work import unit_of_work

blueprint = Blueprint("feed", __name__)

KEPT_FOR = "public, max-age=3600"
"""An hour: a list is seldom brought in more often, and whoever asks again gets 304."""
IN_MEMORY = 8_000_000
"""Bytes: the feed of a small town never touches the disk."""


@blueprint.get("/<slug:municipality>/gtfs.zip")
def gtfs(municipality: str) -> Response:
    """Every itinerary with departures, bus lines too, as GTFS Schedule; 304 while it is as before."""
    on = find_municipality(municipality).civil_day(clock.now())
    with unit_of_work() as session:
        state = state_of_feed(session, municipality, on=on)
    if _is_known(state):
        return _answer(Response(status=304), state)
    site = current_app.config["SETTINGS"].public_url.rstrip("/")  # never the name that was asked for
    address = site + url_for("itineraries.itineraries", municipality=municipality)
    response = Response(_pieces(municipality, address, on), mimetype="application/zip")
    response.headers.set("Content-Disposition", "attachment", filename=f"{municipality}-gtfs.zip")
    return _answer(response, state)


def _pieces(municipality: str, address: str, on: date) -> Iterator[bytes]:
    """The file, written once somebody reads the answer: a HEAD costs nothing."""
    with SpooledTemporaryFile(IN_MEMORY) as file:
        with unit_of_work() as session:
            export_gtfs(session, municipality, file, address=address, on=on)
        file.seek(0)
        while piece := file.read(1 << 16):
            yield piece


def _is_known(state: FeedState) -> bool:
    if request.if_none_match:
        # A cache on the way that packs the answer makes the tag weak; the feed is the same.
        return request.if_none_match.contains_weak(state.version)
    since = request.if_modified_since
    return since is not None and state.changed_at.replace(microsecond=0) <= since


def _answer(response: Response, state: FeedState) -> Response:
    response.set_etag(state.version)
    response.last_modified = state.changed_at
    response.headers["Cache-Control"] = KEPT_FOR
    return response
