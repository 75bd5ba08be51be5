"""Limits: shared where there is a Redis, kept by each process where there is none or while it is away."""

import pytest
import structlog

from portal import limiting
from portal.limiting import Limit, Limiter

FEW = Limit("few", 3)


def asked(limiter, times, key="somebody"):
    return [bool(limiter.seconds_to_wait(FEW, key)) for _time in range(times)]


class TestOneProcess:
    def test_past_the_limit_one_is_told_to_wait(self):
        limiter = Limiter()
        assert asked(limiter, 4) == [False, False, False, True]
        assert 1 <= limiter.seconds_to_wait(FEW, "somebody") <= 120

    def test_each_is_counted_alone_and_for_each_thing_alone(self):
        limiter = Limiter()
        asked(limiter, 3)
        assert not limiter.seconds_to_wait(FEW, "somebody else")
        assert not limiter.seconds_to_wait(Limit("other", 3), "somebody")


class TestSeveralProcesses:
    def test_count_together(self, redis_server):
        one, other = Limiter(redis_server.url), Limiter(redis_server.url)
        assert asked(one, 2, "shared") == [False, False]
        assert asked(other, 2, "shared") == [False, True]

    @pytest.mark.slow
    @pytest.mark.parametrize("fault", ["killed", "frozen"])
    def test_go_on_by_themselves_while_redis_is_away_and_together_again_by_themselves(
        self, redis_server, monkeypatch, fault
    ):
        monkeypatch.setattr(limiting, "ASK_AGAIN", 0.0)
        limiter = Limiter(redis_server.url, timeout=0.1)
        assert not limiter.seconds_to_wait(FEW, fault)
        with structlog.testing.capture_logs() as lines:
            (redis_server.kill if fault == "killed" else redis_server.freeze)()
            try:
                assert asked(limiter, 5, fault) == [False, False, False, True, True]
            finally:
                (redis_server.start if fault == "killed" else redis_server.thaw)()
            limiter.seconds_to_wait(FEW, "another")
            limiter.seconds_to_wait(FEW, "another")
        assert [line["event"] for line in lines] == ["redis_away", "redis_back"]
        assert redis_server.url not in str(lines)
        assert limiter.shares()

    def test_one_that_was_never_there_costs_one_wait_and_no_answer(self, tmp_path):
        limiter = Limiter(f"redis+unix://{tmp_path}/nothing")
        with structlog.testing.capture_logs() as lines:
            assert asked(limiter, 4) == [False, False, False, True]
        assert len(lines) == 1
