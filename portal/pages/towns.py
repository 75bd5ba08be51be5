"""Which town an address is about; the last one visited is remembered for the next look-up."""

from typing import Any

from flask import Flask, g
from werkzeug.routing import BaseConverter

from portal.config import Settings
from portal.pages.exchange import Answer, Asked, Finisher, asked
from portal.pages.languages import A_YEAR
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
    request = asked()
    request.depends_on.append("Cookie")
    slug = request.cookie(COOKIE)
    return next((town for town in municipalities() if town.slug == slug), None)


def know_towns(app: Flask) -> Finisher:
    """Give templates ``town`` and ``towns``; a ``<municipality>`` that we do not serve is a 404 that says so.

    What is returned lets the browser remember the town last visited.
    """
    app.url_map.converters["slug"] = SlugConverter

    @app.url_value_preprocessor
    def _read_town(_endpoint: str | None, values: dict[str, Any] | None) -> None:
        if values and "municipality" in values:
            g.town = municipality(values["municipality"])

    @app.context_processor
    def _towns() -> dict[str, object]:
        return {"town": current_town(), "towns": municipalities()}

    def finish(answer: Answer, asked: Asked) -> None:
        if asked.endpoint == "home.town" and answer.status_code == 200:
            town = current_town()
            if town and asked.cookie(COOKIE) != town.slug:
                configured: Settings = app.config["SETTINGS"]
                answer.set_cookie(
                    COOKIE,
                    town.slug,
                    max_age=A_YEAR,
                    secure=configured.public_url.startswith("https:"),
                    httponly=True,
                    samesite="Lax",
                )

    return finish
