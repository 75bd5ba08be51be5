"""What every table of the catalogue is made of: words in three languages, dated rows, exact numbers."""

from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, ValidationInfo, model_validator

from portal.i18n import PSEUDO, pseudo

Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]


def _plain(number: Decimal) -> int | float:
    return int(number) if number == number.to_integral_value() else float(number)


Number = Annotated[Decimal, PlainSerializer(_plain, return_type=int | float, when_used="json")]
"""Exact inside, and in JSON the number that a text prints: 60, not "60" nor 60.0."""


class Table(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        str_strip_whitespace=True,
        str_min_length=1,
        use_attribute_docstrings=True,
    )


class Words(Table):
    """A plain sentence of the folder's own; the official text is Portuguese alone and never stands here."""

    pt: str
    en: str
    es: str

    def said(self, language: str) -> str:
        """The sentence in a language of ``portal.i18n``: ``pt_BR``, ``en`` or ``es``."""
        if language == PSEUDO:
            return pseudo(self.pt)
        return {"en": self.en, "es": self.es}.get(language, self.pt)


class Dated(Table):
    article: str
    """As it is cited: ``art. 15, II``."""
    in_force_from: date
    in_force_until: date | None = None
    """Last day of this wording; None while no later one is known."""
    reading: Identifier | None = None
    """The reading that was taken where the text allows two."""

    @model_validator(mode="before")
    @classmethod
    def _dated_as_the_file(cls, raw: Any, info: ValidationInfo) -> Any:
        """A row without dates has those of its instrument, so that a file only dates what was amended."""
        since = (info.context or {}).get("since")
        if isinstance(raw, dict) and since is not None:
            return {"in_force_from": since, **raw}
        return raw

    def in_force(self, on: date) -> bool:
        return self.in_force_from <= on and (self.in_force_until is None or on <= self.in_force_until)


class FiscalUnit(Table):
    id: str
    name: Words


class Quantity(Table):
    """A penalty's measure: exact (``amount``), up to a ceiling (``at_most``), or a range (with ``min``).

    With none of the three the text leaves it undetermined.
    """

    amount: Number | None = None
    min: Number | None = None
    at_most: Number | None = None
    unit: str | None = None
    """A fiscal unit of the instrument, ``BRL``, or ``days``, ``business_days``, ``months``, ``years``."""

    @model_validator(mode="after")
    def _measured(self) -> Self:
        if self.amount is not None and (self.min is not None or self.at_most is not None):
            raise ValueError("either an amount, or a ceiling with an optional minimum")
        if self.min is not None and self.at_most is None:
            raise ValueError("a minimum needs its ceiling")
        if any(value is not None for value in (self.amount, self.at_most)) and self.unit is None:
            raise ValueError("a measure needs its unit")
        return self
