"""A reader sees one state of the database, whatever is written meanwhile, and gives its connection back."""

from datetime import UTC, date, datetime

import pytest

from portal.services.unit_of_work import reading, unit_of_work
from portal.storage.permits import PermitListRow, find_lists

TOWN = "exemplo-sp"


def _list(source: str) -> None:
    with unit_of_work(writes=True) as session:
        session.add(
            PermitListRow(
                municipality=TOWN,
                service="turismo",
                kind="register",
                source=source,
                as_of=date(2030, 1, 2),
                known_from=datetime(2030, 1, 2, tzinfo=UTC),
            )
        )


class TestAReader:
    def test_reads_what_a_session_reads(self, database):
        _list("one")
        with unit_of_work() as session, reading() as reader:
            assert find_lists(reader, TOWN) == find_lists(session, TOWN) != ()

    def test_gives_its_connection_back(self, database):
        for _ in range(30):
            with reading() as reader:
                find_lists(reader, TOWN)

        assert database.pool.checkedout() == 0

    def test_leaves_no_transaction_open_behind_it(self, database):
        with reading() as reader:
            find_lists(reader, TOWN)
        _list("one")  # a writer that nobody keeps waiting
        with reading() as outer, reading() as inner:  # each has a connection of its own
            assert find_lists(outer, TOWN) == find_lists(inner, TOWN) != ()

    def test_starts_anew_after_an_error(self, database):
        with pytest.raises(KeyError), reading() as reader:
            find_lists(reader, {}["no town"])
        _list("one")
        with reading() as reader:
            assert find_lists(reader, TOWN) != ()

    def test_sees_the_next_state_when_it_is_opened_again(self, database):
        with reading() as reader:
            before = find_lists(reader, TOWN)
            if (
                database.dialect.name == "sqlite"
            ):  # elsewhere each select may see what was committed before it
                _list("one")
                assert find_lists(reader, TOWN) == before == ()
        _list("two")
        with reading() as reader:
            assert "two" in {one.source for one in find_lists(reader, TOWN)}
