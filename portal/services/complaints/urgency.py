"""What goes ahead of the rest: the fast lane of a category, and what the town's own instruments say of it."""

from dataclasses import dataclass
from datetime import date

from portal.regulations import catalogue
from portal.regulations.tables import Words


@dataclass(frozen=True, slots=True)
class Urgency:
    """One procedure that an instrument orders at once for a category."""

    words: Words
    instrument: str
    """Its title."""
    article: str
    target_hours: int | None
    """What the municipality promises of its own accord; no law sets it."""
    target_said_in: str | None


def is_urgent(category: str) -> bool:
    """Whether somebody is in danger or was harmed, whichever the town."""
    try:
        return catalogue.category(category).fast_lane
    except KeyError:
        return False


def urgencies(municipality: str, category: str, on: date) -> tuple[Urgency, ...]:
    """The procedures that the instruments in force on a day order for a category; empty for most."""
    town = catalogue.municipality(municipality)
    targets = {(one.instrument, one.procedure): one for one in town.targets}
    found = []
    for law in catalogue.instruments_of(municipality):
        if not law.in_force(on):
            continue
        for row in catalogue.in_force(law.procedures, on):
            if category in row.categories:
                target = targets.get((law.id, row.id))
                found.append(
                    Urgency(
                        words=row.words,
                        instrument=law.title,
                        article=row.article,
                        target_hours=target.hours if target else None,
                        target_said_in=target.said_in if target else None,
                    )
                )
    return tuple(found)
