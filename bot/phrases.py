"""What somebody means who writes without a command: phrase tables in three languages, read with small slips.

The tables are data (``phrase_tables/*.toml``), one a language, since they belong to the chat alone and are no
translations of each other: people ask for the same thing in other words in each. All three are read whatever
language the chat speaks, as a tourist's telephone and the tourist often differ. No model, no network.
"""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rapidfuzz import fuzz

from portal.domain.names import fold
from portal.i18n import LANGUAGES

FOLDER = Path(__file__).parent / "phrase_tables"
LONGEST = 300
"""Letters of a message that are read for its purpose; what goes on longer is an account, not a request."""
MOST_WORDS = 40
COURTESIES = frozenset({"greeting", "thanks", "bye", "insult", "menu", "yes", "no", "back", "skip"})
"""Said beside what is wanted; they count when nothing else is."""
SHORTEST_ACCOUNT = 4
"""Words of a sentence that tells of something."""
CONDUCT = frozenset(
    f"complain:{each}"
    for each in ("harassment", "aggression", "rudeness", "discrimination", "dangerous_driving", "alcohol_or_drugs",
                 "ride_refused", "accessibility_refused", "ticket_or_price")
)  # fmt: skip
"""What people do, which describes neither a vehicle nor a place nor an hour."""
SLIP_SCORE = 84
"""Least likeness, out of 100, between a typed word and the word of a phrase that was probably meant."""
SHORTEST_SLIP = 5
"""Letters of a word in which a slip is supposed: of a shorter one too many others are near."""


@dataclass(frozen=True, slots=True)
class Meant:
    """Where a message leads."""

    place: str
    """A place of the tables, such as ``boarding``; ``complain:harassment`` names a category too."""
    rest: str
    """What is said in words of no phrase: mostly a name, such as that of a beach; folded."""
    whole: bool
    """Nothing else is said."""


@dataclass(frozen=True, slots=True)
class _Phrase:
    place: str
    words: tuple[tuple[str, ...], ...]
    """For each word of the phrase the words that may stand in for it."""
    alone: bool


@dataclass(frozen=True, slots=True)
class _Table:
    phrases: tuple[_Phrase, ...]
    unsaid: frozenset[str]
    """Words that say nothing of what is wanted."""
    by_initial: dict[str, tuple[str, ...]]
    """The words of its phrases by their first letter, which nobody gets wrong."""
    known: frozenset[str]
    """Every word of some phrase, so that "trenzinho" is not taken for the name of a place."""


def places() -> frozenset[str]:
    """Every place that some table names."""
    return frozenset(phrase.place for table in _tables().values() for phrase in table.phrases)


def meant(text: str, language: str) -> Meant | None:
    """Where a message leads, after the tables of every language, that of ``language`` first; None when nowhere."""
    typed = fold(text[:LONGEST]).split()[:MOST_WORDS]
    if not typed:
        return None
    order = sorted(_tables(), key=lambda each: each != language)
    found = [
        (phrase.place not in COURTESIES, score, phrase.place != "complain", -rank, phrase, used, table)
        for rank, table in enumerate(_tables()[each] for each in order)
        for phrase, score, used in _found(table, typed)
    ]
    if not found:
        return None
    # Of what somebody complains says more than that they do.
    *_order, phrase, used, table = max(found, key=lambda each: each[:4])
    left = [word for at, word in enumerate(typed) if at not in used and word not in table.unsaid]
    name = [word for word in left if word not in table.known]
    return Meant(phrase.place, " ".join(name), not left)


def tells_what_happened(
    text: str, language: str, *, any_kind: bool = False, in_a_place: bool = False
) -> bool:
    """Whether a sentence complains or tells of somebody's conduct: an account, whatever was asked for.

    A vehicle in bad repair or far from its stop may be described in the words of a complaint: these tell something
    only with ``any_kind``, where nothing else was asked. ``in_a_place`` says that a place was: it may be that of the
    ombudsman's office.
    """
    typed = fold(text[:LONGEST]).split()[:MOST_WORDS]
    if len(typed) < SHORTEST_ACCOUNT:
        return False
    said = [(phrase, used) for table in _tables().values() for phrase, _score, used in _found(table, typed)]
    complains = [used for phrase, used in said if phrase.place == "complain"]
    tells = [used for phrase, used in said if phrase.place.startswith("complain:")]
    conduct = any(phrase.place in CONDUCT for phrase, _used in said)
    unsaid = _tables()[language].unsaid
    telling = [at for at, word in enumerate(typed) if word not in unsaid]
    if (
        complains
        and any(set(telling) - used for used in complains)
        and (tells or (len(telling) > 2 and not in_a_place))
    ):
        return True
    return (conduct or (any_kind and bool(tells))) and len(typed) > SHORTEST_ACCOUNT


def _found(table: _Table, typed: Sequence[str]) -> Iterator[tuple[_Phrase, int, frozenset[int]]]:
    """The phrases of a table in a message, each with its score and the places of its words."""
    said = _said(table, typed)
    for phrase in table.phrases:
        used: set[int] = set()
        score = 0
        for choices in phrase.words:
            best = max(
                (each for choice in choices for each in said.get(choice, ()) if each[1] not in used),
                default=None,
            )
            if best is None:
                break
            score += best[0]
            used.add(best[1])
        else:
            others = [word for at, word in enumerate(typed) if at not in used and word not in table.unsaid]
            if not (phrase.alone and others):
                yield phrase, score, frozenset(used)


def _said(table: _Table, typed: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
    """The words of phrases that a message says, each with how many letters answer for it and where."""
    said: dict[str, list[tuple[int, int]]] = {}
    for at, word in enumerate(typed):
        for choice in table.by_initial.get(word[0], ()):
            if score := _likeness(choice, word):
                said.setdefault(choice, []).append((score, at))
    return said


def _likeness(choice: str, word: str) -> int:
    """How many letters of a phrase's word a typed word answers for; a slip costs one."""
    stem = choice.removesuffix("*")
    if choice != stem:
        word = word[: len(stem)]
    if word == stem:
        return len(stem)
    near = len(stem) >= SHORTEST_SLIP and fuzz.ratio(stem, word, score_cutoff=SLIP_SCORE) > 0
    return min(len(stem), len(word)) - 1 if near else 0


@lru_cache(maxsize=1)
def _tables() -> dict[str, _Table]:
    return {language: _read(FOLDER / f"{language}.toml") for language in LANGUAGES}


def _read(path: Path) -> _Table:
    told = tomllib.loads(path.read_text())
    phrases = [
        _Phrase(
            place,
            tuple(tuple(word.split("|")) for word in said.removeprefix("=").split()),
            said.startswith("="),
        )
        for place, lines in told["places"].items()
        for said in lines
    ]
    known = frozenset(word for phrase in phrases for choices in phrase.words for word in choices)
    by_initial: dict[str, tuple[str, ...]] = {}
    for word in sorted(known):
        by_initial[word[0]] = (*by_initial.get(word[0], ()), word)
    return _Table(tuple(phrases), frozenset(told["unsaid"]), by_initial, known)
