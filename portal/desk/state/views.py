"""The state of the service, for the people who run it: lists, imports, notices, worker, due dates."""

from datetime import datetime

from flask import Blueprint
from werkzeug.wrappers import Response

from portal import clock
from portal.desk.sign_in.views import member
from portal.pages.fragments import render
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.services.oversight import LastImport, ListAge, state_of_service
from portal.services.unit_of_work import unit_of_work
from portal.wording import oversight as wording

blueprint = Blueprint("state", __name__, url_prefix="/mesa/estado")


@blueprint.get("/")
def show() -> Response:
    """One page of figures; nothing on it is about a person, and loading it changes nothing."""
    who, _ = member(), current_translator()
    town = catalogue.municipality(who.municipality)
    with unit_of_work() as session:
        state = state_of_service(session, who, now=clock.now())

    def local(moment: datetime) -> datetime:
        return moment.astimezone(town.zone)

    def list_said(one: ListAge) -> str:
        return wording.list_words(one, _)

    def import_said(one: LastImport) -> str:
        return wording.import_words(one, _)

    return render(
        "desk/state.html",
        fragment="state",
        state=state,
        local_time=local,
        list_said=list_said,
        import_said=import_said,
        age_said=lambda moment: wording.age_words(state.now - moment, _),
    )
