"""For whoever watches the process, such as a supervisor or a load balancer."""

import secrets

from flask import Blueprint, Response
from sqlalchemy.exc import SQLAlchemyError

from portal.config import settings
from portal.domain.errors import FilesAway
from portal.files.store import file_store
from portal.services.unit_of_work import database_answers

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def health() -> Response:
    """200 once pages can be served; 503 while the database cannot be read."""
    try:
        database_answers()
    except SQLAlchemyError:
        return Response("database\n", status=503, mimetype="text/plain")
    return Response("ok\n", mimetype="text/plain", headers={"Cache-Control": "no-store"})


@blueprint.get("/livez")
def alive() -> Response:
    """200 while the process answers at all: a supervisor that gets none starts it again."""
    return Response("ok\n", mimetype="text/plain", headers={"Cache-Control": "no-store"})


@blueprint.get("/readyz")
def ready() -> Response:
    """What this process needs, a line each; 503 while the database is away, and with it every page.

    A store that is away is told and no reason to send people elsewhere: look-ups go on, and files are asked for again.
    """
    told = {"database": True, "files": True}
    try:
        database_answers()
    except SQLAlchemyError:
        told["database"] = False
    try:
        file_store(settings().files_url).get(secrets.token_hex(16))
    except FileNotFoundError:
        pass  # as it should: nothing has this name
    except FilesAway:
        told["files"] = False
    lines = "".join(f"{name} {'ok' if there else 'away'}\n" for name, there in told.items())
    status = 200 if told["database"] else 503
    return Response(lines, status=status, mimetype="text/plain", headers={"Cache-Control": "no-store"})
