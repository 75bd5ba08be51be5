"""the finest grid, slips of a letter, kinds of vehicle, and the rows that a clerk keeps."""

from math import floor

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

BATCH = 5_000
FINEST = 0.0005


def upgrade() -> None:
    with op.batch_alter_table("itineraries", schema=None) as batch_op:
        batch_op.add_column(sa.Column("route_type", sa.Integer(), nullable=True))
    with op.batch_alter_table("stops", schema=None) as batch_op:
        batch_op.add_column(sa.Column("valid_until", sa.Date(), nullable=True))
        batch_op.add_column(sa.Column("finest_cell", sa.BigInteger(), nullable=True))
        batch_op.alter_column(
            "cell", existing_type=sa.Integer(), type_=sa.BigInteger(), existing_nullable=False
        )
    with op.batch_alter_table("name_words", schema=None) as batch_op:
        batch_op.add_column(sa.Column("rank", sa.SmallInteger(), nullable=True))
        batch_op.drop_index(batch_op.f("ix_name_words_import_id_name_words_word"))
    op.create_table(
        "word_slips",
        sa.Column("import_id", sa.Integer(), nullable=False),
        sa.Column("slip", sa.String(length=80), nullable=False),
        sa.Column("word", sa.String(length=80), nullable=False),
        sa.ForeignKeyConstraint(
            ["import_id"], ["timetable_imports.id"], name=op.f("fk_word_slips_import_id")
        ),
        sa.PrimaryKeyConstraint("import_id", "slip", "word", name=op.f("pk_word_slips")),
    )
    op.create_table(
        "itinerary_entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("feed_id", sa.Integer(), nullable=False),
        sa.Column("sheet", sa.String(length=12), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("cells", sa.JSON(), nullable=False),
        sa.Column("action", sa.String(length=10), nullable=False),
        sa.Column("made_by", sa.String(length=200), nullable=False),
        sa.Column("known_from", sa.DateTime(timezone=True), nullable=False),
        sa.Column("known_until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["feed_id"], ["timetable_feeds.id"], name=op.f("fk_itinerary_entries_feed_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_itinerary_entries")),
        sa.UniqueConstraint(
            "feed_id",
            "sheet",
            "entry",
            "version",
            name=op.f("uq_itinerary_entries_feed_id_sheet_entry_version"),
        ),
    )
    with op.batch_alter_table("itinerary_entries", schema=None) as batch_op:
        batch_op.create_index(
            "ix_itinerary_entries_known", ["feed_id", "known_until", "sheet", "position"], unique=False
        )

    _fill(op.get_bind())

    with op.batch_alter_table("stops", schema=None) as batch_op:
        batch_op.alter_column("finest_cell", existing_type=sa.BigInteger(), nullable=False)
        batch_op.create_index(
            "ix_stops_finest", ["import_id", "finest_cell", "kind", "latitude", "longitude"], unique=False
        )
    with op.batch_alter_table("name_words", schema=None) as batch_op:
        batch_op.alter_column("rank", existing_type=sa.SmallInteger(), nullable=False)
        batch_op.create_index(
            "ix_name_words_by_word", ["import_id", "word", "rank", "target", "target_id"], unique=False
        )


def _fill(bind: sa.Connection) -> None:
    """What the new columns say of the rows that are there."""
    around = round(360 / FINEST)
    stops = bind.execute(sa.text("SELECT id, latitude, longitude FROM stops")).all()
    cells = [
        {"id": number, "cell": floor((north + 90) / FINEST) * around + floor((east + 180) / FINEST)}
        for number, north, east in stops
    ]
    for at in range(0, len(cells), BATCH):
        bind.execute(sa.text("UPDATE stops SET finest_cell = :cell WHERE id = :id"), cells[at : at + BATCH])
    bind.execute(
        sa.text(
            "UPDATE name_words SET rank = (SELECT count(*) FROM name_words AS other"
            " WHERE other.target = name_words.target AND other.target_id = name_words.target_id)"
        )
    )
    known = bind.execute(sa.text("SELECT DISTINCT import_id, word FROM name_words")).all()
    slips = [
        {"import_id": number, "slip": slip, "word": word}
        for number, word in known
        for slip in _slips_of(word)
    ]
    for at in range(0, len(slips), BATCH):
        bind.execute(
            sa.text("INSERT INTO word_slips (import_id, slip, word) VALUES (:import_id, :slip, :word)"),
            slips[at : at + BATCH],
        )


def _slips_of(word: str) -> set[str]:
    if len(word) < 4 or word.isdigit():
        return {word}
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}


def downgrade() -> None:
    with op.batch_alter_table("name_words", schema=None) as batch_op:
        batch_op.drop_index("ix_name_words_by_word")
        batch_op.drop_column("rank")
        batch_op.create_index(
            batch_op.f("ix_name_words_import_id_name_words_word"), ["import_id", "word"], unique=False
        )
    with op.batch_alter_table("stops", schema=None) as batch_op:
        batch_op.drop_index("ix_stops_finest")
        batch_op.alter_column(
            "cell", existing_type=sa.BigInteger(), type_=sa.Integer(), existing_nullable=False
        )
        batch_op.drop_column("finest_cell")
        batch_op.drop_column("valid_until")
    with op.batch_alter_table("itineraries", schema=None) as batch_op:
        batch_op.drop_column("route_type")
    with op.batch_alter_table("itinerary_entries", schema=None) as batch_op:
        batch_op.drop_index("ix_itinerary_entries_known")
    op.drop_table("itinerary_entries")
    op.drop_table("word_slips")
