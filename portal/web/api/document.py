"""The OpenAPI description: addresses here, shapes from the very types that answer."""

from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Any

from portal.i18n import LANGUAGES, translator
from portal.web.api.shapes import other_schemas
from portal.wording.rule_json import rule_schemas

REF = "#/components/schemas/{model}"
PREFIX = "/api/v1"


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    text: str
    where: str = "query"
    required: bool = False
    kind: str = "string"
    format: str | None = None

    def described(self) -> dict[str, Any]:
        schema = {"type": self.kind} | ({"format": self.format} if self.format else {})
        return {
            "name": self.name,
            "in": self.where,
            "required": self.required,
            "description": self.text,
            "schema": schema,
        }


@dataclass(frozen=True, slots=True)
class Operation:
    path: str
    id: str
    summary: str
    answer: str
    """A component, or a list of it where it ends in ``[]``."""
    parameters: tuple[Parameter, ...] = ()

    @property
    def tag(self) -> str:
        return "rules" if self.path.startswith(f"{PREFIX}/rules") else "look-up"

    def described(self) -> dict[str, Any]:
        name = self.answer.removesuffix("[]")
        schema: dict[str, Any] = {"$ref": REF.format(model=name)}
        if self.answer.endswith("[]"):
            schema = {"type": "array", "items": schema}
        return {
            "operationId": self.id,
            "summary": self.summary,
            "tags": [self.tag],
            "parameters": [one.described() for one in self.parameters] + [_LANGUAGE],
            "responses": {
                "200": {"description": "The answer.", "content": {"application/json": {"schema": schema}}},
                "404": {"$ref": "#/components/responses/Unknown"},
                "422": {"$ref": "#/components/responses/Unreadable"},
            },
        }


def _path(name: str, text: str) -> Parameter:
    return Parameter(name, text, where="path", required=True)


_LANGUAGE = {
    "name": "lang",
    "in": "query",
    "required": False,
    "description": "Language of the sentences; an answer in an explicit language may be cached by anybody.",
    "schema": {"enum": [translator(language).tag for language in LANGUAGES]},
}
_TOWN = _path("municipality", "Slug of the town, its name and state, as in exemplo-sp.")
_PLATE = Parameter("q", "Plate or permit number, typed in any way.", required=True)
_ON = Parameter("on", "Civil day in the town; today where none is given.", format="date")
_HERE = (
    Parameter("stop", "Code of the stop where one would board."),
    Parameter("at", "Hour in the town on that day, as 22:00, or now."),
    Parameter("service", "What one would board for: a service, as permits name it."),
)
_WANTED = (
    Parameter("service", "Only of this service, as permits name it."),
    Parameter("accessible", "Only what is known to be accessible.", kind="boolean"),
    Parameter("running", "Only where something leaves within the hour.", kind="boolean"),
)
_INSTRUMENT = _path("instrument", "Identifier of the legal instrument.")

OPERATIONS = (
    Operation(
        f"{PREFIX}/verify",
        "verifyEverywhere",
        "What every town says of a vehicle today",
        "Verdict[]",
        (_PLATE, *_HERE),
    ),
    Operation(
        f"{PREFIX}/{{municipality}}/verify",
        "verify",
        "What one town says of a vehicle, up to twelve months back",
        "Verdict",
        (_TOWN, _PLATE, _ON, *_HERE),
    ),
    Operation(
        f"{PREFIX}/{{municipality}}/itineraries",
        "listItineraries",
        "Authorised itineraries with their next departures",
        "ItineraryList",
        (_TOWN, *_WANTED),
    ),
    Operation(
        f"{PREFIX}/{{municipality}}/stops",
        "listStops",
        "Stops by name, or the nearest boarding points",
        "StopList",
        (
            _TOWN,
            Parameter("lat", "Degrees north, with lon.", kind="number"),
            Parameter("lon", "Degrees east, with lat.", kind="number"),
            Parameter("near", "A place in words."),
            Parameter("page", "Page of the list by name.", kind="integer"),
            *_WANTED,
        ),
    ),
    Operation(
        f"{PREFIX}/{{municipality}}/departures",
        "nextDepartures",
        "What leaves next from a stop, of an itinerary, or between two stops",
        "DepartureList",
        (
            _TOWN,
            Parameter(
                "stop", "Code of the stop where one boards; without it, the first one of the itinerary."
            ),
            Parameter("to", "Code of the stop where one gets off: the time of arrival is told."),
            Parameter("itinerary", "Code of the only itinerary of interest."),
            Parameter("at", "Instant with its offset, or the time in the town; now where none is given."),
            Parameter("limit", "How many, at most 50.", kind="integer"),
        ),
    ),
    Operation(f"{PREFIX}/rules", "listTerms", "The identifiers of every instrument", "TermsList"),
    Operation(
        f"{PREFIX}/rules/{{instrument}}",
        "showInstrument",
        "All that an instrument says on a day",
        "InstrumentTold",
        (_INSTRUMENT, _ON),
    ),
    Operation(
        f"{PREFIX}/rules/{{instrument}}/terms",
        "terms",
        "The identifiers by which an instrument is asked",
        "Terms",
        (_INSTRUMENT, _ON),
    ),
    Operation(
        f"{PREFIX}/rules/{{instrument}}/infractions",
        "listInfractions",
        "Every infraction with its penalties",
        "InfractionList",
        (_INSTRUMENT, _ON),
    ),
    Operation(
        f"{PREFIX}/rules/{{instrument}}/infractions/{{code}}",
        "fine",
        "What one infraction costs",
        "FineTold",
        (
            _INSTRUMENT,
            _path("code", "As II-05, 29-III or 35-I-b; printed spellings are read too."),
            _ON,
            Parameter("repeat", "As a repetition.", kind="boolean"),
        ),
    ),
    Operation(
        f"{PREFIX}/rules/{{instrument}}/permits/{{permit_type}}/validity",
        "validity",
        "From when until when a permit runs",
        "ValidityTold",
        (
            _INSTRUMENT,
            _path("permit_type", "One of permit_types."),
            Parameter("issued", "Day of the act that issued it.", required=True, format="date"),
            Parameter("paid", "Day on which its fees were paid.", format="date"),
            Parameter("year", "Calendar year it is for.", kind="integer"),
        ),
    ),
    Operation(
        f"{PREFIX}/rules/{{instrument}}/authorities/{{matter}}",
        "authority",
        "Who decides a matter",
        "AuthorityTold",
        (_INSTRUMENT, _path("matter", "One of matters."), _ON),
    ),
    Operation(
        f"{PREFIX}/rules/{{instrument}}/vehicles/{{vehicle_type}}/age",
        "vehicleAge",
        "Whether a vehicle of a year is young enough",
        "VehicleAgeTold",
        (
            _INSTRUMENT,
            _path("vehicle_type", "One of vehicle_types."),
            Parameter("year", "Model year, or year of manufacture.", required=True, kind="integer"),
            _ON,
        ),
    ),
    Operation(
        f"{PREFIX}/rules/{{instrument}}/deadlines/{{what}}",
        "deadline",
        "The last day of a time",
        "DeadlineTold",
        (
            _INSTRUMENT,
            _path("what", "One of deadlines."),
            Parameter("from", "Day it runs from; today where none is given.", format="date"),
        ),
    ),
    Operation(
        f"{PREFIX}/rules/{{instrument}}/requirements/{{what}}",
        "requirement",
        "What must be displayed, carried, sold, fitted or handed in",
        "RequirementTold",
        (_INSTRUMENT, _path("what", "One of requirements."), _ON),
    ),
    Operation(
        f"{PREFIX}/rules/{{instrument}}/categories/{{category}}",
        "category",
        "What an instrument says of a kind of complaint",
        "CategoryTold",
        (_INSTRUMENT, _path("category", "A kind of complaint, shared by all towns."), _ON),
    ),
)


@cache
def openapi_document() -> dict[str, Any]:
    """The whole description as plain values."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Embarque Legal",
            "version": version("embarque-legal"),
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
            "description": "May this vehicle carry me, where does it leave from, and what does the law say. "
            "Nothing here needs a key, and nothing writes.",
        },
        "servers": [{"url": "/"}],
        "paths": {one.path: {"get": one.described()} for one in OPERATIONS},
        "components": {
            "schemas": dict(sorted((other_schemas(REF) | rule_schemas(REF)).items())),
            "responses": {
                "Unknown": _problem(
                    "No such town, instrument or identifier; the message names the known ones."
                ),
                "Unreadable": _problem("Something asked could not be read; the message says what."),
            },
        },
    }


def _problem(text: str) -> dict[str, Any]:
    schema = {"$ref": REF.format(model="Error")}
    return {"description": text, "content": {"application/json": {"schema": schema}}}
