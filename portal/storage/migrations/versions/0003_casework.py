"""casework."""

import re
import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "unit_requests",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("complaint_id", sa.Integer(), nullable=False),
        sa.Column("unit", sa.String(length=300), nullable=False),
        sa.Column("matter", sa.String(length=40), nullable=True),
        sa.Column("instrument", sa.String(length=120), nullable=True),
        sa.Column("article", sa.String(length=200), nullable=True),
        sa.Column("question", sa.Text(), nullable=True),
        sa.Column("copy", sa.Text(), nullable=False),
        sa.Column("files", sa.JSON(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("asked_by", sa.Integer(), nullable=False),
        sa.Column("due_on", sa.Date(), nullable=False),
        sa.Column("extended", sa.Boolean(), nullable=False),
        sa.Column("extension_reason", sa.Text(), nullable=True),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["complaint_id"], ["complaints.id"], name=op.f("fk_unit_requests_complaint_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_unit_requests")),
    )
    with op.batch_alter_table("unit_requests") as batch:
        batch.create_index(
            batch.f("ix_unit_requests_complaint_id_unit_requests_asked_at"), ["complaint_id", "asked_at"]
        )
        batch.create_index(
            batch.f("ix_unit_requests_answered_at_unit_requests_complaint_id"),
            ["answered_at", "complaint_id"],
        )
    op.create_table(
        "case_acts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("complaint_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(length=30), nullable=False),
        sa.Column("staff_id", sa.Integer(), nullable=False),
        sa.Column("to_staff_id", sa.Integer(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["complaint_id"], ["complaints.id"], name=op.f("fk_case_acts_complaint_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_case_acts")),
    )
    with op.batch_alter_table("case_acts") as batch:
        batch.create_index(batch.f("ix_case_acts_complaint_id_case_acts_at"), ["complaint_id", "at"])
    op.create_table(
        "case_alarms",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("complaint_id", sa.Integer(), nullable=False),
        sa.Column("subject", sa.String(length=20), nullable=False),
        sa.Column("due_on", sa.Date(), nullable=False),
        sa.Column("days_before", sa.Integer(), nullable=False),
        sa.Column("raised_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["complaint_id"], ["complaints.id"], name=op.f("fk_case_alarms_complaint_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_case_alarms")),
        sa.UniqueConstraint(
            "complaint_id",
            "subject",
            "due_on",
            "days_before",
            name=op.f("uq_case_alarms_complaint_id_subject_due_on_days_before"),
        ),
    )
    op.create_table(
        "yearly_reports",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("municipality", sa.String(length=80), nullable=False),
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Column("recurring", sa.Text(), nullable=False),
        sa.Column("measures", sa.Text(), nullable=False),
        sa.Column("improvements", sa.Text(), nullable=False),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("published", sa.JSON(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_yearly_reports")),
        sa.UniqueConstraint("municipality", "year", name=op.f("uq_yearly_reports_municipality_year")),
    )
    with op.batch_alter_table("complaints") as batch:
        batch.add_column(sa.Column("assigned_to", sa.Integer(), nullable=True))
        batch.add_column(sa.Column("service", sa.String(length=20), nullable=True))
        batch.add_column(sa.Column("outcome", sa.String(length=20), nullable=True))
        batch.add_column(sa.Column("search_text", sa.Text(), nullable=False, server_default=""))
    _fill()
    with op.batch_alter_table("complaints") as batch:
        batch.alter_column(
            "search_text", server_default=None, existing_type=sa.Text(), existing_nullable=False
        )
        batch.create_index(
            batch.f("ix_complaints_municipality_complaints_filed_at"), ["municipality", "filed_at"]
        )


def downgrade() -> None:
    with op.batch_alter_table("complaints") as batch:
        batch.drop_index(batch.f("ix_complaints_municipality_complaints_filed_at"))
        batch.drop_column("search_text")
        batch.drop_column("outcome")
        batch.drop_column("service")
        batch.drop_column("assigned_to")
    op.drop_table("yearly_reports")
    op.drop_table("case_alarms")
    op.drop_table("case_acts")
    op.drop_table("unit_requests")


complaints = sa.table(
    "complaints",
    sa.column("id", sa.Integer()),
    sa.column("protocol", sa.String()),
    sa.column("facts", sa.JSON()),
    sa.column("story", sa.Text()),
    sa.column("plate_key", sa.String()),
    sa.column("snapshot", sa.JSON()),
    sa.column("service", sa.String()),
    sa.column("search_text", sa.Text()),
)


def _fill() -> None:
    """What was filed before can be searched too, and its service is read from the snapshot where it says one."""
    connection = op.get_bind()
    for row in connection.execute(sa.select(complaints)).all():
        facts = row.facts or {}
        vehicle, where = facts.get("vehicle") or {}, facts.get("where") or {}
        told = (
            row.protocol,
            row.protocol.replace("-", ""),
            vehicle.get("text"),
            row.plate_key,
            where.get("text"),
            where.get("name"),
            row.story,
        )
        services = {permit.get("service") for permit in (row.snapshot or {}).get("permits", ())} - {None}
        connection.execute(
            complaints.update()
            .where(complaints.c.id == row.id)
            .values(
                search_text=" ".join(_folded(one) for one in told if one),
                service=services.pop() if len(services) == 1 else None,
            )
        )


def _folded(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(re.findall(r"[^\W_]+", "".join(c for c in apart if not unicodedata.combining(c))))
