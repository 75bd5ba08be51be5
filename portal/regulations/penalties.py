"""What an infraction is, what it costs and what a repetition brings, as a file of the catalogue says it."""

from datetime import date
from enum import StrEnum
from typing import Literal

from portal.domain.rules import SuspensionEnd
from portal.regulations.tables import Dated, Identifier, Number, Quantity, Table, Words


class PenaltyKind(StrEnum):
    WARNING = "warning"
    FINE = "fine"
    DAILY_FINE = "daily_fine"
    SUSPENSION = "suspension"
    IMMEDIATE_SUSPENSION = "immediate_suspension"
    REVOCATION = "revocation"
    EXCLUSION = "exclusion"
    BARRED_FROM_SERVICE = "barred_from_service"
    SEIZURE = "seizure"
    RETENTION = "retention"
    REMOVAL = "removal"
    OFF_THE_ROAD = "off_the_road"
    """Taken out of circulation, without the text saying that it is towed."""
    CANCELLATION = "cancellation"


class Penalty(Quantity):
    kind: PenaltyKind
    scale: Identifier | None = None
    """A scale of fines of the instrument, whose amount changes with the date."""
    article: str | None = None
    """Only where it differs from that of the infraction or group."""


class Repeat(Table):
    """What a repetition brings."""

    multiplier: Number | None = None
    penalties: tuple[Penalty, ...] = ()
    adds: tuple[Penalty, ...] = ()
    """Beside the first penalty, not instead of it."""
    counts: Literal["same_infraction", "same_group", "any_infraction"] | None = None
    """Which earlier infraction makes it one; None where the text does not say."""
    window_months: int | None = None
    """Counted as the article says; None where the text states no window."""
    article: str
    reading: Identifier | None = None


class Scale(Dated, Quantity):
    """A named fine, such as *multa leve*."""

    id: Identifier


class Severity(StrEnum):
    PRIMARY = "primary"
    LIGHT = "light"
    MEDIUM = "medium"
    SERIOUS = "serious"
    VERY_SERIOUS = "very_serious"


class Group(Table):
    id: str
    name: str
    """As the text writes it."""
    severity: Severity | None = None
    article: str
    penalties: tuple[Penalty, ...] = ()
    repeat: Repeat | None = None
    reading: Identifier | None = None


class Revoked(Table):
    """The duty that an infraction punishes was revoked, though the annex still lists it."""

    by: str
    article: str
    dated: date | None = None
    year: int


class Infraction(Dated):
    printed_code: str | None = None
    """As printed, slips and all; None where the row stands without its code."""
    code: str
    """Group and two-digit number (``II-05``), or article, item and letter (``29-III``, ``35-I-b``)."""
    text: str
    """Verbatim."""
    group: str
    severity: Severity | None = None
    penalties: tuple[Penalty, ...] | None = None
    """None takes those of the group."""
    repeat: Repeat | None = None
    duty_revoked: Revoked | None = None


class Measure(Dated):
    """Grounds on which a permit or record is suspended, revoked, a vehicle seized, beyond the infractions."""

    id: Identifier
    on_whom: Literal["permit", "driver", "vehicle", "platform", "anyone"]
    penalties: tuple[Penalty, ...]
    words: Words
    text: str
    """Verbatim."""
    ends: SuspensionEnd | None = None
