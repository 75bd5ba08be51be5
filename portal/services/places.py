"""What a typed name may mean: stops, itineraries, neighbourhoods and sights."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz, process
from sqlalchemy.orm import Session

from portal.domain.names import fold, words
from portal.storage import itineraries as store

SLIP_SCORE = 80
"""Least likeness, out of 100, between a typed word and the word of a name that was probably meant."""


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
    targets = store.targets_named(session, imports, typed)
    by_slip = False
    if not targets and typed:
        by_slip = True
        meant = [_meant(session, imports, word) for word in typed]
        if all(meant):
            targets = store.targets_named(session, imports, [word for word in meant if word])
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


def _meant(session: Session, imports: Collection[int], word: str) -> str | None:
    """The word of a name that was probably meant: of the same first letter, else of any."""
    for initial in (word[:1], ""):
        known = store.vocabulary(session, imports, initial)
        if word in known:
            return word
        best = process.extractOne(word, known, scorer=fuzz.ratio, score_cutoff=SLIP_SCORE)
        if best and len(word) > 3:
            return str(best[0])
    return None


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
