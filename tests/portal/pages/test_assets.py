import gzip
import hashlib
import re

import pytest

from portal.pages.assets import FOREVER, asset_address, library_asset, vendor_address

RELEASED = {
    ("htmx", "htmx.min.js"): "491955cd1810747d",
    ("leaflet", "leaflet.js"): "db49d009c841f5ca",
}
"""First digits of the SHA-256 of the files as their authors published them."""


class TestLibraries:
    @pytest.mark.parametrize(("library", "path"), RELEASED)
    def test_are_byte_for_byte_what_was_released(self, library, path):
        assert library_asset(library, path).digest.startswith(RELEASED[library, path])

    def test_are_kept_for_a_year_under_their_version(self, client):
        response = client.get(vendor_address("htmx", "htmx.min.js"))

        assert response.status_code == 200
        assert response.mimetype == "text/javascript"
        assert response.headers["Cache-Control"] == FOREVER
        assert "Set-Cookie" not in response.headers

    @pytest.mark.parametrize(
        "path",
        [
            "/vendor/htmx/2.0.3.1/../../__init__.py",
            "/vendor/htmx/2.0.3.1/%2e%2e/%2e%2e/__init__.py",
            "/vendor/htmx/2.0.3.1/..%2f..%2fapps.py",
            "/vendor/htmx/2.0.3.1//etc/passwd",
            "/vendor/htmx/9.9.9/htmx.min.js",
            "/vendor/nothing/1/htmx.min.js",
            "/static/../__init__.py",
            "/static/%2e%2e%2fassets.py",
            "/static/nothing.12345678.css",
            "/static/" + "a" * 3000,
        ],
    )
    def test_nothing_else_is_served(self, client, path):
        assert client.get(path, follow_redirects=True).status_code == 404


class TestOurOwnFiles:
    def test_the_address_holds_the_content(self, client):
        address = asset_address("site.css")

        response = client.get(address)

        assert hashlib.sha256(response.data).hexdigest()[:8] in address
        assert response.headers["Cache-Control"] == FOREVER

    def test_an_older_address_gets_the_present_file_and_does_not_keep_it(self, client):
        response = client.get("/static/site.00000000.css")

        assert response.status_code == 200
        assert response.headers["Cache-Control"] == "no-cache"

    def test_travels_compressed_to_whoever_takes_it(self, client):
        address = asset_address("site.css")

        packed = client.get(address, headers={"Accept-Encoding": "gzip"})

        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == client.get(address).data

    def test_comes_once(self, client):
        address = asset_address("site.css")
        first = client.get(address)

        assert client.get(address, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304


class TestTheFirstLoad:
    def test_fits_in_60_kilobytes_and_asks_nobody_else(self, client):
        accept = {"Accept-Encoding": "gzip"}
        page = client.get("/", headers=accept)
        text = gzip.decompress(page.data).decode()
        loaded = re.findall(
            r'<(?:script|link rel="(?:stylesheet|icon)"|img)[^>]* (?:src|href)="([^"]+)"', text
        )

        assert len(loaded) == 3
        assert all(address.startswith("/") for address in loaded)
        assert len(page.data) + sum(len(client.get(one, headers=accept).data) for one in loaded) < 60_000
