"""What the register said of the vehicle when it happened, kept with the complaint as JSON."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from portal.regulations.municipalities import Municipality


def take_snapshot(
    session: Session,
    town: Municipality,
    vehicle: Mapping[str, Any] | None,
    when: Mapping[str, Any] | None,
    *,
    now: datetime,
) -> dict[str, Any] | None:
    """The verdict on the day of the event, or of filing when no day is known; None without a readable query."""
    return None
