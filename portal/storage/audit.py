"""The audit log: who did what to which record, one chain a municipality, only ever added to.

The database itself refuses to change or delete an entry: see `GUARDS`, which stand in a migration too. Who may drop
a trigger gets past that, and then the chain tells.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import DDL, ForeignKey, UniqueConstraint, event, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Mapped, Session, mapped_column

from portal.storage.base import Base


class AuditHeadRow(Base):
    """The last link of each chain; locking it puts writers of one municipality in a row."""

    __tablename__ = "audit_heads"

    municipality: Mapped[str] = mapped_column(primary_key=True)
    sequence: Mapped[int] = mapped_column(default=0)
    hash: Mapped[str] = mapped_column(default="")


class AuditRow(Base):
    __tablename__ = "audit_entries"
    __table_args__ = (UniqueConstraint("municipality", "sequence"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    municipality: Mapped[str] = mapped_column(ForeignKey(AuditHeadRow.municipality))
    sequence: Mapped[int]
    """1, 2, 3 … without a gap in each municipality."""
    at: Mapped[datetime]
    actor: Mapped[str]
    """``staff:7``, ``cli`` or ``worker``: numbers, no names."""
    action: Mapped[str]
    subject: Mapped[str] = mapped_column(index=True)
    """The record, such as ``complaint:41``."""
    reason: Mapped[str | None]
    key_id: Mapped[str] = mapped_column(default="", server_default="")
    """Which key its digest is made with; empty in entries older than the keyed log."""
    previous_hash: Mapped[str]
    hash: Mapped[str]


ONLY_ADDED_TO = "the audit log is only added to"

GUARDS = {
    "sqlite": (
        "CREATE TRIGGER audit_entries_keep_update BEFORE UPDATE ON audit_entries "
        f"BEGIN SELECT RAISE(ABORT, '{ONLY_ADDED_TO}'); END",
        "CREATE TRIGGER audit_entries_keep_delete BEFORE DELETE ON audit_entries "
        f"BEGIN SELECT RAISE(ABORT, '{ONLY_ADDED_TO}'); END",
    ),
    "postgresql": (
        "CREATE FUNCTION audit_entries_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{ONLY_ADDED_TO}'; END $$",
        "CREATE TRIGGER audit_entries_keep_rows BEFORE UPDATE OR DELETE ON audit_entries "
        "FOR EACH ROW EXECUTE FUNCTION audit_entries_refuse()",
        "CREATE TRIGGER audit_entries_keep_all BEFORE TRUNCATE ON audit_entries "
        "FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_refuse()",
    ),
}
for _dialect, _statements in GUARDS.items():
    for _statement in _statements:
        event.listen(
            AuditRow.__table__,
            "after_create",
            DDL(_statement.replace("%", "%%")).execute_if(dialect=_dialect),  # type: ignore[no-untyped-call]
        )


@event.listens_for(AuditRow, "before_update")
@event.listens_for(AuditRow, "before_delete")
def _refuse(_mapper: Any, _connection: Any, row: AuditRow) -> None:
    raise RuntimeError(f"the audit chain is only added to: entry {row.sequence} of {row.municipality}")


def lock_head(session: Session, municipality: str) -> AuditHeadRow:
    """The head of a municipality's chain, held until the transaction ends."""
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    session.execute(
        dialect.insert(AuditHeadRow)
        .values(municipality=municipality, sequence=0, hash="")
        .on_conflict_do_nothing()
    )
    wanted = select(AuditHeadRow).where(AuditHeadRow.municipality == municipality).with_for_update()
    return session.scalars(wanted, execution_options={"populate_existing": True}).one()


def head_of(session: Session, municipality: str) -> AuditHeadRow | None:
    return session.get(AuditHeadRow, municipality)


def chain_of(session: Session, municipality: str) -> Iterator[AuditRow]:
    """Every entry from the first to the last, some hundreds at a time."""
    wanted = (
        select(AuditRow).where(AuditRow.municipality == municipality).order_by(AuditRow.sequence).limit(500)
    )
    last = -1
    while rows := session.scalars(wanted.where(AuditRow.sequence > last)).all():
        yield from rows
        last = rows[-1].sequence


def entries_about(session: Session, municipality: str, subject: str) -> list[AuditRow]:
    wanted = (
        select(AuditRow)
        .where(AuditRow.municipality == municipality, AuditRow.subject == subject)
        .order_by(AuditRow.sequence)
    )
    return list(session.scalars(wanted))


def count_entries(session: Session, municipality: str) -> int:
    counted = select(func.count()).select_from(AuditRow).where(AuditRow.municipality == municipality)
    return session.scalar(counted) or 0


def newest_entries(session: Session, municipality: str, *, limit: int, offset: int) -> list[AuditRow]:
    wanted = (
        select(AuditRow)
        .where(AuditRow.municipality == municipality)
        .order_by(AuditRow.sequence.desc())
        .limit(limit)
        .offset(offset)
    )
    return list(session.scalars(wanted))
