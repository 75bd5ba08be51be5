"""Which town an address is about; the last one visited is remembered for the next look-up."""

from typing import Any

from flask import Flask, Response, current_app, g, request
from werkzeug.routing import BaseConverter

from portal.config import Settings
from portal.pages.languages import A_YEAR
from portal.pages.vary import vary_on
from portal.regulations.catalogue import municipalities, municipality
from portal.regulations.municipalities import Municipality

COOKIE = "town"


class SlugConverter(BaseConverter):
    """Name and state, as in ``caraguatatuba-sp``: whatever else stands at the root is no town at all."""

    regex = "[a-z0-9]+(?:-[a-z0-9]+)*-[a-z]{2}"


def current_town() -> Municipality | None:
    """The municipality of this address; None on a page about all of them."""
    return g.get("town")  # type: ignore[no-any-return]


def remembered_town() -> Municipality | None:
    """The town last visited, where this browser remembers one. An answer that depends on it is nobody else's."""
    g.used_town_cookie = True
    slug = request.cookies.get(COOKIE)
    return next((town for town in municipalities() if town.slug == slug), None)


def know_towns(app: Flask) -> None:
    """Give templates ``town`` and ``towns``; a ``<municipality>`` that we do not serve is a 404 that says so."""
    app.url_map.converters["slug"] = SlugConverter

    @app.url_value_preprocessor
    def _read_town(_endpoint: str | None, values: dict[str, Any] | None) -> None:
        if values and "municipality" in values:
            g.town = municipality(values["municipality"])

    @app.context_processor
    def _towns() -> dict[str, object]:
        return {"town": current_town(), "towns": municipalities()}

    @app.after_request
    def _remember(response: Response) -> Response:
        town = current_town()
        if (
            town
            and response.status_code == 200
            and request.endpoint == "home.town"
            and request.cookies.get(COOKIE) != town.slug
        ):
            configured: Settings = current_app.config["SETTINGS"]
            response.set_cookie(
                COOKIE,
                town.slug,
                max_age=A_YEAR,
                secure=configured.public_url.startswith("https:"),
                httponly=True,
                samesite="Lax",
            )
        if g.get("used_town_cookie"):
            vary_on(response, "Cookie")
        return response
