"""For whoever watches the process, such as a supervisor or a load balancer."""

from flask import Blueprint, Response
from sqlalchemy.exc import SQLAlchemyError

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
