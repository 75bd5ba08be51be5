"""The files beside the instruments: a municipality, the kinds of complaint, the federal rules."""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from portal.domain.colours import contrast
from portal.domain.complaints import ComplaintKind
from portal.domain.permits import Service
from portal.domain.rules import DayKind
from portal.regulations.tables import Dated, Identifier, Table, Words


class Fact(StrEnum):
    VEHICLE = "vehicle"
    PLACE = "place"
    TIME = "time"
    STORY = "story"
    """The person's own words, where nothing else says what happened."""


class Category(Table):
    """A kind of complaint shared by all towns; ``portal.wording.categories`` says it in words."""

    id: Identifier
    kind: ComplaintKind
    needs: tuple[Fact, ...] = ()
    """Facts that are asked for; none is ever required."""
    fast_lane: bool = False
    """Somebody is in danger or was harmed: the case stands on top of the desk's list."""
    services: tuple[Service, ...] = tuple(Service)
    unauthorised: bool = False
    """Belongs to the door "Denunciar transporte sem autorização"."""


class CategoriesFile(Table):
    categories: tuple[Category, ...]


class Holiday(Dated):
    """A day without work: fixed (``month``, ``day``), or so many days from Easter Sunday."""

    name: str
    month: int | None = None
    day: int | None = None
    from_easter: int | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        fixed = self.month is not None and self.day is not None
        if fixed == (self.from_easter is not None):
            raise ValueError("either month and day, or from_easter")
        return self


class AnswerRule(Dated):
    what: Literal["ombudsman", "unit"]
    days: int
    extension_days: int
    counted_in: DayKind
    rolls_to_business_day: bool = False


class DismissalGround(Dated):
    """A legal ground on which a complaint may be archived; its author reads the words and the article."""

    id: Identifier
    words: Words


class Processing(Table):
    """One purpose for which personal data are handled, as the privacy page tells it."""

    id: Identifier
    words: Words
    basis: str
    """The provisions it rests on, as they are cited."""


class FederalFile(Table):
    processing: tuple[Processing, ...] = ()
    holidays: tuple[Holiday, ...]
    answer: tuple[AnswerRule, ...]
    dismissals: tuple[DismissalGround, ...] = ()


class Ombudsman(Table):
    name: str
    phone: str | None = None
    email: str | None = None
    url: str | None = None
    hours: str | None = None


class Tiles(Table):
    """Where the portal fetches map tiles for a town; without it the map draws lines and stops alone."""

    address: Annotated[str, Field(pattern=r"^https?://[^{}\s]*\{z\}[^{}\s]*\{x\}[^{}\s]*\{y\}[^{}\s]*$")]
    """With ``{z}``, ``{x}`` and ``{y}`` in the place of zoom, column and row."""
    credit: str
    """Who made the map, as its licence asks to be told."""


class Target(Table):
    """A time that the municipality itself promises for a procedure; no law sets it, and it is labelled so."""

    instrument: str
    procedure: Identifier
    hours: Annotated[int, Field(gt=0)]
    said_in: str
    """Where the municipality promises it."""


class Agency(Table):
    """Who looks after transport that no municipality does: ``state`` between cities, ``federal`` between states."""

    name: str
    law: str
    """What gives it that role."""
    phone: str | None = None
    what: Literal["state", "federal"]


class SilenceRule(Dated):
    """An act of the municipality's own on a complaint whose author does not reply to what was asked.

    Without one nothing stops the clock and nothing is archived for silence.
    """

    act: str
    """Its title and number, as it is cited."""
    days: Annotated[int, Field(gt=0)]
    """Calendar days for the reply."""
    archives: bool
    """Whether the complaint is archived once they are over."""
    pauses: bool
    """Whether the time for the answer stands still meanwhile."""
    words: Words
    """Why it was archived, as its author reads it."""


class DataOfficer(Table):
    """Who answers for data protection: an office, as the municipality publishes it, never a person's name."""

    office: str
    email: str | None = None
    phone: str | None = None
    url: str | None = None


class RetentionRule(Dated):
    """How long a complaint's content is kept after it has ended, by the municipality's own retention table.

    Without one nothing is ever erased: see ``portal.services.complaints.disposal``.
    """

    act: str
    """Its title and number, as it is cited."""
    months: Annotated[int, Field(gt=0)]
    words: Words
    """What is erased and what stays, as people read it."""


class Privacy(Table):
    officer: DataOfficer | None = None
    processing: tuple[Processing, ...] = ()
    """Purposes of this municipality's own, beside the federal ones."""
    retention: tuple[RetentionRule, ...] = ()
    anchor_email: str | None = None
    """Where the head of the audit log goes once a day: somebody who does not run the machine."""


HEADINGS = ("#0f3d4c", "#0a2a35")
"""The ground of a page's heading, light and dark: the tokens of the stylesheet."""


def _seen_on_headings(colour: str) -> str:
    """WCAG 2.2, 1.4.11: what is drawn stands out from its ground 3 to 1."""
    least = min(contrast(colour, ground) for ground in HEADINGS)
    if least < 3:
        raise ValueError(
            f"{colour} is too dark for the heading of a page: {least:.1f} to 1, and 3 is the least"
        )
    return colour


class MunicipalityFile(Table):
    name: str
    state: Annotated[str, Field(pattern=r"^[A-Z]{2}$")]
    ibge_code: Annotated[int, Field(ge=1000000, le=9999999)]
    zone: str
    latitude: Annotated[float, Field(ge=-90, le=90)]
    longitude: Annotated[float, Field(ge=-180, le=180)]
    services: tuple[Service, ...]
    accent: Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$"), AfterValidator(_seen_on_headings)]
    """Its own colour: the stripe below the heading of its pages."""
    ombudsman: Ombudsman
    holidays: tuple[Holiday, ...] = ()
    holidays_note: Words | None = None
    targets: tuple[Target, ...] = ()
    tiles: Tiles | None = None
    silence: tuple[SilenceRule, ...] = ()
    privacy: Privacy = Privacy()
    dismissals: tuple[DismissalGround, ...] = ()
