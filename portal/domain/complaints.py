"""Complaints (manifestações): their kinds, their states and the steps between them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol

from portal.domain.errors import StepNotAllowed


class ComplaintKind(StrEnum):
    """The kinds of Lei 13.460/2017, art. 2, V."""

    GRIEVANCE = "reclamacao"
    REPORT = "denuncia"
    SUGGESTION = "sugestao"
    PRAISE = "elogio"
    REQUEST = "solicitacao"


class Category(Protocol):
    """What people complain of, as the regulation catalogue lists it; worded by ``portal.wording.categories``."""

    @property
    def id(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def needs(self) -> Collection[str]:
        """Facts that are asked for: ``vehicle``, ``place``, ``time``; none is ever required."""

    @property
    def fast_lane(self) -> bool: ...

    @property
    def unauthorised(self) -> bool:
        """Whether it belongs to the door "Denunciar transporte sem autorização"."""


class ComplaintStatus(StrEnum):
    REGISTERED = "registered"
    IN_REVIEW = "in_review"
    AWAITING_CITIZEN = "awaiting_citizen"
    FORWARDED = "forwarded"
    ANSWERED = "answered"
    REVIEW_REQUESTED = "review_requested"
    CLOSED = "closed"
    WITHDRAWN = "withdrawn"
    MERGED = "merged"
    """Read together with another; its author still gets an answer by their own date."""
    DISMISSED = "dismissed"
    """Archived with a legal ground, which the citizen reads; not the same as solved."""


S = ComplaintStatus

STEPS: Mapping[ComplaintStatus, frozenset[ComplaintStatus]] = MappingProxyType(
    {
        S.REGISTERED: frozenset({S.IN_REVIEW, S.WITHDRAWN}),
        S.IN_REVIEW: frozenset(
            {S.AWAITING_CITIZEN, S.FORWARDED, S.ANSWERED, S.DISMISSED, S.MERGED, S.WITHDRAWN}
        ),
        S.AWAITING_CITIZEN: frozenset({S.IN_REVIEW, S.ANSWERED, S.WITHDRAWN}),
        S.FORWARDED: frozenset({S.IN_REVIEW, S.AWAITING_CITIZEN, S.ANSWERED, S.WITHDRAWN}),
        S.ANSWERED: frozenset({S.REVIEW_REQUESTED, S.CLOSED}),
        S.REVIEW_REQUESTED: frozenset({S.IN_REVIEW, S.WITHDRAWN}),
        S.MERGED: frozenset({S.ANSWERED, S.WITHDRAWN}),
        S.DISMISSED: frozenset({S.REVIEW_REQUESTED}),
        S.CLOSED: frozenset(),
        S.WITHDRAWN: frozenset(),
    }
)
"""The allowed steps. Nothing else changes a state: see ``step``."""

CLOCK_RUNS = frozenset(
    {S.REGISTERED, S.IN_REVIEW, S.AWAITING_CITIZEN, S.FORWARDED, S.REVIEW_REQUESTED, S.MERGED}
)
"""States in which an answer is still owed by the due date."""

ENDED = frozenset({S.CLOSED, S.WITHDRAWN})
"""States after which nothing more is written."""


def step(current: ComplaintStatus, wanted: ComplaintStatus) -> ComplaintStatus:
    """``wanted``, if it may follow ``current``; raises ``StepNotAllowed`` otherwise."""
    if wanted not in STEPS[current]:
        raise StepNotAllowed(current=str(current), wanted=str(wanted))
    return wanted


class EventKind(StrEnum):
    """What an event of a complaint tells."""

    STEP = "step"
    EXTENSION = "extension"
    """The time for the answer was prolonged; the event's reason says why, and the state stays."""


class IdentityMode(StrEnum):
    ANONYMOUS = "anonymous"
    SEALED = "sealed"
    """The ombudsman alone can open it, and that is logged."""
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who complains, as typed at the last question. Never stored like this: it is sealed as it is filed."""

    mode: IdentityMode
    name: str | None = None
    email: str | None = None
    phone: str | None = None

    def __repr__(self) -> str:  # a traceback or a log line must not tell
        return f"Identity({self.mode})"


class Sender(StrEnum):
    """Who wrote a message of a complaint or took a step in it."""

    CITIZEN = "citizen"
    OMBUDSMAN = "ombudsman"
