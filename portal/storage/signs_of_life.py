"""When what works unseen, such as the worker or a backup, was last seen at work: one row for each."""

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, Session, mapped_column

from portal.storage.base import Base


class SignOfLifeRow(Base):
    __tablename__ = "signs_of_life"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    seen_at: Mapped[datetime]


def note_sign(session: Session, name: str, *, now: datetime) -> None:
    row = session.get(SignOfLifeRow, name)
    if row is None:
        session.add(SignOfLifeRow(name=name, seen_at=now))
    else:
        row.seen_at = now
    session.flush()


def last_sign(session: Session, name: str) -> datetime | None:
    row = session.get(SignOfLifeRow, name)
    return row.seen_at if row else None
