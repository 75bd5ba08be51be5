"""Cards as a clerk makes, prints again and takes them back; each step stands in the town's audit log.

Nothing of a code is stored: it is signed anew whenever a card is printed, and the signature on the dashboard is as
good as the one in the drawer.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy.orm import Session

from portal.domain.cards import MOST_ISSUES, CardFacts, new_card_name
from portal.domain.errors import CardRefused, NotAllowed
from portal.domain.permits import Status, VehicleUnit
from portal.domain.terms import Span
from portal.regulations import catalogue, provisions
from portal.regulations.schema import CardLayout
from portal.services.people import audit
from portal.services.register.permits import Keeper, PermitFile, read_permit
from portal.storage import cards as store
from portal.storage import itineraries
from portal.storage.cards import PermitCardRow

Sign = Callable[[CardFacts], str]
"""What turns the facts of a card into its code: ``portal.sealing.signing.SigningKey.sign``."""

GOOD = (Status.AUTHORIZED, Status.NOT_YET_VALID)


@dataclass(frozen=True, slots=True)
class Card:
    """A card that was made."""

    id: int
    name: str
    """Thirteen letters and digits: what stands of it in its code."""
    permit_id: int
    plate: str | None
    """Of its one vehicle; None where it stands for every vehicle of the permit."""
    issue: int
    layout: str
    made_at: datetime
    ended: str | None
    """``replaced`` or ``revoked``; None while it counts."""
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class CardSheet:
    """What is printed on a card. No name of a person is in it, whoever holds the permit."""

    municipality: str
    card: Card
    layout: CardLayout
    token: str
    instrument: str
    """Its title, as the instrument calls itself."""
    permit_name: str
    """What the instrument calls this type of permit, in Portuguese."""
    authority: str | None
    """Who licenses; None where the text names nobody."""
    number: str
    term: Span
    units: tuple[VehicleUnit, ...]
    capacity: int | None
    """Seated passengers, of all vehicles together; None where the register does not know."""
    max_speed_kmh: int | None
    itinerary: str | None
    """Its name, or the code that the register names where no timetable is published."""
    ends: tuple[str, ...]
    """Where it begins and ends."""
    trade_name: str | None
    """Of a company alone."""
    on: date


def layouts_of(municipality: str, permit_type: str, on: date) -> tuple[CardLayout, ...]:
    """What cards a permit of this type may have on a day."""
    return tuple(layout for _law, layout in catalogue.card_layouts(municipality, permit_type, on))


def list_cards(session: Session, keeper: Keeper, permit_id: int) -> tuple[Card, ...]:
    """Every card of a permit, the newest first."""
    return tuple(map(_card, store.cards_of_permit(session, keeper.municipality, permit_id)))


def make_card(
    session: Session,
    keeper: Keeper,
    permit_id: int,
    *,
    layout: str | None = None,
    unit: int | None = None,
    now: datetime,
) -> Card:
    """Make a card; the one that the permit or its vehicle had is replaced.

    Args:
        layout: id of a layout of the instrument; by default its first.
        unit: position of the vehicle, where each has its own card; by default the only one.

    Raises:
        NothingHere: no such permit in this town.
        NotAllowed: this keeper only reads.
        CardRefused: says why.
    """
    if not keeper.writes:
        raise NotAllowed
    on = catalogue.municipality(keeper.municipality).civil_day(now)
    file = read_permit(session, keeper, permit_id, on=on)
    known = layouts_of(keeper.municipality, file.permit.permit_type, on)
    chosen = next((one for one in known if layout in (None, one.id)), None)
    if chosen is None:
        raise CardRefused("no_layout")
    if file.standing.status not in GOOD:
        raise CardRefused("not_in_force")
    vehicle = _vehicle(file, unit) if chosen.one_vehicle else None
    key = vehicle.plate_key if vehicle else ""
    issue = store.last_issue(session, permit_id, key) + 1
    if issue > MOST_ISSUES:
        raise CardRefused("no_such_card")
    for old in store.cards_of_permit(session, keeper.municipality, permit_id):
        if old.ended is None and old.plate_key == key and old.layout == chosen.id:
            old.ended, old.ended_at = store.REPLACED, now
    row = PermitCardRow(
        card=new_card_name(),
        municipality=keeper.municipality,
        permit_id=permit_id,
        plate=vehicle.plate if vehicle else "",
        plate_key=key,
        issue=issue,
        layout=chosen.id,
        made_at=now,
        made_by=keeper.actor,
    )
    session.add(row)
    session.flush()
    _log(session, keeper, row, "permit.card_made", now)
    return _card(row)


def revoke_card(session: Session, keeper: Keeper, permit_id: int, card_id: int, *, now: datetime) -> Card:
    """Take a card back that was lost, stolen or damaged: whoever scans it is told so.

    Raises:
        NotAllowed: this keeper only reads.
        CardRefused: ``no_such_card`` or ``ended`` already.
    """
    if not keeper.writes:
        raise NotAllowed
    row = _row(session, keeper, permit_id, card_id)
    if row.ended is not None:
        raise CardRefused("ended")
    row.ended, row.ended_at = store.REVOKED, now
    session.flush()
    _log(session, keeper, row, "permit.card_revoked", now)
    return _card(row)


def print_card(
    session: Session, keeper: Keeper, permit_id: int, card_id: int, *, sign: Sign, now: datetime
) -> CardSheet:
    """Everything that is printed on a card which counts, as the register holds it now; the log keeps that it was.

    Raises:
        NothingHere: no such permit in this town.
        NotAllowed: this keeper only reads.
        CardRefused: ``no_such_card``, ``ended``, or ``no_layout`` as the text that asked for it is gone.
    """
    if not keeper.writes:
        raise NotAllowed
    on = catalogue.municipality(keeper.municipality).civil_day(now)
    row = _row(session, keeper, permit_id, card_id)
    if row.ended is not None:
        raise CardRefused("ended")
    file = read_permit(session, keeper, permit_id, on=on)
    permit, rules = file.permit, file.rules
    known = catalogue.card_layouts(keeper.municipality, permit.permit_type, on)
    asked = next(((law, one) for law, one in known if one.id == row.layout), None)
    if asked is None:
        raise CardRefused("no_layout")
    law, layout = asked
    kind = next(one for one in law.permits if one.id == permit.permit_type)
    licensing = provisions.authority(law, "licensing", on)
    units = tuple(one for one in _units(file) if not row.plate_key or one.plate_key == row.plate_key)
    seats = [unit.capacity for unit in units if unit.capacity]
    speeds = [speed for speed in (permit.max_speed_kmh, rules.max_speed_kmh if rules else None) if speed]
    _log(session, keeper, row, "permit.card_printed", now)
    name, ends = _itinerary(session, keeper, permit.itinerary)
    return CardSheet(
        municipality=keeper.municipality,
        card=_card(row),
        layout=layout,
        token=sign(facts_of(row)),
        instrument=law.title,
        permit_name=kind.name.pt,
        authority=licensing.name if licensing else None,
        number=permit.number,
        term=file.standing.term,
        units=units,
        capacity=sum(seats) if seats else None,
        max_speed_kmh=min(speeds) if speeds else None,
        itinerary=name,
        ends=ends,
        trade_name=None if file.standing.of_a_person else permit.trade_name,
        on=on,
    )


def facts_of(row: PermitCardRow) -> CardFacts:
    """What the code of a card says."""
    town = catalogue.municipality(row.municipality)
    return CardFacts(row.card, town.ibge_code, row.plate_key or None, row.issue)


def _itinerary(session: Session, keeper: Keeper, code: str | None) -> tuple[str | None, tuple[str, ...]]:
    if code is None:
        return None, ()
    imports = itineraries.current_imports(session, keeper.municipality)
    row = itineraries.itinerary_by_code(session, imports, code)
    if row is None:
        return code, ()
    ends = itineraries.ends_of_itineraries(session, [row.id]).get(row.id, [])
    return row.name, tuple(dict.fromkeys(stop.name for _way, _position, stop in ends))


def _units(file: PermitFile) -> tuple[VehicleUnit, ...]:
    """Today's vehicles, or those of its first day where the permit has not begun."""
    return file.units_now or tuple(unit for unit in file.permit.units if unit.valid_until is None)


def _vehicle(file: PermitFile, position: int | None) -> VehicleUnit:
    units = _units(file)
    chosen = [unit for unit in units if unit.position == position] if position else list(units)
    if len(chosen) != 1:
        raise CardRefused("which_vehicle")
    return chosen[0]


def _row(session: Session, keeper: Keeper, permit_id: int, card_id: int) -> PermitCardRow:
    row = store.card_of_town(session, keeper.municipality, card_id)
    if row is None or row.permit_id != permit_id:
        raise CardRefused("no_such_card")
    return row


def _card(row: PermitCardRow) -> Card:
    return Card(
        id=row.id,
        name=row.card,
        permit_id=row.permit_id,
        plate=row.plate or None,
        issue=row.issue,
        layout=row.layout,
        made_at=row.made_at,
        ended=row.ended,
        ended_at=row.ended_at,
    )


def _log(session: Session, keeper: Keeper, row: PermitCardRow, action: str, at: datetime) -> None:
    audit.record(
        session,
        keeper.municipality,
        actor=keeper.actor,
        action=action,
        subject=f"permit:{row.permit_id}",
        at=at,
        reason=" · ".join(part for part in (f"{row.issue}", row.plate) if part),
    )
