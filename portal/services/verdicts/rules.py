"""Asking the law as data: one function a question, for the command line, the addresses and the pages alike.

Each takes the identifier of an instrument and the day (or the days) asked about, and reads the catalogue alone.
Known words without a rule on that day are answered with None ("the text says nothing"); unknown ones are errors
that name the known.
"""

import re
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any, TypeVar

from portal.domain.days import NEWEST_YEAR, OLDEST_YEAR, iso_day
from portal.domain.deadlines import AnswerTime, add_days, add_months
from portal.domain.errors import NothingHere, UnknownInstrument, UnknownTerm, UnreadableDate, UnreadableYear
from portal.domain.permits import Service
from portal.domain.rules import DayKind
from portal.domain.terms import renewal_due, span_from
from portal.regulations import catalogue, provisions
from portal.regulations.codes import rows_of_code
from portal.regulations.provisions import wordings_on
from portal.regulations.schema import Deadline, Instrument, VehicleLimit
from portal.regulations.tables import Dated
from portal.services.verdicts import rule_telling as telling
from portal.services.verdicts.rule_answers import (
    AuthorityTold,
    CategoryTold,
    DeadlineTold,
    FineTold,
    InfractionList,
    InstrumentTold,
    RequirementTold,
    Rights,
    Terms,
    ValidityTold,
    VehicleAgeTold,
)

D = TypeVar("D", bound=Dated)

_OF_THE_INSTRUMENT = (
    "municipality", "kind", "title", "number", "dated", "dated_as_printed", "service", "about", "in_force_from",
    "in_force_until", "in_force_reading", "text_known_note", "amendments", "readings", "units", "provisions",
)  # fmt: skip
_DATED = (
    "requirements", "boarding", "vehicle_limits", "authorities", "deadlines", "scales",
)  # fmt: skip


"""Outside them there were no such vehicles, and no time can be counted on from the last day of a calendar."""


def read_year(text: str) -> int:
    """
    Raises:
        UnreadableYear: not four digits, or before there were such vehicles.
    """
    if not (re.fullmatch(r"[0-9]{4}", text.strip()) and OLDEST_YEAR <= int(text) <= NEWEST_YEAR):
        raise UnreadableYear(text[:40])
    return int(text)


def day_asked(text: str | None, instrument: str) -> date:
    """The day written, or today in the instrument's own town when nothing is said.

    Raises:
        UnreadableDate, UnknownInstrument
    """
    law = instrument_of(instrument)
    return iso_day(text) if text and text.strip() else catalogue.today_in(law.municipality)


def instrument_of(identifier: str) -> Instrument:
    """
    Raises:
        UnknownInstrument: no file of the catalogue has this name.
    """
    try:
        return catalogue.instrument(identifier)
    except KeyError:
        known = tuple(sorted(one.id for one in catalogue.instruments()))
        raise UnknownInstrument(identifier, known) from None


def rule_terms(instrument: str, *, on: date) -> Terms:
    """The identifiers of an instrument, whatever the day; ``on`` only says whether it is in force."""
    law = instrument_of(instrument)
    return Terms(
        **telling.head(law, on),
        municipality=law.municipality,
        kind=law.kind,
        title=law.title,
        service=law.service,
        permit_types=tuple(permit.id for permit in law.permits),
        vehicle_types=_names(row.vehicle_type for row in law.vehicle_limits),
        matters=_names(row.matter for row in law.authorities),
        requirements=_names(row.what for row in law.requirements),
        deadlines=_names(row.what for row in law.deadlines),
        categories=_names(row.category for row in law.provisions),
        codes=_names(row.code for row in law.infractions),
        units=tuple(unit.id for unit in law.units),
    )


def show_instrument(instrument: str, *, on: date) -> InstrumentTold:
    """Everything that an instrument says on a day; of a bill all of it, on any day."""
    law = instrument_of(instrument)
    return InstrumentTold(
        **telling.head(law, on),
        **{name: getattr(law, name) for name in _OF_THE_INSTRUMENT},
        **_standing(law, on),
        permits=tuple(telling.permit_type(law, permit, on) for permit in law.permits),
        infractions=telling.infractions(law, on),
        measures=telling.measures(law, on),
        procedures=telling.procedures(law, on),
        groups=tuple(telling.group(law, group, on) for group in law.groups),
    )


def list_infractions(instrument: str, *, on: date) -> InfractionList:
    """Every infraction in the order of the text, as it stands on a day."""
    law = instrument_of(instrument)
    return InfractionList(**telling.head(law, on), infractions=telling.infractions(law, on))


def fine(instrument: str, code: str, *, on: date, repeat: bool = False) -> FineTold:
    """What an infraction costs when the fact was on a day.

    Args:
        code: as ``II-05``, or loosely as printed: "II – 05", "lll-01", "art. 35, I, b".
        repeat: as a repetition, within the window where the text states one.

    Raises:
        UnknownInstrument, UnknownTerm: the codes of the instrument come with the error.
    """
    law = instrument_of(instrument)
    rows = rows_of_code(law, code)
    if not rows:
        raise UnknownTerm("infraction", code, _names(one.code for one in law.infractions))
    row = _nearest(rows, on, law)
    told = telling.infraction(law, row, on)
    stands = told.in_force or law.is_bill
    due = provisions.penalties_of(law, row, on, repeat=repeat) if stands else ()
    answer = vars(told) | {"penalties": telling.penalties(due), "repeat": told.repeat if stands else None}
    return FineTold(**telling.head(law, on) | answer, repeated=repeat)


def validity(
    instrument: str,
    permit_type: str,
    *,
    issued: date,
    paid: date | None = None,
    year: int | None = None,
) -> ValidityTold:
    """From when until when a permit runs, under the law on the day it was issued.

    Args:
        paid: when its fees were paid; the day of issue stands for it where it is not given.
        year: the calendar year it is for, where the term is one.

    Raises:
        UnknownInstrument, UnknownTerm
        UnreadableDate: a day from which no time can be counted.
    """
    _countable(issued, *([paid] if paid else []))
    law = instrument_of(instrument)
    permit = next((one for one in law.permits if one.id == permit_type), None)
    if permit is None:
        raise UnknownTerm("permit_type", permit_type, tuple(one.id for one in law.permits))
    rules = catalogue.permit_rules(law.municipality, permit_type, issued)
    span = span_from(rules.term, issued=issued, paid=paid, year=year)
    runs = span.valid_from is not None and (span.valid_until is None or span.valid_from <= span.valid_until)
    is_holiday = catalogue.municipality(law.municipality).is_holiday
    renewal = rules.renewal
    return ValidityTold(
        **telling.head(law, issued),
        permit_type=permit_type,
        issued=issued,
        paid=paid,
        year=year,
        kind=rules.term.kind,
        months=rules.term.months,
        grace_days=rules.term.grace_days,
        valid_from=span.valid_from,
        valid_until=span.valid_until,
        ever_valid=runs,
        renewal_until=renewal_due(renewal, span.valid_until, is_holiday)
        if renewal and span.valid_until
        else None,
        renewal_article=renewal.source.article if renewal else None,
        needs=rules.needs,
        needs_article=rules.needs_article,
        article=rules.term.source.article,
        reading=_nearest(permit.term, issued, law).reading,
    )


def authority(instrument: str, matter: str, *, on: date) -> AuthorityTold:
    """Who decides a matter on a day.

    Raises:
        UnknownInstrument, UnknownTerm
    """
    law = instrument_of(instrument)
    _known("matter", matter, law, lambda one: (row.matter for row in one.authorities))
    row = provisions.authority(law, matter, on)
    return AuthorityTold(
        **telling.head(law, on),
        matter=matter,
        name=row.name if row else None,
        short=row.short if row else None,
        **telling.dates(row),
    )


def vehicle_age(instrument: str, vehicle_type: str, *, year: int, on: date) -> VehicleAgeTold:
    """Whether a vehicle of a year may still work on a day.

    Args:
        year: of the model or of manufacture, as ``age_counted_from`` of the answer says.

    Raises:
        UnknownInstrument, UnknownTerm
    """
    law = instrument_of(instrument)
    _known("vehicle_type", vehicle_type, law, lambda one: (row.vehicle_type for row in one.vehicle_limits))
    row = provisions.vehicle_limit(law, vehicle_type, on)
    last_day = provisions.last_day_of_age(row, year) if row else None
    age = on.year - year
    return VehicleAgeTold(
        **telling.head(law, on),
        vehicle_type=vehicle_type,
        year=year,
        max_age_years=row.max_age_years if row else None,
        age_counted_from=row.age_counted_from if row else None,
        age_years=age,
        last_day=last_day,
        allowed=None if last_day is None else on <= last_day,
        max_people=row.max_people if row else None,
        max_seats=row.max_seats if row else None,
        doors=row.doors if row else None,
        air_conditioning=row.air_conditioning if row else None,
        inspection_every_months=_inspection_months(row, age) if row else None,
        article=row.article if row else None,
        reading=row.reading if row else None,
    )


def count_deadline(instrument: str, what: str, *, start: date) -> DeadlineTold:
    """The last day of a time that runs from ``start``, by the law of that day.

    Raises:
        UnknownInstrument, UnknownTerm
        UnreadableDate: a day from which no time can be counted.
    """
    _countable(start)
    law = instrument_of(instrument)
    _known("deadline", what, law, lambda one: (row.what for row in one.deadlines))
    row = provisions.deadline(law, what, start)
    return DeadlineTold(
        **telling.head(law, start),
        what=what,
        from_=start,
        until=_last_day(law, row, start) if row else None,
        amount=row.amount if row else None,
        counted_in=row.counted_in if row else None,
        start=row.start if row else None,
        backwards=row.backwards if row else False,
        words=row.words if row else None,
        calendar_note=catalogue.municipality(law.municipality).holidays_note
        if row and row.counted_in == "business"
        else None,
        article=row.article if row else None,
        reading=row.reading if row else _reading_without_rule(law, what),
    )


def requirement(instrument: str, what: str, *, on: date) -> RequirementTold:
    """What must be displayed, carried, sold, fitted or handed in, in plain words.

    Raises:
        UnknownInstrument, UnknownTerm
    """
    law = instrument_of(instrument)
    _known("requirement", what, law, lambda one: (row.what for row in one.requirements))
    row = provisions.requirement(law, what, on)
    return RequirementTold(
        **telling.head(law, on),
        what=what,
        kind=row.kind if row else None,
        words=row.words if row else None,
        where=row.where if row else None,
        form=row.form if row else None,
        check=row.check if row else False,
        permit=row.permit if row else None,
        fee=row.fee if row else None,
        **telling.dates(row),
    )


def category(instrument: str, identifier: str, *, on: date) -> CategoryTold:
    """What an instrument says of a kind of complaint, and whose matter it is.

    Raises:
        UnknownInstrument, UnknownTerm
    """
    law = instrument_of(instrument)
    try:
        kind = catalogue.category(identifier)
    except KeyError:
        known = tuple(one.id for one in catalogue.current().categories)
        raise UnknownTerm("category", identifier, known) from None
    row = next((one for one in law.provisions if one.category == identifier), None)
    matter = row.matter or "inspection" if row else None
    body = provisions.authority(law, matter, on) if matter else None
    return CategoryTold(
        **telling.head(law, on),
        category=identifier,
        complaint_kind=kind.kind,
        stated=row is not None,
        infractions=tuple(one for one in telling.infractions(law, on) if row and one.code in row.infractions),
        articles=row.articles if row else (),
        condition=row.condition if row else None,
        matter=matter,
        authority=body.name if body else None,
        authority_article=body.article if body else None,
        procedures=tuple(one for one in telling.procedures(law, on) if identifier in one.categories),
    )


def rights_of(municipality: str, service: Service, *, on: date) -> Rights:
    """All that a passenger may want to know of a service on a day.

    Raises:
        UnknownMunicipality: no such town is served.
        NothingHere: nobody can ask about this service there.
    """
    town = catalogue.municipality(municipality)
    if service not in town.services:
        raise NothingHere("service")
    ruling = catalogue.service_rules(municipality, service, on).instrument
    kinds = tuple(here.id for here in catalogue.categories(municipality) if service in here.category.services)
    return Rights(
        municipality=municipality,
        service=service,
        on=on,
        law=show_instrument(ruling.id, on=on) if ruling else None,
        categories=tuple(category(ruling.id, kind, on=on) for kind in kinds) if ruling else (),
        answer=_answer_time("ombudsman", on),
    )


def _answer_time(what: str, on: date) -> AnswerTime | None:
    try:
        return catalogue.answer_time(what, on)
    except KeyError:  # before the federal law
        return None


def _countable(*days: date) -> None:
    for day in days:
        if not OLDEST_YEAR <= day.year <= NEWEST_YEAR:
            raise UnreadableDate(day.isoformat())


def _standing(law: Instrument, on: date) -> dict[str, Any]:
    return {name: wordings_on(law, getattr(law, name), on) for name in _DATED}


def _names(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _known(kind: str, given: str, law: Instrument, names: Any) -> None:
    """A word that another instrument knows is no mistake: this one merely says nothing of it."""
    everywhere = {name for one in catalogue.instruments() for name in names(one)}
    if given not in everywhere:
        raise UnknownTerm(kind, given, _names(names(law)))


def _nearest(rows: tuple[D, ...], on: date, law: Instrument) -> D:
    """The wording of a day; else the last one before it, else the first one after it."""
    standing = wordings_on(law, rows, on)
    if standing:
        return standing[0]
    before = [row for row in rows if row.in_force_from <= on]
    return max(before, key=lambda row: row.in_force_from) if before else rows[0]


def _inspection_months(row: VehicleLimit, age: int) -> int | None:
    if row.once_older_from_age is not None and age >= row.once_older_from_age:
        return row.inspection_every_months_once_older
    return row.inspection_every_months


def _last_day(law: Instrument, row: Deadline, start: date) -> date:
    amount = -row.amount if row.backwards else row.amount
    match row.counted_in:
        case "months":
            return add_months(start, amount)
        case "hours":
            # A civil date knows no hour: the end falls at the same hour so many days later.
            return start + timedelta(hours=amount)
        case days:
            is_holiday = catalogue.municipality(law.municipality).is_holiday
            return add_days(start, amount, DayKind(days), is_holiday)


def _reading_without_rule(law: Instrument, what: str) -> str | None:
    """The reading that says why the text sets no time."""
    return next((one.id for one in law.readings if one.id == f"{what}_without_time"), None)
