"""What Alembic runs: on the connection that ``portal.storage.migrate`` opened."""

from typing import Any, Literal

from alembic import context

from portal.storage.base import Instant
from portal.storage.tables import metadata


def _render(kind: str, item: Any, _context: Any) -> str | Literal[False]:
    if kind == "type" and isinstance(item, Instant):
        return "sa.DateTime(timezone=True)"  # a revision imports nothing of ours
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata(),
    render_as_batch=True,
    compare_type=True,
    render_item=_render,
)
context.run_migrations()
