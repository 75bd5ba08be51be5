"""Chats shared by several bots, and live locations."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "telegram_lanes",
        sa.Column("lane", sa.String(length=64), nullable=False),
        sa.Column("owner", sa.String(length=32), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("missed", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("lane", name=op.f("pk_telegram_lanes")),
    )
    with op.batch_alter_table("telegram_lanes") as batch:
        batch.create_index(batch.f("ix_telegram_lanes_owner"), ["owner"])
    with op.batch_alter_table("telegram_updates") as batch:
        batch.create_index(
            batch.f("ix_telegram_updates_lane_telegram_updates_handled_at"), ["lane", "handled_at"]
        )
    with op.batch_alter_table("telegram_chats") as batch:
        batch.add_column(sa.Column("live", sa.JSON(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("telegram_chats") as batch:
        batch.drop_column("live")
    with op.batch_alter_table("telegram_updates") as batch:
        batch.drop_index(batch.f("ix_telegram_updates_lane_telegram_updates_handled_at"))
    op.drop_table("telegram_lanes")
