"""The auditor reads what was done in words: no act of the code is left to its code name."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import portal
from portal.domain.itineraries import Sheet
from portal.domain.permits import EventKind
from portal.i18n import translator
from portal.wording.audit import action_phrase, actor_phrase, subject_phrase

SERVICES = Path(portal.__file__).parent / "services"
LOGS = {"record", "log", "_log"}


def logged() -> Iterator[str]:
    """The acts that services log, as they stand in calls; those made of a part that varies are spelt out below."""
    for path in SERVICES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", getattr(node.func, "attr", "")) in LOGS
            ):
                for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                    for part in ast.walk(argument):
                        if isinstance(part, ast.Constant) and isinstance(part.value, str):
                            of, dot, what = part.value.partition(".")
                            if (
                                dot
                                and what[-1:].isalpha()
                                and (of + what).replace("_", "").replace(".", "").isalpha()
                            ):
                                yield part.value


ACTS = sorted(
    {*logged(), "staff.signed_in.code", "staff.signed_in.recovery"}
    | {f"permit.{kind}" for kind in EventKind}
    | {f"itinerary.{sheet}" for sheet in Sheet}
)


def test_the_acts_are_found():
    assert {"case.merged", "identity.opened", "staff.dismissed", "report.published"} <= set(ACTS)


@pytest.mark.parametrize("act", ACTS)
def test_each_act_is_said(act):
    assert "." not in action_phrase(act, translator("pt_BR"))


@pytest.mark.parametrize(
    "subject", ["complaint:7", "permit:7", "import:7", "staff:7", "delivery:7", "disclosure:7",
                "itinerary_entry:7", "report:2026"]
)  # fmt: skip
def test_each_record_is_said(subject):
    assert ":" not in subject_phrase(subject, translator("pt_BR"))


@pytest.mark.parametrize("actor", ["staff:7", "cli", "worker", "demonstration"])
def test_whoever_acted_is_said(actor):
    assert actor_phrase(actor, translator("pt_BR")) != actor
