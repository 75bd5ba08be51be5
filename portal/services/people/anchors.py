"""Anchors: the head of each audit log, told once a day where whoever rules the database does not reach.

A line is ``anchor DAY SLUG SEQUENCE HASH``: in the letter to the town's address, and in an append-only file.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy.orm import Session

from portal.config import settings
from portal.regulations import catalogue
from portal.services.messages.outbox import enqueue
from portal.services.people.audit import Anchor, head_of_log

KIND = "anchor"
"""Of the deliveries that `due_anchors` leaves; their payload is ``municipality`` and ``line``."""

_LINE = re.compile(r"\banchor (\d{4}-\d\d-\d\d) ([a-z0-9-]+) (\d+) ([0-9a-f]{64})\b")


@dataclass(frozen=True, slots=True)
class DatedAnchor(Anchor):
    on: date

    @property
    def line(self) -> str:
        return f"anchor {self.on.isoformat()} {self.municipality} {self.sequence} {self.hash}"


def anchors_of(session: Session, *, now: datetime) -> tuple[DatedAnchor, ...]:
    """The head of every log that has an entry, dated in its town."""
    found = []
    for town in catalogue.municipalities():
        head = head_of_log(session, town.slug)
        if head.sequence:
            found.append(DatedAnchor(head.municipality, head.sequence, head.hash, town.civil_day(now)))
    return tuple(found)


def leave_anchors(session: Session, *, now: datetime) -> int:
    """Leave a delivery a day and log for the worker, where there is somewhere to tell it; how many are new."""
    return sum(
        enqueue(
            session,
            KIND,
            {"municipality": anchor.municipality, "line": anchor.line},
            now=now,
            dedupe_key=f"anchor/{anchor.municipality}/{anchor.on.isoformat()}",
            municipality=anchor.municipality,
        )
        is not None
        for anchor in anchors_of(session, now=now)
        if settings().audit_anchor_file or catalogue.municipality(anchor.municipality).privacy.anchor_email
    )


def read_anchors(text: str) -> tuple[Anchor, ...]:
    """Every anchor in a file or in saved letters; what is no anchor is passed over."""
    found: Iterable[tuple[str, str, str, str]] = _LINE.findall(text)
    return tuple(Anchor(slug, int(sequence), digest) for _day, slug, sequence, digest in found)
