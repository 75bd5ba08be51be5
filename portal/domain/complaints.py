"""Complaints (manifestações): their kinds and states; ``lifecycle`` says what may become of one."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


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


class EventKind(StrEnum):
    """What an event of a complaint tells."""

    STEP = "step"
    EXTENSION = "extension"
    """The time for the answer was prolonged; the event's reason says why, and the state stays."""
    IDENTITY_OPENED = "identity_opened"
    """The ombudsman unsealed who wrote; the reason says why. It leaves the state as it is, as do all that follow."""
    CONSENT_ASKED = "consent_asked"
    """The ombudsman asks whether the identity may be told to somebody, whom the reason names."""
    CONSENT_GIVEN = "consent_given"
    CONSENT_REFUSED = "consent_refused"
    IDENTITY_TOLD = "identity_told"
    """With the person's consent; the reason names to whom."""
    IDENTITY_ORDERED = "identity_ordered"
    """By order of a court; the reason names to whom, and the number of the order."""
    DATA_ASKED = "data_asked"
    """The person asks for what is held about them."""
    DATA_READY = "data_ready"
    DISPOSAL_PUT_OFF = "disposal_put_off"
    """New facts came before the end of the time of keeping; the reason is the new day."""


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
    TIME = "time"
    """Nobody: a day has passed."""


class Rating(StrEnum):
    """What the author says of the answer; one tap, and changeable."""

    RESOLVED = "resolved"
    PARTLY = "partly"
    NOT_RESOLVED = "not_resolved"
