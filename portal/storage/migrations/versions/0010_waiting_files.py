"""files sent to the bot before a complaint is begun."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("telegram_chats", schema=None) as batch_op:
        batch_op.add_column(sa.Column("files", sa.JSON(none_as_null=True), nullable=True))
        batch_op.add_column(sa.Column("files_until", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("telegram_chats", schema=None) as batch_op:
        batch_op.drop_column("files_until")
        batch_op.drop_column("files")
