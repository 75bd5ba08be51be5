"""who has a complaint open."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "case_visits",
        sa.Column("complaint_id", sa.Integer(), nullable=False),
        sa.Column("staff_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["complaint_id"], ["complaints.id"], name=op.f("fk_case_visits_complaint_id")
        ),
        sa.PrimaryKeyConstraint("complaint_id", "staff_id", name=op.f("pk_case_visits")),
    )
    with op.batch_alter_table("case_visits", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_case_visits_at"), ["at"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("case_visits", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_case_visits_at"))
    op.drop_table("case_visits")
