"""Map tiles, fetched by the portal from the server that the municipality names: the browser talks to us alone."""

from collections import OrderedDict
from math import atan, degrees, pi, sinh
from threading import Lock

import httpx
from flask import Blueprint, Response, abort

from portal.domain.geo import distance_m
from portal.regulations.catalogue import municipality as find_municipality
from portal.regulations.municipalities import Municipality

blueprint = Blueprint("tiles", __name__)

ZOOMS = range(9, 19)
REACH_M = 40_000
"""How far from its seat a town's map goes: the portal is no door to the rest of the world's tiles."""
LARGEST = 300_000
"""Bytes of a tile."""
PATIENCE = httpx.Timeout(4.0)
KEPT = 600
"""Tiles kept in memory, some ten megabytes; browsers keep theirs for a week."""
A_WEEK = "public, max-age=604800"
_IMAGES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"RIFF": "image/webp"}
"""What a tile begins with; anything else, whatever it calls itself, is not passed on."""

Tile = tuple[bytes, str]


class Shelf:
    """The tiles asked for last."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._tiles: OrderedDict[str, Tile] = OrderedDict()
        self._lock = Lock()

    def get(self, address: str) -> Tile | None:
        with self._lock:
            if address in self._tiles:
                self._tiles.move_to_end(address)
            return self._tiles.get(address)

    def put(self, address: str, tile: Tile) -> None:
        with self._lock:
            self._tiles[address] = tile
            while len(self._tiles) > self._most:
                self._tiles.popitem(last=False)


_shelf = Shelf(KEPT)


@blueprint.get("/<slug:municipality>/mapa/<int:zoom>/<int:column>/<int:row>")
def tile(municipality: str, zoom: int, column: int, row: int) -> Response:
    """One tile of the town's map; a 404 where there is none, which a map draws as empty ground."""
    town = find_municipality(municipality)
    if town.tiles is None or not _is_of(town, zoom, column, row):
        abort(404)
    address = town.tiles.address.format(z=zoom, x=column, y=row)
    found = _shelf.get(address) or _fetch(address)
    if found is None:
        response = Response(status=404)
        response.headers["Cache-Control"] = "no-store"
        return response
    _shelf.put(address, found)
    response = Response(found[0], mimetype=found[1])
    response.headers["Cache-Control"] = A_WEEK
    return response


def _is_of(town: Municipality, zoom: int, column: int, row: int) -> bool:
    """Whether a tile of the usual grid (Web Mercator, counted from the north-west) lies near the town."""
    if zoom not in ZOOMS or not (0 <= column < 2**zoom and 0 <= row < 2**zoom):
        return False
    longitude = (column + 0.5) / 2**zoom * 360 - 180
    latitude = degrees(atan(sinh(pi * (1 - 2 * (row + 0.5) / 2**zoom))))
    # The lowest zoom has tiles of some 70 km: their middle may be that far away.
    away = distance_m(town.latitude, town.longitude, latitude, longitude)
    return away <= REACH_M + 36e6 / (1 << zoom)


def _fetch(address: str) -> Tile | None:
    """A tile from the server, or nothing when it has none, is slow or sends something else."""
    content = b""
    try:
        with httpx.stream(
            "GET", address, timeout=PATIENCE, headers={"User-Agent": "Embarque-Legal"}
        ) as answer:
            if answer.status_code != 200:
                return None
            for piece in answer.iter_bytes():
                content += piece
                if len(content) > LARGEST:
                    return None
    except httpx.HTTPError:
        return None
    kind = next((kind for start, kind in _IMAGES.items() if content.startswith(start)), None)
    return (content, kind) if kind else None
