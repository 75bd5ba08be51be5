"""A town without internet: the page to keep, the service worker that shows it, the manifest to install it by."""

import math

from flask import Blueprint, Response, jsonify, render_template
from markupsafe import Markup

from portal import clock
from portal.domain.permits import Service
from portal.domain.questionnaire import STORY_LIMIT
from portal.pages.assets import asset_address, asset_response, own_asset
from portal.pages.languages import address, current_translator
from portal.regulations import catalogue
from portal.services.itineraries.offline import town_offline
from portal.services.unit_of_work import unit_of_work
from portal.web.itineraries import lists
from portal.web.rights.views import rights
from portal.wording import itineraries as itinerary_words
from portal.wording.categories import category_label

blueprint = Blueprint("offline", __name__)

ASSETS = ("site.css", "pages.js", "draft.js", "offline.js", "mark.svg")
"""What the kept pages load besides themselves."""


@blueprint.get("/<slug:municipality>/sem-internet")
def town(municipality: str) -> str:
    """Stops, the departures of seven days, rights and the ombudsman on one page: what is seen is what is kept.

    Without a script it can be printed or saved as any page.
    """
    now, here = clock.now(), catalogue.municipality(municipality)
    with unit_of_work() as session:
        told = town_offline(session, municipality, at=now)
    services = tuple(
        service
        for service in here.services
        if catalogue.service_rules(municipality, service, told.first_day).instrument
    )
    content = render_template("offline/town.html", told=told, here=here, say=itinerary_words, lists=lists)
    return render_template(
        "offline/page.html",
        told=told,
        here=here,
        now=now.astimezone(here.zone),
        content=Markup(content),  # noqa: S704  # a template of ours
        services=services,
        addresses=_addresses(municipality, services),
        kilobytes=_kilobytes(municipality, services, content),
        categories=[
            (each.category.id, category_label(each.category.id, current_translator()))
            for each in catalogue.categories(municipality)
        ],
        story_limit=STORY_LIMIT,
    )


def _addresses(municipality: str, services: tuple[Service, ...]) -> list[str]:
    """Everything that is kept of a town; none of it is about anybody."""
    tag = current_translator().tag
    return [
        address(f"/{municipality}/sem-internet", lang=tag),
        *(_kept_rights(municipality, service, tag) for service in services),
        *map(asset_address, ASSETS),
    ]


def _kept_rights(municipality: str, service: Service, tag: str) -> str:
    return address(f"/{municipality}/direitos/{service.value}", guardado="1", imprimir="1", lang=tag)


def _kilobytes(municipality: str, services: tuple[Service, ...], content: str) -> int:
    """What it takes up on a device, in tens of kilobytes, rounded up."""
    told = len(content.encode())
    told += sum(len(rights(municipality, service.value).get_data()) for service in services)
    told += sum(len(own_asset(name).content) for name in ASSETS)
    return math.ceil(told / 10_000) * 10


@blueprint.get("/sw.js")
def service_worker() -> Response:
    """Served from the root, so that a town's page may give it the town's addresses and no others for its scope."""
    response = asset_response(own_asset("service-worker.js"), "no-cache")
    response.headers["Content-Security-Policy"] = "default-src 'none'; connect-src 'self'"
    return response


@blueprint.get("/app.webmanifest")
def manifest() -> Response:
    _ = current_translator()
    return _manifest(_("Embarque Legal"), "/")


@blueprint.get("/<slug:municipality>/app.webmanifest")
def manifest_of_town(municipality: str) -> Response:
    """How the town's page is put on the home screen of a telephone, in one language."""
    here = catalogue.municipality(municipality)
    return _manifest(f"Embarque Legal – {here.name}", f"/{municipality}/", here.name)


def _manifest(name: str, start: str, short_name: str = "Embarque Legal") -> Response:
    _ = current_translator()
    shortcuts = [
        (_("Verificar um veículo"), f"{start}verificar"),
        (_("Itinerários e pontos"), f"{start}itinerarios"),
        (_("Falar com a ouvidoria"), f"{start}manifestacoes/nova" if start != "/" else "/ouvidoria"),
    ]
    response = jsonify(
        {
            "id": start,
            "name": name,
            "short_name": short_name,
            "description": _(
                "Confira se o transporte de passageiros é autorizado, veja de onde sai e fale com a ouvidoria."
            ),
            "lang": _.tag,
            "dir": "ltr",
            "start_url": address(start, lang=_.tag),
            "scope": "/",
            "display": "standalone",
            "theme_color": PETROL,
            "background_color": PAPER,
            "categories": ["government", "travel"],
            "icons": [
                {
                    "src": asset_address(f"{icon}.png"),
                    "sizes": f"{side}x{side}",
                    "type": "image/png",
                    "purpose": purpose,
                }
                for icon, side, purpose in ICONS
            ],
            "shortcuts": [{"name": label, "url": address(path, lang=_.tag)} for label, path in shortcuts],
        }
    )
    response.mimetype = "application/manifest+json"
    return response


PETROL, PAPER = "#0f3d4c", "#fbf7ef"
"""The colours of the mark's ground and of the page: ``--petrol`` and ``--paper`` of the stylesheet."""
ICONS = (("icon-192", 192, "any"), ("icon-512", 512, "any"), ("icon-maskable", 512, "maskable"))
"""Drawn from ``mark.svg`` by ``make icons``."""
