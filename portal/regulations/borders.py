"""The outline of each municipality, and who looks after what goes beyond it."""

import csv
from functools import cache

from portal.domain.borders import Corner
from portal.regulations import catalogue
from portal.regulations.files import read_table
from portal.regulations.shared_files import Agency


@cache
def outline(slug: str) -> tuple[Corner, ...]:
    """The drawn border of a municipality, ring by ring; empty where none is known.

    Raises:
        UnknownMunicipality: no folder of data describes it.
    """
    catalogue.municipality(slug)
    path = catalogue.DATA / slug / "outline.csv"
    if not path.exists():
        return ()
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(
            Corner(int(row["ring"]), float(row["latitude"]), float(row["longitude"]), row["shared"] == "1")
            for row in csv.DictReader(file)
        )


@cache
def _agencies() -> dict[str, Agency]:
    return {
        place: Agency.model_validate(told)
        for place, told in read_table(catalogue.DATA / "agencies.toml").items()
    }


def agencies_beyond(slug: str) -> tuple[Agency, ...]:
    """Who regulates journeys between cities of the municipality's state, then between states."""
    state = catalogue.municipality(slug).state
    return tuple(_agencies()[place] for place in (state, "BR") if place in _agencies())
