"""The schema, for those who start a process: an edge reaches tables through services."""

from portal.storage.database import engine
from portal.storage.migrate import upgrade, write_revision

__all__ = ["migrate_database", "write_revision"]


def migrate_database(revision: str = "head") -> None:
    """Bring the database of the settings up to ``revision``; does nothing when it is there already."""
    upgrade(engine(), revision)
