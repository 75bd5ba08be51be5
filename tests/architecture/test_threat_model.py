"""The threat model names the test that shows each line of it: every one of them is there."""

import re

from tests.architecture.named import ROOT, stands

MODEL = (ROOT / "docs" / "threat-model.md").read_text()
NAMED = dict(re.findall(r"^- (T\d+) `([^`]+)`$", MODEL, re.MULTILINE))


def test_every_line_is_shown_by_a_test_of_the_list():
    table = [line for line in MODEL.splitlines() if line.startswith("| ") and "---" not in line][1:]
    shown = [set(re.findall(r"\bT\d+\b", line.rstrip("| ").rpartition("|")[2])) for line in table]

    assert all(shown), "a threat without a test"
    assert set.union(*shown) == set(NAMED)


def test_each_test_named_exists():
    assert [name for name in NAMED.values() if not stands(*name.split("::"))] == []
