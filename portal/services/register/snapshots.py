"""What the register said of the vehicle when it happened, kept with the complaint as JSON."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

import orjson
from sqlalchemy.orm import Session

from portal.domain.errors import UnreadableQuery
from portal.regulations import catalogue
from portal.regulations.municipalities import Municipality
from portal.services.verdicts.verification import verify_permit


def take_snapshot(
    session: Session,
    town: Municipality,
    vehicle: Mapping[str, Any] | None,
    when: Mapping[str, Any] | None,
    *,
    now: datetime,
) -> dict[str, Any] | None:
    """The verdict on the day of the event, or of filing when no day is known; None without a readable query."""
    if not vehicle or vehicle["kind"] != "typed":
        return None
    on = town.civil_day(now)
    if when and when["kind"] == "at":
        on = date.fromisoformat(when["date"])
    try:
        verdict = verify_permit(session, town.slug, vehicle["text"], on=on, now=now)
    except UnreadableQuery:
        return None
    plain: dict[str, Any] = _plain(verdict)
    return plain


def service_of(town: Municipality, category: str, snapshot: Mapping[str, Any] | None) -> str | None:
    """The kind of transport a complaint is about: of the vehicle's permits, or the only one of its category here."""
    services = {permit["service"] for permit in (snapshot or {}).get("permits", ())}
    if not services:
        services = {str(one) for one in catalogue.category(category).services if one in town.services}
    return services.pop() if len(services) == 1 else None


def _plain(value: Any) -> Any:
    """Frozen dataclasses, enumerations and dates as JSON writes them."""
    return orjson.loads(orjson.dumps(value, default=_as_json, option=orjson.OPT_NON_STR_KEYS))


def _as_json(value: Any) -> Any:
    """What orjson does not know by itself."""
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, set | frozenset) else str(value)
