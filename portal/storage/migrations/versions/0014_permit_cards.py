"""cards of permits."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "permit_cards",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("card", sa.String(length=13), nullable=False),
        sa.Column("municipality", sa.String(length=80), nullable=False),
        sa.Column("permit_id", sa.Integer(), nullable=False),
        sa.Column("plate", sa.String(length=7), nullable=False),
        sa.Column("plate_key", sa.String(length=7), nullable=False),
        sa.Column("issue", sa.Integer(), nullable=False),
        sa.Column("layout", sa.String(length=60), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("made_by", sa.String(length=40), nullable=False),
        sa.Column("ended", sa.String(length=10), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["permit_id"], ["permits.id"], name=op.f("fk_permit_cards_permit_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_permit_cards")),
        sa.UniqueConstraint("card", name=op.f("uq_permit_cards_card")),
        sa.UniqueConstraint(
            "permit_id", "plate_key", "issue", name=op.f("uq_permit_cards_permit_id_plate_key_issue")
        ),
    )


def downgrade() -> None:
    op.drop_table("permit_cards")
