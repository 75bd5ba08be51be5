"""What there is to try in a demonstration. Without one the page does not exist."""

from itertools import groupby

from flask import Blueprint, abort, current_app, render_template

from portal.pages.languages import current_translator
from portal.regulations.catalogue import municipalities
from portal.services.demonstration import list_cases
from portal.services.unit_of_work import unit_of_work
from portal.wording.demonstration import case_address, case_bot_phrase, case_title, subject_name

blueprint = Blueprint("demonstration", __name__)


@blueprint.get("/demonstracao")
def cases() -> str:
    """Every case with its link, what to write to the bot, and the logins of the desk."""
    if not current_app.config["SETTINGS"].demonstration:
        abort(404)
    _ = current_translator()
    with unit_of_work() as session:
        found = list_cases(session)
    return render_template(
        "demonstration/cases.html",
        subjects=[
            (subject, subject_name(subject, _), list(some))
            for subject, some in groupby(found, lambda case: case.subject)
        ],
        town_names={town.slug: f"{town.name} · {town.state}" for town in municipalities()},
        case_title=lambda case: case_title(case, _),
        case_address=case_address,
        case_bot_phrase=case_bot_phrase,
    )
