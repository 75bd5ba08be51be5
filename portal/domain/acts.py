"""Acts that a clerk records on a permit: which are possible, before anything is written."""

import re
from dataclasses import dataclass
from datetime import date

from portal.domain.errors import ActRefused
from portal.domain.names import fold
from portal.domain.permits import EventKind, Permit, PermitEvent, VehicleUnit
from portal.domain.plates import holds_personal_number

HAPPENED = frozenset(
    {
        EventKind.REQUEST,
        EventKind.PAYMENT,
        EventKind.ISSUE,
        EventKind.RENEWAL_REQUEST,
        EventKind.INSPECTION_FAILED,
        EventKind.INSPECTION_PASSED,
        EventKind.RELEASE,
    }
)
"""Acts that are facts: none can be recorded before its day. An order, such as a suspension, may begin later."""
OF_UNITS = frozenset(
    {
        EventKind.INSPECTION_FAILED,
        EventKind.INSPECTION_PASSED,
        EventKind.SUSPENSION,
        EventKind.RELEASE,
        EventKind.REVOCATION,
        EventKind.CANCELLATION,
    }
)
"""Acts that may concern one vehicle alone."""
AFTER_ISSUE = frozenset(
    {
        EventKind.RENEWAL_REQUEST,
        EventKind.SUSPENSION,
        EventKind.RELEASE,
        EventKind.REVOCATION,
        EventKind.CANCELLATION,
    }
)
"""Acts on a permit that was issued: of one that was not yet, an application can only be cancelled."""
LONGEST_ACT_NUMBER = 60
FIRST_YEAR, YEARS_AHEAD = 1950, 2


@dataclass(frozen=True, slots=True)
class NewVehicle:
    """A vehicle that joins a permit."""

    plate: str
    role: str | None = None
    """``vehicle``, ``tractor`` or ``trailer``; None takes that of the vehicle that leaves."""
    vehicle_type: str | None = None
    model_year: int | None = None
    capacity: int | None = None


def belongs(unit: VehicleUnit, on: date) -> bool:
    """Whether a vehicle is part of its permit on a day; its last day still counts."""
    return (unit.valid_from is None or unit.valid_from <= on) and (
        unit.valid_until is None or on <= unit.valid_until
    )


def check_act(permit: Permit, act: PermitEvent, *, today: date) -> None:
    """Refuse an act that cannot be. A change of vehicle is none of these: it says what leaves and what comes.

    Raises:
        ActRefused: ``why`` names the reason and ``field`` the box of the form at fault.
    """
    if act.kind is EventKind.VEHICLE_CHANGE:
        raise ActRefused("unknown_act", "kind")
    check_day(act.on, today=today, may_come=act.kind not in HAPPENED)
    check_paper(act.act_number, act.act_date, today=today)
    if act.until is not None and act.kind is not EventKind.SUSPENSION:
        raise ActRefused("no_end", "until")
    if act.until is not None and act.until < act.on:
        raise ActRefused("ends_before_start", "until", day=act.on)
    if act.until is not None and act.until.year > today.year + 20:
        raise ActRefused("far", "until", day=act.until)
    if act.unit is not None and act.kind not in OF_UNITS:
        raise ActRefused("whole_only", "unit")
    if act.unit is not None and act.unit not in {u.position for u in permit.units if belongs(u, act.on)}:
        raise ActRefused("no_such_unit", "unit", day=act.on)
    if any((e.kind, e.on, e.unit) == (act.kind, act.on, act.unit) for e in permit.events):
        raise ActRefused("twice", "on", day=act.on)
    if act.kind is EventKind.ISSUE and (held := permit.first(EventKind.ISSUE)):
        raise ActRefused("issued_already", "on", day=held.on)
    issued = permit.first(EventKind.ISSUE)
    if act.kind in AFTER_ISSUE and issued is not None and act.on < issued.on:
        raise ActRefused("before_issue", "on", day=issued.on)
    if act.kind is EventKind.RELEASE:
        _check_release(permit, act)


def check_day(day: date, *, today: date, may_come: bool, field: str = "on") -> None:
    """Refuse a day that is no day of this register: mistyped years, and facts that have not happened."""
    if day.year < FIRST_YEAR or day.year > today.year + YEARS_AHEAD:
        raise ActRefused("far", field, day=day)
    if day > today and not may_come:
        raise ActRefused("in_future", field, day=day)


def check_paper(text: str | None, dated: date | None, *, today: date) -> None:
    """Refuse the number or the date of the act on paper that orders something."""
    if text and len(text) > LONGEST_ACT_NUMBER:
        raise ActRefused("long_act_number", "act_number", limit=LONGEST_ACT_NUMBER)
    if text and holds_personal_number(text):
        raise ActRefused("personal_number", "act_number")
    if text and read_act_number(text) is None:
        raise ActRefused("no_act_number", "act_number", text=text)
    if dated is not None and dated > today:
        raise ActRefused("act_in_future", "act_date", day=dated)


def _check_release(permit: Permit, act: PermitEvent) -> None:
    """A release ends a suspension, of the vehicle or of the whole; it may come before the last day."""
    begun = [
        event
        for event in permit.events
        if event.kind is EventKind.SUSPENSION and event.on <= act.on and act.unit in (None, event.unit)
    ]
    if not begun:
        raise ActRefused("nothing_suspended", "on", day=act.on)


def read_act_number(text: str) -> str | None:
    """The number of an act as offices write it, such as ``Portaria 12/2026``; None for anything else.

    A name in this place would stand in the register for ever, so only the words of offices are taken,
    their abbreviations in capitals, and numbers.
    """
    text = " ".join(text.split())
    if not any(character.isdigit() for character in text) or len(text) > LONGEST_ACT_NUMBER:
        return None
    if holds_personal_number(text) or not _SHAPE.fullmatch(text):
        return None
    for word in re.findall(r"[^\W\d_]+", text):
        office = len(word) <= 6 and word.isupper()
        if len(word) > 2 and not office and fold(word) not in _OFFICE_WORDS:
            return None
    return text


_SHAPE = re.compile(r"[\w\s./,:()ºª°n-]+")
_WORDS = """
    administrativo adm alvara ato auto autorizacao boletim certidao certificado comunicado contrato
    decisao decreto despacho digital edital eletronico expediente guia infracao laudo lei licenca
    memorando memo municipal norma notificacao num numero nro oficio ordem parecer portaria proc
    processo protocolo recibo recurso requerimento resolucao sei servico termo vistoria
"""
_OFFICE_WORDS = frozenset(_WORDS.split())
