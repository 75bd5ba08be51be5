"""Each line of the security requirements has a test that is there, or says why not."""

import re

from tests.architecture.named import ROOT, stands

LINES = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs" / "asvs.md").read_text().splitlines()
    if re.match(r"\| \d+\.\d+\.\d+ \|", line)
]


def test_each_line_is_whole_and_there_once():
    items = [line[0] for line in LINES]

    assert {len(line) for line in LINES} == {4}
    assert len(items) == len(set(items)) > 100
    assert items == sorted(items, key=lambda item: [int(part) for part in item.split(".")])


def test_each_has_a_test_or_a_reason():
    assert [
        line[0]
        for line in LINES
        if not re.fullmatch(r"`tests/[^`]+`|Reason: .{5,}|\*\*Gap\*\*: .{20,}", line[3])
    ] == []


def test_each_test_named_exists():
    named = [(line[0], name) for line in LINES for name in re.findall(r"`(tests/[^`]+)`", line[3])]

    assert [(item, name) for item, name in named if not stands(*name.split("::"))] == []
