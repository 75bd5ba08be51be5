"""The rows of a clerk's tables and their history: what the desk shows, and what every change leaves behind."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy.orm import Session

from portal.domain.itineraries import ClerkRow, Sheet
from portal.storage import itinerary_entries as store
from portal.storage.itinerary_entries import ItineraryEntryRow


def keep_entries(
    session: Session,
    feed_id: int,
    rows: Mapping[str, Sequence[ClerkRow]],
    *,
    action: str,
    made_by: str,
    now: datetime,
) -> None:
    """Make these rows the present ones, in the transaction that shows them to travellers.

    A row that stays as it was keeps its version; one that differs gets a new one; one that is gone is closed. Rows
    out of a file are known again by their code, departures by their cells. No rows at all, as from a feed, close
    every one.
    """
    closed: list[int] = []
    fresh: list[ItineraryEntryRow] = []
    following = store.next_entry(session, feed_id)
    present = store.present_entries(session, feed_id)
    for sheet in Sheet:
        left = {row.entry: row for row in present if row.sheet == sheet}
        by_key = {_key(sheet, row.cells): row.entry for row in left.values()}
        for position, given in enumerate(rows.get(sheet, ()), 1):
            entry = given.entry or by_key.get(_key(sheet, given.cells))
            before = left.pop(entry, None) if entry is not None else None
            if before is not None and before.cells == dict(given.cells):
                before.position = position
                continue
            if before is not None:
                closed.append(before.id)
            elif entry is None or given.entry is None:
                entry, following = following, following + 1
            assert entry is not None
            fresh.append(
                ItineraryEntryRow(
                    feed_id=feed_id,
                    sheet=sheet.value,
                    entry=entry,
                    version=before.version + 1 if before else 1,
                    position=position,
                    cells=dict(given.cells),
                    action=action if before or action in ("imported", "created") else "created",
                    made_by=made_by[:200],
                    known_from=now,
                )
            )
        closed += [row.id for row in left.values()]
    store.close_entries(session, closed, now)
    session.add_all(fresh)
    session.flush()


def _key(sheet: Sheet, cells: Mapping[str, str]) -> str:
    if sheet is Sheet.DEPARTURES:
        return repr(sorted(cells.items()))
    return cells.get("codigo", "")
