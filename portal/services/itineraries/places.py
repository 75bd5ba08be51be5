"""What a typed name may mean: stops, itineraries, neighbourhoods and sights."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA
from sqlalchemy.orm import Session

from portal.domain.names import SHORTEST_SLIP, fold, slips_of, words
from portal.storage import finding
from portal.storage import itineraries as store

TWO_SLIPS_FROM = 8
"""Letters of a word in which a second slip is supposed."""
TRIES = 16
"""How many readings of a text with slips are looked up before nothing is found."""


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
    counted: finding.Uses = {}
    targets = finding.targets_named(session, imports, typed, counted=counted)
    by_slip = not targets
    if not targets:
        for meant in _readings(session, imports, typed):
            # A guess is shown as one: no more of them than fit the answer.
            if targets := finding.targets_named(session, imports, meant, limit=limit, counted=counted):
                break
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


def _readings(session: Session, imports: Collection[int], typed: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """What a text that names nothing may mean, slips supposed; the fewest first."""
    options = []
    for word in typed:
        as_it_is = [word] if finding.begins_a_word(session, imports, word) else []
        options.append([*as_it_is, *_meant(session, imports, word)])
    if all(options):
        every = islice(product(*options), 500)
        changed = (meant for meant in every if meant != tuple(typed))
        by_slips = sorted(
            changed, key=lambda meant: sum(one != other for one, other in zip(meant, typed, strict=True))
        )
        yield from by_slips[:TRIES]


def _meant(session: Session, imports: Collection[int], word: str) -> list[str]:
    """The words of names that were probably meant, the likeliest first."""
    if len(word) < SHORTEST_SLIP:
        return []
    slips = slips_of(word)
    most = 1
    if len(word) >= TWO_SLIPS_FROM:
        slips = {rest for slip in slips for rest in slips_of(slip)}
        most = 2
    near = {each: OSA.distance(word, each) for each in finding.words_by_slip(session, imports, slips)}
    likely = [each for each, apart in near.items() if each != word and apart <= most]
    return sorted(likely, key=lambda each: (near[each], each[:1] != word[:1], each))[:5]


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
