"""Short pages about the site itself, and the components in every state while developing."""

from flask import Blueprint, abort, current_app, render_template

from portal.domain.permits import Status
from portal.regulations import catalogue

blueprint = Blueprint("notices", __name__)


@blueprint.get("/sobre")
def about() -> str:
    return render_template("notices/about.html")


@blueprint.get("/privacidade")
def privacy() -> str:
    return render_template("notices/privacy.html", processing=catalogue.processing())


@blueprint.get("/<slug:municipality>/privacidade")
def privacy_of_town(municipality: str) -> str:
    """What a municipality handles and why, how long it keeps it, and who answers for it: from its own file."""
    here = catalogue.municipality(municipality)
    return render_template(
        "notices/privacy_of_town.html",
        here=here,
        officer=here.privacy.officer,
        processing=catalogue.processing(municipality),
        retention=catalogue.retention(municipality, catalogue.today_in(here)),
    )


@blueprint.get("/acessibilidade")
def accessibility() -> str:
    return render_template("notices/accessibility.html")


@blueprint.get("/_components")
def components() -> str:
    """Every component in every state; only a developer's own site shows it."""
    if not current_app.config["SETTINGS"].development:
        abort(404)
    return render_template("notices/components.html", statuses=tuple(Status))
