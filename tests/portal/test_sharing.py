"""Any number of workers on one database: what must be claimed is claimed once, on either database."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier, Lock

import pytest

from portal import clock
from portal.config import settings
from portal.services import housekeeping
from portal.services.housekeeping import LEASE, Chore
from portal.services.messages import outbox
from portal.services.schema import migrate_database
from portal.services.unit_of_work import unit_of_work
from portal.storage.database import engine
from portal.worker import deliver_due

NOW = datetime(2030, 3, 1, 15, tzinfo=UTC)
WORKERS, ROWS = 4, 60


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def shared_database(request, environment, monkeypatch):
    if request.param == "postgresql":
        monkeypatch.setenv("DATABASE_URL", request.getfixturevalue("postgres_url"))
        settings.cache_clear()
        engine.cache_clear()
        migrate_database()
    else:
        request.getfixturevalue("database")
    yield
    engine().dispose()


def at_once(work):
    """What each of several workers that begin together comes to."""
    together = Barrier(WORKERS)

    def begin(number):
        together.wait()
        return work(number)

    with ThreadPoolExecutor(WORKERS) as workers:
        return list(workers.map(begin, range(WORKERS)))


@pytest.mark.usefixtures("shared_database")
class TestSeveralWorkers:
    def test_send_each_message_once(self):
        with unit_of_work(writes=True) as session:
            for number in range(ROWS):
                outbox.enqueue(session, "mail", {"number": number}, now=clock.now())
        sent, lock = Counter(), Lock()

        def send(delivery, _box):
            with lock:
                sent[delivery.payload["number"]] += 1

        at_once(lambda _number: deliver_due(senders={"mail": send}, open_box=lambda box, record: box))

        assert sent == Counter(range(ROWS))

    def test_take_turns_at_every_chore(self):
        done, lock = Counter(), Lock()

        def note(name):
            with lock:
                done[name] += 1

        chores = [Chore(name, lambda _now, name=name: note(name)) for name in ("a", "b", "c", "d", "e")]

        def keep(_number):
            for chore in housekeeping.claim(now=NOW, chores=chores):
                chore(NOW)
                housekeeping.done(chore, now=NOW)

        at_once(keep)
        assert done == Counter("abcde")
        at_once(keep)  # nobody's turn yet
        assert done == Counter("abcde")

    def test_take_over_from_one_that_died(self):
        chores = [Chore("a", lambda _now: None)]
        assert housekeeping.claim(now=NOW, chores=chores)
        assert not housekeeping.claim(now=NOW + LEASE - timedelta(seconds=1), chores=chores)
        assert housekeeping.claim(now=NOW + LEASE, chores=chores)

    def test_try_again_what_failed_however_rarely_it_is_due(self):
        chores = [Chore("a", lambda _now: None, every=housekeeping.DAY)]
        [claimed] = housekeeping.claim(now=NOW, chores=chores)
        housekeeping.done(claimed, now=NOW, failure="OperationalError")
        assert housekeeping.claim(now=NOW + timedelta(minutes=1), chores=chores)


class TestTheChores:
    def test_each_has_a_name_of_its_own(self):
        names = [chore.name for chore in housekeeping.CHORES]
        assert len(set(names)) == len(names)
