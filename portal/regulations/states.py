"""Where each state lies, roughly: to notice a position that cannot be in the town it is listed for."""

from functools import cache

from portal.domain.geo import Box
from portal.regulations.catalogue import DATA, municipality
from portal.regulations.files import read_table


@cache
def _boxes() -> dict[str, Box]:
    return {state: Box(*edges) for state, edges in read_table(DATA / "states.toml").items()}


def state_of(slug: str) -> Box | None:
    """The rectangle around the state of a municipality; None for a state of another country.

    Raises:
        UnknownMunicipality: no folder of data describes it.
    """
    return _boxes().get(municipality(slug).state)
