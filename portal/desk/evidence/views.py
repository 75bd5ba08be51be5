"""Files at the desk beyond the plain download: a small picture, and opening what is sealed to the ombudsman."""

from flask import Blueprint, current_app
from werkzeug.wrappers import Response

from portal import clock
from portal.desk.sign_in.views import member
from portal.domain.protocols import read_protocol
from portal.files.images import thumbnail as made_small
from portal.pages.downloads import hand_out
from portal.sealing.boxes import UnreadableBox
from portal.sealing.opening import open_sealed
from portal.services.casework import evidence
from portal.services.unit_of_work import unit_of_work

blueprint = Blueprint("evidence", __name__, url_prefix="/mesa/manifestacoes/<protocol>/anexos/<token>")


@blueprint.get("/miniatura")
def thumbnail(protocol: str, token: str) -> Response:
    """A photo made small, for an ``img`` of the case's page; opened by itself it is a download like any other."""
    with unit_of_work() as session:
        file = evidence.photo_of_case(session, member(), protocol, token)
    return hand_out(made_small(file.read()), file.media_type, file.name)


@blueprint.post("/abrir")
def open_file(protocol: str, token: str) -> Response:
    """A sealed recording, handed out once the opening stands in the audit chain."""
    with unit_of_work() as session:
        file = evidence.sealed_file(session, member(), protocol, token)
    box = file.read()  # between the transactions: a slow store must hold no lock
    with unit_of_work(writes=True) as session:
        data = evidence.open_sealed_file(
            session, member(), protocol, token, box=box, open_box=_open_box, now=clock.now()
        )
    return hand_out(data, file.media_type, f"{read_protocol(protocol)}-{file.name}")


def _open_box(box: bytes, record: str) -> bytes:
    keys = current_app.config["IDENTITY_KEYS"].get(member().municipality)
    if keys is None:
        raise UnreadableBox("no key of this municipality")
    return open_sealed(box, keys, record=record)
