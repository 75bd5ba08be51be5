"""Each error that a person can be told of is named once to machines and worded once for people."""

from collections import Counter
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from portal.domain import errors
from portal.domain.errors import ActRefused, PortalError
from portal.domain.evidence import EvidenceKind
from portal.domain.registers import RowProblem
from portal.i18n import LANGUAGES, translator
from portal.wording.problems import problem_sentence

ERRORS = sorted(PortalError.__subclasses__(), key=lambda kind: kind.__name__)
VALUES: dict[Any, Any] = {
    str: "x",
    int: 3,
    int | None: 3,
    tuple[str, ...]: ("a", "b"),
    EvidenceKind | None: None,
}
VALUES[tuple[RowProblem, ...]] = (RowProblem("no_plate", 1, "placa", "x"),)
VALUES["tuple[SourceProblem, ...]"] = ()


def made(kind: type[PortalError]) -> PortalError:
    """The error with anything in its fields, as the first that has no special case of its own."""
    if kind is ActRefused:
        return ActRefused("twice", "on")
    given = {one.name: VALUES[one.type] for one in fields(kind)} if is_dataclass(kind) else {}
    return kind(**given)


def test_all_of_them_stand_in_one_module():
    assert {kind.__module__ for kind in ERRORS} == {errors.__name__}


def test_machines_can_tell_them_apart():
    codes = Counter(kind.code for kind in ERRORS)
    assert [code for code, count in codes.items() if count > 1 or code == PortalError.code] == []


@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_is_worded(kind, language):
    assert problem_sentence(made(kind), translator(language)).endswith(".")
