"""The audit log of the municipality: numbers and acts, no content; read by the auditor and the ombudsman."""

from datetime import datetime

from flask import Blueprint, request
from werkzeug.wrappers import Response

from portal.desk.sign_in.views import member
from portal.domain.errors import NotAllowed
from portal.pages.fragments import render
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.services.people import audit
from portal.services.unit_of_work import unit_of_work
from portal.wording.audit import action_phrase, actor_phrase, subject_phrase

blueprint = Blueprint("log", __name__, url_prefix="/mesa/registro-de-atos")


@blueprint.get("/")
def show() -> Response:
    """The log, newest entry first; ``?pagina=2``. ``?conferir=sim`` checks every entry of it."""
    who, _ = member(), current_translator()
    if not who.may_read_log:
        raise NotAllowed
    zone = catalogue.municipality(who.municipality).zone
    with unit_of_work() as session:
        log = audit.read_log(session, who.municipality, page=request.args.get("pagina", 1, type=int))
        verified = audit.verify_log(session, who.municipality) if request.args.get("conferir") else None

    def local(moment: datetime) -> datetime:
        return moment.astimezone(zone)

    return render(
        "desk/log.html",
        fragment="log",
        log=log,
        verified=verified,
        local_time=local,
        actor_said=lambda entry: actor_phrase(entry.actor, _),
        action_said=lambda entry: action_phrase(entry.action, _),
        subject_said=lambda entry: subject_phrase(entry.subject, _),
    )
