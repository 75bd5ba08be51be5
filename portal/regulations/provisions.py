"""What an instrument says of one thing on a day: a penalty, an authority, a deadline, a vehicle's age.

Past the last day for which a text is known its last wording answers; who shows it says so. A bill answers on
every day, and binds nobody on any.
"""

from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import TypeVar

from portal.regulations.penalties import Group, Infraction, Measure, Penalty, PenaltyKind, Repeat, Severity
from portal.regulations.schema import Authority, Deadline, Instrument, Requirement, VehicleLimit
from portal.regulations.tables import Dated

D = TypeVar("D", bound=Dated)

FINES = frozenset({PenaltyKind.FINE, PenaltyKind.DAILY_FINE})


@dataclass(frozen=True, slots=True)
class PenaltyDue:
    """One penalty of an infraction on a day; without any measure the text leaves it undetermined."""

    kind: PenaltyKind
    amount: Decimal | None
    min: Decimal | None
    at_most: Decimal | None
    unit: str | None
    article: str
    reading: str | None = None
    """Of the scale that the amount comes from."""


def wordings_on(instrument: Instrument, rows: tuple[D, ...], on: date) -> tuple[D, ...]:
    """The rows that stand on a day; of a bill all of them, since none of its days differs from another."""
    return rows if instrument.is_bill else tuple(row for row in rows if row.in_force(on))


def infractions_on(instrument: Instrument, on: date) -> tuple[Infraction, ...]:
    return wordings_on(instrument, instrument.infractions, on)


def infraction(instrument: Instrument, code: str, on: date) -> Infraction | None:
    """The wording of an infraction on a day, by its normalised code; None where there is none."""
    return next((row for row in infractions_on(instrument, on) if row.code == code), None)


def group_of(instrument: Instrument, row: Infraction) -> Group:
    return next(group for group in instrument.groups if group.id == row.group)


def severity_of(instrument: Instrument, row: Infraction) -> Severity | None:
    return row.severity or group_of(instrument, row).severity


def repeat_of(instrument: Instrument, row: Infraction) -> Repeat | None:
    """What a repetition brings; None where the text says nothing of one, or leaves the row's column blank."""
    again = row.repeat or group_of(instrument, row).repeat
    return again if again and (again.penalties or again.adds or again.multiplier) else None


def penalties_of(
    instrument: Instrument, row: Infraction, on: date, *, repeat: bool = False
) -> tuple[PenaltyDue, ...]:
    """What an infraction costs when the fact was on a day, the first time or as a repetition."""
    group = group_of(instrument, row)
    own = row.penalties if row.penalties is not None else group.penalties
    article = row.article if row.penalties is not None else group.article
    again = repeat_of(instrument, row) if repeat else None
    return _all_due(instrument, own, article, again, on)


def group_penalties(
    instrument: Instrument, group: Group, on: date, *, repeat: bool = False
) -> tuple[PenaltyDue, ...]:
    """What the infractions of a group cost where their own row says nothing else."""
    return _all_due(instrument, group.penalties, group.article, group.repeat if repeat else None, on)


def _all_due(
    instrument: Instrument, own: tuple[Penalty, ...], article: str, again: Repeat | None, on: date
) -> tuple[PenaltyDue, ...]:
    first = tuple(_due(instrument, penalty, on, article) for penalty in own)
    if again is None:
        return first
    if again.penalties:
        first = tuple(_due(instrument, penalty, on, again.article) for penalty in again.penalties)
    if again.multiplier is not None:
        first = tuple(_times(due, again.multiplier, again.article) for due in first)
    return first + tuple(_due(instrument, penalty, on, again.article) for penalty in again.adds)


def measure_penalties(instrument: Instrument, row: Measure, on: date) -> tuple[PenaltyDue, ...]:
    return tuple(_due(instrument, penalty, on, row.article) for penalty in row.penalties)


def _due(instrument: Instrument, penalty: Penalty, on: date, article: str) -> PenaltyDue:
    article = penalty.article or article
    if penalty.scale is None:
        return PenaltyDue(
            penalty.kind, penalty.amount, penalty.min, penalty.at_most, penalty.unit, article=article
        )
    rows = tuple(scale for scale in instrument.scales if scale.id == penalty.scale)
    scale = next(iter(wordings_on(instrument, rows, on)), rows[0])
    amounts = (scale.amount, scale.min, scale.at_most)
    return PenaltyDue(penalty.kind, *amounts, scale.unit, article=scale.article, reading=scale.reading)


def _times(due: PenaltyDue, multiplier: Decimal, article: str) -> PenaltyDue:
    if due.kind not in FINES:
        return due
    return replace(
        due,
        amount=due.amount and due.amount * multiplier,
        min=due.min and due.min * multiplier,
        at_most=due.at_most and due.at_most * multiplier,
        article=article,
    )


def authority(instrument: Instrument, matter: str, on: date) -> Authority | None:
    """Who decided a matter on a day; None where the text names nobody."""
    rows = wordings_on(instrument, instrument.authorities, on)
    return next((row for row in rows if row.matter == matter), None)


def deadline(instrument: Instrument, what: str, on: date) -> Deadline | None:
    rows = wordings_on(instrument, instrument.deadlines, on)
    return next((row for row in rows if row.what == what), None)


def requirement(instrument: Instrument, what: str, on: date) -> Requirement | None:
    rows = wordings_on(instrument, instrument.requirements, on)
    return next((row for row in rows if row.what == what), None)


def vehicle_limit(instrument: Instrument, vehicle_type: str, on: date) -> VehicleLimit | None:
    rows = wordings_on(instrument, instrument.vehicle_limits, on)
    return next((row for row in rows if row.vehicle_type == vehicle_type), None)


def last_day_of_age(limit: VehicleLimit, year: int) -> date | None:
    """The last day on which a vehicle of a year is not too old; None where the text sets no age.

    ``year`` is the model year or that of manufacture, as ``limit.age_counted_from`` says. Either closes on
    31 December, so a vehicle of 2016 that may be ten years old works until 31 December 2026.
    """
    return date(year + limit.max_age_years, 12, 31) if limit.max_age_years is not None else None
