"""What a typed name may mean: stops, itineraries, neighbourhoods and sights."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice, product, zip_longest

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA
from sqlalchemy.orm import Session

from portal.domain.names import SHORTEST_SLIP, fold, slips_of, words
from portal.storage import finding
from portal.storage import itineraries as store

TWO_SLIPS_FROM = 8
"""Letters of a word in which a second slip is supposed."""
NEAR_WORDS = 5
"""Words of names that are tried for one typed word."""
TRIES = 16
"""How many readings of a text with slips are looked up before nothing is found."""
GUESSES = 10
"""Names shown of what was supposed, shared among the readings that are as likely as each other."""


@dataclass(frozen=True, slots=True)
class PlaceMatch:
    """Something that a typed name may mean."""

    target: str
    """``stop``, ``itinerary`` or ``place``."""
    code: str | None
    name: str
    kind: str | None = None
    """Of a place: neighbourhood, beach, sight, as the list says."""
    latitude: float | None = None
    longitude: float | None = None
    by_slip: bool = False
    """Found only by supposing a slip of the finger."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Of an itinerary, the name in other languages; ``name_in`` chooses."""

    def name_in(self, language: str) -> str:
        return self.names.get(language.split("_")[0], self.name)


def find_places(session: Session, municipality: str, text: str, *, limit: int = 20) -> tuple[PlaceMatch, ...]:
    """Stops, itineraries, neighbourhoods and sights whose name holds the typed words, best first.

    Accents, case, abbreviations and order do not matter; a slip of a letter is supposed only when
    nothing is called as typed. Empty when nothing is near.
    """
    imports = store.current_imports(session, municipality)
    typed = words(text[:120])
    targets = finding.targets_named(session, imports, typed)
    by_slip = not targets
    if by_slip:
        targets = _supposed(session, imports, typed, most=min(limit, GUESSES))
    matches = _matches(session, targets, by_slip)
    asked = " ".join(typed)

    def likeness(match: PlaceMatch) -> float:
        return max(fuzz.ratio(asked, " ".join(words(name))) for name in (match.name, *match.names.values()))

    matches.sort(key=lambda match: (-likeness(match), fold(match.name)))
    return tuple(matches[:limit])


def list_places(session: Session, municipality: str) -> tuple[PlaceMatch, ...]:
    """The neighbourhoods and sights by which a person can say where they are."""
    rows = store.places_of(session, store.current_imports(session, municipality))
    return tuple(
        PlaceMatch("place", None, row.name, row.kind, row.latitude, row.longitude)
        for row in sorted(rows, key=lambda row: fold(row.name))
    )


def _supposed(
    session: Session, imports: Collection[int], typed: Sequence[str], *, most: int
) -> list[tuple[str, int]]:
    """What a text that names nothing may mean, slips supposed: of the readings with the fewest, some names each.

    The work is bounded by the readings tried, not by how many words a town's names have: a second slip in a
    word is looked for only when one explains nothing, as its remainders are many times more.
    """
    options: list[dict[str, int]] = []
    for word in typed:
        near = _meant(session, imports, word, slips=1)
        if finding.begins_a_word(session, imports, word):
            near = {word: 0} | near
        if not near and len(word) < TWO_SLIPS_FROM:
            return []
        options.append(near)
    counted: finding.Uses = {}
    tries = TRIES
    for slips in (1, 2):
        if slips == 2:
            options = [
                near if len(word) < TWO_SLIPS_FROM else near | _meant(session, imports, word, slips=2)
                for word, near in zip(typed, options, strict=True)
            ]
        for readings in _as_likely(options):
            found = [
                finding.targets_named(session, imports, reading, limit=most, counted=counted)
                for reading in readings[:tries]
            ]
            if any(found):
                in_turn = (target for some in zip_longest(*found) for target in some if target)
                return list(dict.fromkeys(in_turn))[:most]
            tries -= len(readings)
            if tries <= 0:
                return []
        if all(len(word) < TWO_SLIPS_FROM for word in typed):
            break
    return []


def _as_likely(options: Sequence[Mapping[str, int]]) -> Iterator[list[tuple[str, ...]]]:
    """The readings of a text, those with equally many slips together, the fewest first.

    Args:
        options: for each typed word, what it may mean and by how many slips.
    """
    counted = (
        (sum(slips[word] for slips, word in zip(options, reading, strict=True)), reading)
        for reading in islice(product(*options), 500)
    )
    by_slips = sorted((each for each in counted if each[0]), key=lambda each: each[0])
    for _, readings in groupby(by_slips, key=lambda each: each[0]):
        yield [reading for _, reading in readings]


def _meant(session: Session, imports: Collection[int], word: str, slips: int) -> dict[str, int]:
    """The words of names that were probably meant, the likeliest first, each with its distance of at most ``slips``."""
    if len(word) < SHORTEST_SLIP:
        return {}
    rests = slips_of(word)
    if slips > 1:
        rests = {rest for slip in rests for rest in slips_of(slip)}
    near = {each: OSA.distance(word, each) for each in finding.words_by_slip(session, imports, rests)}
    likely = sorted(
        (each for each, apart in near.items() if 0 < apart <= slips),
        key=lambda each: (near[each], each[:1] != word[:1], each),
    )
    return {each: near[each] for each in likely[:NEAR_WORDS]}


def _matches(session: Session, targets: Sequence[tuple[str, int]], by_slip: bool) -> list[PlaceMatch]:
    wanted: dict[str, list[int]] = {}
    for target, number in targets:
        wanted.setdefault(target, []).append(number)
    stops = store.stop_rows(session, wanted.get("stop", [])).values()
    routes = store.itinerary_rows(session, wanted.get("itinerary", [])).values()
    places = store.place_rows(session, wanted.get("place", [])).values()
    return [
        *(
            PlaceMatch("stop", row.code, row.name, row.kind, row.latitude, row.longitude, by_slip)
            for row in stops
        ),
        *(PlaceMatch("itinerary", row.code, row.name, by_slip=by_slip, names=row.names) for row in routes),
        *(
            PlaceMatch("place", None, row.name, row.kind, row.latitude, row.longitude, by_slip)
            for row in places
        ),
    ]
