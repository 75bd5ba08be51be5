"""A complaint as whoever may not know its author reads it: masked as in the copy that a unit of the town gets.

A voice or a photo tells who somebody is, so that only files that the ombudsman passed on to a unit are there.

A plate or permit complained of stays readable. Searching must not tell what reading does not, so that such a person
finds protocols, plates and words, and no run of digits that could spell out somebody's telephone bit by bit.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from portal.domain.plates import read_plate
from portal.domain.protocols import is_protocol
from portal.domain.redaction import redact
from portal.domain.staff import StaffMember
from portal.services.casework.units import named_vehicles

if TYPE_CHECKING:
    from portal.services.casework.inbox import CaseLine
    from portal.services.casework.reading import CaseFile

_TELLING = re.compile(r"\d{3}|[@＠]")
"""What a search may hold for the ombudsman alone, unless it is a plate or a protocol."""


def as_read_by(staff: StaffMember, case: "CaseFile") -> "CaseFile":
    """``case`` whole for the ombudsman; for anybody else, everything that somebody wrote in it masked."""
    if staff.may_open_identity:
        return case
    passed_on = {token for one in case.requests for token in one.files}
    keep = named_vehicles(case.facts, case.snapshot)

    def masked(text: str | None) -> str | None:
        return redact(text, keep=keep) if text else text

    return replace(
        case,
        line=line_as_read_by(staff, case.line),
        facts={name: _masked_fact(value, keep) for name, value in case.facts.items()},
        story=masked(case.story),
        evidence=tuple(one for one in case.evidence if one.token in passed_on),
        events=tuple(replace(one, reason=masked(one.reason)) for one in case.events),
        messages=tuple(replace(one, text=redact(one.text, keep=keep)) for one in case.messages),
        acts=tuple(
            # The other complaint's protocol is no text of anybody's.
            one if one.kind == "received_merged" else replace(one, text=masked(one.text))
            for one in case.acts
        ),
        requests=tuple(
            replace(
                one,
                question=masked(one.question),
                answer=masked(one.answer),
                extension_reason=masked(one.extension_reason),
            )
            for one in case.requests
        ),
    )


def line_as_read_by(staff: StaffMember, line: "CaseLine") -> "CaseLine":
    """A line of the list; a vehicle may have been told in any words."""
    if staff.may_open_identity or not line.vehicle:
        return line
    return replace(line, vehicle=redact(line.vehicle, keep=(line.vehicle,)))


def may_search(staff: StaffMember, typed: str) -> bool:
    """Whether a search of this text may find anything for ``staff``."""
    return (
        staff.may_open_identity
        or not _TELLING.search(typed)
        or is_protocol(typed)
        or read_plate(typed) is not None
    )


def _masked_fact(value: Any, keep: tuple[str, ...]) -> Any:
    if isinstance(value, Mapping) and value.get("kind") == "typed":
        return {**value, "text": redact(value["text"], keep=keep)}
    return value
