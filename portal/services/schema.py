"""The schema, for those who start a process: an edge reaches tables through services."""

from sqlalchemy import text

from portal.services.unit_of_work import unit_of_work
from portal.storage.database import engine
from portal.storage.migrate import upgrade, write_revision

__all__ = ["database_answers", "migrate_database", "write_revision"]


def migrate_database(revision: str = "head") -> None:
    """Bring the database of the settings up to ``revision``; does nothing when it is there already."""
    upgrade(engine(), revision)


def database_answers() -> None:
    """Ask the database for one row.

    Raises:
        SQLAlchemyError: it cannot be reached.
    """
    with unit_of_work() as session:
        session.execute(text("SELECT 1"))
