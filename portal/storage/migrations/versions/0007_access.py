"""access: the second factor, failures by place, a keyed audit log that the database guards."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

REFUSAL = "the audit log is only added to"
GUARDS = {
    "sqlite": (
        "CREATE TRIGGER audit_entries_keep_update BEFORE UPDATE ON audit_entries "
        f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
        "CREATE TRIGGER audit_entries_keep_delete BEFORE DELETE ON audit_entries "
        f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
    ),
    "postgresql": (
        "CREATE FUNCTION audit_entries_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$",
        "CREATE TRIGGER audit_entries_keep_rows BEFORE UPDATE OR DELETE ON audit_entries "
        "FOR EACH ROW EXECUTE FUNCTION audit_entries_refuse()",
        "CREATE TRIGGER audit_entries_keep_all BEFORE TRUNCATE ON audit_entries "
        "FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_refuse()",
    ),
}
UNGUARDS = {
    "sqlite": ("DROP TRIGGER audit_entries_keep_update", "DROP TRIGGER audit_entries_keep_delete"),
    "postgresql": (
        "DROP TRIGGER audit_entries_keep_rows ON audit_entries",
        "DROP TRIGGER audit_entries_keep_all ON audit_entries",
        "DROP FUNCTION audit_entries_refuse()",
    ),
}


def upgrade() -> None:
    with op.batch_alter_table("audit_entries") as batch_op:
        batch_op.add_column(sa.Column("key_id", sa.String(), nullable=False, server_default=""))
    # Whoever copies this table in a later migration (SQLite's batch mode) takes the guards along.
    for statement in GUARDS[op.get_bind().dialect.name]:
        op.execute(statement)

    with op.batch_alter_table("staff_members") as batch_op:
        batch_op.add_column(sa.Column("totp_secret", sa.LargeBinary(), nullable=True))
        batch_op.add_column(sa.Column("totp_last_step", sa.BigInteger(), nullable=True))
        batch_op.drop_constraint(op.f("ck_staff_members_role"), type_="check")
        batch_op.create_check_constraint(
            op.f("ck_staff_members_role"), "role IN ('ombudsman', 'clerk', 'inspector', 'auditor')"
        )

    op.create_table(
        "recovery_codes",
        sa.Column("code_hash", sa.String(), nullable=False),
        sa.Column("staff_member_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["staff_member_id"],
            ["staff_members.id"],
            name=op.f("fk_recovery_codes_staff_member_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("code_hash", name=op.f("pk_recovery_codes")),
    )
    with op.batch_alter_table("recovery_codes") as batch_op:
        batch_op.create_index(
            batch_op.f("ix_recovery_codes_staff_member_id"), ["staff_member_id"], unique=False
        )

    op.drop_table("sign_in_failures")  # counts of minutes
    op.create_table(
        "sign_in_failures",
        sa.Column("key_hash", sa.String(), nullable=False),
        sa.Column("login_hash", sa.String(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key_hash", name=op.f("pk_sign_in_failures")),
    )
    with op.batch_alter_table("sign_in_failures") as batch_op:
        batch_op.create_index(batch_op.f("ix_sign_in_failures_login_hash"), ["login_hash"], unique=False)
        batch_op.create_index(batch_op.f("ix_sign_in_failures_last_at"), ["last_at"], unique=False)

    op.create_table(
        "identity_requests",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("complaint_id", sa.Integer(), nullable=False),
        sa.Column("recipient", sa.String(length=200), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("order_number", sa.String(length=80), nullable=True),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("asked_by", sa.Integer(), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("told_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("told_by", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "state IN ('asked', 'granted', 'refused', 'told')", name=op.f("ck_identity_requests_state")
        ),
        sa.CheckConstraint(
            "state != 'told' OR order_number IS NOT NULL OR decided_at IS NOT NULL",
            name=op.f("ck_identity_requests_told_with_ground"),
        ),
        sa.ForeignKeyConstraint(
            ["complaint_id"], ["complaints.id"], name=op.f("fk_identity_requests_complaint_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_identity_requests")),
    )
    with op.batch_alter_table("identity_requests") as batch_op:
        batch_op.create_index(
            batch_op.f("ix_identity_requests_complaint_id_identity_requests_asked_at"),
            ["complaint_id", "asked_at"],
            unique=False,
        )
    op.create_table(
        "data_requests",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("municipality", sa.String(length=80), nullable=False),
        sa.Column("complaint_id", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("answered_by", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["complaint_id"], ["complaints.id"], name=op.f("fk_data_requests_complaint_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_data_requests")),
    )
    with op.batch_alter_table("data_requests") as batch_op:
        batch_op.create_index(
            batch_op.f("ix_data_requests_municipality_data_requests_answered_at"),
            ["municipality", "answered_at"],
            unique=False,
        )
        batch_op.create_index(batch_op.f("ix_data_requests_complaint_id"), ["complaint_id"], unique=False)

    with op.batch_alter_table("complaints") as batch_op:
        batch_op.add_column(sa.Column("erased_at", sa.DateTime(timezone=True), nullable=True))

    with op.batch_alter_table("outbox") as batch_op:
        batch_op.add_column(sa.Column("municipality", sa.String(length=80), nullable=True))
        batch_op.create_index(
            batch_op.f("ix_outbox_municipality_outbox_state"), ["municipality", "state"], unique=False
        )


def downgrade() -> None:
    with op.batch_alter_table("outbox") as batch_op:
        batch_op.drop_index(batch_op.f("ix_outbox_municipality_outbox_state"))
        batch_op.drop_column("municipality")
    with op.batch_alter_table("complaints") as batch_op:
        batch_op.drop_column("erased_at")
    op.drop_table("data_requests")
    op.drop_table("identity_requests")
    op.drop_table("sign_in_failures")
    op.create_table(
        "sign_in_failures",
        sa.Column("login_hash", sa.String(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("login_hash", name=op.f("pk_sign_in_failures")),
    )
    with op.batch_alter_table("sign_in_failures") as batch_op:
        batch_op.create_index(batch_op.f("ix_sign_in_failures_last_at"), ["last_at"], unique=False)
    op.drop_table("recovery_codes")

    op.execute(
        "DELETE FROM staff_sessions WHERE staff_member_id IN (SELECT id FROM staff_members WHERE role = 'auditor')"
    )
    op.execute("DELETE FROM staff_members WHERE role = 'auditor'")
    with op.batch_alter_table("staff_members") as batch_op:
        batch_op.drop_constraint(op.f("ck_staff_members_role"), type_="check")
        batch_op.create_check_constraint(
            op.f("ck_staff_members_role"), "role IN ('ombudsman', 'clerk', 'inspector')"
        )
        batch_op.drop_column("totp_last_step")
        batch_op.drop_column("totp_secret")

    for statement in UNGUARDS[op.get_bind().dialect.name]:
        op.execute(statement)
    with op.batch_alter_table("audit_entries") as batch_op:
        batch_op.drop_column("key_id")
