"""What an answer depends on besides its address, so that no cache hands it to somebody else."""

from flask import Response


def vary_on(response: Response, *names: str) -> None:
    """Add request headers to ``Vary``; ``response.vary`` would read and write the whole header for each of them."""
    told = response.headers.get("Vary", "")
    known = told.lower().split(", ") if told else []
    new = [name for name in names if name.lower() not in known]
    if new:
        response.headers["Vary"] = ", ".join([told, *new] if told else new)
