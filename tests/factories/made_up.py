"""A municipality made up as data only: another zone, fiscal unit, term, suspension and bar than any real one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from portal.regulations import catalogue

SLUG = "exemplo-ac"
LAW = "exemplo-ac_carrocas_lei-2030"


@contextmanager
def only_exemplo() -> Iterator[None]:
    """The whole program serves this town alone."""
    with catalogue.reading_from(Path(__file__).parent / "towns"):
        yield
