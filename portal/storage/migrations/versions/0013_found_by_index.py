"""indexes for what was read through: complaints merged into one, old attempts, files that wait."""

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

INDEXES = (("complaints", "merged_into"), ("tracking_attempts", "last_at"), ("telegram_chats", "files_until"))


def upgrade() -> None:
    for table, column in INDEXES:
        op.create_index(op.f(f"ix_{table}_{column}"), table, [column])


def downgrade() -> None:
    for table, column in reversed(INDEXES):
        op.drop_index(op.f(f"ix_{table}_{column}"), table_name=table)
