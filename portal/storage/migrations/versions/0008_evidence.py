"""evidence of every kind."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("evidence", schema=None) as batch_op:
        batch_op.add_column(sa.Column("kind", sa.String(length=20), nullable=False, server_default="photo"))
        batch_op.add_column(sa.Column("seconds", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("sealed_to", sa.String(length=40), nullable=True))
        batch_op.add_column(sa.Column("mismatches", sa.JSON(), nullable=False, server_default="[]"))
    with op.batch_alter_table(
        "evidence", schema=None
    ) as batch_op:  # the rows there are have it; new ones say it
        batch_op.alter_column("kind", existing_type=sa.String(length=20), server_default=None)
        batch_op.alter_column("mismatches", existing_type=sa.JSON(), server_default=None)
    with op.batch_alter_table("drafts", schema=None) as batch_op:
        batch_op.add_column(sa.Column("upload_hash", sa.String(length=64), nullable=True))
        batch_op.add_column(sa.Column("upload_until", sa.DateTime(timezone=True), nullable=True))
        batch_op.create_index(batch_op.f("ix_drafts_upload_hash"), ["upload_hash"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("drafts", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_drafts_upload_hash"))
        batch_op.drop_column("upload_until")
        batch_op.drop_column("upload_hash")
    with op.batch_alter_table("evidence", schema=None) as batch_op:
        batch_op.drop_column("mismatches")
        batch_op.drop_column("sealed_to")
        batch_op.drop_column("seconds")
        batch_op.drop_column("kind")
