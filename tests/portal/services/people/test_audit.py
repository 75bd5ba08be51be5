import json
from datetime import UTC, datetime
from hashlib import sha256

import pytest
from sqlalchemy import delete, select, text, update
from sqlalchemy.exc import DBAPIError

from portal.services.people.anchors import read_anchors
from portal.services.people.audit import head_of_log, history_of, read_log, record, verify_chain, verify_log
from portal.storage.audit import AuditHeadRow, AuditRow

NOW = datetime(2030, 3, 10, 12, 0, tzinfo=UTC)
TOWN = "exemplo-sp"


@pytest.fixture
def chain(session):
    for number in range(1, 5):
        record(session, TOWN, actor="staff:1", action="case.read", subject=f"complaint:{number}", at=NOW)
    return session


@pytest.fixture
def unguarded(chain):
    """As whoever rules the database has it: the triggers are gone."""
    if chain.get_bind().dialect.name == "sqlite":
        names = chain.scalars(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).all()
        for name in names:
            chain.execute(text(f"DROP TRIGGER {name}"))
    else:
        chain.execute(text("ALTER TABLE audit_entries DISABLE TRIGGER USER"))
    return chain


class TestTheDatabase:
    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE audit_entries SET actor = 'staff:9' WHERE sequence = 2",
            "DELETE FROM audit_entries WHERE sequence = 4",
            "DELETE FROM audit_entries",
        ],
    )
    def test_it_refuses_to_change_an_entry(self, chain, statement):
        with pytest.raises(DBAPIError, match="only added to"), chain.begin_nested():
            chain.execute(text(statement))

        assert verify_chain(chain, TOWN) is None


class TestTheChain:
    def test_it_is_whole_as_written(self, chain):
        assert verify_chain(chain, TOWN) is None

    def test_each_municipality_has_its_own(self, chain):
        entry = record(chain, "outra-sp", actor="staff:2", action="case.read", subject="complaint:9", at=NOW)

        assert entry.sequence == 1
        assert verify_chain(chain, "outra-sp") is None

    def test_a_changed_entry_is_found(self, unguarded):
        unguarded.execute(update(AuditRow).where(AuditRow.sequence == 2).values(actor="staff:9"))
        unguarded.expire_all()

        assert verify_chain(unguarded, TOWN) == 2

    def test_a_removed_entry_is_found(self, unguarded):
        unguarded.execute(delete(AuditRow).where(AuditRow.sequence == 3))
        unguarded.expire_all()

        assert verify_chain(unguarded, TOWN) == 3

    def test_a_cut_tail_is_found(self, unguarded):
        unguarded.execute(delete(AuditRow).where(AuditRow.sequence == 4))
        unguarded.expire_all()

        assert verify_chain(unguarded, TOWN) == 4

    def test_entries_that_change_places_are_found(self, unguarded):
        for before, after in ((2, 99), (3, 2), (99, 3)):
            unguarded.execute(update(AuditRow).where(AuditRow.sequence == before).values(sequence=after))
        unguarded.expire_all()

        assert verify_chain(unguarded, TOWN) == 2

    def test_a_chain_written_anew_without_the_key_is_found(self, unguarded):
        previous = ""
        for row in unguarded.scalars(select(AuditRow).order_by(AuditRow.sequence)).all():
            at = row.at.astimezone(UTC).isoformat(timespec="microseconds")
            told = [
                previous,
                TOWN,
                row.sequence,
                at,
                "staff:9",
                row.action,
                row.subject,
                row.reason,
                row.key_id,
            ]
            new = sha256(json.dumps(told).encode()).hexdigest()
            unguarded.execute(
                update(AuditRow)
                .where(AuditRow.id == row.id)
                .values(actor="staff:9", previous_hash=previous, hash=new)
            )
            previous = new
        unguarded.execute(update(AuditHeadRow).values(hash=previous))
        unguarded.expire_all()

        assert verify_chain(unguarded, TOWN) == 1

    def test_a_tail_and_a_head_cut_together_are_found_by_the_anchor(self, unguarded):
        anchor = head_of_log(unguarded, TOWN)
        third = unguarded.scalars(select(AuditRow).where(AuditRow.sequence == 3)).one()
        unguarded.execute(delete(AuditRow).where(AuditRow.sequence == 4))
        unguarded.execute(update(AuditHeadRow).values(sequence=3, hash=third.hash))
        unguarded.expire_all()

        assert verify_chain(unguarded, TOWN) is None
        assert verify_log(unguarded, TOWN, [anchor]).missed_anchor == 4

    def test_another_log_grown_over_an_anchor_is_found(self, chain):
        (anchor,) = read_anchors(f"anchor 2030-03-10 {TOWN} 2 {'0' * 64}")

        assert verify_log(chain, TOWN, [anchor]).missed_anchor == 2

    def test_anchors_of_the_whole_log_agree(self, chain):
        anchors = [head_of_log(chain, TOWN)]
        record(chain, TOWN, actor="cli", action="case.read", subject="complaint:8", at=NOW)
        anchors.append(head_of_log(chain, TOWN))

        assert verify_log(chain, TOWN, anchors).whole

    def test_an_entry_is_never_changed_through_the_session(self, chain):
        row = chain.scalars(select(AuditRow).where(AuditRow.sequence == 1)).one()
        row.reason = "outra"

        with pytest.raises(RuntimeError, match="only added to"):
            chain.flush()

    def test_the_history_of_one_record(self, chain):
        record(
            chain,
            TOWN,
            actor="staff:1",
            action="identity.opened",
            subject="complaint:2",
            reason="Ofício 1",
            at=NOW,
        )

        actions = [(entry.action, entry.reason) for entry in history_of(chain, TOWN, "complaint:2")]

        assert actions == [("case.read", None), ("identity.opened", "Ofício 1")]

    def test_it_is_read_newest_first_and_by_the_page(self, chain):
        for number in range(60):
            record(chain, TOWN, actor="cli", action="case.read", subject=f"complaint:{number}", at=NOW)

        first, last = read_log(chain, TOWN), read_log(chain, TOWN, page=9)

        assert [first.entries[0].sequence, last.entries[-1].sequence] == [64, 1]
        assert (first.total, first.pages, last.page) == (64, 2, 2)
