"""What an answer depends on besides its address, so that no cache hands it to somebody else."""

from functools import lru_cache

from flask import Response


def vary_on(response: Response, *names: str) -> None:
    """Add request headers to ``Vary``; ``response.vary`` would read and write the whole header for each of them."""
    told = response.headers.get("Vary", "")
    whole = joined(told, names)
    if whole != told:
        response.headers["Vary"] = whole


@lru_cache(maxsize=256)
def joined(told: str, names: tuple[str, ...]) -> str:
    """The header ``Vary`` as it was told, and further names that it does not have yet."""
    known = told.split(", ") if told else []
    for name in names:
        if name.lower() not in {one.lower() for one in known}:
            known.append(name)
    return ", ".join(known)
