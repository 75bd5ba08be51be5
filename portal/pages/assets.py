"""What a page loads besides itself, all from this site: our own files and those inside pinned wheels.

An address changes with its content (a hash) or its version, so that a browser may keep it for a year. Each file
is packed once, as tight as it gets, and not for every request.
"""

import gzip
import hashlib
import mimetypes
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import brotli
from flask import Flask, Response, abort, request

from portal.pages.compression import accepts
from portal.pages.vary import vary_on

OWN = Path(__file__).parent / "static"
FOREVER = "public, max-age=31536000, immutable"
LIBRARIES = {
    "htmx": ("django-js-lib-htmx", "js_lib_htmx", "static/htmx"),
    "leaflet": ("django-js-lib-leaflet", "js_lib_leaflet", "static/js_lib_leaflet"),
}
"""Name in the address: distribution that holds it, its package, and the folder inside."""
PAGES_SCRIPT = "pages.js"
"""htmx and our own script in one file: on a thin line each request more is a wait more."""


@dataclass(frozen=True, slots=True)
class Asset:
    content: bytes
    packed: Mapping[str, bytes]
    """By content coding, the tightest first; none where packing gains nothing."""
    media_type: str
    digest: str


def _asset(name: str, content: bytes) -> Asset:
    media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    if media_type.startswith("text/"):
        media_type += "; charset=utf-8"
    packed = {}
    if len(zipped := gzip.compress(content, 9, mtime=0)) < len(content) * 0.9:
        packed = {"br": brotli.compress(content), "gzip": zipped}
    return Asset(content, packed, media_type, hashlib.sha256(content).hexdigest())


@lru_cache
def _own_asset(name: str, _changed: float) -> Asset:
    content = (OWN / ("site.js" if name == PAGES_SCRIPT else name)).read_bytes()
    if name.endswith((".css", ".js")):
        content = _spare(content)
    if name == PAGES_SCRIPT:
        content = library_asset("htmx", "htmx.min.js").content + b"\n" + content
    return _asset(name, content)


def _spare(content: bytes) -> bytes:
    """Without the comments that stand on lines of their own, and without indentation: those are for who reads the
    source. Our files hold no text that goes over several lines."""
    return re.sub(rb"\n\s+", b"\n", re.sub(rb"(?ms)^\s*/\*.*?\*/\s*?$", b"", content)).lstrip()


def own_asset(name: str) -> Asset:
    """One of our own files by its plain name; read again when it changes. Raises KeyError for any other name."""
    path = OWN / ("site.js" if name == PAGES_SCRIPT else name)
    try:
        known = Path(name).name == name and path.is_file()
    except OSError:  # longer than a file's name can be
        known = False
    if not known:
        raise KeyError(name)
    return _own_asset(name, path.stat().st_mtime)


@lru_cache
def library_files(library: str) -> dict[str, Traversable]:
    """Every file of a library by its path; nothing outside this list is ever served."""
    _distribution, package, folder = LIBRARIES[library]
    found: dict[str, Traversable] = {}
    waiting = [("", files(package).joinpath(folder))]
    while waiting:
        prefix, place = waiting.pop()
        for entry in place.iterdir():
            if entry.is_dir():
                waiting.append((f"{prefix}{entry.name}/", entry))
            else:
                found[prefix + entry.name] = entry
    return found


@lru_cache
def library_version(library: str) -> str:
    return version(LIBRARIES[library][0])


@lru_cache
def library_asset(library: str, path: str) -> Asset:
    source = library_files(library)[path]
    return _asset(source.name, source.read_bytes())


def asset_address(name: str) -> str:
    """The address of one of our own files, such as ``/static/site.1a2b3c4d.css``."""
    stem, _dot, ending = name.rpartition(".")
    return f"/static/{stem}.{own_asset(name).digest[:8]}.{ending}"


def vendor_address(library: str, path: str) -> str:
    """The address of a library's file, such as ``/vendor/htmx/2.0.3.1/htmx.min.js``."""
    if path not in library_files(library):
        raise KeyError(path)
    return f"/vendor/{library}/{library_version(library)}/{path}"


def asset_response(asset: Asset, cache: str) -> Response:
    """A file as this browser reads it best, or nothing where it has it."""
    coding = next((one for one in asset.packed if accepts(request, one)), "")
    response = Response(asset.packed[coding] if coding else asset.content, content_type=asset.media_type)
    if coding:
        response.content_encoding = coding
    response.headers["Cache-Control"] = cache
    vary_on(response, "Accept-Encoding")
    response.set_etag(f"{asset.digest[:16]}-{coding}" if coding else asset.digest[:16])
    response.make_conditional(request)
    return response


def serve_assets(app: Flask) -> None:
    """Add ``/static/…`` and ``/vendor/…``, and ``asset_address`` and ``vendor_address`` to templates."""
    app.jinja_env.globals.update(asset_address=asset_address, vendor_address=vendor_address)

    @app.get("/static/<name>", endpoint="static")
    def static(name: str) -> Response:
        """Our own file. A hash that is no longer the present one gets the present file, not to be kept."""
        stem, _, rest = name.partition(".")
        digest, _, ending = rest.rpartition(".")
        try:
            asset = own_asset(f"{stem}.{ending}")
        except KeyError:
            abort(404)
        return asset_response(asset, FOREVER if digest == asset.digest[:8] else "no-cache")

    @app.get("/vendor/<library>/<release>/<path:path>", endpoint="vendor")
    def vendor(library: str, release: str, path: str) -> Response:
        if (
            library not in LIBRARIES
            or release != library_version(library)
            or path not in library_files(library)
        ):
            abort(404)
        return asset_response(library_asset(library, path), FOREVER)

    @app.get("/favicon.ico")
    def favicon() -> Response:
        return asset_response(own_asset("mark.svg"), "public, max-age=86400")
