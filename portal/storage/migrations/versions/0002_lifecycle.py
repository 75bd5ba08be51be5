"""the time for rating and review, pauses that a municipality's act orders."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_COMPLAINTS = "complaints"


def upgrade() -> None:
    with op.batch_alter_table(_COMPLAINTS, schema=None) as batch_op:
        batch_op.add_column(sa.Column("counted_from", sa.Date(), nullable=True))
        batch_op.add_column(sa.Column("paused_days", sa.Integer(), server_default="0", nullable=False))
        batch_op.add_column(sa.Column("settles_on", sa.Date(), nullable=True))
        batch_op.add_column(sa.Column("reviews", sa.Integer(), server_default="0", nullable=False))
        batch_op.add_column(sa.Column("rating", sa.String(length=20), nullable=True))
        batch_op.create_index(
            batch_op.f("ix_complaints_status_complaints_settles_on"), ["status", "settles_on"]
        )
    # What was answered before is open to a review as long as its answer could have taken.
    op.execute("UPDATE complaints SET settles_on = due_on WHERE status IN ('answered', 'dismissed')")


def downgrade() -> None:
    with op.batch_alter_table(_COMPLAINTS, schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_complaints_status_complaints_settles_on"))
        for column in ("rating", "reviews", "settles_on", "paused_days", "counted_from"):
            batch_op.drop_column(column)
