from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from portal.services.messages.outbox import (
    FIRST_WAIT,
    KEEP_DONE,
    LEASE,
    MAX_ATTEMPTS,
    bury,
    claim,
    done,
    enqueue,
    forget_old_deliveries,
    next_delivery,
    retry_later,
)
from portal.storage.outbox import DEAD, OutboxRow

NOW = datetime(2030, 3, 10, 12, 0, tzinfo=UTC)


def rows(session: Session) -> list[OutboxRow]:
    return list(session.scalars(select(OutboxRow).execution_options(populate_existing=True)))


class TestClaiming:
    def test_a_due_row_is_claimed_once(self, session):
        enqueue(session, "mail", {"protocol": "X"}, sealed=b"box", now=NOW)

        (delivery,) = claim(session, ["mail"], now=NOW)

        assert (delivery.kind, delivery.payload, delivery.sealed) == ("mail", {"protocol": "X"}, b"box")
        assert delivery.attempts == 1
        assert claim(session, ["mail"], now=NOW) == ()

    def test_a_claim_that_ran_out_is_taken_over(self, session):
        enqueue(session, "mail", {}, now=NOW)
        claim(session, ["mail"], now=NOW)

        (again,) = claim(session, ["mail"], now=NOW + LEASE)

        assert again.attempts == 2

    def test_only_kinds_asked_for_are_taken(self, session):
        enqueue(session, "telegram", {}, now=NOW)

        assert claim(session, ["mail"], now=NOW) == ()
        assert len(claim(session, ["mail", "telegram"], now=NOW)) == 1

    def test_no_more_than_the_limit(self, session):
        for _ in range(5):
            enqueue(session, "mail", {}, now=NOW)

        assert [len(claim(session, ["mail"], now=NOW, limit=2)) for _ in range(4)] == [2, 2, 1, 0]

    def test_a_row_for_later_waits(self, session):
        enqueue(session, "mail", {}, now=NOW, due=NOW + timedelta(hours=1))

        assert claim(session, ["mail"], now=NOW) == ()
        assert next_delivery(session, ["mail"]) == NOW + timedelta(hours=1)
        assert len(claim(session, ["mail"], now=NOW + timedelta(hours=1))) == 1

    def test_an_expired_row_is_never_claimed(self, session):
        enqueue(session, "telegram", {}, now=NOW, expires=NOW + timedelta(minutes=60))

        assert claim(session, ["telegram"], now=NOW + timedelta(minutes=60)) == ()

    def test_a_dedupe_key_is_written_once_even_after_delivery(self, session):
        first = enqueue(session, "mail", {"a": 1}, now=NOW, dedupe_key="answered:7")
        assert enqueue(session, "mail", {"a": 1}, now=NOW, dedupe_key="answered:7") is None

        assert first is not None
        done(session, first)

        assert enqueue(session, "mail", {"a": 1}, now=NOW, dedupe_key="answered:7") is None


class TestAfterAnAttempt:
    def test_a_delivered_row_is_gone(self, session):
        enqueue(session, "mail", {}, sealed=b"address", now=NOW)
        (delivery,) = claim(session, ["mail"], now=NOW)

        done(session, delivery.id)

        assert rows(session) == []

    def test_a_delivered_row_with_a_dedupe_key_keeps_no_content(self, session):
        enqueue(session, "mail", {"protocol": "X"}, sealed=b"address", now=NOW, dedupe_key="k")
        (delivery,) = claim(session, ["mail"], now=NOW)

        done(session, delivery.id)

        (row,) = rows(session)
        assert (row.state, row.payload, row.sealed) == ("done", {}, None)

    def test_each_wait_is_twice_the_last_one(self, session):
        enqueue(session, "mail", {}, now=NOW)
        now, waits = NOW, []
        for _ in range(4):
            (delivery,) = claim(session, ["mail"], now=now)
            retry_later(session, delivery.id, now=now, failure="ConnectionRefusedError")
            due = next_delivery(session, ["mail"])
            waits.append((due - now) / FIRST_WAIT)
            now = due

        assert waits == [1, 2, 4, 8]

    def test_what_the_other_side_asks_for_counts(self, session):
        enqueue(session, "telegram", {}, now=NOW)
        (delivery,) = claim(session, ["telegram"], now=NOW)

        retry_later(session, delivery.id, now=NOW, failure="RetryAfter", wait=timedelta(seconds=7))

        assert next_delivery(session, ["telegram"]) == NOW + timedelta(seconds=7)

    def test_a_row_is_buried_after_the_last_attempt(self, session):
        enqueue(session, "mail", {}, now=NOW)
        now = NOW
        for _ in range(MAX_ATTEMPTS):
            (delivery,) = claim(session, ["mail"], now=now)
            retry_later(session, delivery.id, now=now, failure="TimeoutError")
            now = next_delivery(session, ["mail"]) or now

        (row,) = rows(session)
        assert (row.state, row.failure, row.attempts) == (DEAD, "TimeoutError", MAX_ATTEMPTS)
        assert next_delivery(session, ["mail"]) is None

    def test_what_can_never_be_delivered_is_buried_at_once(self, session):
        enqueue(session, "mail", {}, now=NOW)
        (delivery,) = claim(session, ["mail"], now=NOW)

        bury(session, delivery.id, failure="Undeliverable")

        assert claim(session, ["mail"], now=NOW + timedelta(days=1)) == ()


class TestForgetting:
    def test_expired_rows_are_deleted_in_any_state(self, session):
        for state in ("pending", "dead"):
            row_id = enqueue(session, "telegram", {}, now=NOW, expires=NOW + timedelta(minutes=60))
            if state == "dead":
                bury(session, row_id, failure="Undeliverable")
        enqueue(session, "mail", {}, now=NOW)

        assert forget_old_deliveries(session, now=NOW + timedelta(minutes=60)) == 2
        assert [row.kind for row in rows(session)] == ["mail"]

    def test_emptied_rows_go_after_a_month(self, session):
        row_id = enqueue(session, "mail", {}, now=NOW, dedupe_key="k")
        done(session, row_id)

        assert forget_old_deliveries(session, now=NOW + KEEP_DONE) == 0
        assert forget_old_deliveries(session, now=NOW + KEEP_DONE + timedelta(seconds=1)) == 1


@pytest.mark.parametrize("workers", [4])
def test_workers_at_the_same_time_share_rows_without_overlap(engine: Engine, workers: int):
    from concurrent.futures import ThreadPoolExecutor

    with Session(engine) as session, session.begin():
        wanted = {enqueue(session, "concurrent", {}, now=NOW) for _ in range(40)}

    def work(_worker: int) -> list[int]:
        mine: list[int] = []
        while True:
            with Session(engine) as session, session.begin():
                taken = claim(session, ["concurrent"], now=NOW, limit=3)
            if not taken:
                return mine
            mine += [delivery.id for delivery in taken]

    try:
        with ThreadPoolExecutor(workers) as pool:
            claimed = [row for rows_of_one in pool.map(work, range(workers)) for row in rows_of_one]
        assert sorted(claimed) == sorted(wanted)
    finally:
        with Session(engine) as session, session.begin():
            for row_id in wanted:
                done(session, row_id)
