"""Answers of the catalogue as machines read them, and the schemas that those follow."""

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from portal.services.verdicts import rule_answers as answers

ANSWERS: tuple[type, ...] = (
    answers.Terms,
    answers.InstrumentTold,
    answers.InfractionList,
    answers.FineTold,
    answers.ValidityTold,
    answers.AuthorityTold,
    answers.VehicleAgeTold,
    answers.DeadlineTold,
    answers.RequirementTold,
    answers.CategoryTold,
)


def rule_json(answer: answers.Answer) -> dict[str, Any]:
    """Plain values: dates as 2026-12-31, amounts as numbers, plain words under ``pt``, ``en`` and ``es``."""
    kind: Any = type(answer)
    return _adapter(kind).dump_python(answer, mode="json", by_alias=True)  # type: ignore[no-any-return]


def rule_schemas(ref_template: str) -> dict[str, Any]:
    """The JSON Schema (2020-12) of every answer and of what they hold, by name."""
    _, schemas = TypeAdapter.json_schemas(
        [(kind.__name__, "serialization", _adapter(kind)) for kind in (answers.Answer, *ANSWERS)],
        by_alias=True,
        ref_template=ref_template,
    )
    named: dict[str, Any] = schemas["$defs"]
    # The sentences beside the fields of the common head are not inherited with the fields themselves.
    head = named.pop("Answer")["properties"]
    for kind in ANSWERS:
        for name, field in head.items():
            named[kind.__name__]["properties"][name] = field
    return named


def instrument_schema() -> dict[str, Any]:
    """The JSON Schema of a whole instrument as it stands on a day, complete in itself."""
    named = rule_schemas("#/$defs/{model}")
    whole = named.pop(answers.InstrumentTold.__name__)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **whole, "$defs": named}


@cache
def _adapter(kind: type) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
