"""What there is to try in a demonstration: a list for people, beside the data that it points at."""

from typing import Any

from sqlalchemy import JSON, String, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from portal.storage.base import Base


class DemonstrationCaseRow(Base):
    """One case, in the order in which it is listed. Empty where no demonstration was loaded."""

    __tablename__ = "demonstration_cases"

    id: Mapped[int] = mapped_column(primary_key=True)
    subject: Mapped[str] = mapped_column(String(40))
    code: Mapped[str] = mapped_column(String(60))
    municipality: Mapped[str | None] = mapped_column(String(80))
    told: Mapped[dict[str, Any]] = mapped_column(JSON)
    """What is looked up, such as ``query``, ``protocol`` or ``login``."""


def all_cases(session: Session) -> list[DemonstrationCaseRow]:
    return list(session.scalars(select(DemonstrationCaseRow).order_by(DemonstrationCaseRow.id)))


def replace_cases(session: Session, rows: list[DemonstrationCaseRow]) -> None:
    session.execute(delete(DemonstrationCaseRow))
    session.add_all(rows)
    session.flush()
