"""Readings of registers: which file, what was wrong with it, and the permits that wait to be published.

A stage holds what was read and nothing else: no column of names or documents ever reaches it. It goes once
the reading is published or thrown away.
"""

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from portal.storage.base import Base


class ImportRunRow(Base):
    """One reading of a register's file: by whom, of which day, and what came of it."""

    __tablename__ = "import_runs"
    __table_args__ = (Index(None, "municipality", "file_digest"), Index(None, "municipality", "state"))

    id: Mapped[int] = mapped_column(primary_key=True)
    municipality: Mapped[str] = mapped_column(String(80))
    service: Mapped[str | None] = mapped_column(String(40))
    kind: Mapped[str] = mapped_column(String(20))
    """``register`` or ``platform``."""
    source: Mapped[str] = mapped_column(String(120))
    as_of: Mapped[date]
    file_name: Mapped[str] = mapped_column(String(200))
    """Without anybody's name in it: see ``portal.importing.register_cells.safe_file_name``."""
    file_digest: Mapped[str] = mapped_column(String(64))
    """SHA-256 of the file, its events and its mapping: the same three change nothing a second time."""
    run_by: Mapped[str] = mapped_column(String(80))
    """As the audit chain names people."""
    state: Mapped[str] = mapped_column(String(20))
    """``staging``, ``staged``, ``publishing``, ``merged``, ``undoing``, ``refused``, ``discarded`` or ``undone``; a dry
    run leaves no row."""
    told_kinds: Mapped[list[str]] = mapped_column(JSON, default=list)
    """Kinds of act that the file tells of: for these it replaces what other lists said."""
    columns_ignored: Mapped[list[str]] = mapped_column(JSON, default=list)
    compared_at: Mapped[int | None]
    """The revision of the register that the stage was compared with."""
    started_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]
    published_at: Mapped[datetime | None]
    """The very instant that its rows were learnt at."""
    rows_read: Mapped[int] = mapped_column(default=0)
    rows_refused: Mapped[int] = mapped_column(default=0)
    warnings: Mapped[int] = mapped_column(default=0)
    permits_added: Mapped[int] = mapped_column(default=0)
    permits_changed: Mapped[int] = mapped_column(default=0)
    permits_unchanged: Mapped[int] = mapped_column(default=0)
    permits_missing: Mapped[int] = mapped_column(default=0)
    """Permits of the same source and services that the file no longer names."""
    permits_retired: Mapped[int] = mapped_column(default=0)


class ImportProblemRow(Base):
    """What was wrong with a row, or contradicts the law; the first few hundred of a reading."""

    __tablename__ = "import_problems"

    run_id: Mapped[int] = mapped_column(ForeignKey("import_runs.id"), primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    code: Mapped[str] = mapped_column(String(40))
    line: Mapped[int | None]
    field: Mapped[str | None] = mapped_column(String(80))
    value: Mapped[str | None] = mapped_column(String(60))
    events_file: Mapped[bool] = mapped_column(default=False)
    refuses: Mapped[bool]
    article: Mapped[str | None] = mapped_column(String(120))
    instrument: Mapped[str | None] = mapped_column(String(120))
    data: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)


class StagedPermitRow(Base):
    """A permit as a file tells it, waiting to be published. What is staged refers to its run by number alone."""

    __tablename__ = "staged_permits"
    __table_args__ = (
        Index("ix_staged_permits_identity", "run_id", "service", "permit_type", "number_key", "year"),
        {"sqlite_with_rowid": False},
    )

    run_id: Mapped[int] = mapped_column(primary_key=True)
    entry: Mapped[int] = mapped_column(primary_key=True)
    """1, 2, 3 … in the order of the file."""
    line: Mapped[int]
    service: Mapped[str] = mapped_column(String(40))
    permit_type: Mapped[str] = mapped_column(String(60))
    number: Mapped[str] = mapped_column(String(40))
    number_key: Mapped[str] = mapped_column(String(40))
    year: Mapped[int]
    holder_kind: Mapped[str] = mapped_column(String(20))
    trade_name: Mapped[str | None] = mapped_column(String(120))
    itinerary: Mapped[str | None] = mapped_column(String(80))
    max_speed_kmh: Mapped[int | None]
    paper_valid_from: Mapped[date | None]
    paper_valid_until: Mapped[date | None]
    told: Mapped[int] = mapped_column(default=0)
    """Bits of the attributes that its rows told: a later row may add to them, not contradict them."""
    central: Mapped[bool] = mapped_column(default=False)
    action: Mapped[str] = mapped_column(String(10))
    """``added`` until the register is found to hold it, then ``held``; ``broken`` when a row was refused."""
    permit_id: Mapped[int | None]
    """The permit of the register that it was found to be."""


class StagedUnitRow(Base):
    __tablename__ = "staged_units"
    __table_args__ = ({"sqlite_with_rowid": False},)

    run_id: Mapped[int] = mapped_column(primary_key=True)
    entry: Mapped[int] = mapped_column(primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    line: Mapped[int]
    position: Mapped[int]
    told_position: Mapped[bool]
    """The file says the position; otherwise the order of its rows does."""
    role: Mapped[str] = mapped_column(String(20))
    plate: Mapped[str] = mapped_column(String(7))
    plate_key: Mapped[str] = mapped_column(String(7))
    vehicle_type: Mapped[str | None] = mapped_column(String(60))
    model_year: Mapped[int | None]
    capacity: Mapped[int | None]
    valid_from: Mapped[date | None]
    valid_until: Mapped[date | None]


class StagedEventRow(Base):
    __tablename__ = "staged_events"
    __table_args__ = ({"sqlite_with_rowid": False},)

    run_id: Mapped[int] = mapped_column(primary_key=True)
    entry: Mapped[int] = mapped_column(primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(30))
    unit: Mapped[int | None]
    act_number: Mapped[str | None] = mapped_column(String(60))
    act_date: Mapped[date | None]
    valid_from: Mapped[date]
    valid_until: Mapped[date | None]


class StagedSwapRow(Base):
    """A row of the register that publication closes, or one written hidden that it opens."""

    __tablename__ = "staged_swaps"
    __table_args__ = ({"sqlite_with_rowid": False},)

    run_id: Mapped[int] = mapped_column(primary_key=True)
    part: Mapped[str] = mapped_column(String(10), primary_key=True)
    """``version``, ``unit`` or ``event``."""
    row_id: Mapped[int] = mapped_column(primary_key=True)
    opens: Mapped[bool]
