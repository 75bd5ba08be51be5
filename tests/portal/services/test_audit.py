from datetime import UTC, datetime

import pytest
from sqlalchemy import delete, select, update

from portal.services.audit import history_of, record, verify_chain
from portal.storage.audit import AuditRow

NOW = datetime(2030, 3, 10, 12, 0, tzinfo=UTC)
TOWN = "exemplo-sp"


@pytest.fixture
def chain(session):
    for number in range(1, 5):
        record(session, TOWN, actor="staff:1", action="case.read", subject=f"complaint:{number}", at=NOW)
    return session


class TestTheChain:
    def test_it_is_whole_as_written(self, chain):
        assert verify_chain(chain, TOWN) is None

    def test_each_municipality_has_its_own(self, chain):
        entry = record(chain, "outra-sp", actor="staff:2", action="case.read", subject="complaint:9", at=NOW)

        assert entry.sequence == 1
        assert verify_chain(chain, "outra-sp") is None

    def test_a_changed_entry_is_found(self, chain):
        chain.execute(update(AuditRow).where(AuditRow.sequence == 2).values(actor="staff:9"))
        chain.expire_all()

        assert verify_chain(chain, TOWN) == 2

    def test_a_removed_entry_is_found(self, chain):
        chain.execute(delete(AuditRow).where(AuditRow.sequence == 3))
        chain.expire_all()

        assert verify_chain(chain, TOWN) == 3

    def test_a_cut_tail_is_found(self, chain):
        chain.execute(delete(AuditRow).where(AuditRow.sequence == 4))
        chain.expire_all()

        assert verify_chain(chain, TOWN) == 4

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
