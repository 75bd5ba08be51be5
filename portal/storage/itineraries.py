"""Itineraries, stops, timetables and places, each row of one import; and the queries that readers ask.

Every row belongs to an import. Readers see only the import that its feed calls current, so that a new one
is staged in short transactions beside the old and takes its place in a single update.
"""

from collections.abc import Collection, Iterator, Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    ForeignKey,
    Index,
    SmallInteger,
    String,
    Text,
    UniqueConstraint,
    and_,
    exists,
    func,
    select,
)
from sqlalchemy.orm import Mapped, Session, aliased, mapped_column

from portal.storage.base import Base


class TimetableFeedRow(Base):
    """One source of itineraries of a municipality: its recreational service, its bus lines, its sights."""

    __tablename__ = "timetable_feeds"
    __table_args__ = (UniqueConstraint("municipality", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    municipality: Mapped[str] = mapped_column(String(80))
    name: Mapped[str] = mapped_column(String(80))
    current_import_id: Mapped[int | None] = mapped_column(index=True)
    """The import that readers see. No foreign key: imports already point here."""


class TimetableImportRow(Base):
    """One run of an import, kept whatever became of it."""

    __tablename__ = "timetable_imports"

    id: Mapped[int] = mapped_column(primary_key=True)
    feed_id: Mapped[int] = mapped_column(ForeignKey("timetable_feeds.id"), index=True)
    kind: Mapped[str] = mapped_column(String(20))
    file_name: Mapped[str] = mapped_column(String(200))
    digest: Mapped[str] = mapped_column(String(64))
    """SHA-256 of the file, in hexadecimal."""
    outcome: Mapped[str] = mapped_column(String(20))
    started_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]
    as_of: Mapped[date]
    """The day of the list, as the person who imports it states it."""
    service: Mapped[str | None] = mapped_column(String(20))
    counts: Mapped[dict[str, int]] = mapped_column(JSON, default=dict)
    problems: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)


class ItineraryRow(Base):
    __tablename__ = "itineraries"
    __table_args__ = (UniqueConstraint("import_id", "code"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    import_id: Mapped[int] = mapped_column(ForeignKey("timetable_imports.id"))
    code: Mapped[str] = mapped_column(String(120))
    name: Mapped[str] = mapped_column(String(250))
    names: Mapped[dict[str, str]] = mapped_column(JSON, default=dict)
    operator: Mapped[str | None] = mapped_column(String(200))
    fare_centavos: Mapped[int | None]
    duration_minutes: Mapped[int | None]
    zone: Mapped[str | None] = mapped_column(String(60))
    valid_from: Mapped[date | None]
    valid_until: Mapped[date | None]
    accessible: Mapped[bool | None]
    route_type: Mapped[int | None]


class StopRow(Base):
    __tablename__ = "stops"
    # A range of cells of one import, answered from the index alone: without the import in front SQLite would
    # read the whole import instead, and each row looked up costs a page of its own in a large table.
    __table_args__ = (
        UniqueConstraint("import_id", "code"),
        Index("ix_stops_finest", "import_id", "finest_cell", "kind", "latitude", "longitude"),
        Index("ix_stops_fine", "import_id", "cell", "kind", "latitude", "longitude"),
        Index("ix_stops_coarse", "import_id", "coarse_cell", "kind", "latitude", "longitude"),
        Index("ix_stops_by_name", "import_id", "name_norm", "code"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    import_id: Mapped[int] = mapped_column(ForeignKey("timetable_imports.id"))
    code: Mapped[str] = mapped_column(String(120))
    name: Mapped[str] = mapped_column(String(250))
    name_norm: Mapped[str] = mapped_column(String(250))
    """Folded and spelled out: what the list is sorted by."""
    latitude: Mapped[float]
    longitude: Mapped[float]
    finest_cell: Mapped[int] = mapped_column(BigInteger)
    cell: Mapped[int] = mapped_column(BigInteger)
    """Cells of the grids of ``portal.domain.geo``: the nearest stops lie in a few ranges of one of them."""
    coarse_cell: Mapped[int]
    kind: Mapped[str] = mapped_column(String(20))
    accessible: Mapped[bool | None]
    reference: Mapped[str | None] = mapped_column(String(250))
    valid_until: Mapped[date | None]


class ItineraryStopRow(Base):
    __tablename__ = "itinerary_stops"

    itinerary_id: Mapped[int] = mapped_column(ForeignKey("itineraries.id"), primary_key=True)
    way: Mapped[str] = mapped_column(String(10), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    stop_id: Mapped[int] = mapped_column(ForeignKey("stops.id"), index=True)


class CalendarRow(Base):
    __tablename__ = "calendars"
    __table_args__ = (UniqueConstraint("import_id", "code"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    import_id: Mapped[int] = mapped_column(ForeignKey("timetable_imports.id"))
    code: Mapped[str] = mapped_column(String(120))
    weekdays: Mapped[int]
    """Bit 0 is Monday."""
    starts: Mapped[date | None]
    ends: Mapped[date | None]
    holidays: Mapped[str] = mapped_column(String(12))


class CalendarExceptionRow(Base):
    __tablename__ = "calendar_exceptions"

    calendar_id: Mapped[int] = mapped_column(ForeignKey("calendars.id"), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    runs: Mapped[bool]


class TripRow(Base):
    __tablename__ = "trips"

    id: Mapped[int] = mapped_column(primary_key=True)
    import_id: Mapped[int] = mapped_column(ForeignKey("timetable_imports.id"), index=True)
    itinerary_id: Mapped[int] = mapped_column(ForeignKey("itineraries.id"), index=True)
    calendar_id: Mapped[int] = mapped_column(ForeignKey("calendars.id"), index=True)
    code: Mapped[str] = mapped_column(String(120))
    way: Mapped[str] = mapped_column(String(10))
    headsign: Mapped[str | None] = mapped_column(String(250))
    first_departs: Mapped[int | None]
    """Seconds at the first stop: frequencies move the whole trip by their difference to it."""
    accessible: Mapped[bool | None]


class StopTimeRow(Base):
    __tablename__ = "stop_times"

    trip_id: Mapped[int] = mapped_column(ForeignKey("trips.id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    stop_id: Mapped[int] = mapped_column(ForeignKey("stops.id"), index=True)
    arrives: Mapped[int | None]
    departs: Mapped[int | None]
    """Seconds after the start of the service day; None where the source states no time."""
    boarding: Mapped[bool]
    approximate: Mapped[bool]


class FrequencyRow(Base):
    __tablename__ = "frequencies"

    trip_id: Mapped[int] = mapped_column(ForeignKey("trips.id"), primary_key=True)
    starts: Mapped[int] = mapped_column(primary_key=True)
    ends: Mapped[int]
    headway: Mapped[int]
    exact: Mapped[bool]


class ShapeRow(Base):
    __tablename__ = "shapes"

    itinerary_id: Mapped[int] = mapped_column(ForeignKey("itineraries.id"), primary_key=True)
    way: Mapped[str] = mapped_column(String(10), primary_key=True)
    points: Mapped[str] = mapped_column(Text)
    """``latitude,longitude`` pairs with five decimals, spaces between them."""


class PlaceRow(Base):
    """A neighbourhood or a sight, by which a person says where they are."""

    __tablename__ = "places"

    id: Mapped[int] = mapped_column(primary_key=True)
    import_id: Mapped[int] = mapped_column(ForeignKey("timetable_imports.id"), index=True)
    name: Mapped[str] = mapped_column(String(250))
    kind: Mapped[str] = mapped_column(String(60))
    latitude: Mapped[float]
    longitude: Mapped[float]


class NameWordRow(Base):
    """One word of the name of a stop, an itinerary or a place: how a name is found from any of its words."""

    __tablename__ = "name_words"
    # In this order the index gives, of a word that thousands of names hold, the shortest names first.
    __table_args__ = (Index("ix_name_words_by_word", "import_id", "word", "rank", "target", "target_id"),)

    target: Mapped[str] = mapped_column(String(10), primary_key=True)
    target_id: Mapped[int] = mapped_column(primary_key=True)
    word: Mapped[str] = mapped_column(String(80), primary_key=True)
    import_id: Mapped[int] = mapped_column(ForeignKey("timetable_imports.id"))
    rank: Mapped[int] = mapped_column(SmallInteger)
    """How many words the name has: of two that hold what is typed, the shorter is probably meant."""


class WordSlipRow(Base):
    """A word of some name, or what is left of it when a letter is dropped: how a slip finds the word meant."""

    __tablename__ = "word_slips"

    import_id: Mapped[int] = mapped_column(ForeignKey("timetable_imports.id"), primary_key=True)
    slip: Mapped[str] = mapped_column(String(80), primary_key=True)
    word: Mapped[str] = mapped_column(String(80), primary_key=True)


def current_imports(
    session: Session, municipality: str | None = None, *, service: str | None = None
) -> list[int]:
    """The imports that readers see now, oldest feed first; of every municipality and service when none is given."""
    query = select(TimetableFeedRow.current_import_id).where(TimetableFeedRow.current_import_id.is_not(None))
    if municipality is not None:
        query = query.where(TimetableFeedRow.municipality == municipality)
    if service is not None:
        query = query.join(
            TimetableImportRow, TimetableImportRow.id == TimetableFeedRow.current_import_id
        ).where(TimetableImportRow.service == service)
    return [number for number in session.scalars(query.order_by(TimetableFeedRow.id)) if number]


def import_rows(session: Session, ids: Collection[int]) -> dict[int, tuple[TimetableImportRow, str]]:
    """Each import with the municipality of its feed."""
    query = (
        select(TimetableImportRow, TimetableFeedRow.municipality)
        .join(TimetableFeedRow, TimetableFeedRow.id == TimetableImportRow.feed_id)
        .where(TimetableImportRow.id.in_(ids))
    )
    return {row.id: (row, municipality) for row, municipality in session.execute(query)}


def itineraries_of(session: Session, imports: Collection[int]) -> Sequence[ItineraryRow]:
    query = select(ItineraryRow).where(ItineraryRow.import_id.in_(imports))
    return session.scalars(query.order_by(ItineraryRow.name, ItineraryRow.code)).all()


def itinerary_by_code(session: Session, imports: Collection[int], code: str) -> ItineraryRow | None:
    query = select(ItineraryRow).where(ItineraryRow.import_id.in_(imports), ItineraryRow.code == code)
    return session.scalars(query.order_by(ItineraryRow.import_id).limit(1)).first()


def stops_of(
    session: Session, imports: Collection[int], *, limit: int, offset: int = 0, accessible: bool = False
) -> Sequence[StopRow]:
    query = select(StopRow).where(*_listed(imports, accessible)).order_by(StopRow.name_norm, StopRow.code)
    return session.scalars(query.limit(limit).offset(offset)).all()


def count_stops(session: Session, imports: Collection[int], *, accessible: bool = False) -> int:
    query = select(func.count()).select_from(StopRow).where(*_listed(imports, accessible))
    return session.scalar(query) or 0


def _listed(imports: Collection[int], accessible: bool) -> list[ColumnElement[bool]]:
    return [StopRow.import_id.in_(imports), *([StopRow.accessible.is_(True)] if accessible else [])]


def stop_by_code(session: Session, imports: Collection[int], code: str) -> StopRow | None:
    query = select(StopRow).where(StopRow.import_id.in_(imports), StopRow.code == code)
    return session.scalars(query.order_by(StopRow.import_id).limit(1)).first()


def stop_rows(session: Session, ids: Collection[int]) -> dict[int, StopRow]:
    return {row.id: row for row in session.scalars(select(StopRow).where(StopRow.id.in_(ids)))}


def stops_of_itineraries(
    session: Session, itineraries: Collection[int]
) -> dict[int, list[tuple[str, int, StopRow]]]:
    """For each itinerary: way, position and stop, in order of travel."""
    query = (
        select(ItineraryStopRow.itinerary_id, ItineraryStopRow.way, ItineraryStopRow.position, StopRow)
        .join(StopRow, StopRow.id == ItineraryStopRow.stop_id)
        .where(ItineraryStopRow.itinerary_id.in_(itineraries))
        .order_by(ItineraryStopRow.itinerary_id, ItineraryStopRow.way.desc(), ItineraryStopRow.position)
    )
    found: dict[int, list[tuple[str, int, StopRow]]] = {}
    for itinerary, way, position, stop in session.execute(query):
        found.setdefault(itinerary, []).append((way, position, stop))
    return found


def ends_of_itineraries(
    session: Session, itineraries: Collection[int]
) -> dict[int, list[tuple[str, int, StopRow]]]:
    """Like ``stops_of_itineraries``, but the first and the last stop of each way alone."""
    extremes = (
        select(
            ItineraryStopRow.itinerary_id,
            ItineraryStopRow.way,
            func.min(ItineraryStopRow.position).label("first"),
            func.max(ItineraryStopRow.position).label("last"),
        )
        .where(ItineraryStopRow.itinerary_id.in_(itineraries))
        .group_by(ItineraryStopRow.itinerary_id, ItineraryStopRow.way)
        .subquery()
    )
    query = (
        select(ItineraryStopRow.itinerary_id, ItineraryStopRow.way, ItineraryStopRow.position, StopRow)
        .join(
            extremes,
            and_(
                extremes.c.itinerary_id == ItineraryStopRow.itinerary_id,
                extremes.c.way == ItineraryStopRow.way,
                ItineraryStopRow.position.in_([extremes.c.first, extremes.c.last]),
            ),
        )
        .join(StopRow, StopRow.id == ItineraryStopRow.stop_id)
        .order_by(ItineraryStopRow.itinerary_id, ItineraryStopRow.way.desc(), ItineraryStopRow.position)
    )
    found: dict[int, list[tuple[str, int, StopRow]]] = {}
    for itinerary, way, position, stop in session.execute(query):
        found.setdefault(itinerary, []).append((way, position, stop))
    return found


def itineraries_at(session: Session, stops: Collection[int]) -> dict[int, list[ItineraryRow]]:
    """The itineraries that call at each stop."""
    query = (
        select(ItineraryStopRow.stop_id, ItineraryRow)
        .join(ItineraryRow, ItineraryRow.id == ItineraryStopRow.itinerary_id)
        .where(ItineraryStopRow.stop_id.in_(stops))
        .order_by(ItineraryRow.name)
    )
    found: dict[int, list[ItineraryRow]] = {}
    for stop, itinerary in session.execute(query):
        if itinerary not in found.setdefault(stop, []):
            found[stop].append(itinerary)
    return found


def shapes_of(session: Session, itinerary: int) -> dict[str, str]:
    query = select(ShapeRow.way, ShapeRow.points).where(ShapeRow.itinerary_id == itinerary)
    return {row[0]: row[1] for row in session.execute(query)}


def shapes_of_all(session: Session, itineraries: Collection[int]) -> dict[int, list[str]]:
    """The drawn lines of several itineraries, one for each way."""
    query = select(ShapeRow.itinerary_id, ShapeRow.points).where(ShapeRow.itinerary_id.in_(itineraries))
    found: dict[int, list[str]] = {}
    for itinerary, points in session.execute(query):
        found.setdefault(itinerary, []).append(points)
    return found


def call_rows(
    session: Session,
    *,
    around: date,
    stops: Collection[int] = (),
    itineraries: Collection[int] = (),
) -> list[Any]:
    """Timed calls where one may board, with their trip, of calendars that are not over before ``around``.

    ``stops`` asks for every call at these stops; ``itineraries`` for the first call of each of their trips.
    """
    later = exists().where(
        CalendarExceptionRow.calendar_id == CalendarRow.id,
        CalendarExceptionRow.day >= around,
        CalendarExceptionRow.runs,
    )
    query = (
        select(StopTimeRow, TripRow, ItineraryRow)
        .join(TripRow, TripRow.id == StopTimeRow.trip_id)
        .join(ItineraryRow, ItineraryRow.id == TripRow.itinerary_id)
        .join(CalendarRow, CalendarRow.id == TripRow.calendar_id)
        .where(StopTimeRow.departs.is_not(None), StopTimeRow.boarding)
        .where(CalendarRow.ends.is_(None) | (CalendarRow.ends >= around) | later)
        .where(ItineraryRow.valid_until.is_(None) | (ItineraryRow.valid_until >= around))
    )
    if stops:
        query = query.where(StopTimeRow.stop_id.in_(stops))
    else:
        query = query.where(TripRow.itinerary_id.in_(itineraries), StopTimeRow.position == 0)
    return list(session.execute(query))


def leg_rows(
    session: Session,
    board: Collection[int],
    leave: Collection[int],
    *,
    around: date,
    only_at_ends: Collection[int] = (),
) -> list[Any]:
    """As `call_rows` at the stops ``board``, of the trips that go on to one of ``leave``; with that call beside it.

    Of the itineraries ``only_at_ends`` just whole trips, from the first call to the last.
    """
    reached, beyond = aliased(StopTimeRow), aliased(StopTimeRow)
    goes_on = exists().where(beyond.trip_id == reached.trip_id, beyond.position > reached.position)
    whole = and_(StopTimeRow.position == 0, ~goes_on)
    later = exists().where(
        CalendarExceptionRow.calendar_id == CalendarRow.id,
        CalendarExceptionRow.day >= around,
        CalendarExceptionRow.runs,
    )
    query = (
        select(StopTimeRow, TripRow, ItineraryRow, reached)
        .join(TripRow, TripRow.id == StopTimeRow.trip_id)
        .join(ItineraryRow, ItineraryRow.id == TripRow.itinerary_id)
        .join(CalendarRow, CalendarRow.id == TripRow.calendar_id)
        .join(
            reached,
            and_(
                reached.trip_id == StopTimeRow.trip_id,
                reached.position > StopTimeRow.position,
                reached.stop_id.in_(leave),
            ),
        )
        .where(StopTimeRow.stop_id.in_(board), StopTimeRow.departs.is_not(None), StopTimeRow.boarding)
        .where(CalendarRow.ends.is_(None) | (CalendarRow.ends >= around) | later)
        .where(ItineraryRow.valid_until.is_(None) | (ItineraryRow.valid_until >= around))
        .order_by(StopTimeRow.trip_id, StopTimeRow.position, reached.position)
    )
    if only_at_ends:
        query = query.where(TripRow.itinerary_id.not_in(only_at_ends) | whole)
    return list(session.execute(query))


def calendar_rows(
    session: Session, ids: Collection[int]
) -> tuple[Sequence[CalendarRow], Sequence[CalendarExceptionRow]]:
    calendars = session.scalars(select(CalendarRow).where(CalendarRow.id.in_(ids))).all()
    exceptions = session.scalars(
        select(CalendarExceptionRow).where(CalendarExceptionRow.calendar_id.in_(ids))
    ).all()
    return calendars, exceptions


def frequency_rows(session: Session, trips: Collection[int]) -> Sequence[FrequencyRow]:
    query = select(FrequencyRow).where(FrequencyRow.trip_id.in_(trips))
    return session.scalars(query.order_by(FrequencyRow.trip_id, FrequencyRow.starts)).all()


def place_rows(session: Session, ids: Collection[int]) -> dict[int, PlaceRow]:
    return {row.id: row for row in session.scalars(select(PlaceRow).where(PlaceRow.id.in_(ids)))}


def itinerary_rows(session: Session, ids: Collection[int]) -> dict[int, ItineraryRow]:
    return {row.id: row for row in session.scalars(select(ItineraryRow).where(ItineraryRow.id.in_(ids)))}


def places_of(session: Session, imports: Collection[int], *, limit: int = 300) -> Sequence[PlaceRow]:
    query = select(PlaceRow).where(PlaceRow.import_id.in_(imports)).order_by(PlaceRow.name).limit(limit)
    return session.scalars(query).all()


# What an export reads: one import whole


def stops_of_import(session: Session, import_id: int) -> Sequence[StopRow]:
    return session.scalars(select(StopRow).where(StopRow.import_id == import_id).order_by(StopRow.id)).all()


def trips_of_import(session: Session, import_id: int) -> Sequence[TripRow]:
    return session.scalars(select(TripRow).where(TripRow.import_id == import_id).order_by(TripRow.id)).all()


def stop_times_of_import(session: Session, import_id: int) -> Iterator[Any]:
    """Trip, stop, arrival, departure, boarding and whether about right, trip by trip in order of travel."""
    query = (
        select(
            StopTimeRow.trip_id,
            StopTimeRow.stop_id,
            StopTimeRow.arrives,
            StopTimeRow.departs,
            StopTimeRow.boarding,
            StopTimeRow.approximate,
        )
        .join(TripRow, TripRow.id == StopTimeRow.trip_id)
        .where(TripRow.import_id == import_id)
        .order_by(StopTimeRow.trip_id, StopTimeRow.position)
    )
    yield from session.execute(query)


def frequencies_of_import(session: Session, import_id: int) -> Sequence[FrequencyRow]:
    query = select(FrequencyRow).join(TripRow, TripRow.id == FrequencyRow.trip_id)
    query = query.where(TripRow.import_id == import_id)
    return session.scalars(query.order_by(FrequencyRow.trip_id, FrequencyRow.starts)).all()


def calendar_ids_of_import(session: Session, import_id: int) -> list[int]:
    return list(session.scalars(select(CalendarRow.id).where(CalendarRow.import_id == import_id)))


def shapes_of_import(session: Session, import_id: int) -> Sequence[ShapeRow]:
    query = select(ShapeRow).join(ItineraryRow, ItineraryRow.id == ShapeRow.itinerary_id)
    return session.scalars(query.where(ItineraryRow.import_id == import_id)).all()


def points_of(text: str) -> tuple[tuple[float, float], ...]:
    """The line of a ``ShapeRow``."""
    pairs = (pair.split(",") for pair in text.split())
    return tuple((float(latitude), float(longitude)) for latitude, longitude in pairs)
