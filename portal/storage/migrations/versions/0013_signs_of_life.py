"""when the worker and the last backup were seen."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "signs_of_life",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_signs_of_life")),
    )


def downgrade() -> None:
    op.drop_table("signs_of_life")
