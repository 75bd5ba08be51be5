"""The clerk's stops, itineraries and departures, cell by cell as the desk or a spreadsheet gave them, every version.

What travellers read is made of the present ones by the same import as a file's; nothing here is overwritten, so
that a row's history says who changed what, and when.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import JSON, ForeignKey, Index, String, UniqueConstraint, func, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from portal.storage.base import Base
from portal.storage.itineraries import TimetableFeedRow


class ItineraryEntryRow(Base):
    """One version of one row of a clerk's table."""

    __tablename__ = "itinerary_entries"
    __table_args__ = (
        UniqueConstraint("feed_id", "sheet", "entry", "version"),
        Index("ix_itinerary_entries_known", "feed_id", "known_until", "sheet", "position"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    feed_id: Mapped[int] = mapped_column(ForeignKey("timetable_feeds.id"))
    sheet: Mapped[str] = mapped_column(String(12))
    """``stops``, ``itineraries`` or ``departures``."""
    entry: Mapped[int]
    """The row, whatever its cells say; counted within the feed."""
    version: Mapped[int]
    position: Mapped[int]
    """Its place in the table."""
    cells: Mapped[dict[str, str]] = mapped_column(JSON)
    """By the column names of the tables; an empty cell is left out."""
    action: Mapped[str] = mapped_column(String(10))
    """What made this version: ``imported``, ``created``, ``changed``, ``ended`` or ``removed``."""
    made_by: Mapped[str] = mapped_column(String(200))
    """The name of a member of staff, or of a file."""
    known_from: Mapped[datetime]
    known_until: Mapped[datetime | None]
    """None: this is the present version. A removed row has none."""


def present_entries(session: Session, feed_id: int, sheet: str | None = None) -> Sequence[ItineraryEntryRow]:
    """The present version of every row, in the order of the tables."""
    query = select(ItineraryEntryRow).where(
        ItineraryEntryRow.feed_id == feed_id, ItineraryEntryRow.known_until.is_(None)
    )
    if sheet is not None:
        query = query.where(ItineraryEntryRow.sheet == sheet)
    order = (ItineraryEntryRow.sheet, ItineraryEntryRow.position, ItineraryEntryRow.entry)
    return session.scalars(query.order_by(*order)).all()


def versions_of(session: Session, feed_id: int, sheet: str, entry: int) -> Sequence[ItineraryEntryRow]:
    """The newest first."""
    query = select(ItineraryEntryRow).where(
        ItineraryEntryRow.feed_id == feed_id,
        ItineraryEntryRow.sheet == sheet,
        ItineraryEntryRow.entry == entry,
    )
    return session.scalars(query.order_by(ItineraryEntryRow.version.desc())).all()


def close_entries(session: Session, ids: Collection[int], at: datetime) -> None:
    session.execute(update(ItineraryEntryRow).where(ItineraryEntryRow.id.in_(ids)).values(known_until=at))


def next_entry(session: Session, feed_id: int) -> int:
    query = select(func.max(ItineraryEntryRow.entry)).where(ItineraryEntryRow.feed_id == feed_id)
    return (session.scalar(query) or 0) + 1


def feed_by_name(session: Session, municipality: str, name: str) -> TimetableFeedRow | None:
    query = select(TimetableFeedRow).where(
        TimetableFeedRow.municipality == municipality, TimetableFeedRow.name == name
    )
    return session.scalars(query).first()
