"""Imports of itineraries as they are written: staged row by row, made current in one update, cleared afterwards."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.orm import Session, aliased

from portal.storage.base import Base
from portal.storage.itineraries import (
    CalendarExceptionRow,
    CalendarRow,
    FrequencyRow,
    ItineraryRow,
    ItineraryStopRow,
    NameWordRow,
    PlaceRow,
    ShapeRow,
    StopRow,
    StopTimeRow,
    TimetableFeedRow,
    TimetableImportRow,
    TripRow,
    WordSlipRow,
)


def feed_row(session: Session, municipality: str, name: str) -> TimetableFeedRow:
    """The feed of this name, made at its first import."""
    query = select(TimetableFeedRow).where(
        TimetableFeedRow.municipality == municipality, TimetableFeedRow.name == name
    )
    row = session.scalars(query).first()
    if row is None:
        row = TimetableFeedRow(municipality=municipality, name=name)
        session.add(row)
        session.flush()
    return row


def import_shown(session: Session, municipality: str, feed: str) -> TimetableImportRow | None:
    """The import of a feed that readers see."""
    query = (
        select(TimetableImportRow)
        .join(TimetableFeedRow, TimetableFeedRow.current_import_id == TimetableImportRow.id)
        .where(TimetableFeedRow.municipality == municipality, TimetableFeedRow.name == feed)
    )
    return session.scalars(query).first()


def last_runs(
    session: Session, municipality: str
) -> list[tuple[str, TimetableImportRow, TimetableImportRow | None]]:
    """Each feed of a municipality with its last import, whatever became of it, and the one that readers see."""
    newest = (
        select(func.max(TimetableImportRow.id))
        .join(TimetableFeedRow, TimetableFeedRow.id == TimetableImportRow.feed_id)
        .where(TimetableFeedRow.municipality == municipality)
        .group_by(TimetableImportRow.feed_id)
    )
    shown = aliased(TimetableImportRow)
    query = (
        select(TimetableFeedRow.name, TimetableImportRow, shown)
        .join(TimetableImportRow, TimetableImportRow.feed_id == TimetableFeedRow.id)
        .outerjoin(shown, shown.id == TimetableFeedRow.current_import_id)
        .where(TimetableImportRow.id.in_(newest))
        .order_by(TimetableFeedRow.name)
    )
    return [(name, last, current) for name, last, current in session.execute(query)]


def feed_name_of(session: Session, import_id: int) -> str:
    query = select(TimetableFeedRow.name).join(
        TimetableImportRow, TimetableImportRow.feed_id == TimetableFeedRow.id
    )
    return session.scalars(query.where(TimetableImportRow.id == import_id)).one()


def outcome_of(session: Session, import_id: int) -> str | None:
    return session.scalar(select(TimetableImportRow.outcome).where(TimetableImportRow.id == import_id))


def overtake_others(session: Session, feed_id: int, import_id: int) -> None:
    """An import that begins takes over from one that was cut off, or is still staging, of the same feed."""
    session.execute(
        update(TimetableImportRow)
        .where(
            TimetableImportRow.feed_id == feed_id,
            TimetableImportRow.id != import_id,
            TimetableImportRow.outcome == "staging",
        )
        .values(outcome="overtaken")
    )


def mark_cleared(session: Session, import_id: int) -> None:
    """Nothing but the record of the run is left of it."""
    session.execute(
        update(TimetableImportRow).where(TimetableImportRow.id == import_id).values(outcome="cleared")
    )


def insert_rows(session: Session, row: type[Base], values: Sequence[dict[str, Any]]) -> None:
    if values:
        session.execute(insert(row), values)


def ids_by_code(session: Session, row: type[Any], import_id: int) -> dict[str, int]:
    query = select(row.code, row.id).where(row.import_id == import_id)
    return {row[0]: row[1] for row in session.execute(query)}


def codes_in(session: Session, row: type[Any], imports: Collection[int]) -> set[str]:
    return set(session.scalars(select(row.code).where(row.import_id.in_(imports))))


def current_of(session: Session, feed_id: int) -> int | None:
    return session.scalar(select(TimetableFeedRow.current_import_id).where(TimetableFeedRow.id == feed_id))


def make_current(session: Session, feed_id: int, import_id: int) -> None:
    """Show this import to readers from the next transaction on."""
    session.execute(
        update(TimetableFeedRow).where(TimetableFeedRow.id == feed_id).values(current_import_id=import_id)
    )


def superseded_imports(session: Session, feed_id: int) -> list[int]:
    """Imports of a feed that left rows and that no reader can still be in the middle of.

    The one shown before the present one stays: a reader who learnt its number a moment ago finds it whole.
    """
    query = (
        select(TimetableImportRow.id)
        .join(TimetableFeedRow, TimetableFeedRow.id == TimetableImportRow.feed_id)
        .where(
            TimetableImportRow.feed_id == feed_id,
            TimetableImportRow.id != func.coalesce(TimetableFeedRow.current_import_id, -1),
        )
        .order_by(TimetableImportRow.id.desc())
    )
    merged = session.scalars(query.where(TimetableImportRow.outcome == "merged")).all()
    left = session.scalars(query.where(TimetableImportRow.outcome.in_(("overtaken", "failed")))).all()
    return [*merged[1:], *left]


def clear_steps() -> Iterable[Any]:
    """One statement a step, children first; each takes ``import_id`` and may be a transaction of its own."""

    def of_import(column: Any, parent: type[Any], import_id: int) -> Any:
        return column.in_(select(parent.id).where(parent.import_id == import_id))

    yield lambda n: delete(StopTimeRow).where(of_import(StopTimeRow.trip_id, TripRow, n))
    yield lambda n: delete(FrequencyRow).where(of_import(FrequencyRow.trip_id, TripRow, n))
    yield lambda n: delete(TripRow).where(TripRow.import_id == n)
    yield lambda n: delete(CalendarExceptionRow).where(
        of_import(CalendarExceptionRow.calendar_id, CalendarRow, n)
    )
    yield lambda n: delete(CalendarRow).where(CalendarRow.import_id == n)
    yield lambda n: delete(ShapeRow).where(of_import(ShapeRow.itinerary_id, ItineraryRow, n))
    yield lambda n: delete(ItineraryStopRow).where(of_import(ItineraryStopRow.itinerary_id, ItineraryRow, n))
    yield lambda n: delete(WordSlipRow).where(WordSlipRow.import_id == n)
    yield lambda n: delete(NameWordRow).where(NameWordRow.import_id == n)
    yield lambda n: delete(ItineraryRow).where(ItineraryRow.import_id == n)
    yield lambda n: delete(StopRow).where(StopRow.import_id == n)
    yield lambda n: delete(PlaceRow).where(PlaceRow.import_id == n)
