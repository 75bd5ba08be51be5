"""The law as data under ``/api/v1/rules``, and the description of the whole API."""

from datetime import date

from flask import Blueprint, Response, jsonify, request

from portal.domain.days import iso_day
from portal.domain.errors import ParameterMissing
from portal.regulations import catalogue
from portal.services.verdicts import rules
from portal.services.verdicts.rule_answers import Answer
from portal.web.api.document import openapi_document
from portal.wording.rule_json import instrument_schema, rule_json

blueprint = Blueprint("api", __name__, url_prefix="/api/v1")


@blueprint.get("/openapi.json")
def openapi() -> Response:
    """OpenAPI 3.1, with the JSON Schema of every answer."""
    return jsonify(openapi_document())


@blueprint.get("/schemas/instrument.json")
def schema_of_instrument() -> Response:
    """What ``/rules/<instrument>`` and ``portal rules show`` answer, for whoever validates."""
    return jsonify(instrument_schema())


@blueprint.get("/rules")
def terms_of_all() -> Response:
    """The identifiers of every instrument."""
    told = [
        rules.rule_terms(one.id, on=catalogue.today_in(one.municipality)) for one in catalogue.instruments()
    ]
    return jsonify(instruments=[rule_json(one) for one in told])


@blueprint.get("/rules/<instrument>")
def show(instrument: str) -> Response:
    """All that an instrument says on a day."""
    return _told(rules.show_instrument(instrument, on=_on(instrument)))


@blueprint.get("/rules/<instrument>/terms")
def terms(instrument: str) -> Response:
    return _told(rules.rule_terms(instrument, on=_on(instrument)))


@blueprint.get("/rules/<instrument>/infractions")
def infractions(instrument: str) -> Response:
    return _told(rules.list_infractions(instrument, on=_on(instrument)))


@blueprint.get("/rules/<instrument>/infractions/<code>")
def fine(instrument: str, code: str) -> Response:
    """What an infraction costs; ``repeat=true`` as a repetition."""
    repeat = request.args.get("repeat", "").lower() in ("1", "true")
    return _told(rules.fine(instrument, code, on=_on(instrument), repeat=repeat))


@blueprint.get("/rules/<instrument>/permits/<permit_type>/validity")
def validity(instrument: str, permit_type: str) -> Response:
    paid, year = request.args.get("paid"), request.args.get("year")
    return _told(
        rules.validity(
            instrument,
            permit_type,
            issued=iso_day(_needed("issued")),
            paid=iso_day(paid) if paid else None,
            year=rules.read_year(year) if year else None,
        )
    )


@blueprint.get("/rules/<instrument>/authorities/<matter>")
def authority(instrument: str, matter: str) -> Response:
    return _told(rules.authority(instrument, matter, on=_on(instrument)))


@blueprint.get("/rules/<instrument>/vehicles/<vehicle_type>/age")
def vehicle_age(instrument: str, vehicle_type: str) -> Response:
    year = rules.read_year(_needed("year"))
    return _told(rules.vehicle_age(instrument, vehicle_type, year=year, on=_on(instrument)))


@blueprint.get("/rules/<instrument>/deadlines/<what>")
def deadline(instrument: str, what: str) -> Response:
    """The last day of a time that runs ``from`` a day."""
    start = rules.day_asked(request.args.get("from"), instrument)
    return _told(rules.count_deadline(instrument, what, start=start))


@blueprint.get("/rules/<instrument>/requirements/<what>")
def requirement(instrument: str, what: str) -> Response:
    return _told(rules.requirement(instrument, what, on=_on(instrument)))


@blueprint.get("/rules/<instrument>/categories/<category>")
def category(instrument: str, category: str) -> Response:
    return _told(rules.category(instrument, category, on=_on(instrument)))


def _on(instrument: str) -> date:
    return rules.day_asked(request.args.get("on"), instrument)


def _needed(name: str) -> str:
    value = request.args.get(name, "").strip()
    if not value:
        raise ParameterMissing(name)
    return value


def _told(answer: Answer) -> Response:
    return jsonify(rule_json(answer))
