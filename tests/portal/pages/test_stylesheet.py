"""The stylesheet: one class, one component."""

import re
from collections import defaultdict

from portal.pages.assets import OWN

SECTION = re.compile(r"/\* -{10} (.+?) -{10} \*/")
BARE = re.compile(r"\.[\w-]+")


def test_a_class_is_drawn_in_one_section_alone():
    homes = defaultdict(set)
    _before, *parts = SECTION.split((OWN / "site.css").read_text())
    for name, rules in zip(parts[::2], parts[1::2], strict=True):
        for selectors in re.findall(r"^([^\s@/}][^{]*)\{", rules, re.MULTILINE):
            for selector in selectors.split(","):
                if BARE.fullmatch(selector.strip()):
                    homes[selector.strip()].add(name)

    assert {one: names for one, names in homes.items() if len(names) > 1} == {}
