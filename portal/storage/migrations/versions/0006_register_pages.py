"""pages of a register along an index

Revision ID: 0006
Revises: 0005
"""

from collections.abc import Sequence

from alembic import op

revision: str = "0006"
down_revision: str | None = "0005"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.create_index("ix_permits_municipality_permits_id", "permits", ["municipality", "id"])


def downgrade() -> None:
    op.drop_index("ix_permits_municipality_permits_id", table_name="permits")
