import os
import signal
import threading

import pytest

from portal.cli.processes import WRONG_SETTINGS, ProcessEnded, Program, python, run_together

WAITING = python("-c", "import signal; signal.pause()")


class TestRunningTogether:
    def test_a_child_that_ends_takes_the_others_with_it(self):
        programs = [
            Program("worker", WAITING, os.environ),
            Program("bot", python("-c", "exit(3)"), os.environ),
        ]

        with pytest.raises(ProcessEnded) as ended:
            run_together(programs, when_serving=lambda: None)

        assert (ended.value.name, ended.value.code) == ("bot", 3)

    def test_one_that_may_is_started_again(self, tmp_path):
        # It fails at its first start, when Telegram cannot be reached; at its second it ends the test.
        mark = tmp_path / "started"
        script = f"import pathlib; mark = pathlib.Path({str(mark)!r}); exit(2 if mark.exists() else mark.touch() or 1)"

        with pytest.raises(ProcessEnded) as ended:
            run_together(
                [Program("bot", python("-c", script), os.environ, again=True)], when_serving=lambda: None
            )

        assert ended.value.code == WRONG_SETTINGS

    def test_a_stop_signal_ends_all_and_is_no_error(self):
        def stop_soon():
            threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGTERM)).start()

        run_together([Program("worker", WAITING, os.environ)], when_serving=stop_soon)

    def test_handlers_of_signals_are_put_back(self):
        before = signal.getsignal(signal.SIGTERM)

        with pytest.raises(ProcessEnded):
            run_together([Program("bot", python("-c", ""), os.environ)], when_serving=lambda: None)

        assert signal.getsignal(signal.SIGTERM) is before
