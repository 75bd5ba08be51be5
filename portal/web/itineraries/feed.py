"""The public GTFS feed of a town: for journey planners, which ask often and should get little."""

from tempfile import SpooledTemporaryFile

from flask import Blueprint, Response, make_response, request, send_file, url_for

from portal import clock
from portal.regulations.catalogue import municipality as find_municipality
from portal.services.itinerary_export import FeedState, export_gtfs, state_of_feed
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
        file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 -- closed once it is sent
        export_gtfs(
            session,
            municipality,
            file,
            address=url_for("itineraries.itineraries", municipality=municipality, _external=True),
            on=on,
        )
    file.seek(0)
    download = send_file(
        file,
        mimetype="application/zip",
        as_attachment=True,
        download_name=f"{municipality}-gtfs.zip",
        etag=False,
        max_age=None,
    )
    return _answer(make_response(download), state)


def _is_known(state: FeedState) -> bool:
    if request.if_none_match:
        return request.if_none_match.contains(state.version)
    since = request.if_modified_since
    return since is not None and state.changed_at.replace(microsecond=0) <= since


def _answer(response: Response, state: FeedState) -> Response:
    response.set_etag(state.version)
    response.last_modified = state.changed_at
    response.headers["Cache-Control"] = KEPT_FOR
    return response
