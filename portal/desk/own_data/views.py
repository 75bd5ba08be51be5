"""Requests of people for what is held about them: the desk lets them have it, and that it did is recorded."""

from datetime import datetime

from flask import Blueprint, flash, redirect, url_for
from werkzeug.wrappers import Response

from portal import clock
from portal.desk.sign_in.views import member
from portal.pages.fragments import render
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.services.complaints import own_data
from portal.services.unit_of_work import unit_of_work

blueprint = Blueprint("own_data", __name__, url_prefix="/mesa/pedidos-de-dados")


@blueprint.get("/")
def show_list() -> Response:
    who = member()
    zone = catalogue.municipality(who.municipality).zone
    with unit_of_work() as session:
        waiting = own_data.waiting_requests(session, who)

    def local(moment: datetime) -> datetime:
        return moment.astimezone(zone)

    return render("desk/own_data.html", fragment="requests", waiting=waiting, local_time=local)


@blueprint.post("/<protocol>")
def answer(protocol: str) -> Response:
    with unit_of_work(writes=True) as session:
        own_data.answer(session, member(), protocol, now=clock.now())
    _ = current_translator()
    flash(_("A pessoa já pode baixar os dados dela, com o protocolo e a chave."))
    return redirect(url_for("own_data.show_list"), 303)
