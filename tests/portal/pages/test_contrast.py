"""Colours are read in sunlight: every pair of tokens that carries words keeps its contrast, light and dark."""

import re

import pytest

from portal.domain.colours import contrast
from portal.pages.assets import OWN
from portal.regulations.shared_files import HEADINGS

PAIRS = [
    ("on-state", "state-yes", 7),
    ("on-state", "state-wait", 7),
    ("on-state", "state-no", 7),
    ("on-state", "state-lost", 7),
    ("on-state", "state-blank", 7),
    ("yes-ink", "yes-soft", 7),
    ("wait-ink", "wait-soft", 7),
    ("no-ink", "no-soft", 7),
    ("lost-ink", "lost-soft", 7),
    ("blank-ink", "blank-soft", 7),
    ("ink", "paper", 7),
    ("ink", "surface", 7),
    ("ink", "surface-sunk", 7),
    ("ink", "sun-soft", 7),
    ("ink-soft", "paper", 7),
    ("ink-soft", "surface", 7),
    ("ink-soft", "surface-sunk", 4.5),
    ("link", "paper", 7),
    ("link", "surface", 7),
    ("link", "surface-sunk", 4.5),
    ("on-petrol", "petrol", 7),
    ("on-button", "button", 7),
    ("on-button", "button-hover", 7),
    ("danger", "surface", 7),
    ("danger", "paper", 7),
    ("line-strong", "surface", 3),
    ("line-strong", "paper", 3),
]


def _tokens(scheme: str) -> dict[str, str]:
    css = (OWN / "site.css").read_text()
    blocks = re.findall(r":root \{(.*?)\n\s*\}", css, re.S)
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", blocks[0]))
    if scheme == "dark":
        found |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", blocks[1]))
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("words", "ground", "least"), PAIRS)
def test_words_stand_out_from_their_ground(scheme, words, ground, least):
    tokens = _tokens(scheme)

    assert contrast(tokens[words], tokens[ground]) >= least


def test_the_colours_of_towns_are_held_against_the_headings_of_today():
    assert (_tokens("light")["petrol"], _tokens("dark")["petrol"]) == HEADINGS
