"""Notices that could not be delivered: try again, or give up and say why. Whose they are is not shown."""

from datetime import datetime

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from portal import clock
from portal.desk.sign_in.views import member
from portal.domain.errors import ReasonMissing
from portal.pages.fragments import render
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.services.messages import dead_letters
from portal.services.unit_of_work import unit_of_work
from portal.wording.notices import channel_word, failure_phrase
from portal.wording.problems import problem_sentence

blueprint = Blueprint("deliveries", __name__, url_prefix="/mesa/avisos")


@blueprint.get("/")
def show_list() -> Response:
    return _page()


@blueprint.post("/<int(max=2147483647):number>/de-novo")
def retry(number: int) -> Response:
    with unit_of_work(writes=True) as session:
        dead_letters.retry(session, member(), number, now=clock.now())
    _ = current_translator()
    flash(_("O aviso voltou à fila."))
    return redirect(url_for("deliveries.show_list"), 303)


@blueprint.post("/<int(max=2147483647):number>/desistir")
def drop(number: int) -> Response:
    try:
        with unit_of_work(writes=True) as session:
            dead_letters.drop(session, member(), number, request.form.get("reason", ""), now=clock.now())
    except ReasonMissing as missing:
        return _page(number, problem_sentence(missing, current_translator()), missing.status)
    _ = current_translator()
    flash(_("O aviso saiu da fila."))
    return redirect(url_for("deliveries.show_list"), 303)


def _page(wrong: int = 0, problem: str = "", status: int = 200) -> Response:
    who, _ = member(), current_translator()
    zone = catalogue.municipality(who.municipality).zone
    with unit_of_work() as session:
        letters = dead_letters.list_dead(session, who)

    def local(moment: datetime) -> datetime:
        return moment.astimezone(zone)

    return render(
        "desk/deliveries.html",
        fragment="letters",
        letters=letters,
        wrong=wrong,
        problem=problem,
        local_time=local,
        channel_said=lambda letter: channel_word(letter.kind, _),
        failure_said=lambda letter: failure_phrase(letter.failure, _),
        limit=dead_letters.REASON_LIMIT,
        status=status,
    )
